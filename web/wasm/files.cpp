// What the verbs read and write, in memory; see files.h. In the place of tools/support/output.cpp, files.cpp, log.cpp
// and compression.cpp.
#include "web/wasm/files.h"

#include <utility>
#include <vector>

#include "tools/support/compression.h"
#include "tools/support/files.h"
#include "tools/support/log.h"
#include "tools/support/output.h"

namespace warpsim::web {

Files& files() {
  static Files all;
  return all;
}

namespace {

// A file that was written in this call comes before one that was given.
const std::string* find(const std::string& path) {
  for (const auto* const all : {&files().written, &files().given})
    if (const auto at = all->find(path); at != all->end()) return &at->second;
  return nullptr;
}

constexpr int kStandardOutput = 1, kFile = 3;  // descriptors; any other is standard error

}  // namespace
}  // namespace warpsim::web

namespace warpsim::tools {

using web::files;

// Packed files stay as they are: a page gets and gives text.
struct Compressor::State {};
Compressor::Compressor(Compression) {}
Compressor::~Compressor() = default;
void Compressor::add(std::string_view text, std::string& out) { out += text; }
void Compressor::finish(std::string&) {}

struct Decompressor::State {
  Sink sink;
  std::string no_error;
};
Decompressor::Decompressor(Sink sink) : state_(std::make_unique<State>(State{std::move(sink), ""})) {}
Decompressor::~Decompressor() = default;
bool Decompressor::add(std::string_view bytes) { return state_->sink(bytes); }
bool Decompressor::finish() { return true; }
const std::string& Decompressor::error() const { return state_->no_error; }

Compression compression_of(const std::string& path, std::string* rest) {
  if (rest != nullptr) *rest = path;
  return Compression::None;
}
Compression compression_in(std::string_view) { return Compression::None; }

Output Output::open(const std::string& path, Compression) {
  if (path.empty() || is_stdout(path)) return Output(web::kStandardOutput, "");
  return open_file(path);
}
Output Output::open_file(const std::string& path) {
  files().written[path].clear();
  return Output(web::kFile, path);
}
Output::Output(Output&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)) {}
Output::~Output() = default;
void Output::write(std::string_view text) {
  if (descriptor_ == web::kFile) files().written[name_] += text;
  else (descriptor_ == web::kStandardOutput ? files().out : files().err) += text;
}
std::string Output::finish() { return ""; }

bool read_file(const std::string& path, std::string& text, std::string& error) {
  const std::string* const found = web::find(path);
  if (found != nullptr) text = *found;
  else error = "cannot read " + (path == "-" ? "standard input" : path) + ": there is no such file in this page";
  return found != nullptr;
}
bool read_pieces(const std::string& path, const std::function<bool(std::string_view)>& sink, std::string& error) {
  std::string text;
  if (!read_file(path, text, error)) return false;
  sink(text);
  return true;
}
std::string beginning_of(const std::string& path) {
  const std::string* const found = web::find(path);
  return found != nullptr ? *found : "";
}

bool exists(const std::string& path) { return web::find(path) != nullptr; }
bool is_file(const std::string& path) { return exists(path); }
bool is_folder(const std::string&) { return false; }
bool is_same_file(const std::string& one, const std::string& other) { return one == other; }
std::vector<std::string> files_below(const std::string& folder, std::string_view, std::string& error) {
  error = folder + " is no folder";
  return {};
}
std::string working_folder() { return ""; }

}  // namespace warpsim::tools

namespace warpsim::tools::log {

bool wants_color(const std::string&, int) { return false; }
void set_color(bool) {}
void error(std::string_view message) { raw("warpsim: error: " + std::string(message) + "\n"); }
void raw(std::string_view text) { files().err += text; }

}  // namespace warpsim::tools::log
