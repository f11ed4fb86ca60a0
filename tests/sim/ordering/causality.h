// What comes before what in a stream of operations, kept the slow way: each thread has a clock of all threads, and each
// word a list of what was released there.
//
// Shapes: threads from 0, each in a block. An operation counts as its thread's next one; an access `k` of thread `u` is
//         before what thread `t` does next if t's clock of u has reached k. The stream is one execution: a read reads
//         the last write before it.
// Units:  operations of a thread, from 1.
// Errors: none.
// Source: PTX ISA 9.0: 8.7 "Morally strong operations", 8.8 "Release and Acquire Patterns", 8.9.1 "Observation order",
//         8.9.2 "Fence-SC order", 8.9.4 "Causality order". Nothing is taken from sim/check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace warpsim::testing {

class Causality {
 public:
  enum class Rules : std::uint8_t {
    Ptx,     // but for the order of fence.sc operations that follows from more than barriers and one word
    Checker  // without the patterns and scopes that sim/ordering/ordering.h says it leaves out
  };
  struct Access {
    std::uint64_t word = 0;
    bool reads = false, writes = false, acquires = false, releases = false;
    bool wide = true;  // reaches all blocks, not its own alone
  };

  Causality(const std::vector<std::size_t>& block_of_thread, Rules rules);
  // An access that orders nothing; returns its number.
  unsigned step(std::size_t thread) { return ++threads_.at(thread).clock.at(thread); }
  void store_weakly(std::uint64_t word) { words_.erase(word); }
  void access(std::size_t thread, const Access& how);
  void fence(std::size_t thread, bool wide, bool sc);
  void meet(const std::vector<std::size_t>& threads);  // at a barrier
  bool is_before(std::size_t first, unsigned number, std::size_t thread) const {
    return threads_.at(thread).clock.at(first) >= number;
  }

 private:
  using Clock = std::vector<unsigned>;
  struct Operation {
    std::size_t thread = 0;
    bool wide = false;
    bool operator==(const Operation&) const = default;
  };
  // The first operation of a release pattern, or a fence.sc that comes before the write in causality order.
  struct Release {
    Operation by;
    Clock clock;
    bool is_pattern = false, is_sc = false;
    bool crossed = false;  // an atomic of another block has continued it
    std::uint64_t word = 0;
    bool operator==(const Release&) const = default;
  };
  struct Thread {
    Clock clock;
    std::vector<Release> fences;       // its own
    std::vector<Release> own;          // its own releases, with their word
    std::vector<Release> sc_before;    // others' fence.sc that come before
    std::vector<Release> read;         // what its strong reads have read
    std::vector<Release> read_before;  // what strong reads have read that come before
  };
  struct Word {
    Operation written_by;
    std::vector<Release> releases;
  };
  static void add(std::vector<Release>& to, const Release& release);
  bool morally_strong(const Operation& a, const Operation& b) const;
  bool takes(const Release& release, const Operation& last) const;
  std::vector<Release> observed(const Operation& by, std::uint64_t word) const;
  void synchronize(std::size_t thread, const Release& with);

  std::vector<std::size_t> blocks_;
  Rules rules_;
  std::vector<Thread> threads_;
  std::map<std::uint64_t, Word> words_;
};

}  // namespace warpsim::testing
