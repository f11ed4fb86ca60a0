// `warpsim view --serve`: pages over HTTP, an event when a file changes, errors as pages, foreign hosts refused; and
// which commands start a browser.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/serve/browser.h"
#include "tools/serve/file_watch.h"
#include "tools/serve/page_server.h"

namespace warpsim::tools {
namespace serve_test {

namespace fs = std::filesystem;

constexpr int kGiveUpSeconds = 60;  // a test that would hang fails instead

std::string program_text(const std::string& opcode) {
  return ".kernel t (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)\n"
         "        ld.global.u32 %own, input[%gtid]\n        " +
         opcode +
         " %own, %own, 1\n        st.global.u32 output[%gtid], %own\n        exit\n.case test\n    input = i\n";
}

// As an editor saves: the whole file at once, under its name.
void save(const fs::path& file, const std::string& text) {
  std::ofstream(file.string() + "~") << text;
  fs::rename(file.string() + "~", file);
}

fs::path own_folder(const std::string& name) {
  const fs::path folder = fs::path(::testing::TempDir()) / (name + std::to_string(::getpid()));
  fs::create_directories(folder);
  return folder;
}

// A connection to the server.
class Connection {
 public:
  Connection(std::uint16_t port, const std::string& request) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval limit = {kGiveUpSeconds, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::write(socket_, request.data(), request.size()), static_cast<ssize_t>(request.size()));
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(socket_); }

  // What comes up to `end`, or all.
  std::string read_until(const std::string& end) {
    char buffer[4096];
    std::size_t found = std::string::npos;
    while (end.empty() || (found = text_.find(end)) == std::string::npos) {
      const ssize_t count = ::read(socket_, buffer, sizeof buffer);
      if (count <= 0) break;
      text_.append(buffer, static_cast<std::size_t>(count));
    }
    const std::size_t length = found == std::string::npos ? text_.size() : found + end.size();
    return std::exchange(text_, text_.substr(length)).substr(0, length);
  }

 private:
  int socket_;
  std::string text_;
};

// A server in a process of its own.
class Served {
 public:
  explicit Served(const std::string& name) : Served({"view", name, "--lanes", "4", "--serve", "--port", "0"}) {}
  explicit Served(std::vector<std::string> words) {
    std::vector<char*> arguments = {const_cast<char*>("warpsim")};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::execv(WARPSIM_BINARY, arguments.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    char c = 0;
    while (::read(ends[0], &c, 1) == 1 && c != '\n') address_ += c;
    ::close(ends[0]);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() { end(); }

  // The exit code after Ctrl-C.
  int end() {
    if (process_ < 0) return -1;
    ::kill(process_, SIGINT);
    int status = 0;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& address() const { return address_; }
  std::uint16_t port() const {
    return static_cast<std::uint16_t>(
        std::stoi("0" + address_.substr(std::min(address_.size(), std::string("http://127.0.0.1:").size()))));
  }
  std::string get(const std::string& path, const std::string& host = "127.0.0.1",
                  const std::string& method = "GET") const {
    return Connection(port(), method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
        .read_until("");
  }

 private:
  pid_t process_ = -1;
  std::string address_;
};

TEST(Serve, ServesThePageAndSaysWhenItChanges) {
  if (!PageServer::is_built_in()) GTEST_SKIP() << "built without libevent";
  const fs::path folder = own_folder("serve"), file = folder / "t.warp";
  save(file, program_text("add.u32"));
  Served served(file.string());
  ASSERT_TRUE(served.address().starts_with("http://127.0.0.1:")) << served.address();
  EXPECT_NE(served.get("/").find("id=\"trace-0\""), std::string::npos);
  {  // a page that goes away again
    Connection gone(served.port(), "GET /-/changes HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_NE(gone.read_until("data: "), "");
  }
  Connection events(served.port(), "GET /-/changes HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(events.read_until("data: ").find("text/event-stream"), std::string::npos);
  const std::string first = events.read_until("\n");
  EXPECT_NE(served.get("/").find("/-/reload.js?version=" + first.substr(0, first.size() - 1) + "\""),
            std::string::npos);

  save(file, program_text("ad.u32"));
  events.read_until("data: ");
  EXPECT_NE(events.read_until("\n"), first);
  const std::string error = served.get("/");
  EXPECT_NE(error.find("200 OK"), std::string::npos);
  EXPECT_NE(error.find("unknown opcode `ad.u32`"), std::string::npos) << error;
  EXPECT_NE(error.find("\n      |         ^~"), std::string::npos) << "with its caret: " << error;
  EXPECT_NE(error.find("<script src=\"/-/reload.js?"), std::string::npos) << "it goes away when the file is corrected";

  save(file, program_text("sub.u32"));
  events.read_until("data: ");
  events.read_until("\n");
  EXPECT_NE(served.get("/").find("sub.u32"), std::string::npos);
  EXPECT_EQ(served.end(), 0);
  fs::remove_all(folder);
}

TEST(Serve, AnswersOnlyThisMachineAndOnlyWhatThereIs) {
  if (!PageServer::is_built_in()) GTEST_SKIP() << "built without libevent";
  const Served served("p26/butterfly_pair_swap");
  for (const std::string host : {"127.0.0.1", "localhost", "localhost:9000"})
    EXPECT_NE(served.get("/", host).find("200 OK"), std::string::npos) << host;
  for (const std::string host : {"example.com", "127.0.0.1.example.com", "localhost.example.com:80", ""}) {
    const std::string request = " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    for (const std::string path : {"/", "/-/changes"}) {
      const std::string status = Connection(served.port(), "GET " + path + request).read_until("\r\n");
      EXPECT_TRUE(status.starts_with("HTTP/1.1 40")) << host << path << ": " << status;
    }
    EXPECT_EQ(served.get("/", host).find("trace-0"), std::string::npos) << host;
  }
  EXPECT_NE(served.get("/", "example.com").find("403"), std::string::npos);
  EXPECT_EQ(served.get("http://example.com/").find("200 OK"), std::string::npos);
  EXPECT_NE(served.get("/../../etc/passwd").find("404"), std::string::npos);
  EXPECT_EQ(served.get("/", "127.0.0.1", "POST").find("200 OK"), std::string::npos);
  // Loopback alone: another address of this machine has no listener. 127.0.0.2 is loopback as well, and not bound.
  const int other = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(served.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
  EXPECT_NE(::connect(other, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(other);
}

TEST(Serve, ASiteIsTheFilesOfItsFolderAndNoOthers) {
  if (!PageServer::is_built_in()) GTEST_SKIP() << "built without libevent";
  const fs::path folder = own_folder("site"), site = folder / "site";
  fs::create_directories(site / "programs");
  for (const auto& [name, text] : {std::pair{"secret.txt", "secret"},
                                   {"site/play.html", "<body>play</body>"},
                                   {"site/index.html", "<body>front</body>"},
                                   {"site/warpsim.wasm", "wasm"},
                                   {"site/programs/x.js", "script"},
                                   {"site/.hidden", "secret"}})
    save(folder / name, text);
  Served served({"site", site.string(), "--port", "0"});
  ASSERT_TRUE(served.address().starts_with("http://127.0.0.1:")) << served.address();
  for (const auto& [path, type, text] : {std::tuple{"/", "text/html", "front"},
                                         {"/play.html", "text/html", "play"},
                                         {"/warpsim.wasm", "application/wasm", "wasm"},
                                         {"/programs/x.js", "text/javascript", "script"}}) {
    const std::string answer = served.get(path);
    EXPECT_NE(answer.find("200 OK"), std::string::npos) << path;
    EXPECT_NE(answer.find(std::string("Content-Type: ") + type), std::string::npos) << answer;
    EXPECT_NE(answer.find(text), std::string::npos) << answer;
  }
  for (const char* const path : {"/../secret.txt", "/programs/../../secret.txt", "/%2e%2e/secret.txt", "/.hidden",
                                 "/programs", "/none.js", "//etc/passwd"}) {
    const std::string answer = served.get(path);
    EXPECT_EQ(answer.find("200 OK"), std::string::npos) << path << ": " << answer;
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 40")) << path << ": " << answer;
    EXPECT_EQ(answer.find("secret"), std::string::npos) << path;
  }
  EXPECT_EQ(served.end(), 0);
  Served none({"site", (folder / "none").string()});
  EXPECT_EQ(none.address(), "");
  EXPECT_EQ(none.end(), 3);
  fs::remove_all(folder);
}

TEST(Serve, ABusyPortIsSaid) {
  if (!PageServer::is_built_in()) GTEST_SKIP() << "built without libevent";
  const auto nothing = [](std::string_view) { return std::optional<ServedContent>(); };
  PageServer one(nothing), two(nothing);
  ASSERT_EQ(one.listen(0), "");
  const std::string address = one.address();
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  EXPECT_EQ(two.listen(port),
            "cannot listen on port " + std::to_string(port) + " of 127.0.0.1: another program listens there");
  EXPECT_EQ(two.listen(0), "");
  EXPECT_NE(two.address(), address);
}

TEST(Serve, TheReloadScriptFitsThePolicy) {
  const std::string page =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-x'\">"
      "<body>\"</body>\"</body></html>";
  EXPECT_EQ(with_reload(page, "7"),
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'sha256-x'; "
            "connect-src 'self'\"><body>\"</body>\"<script src=\"/-/reload.js?version=7\"></script>\n</body></html>");
  EXPECT_EQ(with_reload("<p>", "7"), "<p><script src=\"/-/reload.js?version=7\"></script>\n");
}

TEST(Serve, AWatchSeesContentNotTimes) {
  const fs::path folder = own_folder("watch"), file = folder / "a", missing = folder / "b";
  save(file, "one");
  FileWatch watch({file.string(), missing.string()});
  const auto settled = [&watch] { return watch.has_changed() || watch.has_changed(); };  // the first look sees it move
  EXPECT_FALSE(settled());
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5));
  EXPECT_FALSE(settled()) << "saved as it was";
  save(file, "two!");
  EXPECT_FALSE(watch.has_changed()) << "it may still be written";
  EXPECT_TRUE(watch.has_changed());
  EXPECT_FALSE(settled()) << "said once";
  save(missing, "new");
  EXPECT_TRUE(settled());
  fs::remove(file);
  EXPECT_TRUE(settled());
  fs::remove_all(folder);
}

TEST(Serve, BrowsersOfEachSystem) {
  using Commands = std::vector<std::vector<std::string>>;
  const std::string url = "http://127.0.0.1:8321/";
  EXPECT_EQ(browser_commands({}, url), (Commands{{"xdg-open", url}}));
  EXPECT_EQ(browser_commands({"", true, false}, url), (Commands{{"open", url}}));
  EXPECT_EQ(browser_commands({"", false, true}, url),
            (Commands{{"wslview", url}, {"cmd.exe", "/c", "start", url}, {"xdg-open", url}}));
  EXPECT_EQ(browser_commands({"", false, true}, "/tmp/a.html"),
            (Commands{{"wslview", "/tmp/a.html"}, {"xdg-open", "/tmp/a.html"}}))
      << "cmd.exe knows no path of Linux";
  EXPECT_EQ(browser_commands({"firefox --new-window:w3m %s -4", false, false}, "/a b&c"),
            (Commands{{"firefox", "--new-window", "/a b&c"}, {"w3m", "/a b&c", "-4"}, {"xdg-open", "/a b&c"}}));
}

}  // namespace serve_test
}  // namespace warpsim::tools
