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
  bool empty() const { return count_ == 0; }
  // How many pages have something undefined: 0 if it is empty.
  const std::size_t* undefined_pages() const { return &count_; }
  // Of the word that holds an address.
  std::uint64_t bits(std::uint64_t address) const;
  bool is_page_defined(std::uint64_t address) const { return find(address / kPageBytes) == nullptr; }
  // Whether no bit of these bytes is undefined.
  bool are_defined(std::uint64_t address, std::uint64_t size) const;
  void set_bits(std::uint64_t address, std::uint64_t bits);
  // All bits of these bytes.
  void forget(std::uint64_t address, std::uint64_t size);
  void define(std::uint64_t address, std::uint64_t size);
  // As the bytes elsewhere are.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t size);

 private:
  static constexpr std::uint64_t kPageWords = 512, kPageBytes = kPageWords * 8;
  using Words = std::array<std::uint64_t, kPageWords>;
  struct Page {
    std::unique_ptr<Words> words;          // null: all of them are undefined
    std::uint64_t undefined = kPageWords;  // words with something undefined
  };
  const Page* find(std::uint64_t number) const {
    const Known& known = known_[number % known_.size()];
    return known.number == number ? known.page : look_up(number);
  }
  const Page* look_up(std::uint64_t number) const;
  template <class F>
  void for_each_page(std::uint64_t address, std::uint64_t size, F f) const;
  std::uint64_t byte_at(std::uint64_t address) const { return bits(address) >> 8 * (address & 7) & 0xff; }
  void set_byte(std::uint64_t address, std::uint64_t bits);

  std::size_t count_ = 0;                          // of pages_
  std::unordered_map<std::uint64_t, Page> pages_;  // by address / kPageBytes; without those where all is defined
  struct Known {
    std::uint64_t number = ~std::uint64_t{0};
    const Page* page = nullptr;  // null: it has none
  };
  mutable std::array<Known, 64> known_{};   // by the last bits of the number
  void note_change(std::uint64_t number) {  // of pages_
    known_[number % known_.size()] = {};
    count_ = pages_.size();
  }
};

}  // namespace warpsim
