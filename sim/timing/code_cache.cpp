#include "sim/timing/code_cache.h"

#include <algorithm>
#include <cmath>

namespace warpsim {

CodeCache::CodeCache(const CodeFetchTiming& timing, std::size_t lines)
    : timing_(timing),
      sets_(std::max<std::size_t>(timing.lines / std::max(timing.ways, 1U), 1)),
      ways_(sets_ * std::max(timing.ways, 1U)),
      comes_(lines) {
  launch();
}

void CodeCache::launch() {
  for (std::uint32_t line = 0; line < std::min<std::size_t>(timing_.ahead, comes_.size()); ++line)
    if (!has(line)) fetch(line, 0);
}

std::size_t CodeCache::place(std::uint32_t line) const {
  const std::size_t ways = ways_.size() / sets_, first = line % sets_ * ways;
  for (std::size_t k = first; k < first + ways; ++k)
    if (ways_[k].line == line) return k;
  return kNowhere;
}

void CodeCache::use(std::uint32_t line) { ways_[place(line)].used = ++uses_; }

// In the place of the line of its set that was used longest ago.
void CodeCache::fetch(std::uint32_t line, std::uint64_t comes) {
  const std::size_t ways = ways_.size() / sets_;
  const auto first = ways_.begin() + static_cast<std::ptrdiff_t>(line % sets_ * ways);
  const auto oldest = std::min_element(first, first + static_cast<std::ptrdiff_t>(ways),
                                       [](const Way& x, const Way& y) { return x.used < y.used; });
  *oldest = {line, ++uses_};
  comes_[line] = comes;
}

void CodeCache::warm() {
  for (std::uint32_t line = 0; line < comes_.size(); ++line)
    if (!has(line)) fetch(line, 0);
  launch();
}

std::uint64_t CodeCache::enter(std::uint32_t line, std::uint64_t cycle) {
  if (!has(line)) {  // nobody has asked for it
    last_ = static_cast<double>(cycle + timing_.miss);
    fetch(line, cycle + timing_.miss);
  }
  use(line);
  const std::uint64_t comes = comes_[line];
  for (std::size_t next = line + std::size_t{1}; next <= line + std::size_t{timing_.ahead} && next < comes_.size();
       ++next) {
    if (has(static_cast<std::uint32_t>(next))) continue;
    last_ = std::max(last_, static_cast<double>(cycle)) + timing_.line_interval;
    fetch(static_cast<std::uint32_t>(next), static_cast<std::uint64_t>(std::ceil(last_)));
  }
  return comes > cycle ? comes + timing_.restart : cycle;
}

}  // namespace warpsim
