// The instruction cache of an SM: which lines of the code it has, and when one comes that it lacks.
//
// Shapes: lines are numbered from the code's begin. What stands behind a line that a warp enters is fetched ahead, one
//         line after the other; a line that a jump goes to is asked for when it is needed. Of each set of lines the one
//         that was used longest ago gives way.
// Units:  cycles.
// Errors: none.
// Source: traces/captures/h200/machine_code.json, kernels `fetch/*`: first launches and launches of code that is larger
//         than the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/timing/profile.h"

namespace warpsim {

class CodeCache {
 public:
  // Empty: a launch has only asked for the first lines.
  CodeCache(const CodeFetchTiming& timing, std::size_t lines);

  // As a launch of the same code has left it, which went through all of it once.
  void warm();
  // A warp goes on in that line: from which cycle on it can issue, `cycle` or later.
  std::uint64_t enter(std::uint32_t line, std::uint64_t cycle);

 private:
  void launch();  // its first lines are there
  bool has(std::uint32_t line) const { return place(line) != kNowhere; }
  std::size_t place(std::uint32_t line) const;  // in `ways_`
  void use(std::uint32_t line);
  void fetch(std::uint32_t line, std::uint64_t comes);

  static constexpr std::size_t kNowhere = ~std::size_t{0};
  struct Way {
    std::uint32_t line = ~std::uint32_t{0};
    std::uint64_t used = 0;
  };
  CodeFetchTiming timing_;
  std::size_t sets_;
  std::vector<Way> ways_;             // set by set
  std::vector<std::uint64_t> comes_;  // by line
  std::uint64_t uses_ = 0;
  double last_ = 0;  // when the line comes that was asked for last
};

}  // namespace warpsim
