// Output to standard output, standard error or a file, with every failure noticed.
//
// Shapes: text is gathered and written in large pieces; finish() says how it went. "-" is standard output.
// Units:  bytes.
// Errors: the first failure is kept as one sentence and later text is dropped; nothing throws.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tools/support/compression.h"

namespace warpsim::tools {

inline bool is_stdout(const std::string& path) { return path == "-"; }

// What messages call an input file; "-" is standard input.
inline std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

class Output {
 public:
  explicit Output(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  // Opens `path` for writing, from nothing; a failure shows in finish().
  static Output open(const std::string& path, Compression compression = Compression::None);
  Output(Output&& other) noexcept;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  Output& operator=(Output&&) = delete;
  ~Output();

  void write(std::string_view text);
  // Writes what is left and closes; "" or what went wrong: "cannot write out.json: No space left on device".
  std::string finish();
  bool failed() const { return !error_.empty(); }

 private:
  static Output open_file(const std::string& path);
  void flush();
  void fail();

  int descriptor_ = -1;
  bool owned_ = false;
  std::string name_;
  std::string pending_;
  std::string error_;
  std::unique_ptr<Compressor> compressor_;
};

// A file, or standard input for "-", in pieces, unpacked if it is compressed. The sink answers false to stop. False if
// it cannot be read; `error` then says why.
bool read_pieces(const std::string& path, const std::function<bool(std::string_view)>& sink, std::string& error);
// How a file begins, or standard input for "-", which loses nothing by it: at least a byte unless it is empty or cannot
// be read.
std::string beginning_of(const std::string& path);
// The whole of a file, or of standard input for "-". False if it cannot be read; `error` then says why.
bool read_file(const std::string& path, std::string& text, std::string& error);

}  // namespace warpsim::tools
