// When a pipe is taken, by what comes to it at times that are known before they come: earlier ones find their place in
// the gaps between what was asked for first.
//
// Units:  any, of time; the same for all.
// Errors: none.
// Source: docs/machine_code.md, the queues before the pipe of an SM.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsim {

class Reservations {
 public:
  // Takes it for `interval` from `start` on, or as soon after as it is free for so long; gives when. What ends before
  // `now` is forgotten: nobody asks for a time before.
  std::uint64_t take(std::uint64_t now, std::uint64_t start, std::uint64_t interval) {
    std::size_t past = 0;
    while (past < spans_.size() && spans_[past].to <= now) ++past;
    if (past != 0) spans_.erase(spans_.begin(), spans_.begin() + static_cast<std::ptrdiff_t>(past));
    std::size_t at = 0;
    for (; at < spans_.size() && spans_[at].from < start + interval; ++at) start = std::max(start, spans_[at].to);
    end_ = std::max(end_, start + interval);
    if (interval == 0) return start;
    const bool follows = at != 0 && spans_[at - 1].to == start,
               precedes = at < spans_.size() && spans_[at].from == start + interval;
    if (follows && precedes) {
      spans_[at - 1].to = spans_[at].to;
      spans_.erase(spans_.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (follows) {
      spans_[at - 1].to = start + interval;
    } else if (precedes) {
      spans_[at].from = start;
    } else {
      spans_.insert(spans_.begin() + static_cast<std::ptrdiff_t>(at), {start, start + interval});
    }
    return start;
  }
  // From when on it is free for good.
  std::uint64_t end() const { return end_; }

 private:
  struct Span {
    std::uint64_t from, to;
  };
  std::vector<Span> spans_;  // in order, apart from each other
  std::uint64_t end_ = 0;
};

}  // namespace warpsim
