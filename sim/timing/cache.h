// A cache of lines that evicts the least recently used one.
//
// Shapes: a line is an address divided by the line's size; the lines of all buffers share one cache.
// Units:  lines, cycles.
// Errors: none.
// Source: fully associative with exact LRU: a simplification. Real L1 and L2 caches have sets, sectors and policies of
//         their own, which are not published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

namespace warpsim {

class LineCache {
 public:
  explicit LineCache(std::uint64_t lines) : most_(lines) {}

  // The cycle in which the line arrived, or will arrive; nullptr if it is not cached. The line becomes the most
  // recently used one.
  const std::uint64_t* find(std::uint64_t line) {
    const auto it = place_.find(line);
    if (it == place_.end()) return nullptr;
    used_.splice(used_.begin(), used_, it->second);
    return &it->second->arrival;
  }
  // Adds a line that is not cached.
  void fill(std::uint64_t line, std::uint64_t arrival) {
    if (most_ == 0) return;
    if (place_.size() == most_) {
      place_.erase(used_.back().line);
      used_.pop_back();
    }
    used_.push_front({line, arrival});
    place_[line] = used_.begin();
  }

 private:
  struct Line {
    std::uint64_t line, arrival;
  };
  std::uint64_t most_;
  std::list<Line> used_;
  std::unordered_map<std::uint64_t, std::list<Line>::iterator> place_;
};

}  // namespace warpsim
