// In which language texts are drawn: --lang and --catalogue.
//
// Shapes: English needs no translations; Korean has those of the programs in the binary, and before them those of the
//         user's file.
// Errors: through the Reply.
#pragma once

#include <optional>

#include "tools/verbs.h"
#include "traces/language.h"
#include "traces/translations.h"

namespace warpsim::tools {

struct Wording {
  Language language = Language::English;
  Translations translations;
  // What renderers take: null where there is nothing to translate.
  const Translations* texts() const { return language == Language::English ? nullptr : &translations; }
};
std::optional<Wording> wording_of(Session& session);

}  // namespace warpsim::tools
