// Gzip and zstd, in both directions, as streams of pieces.
//
// Shapes: what is compressed depends on the bytes alone: no time and no name goes in. What is read says by its first
//         bytes what it is; several members or frames one after another are read as one text.
// Units:  bytes; at most 64 KiB of text are handed on at a time.
// Errors: damaged or cut off data: a sentence. Nothing throws.
// Source: RFC 1952 (gzip), RFC 8878 (zstd).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace warpsim::tools {

enum class Compression : std::uint8_t { None, Gzip, Zstd };

// As a file's name ends: .gz, .zst. `rest` is the name without that.
Compression compression_of(const std::string& path, std::string* rest = nullptr);

// As data begins.
Compression compression_in(std::string_view bytes);

class Compressor {
 public:
  explicit Compressor(Compression kind);
  ~Compressor();
  void add(std::string_view text, std::string& out);
  void finish(std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Decompressor {
 public:
  // `sink` gets the text; once it answers false, nothing more is read.
  using Sink = std::function<bool(std::string_view)>;
  explicit Decompressor(Sink sink);
  ~Decompressor();
  bool add(std::string_view bytes);  // false: stopped, or error() says why
  bool finish();
  const std::string& error() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpsim::tools
