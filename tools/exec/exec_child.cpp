// See exec_child.h.
#include "tools/exec/exec_child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "tools/exec/program_file.h"
#include "tools/support/child_process.h"
#include "traces/profile/profile_json.h"

extern char** environ;

namespace warpsim::tools {
namespace {

namespace fs = std::filesystem;

constexpr int kBetweenLooks = 20;  // ms

// A file of this run, removed after it: what the libraries read, or append their records to.
class RunFile {
 public:
  RunFile() {
    std::error_code error;
    path_ = (fs::temp_directory_path(error) / "warpsim-exec-XXXXXX").string();
    file_ = ::mkostemp(path_.data(), O_CLOEXEC);
  }
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;
  ~RunFile() {
    if (file_ < 0) return;
    ::close(file_);
    ::unlink(path_.c_str());
  }
  bool is_open() const { return file_ >= 0; }
  const std::string& path() const { return path_; }

  bool write(std::string_view text) const {
    return ::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }
  // Calls back with each line that is whole.
  void read(const std::function<void(std::string_view)>& record) {
    std::array<char, 1 << 16> bytes{};
    for (ssize_t count = 0; (count = ::read(file_, bytes.data(), bytes.size())) > 0;)
      rest_.append(bytes.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
      record(std::string_view(rest_).substr(begin, end - begin));
    rest_.erase(0, begin);
  }

 private:
  std::string path_, rest_;
  int file_ = -1;
};

// `mine` before what is there; never an empty part, which would mean the current folder.
std::string before_others(const std::string& mine, const char* variable, char separator) {
  const char* const others = std::getenv(variable);
  return std::string(variable) + "=" + mine +
         (others == nullptr || *others == '\0' ? "" : separator + std::string(others));
}

std::vector<std::string> environment(const std::string& folder, const host::ExecOptions& options) {
  const std::string libraries = (fs::path(folder) / kRuntime).string() + ":" + (fs::path(folder) / kDriver).string();
  const std::vector<std::string> own = {before_others(folder, "LD_LIBRARY_PATH", ':'),
                                        before_others(libraries, "LD_PRELOAD", ':'),
                                        std::string(host::kExecVariable) + "=" + to_text(options)};
  std::vector<std::string> all = own;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view one = *at;
    const auto is_own = [&](const std::string& mine) { return one.starts_with(mine.substr(0, mine.find('=') + 1)); };
    if (!is_own(own[0]) && !is_own(own[1]) && !is_own(own[2])) all.emplace_back(one);
  }
  return all;
}

}  // namespace

std::string cuda_folder() {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {here / "cuda", here.parent_path() / "lib" / "warpsim" / "cuda"})
    if (!error && fs::exists(folder / kRuntime, error)) return folder.lexically_normal().string();
  return "";
}

ExecEnd run_program(const std::string& path, const std::vector<std::string>& words, host::ExecOptions options,
                    const std::shared_ptr<const TimingProfile>& timing,
                    const std::function<void(std::string_view record)>& record) {
  RunFile records;
  std::optional<RunFile> profile;
  if (!records.is_open()) return {false, errno, -1, 0};
  options.report = records.path();
  if (timing) {
    profile.emplace();
    // Its name may say more than a file's can: "h200 --scheduler gto".
    ProfileFile file{"profile", timing->title, {}, {*timing}};
    file.bounds.front().name = file.name;
    if (!profile->is_open() || !profile->write(write_profile(file))) return {false, errno, -1, 0};
    options.profile = profile->path();
    options.profile_name = timing->name;
  }
  const std::vector<std::string> variables = environment(cuda_folder(), options);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t normal;
  ::sigemptyset(&normal);
  ::sigaddset(&normal, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &normal);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = -1;
  const int failed = ::posix_spawn(&child, path.c_str(), nullptr, &attributes, pointers_to(words).data(),
                                   pointers_to(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) return {false, failed, -1, 0};
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is the program's: it reports, and ends
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    pollfd end{handle, POLLIN, 0};
    ::poll(&end, handle >= 0 ? 1 : 0, kBetweenLooks);
    records.read(record);
  }
  records.read(record);
  if (handle >= 0) ::close(handle);
  std::signal(SIGINT, SIG_DFL);
  if (WIFSIGNALED(status)) return {true, 0, -1, WTERMSIG(status)};
  return {true, 0, WEXITSTATUS(status), 0};
}

}  // namespace warpsim::tools
