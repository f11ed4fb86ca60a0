// What the command line replaces in a case: --lanes, --grid, --block, --input, --param,
// --max-cycles, --shared, --resident-blocks, --reconvergence, --schedule, --profile, --scheduler, --sms.
//
// Shapes: `NAME=WHAT` words and counts become CaseOverrides (sim/launch/launch.h).
// Units:  none.
// Errors: through the Reply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/lesson.h"
#include "sim/launch/launch.h"
#include "tools/session/session.h"

namespace warpsim::tools {

std::optional<CaseOverrides> read_overrides(Session& session, const Program& program);

// --reconvergence, --schedule, --profile, --scheduler and --sms alone. Of a profile with two bounds it is the low one.
bool read_machine(Session& session, CaseOverrides& overrides);

// The launch of a program that was made ready, in the terms of another: its lanes, grid, block and machine, and what it
// gives to parameters that both have. `block` counts threads, as the run has them.
CaseOverrides same_launch(const Program& first, const PreparedCase& prepared, const Dim3& block, const Program& other);

// False, after a message, if --engine asks for machine code that this machine cannot execute.
bool can_have_engine(Session& session);

// The case without what the overrides make invalid in what it expects: see the head of overrides.cpp.
Case keep_valid_expectations(const Program& program, const Case& from, const CaseOverrides& overrides);

// Reads the files that the cases' buffers name, "x = @x.npy", as --input does; below this folder. False after a
// message.
bool read_case_files(Session& session, Lesson& lesson, const std::string& folder);

// "4", "4x2", "4x2x2"; nothing if it is none of them.
std::optional<Dim3> parse_dim(const std::string& text);
// "rr", or "lockstep", which is the same; "blocks"; "fuzz:7". Nothing if it is none of them.
std::optional<Schedule> parse_schedule(std::string_view text);
// "8" or "8,32": counts that a warp can have; nothing if one of them is none.
std::optional<std::vector<unsigned>> parse_lane_list(const std::string& text);
// --lanes as such a list; without one `lanes` stays. False after it has said what is wrong with it.
bool read_lane_list(Session& session, std::vector<unsigned>& lanes);

}  // namespace warpsim::tools
