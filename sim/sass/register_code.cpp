// Special registers, constants, and moves between registers, predicates and uniform registers.
#include "sim/launch/residency.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {
namespace register_code {
namespace {

void fill(const Exec& x, std::uint32_t destination, std::uint32_t value) {
  each_word(
      x, destination, [=](unsigned) __attribute__((always_inline)) { return value; });
}
void copy(const Exec& x, std::uint32_t destination, std::uint32_t source) {
  const Row* const a = x.row(source);
  each_word(
      x, destination, [=](unsigned l) __attribute__((always_inline)) { return a[l]; });
}

// ---- special registers, by their numbers (isa/sass/number_words.cpp)
enum Special : std::uint32_t {
  kLaneId = 0,
  kTidX = 33,
  kTidZ = 35,
  kCtaIdX = 37,
  kCtaIdZ = 39,
  kSharedWindowUpper = 47,
  kStackLimit = 55,
  kEqMask = 56,
  kLtMask,
  kLeMask,
  kGtMask,
  kGeMask,
  kVirtualSmId = 67,
  kClockLow = 80,
  kClockHigh,
  kTimerLow,
  kTimerHigh,
  kCtaInCluster = 136,
  kSrZero = 255
};

// Of all lanes alike; nothing: of each its own, or unknown.
std::optional<std::uint32_t> common_value(const Exec& x, std::uint32_t number) {
  if (number >= kCtaIdX && number <= kCtaIdZ) return x.block().place[number - kCtaIdX];
  switch (number) {
    case kSharedWindowUpper: return static_cast<std::uint32_t>(kSharedWindow >> 32);
    case kClockLow:
    case kTimerLow: return static_cast<std::uint32_t>(x.cycle);
    case kClockHigh:
    case kTimerHigh: return static_cast<std::uint32_t>(x.cycle >> 32);
    case kVirtualSmId: return x.warp.slot % DeviceLimits{}.multiprocessors;  // as %smid of a program
    case kStackLimit:                                                        // the stack grows down to 0 here
    case kCtaInCluster:
    case kSrZero: return 0;
    default: return std::nullopt;
  }
}
std::uint32_t lane_value(std::uint32_t number, unsigned lane) {
  const Lanes own = Lanes{1} << lane;
  switch (number) {
    case kEqMask: return own;
    case kLtMask: return own - 1;
    case kLeMask: return own | (own - 1);
    case kGtMask: return ~(own | (own - 1));
    case kGeMask: return ~(own - 1);
    default: return lane;
  }
}
bool is_known(std::uint32_t number) {
  return number == kLaneId || (number >= kTidX && number <= kTidZ) || (number >= kCtaIdX && number <= kCtaIdZ) ||
         number == kSharedWindowUpper || number == kStackLimit || (number >= kEqMask && number <= kGeMask) ||
         number == kVirtualSmId || (number >= kClockLow && number <= kTimerHigh) || number == kCtaInCluster ||
         number == kSrZero;
}

void read_special(Exec& x, const CodeOp& op) {
  if (op.value >= kTidX && op.value <= kTidZ)
    return copy(x, op.d, x.machine.layout.thread() + (op.value - kTidX) * kRowBytes);
  if (const auto value = common_value(x, op.value)) return fill(x, op.d, *value);
  each_word(x, op.d, [&](unsigned l) { return lane_value(op.value, l); });
}
void read_special_pair(Exec& x, const CodeOp& op) {
  fill(x, op.d, common_value(x, op.value).value_or(0));
  fill(x, op.d + kRowBytes, op.value == kSrZero ? 0 : common_value(x, op.value + 1).value_or(0));
}
bool build_special(CodeBuilder& b) {
  b.op.d = b.destination();
  b.op.value = static_cast<std::uint32_t>(b.bits(72, 8));
  b.op.run = read_special;
  b.op.reads_clock = b.op.value >= kClockLow && b.op.value <= kTimerHigh;
  b.op.is_alone = !b.op.reads_clock;
  if (b.insn.name == "CS2R" && !b.has("32")) {
    b.op.run = read_special_pair;
    return b.op.value == kSrZero || b.op.value == kClockLow || b.op.value == kTimerLow;
  }
  return is_known(b.op.value);
}

// ---- constants
// At an address that a register says; bytes and halves are extended.
// At how many places the lanes read: those that read at one are served together.
std::uint8_t distinct(Lanes lanes, const Row* a) {
  std::uint8_t places = 0;
  for (; lanes != 0; ++places) {
    const std::uint32_t first = a[first_of(lanes)];
    for_lanes(lanes, [&](unsigned l) { lanes &= ~(static_cast<Lanes>(a[l] == first) << l); });
  }
  return places;
}
void load_constant(Exec& x, const CodeOp& op) {
  const ConstantBank& bank = x.machine.banks[op.number];
  const Row* const a = x.row(op.a);
  const unsigned size = op.value;
  x.step.values = distinct(x.mask, a);
  for_lanes(x.mask, [&](unsigned l) {
    if (x.failed) return;
    const std::uint64_t at = static_cast<std::uint32_t>(a[l] + static_cast<std::uint32_t>(op.offset));
    if (at + size > bank.bytes.size() || bank.unknown.count(at / 4 * 4) != 0)
      return x.refuse("it reads a constant that the file does not have");
    std::uint64_t value = 0;
    std::memcpy(&value, bank.bytes.data() + at, size);
    if (op.value2 != 0) {
      const unsigned shift = 64 - 8 * size;
      value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
    }
    x.row(op.d)[l] = static_cast<std::uint32_t>(value);
    if (size == 8) x.row(op.d + kRowBytes)[l] = static_cast<std::uint32_t>(value >> 32);
  });
}
void copy_word(Exec& x, const CodeOp& op) { copy(x, op.d, op.a); }
void copy_pair(Exec& x, const CodeOp& op) {
  copy(x, op.d, op.a);
  copy(x, op.d + kRowBytes, op.a + kRowBytes);
}
bool build_constant(CodeBuilder& b) {
  constexpr unsigned kSizes[] = {1, 1, 2, 2, 4, 8};
  const auto kind = static_cast<std::size_t>(b.bits(73, 3));
  if (kind >= std::size(kSizes)) return false;
  const Operand& constant = b.source(0);
  CodeOp& op = b.op;
  op.d = b.destination();
  op.number = constant.number;
  op.value = kSizes[kind];
  op.value2 = kind == 1 || kind == 3 ? 1 : 0;
  op.offset = constant.value;
  const bool has_register = constant.base != kZero || constant.uniform != kUniformZero;
  if (!has_register && op.value >= 4) {
    op.a = b.row(constant);
    op.run = op.value == 8 ? copy_pair : copy_word;
    op.is_alone = op.guard.number == kTrue;  // else the clock learns whether any lane loads
    return true;
  }
  op.a = constant.uniform != kUniformZero ? b.uniform_row(constant.uniform) : b.register_row(constant.base);
  op.run = load_constant;
  return true;
}

// ---- predicates as bits of a register
unsigned byte_of(const CodeBuilder& b) { return static_cast<unsigned>(b.bits(76, 2)); }

void predicates_to_register(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const m = x.row(op.b);
  const unsigned first = op.is_uniform ? kUniformPredicate : 0, shift = 8 * op.value;
  each_acting(x, op.d, [&](unsigned l) {
    std::uint32_t all = 0;
    for (unsigned k = 0; k < kTrue; ++k) all |= (x.warp.predicates[first + k] >> l & 1) << k;
    return (a[l] & ~(m[l] << shift)) | ((all & m[l]) << shift);
  });
}
void register_to_predicates(Exec& x, const CodeOp& op) {
  const Row *const a = x.row(op.a), *const m = x.row(op.b);
  const unsigned first = op.is_uniform ? kUniformPredicate : 0, shift = 8 * op.value;
  for_lanes(x.mask, [&](unsigned l) {
    for (unsigned k = 0; k < kTrue; ++k) {
      if ((m[l] >> k & 1) == 0) continue;
      Lanes& held = x.warp.predicates[first + k];
      held = (held & ~(Lanes{1} << l)) | (a[l] >> (shift + k) & 1) << l;
    }
  });
}
bool build_predicates(CodeBuilder& b) {
  std::vector<std::uint32_t> rows;
  for (std::size_t k = 0; k < b.sources(); ++k)
    if (b.source(k).kind != OperandKind::Other) rows.push_back(b.row(b.source(k)));
  const bool writes_register = b.insn.name == "P2R" || b.insn.name == "UP2UR";
  if (rows.empty()) return false;
  b.op.d = b.destination();
  b.op.a = rows[0];
  b.op.b = rows.size() > 1 ? rows[1] : b.row_of_word(0x7f, 0);
  b.op.value = b.insn.name == "P2R" ? 0 : byte_of(b);
  b.op.run = writes_register ? predicates_to_register : register_to_predicates;
  b.op.is_alone = true;
  return true;
}

// ---- from a lane to the warp: the first that acts; the predicate is of those that have another value (seen on an
// H200)
void register_to_uniform(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  std::uint32_t value = a[first_of(x.mask)];
  Lanes differing = 0;
  for_lanes(x.mask, [&](unsigned l) { differing |= static_cast<Lanes>(a[l] != value) << l; });
  if (op.value != 0) for_lanes(x.mask, [&](unsigned l) { value |= a[l]; });
  Row* const d = x.row(op.d);
  lift::each_lane<kLanes>([=](unsigned l) __attribute__((always_inline)) { d[l] = value; });
  x.write(op.pd, differing);
}
bool build_register_to_uniform(CodeBuilder& b) {
  b.take_integers();
  b.op.value = b.has("OR") ? 1 : 0;
  b.op.pd = b.written_predicate(81);
  b.op.run = register_to_uniform;
  b.op.is_alone = true;
  return b.op.value == 0 || b.op.pd == kNowhere;
}

}  // namespace
}  // namespace register_code

std::vector<CodeMeaning> register_meanings() {
  using namespace register_code;
  return {{"S2R", build_special},      {"S2UR", build_special},
          {"CS2R", build_special},     {"LDC", build_constant},
          {"ULDC", build_constant},    {"P2R", build_predicates},
          {"UP2UR", build_predicates}, {"R2P", build_predicates},
          {"UR2UP", build_predicates}, {"R2UR", build_register_to_uniform}};
}

}  // namespace warpsim::sass
