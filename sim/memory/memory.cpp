#include "sim/memory/memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>
#include <utility>

#include "isa/kernels/windows.h"
#include "sim/memory/bank_ways.h"

namespace warpsim {

std::uint64_t load_bits(const std::byte* from, unsigned size_bytes) {
  std::uint64_t value = 0;
  for (unsigned k = 0; k < size_bytes; ++k) value |= std::to_integer<std::uint64_t>(from[k]) << (8 * k);
  return value;
}

void store_bits(std::byte* to, std::uint64_t value, unsigned size_bytes) {
  for (unsigned k = 0; k < size_bytes; ++k) to[k] = static_cast<std::byte>(value >> (8 * k) & 0xff);
}

GlobalMemory::GlobalMemory(const DeviceMemory& device, const Program& program, const Binding& binding)
    : device_(device),
      own_heap_(binding.heap == nullptr ? std::make_unique<DeviceMemory>(kHeapBegin + DeviceMemory::kGapBytes)
                                        : nullptr),
      heap_(binding.heap == nullptr ? own_heap_.get() : binding.heap),
      by_param_(program.params.size()) {
  for (std::size_t k = 0; k < program.params.size(); ++k) {
    const Param& p = program.params[k];
    if (!p.is_buffer()) continue;
    Buffer& buffer = by_param_[k];
    buffer.param = static_cast<std::int32_t>(k);
    buffer.type = p.type;
    buffer.read_only = p.kind == Param::Kind::In;
    buffer.address = binding.params[k];
    if (const DeviceMemory::Allocation* const at = device.find(buffer.address, 0)) {
      buffer.size_bytes = at->end() - buffer.address;
      buffer.bytes = at->bytes + (buffer.address - at->address);
      buffer.read_only = buffer.read_only || at->read_only;
    }
    by_address_.push_back(buffer);
  }
  std::sort(by_address_.begin(), by_address_.end(), [](const Buffer& x, const Buffer& y) {
    return x.address != y.address ? x.address < y.address : x.param > y.param;
  });
  for (std::size_t k = 1; k < by_address_.size(); ++k) {
    Buffer& before = by_address_[k - 1];
    before.size_bytes = std::min(before.size_bytes, by_address_[k].address - before.address);
  }
}

const GlobalMemory::Place& GlobalMemory::look_up(std::uint64_t address, std::uint64_t size_bytes, Place& last) const {
  last = {};
  if (const DeviceMemory::Allocation* const at = part_with(address).find(address, size_bytes))
    last = {{at->address, at->size_bytes}, at->bytes, is_read_only(*at)};
  return last;
}

static bool begins_behind(std::uint64_t address, const GlobalMemory::Buffer& b) { return address < b.address; }

const GlobalMemory::Buffer* GlobalMemory::buffer_at(std::uint64_t address) const {
  const auto behind = std::upper_bound(by_address_.begin(), by_address_.end(), address, begins_behind);
  if (behind == by_address_.begin()) return nullptr;
  const Buffer& b = *std::prev(behind);
  return b.contains(address, 1) ? &b : nullptr;
}

bool GlobalMemory::is_read_only(const DeviceMemory::Allocation& allocation) const {
  bool only_in = false;
  for (auto b = std::upper_bound(by_address_.begin(), by_address_.end(), allocation.end(), begins_behind);
       b != by_address_.begin() && std::prev(b)->address >= allocation.address; --b) {
    only_in = std::prev(b)->read_only;
    if (!only_in) return false;
  }
  return only_in || allocation.read_only;
}

Array GlobalMemory::contents(std::int32_t param) const {
  const Buffer* b = param < 0 ? nullptr : of_param(param);
  if (b == nullptr) return {};
  const unsigned size = static_cast<unsigned>(bytes(b->type));
  Array array{b->type, std::vector<std::uint64_t>(b->size_bytes / size)};
  for (std::size_t k = 0; k < array.bits.size(); ++k) array.bits[k] = load_bits(&b->bytes[k * size], size);
  return array;
}

std::optional<std::uint64_t> allocate(const Param& param, std::uint64_t elements, std::span<const std::uint64_t> first,
                                      DeviceMemory& memory, bool on_host) {
  const unsigned size = static_cast<unsigned>(bytes(param.type));
  const std::uint64_t alignment = std::max<std::uint64_t>(param.alignment_bytes, DeviceMemory::kAlignBytes);
  const std::optional<std::uint64_t> address = on_host ? memory.allocate_on_host(elements * size, param.name)
                                               : param.is_constant
                                                   ? memory.allocate_constant(elements * size, param.name, alignment)
                                                   : memory.allocate(elements * size, param.name, alignment);
  if (!address) return std::nullopt;
  std::byte* const at = memory.find(*address, 0)->bytes;
  first = first.first(std::min<std::size_t>(first.size(), elements));
  for (std::size_t k = 0; k < first.size(); ++k) store_bits(at + k * size, first[k], size);
  return address;
}

void link_addresses(const Program& program, const Binding& binding, std::size_t variable, DeviceMemory& memory) {
  const std::uint64_t begin = binding.params[variable];
  const std::vector<InitialAddress>& addresses = program.params[variable].addresses;
  if (addresses.empty()) return;
  const std::vector<std::uint64_t> shared = shared_offsets(program.objects_of_launch(-1), 1);
  for (const InitialAddress& one : addresses) {
    const std::size_t index = static_cast<std::size_t>(one.index);
    std::uint64_t address = kFunctionWindow + kFunctionBytes * index;
    if (one.of == InitialAddress::Of::Variable) address = binding.params[index];
    if (one.of == InitialAddress::Of::Shared) address = shared[index] + (one.is_generic ? kSharedWindow : 0);
    if (const DeviceMemory::Allocation* const in = memory.find(begin + one.at, one.bytes))
      store_bits(in->bytes + (begin + one.at - in->address), (address + one.addend) >> one.shift, one.bytes);
  }
}

std::variant<Binding, LaunchError> bind(const Program& program, const Arguments& arguments, DeviceMemory& memory) {
  Binding binding;
  for (const Param& p : program.params) {
    std::uint64_t& bound = binding.params.emplace_back(0);
    if (!p.is_buffer()) {
      if (const auto given = arguments.scalars.find(p.name); given != arguments.scalars.end()) bound = given->second;
      continue;
    }
    const auto given = arguments.buffers.find(p.name);
    std::span<const std::uint64_t> contents;
    if (given != arguments.buffers.end()) contents = given->second.bits;
    const std::optional<std::uint64_t> address = allocate(p, contents.size(), contents, memory);
    if (!address)
      return LaunchError{"L007", "there is no memory for buffer '" + p.name + "'", "give it fewer elements", {}};
    bound = *address;
  }
  for (std::size_t k = 0; k < program.params.size(); ++k) link_addresses(program, binding, k, memory);
  return binding;
}

Arguments arguments_of(const Program& program, const Binding& binding, const GlobalMemory& memory) {
  Arguments arguments;
  for (std::size_t k = 0; k < program.params.size(); ++k) {
    const Param& p = program.params[k];
    if (p.is_buffer()) arguments.buffers[p.name] = memory.contents(static_cast<std::int32_t>(k));
    else arguments.scalars[p.name] = binding.params[k];
  }
  return arguments;
}

namespace {

// Mostly lanes ask for one word after another, or all for the same: as far apart as the first two are. Else nothing.
std::optional<std::uint64_t> even_distance(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes) {
  const unsigned count = static_cast<unsigned>(std::popcount(lanes));
  if ((lanes & (lanes + 1)) != 0 || count > kBanks) return std::nullopt;
  const std::uint64_t distance = count > 1 ? offsets[1] - offsets[0] : 0;
  if ((distance != 0 && distance != size_bytes) || offsets[count - 1] - offsets[0] != distance * (count - 1))
    return std::nullopt;
  std::uint64_t uneven = 0;
  for (unsigned lane = 0; lane < count; ++lane) uneven |= offsets[lane] - offsets[0] - lane * distance;
  if (uneven != 0) return std::nullopt;
  return distance;
}

// Mostly every lane asks another bank.
bool ask_different_banks(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes) {
  if (size_bytes > kBankBytes) return false;
  std::uint32_t asked = 0;
  const auto ask = [&](unsigned lane) { asked |= std::uint32_t{1} << offsets[lane] / kBankBytes % kBanks; };
  if (lanes == ~std::uint32_t{0})
    for (unsigned lane = 0; lane < kBanks; ++lane) ask(lane);
  else for_lanes(lanes, ask);
  return std::popcount(asked) == std::popcount(lanes);
}

// The most words of one bank, where lanes take pieces of a few words each.
template <unsigned Words>
class AskedPieces {
 public:
  AskedPieces() { last_.fill(kNone); }
  void add(std::uint64_t offset) {
    const std::uint64_t piece = offset / (Words * kBankBytes);
    const std::size_t group = piece % (kBanks / Words);
    each_ = std::max<unsigned>(each_, ++asked_[group]);
    for (std::uint8_t one = last_[group]; one != kNone; one = before_[one])
      if (pieces_[one] == piece) return;
    pieces_[count_] = piece;
    before_[count_] = last_[group];
    last_[group] = count_++;
    merged_ = std::max<unsigned>(merged_, ++different_[group]);
  }
  // A 64-bit access is served in two halves, one for each half of the lanes, a 128-bit one in quarters, so full use of
  // it is no conflict.
  BankWays ways() const { return {(merged_ + Words - 1) / Words, (each_ + Words - 1) / Words, merged_}; }

 private:
  static constexpr std::uint8_t kNone = 255;
  unsigned merged_ = 0, each_ = 0;
  std::uint8_t count_ = 0;
  std::array<std::uint64_t, kMaxLanes> pieces_;
  std::array<std::uint8_t, kMaxLanes> before_;  // the piece of the same group that came before
  std::array<std::uint8_t, kBanks> last_;       // by group: its last piece
  std::array<std::uint8_t, kBanks> asked_{}, different_{};
};

template <unsigned Words>
BankWays ways_of_pieces(LaneMask lanes, const std::uint64_t* offsets) {
  AskedPieces<Words> asked;
  for_lanes(lanes, [&](unsigned lane) { asked.add(offsets[lane]); });
  return asked.ways();
}

}  // namespace

BankWays bank_ways(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes) {
  if (lanes == 0) return {};
  const unsigned words = std::max(size_bytes / kBankBytes, 1U);  // 1, 2 or 4
  if (const auto distance = even_distance(lanes, offsets, size_bytes); distance) {
    if (*distance == 0) return {1, (static_cast<unsigned>(std::popcount(lanes)) + words - 1) / words, 1};
    if (size_bytes >= kBankBytes) return {1, 1, words};
  }
  if (ask_different_banks(lanes, offsets, size_bytes)) return {1, 1, 1};
  if (words == 1) return ways_of_pieces<1>(lanes, offsets);
  return words == 2 ? ways_of_pieces<2>(lanes, offsets) : ways_of_pieces<4>(lanes, offsets);
}

bool are_alike_in_pairs(LaneMask lanes, const std::uint64_t* offsets) {
  bool next = true, next_but_one = true;
  for (LaneMask left = lanes; left != 0 && (next || next_but_one); left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    const auto is_alike = [&](unsigned other) { return !has_lane(lanes, other) || offsets[other] == offsets[lane]; };
    next &= is_alike(lane ^ 1U);
    next_but_one &= is_alike(lane ^ 2U);
  }
  return next || next_but_one;
}

unsigned bank_ways(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes, bool in_turn) {
  const BankWays ways = bank_ways(lanes, offsets, size_bytes);
  return in_turn ? ways.each : ways.merged;
}

unsigned bank_ways(const MemoryEvent& shared) {
  return bank_ways(shared.lanes, shared.address, shared.bytes * shared.elements,
                   shared.access == MemoryEvent::Access::Atomic);
}

}  // namespace warpsim
