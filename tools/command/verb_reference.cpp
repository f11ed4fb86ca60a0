// isa: what the machine can do.
#include <cctype>

#include "isa/table/reference.h"
#include "isa/text/diagnostic.h"
#include "tools/command/verbs.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

namespace {

std::string json_strings(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) append_json_string(quoted.emplace_back(), word);
  return json_list(quoted);
}

std::string to_json(const InstructionReference& row) {
  return JsonObject()
      .text("name", row.name)
      .text("section", row.section)
      .text("usage", row.usage)
      .text("doc", row.doc)
      .raw("types", json_strings(row.types))
      .raw("modifiers", json_strings(row.modifiers))
      .text("unit", row.unit)
      .text("ptx", row.ptx)
      .text("cuda", row.cuda)
      .text("mojo", row.mojo)
      .str();
}

std::string to_json(const SpecialInfo& special) {
  return JsonObject()
      .text("name", special.name)
      .text("type", name(special.type))
      .text("doc", special.doc)
      .text("cuda", special.cuda)
      .text("mojo", special.mojo)
      .str();
}

// Whether `word` is a name in `names`, which is written for people: "warp.shuffle_xor(a, b)".
bool names_it(const std::string& names, const std::string& word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = names.find(word); at != std::string::npos; at = names.find(word, at + 1)) {
    const bool begins = at == 0 || !is_letter(names[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == names.size() || !is_letter(names[end]))) return true;
  }
  return false;
}

// What the reference is asked for.
struct Asked {
  std::vector<InstructionReference> instructions;
  std::vector<Special> specials;
};

Asked everything() {
  Asked asked{instruction_reference(), {}};
  for (int k = 0; k < kSpecialCount; ++k) asked.specials.push_back(static_cast<Special>(k));
  return asked;
}

// By warpsim's own name, or by Mojo's or CUDA's. False if nothing is called so.
bool look_up(const std::string& word, Asked& asked) {
  const std::size_t before = asked.instructions.size() + asked.specials.size();
  for (const Op op : ops_named(word)) asked.instructions.push_back(reference_of(op));
  const std::optional<Special> own = parse_special(word);
  if (const std::optional<Special> special = own ? own : special_known_as(word)) asked.specials.push_back(*special);
  if (asked.instructions.size() + asked.specials.size() != before) return true;
  for (InstructionReference& row : instruction_reference())
    if (names_it(row.mojo, word) || names_it(row.cuda, word)) asked.instructions.push_back(std::move(row));
  return asked.instructions.size() != before;
}

// One line an instruction, under the headings of its sections.
std::string overview(const Asked& asked) {
  std::string text, section;
  const auto line = [&text](std::string_view what, std::string_view doc) {
    (text += "  ") += what;
    text.append(what.size() < 18 ? 18 - what.size() : 1, ' ');
    (text += doc) += "\n";
  };
  for (const InstructionReference& row : asked.instructions) {
    if (row.section != section) text += (text.empty() ? "" : "\n") + row.section + "\n";
    section = row.section;
    line(row.name, row.doc);
  }
  text += "\nSpecial registers\n";
  for (const Special special : asked.specials) line(name(special), info(special).doc);
  return text;
}

std::string in_full(const Asked& asked) {
  std::string text;
  for (const InstructionReference& row : asked.instructions) text += (text.empty() ? "" : "\n") + reference_text(row);
  for (const Special special : asked.specials) text += (text.empty() ? "" : "\n") + reference_text(special);
  return text;
}

}  // namespace

void run_isa(Session& session) {
  session.reply.send_to(session.options.output);
  const std::vector<std::string>& words = session.options.names;
  Asked asked = words.empty() ? everything() : Asked{};
  for (const std::string& word : words) {
    if (look_up(word, asked)) continue;
    std::vector<std::string> candidates;
    for (const OpInfo& op : all_ops()) candidates.emplace_back(op.mnemonic);
    for (const SpecialInfo& special : all_specials()) candidates.emplace_back(special.name);
    const std::string near = nearest(word, candidates);
    session.reply.fail(ExitCode::Usage, "usage", "there is no instruction `" + word + "`",
                       near.empty() ? "`warpsim isa` lists them" : "did you mean `" + near + "`?");
  }
  if (session.options.markdown) {
    session.reply.text(reference_markdown());
    session.reply.result(JsonObject().text("text", reference_markdown()).str());
    return;
  }
  session.reply.text(words.empty() ? overview(asked) : in_full(asked));
  std::vector<std::string> instructions, specials;
  for (const InstructionReference& row : asked.instructions) instructions.push_back(to_json(row));
  for (const Special special : asked.specials) specials.push_back(to_json(info(special)));
  session.reply.result(
      JsonObject().raw("instructions", json_list(instructions)).raw("specials", json_list(specials)).str());
}

}  // namespace warpsim::tools
