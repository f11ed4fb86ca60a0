#include "tests/support/scalar_eval.h"

#include <bit>
#include <concepts>
#include <type_traits>

#include "isa/kernels/kernels.h"

// Kernel names of rows without a scalar meaning; only the names are needed.
namespace warpsim::kernels {
struct None;
}  // namespace warpsim::kernels

namespace warpsim::tests {
namespace {

using Operands = std::array<std::uint64_t, 4>;
using Result = std::optional<std::uint64_t>;

template <class T>
T from_operand(std::uint64_t x) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(x));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(x);
  else return static_cast<T>(x);
}
template <class T>
std::uint64_t to_result(T x) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(x);
  else if constexpr (std::is_same_v<T, bool>) return x ? 1 : 0;
  else return static_cast<std::make_unsigned_t<T>>(x);
}

constexpr int sources(Form form) {
  switch (form) {
    case Form::DA:
    case Form::CountA: return 1;
    case Form::DABC:
    case Form::WABC: return 3;
    default: return 2;
  }
}

template <Form F, class K, class T>
Result apply(const Operands& o, Mods mods, Path path) {
  const T a = from_operand<T>(o[0]);
  using B = std::conditional_t<F == Form::DAS, std::uint32_t, T>;
  [[maybe_unused]] const B b = from_operand<B>(o[1]);
  if constexpr (F == Form::DABP) {
    if (path == Path::Plain) return to_result(K::template of<T>(a, b, (o[2] & 1) != 0));
  } else if constexpr (F == Form::WABC) {
    if (path == Path::Plain) return to_result(K::template of<T>(a, b, static_cast<kernels::Wide<T>>(o[2])));
  } else if constexpr (sources(F) == 1) {
    if (path == Path::Plain) return to_result(K::template of<T>(a));
    if constexpr (requires { K::template of<T>(a, mods); }) return to_result(K::template of<T>(a, mods));
  } else if constexpr (sources(F) == 3) {
    const T c = from_operand<T>(o[2]);
    if (path == Path::Plain) return to_result(K::template of<T>(a, b, c));
    if constexpr (requires { K::template of<T>(a, b, c, mods); }) return to_result(K::template of<T>(a, b, c, mods));
  } else {
    if (path == Path::Plain) return to_result(K::template of<T>(a, b));
    if constexpr (requires { K::template of<T>(a, b, mods); }) return to_result(K::template of<T>(a, b, mods));
  }
  return std::nullopt;
}

// The C++ type that a kernel is called with for an instruction's type.
template <Form F, TypeSet Types, class K>
Result apply_typed(const Instruction& i, const Operands& o, Path path) {
  // Moves and selections carry bits, whatever their type.
  constexpr bool kBitsOnly = std::is_same_v<K, kernels::Copy> || std::is_same_v<K, kernels::Select>;
  using F32 = std::conditional_t<kBitsOnly, std::uint32_t, float>;
  using F64 = std::conditional_t<kBitsOnly, std::uint64_t, double>;
  switch (i.type) {
    case Type::B16:
    case Type::U16:
    case Type::S16:
    case Type::F16:
    case Type::BF16:
    case Type::F16X2:
    case Type::BF16X2:
      if constexpr (contains(Types, Type::B16)) return apply<F, K, std::uint32_t>(o, i.mods, path);
      break;
    case Type::B32:
      if constexpr (contains(Types, Type::B32)) return apply<F, K, std::uint32_t>(o, i.mods, path);
      break;
    case Type::U32:
      if constexpr (contains(Types, Type::U32)) return apply<F, K, std::uint32_t>(o, i.mods, path);
      break;
    case Type::S32:
      if constexpr (contains(Types, Type::S32)) return apply<F, K, std::int32_t>(o, i.mods, path);
      break;
    case Type::F32:
      if constexpr (contains(Types, Type::F32)) return apply<F, K, F32>(o, i.mods, path);
      break;
    case Type::B64:
      if constexpr (contains(Types, Type::B64)) return apply<F, K, std::uint64_t>(o, i.mods, path);
      break;
    case Type::U64:
      if constexpr (contains(Types, Type::U64)) return apply<F, K, std::uint64_t>(o, i.mods, path);
      break;
    case Type::S64:
      if constexpr (contains(Types, Type::S64)) return apply<F, K, std::int64_t>(o, i.mods, path);
      break;
    case Type::F64:
      if constexpr (contains(Types, Type::F64)) return apply<F, K, F64>(o, i.mods, path);
      break;
    case Type::Pred:  // lane 0 of two sets of lanes
      if constexpr (contains(Types, Type::Pred)) {
        const Result lanes = apply<F, K, std::uint64_t>(o, i.mods, path);
        if (lanes) return *lanes & 1;
      }
      break;
    default: break;
  }
  return std::nullopt;
}

// What is above an operand's width is cut off, as a register has no room for it.
kernels::Operands bits_operands(const Instruction& i, Operands o) {
  std::size_t source = 0;
  for (const Slot& slot : slots(info(i.op).form)) {
    if (slot.role != Role::Src) continue;
    const int width = slot_bits(slot, i);
    if (width < 64) o[source] &= (std::uint64_t{1} << width) - 1;
    ++source;
  }
  return {i.type, i.type2, i.mods, o[0], o[1], o[2], o[3]};
}

template <Form F, TypeSet Types, Lift L, class K>
std::optional<bool> carry_of(const Instruction& i, const Operands& o) {
  if constexpr (L == Lift::Bits) {
    if constexpr (requires(const kernels::Operands& x) { K::second(x); }) return K::second(bits_operands(i, o));
  } else if constexpr (L == Lift::Compare) {
    Instruction plain = i;
    plain.mods.boolean = BoolOp::None;
    const Result truth = apply_typed<F, Types, K>(plain, o, Path::Exact);
    if (truth) return combined(i.mods.boolean, *truth == 0, (o[2] & 1) != 0);
  }
  return std::nullopt;
}

template <Form F, TypeSet Types, Lift L, class K>
Result apply_row(const Instruction& i, const Operands& o, Path path) {
  if constexpr (L == Lift::Lane && F == Form::DAcvt) {
    if (path == Path::Exact) return K::of(o[0], i.type, i.type2, i.mods);
  } else if constexpr (L == Lift::Bits) {
    if (path == Path::Exact) return K::of(bits_operands(i, o));
  } else if constexpr (L == Lift::Compare) {
    const Result truth = apply_typed<F, Types, K>(i, o, path);
    return truth ? Result(combined(i.mods.boolean, *truth != 0, (o[2] & 1) != 0) ? 1 : 0) : truth;
  } else if constexpr (L == Lift::Lane) {
    return apply_typed<F, Types, K>(i, o, path);
  } else if constexpr (L == Lift::Reduce || L == Lift::Scan || L == Lift::Redux) {
    return apply_typed<Form::DAB, Types, K>(i, o, path);  // the operation for two lanes
  }
  return std::nullopt;
}

template <Lift L, class K>
Result apply_vote(std::uint64_t true_lanes, std::uint64_t members) {
  if constexpr (L == Lift::Vote || L == Lift::Match) return K::of(true_lanes, members);
  return std::nullopt;
}

template <Lift L, class K>
Result apply_atomic(const kernels::AtomicOperands& o) {
  if constexpr (L == Lift::Atomic) return K::of(o);
  return std::nullopt;
}

struct Suffixes {
  std::string_view rest;
  bool next(std::string_view& word) {
    if (rest.empty()) return false;
    rest.remove_prefix(1);  // '.'
    word = rest.substr(0, rest.find('.'));
    rest.remove_prefix(word.size());
    return true;
  }
};

Round parse_round(std::string_view word) {
  for (const Round r :
       {Round::Rn, Round::Rz, Round::Rm, Round::Rp, Round::Rni, Round::Rzi, Round::Rmi, Round::Rpi, Round::Rna}) {
    if (name(r) == word) return r;
  }
  return Round::None;
}

// The suffixes as modifiers, then one type, or two for cvt. Nothing may be left over.
bool parse_suffixes(Suffixes suffixes, Instruction& i) {
  const bool two = has_second_type(info(i.op).form);
  std::string_view word;
  while (suffixes.next(word)) {
    if (const Type t = parse_type(word); t != Type::None) {
      if (i.type == Type::None) i.type = t;
      else if (two && i.type2 == Type::None) i.type2 = t;
      else return false;
    } else if (i.type != Type::None) {
      return false;  // a modifier after the type
    } else if (const Round r = parse_round(word); r != Round::None && i.mods.round == Round::None) {
      i.mods.round = r;
    } else if (word == "ftz") {
      i.mods.ftz = true;
    } else if (word == "sat") {
      i.mods.sat = true;
    } else if (word == "satfinite") {
      i.mods.satfinite = true;
    } else if (word == "and" || word == "or" || word == "xor") {
      i.mods.boolean = word == "and" ? BoolOp::And : word == "or" ? BoolOp::Or : BoolOp::Xor;
    } else if (word == "relu") {
      i.mods.relu = true;
    } else if (word == "NaN") {
      i.mods.nan = true;
    } else if (word == "xorsign" && suffixes.next(word) && word == "abs") {
      i.mods.xorsign = true;
    } else {
      return false;
    }
  }
  return (i.type != Type::None || info(i.op).types == kNoType) && two == (i.type2 != Type::None);
}

bool row_takes(const Instruction& i) {
  const OpInfo& row = info(i.op);
  const bool rounds = (row.mods & (kRnd | kRndReq | kCvtRnd | kNarrowRnd)) != 0;
  if (i.type2 != Type::None && !contains(second_types(row.types), i.type2)) return false;
  if (i.mods.satfinite && (row.mods & (kSatfinite | kSatfiniteReq)) == 0) return false;
  if (i.mods.boolean != BoolOp::None && (row.mods & kBoolOp) == 0) return false;
  return contains(row.types, i.type) && (rounds || i.mods.round == Round::None) &&
         ((row.mods & (kFtz | kFtzReq)) != 0 || !i.mods.ftz) && ((row.mods & kSat) != 0 || !i.mods.sat) &&
         ((row.mods & kRelu) != 0 || !i.mods.relu) && ((row.mods & kNaN) != 0 || !i.mods.nan) &&
         ((row.mods & kXorsign) != 0 || !i.mods.xorsign);
}

}  // namespace

// The row with the longest mnemonic wins.
std::optional<Instruction> parse_opcode(std::string_view text) {
  std::optional<Instruction> best;
  std::size_t longest = 0;
  for (int op = 0; op < kAssemblyOpCount; ++op) {
    Instruction i;
    i.op = static_cast<Op>(op);
    const std::string_view mnemonic = info(i.op).mnemonic;
    if (mnemonic.size() <= longest || text.substr(0, mnemonic.size()) != mnemonic) continue;
    const std::string_view rest = text.substr(mnemonic.size());
    if (!rest.empty() && rest[0] != '.') continue;
    if (!parse_suffixes({rest}, i) || !row_takes(i)) continue;
    best = i;
    longest = mnemonic.size();
  }
  return best;
}

std::vector<Mods> modifiers_of(const OpInfo& row) {
  std::vector<Mods> found = {Mods{}};
  const auto with = [&](ModSet bits, auto set) {
    if ((row.mods & bits) == 0) return;
    const std::size_t count = found.size();
    for (std::size_t k = 0; k < count; ++k) {
      found.push_back(found[k]);
      set(found.back());
    }
  };
  with(kFtz | kFtzReq, [](Mods& m) { m.ftz = true; });
  with(kSat, [](Mods& m) { m.sat = true; });
  with(kRelu, [](Mods& m) { m.relu = true; });
  with(kNaN, [](Mods& m) { m.nan = true; });
  with(kXorsign, [](Mods& m) { m.xorsign = true; });
  with(kSatfinite | kSatfiniteReq, [](Mods& m) { m.satfinite = true; });
  const std::size_t uncombined = found.size();
  for (const BoolOp operation : {BoolOp::And, BoolOp::Or, BoolOp::Xor}) {
    for (std::size_t k = 0; (row.mods & kBoolOp) != 0 && k < uncombined; ++k) {
      found.push_back(found[k]);
      found.back().boolean = operation;
    }
  }
  const std::size_t unrounded = found.size();
  for (int round = 1; (row.mods & (kRnd | kRndReq | kCvtRnd | kNarrowRnd)) != 0 && round < 10; ++round) {
    for (std::size_t k = 0; k < unrounded; ++k) {
      found.push_back(found[k]);
      found.back().round = static_cast<Round>(round);
    }
  }
  return found;
}

std::string opcode_text(const Instruction& i) {
  std::string text(info(i.op).mnemonic);
  const auto add = [&text](std::string_view word) {
    if (!word.empty()) text.append(".").append(word);
  };
  add(name(i.mods.boolean));
  add(name(i.mods.round));
  if (i.mods.ftz) add("ftz");
  if (i.mods.sat) add("sat");
  if (i.mods.satfinite) add("satfinite");
  if (i.mods.relu) add("relu");
  if (i.mods.nan) add("NaN");
  if (i.mods.xorsign) add("xorsign.abs");
  add(name(i.type));
  add(name(i.type2));
  return text;
}

int result_bits(const Instruction& i) {
  for (const Slot& slot : slots(info(i.op).form)) {
    if (slot.role != Role::Src) return slot_bits(slot, i);
  }
  return 0;
}

int slot_bits(const Slot& slot, const Instruction& i) { return bits(slot_type(slot.type, i.type, i.type2)); }

std::optional<std::uint64_t> evaluate(const Instruction& i, const Operands& operands, Path path) {
  switch (i.op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return apply_row<Form::form, (types), Lift::lift, kernels::kernel>(i, operands, path);
#include "isa/table/instructions.def"
#undef INSN
  }
  return std::nullopt;
}

std::optional<bool> evaluate_carry(const Instruction& i, const Operands& operands) {
  switch (i.op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return carry_of<Form::form, (types), Lift::lift, kernels::kernel>(i, operands);
#include "isa/table/instructions.def"
#undef INSN
  }
  return std::nullopt;
}

std::optional<std::uint64_t> evaluate_atomic(const Instruction& i, std::uint64_t old, std::uint64_t b,
                                             std::uint64_t c) {
  const kernels::AtomicOperands operands{i.type, old, b, c};
  switch (i.op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return apply_atomic<Lift::lift, kernels::kernel>(operands);
#include "isa/table/instructions.def"
#undef INSN
  }
  return std::nullopt;
}

std::optional<std::uint64_t> evaluate_vote(Op op, std::uint64_t true_lanes, std::uint64_t members) {
  switch (op) {
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, ...) \
  case Op::Name:                                                   \
    return apply_vote<Lift::lift, kernels::kernel>(true_lanes, members);
#include "isa/table/instructions.def"
#undef INSN
  }
  return std::nullopt;
}

}  // namespace warpsim::tests
