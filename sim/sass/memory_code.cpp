// See memory_code.h. Loads, stores and copies.
#include "sim/sass/memory_code.h"

#include <algorithm>
#include <type_traits>

#include "isa/kernels/windows.h"
#include "isa/text/number_text.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {

bool take_address(CodeBuilder& b, const Operand& address) {
  CodeOp& op = b.op;
  op.a = b.register_row(address.base);
  op.b = address.has_descriptor ? b.machine.layout.zero() : b.uniform_row(address.uniform);
  op.offset = address.value;
  const bool is_plain = b.insn.name == "LDS" || b.insn.name == "STS" || b.insn.name == "LDL" || b.insn.name == "STL" ||
                        b.insn.name == "ATOMS" || b.insn.name == "LDSM" || b.insn.name == "STSM";
  op.type2 = is_plain ? Type::U32 : Type::U64;
  if (is_plain) return true;
  if (!b.has("E")) return false;
  if (address.text.find(".U32+") != std::string::npos) op.type2 = Type::S64;  // a base of 32 bits, the rest of 64
  return true;
}

void compute_addresses(Exec& x, const CodeOp& op) { x.machine.lanes->addresses(x, op); }

Space placed(std::uint64_t& address) {
  const AddressSpace space = space_of_address(address);
  if (space != AddressSpace::Shared && space != AddressSpace::Local) return Space::Global;
  address -= window_of(space);
  return space == AddressSpace::Shared ? Space::Shared : Space::Local;
}

namespace {

// The copy of an allocation that the launch's code works on, if there is one.
const DeviceMemory::Allocation& copy_of(CodeMachine::Impl& machine, const DeviceMemory::Allocation& one) {
  if (machine.launch.copies == nullptr) return one;
  const auto bytes = machine.launch.copies->find(one.address);
  if (bytes == machine.launch.copies->end()) return one;
  DeviceMemory::Allocation& copy = machine.copied.try_emplace(one.address, one).first->second;
  copy.bytes = bytes->second.data();
  return copy;
}

// The allocation that holds all of these bytes; null: none does.
const DeviceMemory::Allocation* allocation_at(CodeMachine::Impl& machine, std::uint64_t address, std::uint64_t size) {
  if (machine.last != nullptr && machine.last->contains(address, size)) return machine.last;
  const DeviceMemory::Allocation* const found =
      machine.launch.memory == nullptr ? nullptr : machine.launch.memory->find(address, size);
  if (found == nullptr) return nullptr;
  machine.last = &copy_of(machine, *found);
  return machine.last;
}

}  // namespace

std::byte* bytes_at(Exec& x, std::uint64_t address, unsigned size, Space space, bool stores) {
  if ((address & (size - 1)) != 0) {
    x.fault("an access of " + std::to_string(size) + " bytes goes to " + hexadecimal_text(address) +
            ", which is no multiple of that");
    return nullptr;
  }
  if (space == Space::Shared) {
    std::vector<std::byte>& shared = x.block().shared;
    if (address <= shared.size() && size <= shared.size() - address) return shared.data() + address;
    x.fault("address " + hexadecimal_text(address) + " of shared memory is behind its end, " +
            hexadecimal_text(shared.size()));
    return nullptr;
  }
  const DeviceMemory::Allocation* const found = allocation_at(x.machine, address, size);
  if (found == nullptr) {
    x.fault("nothing is at address " + hexadecimal_text(address) + " of global memory");
    return nullptr;
  }
  if (stores && found->read_only) {
    x.fault("a store goes to address " + hexadecimal_text(address) + ", which may only be read");
    return nullptr;
  }
  return found->bytes + (address - found->address);
}

std::uint32_t* local_word(Exec& x, std::uint64_t address, unsigned lane) {
  if (address >= kStackTop) {
    x.fault("address " + hexadecimal_text(address) + " of local memory is above the stack");
    return nullptr;
  }
  const std::size_t depth = (kStackTop - 4 - address / 4 * 4) / 4;
  std::vector<std::uint32_t>& local = x.warp.local;
  if (local.size() < (depth + 1) * kLanes) local.resize((depth + 1) * kLanes);
  return &local[depth * kLanes + lane];
}

void describe_access(Exec& x, Space space, unsigned size, bool stores) {
  CodeStep& step = x.step;
  step.bytes = static_cast<std::uint8_t>(size);
  step.stores = stores;
  Space of_first = space;
  if (space == Space::Generic) {
    std::uint64_t first = step.address[first_of(x.mask)];
    of_first = placed(first);
    if (of_first != Space::Global) for_lanes(x.mask, [&](unsigned l) { placed(step.address[l]); });
  }
  step.space = of_first == Space::Shared  ? CodeStep::Space::Shared
               : of_first == Space::Local ? CodeStep::Space::Local
                                          : CodeStep::Space::Global;
}

namespace memory_code {
namespace {

struct Width {
  unsigned bytes;
  bool is_signed;
};
constexpr Width kWidths[] = {{1, false}, {1, true}, {2, false}, {2, true}, {4, false}, {8, false}, {16, false}};

// Of one lane, up to four words of a register each.
void load_lane(Exec& x, const CodeOp& op, std::uint64_t address, Space space, unsigned l) {
  const unsigned size = op.number;
  if (space == Space::Generic) space = placed(address);
  std::uint32_t words[4] = {};
  if (space == Space::Local) {
    if (address % size != 0) return x.fault("an access of local memory is not aligned");
    for (unsigned k = 0; k < (size + 3) / 4; ++k) {
      const std::uint32_t* const word = local_word(x, address + 4 * k, l);
      if (word == nullptr) return;
      words[k] = *word;
    }
    words[0] = size < 4 ? words[0] >> (8 * (address % 4)) & ((1U << (8 * size)) - 1) : words[0];
  } else {
    const std::byte* const bytes = bytes_at(x, address, size, space, false);
    if (bytes == nullptr) return;
    std::memcpy(words, bytes, size);
  }
  if (op.value != 0)
    words[0] = static_cast<std::uint32_t>(static_cast<std::int32_t>(words[0] << (32 - 8 * size)) >> (32 - 8 * size));
  for (unsigned k = 0; k < (size + 3) / 4; ++k) x.row(op.d + k * kRowBytes)[l] = words[k];
}

void store_lane(Exec& x, const CodeOp& op, std::uint64_t address, Space space, unsigned l) {
  const unsigned size = op.number;
  if (space == Space::Generic) space = placed(address);
  std::uint32_t words[4] = {};
  for (unsigned k = 0; k < (size + 3) / 4; ++k) words[k] = x.row(op.c + k * kRowBytes)[l];
  if (space != Space::Local) {
    std::byte* const bytes = bytes_at(x, address, size, space, true);
    if (bytes != nullptr) std::memcpy(bytes, words, size);
    return;
  }
  if (address % size != 0) return x.fault("an access of local memory is not aligned");
  for (unsigned k = 0; k < (size + 3) / 4; ++k) {
    std::uint32_t* const word = local_word(x, address + 4 * k, l);
    if (word == nullptr) return;
    std::memcpy(reinterpret_cast<std::byte*>(word) + address % 4, &words[k], size < 4 ? size : 4);
  }
}

// Mostly all lanes act: then nobody looks for the next one.
template <class F>
[[gnu::always_inline]] inline void for_acting(Lanes mask, F f) {
  if (mask != kAllLanes) return for_lanes(mask, f);
  for (unsigned l = 0; l < kLanes; ++l) f(l);
}

// Where address 0 of the space would be, if all that the lanes access is in one piece, and aligned; null: else.
std::byte* one_piece(Exec& x, const CodeOp& op, Space space, bool stores, const AddressRange& range) {
  const unsigned size = op.number;
  const auto [lowest, highest, all, in_a_row] =
      space == Space::Generic ? x.machine.lanes->range(x.step.address.data(), x.mask, size) : range;
  if (all % size != 0) return nullptr;
  x.step.in_a_row = in_a_row;
  x.step.is_conflict_free = (in_a_row && size >= kBankBytes) || is_conflict_free(lowest, highest, size);
  if (space == Space::Shared) {
    std::vector<std::byte>& shared = x.block().shared;
    return highest < shared.size() && size <= shared.size() - highest ? shared.data() : nullptr;
  }
  if (space != Space::Global) return nullptr;
  const DeviceMemory::Allocation* const found = allocation_at(x.machine, lowest, highest - lowest + size);
  if (found == nullptr || found->bytes == nullptr || (stores && found->read_only)) return nullptr;
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(found->bytes) - found->address);
}
template <unsigned Words>
void load_words(Exec& x, const CodeOp& op, const std::byte* base, const AddressRange& range) {
  const auto from = reinterpret_cast<std::uintptr_t>(base);
  if (Words == 1 && range.in_a_row) {
    std::memcpy(x.row(op.d), reinterpret_cast<const std::byte*>(from + range.lowest), kRowBytes);
    return;
  }
  if (range.lowest == range.highest) {
    std::uint32_t words[Words];
    std::memcpy(words, reinterpret_cast<const std::byte*>(from + range.lowest), sizeof words);
    for (unsigned k = 0; k < Words; ++k)
      each_word(
          x, op.d + k * kRowBytes, [word = words[k]](unsigned) __attribute__((always_inline)) { return word; });
    return;
  }
  Row* rows[Words];
  for (unsigned k = 0; k < Words; ++k) rows[k] = x.row(op.d + k * kRowBytes);
  for_acting(
      x.mask, [&](unsigned l) __attribute__((always_inline)) {
        std::uint32_t words[Words];
        std::memcpy(words, reinterpret_cast<const std::byte*>(from + x.step.address[l]), sizeof words);
        for (unsigned k = 0; k < Words; ++k) rows[k][l] = words[k];
      });
}
// A byte or two, the sign's bit above them where it has one.
template <class T>
void load_part(Exec& x, const CodeOp& op, const std::byte* base) {
  const auto from = reinterpret_cast<std::uintptr_t>(base);
  Row* const d = x.row(op.d);
  for_acting(
      x.mask, [&](unsigned l) __attribute__((always_inline)) {
        T part;
        std::memcpy(&part, reinterpret_cast<const std::byte*>(from + x.step.address[l]), sizeof part);
        d[l] = static_cast<std::uint32_t>(static_cast<std::int32_t>(part));
      });
}
template <unsigned Bytes>
void store_part(Exec& x, const CodeOp& op, std::byte* base) {
  const auto to = reinterpret_cast<std::uintptr_t>(base);
  const Row* const from = x.row(op.c);
  for_acting(
      x.mask, [&](unsigned l) __attribute__((always_inline)) {
        const std::uint32_t word = from[l];
        std::memcpy(reinterpret_cast<std::byte*>(to + x.step.address[l]), &word, Bytes);
      });
}
template <unsigned Words>
void store_words(Exec& x, const CodeOp& op, std::byte* base) {
  const auto to = reinterpret_cast<std::uintptr_t>(base);
  if (Words == 1 && x.step.in_a_row) {
    std::memcpy(reinterpret_cast<std::byte*>(to + x.step.address[0]), x.row(op.c), kRowBytes);
    return;
  }
  const Row* rows[Words];
  for (unsigned k = 0; k < Words; ++k) rows[k] = x.row(op.c + k * kRowBytes);
  for_acting(
      x.mask, [&](unsigned l) __attribute__((always_inline)) {
        std::uint32_t words[Words];
        for (unsigned k = 0; k < Words; ++k) words[k] = rows[k][l];
        std::memcpy(reinterpret_cast<std::byte*>(to + x.step.address[l]), words, sizeof words);
      });
}

// The lanes' addresses as they were computed: of generic ones the step says what they are in their space.
template <Space S>
struct Addresses {
  explicit Addresses(const Exec& x) : all(x.step.address) {}
  std::uint64_t operator[](unsigned l) const { return all[l]; }
  std::conditional_t<S == Space::Generic, const std::array<std::uint64_t, kLanes>,
                     const std::array<std::uint64_t, kLanes>&>
      all;
};

// The lanes' addresses, and what the step says of them. Of generic ones the range is not asked for.
template <Space S>
AddressRange locate(Exec& x, const CodeOp& op) {
  if constexpr (S != Space::Generic) return x.machine.lanes->locate(x, op);
  compute_addresses(x, op);
  return {};
}

template <Space S>
void load(Exec& x, const CodeOp& op) {
  const AddressRange range = locate<S>(x, op);
  const Addresses<S> address(x);
  describe_access(x, S, op.number, false);
  if (const std::byte* const piece = one_piece(x, op, S, false, range)) {
    switch (op.number) {
      case 1: return op.value != 0 ? load_part<std::int8_t>(x, op, piece) : load_part<std::uint8_t>(x, op, piece);
      case 2: return op.value != 0 ? load_part<std::int16_t>(x, op, piece) : load_part<std::uint16_t>(x, op, piece);
      case 4: return load_words<1>(x, op, piece, range);
      case 8: return load_words<2>(x, op, piece, range);
      default: return load_words<4>(x, op, piece, range);
    }
  }
  for_lanes(x.mask, [&](unsigned l) {
    if (!x.failed) load_lane(x, op, address[l], S, l);
  });
}
template <Space S>
void store(Exec& x, const CodeOp& op) {
  const AddressRange range = locate<S>(x, op);
  const Addresses<S> address(x);
  describe_access(x, S, op.number, true);
  if (std::byte* const piece = one_piece(x, op, S, true, range)) {
    switch (op.number) {
      case 1: return store_part<1>(x, op, piece);
      case 2: return store_part<2>(x, op, piece);
      case 4: return store_words<1>(x, op, piece);
      case 8: return store_words<2>(x, op, piece);
      default: return store_words<4>(x, op, piece);
    }
  }
  for_lanes(x.mask, [&](unsigned l) {
    if (!x.failed) store_lane(x, op, address[l], S, l);
  });
}

Space space_named(std::string_view name) {
  return name == "LDS" || name == "STS"   ? Space::Shared
         : name == "LDL" || name == "STL" ? Space::Local
         : name == "LDG" || name == "STG" ? Space::Global
                                          : Space::Generic;
}

bool build_load(CodeBuilder& b) {
  const auto kind = static_cast<std::size_t>(b.bits(73, 3));
  if (kind >= std::size(kWidths) || !take_address(b, b.source(0))) return false;
  CodeOp& op = b.op;
  op.d = b.destination();
  op.number = static_cast<std::uint8_t>(kWidths[kind].bytes);
  op.value = kWidths[kind].is_signed ? 1 : 0;
  switch (space_named(b.insn.name)) {
    case Space::Shared: op.run = load<Space::Shared>; break;
    case Space::Local: op.run = load<Space::Local>; break;
    case Space::Global: op.run = load<Space::Global>; break;
    case Space::Generic: op.run = load<Space::Generic>; break;
  }
  return true;
}
bool build_store(CodeBuilder& b) {
  const auto kind = static_cast<std::size_t>(b.bits(73, 3));
  if (kind >= std::size(kWidths) || !take_address(b, b.source(0))) return false;
  CodeOp& op = b.op;
  op.c = b.row(b.source(1));
  op.number = static_cast<std::uint8_t>(kWidths[kind].bytes);
  switch (space_named(b.insn.name)) {
    case Space::Shared: op.run = store<Space::Shared>; break;
    case Space::Local: op.run = store<Space::Local>; break;
    case Space::Global: op.run = store<Space::Global>; break;
    case Space::Generic: op.run = store<Space::Generic>; break;
  }
  return true;
}

// From global to shared memory, at once: who waits for it comes later. What the predicate says not to copy is zero. Of
// .ZFILL (value2) the address's lowest bits count the bytes that are not copied, the last ones, which become zero, too:
// ptxas adds to a multiple of the size what is to be left out.
void copy_to_shared(Exec& x, const CodeOp& op) {
  const Row *const to = x.row(op.d), *const from = x.row(op.a);
  const Lanes copied = x.read(op.p);
  const unsigned size = op.number;
  for_lanes(x.mask, [&](unsigned l) { x.step.address[l] = pair_at(from, l) + static_cast<std::uint64_t>(op.offset); });
  describe_access(x, Space::Global, size, false);
  for_lanes(x.mask, [&](unsigned l) {
    if (x.failed) return;
    std::byte* const shared = bytes_at(x, static_cast<std::uint32_t>(to[l] + op.value), size, Space::Shared, true);
    if (shared == nullptr) return;
    std::memset(shared, 0, size);
    if ((copied >> l & 1) == 0) return;
    const std::uint64_t left_out = op.value2 != 0 ? x.step.address[l] % size : 0;
    const std::byte* const global = bytes_at(x, x.step.address[l] - left_out, size, Space::Global, false);
    if (global != nullptr) std::memcpy(shared, global, size - left_out);
  });
}
bool build_copy(CodeBuilder& b) {
  const auto kind = static_cast<std::size_t>(b.bits(73, 3));
  if (kind < 4 || kind >= std::size(kWidths)) return false;
  const Operand *to = nullptr, *from = nullptr;
  for (const Operand& operand : b.insn.operands)
    if (operand.kind == OperandKind::Memory) (operand.is_destination ? to : from) = &operand;
  if (to == nullptr || from == nullptr || !from->has_descriptor) return false;
  CodeOp& op = b.op;
  op.d = b.register_row(to->base);
  op.value = static_cast<std::uint32_t>(to->value);
  op.a = b.register_row(from->base);
  op.offset = from->value;
  op.number = static_cast<std::uint8_t>(kWidths[kind].bytes);
  op.p = b.predicate(87);
  op.value2 = b.has("ZFILL") ? 1 : 0;
  op.run = copy_to_shared;
  return true;
}

// Whether a generic address is in a space; no block has another one's shared memory here (D).
void query_space(Exec& x, const CodeOp& op) {
  compute_addresses(x, op);
  Lanes truth = 0;
  for_lanes(x.mask, [&](unsigned l) {
    std::uint64_t address = x.step.address[l];
    truth |= static_cast<Lanes>(op.value != 3 && placed(address) == static_cast<Space>(op.value)) << l;
  });
  x.write(op.pd, truth);
}
bool build_query(CodeBuilder& b) {
  constexpr Space kSpaces[] = {Space::Global, Space::Local, Space::Shared};
  const auto which = static_cast<std::size_t>(b.bits(73, 2));
  b.op.value = which < std::size(kSpaces) ? static_cast<std::uint32_t>(kSpaces[which]) : 3;
  b.op.pd = b.written_predicate(81);
  b.op.run = query_space;
  return take_address(b, b.source(0)) && b.destination() == b.machine.layout.nowhere();
}

// ---- matrices of 8 by 8 halves: eight lanes' addresses a matrix, a row each; a lane has two neighbours of a row, or
// with .MT88 of a column
struct MatrixPlace {
  unsigned row, column;
};
MatrixPlace place_of(unsigned lane, unsigned half, bool is_transposed) {
  const unsigned row = lane / 4, column = lane % 4 * 2 + half;
  return is_transposed ? MatrixPlace{column, row} : MatrixPlace{row, column};
}
// The bytes of the row that a matrix begins at; null: a fault.
std::byte* matrix_row(Exec& x, unsigned matrix, unsigned row) {
  constexpr unsigned kRowOfMatrix = 16;
  return bytes_at(x, x.step.address[matrix * 8 + row], kRowOfMatrix, Space::Shared, false);
}
template <bool Stores>
void move_matrices(Exec& x, const CodeOp& op) {
  compute_addresses(x, op);
  if (x.mask != kAllLanes) return x.refuse("matrices are moved by all lanes of a warp together");
  describe_access(x, Space::Shared, 16, Stores);
  x.step.active = op.number == 4 ? kAllLanes : (Lanes{1} << 8 * op.number) - 1;  // whose addresses count
  std::array<std::array<std::uint32_t, kLanes>, 4> words{};
  for (unsigned matrix = 0; matrix < op.number; ++matrix)
    for (unsigned l = 0; l < kLanes; ++l)
      for (unsigned half = 0; half < 2; ++half) {
        const MatrixPlace place = place_of(l, half, op.value != 0);
        std::byte* const bytes = matrix_row(x, matrix, place.row);
        if (bytes == nullptr) return;
        std::uint16_t value = 0;
        if constexpr (Stores) {
          value = static_cast<std::uint16_t>(x.row(op.c + matrix * kRowBytes)[l] >> (16 * half));
          std::memcpy(bytes + 2 * place.column, &value, sizeof value);
        } else {
          std::memcpy(&value, bytes + 2 * place.column, sizeof value);
          words[matrix][l] |= static_cast<std::uint32_t>(value) << (16 * half);
        }
      }
  if constexpr (!Stores)
    for (unsigned matrix = 0; matrix < op.number; ++matrix)
      for (unsigned l = 0; l < kLanes; ++l) x.row(op.d + matrix * kRowBytes)[l] = words[matrix][l];
}
bool build_matrices(CodeBuilder& b) {
  const bool stores = b.insn.name == "STSM";
  b.op.number = static_cast<std::uint8_t>(b.has("4") ? 4 : b.has("2") ? 2 : 1);
  b.op.value = b.has("MT88") ? 1 : 0;
  if (!take_address(b, b.source(0))) return false;
  b.op.d = b.destination();
  if (stores) b.op.c = b.row(b.source(1));
  b.op.run = stores ? move_matrices<true> : move_matrices<false>;
  return true;
}

}  // namespace
}  // namespace memory_code

std::vector<CodeMeaning> memory_meanings() {
  using namespace memory_code;
  return {{"LDG", build_load},    {"LD", build_load},    {"LDS", build_load},      {"LDL", build_load},
          {"STG", build_store},   {"ST", build_store},   {"STS", build_store},     {"STL", build_store},
          {"LDGSTS", build_copy}, {"QSPC", build_query}, {"LDSM", build_matrices}, {"STSM", build_matrices}};
}

}  // namespace warpsim::sass
