// An HTTP server for pages on this machine alone; see page_server.h.
#include "tools/serve/page_server.h"

#include <utility>

#ifdef WARPSIM_LIBEVENT
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#endif

namespace warpsim::tools {

bool is_this_machine(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find_first_not_of("0123456789", colon + 1) == std::string_view::npos)
    host = host.substr(0, colon);  // any port: a tunnel may end at another
  return host == "localhost" || host == "127.0.0.1";
}

std::string with_reload(std::string page, std::string_view version) {
  constexpr std::string_view kPolicy = "http-equiv=\"Content-Security-Policy\" content=\"", kScripts = "script-src ";
  const std::string script = "<script src=\"/-/reload.js?version=" + std::string(version) + "\"></script>\n";
  const std::size_t body = page.rfind("</body>");
  page.insert(body == std::string::npos ? page.size() : body, script);
  const std::size_t policy = page.find(kPolicy);
  if (policy == std::string::npos) return page;
  const std::size_t end = page.find('"', policy + kPolicy.size()), scripts = page.find(kScripts, policy);
  page.insert(end, scripts < end ? "; connect-src 'self'" : "; script-src 'self'; connect-src 'self'");
  if (scripts < end) page.insert(scripts + kScripts.size(), "'self' ");
  return page;
}

#ifdef WARPSIM_LIBEVENT

namespace {

constexpr std::string_view kReloadScript = R"js("use strict";
(() => {
  const version = new URL(document.currentScript.src).searchParams.get("version");
  new EventSource("/-/changes").onmessage = (event) => {
    if (event.data !== version) location.reload();
  };
})();
)js";

constexpr int kMostHeaderBytes = 16 * 1024, kMostBodyBytes = 1024, kBacklog = 16;
constexpr int kNotFound = 404, kForbidden = 403, kOk = 200;
constexpr int kStillHereMilliseconds = 15'000;  // a comment to the open pages: it shows which are gone

}  // namespace

struct PageServer::Impl {
  explicit Impl(ServedContents given) : contents(std::move(given)), base(::event_base_new()), http(::evhttp_new(base)) {
    ::evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
    ::evhttp_set_max_headers_size(http, kMostHeaderBytes);
    ::evhttp_set_max_body_size(http, kMostBodyBytes);
    ::evhttp_set_gencb(
        http, [](evhttp_request* request, void* self) { static_cast<Impl*>(self)->answer(request); }, this);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    for (const auto& [connection, request] : waiting) ::evhttp_connection_set_closecb(connection, nullptr, nullptr);
    ::evhttp_free(http);
    ::event_base_free(base);
  }

  // Another run of the server has other versions: its pages load again, too.
  std::string version() const { return std::to_string(begun) + "-" + std::to_string(count); }

  static void add_header(evhttp_request* request, const char* name, const char* value) {
    ::evhttp_add_header(::evhttp_request_get_output_headers(request), name, value);
  }
  static void add_headers(evhttp_request* request, const char* type) {
    add_header(request, "Content-Type", type);
    add_header(request, "Cache-Control", "no-store");
    add_header(request, "X-Content-Type-Options", "nosniff");
    add_header(request, "Cross-Origin-Resource-Policy", "same-origin");
    add_header(request, "Referrer-Policy", "no-referrer");
  }

  static void send(evhttp_request* request, int status, const char* reason, const ServedContent& content) {
    add_headers(request, content.type.c_str());
    evbuffer* body = ::evbuffer_new();
    ::evbuffer_add(body, content.body.data(), content.body.size());
    ::evhttp_send_reply(request, status, reason, body);
    ::evbuffer_free(body);
  }

  static bool is_for_this_machine(evhttp_request* request) {
    const char* host = ::evhttp_find_header(::evhttp_request_get_input_headers(request), "Host");
    const char* in_address = ::evhttp_uri_get_host(::evhttp_request_get_evhttp_uri(request));
    return host != nullptr && is_this_machine(host) && (in_address == nullptr || is_this_machine(in_address));
  }

  void answer(evhttp_request* request) {
    if (!is_for_this_machine(request))
      return send(request, kForbidden, "Forbidden",
                  {"This server answers only to localhost and 127.0.0.1.\n", "text/plain; charset=utf-8"});
    const char* given = ::evhttp_uri_get_path(::evhttp_request_get_evhttp_uri(request));
    const std::string_view path = given == nullptr || *given == '\0' ? "/" : given;
    if (path == "/-/changes") return wait(request);
    if (path == "/-/reload.js")
      return send(request, kOk, "OK", {std::string(kReloadScript), "text/javascript; charset=utf-8"});
    std::optional<ServedContent> content = contents(path);
    if (!content)
      return send(request, kNotFound, "Not Found", {"There is no such page.\n", "text/plain; charset=utf-8"});
    if (content->type.starts_with("text/html")) content->body = with_reload(std::move(content->body), version());
    send(request, kOk, "OK", *content);
  }

  // A page that waits for changes; its first event says the version, which may have changed while it was loaded.
  void wait(evhttp_request* request) {
    add_headers(request, "text/event-stream");
    ::evhttp_send_reply_start(request, kOk, "OK");
    evhttp_connection* const connection = ::evhttp_request_get_connection(request);
    waiting[connection] = request;
    ::evhttp_connection_set_closecb(
        connection, [](evhttp_connection* closed, void* self) { static_cast<Impl*>(self)->forget(closed); }, this);
    send_event(request, "retry: 500\ndata: " + version() + "\n\n");
  }
  // libevent frees a request with its connection, but not one whose page has gone away in the midst of the answer:
  // that one it has taken from the connection.
  void forget(evhttp_connection* closed) {
    const auto at = waiting.find(closed);
    if (at == waiting.end()) return;
    evhttp_request* const request = at->second;
    waiting.erase(at);
    if (::evhttp_request_get_connection(request) == nullptr) ::evhttp_request_free(request);
  }
  static void send_event(evhttp_request* request, const std::string& text) {
    evbuffer* buffer = ::evbuffer_new();
    ::evbuffer_add(buffer, text.data(), text.size());
    ::evhttp_send_reply_chunk(request, buffer);
    ::evbuffer_free(buffer);
  }
  void send_to_all(const std::string& text) {
    for (const auto& [connection, request] : std::map(waiting)) send_event(request, text);
  }

  event* every(int milliseconds, event_callback_fn what, void* with) const {
    event* timer = ::event_new(base, -1, EV_PERSIST, what, with);
    const timeval period = {milliseconds / 1000, milliseconds % 1000 * 1000};
    ::event_add(timer, &period);
    return timer;
  }

  ServedContents contents;
  event_base* base;
  evhttp* http;
  std::uint16_t port = 0;
  std::map<evhttp_connection*, evhttp_request*> waiting;  // the open pages
  std::int64_t begun = std::chrono::system_clock::now().time_since_epoch().count();
  std::uint64_t count = 1;
};

bool PageServer::is_built_in() { return true; }

std::string PageServer::listen(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  const auto failed = [&] {
    const std::string reason = errno == EADDRINUSE ? "another program listens there" : std::strerror(errno);
    if (descriptor >= 0) ::close(descriptor);
    return "cannot listen on port " + std::to_string(port) + " of 127.0.0.1: " + reason;
  };
  const int yes = 1;
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (descriptor < 0 || ::evutil_make_socket_closeonexec(descriptor) != 0 ||
      ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 || ::bind(descriptor, any, size) != 0 ||
      ::listen(descriptor, kBacklog) != 0 || ::getsockname(descriptor, any, &size) != 0 ||
      ::evutil_make_socket_nonblocking(descriptor) != 0 || ::evhttp_accept_socket(impl_->http, descriptor) != 0)
    return failed();
  impl_->port = ntohs(address.sin_port);
  return "";
}

void PageServer::changed() {
  ++impl_->count;
  impl_->send_to_all("data: " + impl_->version() + "\n\n");
}

void PageServer::run(const std::function<void()>& tick, int milliseconds) {
  std::function<void()> called = tick;
  std::array<event*, 5> events = {
      impl_->every(
          milliseconds, [](evutil_socket_t, short, void* with) { (*static_cast<std::function<void()>*>(with))(); },
          &called),
      impl_->every(
          kStillHereMilliseconds,
          [](evutil_socket_t, short, void* with) { static_cast<Impl*>(with)->send_to_all(": still here\n\n"); },
          impl_.get())};
  std::size_t k = 2;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    events[k] = evsignal_new(
        impl_->base, signal,
        [](evutil_socket_t, short, void* base) { ::event_base_loopbreak(static_cast<event_base*>(base)); },
        impl_->base);
    ::event_add(events[k++], nullptr);
  }
  ::event_base_dispatch(impl_->base);
  for (event* one : events) ::event_free(one);
}

std::string PageServer::address() const { return "http://127.0.0.1:" + std::to_string(impl_->port) + "/"; }

#else

struct PageServer::Impl {
  explicit Impl(ServedContents) {}
};
bool PageServer::is_built_in() { return false; }
std::string PageServer::listen(std::uint16_t) { return "this warpsim was built without libevent"; }
std::string PageServer::address() const { return ""; }
void PageServer::changed() {}
void PageServer::run(const std::function<void()>&, int) {}

#endif

PageServer::PageServer(ServedContents contents) : impl_(std::make_unique<Impl>(std::move(contents))) {}
PageServer::~PageServer() = default;

}  // namespace warpsim::tools
