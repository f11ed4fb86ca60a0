// The page's halves with the data between them.
#include "tools/viewer/view_page.h"

#include <string_view>

#include "tools/viewer/page.h"
#include "traces/io/json_values.h"
#include "traces/io/writer.h"
#include "traces/sentence/notes.h"

namespace warpsim {
namespace {

void append_data(std::string& page, const std::string& id, std::string_view json) {
  page += "<script type=\"application/json\" id=\"" + id + "\">";
  for (const char c : json) {
    if (c == '<') page += "\\u003c";  // only strings hold it
    else page += c;
  }
  page += "</script>\n";
}

std::string options_json(Language language, const std::vector<std::string>& names) {
  std::string json = language == Language::Korean ? R"({"lang": "ko")" : R"({"lang": "en")";
  if (names.empty()) return json + "}";
  json += ", \"names\": [";
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) json += ", ";
    append_json_string(json, names[k]);
  }
  return json + "]}";
}

}  // namespace

std::string view_page(const std::vector<Trace>& traces, Language language, const Translations* korean,
                      const PageExtras& extras) {
  std::string page(page_before_data());
  append_data(page, "options", options_json(language, extras.names));
  for (std::size_t k = 0; k < traces.size(); ++k) {
    append_data(page, "trace-" + std::to_string(k), to_json(traces[k]));
    append_data(page, "notes-" + std::to_string(k), notes_json(traces[k], korean));
  }
  for (std::size_t k = 0; k < extras.cuda.size(); ++k) {
    if (extras.cuda[k].empty()) continue;
    std::string json;
    append_json_string(json, extras.cuda[k]);
    append_data(page, "cuda-" + std::to_string(k), json);
  }
  if (extras.one_step != nullptr) {
    append_data(page, "one-step", to_json(*extras.one_step));
    append_data(page, "one-step-notes", notes_json(*extras.one_step, korean));
  }
  return page += page_after_data();
}

}  // namespace warpsim
