// The programs that operands mean: programs, groups (p26), files, folders of files; all of the catalogue without one.
//
// Shapes: each program once a name, in the order of the names.
// Errors: what does not load is reported to the Reply; `without` then receives its name.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "isa/program/lesson.h"
#include "tools/session/session.h"

namespace warpsim::tools {

struct NamedPrograms {
  std::function<void(const Lesson&)> with;
  // said_before: the length of Reply::said() before the report.
  std::function<void(const std::string& name, std::size_t said_before)> without;
};
void for_each_named(Session& session, const NamedPrograms& programs);

// An example of a mistake: some case says what must be found.
bool expects_findings(const Lesson& program);

}  // namespace warpsim::tools
