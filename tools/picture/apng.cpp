// PNG files of one size as one animated PNG; see apng.h.
#include "tools/picture/apng.h"

#include <zlib.h>

#include <cstddef>

namespace warpsim::tools {
namespace {

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kHeaderBytes = 13, kAroundChunk = 12;  // of IHDR's data; length, type and checksum

std::string big_endian(std::uint32_t value, int bytes) {
  std::string text;
  for (int k = bytes - 1; k >= 0; --k) text += static_cast<char>((value >> (8 * k)) & 0xFF);
  return text;
}

std::uint32_t number_at(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(text[at + k]);
  return value;
}

std::uint32_t checksum_of(std::string_view text) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

void append_chunk(std::string& file, std::string_view type, std::string_view data) {
  file += big_endian(static_cast<std::uint32_t>(data.size()), 4);
  const std::size_t from = file.size();
  file += type;
  file += data;
  file += big_endian(checksum_of(std::string_view(file).substr(from)), 4);
}

// The frame control chunk: the whole picture, which replaces the one before.
std::string frame_control(std::uint32_t sequence, std::string_view header, std::uint32_t delay_ms) {
  constexpr std::uint32_t kMillisecond = 1000;
  return big_endian(sequence, 4) + std::string(header.substr(0, 8)) + big_endian(0, 4) + big_endian(0, 4) +
         big_endian(delay_ms, 2) + big_endian(kMillisecond, 2) + std::string(2, '\0');
}

}  // namespace

std::optional<std::vector<PngChunk>> png_chunks(std::string_view file) {
  if (!file.starts_with(kPngSignature)) return std::nullopt;
  std::vector<PngChunk> chunks;
  for (std::size_t at = kPngSignature.size(); at + kAroundChunk <= file.size();) {
    const std::size_t length = number_at(file, at);
    if (length > file.size() - at - kAroundChunk) return std::nullopt;
    if (checksum_of(file.substr(at + 4, 4 + length)) != number_at(file, at + 8 + length)) return std::nullopt;
    chunks.push_back({file.substr(at + 4, 4), file.substr(at + 8, length)});
    if (chunks.back().type == "IEND") return chunks;
    at += kAroundChunk + length;
  }
  return std::nullopt;
}

std::optional<std::string> animated_png(const std::vector<std::string>& frames,
                                        const std::vector<std::uint32_t>& delays_ms) {
  std::string file(kPngSignature), header;
  std::uint32_t sequence = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const std::optional<std::vector<PngChunk>> chunks = png_chunks(frames[k]);
    if (!chunks || chunks->front().type != "IHDR" || chunks->front().data.size() != kHeaderBytes) return std::nullopt;
    if (k == 0) header = chunks->front().data;
    if (chunks->front().data != header) return std::nullopt;
    bool has_begun = false;
    for (const auto& [type, data] : *chunks) {
      if (type == "IDAT") {
        if (!has_begun) append_chunk(file, "fcTL", frame_control(sequence++, header, delays_ms[k]));
        has_begun = true;
        if (k == 0) append_chunk(file, "IDAT", data);
        else append_chunk(file, "fdAT", big_endian(sequence++, 4) + std::string(data));
      } else if (k == 0 && !has_begun) {  // the first file's colours and sizes are all frames'
        append_chunk(file, type, data);
        if (type == "IHDR")
          append_chunk(file, "acTL", big_endian(static_cast<std::uint32_t>(frames.size()), 4) + big_endian(0, 4));
      }
    }
    if (!has_begun) return std::nullopt;
  }
  append_chunk(file, "IEND", "");
  return file;
}

}  // namespace warpsim::tools
