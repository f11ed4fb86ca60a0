// What can be said about an opcode: the columns of the instruction table, as plain data.
//
// Shapes: one OpInfo a row of instructions.def, indexed by Op. A Form lists the operand slots of a row in the order in
//         which they are written; everything that must know what an instruction reads and writes asks the form.
// Units:  none.
// Errors: a wrong row fails the build: the static_asserts in op_checks.cpp name the row.
// Source: PTX ISA 9.0, chapter 9; `broadcast`, `reduce`, `scan` are warpsim's own collectives.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/table/memory_access.h"
#include "isa/table/traits.h"
#include "isa/table/type.h"

namespace warpsim {

enum class Op : std::uint16_t {
#define INSN(Name, ...) Name,
#include "isa/table/instructions.def"
#undef INSN
};
inline constexpr int kOpCount = 0
#define INSN(...) +1
#include "isa/table/instructions.def"
#undef INSN
    ;

inline constexpr int kAssemblyOpCount = static_cast<int>(Op::Call);  // the first row of modules of PTX alone

// How a scalar meaning acts on a warp (sim/code/lift.h has one template for each).
enum class Lift : std::uint8_t {
  Lane,
  Compare,
  Bits,
  Shuffle,
  Vote,
  Match,
  Redux,
  Broadcast,
  Reduce,
  Scan,
  Load,
  Store,
  Atomic,
  Mbarrier,  // a barrier that is a word of shared memory
  Copy,      // from global to shared memory, past the registers; awaited in its thread
  Pack,      // one register of the elements of a vector
  Unpack,    // … and back
  LoadParam,
  Branch,
  Call,      // … and comes back
  Return,    // from a call, to where each lane was called
  Dispatch,  // a branch of each lane to a label of its own
  Barrier,
  BarrierReduce,
  Nothing,  // no effect on what is simulated
  Special
};

// Does each lane compute its own result, whatever the others do?
constexpr bool is_lanewise(Lift lift) { return lift == Lift::Lane || lift == Lift::Compare || lift == Lift::Bits; }
// An operation of the whole warp that PTX does not have: a GPU runs shuffles for it.
constexpr bool is_collective(Lift lift) {
  return lift == Lift::Broadcast || lift == Lift::Reduce || lift == Lift::Scan;
}
// Does a lane's result come from what other lanes hold in registers?
constexpr bool crosses_lanes(Lift lift) {
  return lift == Lift::Shuffle || lift == Lift::Vote || lift == Lift::Match || lift == Lift::Redux ||
         lift == Lift::BarrierReduce || is_collective(lift);
}

// May lanes go on elsewhere than at the next instruction?
constexpr bool is_jump(Lift lift) {
  return lift == Lift::Branch || lift == Lift::Call || lift == Lift::Return || lift == Lift::Dispatch;
}

// The execution unit: timing derives from it.
enum class Unit : std::uint8_t { Alu, Fma, Fp64, Sfu, Conv, Shfl, Vote, Mem, Shared, Branch, Barrier, Special };

// Modifiers a row accepts beside its mnemonic and its types.
using ModSet = std::uint32_t;
inline constexpr ModSet kNoMods = 0;
inline constexpr ModSet kRnd = 1;         // .rn .rz .rm .rp, default .rn; floats only
inline constexpr ModSet kRndReq = 2;      // the same, but must be written, as in PTX
inline constexpr ModSet kCvtRnd = 4;      // cvt: integer or float rounding, required exactly where PTX requires it
inline constexpr ModSet kFtz = 8;         // .ftz: subnormals count as zero of their sign; for which types: takes_ftz
inline constexpr ModSet kSat = 16;        // .sat: clamped to [0, 1]; cvt: clamped to the destination's range
inline constexpr ModSet kExclusive = 32;  // .exclusive: scan without the lane's own value
inline constexpr ModSet kRnOnly = 64;     // beside kRnd or kRndReq: .rn and nothing else
inline constexpr ModSet kFtzReq = 128;    // .ftz, which must be written, as in PTX
inline constexpr ModSet kRelu = 256;      // .relu: below zero becomes zero
inline constexpr ModSet kNaN = 512;       // .NaN: a NaN operand wins
inline constexpr ModSet kXorsign = 1024;  // .xorsign.abs: the sizes compare, the sign is that of the product
inline constexpr ModSet kSemantics =
    2048;  // .relaxed, .acquire …: an access's place among accesses; which: takes_semantics
inline constexpr ModSet kScope = 4096;  // .cta .cluster .gpu .sys: for which threads
inline constexpr ModSet kUnaligned =
    8192;  // PTX's barrier.cta without .aligned: lanes of a warp may come from several lines
inline constexpr ModSet kBoolOp = 16384;     // .and .or .xor: a comparison's result, combined with operand c
inline constexpr ModSet kCache = 32768;      // .ca .cg …, .nc and hints to the caches; which: takes_cache, takes_hint
inline constexpr ModSet kNarrowRnd = 65536;  // a conversion to narrower floats: which roundings, takes_narrow_round
inline constexpr ModSet kSatfinite = 131072;     // .satfinite: too large becomes the largest number
inline constexpr ModSet kSatfiniteReq = 262144;  // the same, but must be written, as in PTX

// Rna: to nearest, ties away from zero.
enum class Round : std::uint8_t { None, Rn, Rz, Rm, Rp, Rni, Rzi, Rmi, Rpi, Rna };
enum class BoolOp : std::uint8_t { None, And, Or, Xor };
// `truth` combined with operand c of a comparison; without an operation, itself.
constexpr bool combined(BoolOp operation, bool truth, bool c) {
  switch (operation) {
    case BoolOp::And: return truth && c;
    case BoolOp::Or: return truth || c;
    case BoolOp::Xor: return truth != c;
    case BoolOp::None: break;
  }
  return truth;
}

// The modifiers that one instruction carries.
struct Mods {
  Round round = Round::None;
  bool ftz = false;
  bool sat = false;
  bool exclusive = false;
  bool relu = false;
  bool nan = false;      // .NaN
  bool xorsign = false;  // .xorsign.abs
  bool unaligned = false;
  bool satfinite = false;
  BoolOp boolean = BoolOp::None;
  MemoryQualifiers memory;
  bool operator==(const Mods&) const = default;
};

// What an operand slot holds.
enum class Role : std::uint8_t { Dst, DstPred, Src, Addr, Label };
// The type of the slot's value: the instruction's own, its second, or a fixed one.
// Byte: a constant from 0 to 255. Half and Quarter: bits, that part as wide as T.
enum class SlotType : std::uint8_t { T, T2, Wide, Half, Quarter, U32, U64, Byte, Pred, Mask, None };
// What an operand that is left out means. Carry: it is never written; the lane's carry flag.
enum class Default : std::uint8_t { Required, Absent, Zero, FullWidth, FullMask, Carry };

struct Slot {
  Role role;
  SlotType type;
  Default when_absent;
  std::string_view name;   // as the reference writes it: "d", "a", "b", "membermask"
  bool in_braces = false;  // an element of a vector: neighbours share one pair of braces
};

enum class Form : std::uint8_t {
  DA,      // d, a
  DAcvt,   // d, a                  d of type 1, a of type 2
  DABcvt,  // d, a, b               a and b of type 2, two numbers that become a pair
  DAB,     // d, a, b
  DABC,    // d, a, b, c
  DABCL,   // d, a, b, c, lut       lut is a constant from 0 to 255
  DAS,     // d, a, b               b is u32: a shift amount
  DASS,    // d, a, b, c            b and c are u32
  DABSS,   // d, a, b, start, length
  DABo,    // d, a, b               writes the carry flag
  DABi,    // d, a, b               reads the carry flag
  DABio,   // d, a, b               reads and writes it
  DABCo,   // d, a, b, c            the same three
  DABCi,
  DABCio,
  Words,       // d, a, b, c            all b32, without a type
  WAB,         // d, a, b               d twice as wide
  WABC,        // d, a, b, c            d and c twice as wide
  CountA,      // d, a                  d is u32
  Words2,      // d, a, b               all b32, without a type
  PAB,         // p[|q], a, b[, c]      q is the opposite; c a predicate, where there is a BoolOp
  DA2B2,       // d, a, b[, c]          a and b of type 2, c as in PAB
  DAB2C,       // d, a, b, c            b of type 2
  DABC2,       // d, a, b, c            c of type 2
  DABP,        // d, a, b, p
  PA,          // p, a
  Load,        // d, [address]
  Store,       // [address], a
  Load2,       // {d0, d1}, [address]
  Load4,       // {d0, d1, d2, d3}, [address]
  Store2,      // [address], {a0, a1}
  Store4,      // [address], {a0, a1, a2, a3}
  Pack2,       // d, {a0, a1}           a half as wide, a0 the low one
  Pack4,       // d, {a0, a1, a2, a3}   a quarter as wide
  Unpack2,     // {d0, d1}, a
  Unpack4,     // {d0, d1, d2, d3}, a
  Atom,        // d, [address], b
  AtomCas,     // d, [address], b, c
  Red,         // [address], b
  Param,       // d, [parameter]
  Shfl,        // d[|p], a, b[, c][, membermask]
  Vote,        // p, a[, membermask]    a is a predicate
  Ballot,      // d, a[, membermask]
  Match,       // d, a[, membermask]    d is a set of lanes
  MatchAll,    // d[|p], a[, membermask]
  D,           // d
  Bcast,       // d, a[, lane][, membermask]
  Collect,     // d, a[, membermask]
  Warp,        // [membermask]
  Bar,         // [barrier][, count]
  BarRed,      // d, barrier[, count], p
  BarArrive,   // barrier, count
  MbarInit,    // [address], count
  MbarInval,   // [address]
  MbarArrive,  // d, [address][, count]   d may be `_`
  MbarTest,    // p, [address], state
  MbarParity,  // p, [address], parity
  MbarTry,     // p, [address], state[, hint]
  MbarTryParity,
  CpAsync,      // [destination], [source], size[, read]
  CopiesLeft,   // pending
  Hinted,       // [address]
  HintedSize,   // [address], size      128 bytes
  Event,        // event                a constant from 0 to 15
  A,            // a
  Target,       // label
  PointerTest,  // p, a                 a is an address, 64 bits
  Printf,       // d, format, values    addresses; d is 32 bits
  AssertFail,   // message, file, line, function    addresses but for the line
  Malloc,       // d, size               both 64 bits
  RuntimeCall,  // d, function          an index (runtime_functions.h)
  Free,         // address
  CallPointer,  // a                    a function's address, 64 bits
  Dispatch,     // a, table             a is u32
  None,
};
inline constexpr int kFormCount = static_cast<int>(Form::None) + 1;
inline constexpr int kMaxOperands = 6;  // slots of the longest form, Shfl

// The operand slots of a form, in writing order.
std::span<const Slot> slots(Form form);
// Operand c of a comparison, a predicate.
constexpr bool is_combined(const Slot& slot) {
  return slot.role == Role::Src && slot.type == SlotType::Pred && slot.when_absent == Default::Absent;
}
constexpr bool is_hidden(const Slot& slot) { return slot.when_absent == Default::Carry; }
// Is it what `|` joins to the destination: %d|%p?
constexpr bool is_second_destination(const Slot& slot) {
  return slot.role == Role::DstPred && slot.when_absent == Default::Absent;
}
// The number of slots in braces: 0, or the elements of its vector.
int elements(Form form);
// Does an instruction of this form name two types?
bool has_second_type(Form form);
// The type of a slot's value in an instruction of types t and t2; a set of lanes stays Mask.
constexpr Type slot_type(SlotType slot, Type t, Type t2) {
  switch (slot) {
    case SlotType::T: return t;
    case SlotType::T2: return t2;
    case SlotType::Wide: return widened(t);
    case SlotType::Half: return bits(t) == 64 ? Type::B32 : Type::B16;
    case SlotType::Quarter: return Type::B16;
    case SlotType::U32:
    case SlotType::Byte: return Type::U32;
    case SlotType::U64: return Type::U64;
    case SlotType::Pred: return Type::Pred;
    case SlotType::Mask: return Type::Mask;
    case SlotType::None: break;
  }
  return Type::None;
}

struct OpInfo {
  std::string_view id;        // "ShflBfly": the row's name in instructions.def
  std::string_view mnemonic;  // "shfl.bfly"
  Form form;
  TypeSet types;
  ModSet mods;
  Lift lift;
  std::string_view kernel;  // the kernel's name in kernels.h
  Unit unit;
  AddressSpace space;
  TraitSet traits;
  std::string_view doc;  // one line: what it does, in the operands' letters
  std::string_view aka;  // what Mojo and CUDA call it: "Mojo warp.shuffle_xor; CUDA __shfl_xor_sync", may be ""
};
constexpr bool has_trait(const OpInfo& row, TraitSet traits) { return (row.traits & traits) != 0; }
// What a row does to memory, parameters counted in.
constexpr AccessKind access_of(const OpInfo& row) {
  switch (row.lift) {
    case Lift::Load:
    case Lift::LoadParam: return AccessKind::Load;
    case Lift::Store:
    case Lift::Copy: return AccessKind::Store;  // its row's space is where it writes
    case Lift::Atomic: return row.form == Form::Red ? AccessKind::Reduction : AccessKind::Atomic;
    case Lift::Mbarrier:
      return row.form == Form::MbarInit || row.form == Form::MbarInval ? AccessKind::Store
             : row.form == Form::MbarArrive                            ? AccessKind::Atomic
                                                                       : AccessKind::Load;
    default: return AccessKind::None;
  }
}
constexpr bool writes_memory(const OpInfo& row) {
  return access_of(row) != AccessKind::None && access_of(row) != AccessKind::Load;
}
// Memory that threads share and stores change: not the parameters.
constexpr bool accesses_memory(const OpInfo& row) {
  return row.space == AddressSpace::Global || row.space == AddressSpace::Shared;
}
// The memory that an address of a row is in: a copy's source is global.
constexpr AddressSpace space_of(const OpInfo& row, const Slot& slot) {
  return row.lift == Lift::Copy && slot.name == "source" ? AddressSpace::Global : row.space;
}
// … and that an instruction accesses, which may name another one than its row.
constexpr AddressSpace space_of(const OpInfo& row, const Mods& mods) {
  return mods.memory.space == AddressSpace::None ? row.space : mods.memory.space;
}
// Which qualifiers of memory a row takes.
constexpr bool takes_semantics(const OpInfo& row, Semantics semantics) {
  if ((row.mods & kSemantics) == 0) return false;
  if (row.lift == Lift::Mbarrier)
    return semantics == Semantics::Relaxed ||
           semantics == (access_of(row) == AccessKind::Load ? Semantics::Acquire : Semantics::Release);
  switch (semantics) {
    case Semantics::Relaxed: return true;
    case Semantics::Weak:
    case Semantics::Volatile: return row.lift != Lift::Atomic;
    case Semantics::Acquire: return row.lift != Lift::Store;
    case Semantics::Release: return row.lift != Lift::Load;
    case Semantics::AcqRel: return row.lift == Lift::Atomic;
    default: return false;
  }
}
// Which words for the caches a row takes. An atomic has none of its own.
constexpr bool takes_cache(const OpInfo& row, CacheOperator cache) {
  if ((row.mods & kCache) == 0) return false;
  switch (cache) {
    case CacheOperator::Ca:
    case CacheOperator::Lu:
    case CacheOperator::Cv: return row.lift == Lift::Load;
    case CacheOperator::Cg:
    case CacheOperator::Cs: return row.lift != Lift::Atomic;
    case CacheOperator::Wb:
    case CacheOperator::Wt: return row.lift == Lift::Store;
    case CacheOperator::None: break;
  }
  return false;
}
constexpr bool takes_non_coherent(const OpInfo& row) { return (row.mods & kCache) != 0 && row.lift == Lift::Load; }
constexpr bool takes_hint(const OpInfo& row, HintSet hint) {
  if ((row.mods & kCache) == 0 || row.lift == Lift::Atomic) return false;
  return hint != 0 &&
         (hint & (row.lift == Lift::Load ? kL1Hints | kL2Hints | kPrefetchHints : kL1Hints | kL2Hints)) == hint;
}
// PTX's `_`: nothing is written.
constexpr bool may_be_dropped(const OpInfo& row, const Slot& slot) {
  return row.form == Form::MbarArrive && slot.role == Role::Dst;
}
// PTX wants a scope where a load or store is strong by its qualifier, and takes none elsewhere; an atomic may have both
// or either.
constexpr bool wants_scope(const OpInfo& row, Semantics semantics) {
  return row.lift != Lift::Atomic && semantics >= Semantics::Relaxed;
}
std::string semantics_words(const OpInfo& row);  // those it takes: ".relaxed .acquire"
// Of an atomic in global memory, the row that does the same to shared memory: sums of floats differ in subnormals.
Op shared_row(Op global);
// Whom a fence reaches; None: the row is no fence.
Scope scope_of_fence(Op op);
bool is_sc_fence(Op op);  // fence.sc, as membar is
constexpr bool takes_scope(const OpInfo& row, Scope scope) {
  if (row.lift == Lift::Mbarrier && scope > Scope::Cluster) return false;
  return (row.mods & kScope) != 0 && scope != Scope::None;
}
// Is `op` the operation by which this reduce or scan combines two lanes' values of type t? The table names a collective
// by it: reduce.add combines by add, reduce.mul by mul or, of integers, mul.lo.
bool combines_by(const OpInfo& collective, const OpInfo& op, Type t);
// The unit that executes a row at type t: a row of floats has one meaning, but f64 arithmetic has a unit of its own.
constexpr Unit unit_of(const OpInfo& row, Type t) {
  const bool computes = (row.lift == Lift::Lane || row.lift == Lift::Compare) && !contains(row.types, Type::B64);
  return t == Type::F64 && computes && (row.unit == Unit::Alu || row.unit == Unit::Fma) ? Unit::Fp64 : row.unit;
}

// Which types of a row .ftz and .sat are for: those that have subnormals to lose or a range to keep to in the hardware.
// f64 takes .ftz only where it is the row's only type, in the seeds of the approximate functions.
constexpr bool takes_ftz(const OpInfo& row, Type t) {
  if ((row.mods & kFtzReq) != 0) return true;
  return (row.mods & kFtz) != 0 && (contains(kF32 | kF16 | kF16X2, t) || row.types == kF64);
}
constexpr bool takes_sat(const OpInfo& row, Type t) {
  return (row.mods & kSat) != 0 && contains(kF32 | kF16 | kF16X2, t);
}
// Which of a row's second types go with which of its first ones. PTX converts any of cvt's to any other, except bytes
// to or from bf16; set gives 16-bit floats only for comparisons of their own type.
constexpr bool takes_types(const OpInfo& row, Type to, Type from) {
  if (row.form == Form::DA2B2) {
    if (is_pair(from)) return to == from || contains(kInt32, to);
    if (contains(kHalfFloat, from)) return to == from || contains(kInt16 | kInt32, to);
    return contains(kInt32 | kF32, to);
  }
  return row.form != Form::DAcvt || (!(bits(to) == 8 && from == Type::BF16) && !(to == Type::BF16 && bits(from) == 8));
}
// Of a conversion with kNarrowRnd: 8-bit floats round to nearest, and so does what is made of them.
constexpr bool takes_narrow_round(Type to, Type from, Round round) {
  if (contains(kFloat8X2, to) || contains(kFloat8X2, from)) return round == Round::Rn;
  return round == Round::Rn || round == Round::Rz || (to == Type::TF32 && round == Round::Rna);
}
// cvt has .relu from f32 to f16 and bf16, rounded to nearest or toward zero; to tf32 not with .rna.
constexpr bool takes_relu(const OpInfo& row, Type to, Type from, Round round) {
  if ((row.mods & kCvtRnd) != 0)
    return contains(kHalfFloat, to) && from == Type::F32 && (round == Round::Rn || round == Round::Rz);
  return (row.mods & kRelu) != 0 && round != Round::Rna;
}
// Is this slot written in an instruction with these modifiers? Operand c of a comparison goes with its BoolOp.
constexpr bool has_slot(const Slot& slot, const Mods& mods) {
  return !is_combined(slot) || mods.boolean != BoolOp::None;
}
// May an instruction of these types have .ftz? If it has two types, either counts for a conversion, else the second.
bool may_flush(const OpInfo& row, Type t, Type t2);

const OpInfo& info(Op op);
bool is_idempotent(Op op);
// Do the warps of a block meet there: bar.sync, bar.arrive, bar.red?
constexpr bool is_block_barrier(const OpInfo& row) { return (row.mods & kUnaligned) != 0; }
bool is_block_barrier(Op op);
ShuffleMode shuffle_mode(Op op);
// Of a copy, or of advice about a line of the cache: does its row take so many bytes?
constexpr bool takes_size(Op op, std::int64_t size) {
  if (op == Op::ApplyPriority || op == Op::DiscardL2) return size == 128;
  return size == 16 || (op == Op::CpAsyncCa && (size == 4 || size == 8));
}
std::span<const OpInfo> all_ops();  // in table order; the index is the Op
// Those that the assembly takes: the first ones. The others are for modules of PTX.
std::span<const OpInfo> assembly_ops();
std::string_view name(Unit unit);
std::string_view name(Round round);     // "rn"; None is ""
std::string_view name(BoolOp boolean);  // "and"; None is ""
std::string spelling(Op op);            // "shfl.bfly", "bar.sync": the mnemonic with what PTX always writes
std::string usage(Op op);               // "shfl.bfly.TYPE d[|p], a, b[, c][, membermask]"

}  // namespace warpsim
