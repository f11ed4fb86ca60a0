// What drawings of random programs, as text, have in common: draws, lines with their guard, and bodies of some lanes.
//
// Shapes: a drawing has a text that grows line by line; registers %p, %k and %more are its own.
// Errors: none.
// Source: sim/machine/random.h.
#pragma once

#include <cstdint>
#include <string>

#include "sim/machine/random.h"

namespace warpsim::testing {

class DrawnProgram {
 protected:
  explicit DrawnProgram(std::uint64_t seed) : draw_(seed) {}

  std::uint64_t below(std::uint64_t n) { return draw_.next() % n; }
  template <class Names>
  std::string of(const Names& names) {
    return names.at(below(names.size()));
  }
  void line(const std::string& text) { text_ += "  " + guard_ + text + "\n"; }
  std::string label() { return std::to_string(labels_++); }

  // What `some` draws, with a guard that few lanes have, or all others.
  template <class Some>
  void guarded(const Some& some) {
    text_ += "  setp.lt.u32 %p, %laneid, " + std::to_string(1 + below(31)) + "\n";
    guard_ = below(2) == 0 ? "@%p " : "@!%p ";
    some();
    guard_.clear();
  }
  // A short body for lanes of which the one is not below the other; half of the time the others have one, too.
  template <class Some>
  void in_bodies(const std::string& one, const std::string& other, const Some& some) {
    const std::string number = label();
    text_ += "  setp.lt.u32 %p, " + one + ", " + other + "\n  @%p bra past" + number + "\n";
    some();
    if (below(2) == 0) {
      text_ += "  bra both" + number + "\npast" + number + ":\n";
      some();
      text_ += "both" + number + ":\n";
    } else text_ += "past" + number + ":\n";
  }
  // Rounds of which lanes make more or less.
  template <class Some>
  void in_rounds(const std::string& first, const Some& some) {
    const std::string number = label();
    text_ += "  and.b32 %k, " + first + ", 7\nround" + number + ":\n";
    some();
    text_ += "  add.u32 %k, %k, 1\n  setp.lt.u32 %more, %k, 9\n  @%more bra round" + number + "\n";
  }

  std::string text_;

 private:
  SplitMix draw_;
  std::string guard_;
  int labels_ = 0;
};

}  // namespace warpsim::testing
