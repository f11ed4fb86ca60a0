// One call; see call.h.
#include "web/wasm/call.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "tools/command/verbs.h"
#include "tools/session/page_run.h"
#include "tools/session/reply.h"
#include "tools/session/session.h"
#include "tools/support/json_object.h"
#include "web/wasm/files.h"
#include "web/wasm/options.h"

namespace warpsim::web {

namespace {

using tools::ExitCode;
using tools::JsonObject;
using tools::Session;
using Json = nlohmann::ordered_json;

constexpr std::string_view kPage = "page";

// "" or what is wrong with the request.
std::string read_request(const Json& request, tools::Options& options) {
  if (!request.is_object()) return "a request is a JSON object";
  for (const auto& [name, value] : request.items()) {
    const bool is_known = name == "verb" || name == "names" || name == "files" || name == "options";
    if (!is_known) return "a request has no `" + name + "`: it has verb, names, files and options";
  }
  if (!request.contains("verb") || !request["verb"].is_string()) return "`verb` is a string";
  options.verb = request["verb"].get<std::string>();
  const Json names = request.value("names", Json::array());
  if (!names.is_array()) return "`names` is a list of strings";
  for (const Json& name : names) {
    if (!name.is_string()) return "`names` is a list of strings";
    options.names.push_back(name.get<std::string>());
  }
  const Json given = request.value("files", Json::object());
  if (!given.is_object()) return "`files` is an object of strings";
  for (const auto& [name, text] : given.items()) {
    if (!text.is_string()) return "`files` is an object of strings";
    files().given[name] = text.get<std::string>();
  }
  return read_options(request.value("options", Json()), options);
}

// The data of the page of a run; the Reply says how the run ended.
std::string page_json(Session& session) {
  const std::optional<tools::PageRun> run = tools::runs_for_page(session);
  if (!run) return "";
  if (run->source) tools::report_source(session, *run->source);
  const auto data = tools::page_data_of(session, *run);
  if (!data) return "";
  JsonObject json;
  for (const auto& [name, text] : *data) json.raw(name, text);
  return json.str();
}

// Whether there is such a verb, and it takes so many names.
bool is_call(Session& session, const tools::Verb*& verb) {
  tools::Options const& options = session.options;
  for (const tools::Verb& one : tools::all_verbs())
    if (one.name == (options.verb == kPage ? "view" : options.verb)) verb = &one;
  const auto wrong = [&session](const std::string& what) {
    session.reply.fail(ExitCode::Usage, "usage", what);
    return false;
  };
  if (verb == nullptr) return wrong("there is no verb `" + options.verb + "`");
  const int count = static_cast<int>(options.names.size());
  if (count >= verb->min_operands && (verb->max_operands < 0 || count <= verb->max_operands)) return true;
  return wrong("`" + options.verb + "` does not take " + std::to_string(count) + " names");
}

std::string objects(const std::map<std::string, std::string>& texts) {
  JsonObject json;
  for (const auto& [name, text] : texts) json.text(name, text);
  return json.str();
}

}  // namespace

std::string call(std::string_view text) {
  files() = {};
  tools::Options options;
  const Json request = Json::parse(text, nullptr, false);
  const std::string wrong = request.is_discarded() ? "this is no JSON" : read_request(request, options);
  static const tools::Catalogue catalogue("");
  tools::Reply reply(options.json, false);
  Session session{options, catalogue, nullptr, reply};
  const tools::Verb* verb = nullptr;
  std::string data;
  if (!wrong.empty()) {
    reply.fail(ExitCode::Usage, "usage", wrong);
  } else if (is_call(session, verb)) {
    session.takes = verb->options;
    if (options.verb == kPage) data = page_json(session);
    else verb->run(session);
  }
  const int code = static_cast<int>(reply.finish());
  JsonObject answer;
  answer.number("code", static_cast<std::uint64_t>(code)).text("out", files().out).text("err", files().err);
  if (!files().written.empty()) answer.raw("files", objects(files().written));
  if (!data.empty()) answer.raw("data", data);
  files() = {};
  return answer.str();
}

}  // namespace warpsim::web
