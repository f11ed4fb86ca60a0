// PNG files of one size as one animated PNG.
//
// Shapes: each file's image data becomes a frame, compressed as it is. A viewer that knows no animation shows the
// first. Units:  milliseconds. Errors: nothing if a file is no PNG, or differs from the first in size or kind of pixel.
// Source: PNG Specification (Third Edition), W3C 2025, "acTL", "fcTL", "fdAT".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim::tools {

// A chunk of a PNG file; views of the file.
struct PngChunk {
  std::string_view type, data;
};
// All of them, up to and with IEND; nothing if the file is not made of chunks with the right checksums.
std::optional<std::vector<PngChunk>> png_chunks(std::string_view file);

// `delays_ms` has one for each frame, at most 65535. It plays again and again.
std::optional<std::string> animated_png(const std::vector<std::string>& frames,
                                        const std::vector<std::uint32_t>& delays_ms);

}  // namespace warpsim::tools
