// An HTTP server for pages on this machine alone, which reloads them in the browser when they change.
//
// Shapes: `contents` gives each path its content. An HTML page gets a script that waits for changed() on /-/changes
//         (server-sent events) and then loads the page again, fragment and all; its content security policy, if it
//         has one, is widened by that script and that connection.
// Units:  milliseconds.
// Errors: listen() returns what is wrong. It listens on 127.0.0.1 and answers only requests whose Host is this machine,
//         so that a foreign page cannot read from it through a name of its own (DNS rebinding).
// Source: HTML Living Standard, "Server-sent events"; libevent 2.1, evhttp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warpsim::tools {

struct ServedContent {
  std::string body;
  std::string type = "text/html; charset=utf-8";
};
// A path begins with a slash: "/". Nothing: there is no such page.
using ServedContents = std::function<std::optional<ServedContent>(std::string_view path)>;

// A Host header, or the host of an address, that means this machine.
bool is_this_machine(std::string_view host);
// A page with the script that reloads it when the server's version is no longer `version`.
std::string with_reload(std::string page, std::string_view version);

class PageServer {
 public:
  explicit PageServer(ServedContents contents);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  static bool is_built_in();  // else warpsim was built without libevent
  // Listens on a port, 0 for any free one; "" or what is wrong.
  std::string listen(std::uint16_t port);
  std::string address() const;  // "http://127.0.0.1:8321/"
  // The open pages are to be loaded again.
  void changed();
  // Answers until SIGINT, SIGTERM or SIGHUP; calls `tick` every `milliseconds`.
  void run(const std::function<void()>& tick, int milliseconds);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpsim::tools
