// SVG pictures as pixels; see pixels.h.
#include "tools/picture/pixels.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/picture/apng.h"
#include "tools/support/child_process.h"

namespace warpsim::tools {
namespace {

constexpr std::uint32_t kMillisecondsInSecond = 1000, kMostMilliseconds = 65535;  // as fcTL has two bytes
constexpr std::string_view kTooLarge = "--scale makes it smaller; --from, --until and --max-events choose a part";

// One colour table for all frames, of the colours that the picture has. No dithering: it would add dots to plain areas.
constexpr const char* kGifFilter =
    "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";

Pixels run_tool(const std::vector<std::string>& words, std::string_view input, const std::string& package,
                std::string_view hint) {
  ChildResult ran = run_child(words, input);
  Pixels made;
  made.lacks_a_program = !ran.is_there;
  if (!ran.is_there) {
    made.error = "`" + words.front() + "` is not here, which makes these pixels";
    made.hint = "Debian and Ubuntu: apt-get install " + package + "; or make --to svg, which needs nothing";
  } else if (!ran.is_fine() || ran.out.empty()) {
    const std::size_t end = ran.err.find_last_not_of(" \n");
    made.error =
        "`" + words.front() + "` failed: " +
        (end == std::string::npos ? "it ended with " + std::to_string(ran.exit_code) : ran.err.substr(0, end + 1));
    made.hint = hint;
  } else {
    made.bytes = std::move(ran.out);
  }
  return made;
}

std::uint32_t milliseconds(double seconds) {
  return static_cast<std::uint32_t>(std::lround(std::fmin(seconds * kMillisecondsInSecond, kMostMilliseconds)));
}

// A PNG a step, or why not.
Pixels frames_of(const std::vector<std::string>& svgs, double scale, std::vector<std::string>& frames) {
  for (const std::string& svg : svgs) {
    Pixels one = png_of(svg, scale);
    if (!one.error.empty()) return one;
    frames.push_back(std::move(one.bytes));
  }
  return {};
}

}  // namespace

Pixels png_of(const std::string& svg, double scale) {
  char zoom[32];
  std::snprintf(zoom, sizeof zoom, "%.4f", scale);
  return run_tool({"rsvg-convert", "--format=png", "--unlimited", std::string("--zoom=") + zoom}, svg, "librsvg2-bin",
                  kTooLarge);
}

Pixels apng_of(const std::vector<std::string>& svgs, double scale, double seconds) {
  std::vector<std::string> frames;
  Pixels made = frames_of(svgs, scale, frames);
  if (!made.error.empty()) return made;
  std::vector<std::uint32_t> delays(frames.size(), milliseconds(seconds));
  if (!delays.empty()) delays.back() = milliseconds(seconds * kLastStepTimes);
  std::optional<std::string> file = animated_png(frames, delays);
  if (!file) made.error = "`rsvg-convert` gave what is no PNG, or PNGs of several sizes";
  else made.bytes = std::move(*file);
  return made;
}

Pixels gif_of(const std::vector<std::string>& svgs, double scale, double seconds) {
  std::vector<std::string> frames;
  Pixels made = frames_of(svgs, scale, frames);
  if (!made.error.empty()) return made;
  std::string files;
  for (const std::string& frame : frames) files += frame;
  constexpr double kHundredths = 100;  // a GIF's unit of time
  const long delay = std::lround(seconds * kHundredths);
  return run_tool({"ffmpeg",
                   "-v",
                   "error",
                   "-f",
                   "image2pipe",
                   "-c:v",
                   "png",
                   "-framerate",
                   "100/" + std::to_string(delay),
                   "-i",
                   "pipe:0",
                   "-filter_complex",
                   kGifFilter,
                   "-f",
                   "gif",
                   "-loop",
                   "0",
                   "-final_delay",
                   std::to_string(delay * static_cast<long>(kLastStepTimes)),
                   "pipe:1"},
                  files, "ffmpeg", "");
}

}  // namespace warpsim::tools
