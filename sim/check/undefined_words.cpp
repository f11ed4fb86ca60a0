// See undefined_words.h.
#include "sim/check/undefined_words.h"

#include <algorithm>

namespace warpsim {

const UndefinedWords::Page* UndefinedWords::find(std::uint64_t number) const {
  if (number == last_number_) return last_;
  const auto found = pages_.find(number);
  last_number_ = number;
  return last_ = found == pages_.end() ? nullptr : &found->second;
}

std::uint64_t UndefinedWords::bits(std::uint64_t address) const {
  const Page* const page = find(address / kPageBytes);
  if (page == nullptr) return 0;
  return page->words == nullptr ? ~std::uint64_t{0} : (*page->words)[address / 8 % kPageWords];
}

void UndefinedWords::set_bits(std::uint64_t address, std::uint64_t bits) {
  const std::uint64_t number = address / kPageBytes;
  if (find(number) == nullptr) {
    if (bits == 0) return;
    Page& made = pages_[number];
    made.words = std::make_unique<std::array<std::uint64_t, kPageWords>>();
    made.undefined = 0;
    last_number_ = ~std::uint64_t{0};
  }
  Page& page = pages_.at(number);
  if (page.words == nullptr) {
    page.words = std::make_unique<std::array<std::uint64_t, kPageWords>>();
    page.words->fill(~std::uint64_t{0});
  }
  std::uint64_t& word = (*page.words)[address / 8 % kPageWords];
  if (bits != 0 && word == 0) ++page.undefined;
  if (bits == 0 && word != 0) --page.undefined;
  word = bits;
  if (page.undefined != 0) return;
  pages_.erase(number);
  last_number_ = ~std::uint64_t{0};
}

void UndefinedWords::set_byte(std::uint64_t address, std::uint64_t bits) {
  const unsigned place = 8 * static_cast<unsigned>(address & 7);
  set_bits(address, (this->bits(address) & ~(std::uint64_t{0xff} << place)) | (bits & 0xff) << place);
}

void UndefinedWords::fill(std::uint64_t address, std::uint64_t size, std::uint64_t bits) {
  const std::uint64_t end = address + size;
  for (std::uint64_t at = address; at < end;) {
    if (at % kPageBytes == 0 && end - at >= kPageBytes) {
      pages_.erase(at / kPageBytes);
      if (bits != 0) pages_.emplace(at / kPageBytes, Page());
      last_number_ = ~std::uint64_t{0};
      at += kPageBytes;
    } else if (at % 8 == 0 && end - at >= 8) {
      set_bits(at, bits);
      at += 8;
    } else {
      set_byte(at++, bits);
    }
  }
}

void UndefinedWords::copy(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
  if (empty()) return;
  const bool are_words = to % 8 == 0 && from % 8 == 0;
  for (std::uint64_t k = 0; k < size;) {
    if (are_words && size - k >= 8) {
      set_bits(to + k, bits(from + k));
      k += 8;
    } else {
      set_byte(to + k, byte_at(from + k));
      ++k;
    }
  }
}

}  // namespace warpsim
