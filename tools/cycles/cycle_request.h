// What `crosscheck --cycles` is asked for, and messages about kernels.
//
// Shapes: a NAME is how names of kernels or programs begin; without NAMEs all are wanted.
// Errors: through the Reply.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/session/session.h"

namespace warpsim::tools {

// False after it has said which options do not go together.
bool cycle_options_fit(Session& session);

bool is_wanted(const Session& session, std::string_view name);
// Says which NAMEs none of `all` begins with.
void report_unknown_names(Session& session, const std::vector<std::string>& all);

void warn_of_capture(Session& session, const std::string& message, const std::string& hint);
// "3 kernels changed since the capture: a, b and 1 more", with what to do; nothing if there are none.
void warn_of_kernels(Session& session, const std::vector<std::string>& names, const std::string& why,
                     const std::string& hint);
// "a, b, c and 2 more"
std::string first_names(const std::vector<std::string>& names);

}  // namespace warpsim::tools
