// list: the programs by group; see programs_page.h.
#include <algorithm>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "programs/embedded.h"
#include "tools/command/programs_page.h"
#include "tools/command/verbs.h"
#include "tools/session/loading.h"
#include "tools/session/named_programs.h"
#include "tools/session/twins.h"
#include "tools/support/json_object.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

constexpr std::size_t kListWidth = 80, kListIndent = 2;

std::string case_names_json(const Lesson& program) {
  std::vector<std::string> names;
  for (const Case& one : program.cases) names.push_back(json_text(one.name));
  return json_list(names);
}

std::string program_json(const Lesson& program) {
  return JsonObject()
      .text("name", program.full_name())
      .text("title", program.title)
      .text("document", program.document)
      .text("section", program.section)
      .text("twin_of", program.twin_of)
      .raw("cases", case_names_json(program))
      .raw("exempt", exemptions_json(program))
      .str();
}

std::string group_heading(const std::string& group) {
  for (const ProgramGroup& one : kProgramGroups)
    if (one.name == group) return group + ": " + std::string(one.title) + "\n";
  return group + ":\n";
}

// The name, and the text beside it on as many lines as it needs.
std::string program_line(const std::string& name, const std::string& text, std::size_t column) {
  if (text.empty()) return std::string(kListIndent, ' ') + name + "\n";
  std::string out;
  for (const std::string& line : wrapped_at(text, kListWidth - std::min(column, kListWidth / 2)))
    out += padded(out.empty() ? std::string(kListIndent, ' ') + name : "", column) + line + "\n";
  return out;
}

// What a list prints of one group, and its programs as JSON.
struct Listed {
  std::string text;
  std::size_t mistakes = 0;
};
Listed list_group(Session& session, const std::string& group, std::vector<std::string>& programs) {
  const std::vector<const CatalogueEntry*> entries = session.catalogue.find_group(group);
  std::size_t column = 0;
  for (const CatalogueEntry* const entry : entries) column = std::max(column, entry->full_name().size());
  column += kListIndent + 2;
  Listed listed{group_heading(entries.empty() ? group : std::string(entries.front()->group))};
  for (const CatalogueEntry* const entry : entries)
    for (const Lesson& program : assemble_entry(session, *entry)) {
      listed.text += program_line(program.full_name(), program.title, column);
      if (!program.twin_of.empty() && twin_base(session, program) != nullptr)
        listed.text += std::string(column, ' ') + "twin of " + program.twin_of + "\n";
      listed.mistakes += expects_findings(program) ? 1 : 0;
      programs.push_back(program_json(program));
    }
  return listed;
}

void list_names(Session& session, const std::vector<std::string>& groups) {
  std::vector<std::string> programs;
  for (const std::string& group : groups)
    for (const CatalogueEntry* const entry : session.catalogue.find_group(group)) {
      session.reply.text(entry->full_name() + "\n");
      programs.push_back(JsonObject().text("name", entry->full_name()).str());
    }
  session.reply.result(JsonObject().raw("programs", json_list(programs)).str());
}

// The groups that the command line names, all without a name. Nothing after it has said which one does not exist.
std::optional<std::vector<std::string>> groups_named(Session& session) {
  const std::vector<std::string> all = session.catalogue.groups();
  if (session.options.names.empty()) return all;
  std::vector<std::string> chosen;
  for (std::string name : session.options.names) {
    while (name.size() > 1 && name.back() == '/') name.pop_back();
    if (std::find(all.begin(), all.end(), name) != all.end()) {
      chosen.push_back(name);
      continue;
    }
    const std::string near = nearest(name, all);
    session.reply.fail(ExitCode::Usage, "usage", "there is no group " + in_ticks(name),
                       !session.catalogue.find(name).empty() ? "it is a program: `warpsim show " + name + "`"
                                                             : hint_for(near, "the groups are " + join(all)));
    return std::nullopt;
  }
  return chosen;
}

}  // namespace

std::string exemptions_json(const Lesson& program) {
  std::vector<std::string> list;
  for (const Exemption& one : program.exemptions)
    list.push_back(JsonObject().raw("lanes", "[" + list_text(one.lanes) + "]").text("reason", one.reason).str());
  return json_list(list);
}

void list_programs(Session& session, const std::vector<std::string>& groups, bool mistakes) {
  std::vector<std::string> programs;
  std::string between;
  for (const std::string& group : groups) {
    const Listed listed = list_group(session, group, programs);
    if (listed.text.empty()) continue;
    const bool counts = shows_mistakes(group) && !mistakes && listed.mistakes > 0;
    session.reply.text(between + (counts ? group + ": " + counted(listed.mistakes, "mistake") +
                                               ", each beside its fix: `warpsim list " + group + "`\n"
                                         : listed.text));
    between = "\n";
  }
  session.reply.result(JsonObject().raw("programs", json_list(programs)).str());
}

void run_list(Session& session) {
  session.reply.send_to(session.options.output);
  if (session.options.markdown) {
    const std::string text = programs_markdown(session);
    session.reply.text(text);
    session.reply.result(JsonObject().text("text", text).str());
    return;
  }
  const std::optional<std::vector<std::string>> groups = groups_named(session);
  if (!groups) return;
  if (session.options.names_only) return list_names(session, *groups);
  list_programs(session, *groups, session.options.mistakes || !session.options.names.empty());
}

}  // namespace warpsim::tools
