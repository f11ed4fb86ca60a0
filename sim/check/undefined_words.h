// Which bits of global memory are undefined, where mostly none is, or whole buffers are.
//
// Shapes: by word of eight bytes, a bit for each of its bits, 1 = undefined; words in pages. A page of which nothing
//         was written yet has no words of its own, so that a large buffer costs next to nothing until it is touched.
// Units:  addresses and sizes in bytes.
// Errors: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace warpsim {

class UndefinedWords {
 public:
  bool empty() const { return pages_.empty(); }
  // Of the word that holds an address.
  std::uint64_t bits(std::uint64_t address) const;
  void set_bits(std::uint64_t address, std::uint64_t bits);
  // All bits of these bytes.
  void forget(std::uint64_t address, std::uint64_t size) { fill(address, size, ~std::uint64_t{0}); }
  void define(std::uint64_t address, std::uint64_t size) {
    if (!empty()) fill(address, size, 0);
  }
  // As the bytes elsewhere are.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t size);

 private:
  static constexpr std::uint64_t kPageWords = 512, kPageBytes = kPageWords * 8;
  struct Page {
    std::unique_ptr<std::array<std::uint64_t, kPageWords>> words;  // null: all of them are undefined
    std::uint64_t undefined = kPageWords;                          // words with something undefined
  };
  const Page* find(std::uint64_t number) const;
  void fill(std::uint64_t address, std::uint64_t size, std::uint64_t bits);
  std::uint64_t byte_at(std::uint64_t address) const { return bits(address) >> 8 * (address & 7) & 0xff; }
  void set_byte(std::uint64_t address, std::uint64_t bits);

  std::unordered_map<std::uint64_t, Page> pages_;  // by address / kPageBytes; without those where all is defined
  mutable std::uint64_t last_number_ = ~std::uint64_t{0};
  mutable const Page* last_ = nullptr;  // of last_number_; null: it has none
};

}  // namespace warpsim
