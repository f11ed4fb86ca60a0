// view: one trace, or two side by side, as a page that opens from disk, in a browser, or from a server.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/command/verbs.h"
#include "tools/command/view_serve.h"
#include "tools/serve/browser.h"
#include "tools/session/page_run.h"
#include "tools/session/trace_source.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"

namespace warpsim::tools {
namespace {

// p26/butterfly_pair_swap → p26-butterfly_pair_swap.html, whatever a trace claims to be the name of.
std::string default_file(const std::string& program) {
  std::string name;
  for (const char c : program) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    name += plain ? c : '-';
  }
  return (name.empty() || name.front() == '-' ? "trace" + name : name) + ".html";
}

// The page, and the file that it goes to without -o.
struct ViewPage {
  std::string text, file;
};
std::optional<ViewPage> view_page_of(Session& session) {
  const std::optional<PageRun> run = runs_for_page(session);
  if (!run) return std::nullopt;
  // A run that fails is worth looking at; the exit code still says so.
  if (run->source) report_source(session, *run->source);
  std::optional<std::string> text = page_of(session, *run);
  if (!text) return std::nullopt;
  return ViewPage{std::move(*text), default_file(run->traces.front().head.program)};
}

// A folder of this user's own among the temporary ones, which the page survives in; "" if there can be none.
std::string temporary_folder() {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path(error) / ("warpsim-" + std::to_string(::getuid()));
  if (error || (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)) return "";
  struct stat found = {};  // whoever came first may be somebody else
  const bool is_own = ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::getuid();
  return is_own ? folder.string() : "";
}

void open_file(Session& session, const std::string& file) {
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(file, ignored).string();
  if (!open_in_browser(path))
    session.reply.fail(ExitCode::Unsupported, "unsupported", "no browser started: open " + path + " in one",
                       "or set BROWSER to the command that starts yours");
}

}  // namespace

void run_view(Session& session) {
  if (!serve_options_fit(session)) return;
  if (session.options.serve)
    return serve_page(session, [](Session& again) -> std::optional<std::string> {
      std::optional<ViewPage> page = view_page_of(again);
      return page ? std::optional(std::move(page->text)) : std::nullopt;
    });
  const std::optional<ViewPage> page = view_page_of(session);
  if (!page) return;
  const std::string folder = session.options.open && session.options.output.empty() ? temporary_folder() : "";
  const std::string file = !session.options.output.empty() ? session.options.output
                           : folder.empty()                ? page->file
                                                           : folder + "/" + page->file;
  JsonObject result;
  if (is_stdout(file) && session.reply.json()) {
    return session.reply.result(result.text("page", page->text).str());
  }
  Output out = Output::open(file, compression_of(file));
  out.write(page->text);
  if (const std::string error = out.finish(); !error.empty())
    return session.reply.fail(ExitCode::BadInput, "file", error);
  session.reply.result(result.text("file", file).number("bytes", page->text.size()).str());
  if (!is_stdout(file)) session.reply.text(file + "\n");
  if (session.options.open) open_file(session, file);
}

}  // namespace warpsim::tools
