// What is known to be over before what: vector clocks over the work of streams.
//
// Shapes: work is in chains, each in order; a clock says how much of each chain is over. A chain holds whatever is
//         in order, of one stream or of several, so that there are as many as work that is not.
// Units:  work in its chain counts from 1.
// Errors: none.
// Source: Mattern, "Virtual Time and Global States of Distributed Systems" (1989).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsim::cudart {

struct Moment {
  std::size_t chain = 0;
  std::uint64_t number = 0;
};

class WorkClock {
 public:
  bool knows(const Moment& moment) const { return at(moment.chain) >= moment.number; }
  std::uint64_t at(std::size_t chain) const { return chain < known_.size() ? known_[chain] : 0; }
  void join(const WorkClock& other) {
    known_.resize(std::max(known_.size(), other.known_.size()));
    for (std::size_t k = 0; k < other.known_.size(); ++k) known_[k] = std::max(known_[k], other.known_[k]);
  }
  void join(const Moment& moment) {
    known_.resize(std::max(known_.size(), moment.chain + 1));
    known_[moment.chain] = std::max(known_[moment.chain], moment.number);
  }

 private:
  std::vector<std::uint64_t> known_;
};

class WorkChains {
 public:
  // Of work that begins when what the clock knows is over.
  Moment next(const WorkClock& clock) {
    std::size_t chain = 0;
    while (chain < last_.size() && clock.at(chain) < last_[chain]) ++chain;
    if (chain == last_.size()) last_.push_back(0);
    return {chain, ++last_[chain]};
  }
  void join_to(WorkClock& clock) const {
    for (std::size_t chain = 0; chain < last_.size(); ++chain) clock.join({chain, last_[chain]});
  }

 private:
  std::vector<std::uint64_t> last_;  // of each chain
};

}  // namespace warpsim::cudart
