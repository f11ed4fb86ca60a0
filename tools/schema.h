// The JSON Schema of a trace, embedded from traces/trace.schema.json.
//
// Errors: none.
// Source: traces/FORMAT.md.
#pragma once

#include <string_view>

namespace warpsim::tools {

std::string_view trace_schema();

}  // namespace warpsim::tools
