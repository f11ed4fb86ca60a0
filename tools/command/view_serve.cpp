// `warpsim view --serve` and `warpsim site`; see view_serve.h.
#include "tools/command/view_serve.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/command/verbs.h"
#include "tools/serve/browser.h"
#include "tools/serve/file_watch.h"
#include "tools/serve/page_server.h"
#include "tools/session/loading.h"
#include "tools/support/files.h"
#include "tools/support/log.h"
#include "tools/support/output.h"
#include "traces/words/plain_text.h"

namespace warpsim::tools {
namespace {

constexpr std::uint16_t kPort = 8321;
constexpr std::uint64_t kLastPort = 65535;
constexpr int kTickMilliseconds = 150;

// What of the command line are files that can change.
std::vector<std::string> files_to_watch(const Session& session) {
  const Options& given = session.options;
  std::vector<std::string> paths = given.names;
  if (!given.programs_dir.empty())
    for (const std::string& name : given.names)
      for (const CatalogueEntry* entry : session.catalogue.find(name)) paths.push_back(entry->file);
  for (const std::string& input : given.inputs)
    if (const std::size_t at = input.find("=@"); at != std::string::npos) paths.push_back(input.substr(at + 2));
  paths.push_back(given.catalogue);
  paths.push_back(given.profile);
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::erase_if(paths, [](const std::string& path) {
    std::error_code ignored;
    return !std::filesystem::is_regular_file(path, ignored);
  });
  return paths;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else out += c;
  }
  return out;
}

// The page of what is wrong, in place of the page that there is none of.
std::string error_page(std::string_view language, std::string_view messages) {
  const bool korean = language == "ko";
  const std::string heading = korean ? "보여 줄 수 없습니다" : "This cannot be shown",
                    hint = korean ? "고쳐서 저장하면 페이지가 다시 나타납니다."
                                  : "The page comes back when the file is saved without the error.";
  return std::string("<!DOCTYPE html>\n<html lang=\"") + (korean ? "ko" : "en") +
         "\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
         "'none'; style-src 'unsafe-inline'\">\n<meta name=\"color-scheme\" content=\"light "
         "dark\">\n<title>" +
         heading +
         "</title>\n<style>body { font-family: system-ui, sans-serif; margin: 2rem; } pre { font-size: 14px; "
         "overflow-x: auto; }</style>\n</head>\n<body>\n<h1>" +
         heading + "</h1>\n<pre role=\"alert\">" + html_text(without_controls(messages)) + "</pre>\n<p>" + hint +
         "</p>\n</body>\n</html>\n";
}

// A page, or the page of what is wrong, from the files as they are now.
struct Shown {
  std::string page;
  ExitCode code = ExitCode::Ok;
  bool is_error = false;
};
Shown show(const Session& session, const PageMaker& make) {
  const Catalogue catalogue(session.options.programs_dir);
  Reply reply(false, log::wants_color(session.options.color, STDERR_FILENO));
  Session again{session.options, catalogue, session.command_line, reply, session.takes, nullptr, session.run_code};
  std::optional<std::string> page;
  if (catalogue.error().empty()) page = make(again);
  else reply.fail(ExitCode::BadInput, "file", catalogue.error());
  Shown shown;
  shown.code = reply.code();
  shown.is_error = !page;
  shown.page = page ? std::move(*page) : error_page(session.options.language, reply.said());
  return shown;
}

void say(const std::string& message) { log::raw("warpsim: " + message + "\n"); }

// --port, or the usual one, or any free one.
std::string listen(const Session& session, PageServer& server, std::uint64_t port) {
  const std::string error = server.listen(static_cast<std::uint16_t>(port));
  if (error.empty() || !session.options.port.empty()) return error;
  say(error + ": taking a free one");
  return server.listen(0);
}

}  // namespace

bool serve_options_fit(Session& session) {
  const Options& given = session.options;
  const auto wrong = [&session](std::string_view message, std::string_view hint) {
    session.reply.fail(ExitCode::Usage, "usage", message, hint);
    return false;
  };
  if (!given.port.empty() && !given.serve) return wrong("--port is for --serve", "");
  if (given.open && is_stdout(given.output))
    return wrong("--open cannot open standard output", "-o FILE, or no -o at all");
  if (!given.serve) return true;
  if (!given.output.empty()) return wrong("--serve writes no file", "leave out -o, or leave out --serve");
  if (given.json) return wrong("--serve does not end with an answer", "leave out --json");
  if (std::find(given.names.begin(), given.names.end(), "-") != given.names.end())
    return wrong("--serve cannot read standard input again", "give it a file");
  if (PageServer::is_built_in()) return true;
  session.reply.fail(ExitCode::Unsupported, "unsupported",
                     "this warpsim was built without libevent, which --serve needs",
                     "install libevent-dev and build again; `warpsim view` without --serve writes a page");
  return false;
}

namespace {

// Listens, says where, opens a browser if one is wanted, and answers until it is ended.
void serve(Session& session, PageServer& server, const std::string& what, const std::function<void()>& tick) {
  std::uint64_t port = kPort;
  if (!read_number(session, "--port", session.options.port, 0, port, kLastPort)) return;
  if (const std::string error = listen(session, server, port); !error.empty())
    return session.reply.fail(ExitCode::BadInput, "port", error, "--port 0 takes any free one");
  Output out = Output::open("-");
  out.write(server.address() + "\n");
  if (const std::string error = out.finish(); !error.empty())
    return session.reply.fail(ExitCode::BadInput, "file", error);
  say(what + "; Ctrl-C ends it");
  if (session.options.open && !open_in_browser(server.address()))
    say("no browser started: open " + server.address() + " in one, or set BROWSER");
  server.run(tick, kTickMilliseconds);
}

}  // namespace

void serve_page(Session& session, const PageMaker& make) {
  FileWatch watch(files_to_watch(session));
  Shown shown = show(session, make);
  // What no saved file can put right.
  if (shown.is_error && (watch.count() == 0 || shown.code == ExitCode::Usage))
    return session.reply.fail_quietly(shown.code);
  PageServer server([&shown](std::string_view path) {
    return path == "/" ? std::optional(ServedContent{shown.page}) : std::nullopt;
  });
  const std::string watching =
      watch.count() == 0
          ? "serving; no file to watch, a program that is built in does not change"
          : "serving, and watching " + std::to_string(watch.count()) + (watch.count() == 1 ? " file" : " files");
  serve(session, server, watching, [&] {
    if (!watch.has_changed()) return;
    shown = show(session, make);
    server.changed();
  });
}

namespace {

// The file of a path, and nothing outside the folder: "/programs/p26/x.html".
std::optional<ServedContent> file_in(const std::string& folder, std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {{".html", "text/html; charset=utf-8"},
                                                                             {".js", "text/javascript; charset=utf-8"},
                                                                             {".css", "text/css; charset=utf-8"},
                                                                             {".json", "application/json"},
                                                                             {".wasm", "application/wasm"},
                                                                             {".svg", "image/svg+xml"},
                                                                             {".png", "image/png"},
                                                                             {".txt", "text/plain; charset=utf-8"}};
  if (path.find("/.") != std::string_view::npos) return std::nullopt;
  const std::string file = folder + std::string(path) + (path.ends_with('/') ? "index.html" : "");
  ServedContent content;
  std::string ignored;
  if (!is_file(file) || !read_file(file, content.body, ignored)) return std::nullopt;
  content.type = "application/octet-stream";
  for (const auto& [ending, type] : kTypes)
    if (file.ends_with(ending)) content.type = type;
  return content;
}

}  // namespace

void run_site(Session& session) {
  const std::string folder = session.options.names.empty() ? "build/site" : session.options.names.front();
  const auto unsupported = [&session](const std::string& message, const std::string& hint) {
    session.reply.fail(ExitCode::Unsupported, "unsupported", message, hint);
  };
  if (session.options.json)
    return session.reply.fail(ExitCode::Usage, "usage", "`site` does not end with an answer", "leave out --json");
  if (!PageServer::is_built_in())
    return unsupported("this warpsim was built without libevent, which `site` needs",
                       "any web server does: `python3 -m http.server -d " + folder + "`");
  const std::string first = folder + "/play.html";
  if (!is_file(first))
    return session.reply.fail(ExitCode::BadInput, "file", "there is no site in " + folder + ": it has no play.html",
                              "`tools/site.sh` builds one in build/site");
  PageServer server([&folder](std::string_view path) { return file_in(folder, path); });
  FileWatch watch({first, folder + "/warpsim.wasm"});
  serve(session, server, "serving " + folder, [&] {
    if (watch.has_changed()) server.changed();
  });
}

}  // namespace warpsim::tools
