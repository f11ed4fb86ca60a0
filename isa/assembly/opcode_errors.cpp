// What to say about an opcode that is none: what was meant, or that PTX has it and warpsim does not yet.
//
// Shapes: suggestions come from the table: its mnemonics by edit distance, and the names that Mojo and CUDA use, read
//         out of the `aka` column. The one list here names what PTX has and the table has not; a test checks that no
//         row of the table is in it.
// Errors: A012 unknown, A013 not supported yet, A014 incomplete, A016 wrong type, A018 wrong modifier.
// Source: PTX ISA 9.0, chapter 9, for the list.
#include "isa/assembly/opcode_errors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "isa/assembly/opcode.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

constexpr std::size_t kMostFixes = 6;  // to choose among

// PTX's instructions that warpsim does not have; `instead` says what computes the same, where something does.
struct NotYet {
  std::string_view opcode;
  std::string_view instead;
};
constexpr std::array kLaterOpcodes = {
    NotYet{"elect", ""},        NotYet{"cvta", "buffer addresses are global ones already"},
    NotYet{"isspacep", ""},     NotYet{"istypep", ""},
    NotYet{"call", ""},         NotYet{"brx", "setp and bra"},
    NotYet{"tex", ""},          NotYet{"tld4", ""},
    NotYet{"txq", ""},          NotYet{"suld", ""},
    NotYet{"sust", ""},         NotYet{"sured", ""},
    NotYet{"suq", ""},          NotYet{"wmma", ""},
    NotYet{"mma", ""},          NotYet{"ldmatrix", ""},
    NotYet{"stmatrix", ""},     NotYet{"movmatrix", ""},
    NotYet{"wgmma", ""},        NotYet{"mapa", ""},
    NotYet{"getctarank", ""},   NotYet{"multimem", ""},
    NotYet{"setmaxnreg", ""},   NotYet{"createpolicy", ""},
    NotYet{"alloca", ""},       NotYet{"stacksave", ""},
    NotYet{"stackrestore", ""}, NotYet{"vadd", ""},
    NotYet{"vsub", ""},         NotYet{"vabsdiff", ""},
    NotYet{"vmin", ""},         NotYet{"vmax", ""},
    NotYet{"vshl", ""},         NotYet{"vshr", ""},
    NotYet{"vmad", ""},         NotYet{"vset", ""},
    NotYet{"tensormap", ""},    NotYet{"clusterlaunchcontrol", ""},
    NotYet{"tcgen05", ""},
};
// Words after the dot that PTX has and warpsim has not, beside the qualifiers of memory.
constexpr std::array<std::string_view, 18> kNotYetWords = {
    "v8",  "const", "local", "generic",   "noftz",       "aligned",    "s16x2",         "u16x2", "b128",
    "red", "oob",   "mask",  "expect_tx", "complete_tx", "noComplete", "pending_count", "tx",    "tensormap::generic"};

bool is_not_yet(std::string_view word) {
  return parse_semantics(word) == Semantics::Mmio || parse_scope(word) != Scope::None ||
         std::find(kNotYetWords.begin(), kNotYetWords.end(), word) != kNotYetWords.end();
}

// Of those: what changes nothing here.
bool may_go(std::string_view word) { return word == "aligned"; }

const NotYet* find_not_yet(std::string_view opcode) {
  for (const NotYet& n : kLaterOpcodes) {
    if (n.opcode == opcode) return &n;
  }
  // The video instructions come in widths: vadd2, vadd4.
  while (!opcode.empty() && opcode.front() == 'v' && std::isdigit(static_cast<unsigned char>(opcode.back())))
    opcode.remove_suffix(1);
  for (const NotYet& n : kLaterOpcodes) {
    if (n.opcode == opcode) return &n;
  }
  return nullptr;
}

// The names in an `aka` column: words that are called or alone, outside parentheses.
// "Mojo warp.shuffle_xor(a, b); CUDA __shfl_xor_sync(membermask, a, b, width)" → {Mojo, warp.shuffle_xor}, {CUDA, …}.
struct Alias {
  std::string_view language, word;
};
std::vector<Alias> aliases(std::string_view aka) {
  std::vector<Alias> found;
  std::string_view language;
  int depth = 0;
  for (std::size_t i = 0; i < aka.size();) {
    if (aka[i] == '(' || aka[i] == '[') ++depth;
    if (aka[i] == ')' || aka[i] == ']') --depth;
    if (!is_name_char(aka[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < aka.size() && is_name_char(aka[i])) ++i;
    const std::string_view word = aka.substr(begin, i - begin);
    if (word == "Mojo" || word == "CUDA") language = word;
    else if (depth == 0 && word.size() > 1 &&
             (i == aka.size() || std::string_view("([,;").find(aka[i]) != std::string_view::npos))
      found.push_back({language, word});
  }
  return found;
}

// "warp.shuffle_xor" → "shuffle_xor", "cg::inclusive_scan" → "inclusive_scan".
std::string_view last_part(std::string_view word) {
  const std::size_t dot = word.find_last_of(".:");
  return dot == std::string_view::npos ? word : word.substr(dot + 1);
}

bool same_name(std::string_view written, std::string_view alias) {
  if (written == alias || written == last_part(alias)) return true;
  // CUDA's names before Volta lacked `_sync`.
  return alias.ends_with("_sync") && written == alias.substr(0, alias.size() - 5);
}

std::string possessive(std::string_view language, std::string_view word) {
  return (language.empty() ? std::string() : std::string(language) + "'s ") + std::string(word);
}

// The opcode without its types, as one word: what people write when they mean another language's function.
std::string head(const OpcodeWords& opcode) {
  std::string text;
  for (const std::string_view word : opcode.words) {
    if (parse_type(word) != Type::None) break;
    text += (text.empty() ? "" : ".") + std::string(word);
  }
  return text;
}

// An opcode of that row, in the type that was written if it takes that, or bits of the same size.
std::string example(Op op, const OpcodeWords& opcode) {
  const OpInfo& row = info(op);
  if (row.types == kNoType) return spelling(op);
  if (has_second_type(row.form)) return spelling(op) + ".TYPE.TYPE";
  Type written = Type::None;
  for (const std::string_view word : opcode.words) {
    if (parse_type(word) != Type::None) written = parse_type(word);
  }
  for (std::size_t i = 0; i < assembly_ops().size(); ++i) {  // max.u32 and max.f32 are two rows
    if (assembly_ops()[i].mnemonic == row.mnemonic && contains(assembly_ops()[i].types, written) &&
        written != Type::None) {
      return spelling(op) + "." + std::string(name(written));
    }
  }
  if (bits(written) == 16 && contains(row.types, Type::B16)) written = Type::B16;
  else if (written != Type::None) written = bits(written) == 64 ? Type::B64 : Type::B32;
  if (written == Type::None && row.lift == Lift::Shuffle) written = Type::B32;
  if (written != Type::None && contains(row.types, written)) return spelling(op) + "." + std::string(name(written));
  return spelling(op) + ((first_types(row.types) & (first_types(row.types) - 1)) == 0 ? "" : ".TYPE");
}

// Whether that is an opcode in full, and right.
bool is_opcode(std::string_view text) {
  Diagnostics none;
  Token word;
  word.kind = Token::Kind::Word;
  word.text = text;
  word.where = {1, 1, static_cast<std::uint32_t>(text.size())};
  return text.find("TYPE") == std::string_view::npos && select_opcode(word, none).has_value();
}

// The words that may come after `first` in some mnemonic: eq, ne, … after setp.
std::vector<std::string> continuations(std::string_view first) {
  std::vector<std::string> words;
  for (const OpInfo& row : assembly_ops()) {
    const std::string_view m = row.mnemonic;
    if (!m.starts_with(first) || m.size() <= first.size() || m[first.size()] != '.') continue;
    std::string word(m.substr(first.size() + 1));
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return words;
}
bool is_first_word(std::string_view word) {
  for (const OpInfo& row : assembly_ops()) {
    if (row.mnemonic == word || (row.mnemonic.starts_with(word) && row.mnemonic[word.size()] == '.')) return true;
  }
  return false;
}

std::string dotted_list(std::vector<std::string> words, std::string_view last_joint) {
  for (std::string& word : words) word = "." + word;
  return joined(words, last_joint);
}

// The mnemonic with the types that were written: setp.eq.u32 for setp.u32.
std::string opcode_like(std::string text, const OpcodeWords& opcode) {
  for (std::size_t w = 1; w < opcode.words.size(); ++w) {
    if (parse_type(opcode.words[w]) != Type::None) text += "." + std::string(opcode.words[w]);
  }
  return text;
}

// shfl.xor: the row whose name elsewhere has that word in it (__shfl_xor_sync).
std::string_view row_called(std::string_view first, std::string_view word) {
  const std::string middle = "_" + std::string(word);
  for (const OpInfo& row : assembly_ops()) {
    if (!row.mnemonic.starts_with(std::string(first) + ".")) continue;
    for (const Alias& alias : aliases(row.aka)) {
      const std::size_t at = alias.word.find(middle);
      if (at == std::string_view::npos) continue;
      const std::size_t end = at + middle.size();
      if (end == alias.word.size() || alias.word[end] == '_') return row.mnemonic;
    }
  }
  return "";
}

// PTX's comparisons of unsigned integers, which have the words of the others too.
std::string_view unsigned_comparison(std::string_view word) {
  return word == "lo" ? "lt" : word == "ls" ? "le" : word == "hi" ? "gt" : word == "hs" ? "ge" : "";
}

// `setp.u32`, `shfl.b32`, `setp.gee.u32`, `fence.sc`, `red.global.exch.b32`: the first word is right, or the first two.
void report_incomplete(const OpcodeWords& opcode, Diagnostics& diagnostics) {
  std::string first(opcode.words[0]);
  std::vector<std::string> next = continuations(first);
  for (std::size_t w = 1; w < opcode.words.size(); ++w) {
    const std::string_view word = opcode.words[w];
    if (parse_type(word) != Type::None || word == "sync" || word == "ftz") continue;
    if (std::vector<std::string> further = continuations(first + "." + std::string(word)); !further.empty()) {
      first.append(".").append(word);
      next = std::move(further);
      continue;
    }
    if (const std::string_view same = unsigned_comparison(word);
        std::find(next.begin(), next.end(), same) != next.end()) {
      diagnostics.error("A012", opcode.where(w, w), quoted(first) + " has no " + quoted("." + std::string(word)),
                        "write " + first + "." + std::string(same) + " with an unsigned type");
      return;
    }
    if (const std::string_view meant = row_called(first, word); !meant.empty()) {
      diagnostics.error("A012", opcode.where(w, w), quoted(first) + " has no " + quoted("." + std::string(word)),
                        did_you_mean(opcode.where(0, w), std::string(meant)));
      return;
    }
    if (is_not_yet(word)) {
      diagnostics.error("A013", opcode.where(w, w), quoted(first + "." + std::string(word)) + " is not supported yet");
      return;
    }
    const std::string meant = nearest(word, next);
    diagnostics.error(
        "A012", opcode.where(w, w), quoted(first) + " has no " + quoted("." + std::string(word)),
        meant.empty() ? "it has " + dotted_list(next, "and") : did_you_mean(opcode.where(0, w), first + "." + meant));
    return;
  }
  Hint hint = "for example " + opcode_like(first + "." + next[0], opcode);
  for (const std::string& word : next) {
    Fix fix{opcode.token.where, opcode_like(first + "." + word, opcode)};
    if (hint.fixes.size() < kMostFixes && is_opcode(fix.text)) hint.fixes.push_back(std::move(fix));
  }
  diagnostics.error("A014", opcode.where(0, 0), quoted(first) + " needs to say which: " + dotted_list(next, "or"),
                    std::move(hint));
}

// What is meant, and in whose words; a fix where that is a whole opcode.
Hint meant_opcode(Op op, const OpcodeWords& opcode, const std::string& whose = "") {
  const std::string text = example(op, opcode);
  Hint hint("did you mean " + text + (whose.empty() ? "" : ", " + whose) + "?");
  if (is_opcode(text)) hint.fixes = {{opcode.token.where, text}};
  return hint;
}

std::optional<Hint> hint_from_other_languages(std::string_view written, const OpcodeWords& opcode) {
  for (std::size_t i = 0; i < assembly_ops().size(); ++i) {
    for (const Alias& alias : aliases(assembly_ops()[i].aka)) {
      if (same_name(written, alias.word))
        return meant_opcode(static_cast<Op>(i), opcode, possessive(alias.language, alias.word));
    }
  }
  return std::nullopt;
}

// `bfly` for shfl.bfly, `ballot` for vote.ballot.
std::optional<Hint> hint_from_last_word(std::string_view written, const OpcodeWords& opcode) {
  for (std::size_t i = 0; i < assembly_ops().size(); ++i) {
    const std::string_view m = assembly_ops()[i].mnemonic;
    if (m.find('.') != std::string_view::npos && last_part(m) == written)
      return meant_opcode(static_cast<Op>(i), opcode);
  }
  return std::nullopt;
}

Hint hint_for_unknown(const OpcodeWords& opcode) {
  const std::string written = head(opcode);
  if (std::optional<Hint> hint = hint_from_other_languages(written, opcode)) return *hint;
  if (std::optional<Hint> hint = hint_from_other_languages(opcode.words[0], opcode)) return *hint;
  if (std::optional<Hint> hint = hint_from_last_word(opcode.words[0], opcode)) return *hint;
  const std::string special = special_named(written);
  if (!special.empty()) return special + " is an operand: mov.u32 %x, " + special;
  std::vector<std::string> mnemonics, words;
  for (std::size_t i = 0; i < assembly_ops().size(); ++i) {
    mnemonics.push_back(std::string(assembly_ops()[i].mnemonic));
    for (const Alias& alias : aliases(assembly_ops()[i].aka)) words.push_back(std::string(last_part(alias.word)));
  }
  for (const std::string& text : {written, std::string(opcode.words[0])}) {
    const std::string meant = nearest(text, mnemonics);
    if (!meant.empty()) {
      const auto row = std::find(mnemonics.begin(), mnemonics.end(), meant);
      return meant_opcode(static_cast<Op>(row - mnemonics.begin()), opcode);
    }
  }
  const std::string meant = last_part(written).size() < 5 ? "" : nearest(last_part(written), words);
  if (!meant.empty()) return hint_from_other_languages(meant, opcode).value_or("");
  return "`warpsim isa` lists the instructions";
}

}  // namespace

std::vector<std::string_view> opcodes_not_supported_yet() {
  std::vector<std::string_view> words;
  for (const NotYet& n : kLaterOpcodes) words.push_back(n.opcode);
  return words;
}

void report_unknown_opcode(const OpcodeWords& opcode, Diagnostics& diagnostics) {
  if (is_first_word(opcode.words[0])) return report_incomplete(opcode, diagnostics);
  const std::string written = head(opcode);
  if (const NotYet* n = find_not_yet(opcode.words[0]); n != nullptr && !hint_from_other_languages(written, opcode)) {
    diagnostics.error("A013", opcode.token.where, quoted(opcode.words[0]) + " is not supported yet",
                      n->instead.empty() ? "" : "instead: " + std::string(n->instead));
    return;
  }
  diagnostics.error("A012", opcode.token.where, "unknown opcode " + quoted(opcode.token.text),
                    hint_for_unknown(opcode));
}

void report_wrong_word(const OpcodeWords& opcode, std::size_t index, Op op, Diagnostics& diagnostics) {
  OpInfo row = info(op);
  for (const OpInfo& other : assembly_ops()) {  // add for integers and add for floats are two rows
    if (other.mnemonic != row.mnemonic) continue;
    row.types |= other.types;
    row.mods |= other.mods;
  }
  const std::string_view word = opcode.words[index];
  const SourceRange where = opcode.where(index, index);
  if (is_not_yet(word)) {
    Hint hint = may_go(word) ? leave_out(opcode.with_dot(index)) : "";
    if (word == "cluster") hint = "a block is a cluster of its own here: barrier.cta";
    if (word.size() == 2 && word[0] == 'v') hint = "one instruction for each element";
    diagnostics.error("A013", where,
                      quoted(opcode.words[0]) + " with " + quoted("." + std::string(word)) + " is not supported yet",
                      hint);
    return;
  }
  std::vector<std::string> candidates = continuations(opcode.words[0]);
  for (int t = 1; t < kTypeCount; ++t) {
    if (contains(row.types, static_cast<Type>(t))) candidates.push_back(std::string(name(static_cast<Type>(t))));
  }
  if ((row.mods & (kRnd | kRndReq | kCvtRnd)) != 0) candidates.insert(candidates.end(), {"rn", "rz", "rm", "rp"});
  if ((row.mods & kCvtRnd) != 0) candidates.insert(candidates.end(), {"rni", "rzi", "rmi", "rpi"});
  if ((row.mods & (kFtz | kFtzReq)) != 0) candidates.push_back("ftz");
  if ((row.mods & kRelu) != 0) candidates.push_back("relu");
  if ((row.mods & kNaN) != 0) candidates.push_back("NaN");
  if ((row.mods & kSat) != 0) candidates.push_back("sat");
  if ((row.mods & kExclusive) != 0) candidates.push_back("exclusive");
  if ((row.mods & (kSatfinite | kSatfiniteReq)) != 0) candidates.push_back("satfinite");
  if ((row.mods & kCache) != 0) {
    for (const std::string_view hint : kHintWords) candidates.emplace_back(hint);
  }
  const std::string meant = nearest(word, candidates);
  const bool orders = parse_semantics(word) != Semantics::None && (row.mods & kSemantics) != 0;
  diagnostics.error("A018", where, quoted(spelling(op)) + " does not take " + quoted("." + std::string(word)),
                    orders          ? "it takes " + semantics_words(row)
                    : meant.empty() ? (row.types == kNoType ? "" : "its types are " + type_list(row.types))
                                    : did_you_mean(opcode.with_dot(index), "." + meant));
}

void report_wrong_type(const OpcodeWords& opcode, std::size_t index, Type type, const std::vector<Op>& rows,
                       bool second, Diagnostics& diagnostics) {
  TypeSet types = 0;
  for (const Op op : rows) types |= second ? second_types(info(op).types) : first_types(info(op).types);
  const std::string mnemonic = spelling(rows[0]), dotted = "." + std::string(name(type));
  Hint hint = "it takes " + type_list(types);
  const auto offer = [&](const std::string& text) {
    if (hint.fixes.size() < kMostFixes && is_opcode(text)) hint.fixes.push_back({opcode.token.where, text});
  };
  const std::vector<std::string> longer = [&] {
    std::vector<std::string> found;  // mul.lo, mul.hi, mul.wide for mul.u32
    for (const OpInfo& row : assembly_ops()) {
      if (row.mnemonic.starts_with(mnemonic + ".") && contains(row.types, type))
        found.push_back(std::string(row.mnemonic) + dotted);
    }
    return found;
  }();
  const auto same_width = [&](TypeSet set) {
    for (int t = 1; t < kTypeCount; ++t) {
      if (contains(types & set, static_cast<Type>(t)) && bits(static_cast<Type>(t)) == bits(type))
        return "." + std::string(name(static_cast<Type>(t)));
    }
    return std::string();
  };
  if (!longer.empty()) {
    hint.text = "write " + joined(longer, "or");
    for (const std::string& text : longer) offer(text);
    diagnostics.error("A016", opcode.where(index, index),
                      quoted(mnemonic) + " of " + (is_float(type) ? "floats" : "integers") +
                          " says which part of the result it means",
                      std::move(hint));
    return;
  }
  if (is_pair(type) && contains(types, element(type))) {
    hint = "it takes one half at a time: mov.b32 {%low, %high}, %pair and mov.b32 %pair, {%low, %high}";
  } else if (!is_untyped(type) && !same_width(kBits | kB16).empty() && bits(type) != 0) {
    hint.text = "it works on bits: write " + mnemonic + same_width(kBits | kB16);
    offer(mnemonic + same_width(kBits | kB16));
  } else if (bits(type) == 8) {
    hint.text += "; arithmetic has 16 bits at least";
  } else if (is_untyped(type) && !same_width(kInt | kFloat).empty()) {
    hint.text += ": " + dotted + " says nothing about what the bits mean";
    for (int t = 1; t < kTypeCount; ++t)
      if (contains(types, static_cast<Type>(t)) && bits(static_cast<Type>(t)) == bits(type))
        offer(mnemonic + "." + std::string(name(static_cast<Type>(t))));
  }
  diagnostics.error("A016", opcode.where(index, index), quoted(mnemonic) + " does not take " + quoted(dotted),
                    std::move(hint));
}

}  // namespace warpsim
