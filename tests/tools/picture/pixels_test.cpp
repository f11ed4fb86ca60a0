// Pictures in pixels: decoded here, they have the SVG's size and its arrows; animations have a frame a step, in the
// structure that the formats' specifications state.
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/every_program.h"
#include "tools/picture/apng.h"
#include "tools/picture/pixels.h"
#include "traces/export/export.h"

namespace warpsim::tools {
namespace pixels_test {

using Color = std::array<int, 3>;
constexpr Color kWhite = {255, 255, 255}, kRight = {0, 0x72, 0xb2}, kLeft = {0xd5, 0x5e, 0};

bool has_tool(const std::string& name) { return std::system(("command -v " + name + " >/dev/null").c_str()) == 0; }

std::uint32_t big_endian(std::string_view bytes, std::size_t at, int count = 4) {
  std::uint32_t value = 0;
  for (int k = 0; k < count; ++k)
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(k)]);
  return value;
}

struct Image {
  std::size_t width = 0, height = 0, channels = 0;
  std::string bytes;
  Color at(std::size_t x, std::size_t y) const {
    Color color;
    for (std::size_t k = 0; k < 3; ++k) color[k] = static_cast<unsigned char>(bytes[(y * width + x) * channels + k]);
    return color;
  }
  std::size_t count(const Color& color) const {
    std::size_t found = 0;
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) found += at(x, y) == color;
    return found;
  }
};

int predicted(int filter, int left, int up, int corner) {
  const int sum = left + up - corner, to_left = std::abs(sum - left), to_up = std::abs(sum - up);
  switch (filter) {
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) / 2;
    case 4:
      return to_left <= to_up && to_left <= std::abs(sum - corner) ? left
             : to_up <= std::abs(sum - corner)                     ? up
                                                                   : corner;
    default: return 0;
  }
}

// PNG, "Filtering": of 8 bits a channel, not interlaced.
Image decoded(std::string_view header, const std::string& data) {
  Image image{big_endian(header, 0), big_endian(header, 4), header[9] == 6 ? 4U : 3U, ""};
  EXPECT_EQ(header[8], 8);
  EXPECT_TRUE(header[9] == 2 || header[9] == 6);
  const std::size_t row = image.width * image.channels;
  std::string raw((row + 1) * image.height, '\0');
  uLongf size = raw.size();
  EXPECT_EQ(::uncompress(reinterpret_cast<Bytef*>(raw.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                         data.size()),
            Z_OK);
  EXPECT_EQ(size, raw.size());
  image.bytes.resize(row * image.height);
  for (std::size_t y = 0; y < image.height; ++y)
    for (std::size_t k = 0; k < row; ++k) {
      const auto byte = [&](bool has, std::size_t at) { return has ? static_cast<unsigned char>(image.bytes[at]) : 0; };
      const std::size_t here = y * row + k;
      const bool in = k >= image.channels;
      const int guess = predicted(raw[y * (row + 1)], byte(in, here - image.channels), byte(y > 0, here - row),
                                  byte(in && y > 0, here - row - image.channels));
      image.bytes[here] = static_cast<char>(static_cast<unsigned char>(raw[y * (row + 1) + 1 + k]) + guess);
    }
  return image;
}

Image decoded(const std::string& png) {
  const std::optional<std::vector<PngChunk>> chunks = png_chunks(png);
  if (!chunks) return {};
  std::string data;
  for (const PngChunk& chunk : *chunks)
    if (chunk.type == "IDAT") data += chunk.data;
  return decoded(chunks->front().data, data);
}

struct Drawn {
  Trace trace;
  Network network;
  std::string svg;
  std::size_t width = 0, height = 0;
};
Drawn drawn(const std::string& name, unsigned lanes) {
  Drawn one{testing::program_trace(name, "test", lanes), {}, "", 0, 0};
  one.network = network_of(one.trace, 0, 0);
  one.svg = export_svg(one.trace.head, one.network, Language::English, SvgTheme::Light);
  std::smatch size;
  EXPECT_TRUE(std::regex_search(one.svg, size, std::regex("<svg [^>]*width=\"(\\d+)\" height=\"(\\d+)\"")));
  one.width = std::stoul(size[1]);
  one.height = std::stoul(size[2]);
  return one;
}

TEST(Pixels, APngHasTheSizeOfTheSvgAndItsArrows) {
  if (!has_tool("rsvg-convert")) GTEST_SKIP() << "rsvg-convert is not here";
  for (const std::size_t scale : {1U, 2U}) {
    SCOPED_TRACE(scale);
    const Drawn one = drawn("p26/butterfly_parallel_max", 8);
    const Pixels png = png_of(one.svg, static_cast<double>(scale));
    ASSERT_EQ(png.error, "");
    const Image image = decoded(png.bytes);
    EXPECT_EQ(image.width, one.width * scale);
    EXPECT_EQ(image.height, one.height * scale);
    EXPECT_EQ(image.at(0, 0), kWhite) << "a light picture, whatever the reader prefers";
    EXPECT_GT(image.count(kRight), 120 * scale * scale) << "twelve arrows each way, with heads of more than 10 pixels";
    EXPECT_GT(image.count(kLeft), 120 * scale * scale);
    // Each exchange has an arrow; a quarter of the way along it there is ink.
    const std::regex line(
        "<line class=\"line (right|left)\" x1=\"(\\d+)\" y1=\"(\\d+)\" x2=\"([\\d.]+)\" y2=\"([\\d.]+)\"");
    std::size_t arrows = 0;
    for (std::sregex_iterator at(one.svg.begin(), one.svg.end(), line), end; at != end; ++at, ++arrows) {
      const auto quarter = [&](int from, int to) {
        return static_cast<std::size_t>((0.75 * std::stod((*at)[from]) + 0.25 * std::stod((*at)[to])) *
                                        static_cast<double>(scale));
      };
      EXPECT_NE(image.at(quarter(2, 4), quarter(3, 5)), kWhite) << (*at)[0];
    }
    EXPECT_EQ(arrows, 24U) << "three exchanges of eight lanes";
  }
}

TEST(Pixels, TheDarkThemeIsDark) {
  if (!has_tool("rsvg-convert")) GTEST_SKIP() << "rsvg-convert is not here";
  const Drawn one = drawn("p26/butterfly_pair_swap", 4);
  const Image image =
      decoded(png_of(export_svg(one.trace.head, one.network, Language::English, SvgTheme::Dark), 1).bytes);
  EXPECT_EQ(image.at(0, 0), (Color{0x15, 0x18, 0x1b}));
  EXPECT_GT(image.count({0x56, 0xb4, 0xe9}), 20U)
      << "the heads of two arrows to the right, as the page has them in the dark";
}

struct Animation {
  std::uint32_t frames = 0, plays = 1;
  std::vector<Image> images;
  std::vector<std::uint32_t> delays;  // thousandths of a second
};
Animation animation_in(const std::string& apng) {
  Animation found;
  const std::optional<std::vector<PngChunk>> chunks = png_chunks(apng);
  EXPECT_TRUE(chunks) << "chunks with their checksums";
  if (!chunks) return found;
  EXPECT_EQ(chunks->front().type, "IHDR");
  EXPECT_EQ(chunks->back().type, "IEND");
  std::uint32_t sequence = 0;
  std::vector<std::string> data;
  for (const auto& [type, bytes] : *chunks) {
    if (type == "acTL") found.frames = big_endian(bytes, 0), found.plays = big_endian(bytes, 4);
    if (type == "fcTL" || type == "fdAT") {
      EXPECT_EQ(big_endian(bytes, 0), sequence++) << "in the order of the file";
    }
    if (type == "fcTL") {
      EXPECT_EQ(bytes.size(), 26U);
      EXPECT_EQ(bytes.substr(4, 8), chunks->front().data.substr(0, 8)) << "each frame is the whole picture";
      EXPECT_EQ(bytes.substr(12, 8), std::string(8, '\0'));
      EXPECT_EQ(big_endian(bytes, 22, 2), 1000U);
      found.delays.push_back(big_endian(bytes, 20, 2));
      data.emplace_back();
    }
    if (type == "IDAT" || type == "fdAT") {  // a viewer without animation shows the first frame
      EXPECT_EQ(type == "IDAT", data.size() == 1);
    }
    if (!data.empty() && type == "IDAT") data.back() += bytes;
    if (!data.empty() && type == "fdAT") data.back() += bytes.substr(4);
  }
  for (const std::string& one : data) found.images.push_back(decoded(chunks->front().data, one));
  return found;
}

// The lowest line in which a cell is filled.
std::size_t depth_of(const Image& image) {
  const std::set<Color> fills = {{0xf3, 0xf5, 0xf7}, {0xdc, 0xed, 0xf9}, {0xd6, 0xef, 0xe7}};
  for (std::size_t y = image.height; y-- > 0;)
    for (std::size_t x = 0; x < image.width; ++x)
      if (fills.count(image.at(x, y)) != 0) return y;
  return 0;
}

TEST(Pixels, AnAnimationAddsARowAFrame) {
  if (!has_tool("rsvg-convert")) GTEST_SKIP() << "rsvg-convert is not here";
  const Drawn one = drawn("p26/butterfly_parallel_max", 8);
  const std::vector<std::string> steps =
      export_svg_steps(one.trace.head, one.network, Language::English, SvgTheme::Light);
  const Pixels apng = apng_of(steps, 1, 0.5);
  ASSERT_EQ(apng.error, "");
  const Animation found = animation_in(apng.bytes);
  EXPECT_EQ(found.plays, 0U) << "again and again";
  EXPECT_EQ(found.frames, one.network.rows.size());
  ASSERT_EQ(found.images.size(), one.network.rows.size());
  std::size_t depth = 0;
  for (std::size_t k = 0; k < found.images.size(); ++k) {
    SCOPED_TRACE(k);
    EXPECT_EQ(found.images[k].width, one.width);
    EXPECT_EQ(found.images[k].height, one.height);
    EXPECT_GT(depth_of(found.images[k]), depth);
    depth = depth_of(found.images[k]);
    EXPECT_EQ(found.delays[k], k + 1 < found.images.size() ? 500U : 2000U) << "the last one stays";
  }
  // The last frame is the picture, but for the lines of its last row, which are heavier.
  EXPECT_NEAR(static_cast<double>(depth), static_cast<double>(depth_of(decoded(png_of(one.svg, 1).bytes))), 2);
}

// GIF89a: the images of a file, and how long each is shown, in hundredths of a second.
std::vector<std::uint32_t> gif_delays(const std::string& gif, bool& loops) {
  const auto byte = [&gif](std::size_t at) { return at < gif.size() ? static_cast<unsigned char>(gif[at]) : 0x3BU; };
  const auto table = [](unsigned flags) { return (flags & 0x80) != 0 ? 3U << ((flags & 7) + 1) : 0U; };
  std::size_t at = 13 + table(byte(10)), images = 0;
  const auto skip_blocks = [&] {
    while (byte(at) != 0 && at < gif.size()) at += byte(at) + 1U;
    ++at;
  };
  std::vector<std::uint32_t> delays;
  while (byte(at) != 0x3B) {
    if (byte(at) == 0x21) {  // an extension
      if (byte(at + 1) == 0xF9) delays.push_back(byte(at + 4) | byte(at + 5) << 8);
      if (byte(at + 1) == 0xFF)
        loops = gif.substr(at + 3, 11) == "NETSCAPE2.0" && byte(at + 16) == 0 && byte(at + 17) == 0;
      at += 2;
    } else {
      EXPECT_EQ(byte(at), 0x2CU) << "an image";
      ++images;
      at += 11 + table(byte(at + 9));
    }
    skip_blocks();
  }
  EXPECT_EQ(images, delays.size());
  return delays;
}

TEST(Pixels, AGifHasAsManyFrames) {
  if (!has_tool("rsvg-convert") || !has_tool("ffmpeg")) GTEST_SKIP() << "rsvg-convert or ffmpeg is not here";
  const Drawn one = drawn("scan/blelloch", 8);
  const Pixels gif = gif_of(export_svg_steps(one.trace.head, one.network, Language::English, SvgTheme::Light), 1, 0.8);
  ASSERT_EQ(gif.error, "");
  ASSERT_EQ(gif.bytes.substr(0, 6), "GIF89a");
  EXPECT_EQ(static_cast<unsigned char>(gif.bytes[6]) + 256U * static_cast<unsigned char>(gif.bytes[7]), one.width);
  bool loops = false;
  std::vector<std::uint32_t> expected(one.network.rows.size(), 80);
  expected.back() = 320;
  EXPECT_EQ(gif_delays(gif.bytes, loops), expected);
  EXPECT_TRUE(loops);
}

TEST(Pixels, WhatIsNoPngOrOfAnotherSizeMakesNoAnimation) {
  EXPECT_FALSE(animated_png({"no PNG"}, {1}));
  if (!has_tool("rsvg-convert")) GTEST_SKIP() << "rsvg-convert is not here";
  const auto square = [](const std::string& size) {
    return png_of("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" height=\"8\"/>", 1).bytes;
  };
  const std::string eight = square("8");
  EXPECT_TRUE(animated_png({eight, eight}, {1, 1}));
  EXPECT_FALSE(animated_png({eight, square("9")}, {1, 1}));
  std::string broken = eight;
  broken[20] = static_cast<char>(broken[20] ^ 1);
  EXPECT_FALSE(animated_png({broken}, {1})) << "a checksum is wrong";
  EXPECT_FALSE(animated_png({eight.substr(0, eight.size() - 4)}, {1})) << "it ends too early";
}

}  // namespace pixels_test
}  // namespace warpsim::tools
