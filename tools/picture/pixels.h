// SVG pictures as pixels: one as PNG, several as an animation.
//
// Shapes: SVG texts go in, all of one size; the bytes of a file come out.
// Units:  `scale` is pixels for each pixel of the SVG; seconds.
// Errors: what the tool said, or which is missing and its Debian package.
// Source: rsvg-convert(1) of librsvg; ffmpeg(1).
#pragma once

#include <string>
#include <vector>

namespace warpsim::tools {

// The animation shows its last picture for so many steps' time.
inline constexpr unsigned kLastStepTimes = 4;

struct Pixels {
  std::string bytes;
  std::string error, hint;       // "": there is none
  bool lacks_a_program = false;  // that is the error
};

Pixels png_of(const std::string& svg, double scale);
Pixels apng_of(const std::vector<std::string>& svgs, double scale, double seconds);
Pixels gif_of(const std::vector<std::string>& svgs, double scale, double seconds);

}  // namespace warpsim::tools
