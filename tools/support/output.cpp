// Writing output, and reading whole files; see output.h.
#include "tools/support/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace warpsim::tools {

namespace {
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
}

Output Output::open(const std::string& path, Compression compression) {
  const bool to_stdout = path.empty() || path == "-";
  Output file = to_stdout ? Output(STDOUT_FILENO, "standard output") : open_file(path);
  if (compression != Compression::None) file.compressor_ = std::make_unique<Compressor>(compression);
  return file;
}

Output Output::open_file(const std::string& path) {
  Output file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path);
  file.owned_ = true;
  if (file.descriptor_ < 0) file.fail();
  return file;
}

Output::Output(Output&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(std::exchange(other.owned_, false)),
      name_(std::move(other.name_)),
      pending_(std::move(other.pending_)),
      error_(std::move(other.error_)),
      compressor_(std::move(other.compressor_)) {}

Output::~Output() { finish(); }

void Output::fail() {
  if (error_.empty()) error_ = "cannot write " + name_ + ": " + std::strerror(errno);
  pending_.clear();
}

void Output::write(std::string_view text) {
  if (failed()) return;
  if (compressor_) compressor_->add(text, pending_);
  else pending_ += text;
  if (pending_.size() >= kPieceBytes) flush();
}

void Output::flush() {
  std::string_view left = pending_;
  while (!left.empty() && !failed()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written >= 0) left.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR) fail();
  }
  pending_.clear();
}

std::string Output::finish() {
  if (descriptor_ >= 0 && compressor_ && !failed()) compressor_->finish(pending_);
  if (descriptor_ >= 0 && !failed()) flush();
  if (owned_ && descriptor_ >= 0 && ::close(descriptor_) != 0 && !failed()) fail();
  descriptor_ = -1;
  return error_;
}

namespace {

// What beginning_of() has taken of standard input.
std::string& ahead_of_stdin() {
  static std::string bytes;
  return bytes;
}

bool read_raw(const std::string& path, const std::function<bool(std::string_view)>& sink, std::string& error) {
  const bool is_stdin = path == "-";
  if (is_stdin)
    if (const std::string ahead = std::exchange(ahead_of_stdin(), {}); !ahead.empty() && !sink(ahead)) return true;
  const int descriptor = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  bool ok = descriptor >= 0;
  char piece[kPieceBytes];
  while (ok) {
    const ssize_t got = ::read(descriptor, piece, sizeof piece);
    if (got == 0 || (got > 0 && !sink({piece, static_cast<std::size_t>(got)}))) break;
    if (got < 0 && errno != EINTR) ok = false;
  }
  if (!ok) error = "cannot read " + (is_stdin ? "standard input" : path) + ": " + std::strerror(errno);
  if (descriptor >= 0 && !is_stdin) ::close(descriptor);
  return ok;
}

}  // namespace

std::string beginning_of(const std::string& path) {
  std::string bytes, ignored;
  read_raw(
      path,
      [&bytes](std::string_view piece) {
        bytes = piece;
        return false;
      },
      ignored);
  if (path == "-") ahead_of_stdin() = bytes;
  return bytes;
}

bool read_pieces(const std::string& path, const std::function<bool(std::string_view)>& sink, std::string& error) {
  bool stopped = false;
  Decompressor decompressor([&](std::string_view text) { return !(stopped = !sink(text)); });
  if (!read_raw(
          path, [&](std::string_view bytes) { return decompressor.add(bytes); }, error))
    return false;
  if (!stopped && decompressor.error().empty()) decompressor.finish();
  if (!decompressor.error().empty())
    error = "cannot read " + (path == "-" ? "standard input" : path) + ": " + decompressor.error();
  return decompressor.error().empty();
}

bool read_file(const std::string& path, std::string& text, std::string& error) {
  text.clear();
  return read_raw(
      path,
      [&text](std::string_view piece) {
        text += piece;
        return true;
      },
      error);
}

}  // namespace warpsim::tools
