// Video instructions: each becomes a few of the table's; see ptx_lowering.h and ptx_video.h.
//
// Shapes: lanes are widened to 64 bits, which hold every intermediate result that the manual and ptxas know, clamped
// there and
//         put back into 32 bits.
// Source: PTX ISA 9.0, 9.7.18. What a second minimum or maximum compares is not said there: it is what the machine
//         code does that ptxas 13.0 makes for sm_90.
#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_video.h"

namespace warpsim::ptx {

using Given = ptx::Operand;
using Made = warpsim::Operand;
using Action = VideoForm::Action;
using Second = VideoForm::Second;

namespace {

Given without_selector(Given operand) {
  operand.element = {};
  return operand;
}

// The operand without its sign: -%r1.h0. A constant keeps it.
Given without_sign(const Given& operand, bool& is_negated) {
  is_negated = false;
  if (operand.kind != Given::Kind::Constant) return operand;
  const Expression& all = operand.of.front();
  if (all.kind != Expression::Kind::Unary || all.text != "-" || all.of.front().kind != Expression::Kind::Symbol)
    return operand;
  is_negated = true;
  Given symbol;
  symbol.kind = Given::Kind::Symbol;
  symbol.where = operand.where;
  const std::string_view text = all.of.front().text;
  const std::size_t dot = text.find('.');
  symbol.name = text.substr(0, dot);
  if (dot != std::string_view::npos) symbol.element = text.substr(dot);
  return symbol;
}

}  // namespace

// ---- parts of operands

std::optional<Made> Lowering::part_of_source(const Instruction& from, const Given& operand, Part part, Type type) {
  Insn reads = made(from, Op::Mov, Type::B32);
  reads.operands.assign(2, Made{});
  if (!bind_source(from, reads, 1, without_selector(operand)) || failed_) return std::nullopt;
  if (part.bits == 32) return reads.operands[1];
  return step(from, Op::Bfe, type, {reads.operands[1], number_operand(part.at), number_operand(part.bits)});
}

std::optional<Made> Lowering::selected(const Instruction& from, const Given& operand, Type type) {
  const std::optional<Part> part = ptx::part_of(operand.element);
  if (!part) {
    wrong_operand(from, operand, "takes .b0 to .b3, .h0 or .h1 of a register here");
    return std::nullopt;
  }
  return part_of_source(from, operand, *part, type);
}

Made Lowering::widened(const Instruction& from, const Made& value, Type type) {
  return step(from, Op::Cvt, Type::S64, {value}, type);
}
Made Lowering::low_word(const Instruction& from, const Made& value) {
  return step(from, Op::Cvt, Type::U32, {value}, Type::U64);
}

// ---- what is computed of a and b: 64 bits

Made Lowering::video_result(const Instruction& from, const VideoForm& form, const Made& a, const Made& b) {
  const Made result = video_action(from, form, a, b);
  return form.at_least_zero ? step(from, Op::Max, Type::S64, {result, number_operand(0)}) : result;
}

Made Lowering::video_action(const Instruction& from, const VideoForm& form, const Made& a, const Made& b) {
  const auto of = [&](Op op, std::initializer_list<Made> sources) { return step(from, op, Type::S64, sources); };
  const Made wide_a = widened(from, a, form.a);
  if (form.is_shift()) {
    const Made distance = form.wraps ? step(from, Op::And, Type::B32, {b, number_operand(31)})
                                     : step(from, Op::Min, Type::U32, {b, number_operand(32)});
    return form.action == Action::Shl ? step(from, Op::Shl, Type::B64, {wide_a, distance})
                                      : of(Op::Shr, {wide_a, distance});
  }
  const Made wide_b = widened(from, b, form.b);
  switch (form.action) {
    case Action::Add: return of(Op::Add, {wide_a, wide_b});
    case Action::Sub: return of(Op::Sub, {wide_a, wide_b});
    case Action::AbsDiff: return of(Op::Abs, {of(Op::Sub, {wide_a, wide_b})});
    case Action::Min: return of(Op::Min, {wide_a, wide_b});
    case Action::Max: return of(Op::Max, {wide_a, wide_b});
    case Action::Average: {  // halves are rounded away from zero
      const Made sum = of(Op::Add, {wide_a, wide_b});
      const Made rounds = of(Op::Add, {of(Op::Shr, {sum, number_operand(63)}), number_operand(1)});
      return of(Op::Shr, {of(Op::Add, {sum, rounds}), number_operand(1)});
    }
    case Action::Set:
      return step(from, Op::Selp, Type::B64,
                  {number_operand(1), number_operand(0), of(form.compares, {wide_a, wide_b})});
    default: return of(Op::MulLo, {wide_a, wide_b});
  }
}

Made Lowering::clamped(const Instruction& from, const Made& value, bool is_signed, unsigned width,
                       bool value_is_signed) {
  const std::int64_t greatest = (std::int64_t{1} << (is_signed ? width - 1 : width)) - 1;
  if (!value_is_signed) return step(from, Op::Min, Type::U64, {value, number_operand(greatest)});
  const Made above = step(from, Op::Max, Type::S64, {value, number_operand(is_signed ? -greatest - 1 : 0)});
  return step(from, Op::Min, Type::S64, {above, number_operand(greatest)});
}

// ---- instructions

void Lowering::video(const Instruction& from, const VideoForm& form) {
  const std::size_t given = from.operands.size();
  const bool takes_c = form.lanes != 1 || form.action == Action::Mad || form.second != Second::None ||
                       (given != 0 && !from.operands[0].element.empty());
  const std::size_t wanted = takes_c ? 4 : 3;
  if (given != wanted) return static_cast<void>(wrong_count(from, wanted, wanted, given));
  const std::optional<Made> result = form.lanes != 1              ? video_lanes(from, form)
                                     : form.action == Action::Mad ? video_mad(from, form)
                                                                  : video_scalar(from, form);
  if (!result || failed_) return;
  Insn last = made(from, Op::Mov, Type::B32);
  last.operands = {Made{}, *result};
  if (bind_destination(from, last, 0, without_selector(from.operands[0])) && !failed_) emit(std::move(last));
}

// The same of pairs of integers, whose lanes are all written: what is merged with them is of no account.
void Lowering::integers(const Instruction& from, const VideoForm& form) {
  if (from.operands.size() != 3) return static_cast<void>(wrong_count(from, 3, 3, from.operands.size()));
  if (form.lanes == 1) return video(from, form);
  Instruction merged = from;
  Given zero;
  zero.kind = Given::Kind::Constant;
  zero.of.push_back({});
  merged.operands.push_back(std::move(zero));
  video(merged, form);
}

namespace {

// Forms of which an H100 gave other bits than the manual's pseudo-code, as ptxas 13.0 compiles them for sm_90: the
// upper half of a result in .h1, what is limited to a part or goes into a second operation, a shift to the left that is
// limited, a product that is limited or shifted.
bool is_compiled_otherwise(const VideoForm& form, const Part& into) {
  if (form.action == Action::Mad) return form.saturates || form.scale != 0;
  const bool is_upper_half = into.at == 16 && into.bits == 16;
  return is_upper_half ||
         (form.saturates && (into.bits != 32 || form.second != Second::None || form.action == Action::Shl));
}
constexpr const char* kCompiledOtherwise = "ptxas compiles this form otherwise than PTX's manual says";

}  // namespace

std::optional<Made> Lowering::video_scalar(const Instruction& from, const VideoForm& form) {
  const std::optional<Part> into = ptx::part_of(from.operands[0].element);
  if (!into || (into->bits != 32 && form.second != Second::None)) {
    wrong_operand(from, from.operands[0],
                  into ? "has a second operation, and so no part of the destination" : "writes .b0 to .b3, .h0 or .h1");
    return std::nullopt;
  }
  const std::optional<Made> a = selected(from, from.operands[1], form.a);
  const std::optional<Made> b = a ? selected(from, from.operands[2], form.b) : std::nullopt;
  if (!b) return std::nullopt;
  if (is_compiled_otherwise(form, *into)) return refuse(from, kCompiledOtherwise), std::nullopt;
  std::optional<Made> c;
  if (from.operands.size() == 4 && !(c = part_of_source(from, from.operands[3], {}, form.type))) return std::nullopt;
  Made wide = video_result(from, form, *a, *b);
  const bool is_unsigned_shift = form.is_shift() && form.a == Type::U32;
  if (form.saturates) wide = clamped(from, wide, is_signed(form.type), into->bits, !is_unsigned_shift);
  if (form.second == Second::Min || form.second == Second::Max) {
    // Sums and differences are compared by their low word, with its sign whatever the type is. Of a comparison, which
    // has no type of its own, a's counts.
    if (form.action == Action::Add || form.action == Action::Sub) wide = widened(from, low_word(from, wide), Type::S32);
    const Type type = form.action == Action::Set ? form.a : form.type;
    wide = step(from, form.second == Second::Min ? Op::Min : Op::Max, is_signed(type) ? Type::S64 : Type::U64,
                {wide, widened(from, *c, type)});
  }
  const Made word = low_word(from, wide);
  if (form.second == Second::Add) return step(from, Op::Add, Type::U32, {word, *c});
  if (into->bits == 32) return word;
  return step(from, Op::Bfi, Type::B32, {word, *c, number_operand(into->at), number_operand(into->bits)});
}

// a * b + c, one of both with its sign turned; or + 1.
std::optional<Made> Lowering::video_mad(const Instruction& from, const VideoForm& form) {
  if (!from.operands[0].element.empty()) {
    wrong_operand(from, from.operands[0], "writes a whole register");
    return std::nullopt;
  }
  bool turns_a = false, turns_b = false, turns_c = false;
  const Given given_a = without_sign(from.operands[1], turns_a), given_b = without_sign(from.operands[2], turns_b),
              given_c = without_sign(from.operands[3], turns_c);
  const bool turns_product = turns_a != turns_b;
  if ((turns_product && turns_c) || (form.plus_one && (turns_a || turns_b || turns_c))) {
    wrong_operand(from, from.operands[3],
                  form.plus_one ? "negates no operand" : "negates the product or the last operand, not both");
    return std::nullopt;
  }
  const std::optional<Made> a = selected(from, given_a, form.a);
  const std::optional<Made> b = a ? selected(from, given_b, form.b) : std::nullopt;
  const bool is_signed_sum = is_signed(form.a) || is_signed(form.b) || turns_product || turns_c;
  const Type sum_type = is_signed_sum ? Type::S32 : Type::U32;
  const std::optional<Made> c = b ? part_of_source(from, given_c, {}, sum_type) : std::nullopt;
  if (!c) return std::nullopt;
  if (is_compiled_otherwise(form, {})) return refuse(from, kCompiledOtherwise), std::nullopt;
  Made sum = video_result(from, form, *a, *b);
  if (turns_product) sum = step(from, Op::Neg, Type::S64, {sum});
  sum = step(from, turns_c ? Op::Sub : Op::Add, Type::S64, {sum, widened(from, *c, sum_type)});
  if (form.plus_one) sum = step(from, Op::Add, Type::S64, {sum, number_operand(1)});
  return low_word(from, sum);
}

std::optional<Made> Lowering::video_lanes(const Instruction& from, const VideoForm& form) {
  const std::array<std::optional<std::vector<unsigned>>, 3> chosen = {
      masked_lanes(from.operands[0].element, form.lanes), chosen_lanes(from.operands[1].element, form.lanes, 0),
      chosen_lanes(from.operands[2].element, form.lanes, form.lanes)};
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (chosen[k]) continue;
    const std::string wanted = form.lanes == 2 ? k == 0 ? ".h0, .h1 or .h10" : ".h and two numbers up to 3"
                               : k == 0        ? ".b and numbers from 3 down, .b310 say"
                                               : ".b and four numbers up to 7";
    wrong_operand(from, from.operands[k], "takes " + wanted + " here");
    return std::nullopt;
  }
  const unsigned width = 32 / form.lanes;
  const auto lane = [&](unsigned number, Type type) {
    return part_of_source(from, from.operands[number < form.lanes ? 1 : 2], {number % form.lanes * width, width}, type);
  };
  std::optional<Made> all = part_of_source(from, from.operands[3], {}, Type::U32);
  for (const unsigned k : *chosen[0]) {
    const std::optional<Made> a = lane((*chosen[1])[k], form.a), b = a ? lane((*chosen[2])[k], form.b) : std::nullopt;
    if (!all || !b) return std::nullopt;
    Made wide = video_result(from, form, *a, *b);
    if (form.saturates) wide = clamped(from, wide, is_signed(form.type), width, true);
    const Made word = low_word(from, wide);
    all = form.second == Second::Add
              ? step(from, Op::Add, Type::U32, {*all, word})
              : step(from, Op::Bfi, Type::B32, {word, *all, number_operand(k * width), number_operand(width)});
  }
  return all;
}

}  // namespace warpsim::ptx
