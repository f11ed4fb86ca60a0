// Atomic operations: the lanes one after the other, the lowest first.
#include "isa/kernels/windows.h"
#include "sim/code/row_meaning.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"
#include "sim/sass/memory_code.h"

namespace warpsim::sass {
namespace atomic_code {
namespace {

std::uint64_t loaded(const std::byte* bytes, unsigned size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}

// Of each operation its row in global memory and the one in shared memory.
struct AtomicRows {
  Op global, shared;
};
constexpr AtomicRows kRows[] = {{Op::AtomGlobalAdd, Op::AtomSharedAdd},  {Op::AtomGlobalMin, Op::AtomSharedMin},
                                {Op::AtomGlobalMax, Op::AtomSharedMax},  {Op::AtomGlobalInc, Op::AtomSharedInc},
                                {Op::AtomGlobalDec, Op::AtomSharedDec},  {Op::AtomGlobalAnd, Op::AtomSharedAnd},
                                {Op::AtomGlobalOr, Op::AtomSharedOr},    {Op::AtomGlobalXor, Op::AtomSharedXor},
                                {Op::AtomGlobalExch, Op::AtomSharedExch}};
constexpr std::uint32_t kCas = 16, kCastSpin = 17, kCount = 18;

std::uint64_t changed(const CodeOp& op, Space space, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  if (op.value >= kCas) return old == b ? c : old;
  const AtomicRows& rows = kRows[op.value];
  return atomic_of(space == Space::Shared ? rows.shared : rows.global, {op.type, old, b, c});
}

// `OnlyGlobal`: shared memory is not for it; a predicate says where it was done.
template <Space S, bool OnlyGlobal = false>
void atomic(Exec& x, const CodeOp& op) {
  compute_addresses(x, op);
  const std::array<std::uint64_t, kLanes> address = x.step.address;
  const unsigned size = op.number;
  describe_access(x, S, size, true);
  x.step.is_atomic = true;
  const auto operand = [&](std::uint32_t row, unsigned l) {
    return size == 8 ? pair_at(x.row(row), l) : x.row(row)[l];
  };
  Lanes done = 0;
  for_lanes(x.mask, [&](unsigned l) {
    if (x.failed) return;
    std::uint64_t at = address[l];
    const Space space = S == Space::Generic ? placed(at) : S;
    if (space == Space::Local) return x.refuse("atomic operations on local memory have no meaning here");
    if (OnlyGlobal && space == Space::Shared) return;
    std::byte* const bytes = bytes_at(x, at, size, space, true);
    if (bytes == nullptr) return;
    done |= Lanes{1} << l;
    const std::uint64_t old = loaded(bytes, size), b = operand(op.c, l);
    const std::uint64_t c = op.value >= kCas ? operand(static_cast<std::uint32_t>(op.value2), l) : 0;
    const std::uint64_t next = changed(op, space, old, b, c);
    std::memcpy(bytes, &next, size);
    const std::uint64_t result = op.value == kCastSpin ? (old == b ? 1 : 0) : old;
    x.row(op.d)[l] = static_cast<std::uint32_t>(result);
    if (size == 8) x.row(op.d + kRowBytes)[l] = static_cast<std::uint32_t>(result >> 32);
  });
  x.write(op.pd, done);
}

// ATOMS.POPC.INC.32: one more for each lane; what was there is not told.
void count(Exec& x, const CodeOp& op) {
  const AddressRange range = x.machine.lanes->locate(x, op);
  describe_access(x, Space::Shared, 4, true);
  x.step.is_atomic = true;
  std::vector<std::byte>& shared = x.block().shared;
  if (range.all % 4 == 0 && range.highest < shared.size() && 4 <= shared.size() - range.highest)
    return for_lanes(x.mask, [&, bytes = shared.data()](unsigned l) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes + x.step.address[l], sizeof word);
      ++word;
      std::memcpy(bytes + x.step.address[l], &word, sizeof word);
    });
  for_lanes(x.mask, [&](unsigned l) {
    if (x.failed) return;
    std::byte* const bytes = bytes_at(x, x.step.address[l], 4, Space::Shared, true);
    if (bytes == nullptr) return;
    const std::uint64_t next = loaded(bytes, 4) + 1;
    std::memcpy(bytes, &next, 4);
  });
}

bool take_type(CodeBuilder& b) {
  CodeOp& op = b.op;
  if (b.has("128") || b.has("F16x2.RN") || b.has("BF16x2.RN")) return false;
  if (b.has("F32.FTZ.RN")) op.type = Type::F32;
  else if (b.has("F64.RN")) op.type = Type::F64;
  else if (b.has("S64")) op.type = Type::S64;
  else if (b.has("64")) op.type = Type::U64;
  else op.type = b.has("S32") ? Type::S32 : Type::U32;
  for (const std::string& modifier : b.insn.modifiers)
    if (modifier.ends_with("x4.RN") || modifier.ends_with("x8.RN") || modifier.ends_with("x2.FTZ.RN") ||
        modifier.ends_with("x4.FTZ.RN") || modifier.starts_with("unknown"))
      return false;
  op.number = static_cast<std::uint8_t>(bits(op.type) / 8);
  return true;
}

bool build_atomic(CodeBuilder& b) {
  CodeOp& op = b.op;
  const std::string_view name = b.insn.name;
  const bool is_shared = name == "ATOMS", is_global = name == "ATOMG" || name == "REDG";
  const Operand* address = nullptr;
  std::vector<const Operand*> values;
  for (const Operand& operand : b.insn.operands) {
    if (operand.kind == OperandKind::Memory) address = &operand;
    else if (address != nullptr && operand.kind == OperandKind::Register) values.push_back(&operand);
    else if (address != nullptr && operand.kind == OperandKind::Uniform) return false;
  }
  if (address == nullptr || !take_address(b, *address) || !take_type(b)) return false;
  op.d = b.destination();
  if (is_shared && b.has("POPC")) return op.number = 4, op.run = count, op.d == b.machine.layout.nowhere();
  if (values.empty()) return false;
  op.c = b.row(*values[0]);
  const bool casts = b.has("CAST");
  if (casts || b.has("CAST.SPIN") || b.has("CAS")) {
    if (values.size() < 2) return false;
    op.value = casts || b.has("CAST.SPIN") ? kCastSpin : kCas;
    op.value2 = b.row(*values[1]);
  } else {
    constexpr std::string_view kNames[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH"};
    op.value = kCount;
    for (std::uint32_t k = 0; k < std::size(kNames); ++k)
      if (b.has(kNames[k])) op.value = k;
    if (op.value == kCount) return false;
  }
  const bool tells = name == "ATOM" && b.written_predicate(81) != kNowhere;
  if (name == "ATOMG" && b.written_predicate(81) != kNowhere) return false;
  if (tells) op.pd = b.written_predicate(81);
  op.run = tells       ? atomic<Space::Generic, true>
           : is_shared ? atomic<Space::Shared>
           : is_global ? atomic<Space::Global>
                       : atomic<Space::Generic>;
  return true;
}

}  // namespace
}  // namespace atomic_code

std::vector<CodeMeaning> atomic_meanings() {
  using namespace atomic_code;
  return {{"ATOM", build_atomic}, {"ATOMG", build_atomic}, {"ATOMS", build_atomic}, {"REDG", build_atomic}};
}

}  // namespace warpsim::sass
