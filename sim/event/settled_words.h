// Words of memory that loads may read without a word to the one who watches: what it keeps of them would not change.
//
// Shapes: a bit for each word of 4 bytes, 1 = settled. Of global memory in pages, in a table with a place for each by a
//         hash of its number; a page that is not in its place has no settled words. Behind the last bit of a page, and
//         of shared memory, are 32 more, all 0.
// Units:  addresses in bytes.
// Errors: none.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace warpsim {

// Bits from this one on; `f` is called with a word that holds some of them, and with those.
template <class Word, class F>
void for_each_word_of_bits(Word* bits, std::uint32_t first, std::uint32_t count, F f) {
  while (count != 0) {
    const std::uint32_t place = first % 32, here = std::min(32 - place, count);
    f(bits[first / 32], ~std::uint32_t{0} >> (32 - here) << place);
    first += here;
    count -= here;
  }
}
inline bool are_all_set(const std::uint32_t* bits, std::uint32_t first, std::uint32_t count) {
  std::uint32_t missing = 0;
  for_each_word_of_bits(bits, first, count, [&](std::uint32_t word, std::uint32_t mask) { missing |= ~word & mask; });
  return missing == 0;
}

struct SettledPages {
  static constexpr unsigned kPageBits = 10, kCountBits = 10, kWordsBits = kPageBits - 2;
  static constexpr std::uint32_t kHash = 0x9e3779b1;
  using Words = std::array<std::uint32_t, (std::size_t{1} << kWordsBits) / 32 + 1>;
  struct Page {
    std::uint64_t number = ~std::uint64_t{0};  // address >> kPageBits
    const std::uint32_t* words = nullptr;      // Words
  };
  static constexpr std::size_t place_of(std::uint64_t number) {
    return static_cast<std::uint32_t>(number) * kHash >> (32 - kCountBits);
  }
  static constexpr std::uint32_t word_of(std::uint64_t address) {  // of its page
    return static_cast<std::uint32_t>(address / 4) % (1U << kWordsBits);
  }
  std::array<Page, std::size_t{1} << kCountBits> pages{};
};

}  // namespace warpsim
