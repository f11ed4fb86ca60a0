// A set of registers of a program, a bit each, for what follows sets through the control-flow graph.
//
// Shapes: registers by their index in Program::registers. Two sets that meet are of one program.
// Units:  none.
// Errors: none.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsim {

class RegisterSet {
 public:
  RegisterSet() = default;
  RegisterSet(std::size_t registers, bool has_all)
      : words_((registers + 63) / 64, has_all ? ~std::uint64_t{0} : std::uint64_t{0}) {}
  bool has(std::int32_t reg) const { return (words_[word_of(reg)] & bit_of(reg)) != 0; }
  void add(std::int32_t reg) { words_[word_of(reg)] |= bit_of(reg); }
  void remove(std::int32_t reg) { words_[word_of(reg)] &= ~bit_of(reg); }
  void add(const RegisterSet& others) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= others.words_[w];
  }
  // What neither of the two has goes.
  void keep_of_either(const RegisterSet& one, const RegisterSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= one.words_[w] | other.words_[w];
  }
  // Calls f(register), in rising order.
  template <class F>
  void for_each(F f) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        f(static_cast<std::int32_t>(w * 64) + std::countr_zero(left));
  }
  bool operator==(const RegisterSet&) const = default;

 private:
  static std::size_t word_of(std::int32_t reg) { return static_cast<std::size_t>(reg) / 64; }
  static std::uint64_t bit_of(std::int32_t reg) { return std::uint64_t{1} << static_cast<unsigned>(reg) % 64; }
  std::vector<std::uint64_t> words_;
};

}  // namespace warpsim
