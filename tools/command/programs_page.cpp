// The page of the programs; see programs_page.h.
#include "tools/command/programs_page.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "programs/embedded.h"
#include "sim/launch/launch.h"
#include "tools/command/test_run.h"
#include "tools/session/loading.h"
#include "tools/session/named_programs.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

constexpr std::size_t kTitleLetters = 3;  // as many show whether a comment begins with the program's title

constexpr const char* kIntroduction =
    "# The programs\n\n"
    "Written by `warpsim list --markdown`, which runs all cases at all these lane counts; a test compares. The numbers "
    "after a colon\n"
    "are lines of the document that the program comes from; the section is the heading that the first of them stand "
    "under.\n\n"
    "| at a lane count | means |\n|---|---|\n"
    "| ok | all cases give what they expect |\n"
    "| exempt | the program does not run there, and says why (`.exempt`) |\n"
    "| runs | it runs, and no case says what to expect |\n"
    "| · | every case fixes other lane counts |\n"
    "| FAIL | a case gives something else |\n";

constexpr const char* kMistakes =
    "\n# The mistakes\n\n"
    "Each shows what warpsim finds in it, and stands beside its fix. `warpsim explain` explains the codes. `warpsim "
    "test "
    "bugs` compares\n"
    "what is found with what the cases say must be found, at every lane count.\n\n"
    "| mistake | fixed | title | kind | found | at | document |\n|---|---|---|---|---|---|---|\n";

// In a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// The first sentence of the comment that opens the program, without the title before its colon.
std::string trick(const Lesson& program) {
  std::string text = program.header.substr(0, program.header.find("\n\n"));
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (std::size_t dot = text.find('.'); dot != std::string::npos; dot = text.find('.', dot + 1)) {
    if (dot + 1 < text.size() && text[dot + 1] != ' ') continue;
    if (dot + 2 < text.size() && std::isupper(static_cast<unsigned char>(text[dot + 2])) == 0) continue;
    text.resize(dot);
    break;
  }
  const std::size_t colon = text.find(": ");
  const auto lower = [](std::string word) {
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word;
  };
  const bool is_title = colon != std::string::npos && colon >= kTitleLetters &&
                        lower(program.title).find(lower(text.substr(0, kTitleLetters))) != std::string::npos;
  return is_title ? text.substr(colon + 2) : text;
}

std::string verdict(Session& session, const Lesson& program, unsigned lanes) {
  bool ran = false, exempt = false, checked = false, failed = false;
  for (const Case& one : program.cases) {
    const bool fixes = one.find("lanes") != nullptr;
    const std::vector<unsigned> own = lane_counts(program, one);
    if (fixes && std::find(own.begin(), own.end(), lanes) == own.end()) continue;
    if (!fixes && program.exemption_at(lanes) != nullptr) {
      exempt = true;
      continue;
    }
    ShownWarnings shown;
    const TestRun run = test_run(session, program, one, lanes, shown);
    ran = true;
    failed = failed || run.failed();
    checked = checked || run.status == TestRun::Status::Passed;
  }
  return failed ? "FAIL" : checked ? "ok" : ran ? "runs" : exempt ? "exempt" : "·";
}

std::string row(Session& session, const Lesson& program, const std::string& file) {
  std::string cases, exempt;
  for (const Case& one : program.cases) cases += (cases.empty() ? "" : ", ") + one.name;
  for (const Exemption& one : program.exemptions)
    exempt += (exempt.empty() ? "" : "; ") + list_text(one.lanes) + ": " + one.reason;
  const std::string twin = program.twin_of.empty() ? "" : " (twin of " + program.twin_of + ")";
  std::string text = "| [" + program.name + "](" + file + ") | " + cell(program.title) + twin + " | " +
                     cell(trick(program)) + " | " + cell(program.document) + " | " + cell(program.section) + " | " +
                     cell(cases) + " |";
  for (const unsigned lanes : kLaneCounts) text += " " + verdict(session, program, lanes) + " |";
  return text + " " + cell(exempt) + " |\n";
}

// The codes that its cases say must be found, each once.
std::vector<Finding> findings_of(const Lesson& program) {
  std::vector<Finding> codes;
  for (const Case& one : program.cases) {
    const CaseField* const field = one.find(kFindingKey);
    if (field == nullptr) continue;
    const auto parsed = parse_findings(field->value, program.labels);
    if (const auto* const expected = std::get_if<std::vector<ExpectedFinding>>(&parsed))
      for (const ExpectedFinding& each : *expected)
        if (std::find(codes.begin(), codes.end(), each.code) == codes.end()) codes.push_back(each.code);
  }
  return codes;
}

std::string mistake_row(Session& session, const Lesson& program) {
  std::string kinds, codes, lanes;
  for (const Finding finding : findings_of(program)) {
    const std::string kind(name(info(finding).severity));
    if (kinds.find(kind) == std::string::npos) kinds += (kinds.empty() ? "" : ", ") + kind;
    codes += (codes.empty() ? "" : ", ") + code(finding);
  }
  for (const unsigned count : lane_counts(program, program.cases.front())) {
    const std::string result = verdict(session, program, count);
    lanes += (lanes.empty() ? "" : ", ") + std::to_string(count) + (result == "ok" ? "" : " " + result);
  }
  const std::string file = program.group + "/" + program.name, fixed(kFixed);
  return "| [" + program.name + "](" + file + ".warp) | [fixed](" + file + fixed + ".warp) | " + cell(program.title) +
         " | " + kinds + " | " + codes + " | " + lanes + " | " + cell(program.document) + " |\n";
}

}  // namespace

std::string programs_markdown(Session& session) {
  std::string text = kIntroduction, mistakes;
  std::string_view group;
  for (const CatalogueEntry& entry : session.catalogue.entries()) {
    const std::optional<Lesson> program = assemble_program(session, entry);
    if (!program) continue;
    if (shows_mistakes(entry.group)) {
      if (expects_findings(*program)) mistakes += mistake_row(session, *program);
      continue;
    }
    if (entry.group != group) {
      group = entry.group;
      text += "\n## " + std::string(group) + "\n\n| program | title | what it does | document | section | cases |";
      for (const unsigned lanes : kLaneCounts) text += " " + std::to_string(lanes) + " |";
      text += " exempt, because |\n|---|---|---|---|---|---|";
      for (std::size_t k = 0; k < kLaneCounts.size(); ++k) text += "---|";
      text += "---|\n";
    }
    text += row(session, *program, std::string(entry.group) + "/" + std::string(entry.name) + ".warp");
  }
  return mistakes.empty() ? text : text + kMistakes + mistakes;
}

}  // namespace warpsim::tools
