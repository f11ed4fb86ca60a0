// In which language texts are drawn: --lang and --catalogue.
//
// Shapes: English needs no translations; Korean has those of the programs in the binary, and before them those of
//         --catalogue.
// Errors: through the Reply.
#pragma once

#include <optional>

#include "tools/session/session.h"
#include "traces/io/translations.h"
#include "traces/words/language.h"

namespace warpsim::tools {

// For what shows both languages at once.
std::optional<Translations> korean_texts(Session& session);

// For what speaks one, as --lang says.
struct Wording {
  Language language = Language::English;
  Translations translations;
  // What renderers take: null where there is nothing to translate.
  const Translations* texts() const { return language == Language::English ? nullptr : &translations; }
};
std::optional<Wording> wording_of(Session& session);

}  // namespace warpsim::tools
