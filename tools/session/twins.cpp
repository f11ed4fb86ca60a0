// Who is whose twin; see twins.h.
#include "tools/session/twins.h"

#include <string>
#include <utility>

#include "isa/assembly/assembler.h"
#include "tools/session/loading.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

// Spares assembling most programs.
bool may_be_twin(const CatalogueEntry& entry) { return entry.text.find(".twin") != std::string_view::npos; }

}  // namespace

const CatalogueEntry* twin_base(Session& session, const Lesson& twin) {
  const std::vector<const CatalogueEntry*> found = session.catalogue.find(twin.twin_of);
  Diagnostics wrong{twin.source().name, twin.source().text, {}};
  if (found.empty()) {
    wrong.error("A038", twin.twin_where, "there is no program " + in_ticks(twin.twin_of) + " to be the twin of",
                hint_for(session.catalogue.did_you_mean(twin.twin_of), "`warpsim list` names all programs"));
  } else if (found.size() > 1) {
    std::vector<std::string> names;
    for (const CatalogueEntry* entry : found) names.push_back(entry->full_name());
    wrong.error("A038", twin.twin_where, in_ticks(twin.twin_of) + " is the name of several programs",
                "say which: " + join(names));
  } else if (found.front()->full_name() == twin.full_name()) {
    wrong.error("A038", twin.twin_where, "a program is not its own twin",
                "name the program that does the same with shuffles");
  } else {
    const std::optional<Lesson> base = assemble_program(session, *found.front());
    if (!base) return nullptr;
    if (base->twin_of.empty()) return found.front();
    wrong.error("A038", twin.twin_where, in_ticks(twin.twin_of) + " is a twin itself, of " + in_ticks(base->twin_of),
                "name " + in_ticks(base->twin_of));
  }
  session.reply.fail(ExitCode::BadInput, wrong);
  return nullptr;
}

std::vector<Lesson> all_twins(Session& session) {
  std::vector<Lesson> twins;
  for (const CatalogueEntry& entry : session.catalogue.entries()) {
    if (!may_be_twin(entry)) continue;
    for (Lesson& program : assemble_entry(session, entry))
      if (!program.twin_of.empty()) twins.push_back(std::move(program));
  }
  return twins;
}

std::vector<Lesson> twins_of(Session& session, const Lesson& base) {
  std::vector<Lesson> twins;
  for (const CatalogueEntry& entry : session.catalogue.entries()) {
    if (!may_be_twin(entry)) continue;
    Assembled assembled = assemble(entry.text, entry.file, std::string(entry.group));
    for (Lesson& program : assembled.lessons) {
      if (program.twin_of.empty()) continue;
      const std::vector<const CatalogueEntry*> named = session.catalogue.find(program.twin_of);
      if (named.size() == 1 && named.front()->full_name() == base.full_name()) twins.push_back(std::move(program));
    }
  }
  return twins;
}

}  // namespace warpsim::tools
