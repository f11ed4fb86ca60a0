// --profile, --scheduler and --sms: how long what takes in a run.
//
// Shapes: a word is `lockstep`, a built-in profile, one of its bounds (documents:low), a file, or - for standard input.
// Errors: through the Reply.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/session/session.h"
#include "tools/support/profiles.h"
#include "traces/profile/profile_json.h"

namespace warpsim::tools {

// What the options say, or `otherwise` without --profile ("": lockstep); nothing after it has said what is wrong with
// them. Reads a file once.
const ChosenProfile* chosen_profile(Session& session, std::string_view otherwise = "");

// "-": standard input. Nothing after it has said what is wrong with it.
std::optional<ProfileFile> read_profile_file(Session& session, const std::string& path);

}  // namespace warpsim::tools
