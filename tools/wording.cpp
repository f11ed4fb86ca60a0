// --lang and --catalogue; see wording.h.
#include "tools/wording.h"

#include <string>
#include <utility>

#include "programs/embedded.h"
#include "tools/loading.h"
#include "tools/output.h"

namespace warpsim::tools {

std::optional<Wording> wording_of(Session& session) {
  const Options& options = session.options;
  Wording wording;
  wording.language = language_from(options.language).value_or(Language::English);  // the parser has checked it
  if (wording.language == Language::English) {
    if (options.catalogue.empty()) return wording;
    session.reply.fail(ExitCode::Usage, "usage", "--catalogue translates, and English needs none", "add --lang ko");
    return std::nullopt;
  }
  JsonError fault;
  if (std::optional<Translations> own = Translations::read(embedded_korean(), fault))
    wording.translations = *std::move(own);
  if (options.catalogue.empty()) return wording;
  std::string text, error;
  if (!read_file(options.catalogue, text, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return std::nullopt;
  }
  std::optional<Translations> more = Translations::read(text, fault);
  if (!more) {
    report_json(session, fault, options.catalogue, text);
    return std::nullopt;
  }
  wording.translations.take(*std::move(more));
  return wording;
}

}  // namespace warpsim::tools
