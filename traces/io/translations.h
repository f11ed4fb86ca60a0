// A program's own texts in another language: English → translated, for titles, `.phase`, `.draw` and `.picture` texts.
//
// Shapes: a JSON object of strings. Both sides are templates with {…}; the translation may leave no placeholder out.
// Units:  UTF-8.
// Errors: JsonError for a text that is no such object.
// Source: traces/FORMAT.md, "Languages".
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "traces/io/json_values.h"

namespace warpsim {

class Translations {
 public:
  static std::optional<Translations> read(std::string_view json, JsonError& error);

  // `text` itself where there is no translation.
  std::string_view of(std::string_view text) const {
    const auto found = texts_.find(text);
    return found == texts_.end() ? text : std::string_view(found->second);
  }
  bool has(std::string_view text) const { return texts_.find(text) != texts_.end(); }
  const std::map<std::string, std::string, std::less<>>& texts() const { return texts_; }
  // Those of `other` go before one's own.
  void take(Translations&& other) {
    other.texts_.merge(texts_);
    texts_ = std::move(other.texts_);
  }

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace warpsim
