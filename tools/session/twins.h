// Programs that do the same with shuffles and without: which program is the twin of which, by their `.twin`.
//
// Shapes: a family is one program that shuffles and its twins, each of which names it.
// Errors: a `.twin` that leads nowhere is reported through the Reply, with its place.
#pragma once

#include <vector>

#include "isa/program/lesson.h"
#include "tools/session/catalogue.h"
#include "tools/session/session.h"

namespace warpsim::tools {

// The program that `twin` names; nullptr, and a message, if there is none.
const CatalogueEntry* twin_base(Session& session, const Lesson& twin);
// The programs that name `base`, in the catalogue's order. What is wrong with others is not said here.
std::vector<Lesson> twins_of(Session& session, const Lesson& base);
// Every program that says whose twin it is, in the catalogue's order.
std::vector<Lesson> all_twins(Session& session);

}  // namespace warpsim::tools
