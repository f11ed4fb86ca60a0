// explain: what a code means, with a small program that shows it and its fix.
#include <algorithm>
#include <string>

#include "isa/text/diagnostic.h"
#include "tools/command/verbs.h"
#include "tools/session/loading.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

constexpr std::size_t kWidth = 80;

std::string paragraphs(std::string_view text) {
  constexpr std::string_view kBreak = "\n\n";
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(kBreak, from), text.size());
    out += "\n" + paragraph(text.substr(from, end - from), kWidth);
    from = end + kBreak.size();
  }
  return out;
}

std::string example(const CatalogueEntry* entry, std::string_view heading) {
  if (entry == nullptr) return "";
  return "\n" + std::string(heading) + " `warpsim show " + entry->full_name() + "`\n\n" + std::string(entry->text);
}

std::string text_of(const FindingInfo& row, const CatalogueEntry* wrong, const CatalogueEntry* fixed) {
  std::string text =
      code(row.finding) + "  " + std::string(name(row.severity)) + ": " + std::string(row.title) + "\n\n";
  text += paragraph("The rule: " + std::string(row.rule) + ".", kWidth);
  text += paragraph("What to try: " + english(row.hint) + ".", kWidth);
  text += paragraphs(row.text);
  return text + example(wrong, "Wrong:") + example(fixed, "Fixed:");
}

std::string json_of(const FindingInfo& row, const CatalogueEntry* wrong, const CatalogueEntry* fixed) {
  JsonObject json;
  json.text("code", code(row.finding)).text("kind", kind(row.finding)).text("severity", name(row.severity));
  json.text("title", row.title).text("rule", row.rule).text("hint", english(row.hint)).text("text", row.text);
  if (wrong != nullptr) json.text("wrong", wrong->full_name()).text("wrong_text", wrong->text);
  if (fixed != nullptr) json.text("fixed", fixed->full_name()).text("fixed_text", fixed->text);
  return json.str();
}

void list_all(Session& session) {
  std::string text;
  std::vector<std::string> rows;
  for (const FindingInfo& row : all_findings()) {
    text += code(row.finding) + "  " + padded(std::string(name(row.severity)), 13) + std::string(row.title) + "\n";
    rows.push_back(json_of(row, nullptr, nullptr));
  }
  session.reply.text(text);
  session.reply.result(json_list(rows));
}

// The code that a wrong one means: `103` is WS0103. "" if none is near.
std::string code_meant(const std::string& word) {
  constexpr std::size_t kDigits = 4;
  std::vector<std::string> codes;
  for (const FindingInfo& row : all_findings()) codes.push_back(code(row.finding));
  std::string digits = word.substr(std::min(word.find_first_of("0123456789"), word.size()));
  if (!digits.empty() && digits.size() <= kDigits) digits.insert(0, kDigits - digits.size(), '0');
  const auto found = std::find(codes.begin(), codes.end(), "WS" + digits);
  return found != codes.end() ? *found : nearest(word, codes);
}

}  // namespace

void run_explain(Session& session) {
  if (session.options.names.empty()) return list_all(session);
  std::string all;
  std::vector<std::string> rows;
  for (const std::string& word : session.options.names) {
    const std::optional<Finding> finding = finding_of(word);
    if (!finding)
      return session.reply.fail(ExitCode::Usage, "usage", "there is no finding " + in_ticks(word),
                                hint_for(code_meant(word), "`warpsim explain` lists them"));
    const FindingInfo& row = info(*finding);
    const CatalogueEntry* const wrong = session.catalogue.only(row.example);
    const CatalogueEntry* const fixed = session.catalogue.only(std::string(row.example) + std::string(kFixed));
    all += (all.empty() ? "" : "\n") + text_of(row, wrong, fixed);
    rows.push_back(json_of(row, wrong, fixed));
  }
  session.reply.text(all);
  session.reply.result(json_list(rows));
}

}  // namespace warpsim::tools
