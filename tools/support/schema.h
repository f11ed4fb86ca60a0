// The JSON Schemas, embedded from traces/trace.schema.json and traces/profile.schema.json.
//
// Errors: none.
// Source: traces/FORMAT.md, traces/PROFILE.md.
#pragma once

#include <string_view>

namespace warpsim::tools {

std::string_view trace_schema();
std::string_view profile_schema();

}  // namespace warpsim::tools
