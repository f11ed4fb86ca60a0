// --lang and --catalogue; see wording.h.
#include "tools/session/wording.h"

#include <string>
#include <utility>

#include "programs/embedded.h"
#include "tools/session/loading.h"
#include "tools/support/output.h"

namespace warpsim::tools {

std::optional<Translations> korean_texts(Session& session) {
  const std::string& file = session.options.catalogue;
  JsonError fault;
  Translations texts = Translations::read(embedded_korean(), fault).value_or(Translations());
  if (file.empty()) return texts;
  std::string text, error;
  if (!read_file(file, text, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return std::nullopt;
  }
  std::optional<Translations> own = Translations::read(text, fault);
  if (!own) {
    report_json(session, fault, file, text);
    return std::nullopt;
  }
  texts.take(*std::move(own));
  return texts;
}

std::optional<Wording> wording_of(Session& session) {
  Wording wording;
  wording.language = language_from(session.options.language).value_or(Language::English);  // the parser has checked it
  if (wording.language == Language::English) {
    if (session.options.catalogue.empty()) return wording;
    session.reply.fail(ExitCode::Usage, "usage", "--catalogue translates, and English needs none", "add --lang ko");
    return std::nullopt;
  }
  std::optional<Translations> texts = korean_texts(session);
  if (!texts) return std::nullopt;
  wording.translations = *std::move(texts);
  return wording;
}

}  // namespace warpsim::tools
