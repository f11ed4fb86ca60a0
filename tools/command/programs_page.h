// The programs, as `list` prints them and as programs/README.md.
//
// Shapes: by group, in the order in which to learn them: a heading a group, a line a program, below it whose twin it
//         is. The page is Markdown, one table a group; each verdict comes from running every case of the program at
//         that lane count, as `test` does.
// Units:  none.
// Errors: a run that is not as expected is FAIL in the table, and reported to the Reply in full. A program that does
//         not assemble is reported and left out.
#pragma once

#include <string>
#include <vector>

#include "isa/program/lesson.h"
#include "tools/command/verbs.h"

namespace warpsim::tools {

std::string programs_markdown(Session& session);

// Prints these groups, and answers with their programs. Without `mistakes` the text only counts those; the JSON has
// them all the same.
void list_programs(Session& session, const std::vector<std::string>& groups, bool mistakes);

// The lane counts that it is exempt from, with the reasons.
std::string exemptions_json(const Lesson& program);

}  // namespace warpsim::tools
