// Reading translations; see translations.h.
#include "traces/io/translations.h"

#include <utility>
#include <variant>

#include "traces/io/json_dom.h"

namespace warpsim {

std::optional<Translations> Translations::read(std::string_view json, JsonError& error) {
  std::variant<Json, JsonError> parsed = parse_json(json);
  if (auto* fault = std::get_if<JsonError>(&parsed)) {
    error = std::move(*fault);
    return std::nullopt;
  }
  Reading reading;
  Translations all;
  Node(std::get<Json>(parsed), reading).for_each_member([&](const std::string& text, const Node& translated) {
    all.texts_.insert_or_assign(text, translated.text());
  });
  if (!reading.failed()) return all;
  error = *std::move(reading.error);
  return std::nullopt;
}

}  // namespace warpsim
