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

std::vector<std::pair<std::string, std::string>> page_data(const std::vector<Trace>& traces, Language language,
                                                           const Translations* korean, const PageExtras& extras) {
  std::vector<std::pair<std::string, std::string>> data;
  data.emplace_back("options", options_json(language, extras.names));
  for (std::size_t k = 0; k < traces.size(); ++k) {
    data.emplace_back("trace-" + std::to_string(k), to_json(traces[k]));
    data.emplace_back("notes-" + std::to_string(k), notes_json(traces[k], korean));
  }
  for (std::size_t k = 0; k < extras.cuda.size(); ++k) {
    if (extras.cuda[k].empty()) continue;
    std::string json;
    append_json_string(json, extras.cuda[k]);
    data.emplace_back("cuda-" + std::to_string(k), std::move(json));
  }
  for (std::size_t k = 0; k < extras.timing.size(); ++k)
    if (!extras.timing[k].empty()) data.emplace_back("timing-" + std::to_string(k), extras.timing[k]);
  if (!extras.one_step_timing.empty()) data.emplace_back("one-step-timing", extras.one_step_timing);
  if (extras.one_step != nullptr) {
    data.emplace_back("one-step", to_json(*extras.one_step));
    data.emplace_back("one-step-notes", notes_json(*extras.one_step, korean));
  }
  return data;
}

std::string view_page(const std::vector<Trace>& traces, Language language, const Translations* korean,
                      const PageExtras& extras) {
  std::string page(page_before_data());
  for (const auto& [id, json] : page_data(traces, language, korean, extras)) append_data(page, id, json);
  return page += page_after_data();
}

}  // namespace warpsim
