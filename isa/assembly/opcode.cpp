// Choosing the row of the table that an opcode names.
//
// Shapes: see opcode.h. Rows that share a mnemonic (add for integers, add for floats) differ in the type.
// Errors: A015 type missing, A017 number of types, A018 modifier not taken, A019 rounding, .ftz or a scope missing,
//         A020 rounding, semantics or scope twice.
// Source: PTX ISA 9.0, chapter 9; rounding of cvt: section 9.7.9.21.
#include "isa/assembly/opcode.h"

#include <algorithm>
#include <array>

#include "isa/assembly/opcode_rows.h"

namespace warpsim {
namespace {

constexpr std::size_t kMostWords = 12;  // of an opcode; more are not split

bool rounds_to_integer(Round r) { return r >= Round::Rni && r <= Round::Rpi; }

struct OpcodeParts {
  std::vector<Type> types;
  std::vector<std::size_t> type_words, round_words, semantics_words, scope_words, cache_words, bool_words;
  std::size_t l1_words = 0, l2_words = 0, fetch_words = 0;  // how many hints of each kind
  std::size_t ftz_word = 0, sat_word = 0, exclusive_word = 0, relu_word = 0, nan_word = 0, xorsign_word = 0,
              satfinite_word = 0, policy_word = 0,
              hint_word = 0;  // 0: not written
  Mods mods;
};

// Two types that the row takes, for an example.
std::string two_types_of(const OpInfo& row) {
  const auto one = [](TypeSet types, Type wanted) {
    for (int t = 1; !contains(types, wanted) && t < kTypeCount; ++t) {
      if (contains(types, static_cast<Type>(t))) wanted = static_cast<Type>(t);
    }
    return "." + std::string(name(wanted));
  };
  return one(row.types, row.form == Form::DAcvt ? Type::S64 : Type::U32) + one(second_types(row.types), Type::S32);
}

class Selector {
 public:
  Selector(const OpcodeWords& opcode, const OpcodeMatch& match, Diagnostics& diagnostics)
      : opcode_(opcode), match_(match), diagnostics_(diagnostics) {}

  std::optional<Opcode> run() {
    if (!read_words() || !choose_row() || !check_modifiers()) return std::nullopt;
    Opcode result;
    result.op = row_;
    result.mods = written_.mods;
    result.space_left_out = match_.space_left_out;
    result.has_cache_policy = written_.policy_word != 0;
    result.mods.unaligned = is_unaligned();
    if (!written_.types.empty()) result.type = written_.types[0];
    if (written_.types.size() > 1) result.type2 = written_.types[1];
    return result;
  }

 private:
  // PTX: bar is barrier.cta with .aligned.
  bool is_unaligned() const {
    const std::vector<std::string_view>& words = opcode_.words;
    return words[0] == "barrier" && is_block_barrier(info(row_)) &&
           std::find(words.begin(), words.end(), "aligned") == words.end();
  }
  const OpInfo& first_row() const { return info(match_.rows[0]); }
  std::string text_of(std::size_t word) const { return quoted("." + std::string(opcode_.words[word])); }
  bool fail(std::string code, SourceRange where, std::string message, Hint hint) {
    diagnostics_.error(std::move(code), where, std::move(message), std::move(hint));
    return false;
  }
  // The opcode with another rounding, for hints.
  std::string with_round(Round round) const {
    Opcode o{row_, written_.types[0], written_.types.size() > 1 ? written_.types[1] : Type::None, written_.mods, false};
    o.mods.round = round;
    return opcode_text(o);
  }

  // What is said, and the opcode with each of these.
  Hint with_rounds(std::string words, std::initializer_list<Round> rounds) const {
    Hint hint(std::move(words));
    for (const Round round : rounds) hint.fixes.push_back({opcode_.token.where, with_round(round)});
    return hint;
  }

  bool read_words() {
    for (std::size_t w = 1; w < opcode_.words.size(); ++w) {
      if (match_.used[w]) continue;
      const std::string_view word = opcode_.words[w];
      const Type type = parse_type(word);
      const Round round = parse_round(word);
      if (type != Type::None) {
        written_.types.push_back(type);
        written_.type_words.push_back(w);
      } else if (round != Round::None) {
        written_.mods.round = round;
        written_.round_words.push_back(w);
      } else if (word == "ftz") {
        written_.ftz_word = w;
        written_.mods.ftz = true;
      } else if (word == "sat") {
        written_.sat_word = w;
        written_.mods.sat = true;
      } else if (word == "exclusive") {
        written_.exclusive_word = w;
        written_.mods.exclusive = true;
      } else if (word == "relu") {
        written_.relu_word = w;
        written_.mods.relu = true;
      } else if (word == "NaN") {
        written_.nan_word = w;
        written_.mods.nan = true;
      } else if (word == "xorsign" && w + 1 < opcode_.words.size() && opcode_.words[w + 1] == "abs") {
        written_.xorsign_word = w++;
        written_.mods.xorsign = true;
      } else if (takes_semantics(first_row(), parse_semantics(word))) {
        written_.mods.memory.semantics = parse_semantics(word);
        written_.semantics_words.push_back(w);
      } else if (takes_scope(first_row(), parse_scope(word))) {
        written_.mods.memory.scope = parse_scope(word);
        written_.scope_words.push_back(w);
      } else if (const BoolOp operation = parse_bool_op(word);
                 operation != BoolOp::None && (first_row().mods & kBoolOp) != 0) {
        written_.mods.boolean = operation;
        written_.bool_words.push_back(w);
      } else if (word == "satfinite") {
        written_.satfinite_word = w;
        written_.mods.satfinite = true;
      } else if (!read_cache_word(w) && !is_noise(word, first_row())) {
        report_wrong_word(opcode_, w, match_.rows[0], diagnostics_);
        return false;
      }
    }
    return true;
  }

  bool read_cache_word(std::size_t w) {
    const std::string_view word = opcode_.words[w];
    const HintSet hint = parse_hint(word);
    if (takes_cache(first_row(), parse_cache(word))) {
      written_.mods.memory.cache = parse_cache(word);
      written_.cache_words.push_back(w);
    } else if (word == "nc" && takes_non_coherent(first_row())) {
      written_.mods.memory.non_coherent = true;
      written_.hint_word = w;
    } else if (takes_hint(first_row(), hint)) {
      written_.mods.memory.hints |= hint;
      ++((hint & kL1Hints) != 0   ? written_.l1_words
         : (hint & kL2Hints) != 0 ? written_.l2_words
                                  : written_.fetch_words);
      written_.hint_word = w;
    } else if (word == kCachePolicyWord && (first_row().mods & kCache) != 0) {
      written_.policy_word = w;
    } else {
      return false;
    }
    return true;
  }

  TypeSet all_types() const {
    TypeSet types = 0;
    for (const Op op : match_.rows) types |= first_types(info(op).types);
    return types;
  }

  bool choose_row() {
    row_ = match_.rows[0];
    const TypeSet types = all_types();
    const std::size_t wanted = types == kNoType ? 0 : has_second_type(first_row().form) ? 2 : 1;
    if (written_.types.empty() && wanted == 1) add_default_type(types);
    if (written_.types.size() > wanted) {
      return fail("A017", opcode_.where(written_.type_words[wanted], written_.type_words[wanted]),
                  quoted(spelling(row_)) + (wanted == 0   ? " takes no type"
                                            : wanted == 1 ? " takes one type"
                                                          : " takes two types"),
                  "leave " + text_of(written_.type_words[wanted]) + " out");
    }
    if (written_.types.size() < wanted) return report_missing_type(wanted, types);
    for (std::size_t i = 0; i < written_.types.size(); ++i) {
      const auto takes = [&](Op op) {
        const TypeSet taken = info(op).types;
        return contains(taken, written_.types[0]) && (i == 0 || contains(second_types(taken), written_.types[i]));
      };
      const auto found = std::find_if(match_.rows.begin(), match_.rows.end(), takes);
      if (found == match_.rows.end()) {
        report_wrong_type(opcode_, i < written_.type_words.size() ? written_.type_words[i] : 0, written_.types[i],
                          match_.rows, i == 1, diagnostics_);
        return false;
      }
      row_ = *found;
    }
    return true;
  }

  // A shuffle moves bits, so `.b32` goes without saying; so does the only type that a row takes.
  void add_default_type(TypeSet types) {
    if (first_row().lift == Lift::Shuffle) {
      written_.types.push_back(Type::B32);
    } else if ((types & (types - 1)) == 0) {
      for (int t = 0; t < kTypeCount; ++t) {
        if (types == set_of(static_cast<Type>(t))) written_.types.push_back(static_cast<Type>(t));
      }
    }
  }

  bool report_missing_type(std::size_t wanted, TypeSet types) {
    const std::string mnemonic = quoted(spelling(row_));
    const SourceRange where = opcode_.where(0, opcode_.words.size() - 1);
    if (wanted == 2) {
      return fail("A015", where, mnemonic + " needs two types: what it makes, then what it takes",
                  "for example " + spelling(row_) + two_types_of(info(row_)));
    }
    const std::string offer = "it takes " + type_list(types);
    if (contains(types, Type::Mask))
      return fail("A015", where, mnemonic + " needs a type", offer + "; .mask fits every lane count");
    return fail("A015", where, mnemonic + " needs a type", offer);
  }

  // One of a kind, and a scope where PTX wants one.
  bool check_qualifiers() {
    for (const auto& [words, what] :
         {std::pair{&written_.semantics_words, "memory semantics"}, std::pair{&written_.scope_words, "scopes"},
          std::pair{&written_.cache_words, "cache operators"}, std::pair{&written_.bool_words, "operations"}}) {
      if (words->size() > 1)
        return fail("A020", opcode_.where((*words)[1], (*words)[1]), std::string("two ") + what, "keep one of them");
    }
    if (std::max({written_.l1_words, written_.l2_words, written_.fetch_words}) > 1)
      return fail("A020", opcode_.where(written_.hint_word, written_.hint_word), "two hints of one kind",
                  "keep one of them");
    const OpInfo& row = info(row_);
    const MemoryQualifiers& memory = written_.mods.memory;
    const bool strong = memory.semantics > Semantics::Weak;
    if (strong && (memory.cache != CacheOperator::None || memory.non_coherent)) {
      const std::size_t word = memory.non_coherent ? written_.hint_word : written_.cache_words[0];
      return fail("A018", opcode_.where(word, word), text_of(word) + " needs a weak access",
                  "leave " + text_of(written_.semantics_words[0]) + " out");
    }
    if (memory.cache != CacheOperator::None && (memory.hints & (kL1Hints | kL2Hints)) != 0)
      return fail("A018", opcode_.where(written_.hint_word, written_.hint_word),
                  text_of(written_.hint_word) + " does not go with " + text_of(written_.cache_words[0]),
                  "keep one of them");
    const bool wants = wants_scope(row, memory.semantics);
    if (row.lift == Lift::Atomic || wants == (memory.scope != Scope::None)) return true;
    if (wants)
      return fail("A019", opcode_.where(written_.semantics_words[0], written_.semantics_words[0]),
                  text_of(written_.semantics_words[0]) + " needs a scope",
                  row.lift == Lift::Mbarrier ? "write .cta behind it" : "write .cta, .gpu or .sys behind it");
    return fail("A018", opcode_.where(written_.scope_words[0], written_.scope_words[0]),
                text_of(written_.scope_words[0]) + " needs a strong access",
                access_of(row) == AccessKind::Load ? "write .relaxed or .acquire in front of it"
                                                   : "write .relaxed or .release in front of it");
  }

  bool check_modifiers() {
    if (!check_qualifiers()) return false;
    const OpInfo& row = info(row_);
    if (written_.round_words.size() > 1) {
      return fail("A020", opcode_.where(written_.round_words[1], written_.round_words[1]), "two rounding modifiers",
                  "keep one of them");
    }
    if (written_.mods.exclusive && (row.mods & kExclusive) == 0)
      return not_taken(written_.exclusive_word, "only scan takes it");
    const bool is_cvt = (row.mods & kCvtRnd) != 0;
    const Type type = written_.types.empty() ? Type::None : written_.types[0];
    const bool two = written_.types.size() > 1;
    if (written_.mods.ftz && !may_flush(row, type, two ? written_.types[1] : Type::None))
      return not_taken(written_.ftz_word, only(two ? kF32 : taking(takes_ftz), "flush", " subnormals to zero"));
    if (!written_.mods.ftz && (row.mods & kFtzReq) != 0) {
      return fail("A019", opcode_.where(0, opcode_.words.size() - 1), quoted(with_round(Round::None)) + " needs .ftz",
                  write_instead(opcode_.token.where, with_ftz()));
    }
    if (two && !takes_types(row, written_.types[0], written_.types[1])) {
      const SourceRange where = opcode_.where(written_.type_words[0], written_.type_words[1]);
      if (is_cvt)
        return fail("A016", where, quoted(spelling(row_)) + " does not go between bytes and .bf16",
                    "go by way of .f32");
      return fail("A016", where,
                  quoted(spelling(row_)) + " of ." + std::string(name(written_.types[1])) + " does not give ." +
                      std::string(name(type)),
                  "it gives .u32, .s32 and .f32, of 16-bit floats their own type or integers");
    }
    if (!check_satfinite(row)) return false;
    const bool brain = is_cvt && (type == Type::BF16 || written_.types[1] == Type::BF16);
    if (written_.mods.sat && (brain || (is_cvt ? (row.mods & kSat) == 0 : !takes_sat(row, type))))
      return not_taken(written_.sat_word, brain ? "no .bf16 saturates"
                                          : (row.mods & kNarrowRnd) != 0
                                              ? leave_out(opcode_.with_dot(written_.sat_word))
                                              : only(taking(takes_sat), "saturate", ", to [0, 1]"));
    if (!check_float_modifiers(row, type)) return false;
    if (written_.mods.sat && is_cvt && always_fits(written_.types[0], written_.types[1]))
      return not_taken(written_.sat_word, "every ." + std::string(name(written_.types[1])) + " fits: leave it out");
    return is_cvt ? check_cvt_rounding() : (row.mods & kNarrowRnd) != 0 ? check_narrow_rounding() : check_rounding(row);
  }

  bool check_satfinite(const OpInfo& row) {
    if (written_.mods.satfinite && (row.mods & (kSatfinite | kSatfiniteReq)) == 0)
      return not_taken(written_.satfinite_word, leave_out(opcode_.with_dot(written_.satfinite_word)));
    if (written_.mods.satfinite || (row.mods & kSatfiniteReq) == 0) return true;
    Opcode o{row_, written_.types[0], written_.types[1], written_.mods};
    const std::string without = opcode_text(o);
    o.mods.satfinite = true;
    return fail("A019", opcode_.where(0, opcode_.words.size() - 1), quoted(without) + " needs .satfinite",
                write_instead(opcode_.token.where, opcode_text(o)));
  }

  bool check_narrow_rounding() {
    const Round round = written_.mods.round;
    if (round == Round::None)
      return fail("A019", opcode_.where(0, opcode_.words.size() - 1),
                  quoted(with_round(Round::None)) + " needs a rounding modifier",
                  write_instead(opcode_.token.where, with_round(Round::Rn)));
    if (takes_narrow_round(written_.types[0], written_.types[1], round)) return true;
    return not_taken(written_.round_words[0], write_instead(opcode_.token.where, with_round(Round::Rn)));
  }

  // .relu .NaN .xorsign.abs
  bool check_float_modifiers(const OpInfo& row, Type type) {
    if (written_.mods.relu) {
      const bool converts = (row.mods & (kCvtRnd | kNarrowRnd)) != 0;
      const Type from = converts ? written_.types[1] : Type::None;
      if (!takes_relu(row, type, from, written_.mods.round)) {
        return not_taken(written_.relu_word, converts ? "cvt takes it from .f32 to .f16 or .bf16, with .rn or .rz"
                                                      : "max with 0.0 does it");
      }
      if (written_.mods.sat) return not_taken(written_.sat_word, "beside .relu: keep one of them");
      if (written_.mods.ftz && converts) return not_taken(written_.ftz_word, "beside .relu: keep one of them");
    }
    if (written_.mods.nan && ((row.mods & kNaN) == 0 || type == Type::F64))
      return not_taken(written_.nan_word, (row.mods & kNaN) != 0 ? "f64 has only the form where a NaN loses"
                                                                 : leave_out(opcode_.with_dot(written_.nan_word)));
    if (written_.mods.xorsign && ((row.mods & kXorsign) == 0 || type == Type::F64))
      return not_taken(written_.xorsign_word, "leave .xorsign.abs out");
    return true;
  }

  // The types of this mnemonic for which `takes` holds, in a hint.
  TypeSet taking(bool (*takes)(const OpInfo&, Type)) const {
    TypeSet types = 0;
    for (const Op op : match_.rows) {
      for (int t = 1; t < kTypeCount; ++t) {
        const Type type = static_cast<Type>(t);
        if (contains(info(op).types, type) && takes(info(op), type)) types |= set_of(type);
      }
    }
    return types;
  }
  static std::string only(TypeSet types, const std::string& verb, const std::string& what) {
    if (types == 0) return "leave it out";
    const bool one = (types & (types - 1)) == 0;
    return "only " + type_list(types) + " " + verb + (one ? verb.back() == 'h' ? "es" : "s" : "") + what;
  }
  std::string with_ftz() const {
    Opcode o{row_, written_.types[0], Type::None, written_.mods, false};
    o.mods.ftz = true;
    return opcode_text(o);
  }

  // PTX: `.sat` is illegal where nothing can saturate.
  static bool always_fits(Type to, Type from) {
    if (!is_integer(to) || !is_integer(from)) return false;
    return is_signed(to) == is_signed(from) ? bits(to) >= bits(from) : is_signed(to) && bits(to) > bits(from);
  }

  bool not_taken(std::size_t word, Hint hint) {
    std::string of = spelling(row_);
    for (const Type t : written_.types) of += "." + std::string(name(t));
    return fail("A018", opcode_.where(word, word), quoted(of) + " does not take " + text_of(word), std::move(hint));
  }

  bool check_rounding(const OpInfo& row) {
    const bool takes = (row.mods & (kRnd | kRndReq)) != 0;
    if (written_.mods.round != Round::None) {
      const std::size_t word = written_.round_words[0];
      if (!takes)
        return not_taken(
            word, (all_types() & kFloat) != 0 && is_float(written_.types.empty() ? Type::None : written_.types[0])
                      ? "its result is exact"
                      : "only float arithmetic rounds");
      if (rounds_to_integer(written_.mods.round) || written_.mods.round == Round::Rna) {
        return not_taken(
            word, with_rounds("the rounding modifiers here are .rn, .rz, .rm and .rp: write " + with_round(Round::Rn),
                              {Round::Rn}));
      }
      if ((row.mods & kRnOnly) != 0 && written_.mods.round != Round::Rn)
        return not_taken(word,
                         with_rounds("16-bit floats round to nearest: write " + with_round(Round::Rn), {Round::Rn}));
    } else if ((row.mods & kRndReq) != 0) {
      const std::string nearest = "write " + with_round(Round::Rn);
      return fail("A019", opcode_.where(0, opcode_.words.size() - 1),
                  quoted(with_round(Round::None)) + " needs a rounding modifier",
                  (row.mods & kRnOnly) != 0 ? with_rounds(nearest, {Round::Rn})
                                            : with_rounds(nearest + " (to nearest), or .rz, .rm, .rp",
                                                          {Round::Rn, Round::Rz, Round::Rm, Round::Rp}));
    }
    return true;
  }

  bool check_cvt_rounding() {
    const Type to = written_.types[0], from = written_.types[1];
    const Round round = written_.mods.round;
    const bool narrows = is_float(from) && is_float(to) && to != from && bits(to) <= bits(from);
    const bool to_integer_rounding = is_float(from) && (!is_float(to) || to == from);  // .rni and its kin
    const bool to_float_rounding = is_float(to) && (!is_float(from) || narrows);       // .rn and its kin
    const bool required = (is_float(from) && !is_float(to)) || to_float_rounding;
    const SourceRange whole = opcode_.where(0, opcode_.words.size() - 1);
    if (round == Round::None) {
      if (!required) return true;
      const std::string write = "write " + with_round(to_float_rounding ? Round::Rn : Round::Rzi);
      return fail("A019", whole, quoted(with_round(Round::None)) + " needs a rounding modifier",
                  to_float_rounding ? with_rounds(write + " (to nearest), or .rz, .rm, .rp",
                                                  {Round::Rn, Round::Rz, Round::Rm, Round::Rp})
                                    : with_rounds(write + " (toward zero, as C does), or .rni, .rmi, .rpi",
                                                  {Round::Rzi, Round::Rni, Round::Rmi, Round::Rpi}));
    }
    if (round == Round::Rna) return not_taken(written_.round_words[0], "cvt.rna.tf32.f32 has it");
    if (rounds_to_integer(round) ? to_integer_rounding : to_float_rounding) return true;
    if (to_integer_rounding || to_float_rounding) {
      constexpr std::array kToFloat = {Round::Rn, Round::Rz, Round::Rm, Round::Rp};
      constexpr std::array kToInteger = {Round::Rni, Round::Rzi, Round::Rmi, Round::Rpi};
      const std::size_t way =
          static_cast<std::size_t>(round) - static_cast<std::size_t>(rounds_to_integer(round) ? Round::Rni : Round::Rn);
      return fail(
          "A020", opcode_.where(written_.round_words[0], written_.round_words[0]),
          quoted(with_round(Round::None)) + " rounds " + (to_integer_rounding ? "to an integer" : "to a float"),
          write_instead(opcode_.token.where, with_round(to_integer_rounding ? kToInteger[way] : kToFloat[way])));
    }
    return fail("A020", opcode_.where(written_.round_words[0], written_.round_words[0]),
                quoted(with_round(Round::None)) + " is exact: it takes no rounding modifier",
                write_instead(opcode_.token.where, with_round(Round::None)));
  }

  const OpcodeWords& opcode_;
  const OpcodeMatch& match_;
  Diagnostics& diagnostics_;
  OpcodeParts written_;
  Op row_ = Op::Exit;
};

}  // namespace

SourceRange OpcodeWords::where(std::size_t first, std::size_t last) const {
  const std::size_t begin = static_cast<std::size_t>(words[first].data() - token.text.data());
  const std::size_t end = static_cast<std::size_t>(words[last].data() - token.text.data()) + words[last].size();
  return {token.where.line, token.where.column + static_cast<std::uint32_t>(begin),
          static_cast<std::uint32_t>(end - begin)};
}

SourceRange OpcodeWords::with_dot(std::size_t word) const {
  SourceRange place = where(word, word);
  --place.column;
  ++place.length;
  return place;
}

std::vector<std::string_view> split_at_dots(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= text.size() && words.size() <= kMostWords;) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    if (words.back() == "shared::cta") words.back().remove_suffix(5);  // PTX: what .shared means
    begin = end + 1;
  }
  return words;
}

std::optional<Opcode> select_opcode(const Token& word, Diagnostics& diagnostics, bool of_module) {
  OpcodeWords opcode{split_at_dots(word.text), word};
  if (opcode.words.size() > kMostWords) {
    diagnostics.error("A012", word.where, "unknown opcode " + quoted(word.text));
    return std::nullopt;
  }
  std::vector<std::string_view> words = opcode.words;
  if (words[0] == "ret") words[0] = info(Op::Exit).mnemonic;        // a kernel's return
  if (words[0] == "barrier" && words.size() > 1) words[0] = "bar";  // PTX's other spelling
  const bool leaves_out_acq_rel = words[0] == "fence" && words.size() == 2 && parse_scope(words[1]) != Scope::None;
  if (leaves_out_acq_rel) words.insert(words.begin() + 1, "acq_rel");
  const std::span<const OpInfo> rows = of_module ? all_ops() : assembly_ops();
  OpcodeMatch match = find_rows(words, true, rows);
  if (match.rows.empty()) match = find_rows(words, false, rows);
  if (match.rows.empty()) match = find_any_space(words);
  if (match.rows.empty()) {
    report_unknown_opcode(opcode, diagnostics);
    return std::nullopt;
  }
  return Selector(opcode, match, diagnostics).run();
}

}  // namespace warpsim
