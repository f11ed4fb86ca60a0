// Gzip through zlib, zstd through libzstd; see compression.h.
#include "tools/support/compression.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "isa/text/check.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 16;
constexpr int kGzipHeader = 15 + 16;  // zlib's largest window, in gzip's wrapping
constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

Compression compression_of(const std::string& path, std::string* rest) {
  for (const auto& [ending, kind] : {std::pair{".gz", Compression::Gzip}, std::pair{".zst", Compression::Zstd}}) {
    if (!ends_with(path, ending)) continue;
    if (rest != nullptr) *rest = path.substr(0, path.size() - std::string_view(ending).size());
    return kind;
  }
  if (rest != nullptr) *rest = path;
  return Compression::None;
}

Compression compression_in(std::string_view bytes) {
  if (bytes.substr(0, kGzipMagic.size()) == kGzipMagic) return Compression::Gzip;
  return bytes.substr(0, kZstdMagic.size()) == kZstdMagic ? Compression::Zstd : Compression::None;
}

// ---- out

struct Compressor::State {
  Compression kind;
  z_stream gzip{};
  ZSTD_CStream* zstd = nullptr;
  std::array<char, kChunkBytes> piece;

  void run_gzip(std::string_view text, bool last, std::string& out) {
    gzip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // zlib's interface knows no const
    gzip.avail_in = static_cast<uInt>(text.size());
    do {
      gzip.next_out = reinterpret_cast<Bytef*>(piece.data());
      gzip.avail_out = static_cast<uInt>(piece.size());
      WARPSIM_CHECK(deflate(&gzip, last ? Z_FINISH : Z_NO_FLUSH) != Z_STREAM_ERROR);
      out.append(piece.data(), piece.size() - gzip.avail_out);
    } while (gzip.avail_out == 0);
  }
  void run_zstd(std::string_view text, bool last, std::string& out) {
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer to{piece.data(), piece.size(), 0};
      const std::size_t left = ZSTD_compressStream2(zstd, &to, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      WARPSIM_CHECK(ZSTD_isError(left) == 0);
      out.append(piece.data(), to.pos);
      done = last ? left == 0 : in.pos == in.size;
    }
  }
  void run(std::string_view text, bool last, std::string& out) {
    if (kind == Compression::Gzip) run_gzip(text, last, out);
    else run_zstd(text, last, out);
  }
};

Compressor::Compressor(Compression kind) : state_(std::make_unique<State>()) {
  state_->kind = kind;
  if (kind == Compression::Gzip)
    WARPSIM_CHECK(deflateInit2(&state_->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipHeader, 8, Z_DEFAULT_STRATEGY) ==
                  Z_OK);
  else WARPSIM_CHECK((state_->zstd = ZSTD_createCStream()) != nullptr);
}

Compressor::~Compressor() {
  if (state_->kind == Compression::Gzip) deflateEnd(&state_->gzip);
  ZSTD_freeCStream(state_->zstd);
}

void Compressor::add(std::string_view text, std::string& out) { state_->run(text, false, out); }
void Compressor::finish(std::string& out) { state_->run("", true, out); }

// ---- in

struct Decompressor::State {
  Sink sink;
  std::string first;  // bytes, until there are enough to see what they are
  bool known = false;
  Compression kind = Compression::None;
  z_stream gzip{};
  ZSTD_DStream* zstd = nullptr;
  bool whole = true;  // no member or frame has begun that has not ended
  std::array<char, kChunkBytes> piece;
  std::string error;

  bool begin() {
    known = true;
    kind = compression_in(first);
    if (kind == Compression::Gzip) WARPSIM_CHECK(inflateInit2(&gzip, kGzipHeader) == Z_OK);
    if (kind == Compression::Zstd) WARPSIM_CHECK((zstd = ZSTD_createDStream()) != nullptr);
    return run(std::exchange(first, {}));
  }
  bool fail(const char* what) {
    error = std::string("the ") + (kind == Compression::Gzip ? "gzip" : "zstd") + " data is damaged: " + what;
    return false;
  }
  bool run_gzip(std::string_view bytes) {
    gzip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    gzip.avail_in = static_cast<uInt>(bytes.size());
    do {
      gzip.next_out = reinterpret_cast<Bytef*>(piece.data());
      gzip.avail_out = static_cast<uInt>(piece.size());
      if (whole && gzip.avail_in == 0) break;
      const int result = inflate(&gzip, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return fail(gzip.msg == nullptr ? "it cannot be unpacked" : gzip.msg);
      whole = result == Z_STREAM_END;
      const std::size_t got = piece.size() - gzip.avail_out;
      if (got != 0 && !sink({piece.data(), got})) return false;
      if (whole) inflateReset(&gzip);
    } while (gzip.avail_in != 0 || gzip.avail_out == 0);
    return true;
  }
  bool run_zstd(std::string_view bytes) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool full = true; full || in.pos < in.size;) {
      ZSTD_outBuffer to{piece.data(), piece.size(), 0};
      if (whole && in.pos == in.size) break;
      const std::size_t left = ZSTD_decompressStream(zstd, &to, &in);
      if (ZSTD_isError(left) != 0) return fail(ZSTD_getErrorName(left));
      whole = left == 0;
      full = to.pos == to.size;
      if (to.pos != 0 && !sink({piece.data(), to.pos})) return false;
    }
    return true;
  }
  bool run(std::string_view bytes) {
    if (bytes.empty()) return true;
    return kind == Compression::Gzip ? run_gzip(bytes) : kind == Compression::Zstd ? run_zstd(bytes) : sink(bytes);
  }
};

Decompressor::Decompressor(Sink sink) : state_(std::make_unique<State>()) { state_->sink = std::move(sink); }

Decompressor::~Decompressor() {
  if (state_->kind == Compression::Gzip) inflateEnd(&state_->gzip);
  ZSTD_freeDStream(state_->zstd);
}

bool Decompressor::add(std::string_view bytes) {
  if (state_->known) return state_->run(bytes);
  state_->first += bytes;
  return state_->first.size() < kZstdMagic.size() || state_->begin();
}

bool Decompressor::finish() {
  if (!state_->known && !state_->begin()) return false;
  if (!state_->whole)
    state_->error = std::string("the ") + (state_->kind == Compression::Gzip ? "gzip" : "zstd") +
                    " data ends too early: was the file cut off?";
  return state_->whole;
}

const std::string& Decompressor::error() const { return state_->error; }

}  // namespace warpsim::tools
