// The rules of PTX, one by one; see causality.h.
#include "tests/sim/ordering/causality.h"

#include <algorithm>

namespace warpsim::testing {

Causality::Causality(const std::vector<std::size_t>& block_of_thread, Rules rules)
    : blocks_(block_of_thread), rules_(rules), threads_(block_of_thread.size()) {
  for (Thread& thread : threads_) thread.clock.resize(threads_.size());
}

void Causality::add(std::vector<Release>& to, const Release& release) {
  if (std::find(to.begin(), to.end(), release) == to.end()) to.push_back(release);
}

// 8.7: of one thread, or both scopes include the other's thread.
bool Causality::morally_strong(const Operation& a, const Operation& b) const {
  return blocks_.at(a.thread) == blocks_.at(b.thread) || (a.wide && b.wide);
}

bool Causality::takes(const Release& release, const Operation& last) const {
  if (rules_ == Rules::Checker && release.crossed && !(release.by.wide && last.wide)) return false;
  return morally_strong(release.by, last);
}

// 8.9.1: what precedes the read in observation order. Each step is a morally strong one.
std::vector<Causality::Release> Causality::observed(const Operation& by, std::uint64_t word) const {
  const auto at = words_.find(word);
  if (at == words_.end() || !morally_strong(at->second.written_by, by)) return {};
  return at->second.releases;
}

void Causality::synchronize(std::size_t thread, const Release& with) {
  Clock& clock = threads_.at(thread).clock;
  for (std::size_t k = 0; k < clock.size(); ++k) clock[k] = std::max(clock[k], with.clock[k]);
}

void Causality::access(std::size_t thread, const Access& how) {
  Thread& self = threads_.at(thread);
  const Operation by{thread, how.wide};
  std::vector<Release> handed_on;
  if (how.reads) {
    handed_on = observed(by, how.word);
    for (Release& each : handed_on) {
      each.word = how.word;
      add(self.read, each);
    }
    // 8.8: an acquire; or a strong read and an acquire at the same address behind it.
    const auto here = rules_ == Rules::Ptx ? self.read : handed_on;
    if (how.acquires)
      for (const Release& each : here)
        if (each.is_pattern && each.word == how.word && takes(each, by)) synchronize(thread, each);
  }
  if (!how.writes) return;
  // 8.8: a release; a release and a strong write at the same address behind it; or a fence and a strong write.
  if (how.releases) self.own.push_back({by, self.clock, true, false, false, how.word});
  for (const Release& each : self.own)
    if (each.word == how.word && (rules_ == Rules::Ptx || (how.releases && &each == &self.own.back())))
      add(handed_on, each);
  for (const Release& each : self.fences) add(handed_on, each);
  for (const Release& each : self.sc_before) add(handed_on, each);
  for (Release& each : handed_on) each.crossed = each.crossed || blocks_.at(each.by.thread) != blocks_.at(thread);
  words_[how.word] = {by, handed_on};
}

void Causality::fence(std::size_t thread, bool wide, bool sc) {
  Thread& self = threads_.at(thread);
  const Operation by{thread, wide};
  // 8.8: a strong read and a fence behind it. 8.9.2: a fence.sc before the write comes before one behind the read, for
  // the other way round the read would come before the write that it reads.
  for (const Release& each : self.read)
    if ((each.is_pattern || (sc && each.is_sc)) && takes(each, by)) synchronize(thread, each);
  for (const Release& each : self.read_before)
    if (sc && each.is_sc && takes(each, by)) synchronize(thread, each);
  self.fences.push_back({by, self.clock, true, sc, false, 0});
}

// 8.9.4: barriers synchronise. What comes before one of the threads comes before all.
void Causality::meet(const std::vector<std::size_t>& threads) {
  Clock clock(threads_.size());
  std::vector<Release> sc_before, read_before;
  for (const std::size_t each : threads) {
    const Thread& one = threads_.at(each);
    for (std::size_t k = 0; k < clock.size(); ++k) clock[k] = std::max(clock[k], one.clock[k]);
    for (const std::vector<Release>* const part : {&one.fences, &one.sc_before})
      for (Release fence : *part) {
        fence.is_pattern = false;
        if (fence.is_sc) add(sc_before, fence);
      }
    for (const std::vector<Release>* const part : {&one.read, &one.read_before})
      for (const Release& release : *part)
        if (release.is_sc) add(read_before, release);
  }
  for (const std::size_t each : threads) {
    threads_.at(each).clock = clock;
    threads_.at(each).sc_before = sc_before;
    threads_.at(each).read_before = read_before;
  }
}

}  // namespace warpsim::testing
