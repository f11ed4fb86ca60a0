// From operands to programs; see named_programs.h.
#include "tools/session/named_programs.h"

#include <algorithm>

#include "tools/session/loading.h"
#include "tools/support/files.h"

namespace warpsim::tools {

namespace {

template <class Load>
void one(Session& session, const NamedPrograms& programs, Load load, const std::string& name) {
  const std::size_t said_before = session.reply.said().size();
  const std::vector<Lesson> loaded = load();
  for (const Lesson& program : loaded) programs.with(program);
  if (loaded.empty()) programs.without(name, said_before);
}

void entry(Session& session, const NamedPrograms& programs, const CatalogueEntry& entry) {
  one(
      session, programs, [&] { return assemble_entry(session, entry); }, entry.full_name());
}

void folder(Session& session, const NamedPrograms& programs, const std::string& path) {
  const Catalogue files(path);
  if (!files.error().empty()) return session.reply.fail(ExitCode::BadInput, "file", files.error());
  if (files.entries().empty())
    return session.reply.fail(ExitCode::BadInput, "file", "there is no .warp file in " + path);
  for (const CatalogueEntry& file : files.entries()) entry(session, programs, file);
}

}  // namespace

void for_each_named(Session& session, const NamedPrograms& programs) {
  if (session.options.names.empty())
    for (const CatalogueEntry& each : session.catalogue.entries()) entry(session, programs, each);
  for (const std::string& name : session.options.names) {
    const std::vector<const CatalogueEntry*> group = session.catalogue.find_group(name);
    for (const CatalogueEntry* const each : group) entry(session, programs, *each);
    if (!group.empty()) continue;
    if (session.catalogue.find(name).empty() && is_folder(name)) folder(session, programs, name);
    else
      one(
          session, programs, [&] { return load_programs(session, name); }, name);
  }
}

bool expects_findings(const Lesson& program) {
  return std::any_of(program.cases.begin(), program.cases.end(),
                     [](const Case& each) { return each.find(kFindingKey) != nullptr; });
}

}  // namespace warpsim::tools
