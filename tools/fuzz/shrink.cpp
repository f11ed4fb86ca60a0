// A program that differs, made small; see shrink.h.
#include "tools/fuzz/shrink.h"

#include <algorithm>
#include <utility>

namespace warpsim::fuzz {

namespace {

using reference::RandomParam;
using reference::RandomProgram;

constexpr std::size_t kMostCandidates = 32;  // judged together

// "" for a difference in a value; else the sentence up to what only this program has.
std::string kind_of(const std::string& difference) {
  const bool is_value = difference.rfind("the ", 0) != 0 && difference.rfind("does not ", 0) != 0;
  return is_value ? "" : difference.substr(0, difference.find(':'));
}

class Shrinker {
 public:
  Shrinker(const RandomProgram& source, const std::string& difference, const Judge& judge)
      : best_(source), kind_(kind_of(difference)), judge_(judge) {}

  RandomProgram run() {
    for (std::size_t step = std::max<std::size_t>(best_.lines.size() / 2, 1); step > 1; step /= 2) lines(step);
    while (lines(1)) continue;
    parameters();
    const bool fewer_threads = launch(), fewer_values = values();
    if (fewer_threads || fewer_values) {
      while (lines(1)) continue;
      parameters();
    }
    places();
    lengths();
    return std::move(best_);
  }

 private:
  // Takes the first candidate that still differs; candidates.size() if none does.
  std::size_t take_first(std::vector<RandomProgram>&& candidates) {
    const std::vector<std::string> differences = judge_(candidates);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (differences[k].empty() || kind_of(differences[k]) != kind_) continue;
      best_ = std::move(candidates[k]);
      return k;
    }
    return candidates.size();
  }
  bool take(RandomProgram candidate) {
    std::vector<RandomProgram> one;
    one.push_back(std::move(candidate));
    return take_first(std::move(one)) == 0;
  }

  // Takes `step` lines away wherever that goes, from the last ones on: what uses a value goes before what makes it.
  bool lines(std::size_t step) {
    bool any = false;
    std::size_t batch = 1;
    for (std::size_t end = best_.lines.size(); end > 0;) {
      std::vector<RandomProgram> candidates;
      std::vector<std::size_t> begins;
      for (std::size_t to = end; to > 0 && candidates.size() < batch; to = begins.back()) {
        begins.push_back(to > step ? to - step : 0);
        RandomProgram& shorter = candidates.emplace_back(best_);
        const auto first = shorter.lines.begin();
        shorter.lines.erase(first + static_cast<std::ptrdiff_t>(begins.back()),
                            first + static_cast<std::ptrdiff_t>(to));
      }
      const std::size_t taken = take_first(std::move(candidates));
      const bool found = taken < begins.size();
      any = any || found;
      end = found ? begins[taken] : begins.back();
      batch = found ? 1 : std::min(batch * 2, kMostCandidates);
    }
    return any;
  }

  static void erase(RandomProgram& from, const std::string& param) {
    std::erase_if(from.params, [&param](const RandomParam& p) { return p.name == param; });
    from.scalars.erase(param);
    from.buffers.erase(param);
  }
  // Parameters that no line names: all at once, or those without which the others do not move in memory.
  void parameters() {
    std::vector<std::string> unused;
    for (const RandomParam& p : best_.params) {
      const auto names_it = [&p](const std::string& line) { return line.find(p.name) != std::string::npos; };
      if (std::none_of(best_.lines.begin(), best_.lines.end(), names_it)) unused.push_back(p.name);
    }
    RandomProgram without = best_;
    for (const std::string& name : unused) erase(without, name);
    if (unused.empty() || take(std::move(without))) return;
    for (const std::string& name : unused) {
      without = best_;
      erase(without, name);
      take(std::move(without));
    }
  }

  // One block, one warp.
  bool launch() {
    bool any = false;
    RandomProgram smaller = best_;
    smaller.grid = {1, 1, 1};
    if (best_.grid.count() > 1) any = take(std::move(smaller));
    smaller = best_;
    smaller.block = {smaller.lanes, 1, 1};
    if (best_.block.count() > best_.lanes) any = take(std::move(smaller)) || any;
    return any;
  }

  // Buffers of zeros, scalars of zero.
  bool values() {
    bool any = false;
    for (std::size_t k = 0; k < best_.params.size(); ++k) {
      const std::string name = best_.params[k].name;
      RandomProgram zero = best_;
      if (zero.scalars.count(name) != 0) zero.scalars[name] = 0;
      if (zero.buffers.count(name) != 0) std::fill(zero.buffers[name].bits.begin(), zero.buffers[name].bits.end(), 0);
      if (zero.scalars != best_.scalars || zero.buffers != best_.buffers) any = take(std::move(zero)) || any;
    }
    return any;
  }

  // What each thread stores of its registers goes to the front of the buffer.
  void places() {
    RandomProgram front = best_;
    for (std::string& line : front.lines) {
      const std::size_t from = line.find("[%gl + ");
      if (from != std::string::npos) line.replace(from, line.find(']', from) - from, "[%gl");
    }
    if (front.lines != best_.lines) take(std::move(front));
  }

  // Buffers without the elements behind the last one that is needed.
  void lengths() {
    for (std::size_t k = 0; k < best_.params.size(); ++k) {
      for (unsigned cut = best_.params[k].length / 2; cut > 0; cut /= 2) {
        while (best_.params[k].length > cut) {
          RandomProgram shorter = best_;
          RandomParam& p = shorter.params[k];
          p.length -= cut;
          shorter.buffers[p.name].bits.resize(p.length);
          if (!take(std::move(shorter))) break;
        }
      }
    }
  }

  RandomProgram best_;
  std::string kind_;
  const Judge& judge_;
};

}  // namespace

RandomProgram shrink(const RandomProgram& source, const std::string& difference, const Judge& judge) {
  return Shrinker(source, difference, judge).run();
}

}  // namespace warpsim::fuzz
