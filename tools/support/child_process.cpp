// Other programs; see child_process.h.
#include "tools/support/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <thread>

extern char** environ;

namespace warpsim::tools {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

// Both ends of a pipe, closed when they are no longer needed.
struct Pipe {
  std::array<int, 2> ends = {-1, -1};
  Pipe() {
    if (::pipe(ends.data()) != 0) ends = {-1, -1};
    for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(std::size_t k) {
    if (ends[k] >= 0) ::close(ends[k]);
    ends[k] = -1;
  }
  bool is_open() const { return ends[0] >= 0; }
};

// What a new program starts with: its descriptors, and signals as if nobody had touched them.
class Spawn {
 public:
  explicit Spawn(short flags) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawnattr_init(&attributes_);
    sigset_t ignored_here;
    ::sigemptyset(&ignored_here);
    ::sigaddset(&ignored_here, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &ignored_here);
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGDEF | flags));
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;
  ~Spawn() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  void connect(int descriptor, int as) { ::posix_spawn_file_actions_adddup2(&files_, descriptor, as); }
  void open_null(int as) { ::posix_spawn_file_actions_addopen(&files_, as, "/dev/null", O_RDWR, 0); }
  // The process; -1 if there is no such program.
  pid_t start(const std::vector<std::string>& words) {
    std::vector<char*> pointers = pointers_to(words);
    pid_t child = -1;
    return ::posix_spawnp(&child, pointers.front(), &files_, &attributes_, pointers.data(), environ) == 0 ? child : -1;
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

// Moves bytes until the program has closed its output. Neither side waits for the other: a pipe holds little.
void exchange(Pipe& in, Pipe& out, Pipe& err, std::string_view input, ChildResult& result) {
  ::fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  std::vector<char> buffer(1 << 16);
  while (out.is_open() || err.is_open()) {
    if (input.empty()) in.close(1);
    std::array<pollfd, 3> waits = {pollfd{in.ends[1], POLLOUT, 0}, pollfd{out.ends[0], POLLIN, 0},
                                   pollfd{err.ends[0], POLLIN, 0}};
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return;
    if (waits[0].revents != 0) {
      const ssize_t count = ::write(in.ends[1], input.data(), input.size());
      if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
      else if (errno != EAGAIN && errno != EINTR) input = {};  // it wants no more
    }
    const auto read_from = [&buffer](Pipe& pipe, std::string& text) {
      const ssize_t count = ::read(pipe.ends[0], buffer.data(), buffer.size());
      if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR) pipe.close(0);
    };
    if (waits[1].revents != 0) read_from(out, result.out);
    if (waits[2].revents != 0) read_from(err, result.err);
  }
}

}  // namespace

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

ChildResult run_child(const std::vector<std::string>& words, std::string_view input) {
  ChildResult result;
  Pipe in, out, err;
  if (!in.is_open() || !out.is_open() || !err.is_open()) return result;
  Spawn spawn(0);
  spawn.connect(in.ends[0], STDIN_FILENO);
  spawn.connect(out.ends[1], STDOUT_FILENO);
  spawn.connect(err.ends[1], STDERR_FILENO);
  const pid_t child = spawn.start(words);
  if (child < 0) return result;
  result.is_there = true;
  in.close(0);
  out.close(1);
  err.close(1);
  exchange(in, out, err, input, result);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

bool start_child(const std::vector<std::string>& words, int patience_ms) {
  Spawn spawn(POSIX_SPAWN_SETSID);  // of a session of its own: a Ctrl-C here does not end it
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) spawn.open_null(descriptor);
  const pid_t child = spawn.start(words);
  if (child < 0) return false;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);
  do {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::this_thread::sleep_for(kBetweenLooks);
  } while (std::chrono::steady_clock::now() < until);
  return true;
}

}  // namespace warpsim::tools
