// See touched_bytes.h.
#include "host/device/touched_bytes.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "isa/kernels/windows.h"
#include "sim/ordering/orderings.h"

namespace warpsim::host {
namespace {

constexpr std::uint64_t kBits = 64;

// Bits [begin, end) of a word.
std::uint64_t bits_between(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t below_end = end == kBits ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  return below_end & (~std::uint64_t{0} << begin);
}

}  // namespace

void TouchedBytes::add(const MemoryEvent& event, const Insn* insn) {
  if (event.source != nullptr)
    for_each_lane(event.source->lanes,
                  [&](unsigned lane) { add(Way::Read, event.source->address[lane], event.source->bytes[lane]); });
  if (event.space != AddressSpace::Global && event.space != AddressSpace::Constant) return;
  const Semantics semantics = insn == nullptr ? Semantics::None : qualifiers_of(*insn).semantics;
  const bool is_strong = semantics != Semantics::None && semantics != Semantics::Weak;
  const Way way = event.access == MemoryEvent::Access::Atomic ? Way::StrongWrite
                  : event.access == MemoryEvent::Access::Load ? is_strong ? Way::StrongRead : Way::Read
                  : is_strong                                 ? Way::StrongWrite
                                                              : Way::Write;
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  if (event.neighbours) return add(way, event.address[0], size * count_lanes(event.lanes));
  for_each_lane(event.lanes, [&](unsigned lane) { add(way, event.address[lane], size); });
}

void TouchedBytes::add(const RangeEvent& event) {
  if (event.space == AddressSpace::Global) add(event.is_store ? Way::Write : Way::Read, event.address, event.size());
}

void TouchedBytes::add(const CalmPages& pages) {
  pages.for_each_touched([this](CalmPages::Way how, std::uint64_t address, std::uint64_t size) {
    add(how == CalmPages::Way::Read    ? Way::Read
        : how == CalmPages::Way::Write ? Way::Write
                                       : Way::StrongWrite,
        address, size);
  });
}

TouchedBytes::Page& TouchedBytes::page(std::uint64_t number) {
  if (number != last_number_) last_ = &pages_[number], last_number_ = number;
  return *last_;
}

void TouchedBytes::add(Way way, std::uint64_t address, std::uint64_t size) {
  if (address - kHeapBegin < kHeapEnd - kHeapBegin || address - left_out_.begin < left_out_.end - left_out_.begin)
    return;
  while (size != 0) {
    const std::uint64_t begin = address % kPageBytes, end = std::min(begin + size, kPageBytes);
    std::unique_ptr<Bits>& bits = page(address / kPageBytes).bits[static_cast<std::size_t>(way)];
    if (bits == nullptr) bits = std::make_unique<Bits>();
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t first = at % kBits, last = std::min(kBits, first + end - at);
      (*bits)[at / kBits] |= bits_between(first, last);
      at += last - first;
    }
    address += end - begin;
    size -= end - begin;
  }
}

// Of the pages in rising order.
ByteRanges TouchedBytes::ranges(Way way, const std::vector<std::uint64_t>& numbers) const {
  std::vector<ByteRange> all;
  for (const std::uint64_t number : numbers) {
    const std::unique_ptr<Bits>& bits = pages_.at(number).bits[static_cast<std::size_t>(way)];
    if (bits == nullptr) continue;
    if (all.size() > kMostRanges) break;
    for (std::uint64_t word = 0; word < bits->size(); ++word)
      for (std::uint64_t left = (*bits)[word]; left != 0;) {
        const auto first = static_cast<std::uint64_t>(std::countr_zero(left));
        const auto count = static_cast<std::uint64_t>(std::countr_one(left >> first));
        const std::uint64_t address = number * kPageBytes + word * kBits + first;
        if (!all.empty() && all.back().end == address) all.back().end += count;
        else all.push_back({address, address + count});
        left &= ~bits_between(first, first + count);
      }
  }
  return ByteRanges(std::move(all));
}

Touched TouchedBytes::take() {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  Touched touched{ranges(Way::Read, numbers), ranges(Way::Write, numbers), ranges(Way::StrongRead, numbers),
                  ranges(Way::StrongWrite, numbers)};
  pages_.clear();
  last_ = nullptr;
  last_number_ = ~std::uint64_t{0};
  return touched.size() > kMostRanges ? Touched{} : touched;
}

}  // namespace warpsim::host
