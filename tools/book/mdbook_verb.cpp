// mdbook: a preprocessor of mdBook. Every fence ```warp-sim of a book becomes a diagram.
//
// Shapes: mdBook starts `warpsim mdbook supports RENDERER`, whose exit code 0 says yes: the diagram is text, which
// every
//         renderer has. Then it writes [context, book] to standard input and reads the book from standard output. A
//         book has its chapters in `sections` (mdBook 0.4) or `items` (0.5): objects {"Chapter": {…}}, which may have
//         `sub_items`, {"PartTitle": …} and "Separator". Only the `content` of chapters is changed; what else there is
//         stays as it came.
// Errors: each fence that cannot be drawn is named by its chapter and line; then there is no book at all.
// Source: mdBook's "Preprocessors", for developers; the crates mdbook 0.4.52 and mdbook-preprocessor 0.5.
#include "tools/book/mdbook_verb.h"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tools/book/diagram.h"
#include "tools/book/fences.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSupports = "supports", kName = "warp-sim";
constexpr std::string_view kHowTo = "book.toml: [preprocessor.warp-sim] command = \"warpsim mdbook\"";

// A member of objects in objects, or null.
const Json& member(const Json& json, std::initializer_list<std::string_view> path) {
  static const Json kNone;
  const Json* at = &json;
  for (const std::string_view name : path) {
    const auto found = at->is_object() ? at->find(name) : at->end();
    if (!at->is_object() || found == at->end()) return kNone;
    at = &*found;
  }
  return *at;
}

std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : ""; }

class Book {
 public:
  Book(Session& session, const Json& context) : session_(session) {
    language_ = text_of(member(context, {"config", "book", "language"})).starts_with("ko") ? "ko" : "en";
    const Json& src = member(context, {"config", "book", "src"});
    folder_ = text_of(member(context, {"root"})) + "/" + (src.is_string() ? text_of(src) : "src") + "/";
    if (text_of(member(context, {"renderer"})) == "html") read_site(member(context, {"config", "preprocessor", kName}));
  }

  void change(Json& items) {
    for (Json& item : items)
      if (item.is_object() && item.contains("Chapter") && item["Chapter"].is_object()) change_chapter(item["Chapter"]);
  }

 private:
  void read_site(const Json& config) {
    const Json& site = member(config, {"site"});
    if (site.is_null()) return;
    site_ = text_of(site);
    while (site_.ends_with('/')) site_.pop_back();
    if (site_.starts_with("https://") || site_.starts_with("http://") || (site_.starts_with('/') && site_.size() > 1))
      return;
    session_.reply.fail(ExitCode::Usage, "usage", "book.toml: `site` of [preprocessor.warp-sim] is no address",
                        "site = \"https://HOST/warpsim\", which has the folder embed/ that tools/site.sh builds");
  }

  void change_chapter(Json& chapter) {
    const std::string content = text_of(member(chapter, {"content"}));
    const std::string path = text_of(member(chapter, {"source_path"}));
    const std::string name = path.empty() ? "chapter " + in_ticks(text_of(member(chapter, {"name"}))) : path;
    BookPlace place{name, folder_ + path.substr(0, path.rfind('/') + 1), language_, site_};
    std::string changed;
    std::size_t at = 0;
    for (const Fence& fence : diagram_fences(content)) {
      changed += content.substr(at, fence.begin - at) + diagram(place, fence);
      at = fence.end;
    }
    if (at > 0) {
      changed += content.substr(at);
      if (!site_.empty()) changed += "\n\n<script src=\"" + site_ + "/embed/warp-sim.js\"></script>\n";
      chapter["content"] = changed;
    }
    if (chapter.contains("sub_items")) change(chapter["sub_items"]);
  }

  // What is wrong is said with the place of the fence, if it has none of its own.
  std::string diagram(const BookPlace& place, const Fence& fence) {
    Reply quiet(true, false);  // finds faults for this one to report
    const std::optional<std::string> text = diagram_text(session_.catalogue, place, fence, quiet);
    if (text) return *text;
    std::string said = quiet.said();
    while (said.ends_with('\n')) said.pop_back();
    const bool has_place = said.starts_with(place.path + ":");
    session_.reply.fail(quiet.code(), "book",
                        (has_place ? "" : place.path + ":" + std::to_string(fence.line) + ": ") + said);
    return "";
  }

  Session& session_;
  std::string language_, folder_, site_;
};

void supports(Session& session) {
  const std::vector<std::string>& names = session.options.names;
  if (names.front() != kSupports || names.size() != 2)
    session.reply.fail(ExitCode::Usage, "usage", "`mdbook` is alone, or before `supports RENDERER`", kHowTo);
}

}  // namespace

void run_mdbook(Session& session) {
  if (session.reply.json())
    return session.reply.fail(ExitCode::Usage, "usage", "the answer of `mdbook` is a book", "leave out --json");
  if (!session.options.names.empty()) return supports(session);
  if (::isatty(STDIN_FILENO) != 0)
    return session.reply.fail(ExitCode::Usage, "usage",
                              "`mdbook` reads a book from standard input, which mdBook gives it", kHowTo);
  std::string text, error;
  if (!read_file("-", text, error)) return session.reply.fail(ExitCode::BadInput, "file", error);
  Json input = Json::parse(text, nullptr, false);
  const bool is_pair = input.is_array() && input.size() == 2 && input[0].is_object() && input[1].is_object();
  const std::string items = !is_pair ? "" : input[1].contains("items") ? "items" : "sections";
  if (!is_pair || !input[1].contains(items) || !input[1][items].is_array())
    return session.reply.fail(
        ExitCode::BadInput, "book",
        "<stdin>: expected [context, book] as mdBook 0.4 and 0.5 write it, the book with `sections` "
        "or `items`",
        kHowTo);
  Book book(session, input[0]);
  book.change(input[1][items]);
  if (session.reply.code() == ExitCode::Ok) session.reply.text(input[1].dump() + "\n");
}

}  // namespace warpsim::tools
