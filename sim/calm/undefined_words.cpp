// See undefined_words.h.
#include "sim/calm/undefined_words.h"

#include <algorithm>

namespace warpsim {

const UndefinedWords::Page* UndefinedWords::look_up(std::uint64_t number) const {
  const auto found = pages_.find(number);
  known_[number % known_.size()] = {number, found == pages_.end() ? nullptr : &found->second};
  return known_[number % known_.size()].page;
}

namespace {

// Calls f(number of the word, mask of its bits) for each word of eight of these bytes.
template <class F>
void for_each_word(std::uint64_t address, std::uint64_t end, F f) {
  while (address < end) {
    const std::uint64_t next = std::min(end, address / 8 * 8 + 8), size = next - address;
    f(address / 8, ~std::uint64_t{0} >> 8 * (8 - size) << 8 * (address % 8));
    address = next;
  }
}

}  // namespace

// Calls f(page, first address, end) for each page of these bytes that has something undefined.
template <class F>
void UndefinedWords::for_each_page(std::uint64_t address, std::uint64_t size, F f) const {
  for (const std::uint64_t end = address + size; address < end;) {
    const std::uint64_t next = std::min(end, (address / kPageBytes + 1) * kPageBytes);
    if (const Page* const page = find(address / kPageBytes); page != nullptr) f(*page, address, next);
    address = next;
  }
}

bool UndefinedWords::are_defined(std::uint64_t address, std::uint64_t size) const {
  std::uint64_t undefined = 0;
  for_each_page(address, size, [&](const Page& page, std::uint64_t begin, std::uint64_t end) {
    if (page.words == nullptr) undefined = 1;
    else
      for_each_word(begin, end, [&](std::uint64_t word, std::uint64_t mask) {
        undefined |= (*page.words)[word % kPageWords] & mask;
      });
  });
  return undefined == 0;
}

void UndefinedWords::define(std::uint64_t address, std::uint64_t size) {
  if (empty()) return;
  for_each_page(address, size, [&](const Page&, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t number = begin / kPageBytes;
    Page& page = pages_.at(number);
    if (end - begin < kPageBytes) {
      if (page.words == nullptr) {
        page.words = std::make_unique<Words>();
        page.words->fill(~std::uint64_t{0});
      }
      for_each_word(begin, end, [&](std::uint64_t word, std::uint64_t mask) {
        std::uint64_t& bits = (*page.words)[word % kPageWords];
        page.undefined -= std::uint64_t{bits != 0 && (bits & ~mask) == 0};
        bits &= ~mask;
      });
      if (page.undefined != 0) return;
    }
    pages_.erase(number);
    note_change(number);
  });
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
    made.words = std::make_unique<Words>();
    made.undefined = 0;
    note_change(number);
  }
  Page& page = pages_.at(number);
  if (page.words == nullptr) {
    page.words = std::make_unique<Words>();
    page.words->fill(~std::uint64_t{0});
  }
  std::uint64_t& word = (*page.words)[address / 8 % kPageWords];
  if (bits != 0 && word == 0) ++page.undefined;
  if (bits == 0 && word != 0) --page.undefined;
  word = bits;
  if (page.undefined != 0) return;
  pages_.erase(number);
  note_change(number);
}

void UndefinedWords::set_byte(std::uint64_t address, std::uint64_t bits) {
  const unsigned place = 8 * static_cast<unsigned>(address & 7);
  set_bits(address, (this->bits(address) & ~(std::uint64_t{0xff} << place)) | (bits & 0xff) << place);
}

void UndefinedWords::forget(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  for (std::uint64_t at = address; at < end;) {
    if (at % kPageBytes == 0 && end - at >= kPageBytes) {
      pages_[at / kPageBytes] = Page();
      note_change(at / kPageBytes);
      at += kPageBytes;
    } else if (at % 8 == 0 && end - at >= 8) {
      set_bits(at, ~std::uint64_t{0});
      at += 8;
    } else {
      set_byte(at++, ~std::uint64_t{0});
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
