// Lines of a program's text; see source_lines.h.
#include "tools/grade/source_lines.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "isa/text/word.h"
#include "tools/support/words.h"

namespace warpsim::tools {

std::string_view instruction_in(std::string_view line) {
  line = trimmed(line.substr(0, line.find("//")));
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const std::size_t word = static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_word) - line.begin());
  return word > 0 && word < line.size() && line[word] == ':' ? trimmed(line.substr(word + 1)) : line;
}

const CatalogueEntry* entry_named(Session& session, std::string_view full_name) {
  if (const CatalogueEntry* const found = session.catalogue.only(full_name)) return found;
  session.reply.fail(ExitCode::Usage, "usage", "there is no program " + in_ticks(full_name),
                     "tasks are about the programs in the binary: leave out --programs");
  return nullptr;
}

}  // namespace warpsim::tools
