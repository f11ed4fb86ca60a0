// A cache of lines that evicts the least recently used one.
//
// Shapes: a line is an address divided by the line's size; the lines of all buffers share one cache.
//         A line's sectors arrive one by one; four at most are told apart.
// Units:  lines, cycles.
// Errors: none.
// Source: fully associative with exact LRU: a simplification. Real L1 and L2 caches have sets and policies of their
//         own, which are not published.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsim {

class LineCache {
 public:
  static constexpr std::uint64_t kAbsent = ~std::uint64_t{0};
  static constexpr int kSectorBits = 2;
  // The cycle in which each sector arrived, or will arrive; kAbsent.
  using Arrivals = std::array<std::uint64_t, 1 << kSectorBits>;

  explicit LineCache(std::uint64_t lines) : most_(lines) {}

  // Of the line; nullptr if it is not cached. It becomes the most recently used one. The pointer is good until the next
  // line is filled.
  Arrivals* find(std::uint64_t line) {
    if (lines_.empty()) return nullptr;
    std::uint32_t at = heads_[head_of(line)];
    while (at != kNone && lines_[at].line != line) at = lines_[at].alike;
    if (at == kNone) return nullptr;
    use(at);
    return &lines_[at].arrivals;
  }
  // A sector arrives of a line whose arrivals find() has given, or which is not cached. Gives the line's arrivals, as
  // find() does.
  Arrivals* fill(Arrivals* found, std::uint64_t line, std::size_t sector, std::uint64_t arrival) {
    if (found == nullptr) found = add(line);
    if (found != nullptr) (*found)[sector] = arrival;
    return found;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kLeastRoom = 2048;  // lines
  struct alignas(64) Line {
    std::uint64_t line;
    std::uint64_t used = 0;  // the greatest was used last
    Arrivals arrivals{kAbsent, kAbsent, kAbsent, kAbsent};
    std::uint32_t alike = kNone;  // the next that has the same head
  };
  struct Use {
    std::uint64_t when;
    std::uint32_t at;
  };

  Arrivals* add(std::uint64_t line) {
    if (most_ == 0) return nullptr;
    std::uint32_t at = kNone;
    if (lines_.size() == most_) {
      at = take_oldest();
      forget(at);
      lines_[at] = {line};
    } else {
      at = static_cast<std::uint32_t>(lines_.size());
      if (lines_.empty()) lines_.reserve(std::min<std::size_t>(most_, kLeastRoom));
      lines_.push_back({line});
      if (2 * lines_.size() > heads_.size()) spread();
    }
    chain(at);
    use(at);
    return &lines_[at].arrivals;
  }
  // While there is room nobody needs to know whose use is the oldest. Later the uses stand in a row; of a line the last
  // one counts.
  [[gnu::always_inline]] void use(std::uint32_t at) {
    lines_[at].used = ++now_;
    if (uses_.empty()) return;
    if (use_count_ == uses_.size()) keep_last_uses();
    uses_[use_count_++] = {now_, at};
  }
  std::uint32_t take_oldest() {
    if (uses_.empty()) begin_uses();
    while (lines_[uses_[oldest_].at].used != uses_[oldest_].when) ++oldest_;
    return uses_[oldest_++].at;
  }
  void begin_uses() {
    uses_.resize(4 * lines_.size());
    for (std::uint32_t at = 0; at < lines_.size(); ++at) uses_[at] = {lines_[at].used, at};
    use_count_ = lines_.size();
    std::sort(uses_.begin(), uses_.begin() + static_cast<std::ptrdiff_t>(use_count_),
              [](const Use& x, const Use& y) { return x.when < y.when; });
  }
  void keep_last_uses() {
    std::size_t kept = 0;
    for (std::size_t k = oldest_; k < use_count_; ++k) {
      uses_[kept] = uses_[k];
      kept += lines_[uses_[k].at].used == uses_[k].when ? 1 : 0;
    }
    use_count_ = kept;
    oldest_ = 0;
  }
  std::size_t head_of(std::uint64_t line) const {
    return static_cast<std::size_t>(line * 0x9e3779b97f4a7c15 >> shift_);
  }
  void chain(std::uint32_t at) {
    std::uint32_t& head = heads_[head_of(lines_[at].line)];
    lines_[at].alike = head;
    head = at;
  }
  void forget(std::uint32_t at) {
    std::uint32_t* link = &heads_[head_of(lines_[at].line)];
    while (*link != at) link = &lines_[*link].alike;
    *link = lines_[at].alike;
  }
  // Twice as many heads, of all lines but the newest.
  void spread() {
    heads_.assign(std::max<std::size_t>(2 * heads_.size(), 64), kNone);
    shift_ = 65 - static_cast<unsigned>(std::bit_width(heads_.size()));
    for (std::uint32_t at = 0; at + 1 < lines_.size(); ++at) chain(at);
  }
  std::uint64_t most_;
  std::vector<Line> lines_;
  std::vector<std::uint32_t> heads_;  // a power of two of them
  unsigned shift_ = 0;                // from a line's hash to its head
  std::uint64_t now_ = 0;
  std::vector<Use> uses_;  // the oldest first, so many; empty: there is room
  std::size_t use_count_ = 0, oldest_ = 0;
};

}  // namespace warpsim
