// Writing the reference.
//
// Shapes: the table has no column for sections, so kSections names the first row of each; a test compares them with the
//         comments in instructions.def.
// Errors: none.
#include "isa/table/reference.h"

#include <array>
#include <cstddef>

namespace warpsim {
namespace {

struct Section {
  Op first;
  std::string_view title;
};
constexpr std::array kSections = {
    Section{Op::Mov, "Moves and selection"},
    Section{Op::Add, "Integer arithmetic, wrapping"},
    Section{Op::AddCc, "Carry chains: the carry flag is a predicate of each lane that only these read and write"},
    Section{Op::And, "Logic, shifts, counting"},
    Section{Op::AddF, "Float arithmetic: IEEE, no contraction unless the program says fma"},
    Section{Op::AddHalf, "16-bit floats and pairs of them, each half alone: IEEE, to nearest"},
    Section{Op::Rcp, "Reciprocals and approximate functions: the H200's special-function unit, bit for bit"},
    Section{Op::SetpEq, "Comparisons: into a predicate p, and its opposite q"},
    Section{Op::SetpEqHalf, "The same of 16-bit floats, and tests of one float"},
    Section{Op::LdGlobal, "Memory"},
    Section{Op::AtomGlobalAdd, "Atomics: lanes act one after another, in lane order"},
    Section{Op::MbarrierInit, "Barriers in shared memory: a word of 8 bytes that counts the arrivals of a phase"},
    Section{Op::CpAsyncCa, "Copies from global to shared memory that the thread does not wait for"},
    Section{Op::ShflIdx, "The shuffle network"},
    Section{Op::VoteAll, "Votes, matches and reductions over a member mask"},
    Section{Op::Broadcast, "Collectives: one step here, or their expansion into shuffles (--expand)"},
    Section{Op::Bra, "Control and barriers"},
    Section{Op::MembarCta, "Order and time: memory is in order here and nothing sleeps, so these do nothing"},
    Section{Op::PrefetchL1, "Advice to the caches, other proxies and grids, marks for tools: they change no value"},
    Section{
        Op::Call,
        "Modules of PTX alone: functions, jumps by tables, and addresses. The assembly does not take these: they come "
        "last"},
};

std::string with_between(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : std::string(between)) + part;
  return text;
}

// What `aka` says for one language: "Mojo warp.sum(a); CUDA __reduce_add_sync(…)". A part without a language is both's.
std::string known_as(std::string_view aka, std::string_view language) {
  std::string found;
  while (!aka.empty()) {
    const std::size_t end = std::min(aka.find("; "), aka.size());
    std::string_view part = aka.substr(0, end);
    aka.remove_prefix(std::min(end + 2, aka.size()));
    const bool mojo = part.substr(0, 5) == "Mojo ";
    const bool cuda = part.substr(0, 5) == "CUDA ";
    if ((mojo && language != "Mojo") || (cuda && language != "CUDA")) continue;
    if (mojo || cuda) part.remove_prefix(5);
    found += (found.empty() ? "" : "; ") + std::string(part);
  }
  return found;
}

// The types of the row that a modifier is for, in parentheses where it is not for all.
std::string types_taking(const OpInfo& row, bool (*takes)(const OpInfo&, Type)) {
  std::vector<std::string> types;
  bool all = true;
  for (int t = 1; t < kTypeCount; ++t) {
    if (!contains(row.types, static_cast<Type>(t))) continue;
    if (takes(row, static_cast<Type>(t))) types.emplace_back(name(static_cast<Type>(t)));
    else all = false;
  }
  return all ? "" : " (" + with_between(types, " ") + ")";
}

// The roundings that all of the row's types take, and those that one of them takes alone.
std::string narrow_roundings(const OpInfo& row) {
  std::string text;
  for (const Round round : {Round::Rn, Round::Rz, Round::Rna}) {
    bool takes = false;
    for (int t = 1; t < kTypeCount; ++t)
      for (int t2 = 1; t2 < kTypeCount; ++t2) {
        const Type to = static_cast<Type>(t), from = static_cast<Type>(t2);
        if (contains(first_types(row.types), to) && contains(second_types(row.types), from))
          takes = takes || takes_narrow_round(to, from, round);
      }
    if (takes) text += (text.empty() ? "." : " .") + std::string(name(round));
  }
  return text;
}

std::string words_for_caches(const OpInfo& row) {
  std::string text;
  for (CacheOperator c = CacheOperator::Ca; c <= CacheOperator::Wt;
       c = static_cast<CacheOperator>(static_cast<int>(c) + 1))
    if (takes_cache(row, c)) text += "." + std::string(name(c)) + " ";
  if (takes_non_coherent(row)) text += ".nc ";
  for (std::size_t k = 0; k < kHintWords.size(); ++k)
    if (takes_hint(row, static_cast<HintSet>(1U << k))) text += "." + std::string(kHintWords[k]) + " ";
  return text + "." + std::string(kCachePolicyWord);
}

std::vector<std::string> modifiers_of(const OpInfo& row) {
  const ModSet mods = row.mods;
  std::vector<std::string> found;
  const std::string rounds = (mods & kRnOnly) != 0 ? ".rn" : ".rn .rz .rm .rp";
  if ((mods & kRnd) != 0) found.push_back((mods & kRnOnly) != 0 ? "[.rn]" : rounds + ", .rn if left out");
  if ((mods & kRndReq) != 0) found.push_back(rounds + ((mods & kRnOnly) != 0 ? ", required" : ", one required"));
  if ((mods & kCvtRnd) != 0)
    found.push_back("to integers .rni .rzi .rmi .rpi, from integers and to narrower floats .rn .rz .rm .rp, required");
  if ((mods & kFtz) != 0) found.push_back((mods & kCvtRnd) != 0 ? ".ftz (f32)" : ".ftz" + types_taking(row, takes_ftz));
  if ((mods & kFtzReq) != 0) found.push_back(".ftz, required");
  if ((mods & kSat) != 0) found.push_back((mods & kCvtRnd) != 0 ? ".sat" : ".sat" + types_taking(row, takes_sat));
  if ((mods & kNarrowRnd) != 0) found.push_back(narrow_roundings(row) + ", required");
  if ((mods & kSatfinite) != 0) found.push_back(".satfinite");
  if ((mods & kSatfiniteReq) != 0) found.push_back(".satfinite, required");
  if ((mods & kRelu) != 0) found.push_back((mods & kCvtRnd) != 0 ? ".relu (f32 to f16 or bf16)" : ".relu");
  const auto but_f64 = [](const OpInfo&, Type t) { return t != Type::F64; };
  if ((mods & kNaN) != 0) found.push_back(".NaN" + types_taking(row, but_f64));
  if ((mods & kXorsign) != 0) found.push_back(".xorsign.abs" + types_taking(row, but_f64));
  if ((mods & kBoolOp) != 0) found.push_back(".and .or .xor with the predicate c");
  if ((mods & kUnaligned) != 0) found.push_back("barrier.cta… for lanes that come from several lines");
  if ((mods & kExclusive) != 0) found.push_back(".exclusive");
  if ((mods & kSemantics) != 0) found.push_back(semantics_words(row));
  if ((mods & kScope) != 0) found.push_back(".cta .cluster .gpu .sys");
  if ((mods & kCache) != 0) found.push_back(words_for_caches(row));
  return found;
}

// PTX puts `.sync` after the first word of its warp instructions, and at the end of a match.
std::string ptx_name(Op op) {
  const OpInfo& row = info(op);
  if (is_collective(row.lift)) return "";
  std::string name = spelling(op);
  if (row.lift == Lift::Match) return name + ".sync";
  const bool sync = row.lift == Lift::Shuffle || row.lift == Lift::Vote || row.lift == Lift::Redux;
  if (sync && name.find(".sync") == std::string::npos) name.insert(std::min(name.find('.'), name.size()), ".sync");
  return name;
}

// ---- Markdown

std::string code(std::string_view text) {
  if (text.empty()) return "";
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return "`" + escaped + "`";
}
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' || c == '*' || c == '_' ? "\\" + std::string(1, c) : std::string(1, c);
  return escaped;
}

constexpr std::string_view kIntroduction = R"(# The instruction set

This file is generated from `instructions.def` and `special.def`: change those, then run the tests with `WARPSIM_REBASE=1`.
`warpsim isa` prints the same in a terminal.

A line is `[label:] [@[!]%p] mnemonic[.modifiers].TYPE operands`, in PTX's spelling. In the tables below `TYPE` stands for one of the
types listed, brackets for what may be left out, `d` for the destination, `a`, `b`, `c` for sources, `p` and `q` for predicates.

- **Types.** `b32 b64` bits, `u32 s32 u64 s64` integers, `f32 f64` floats, `b16 u16 s16 f16 bf16` half words, `f16x2 bf16x2` pairs of
  halves in 32 bits (the first in the low half; a float constant is both), `b8 u8 s8` bytes for loads, stores and conversions, in
  16-bit registers, `pred` predicates, `mask` sets of lanes: 32 bits up to 32 lanes and 64 bits at 64, so that one program serves
  every lane count. Registers
  hold bits; a type says how one instruction reads them.
- **Operands.** A source is a register, a special register, a scalar parameter by its name, or a constant: integers, floats with a
  point or an exponent, `inf`, `nan`, exact bits `0f3F800000` and `0d3FF0000000000000`, and C's operators over integers and `WARP_SZ`.
- **Vectors.** `{d0, d1}` are registers in braces: elements that follow each other in memory, or the parts of one register.
- **Addresses.** `input[%i + 1]` is an element of a buffer or a shared array, counted in elements; `[%ptr + 4]` an address in bytes.
  `mov.u64 %ptr, input` takes a buffer's address.
- **Carry.** `add.cc`, `addc.cc` and their kin write the lane's carry flag, `addc`, `subc` and `madc` read it. No operand names it; traces
  show it as the predicate `%cc.cf`.
- **Guards.** `@%p` and `@!%p` let only the lanes run where the predicate is true, or false.
- **Shuffles and votes.** `.sync` may be written and changes nothing. `membermask` is all lanes if left out, `c` the whole warp; `width=8` says
  `c` in CUDA's way, `mask=%m` names the member mask alone. `d|p` keeps the in-range predicate.
- **Modifiers.** `.rn .rz .rm .rp` round to nearest even, toward zero, down, up; `.rni .rzi .rmi .rpi` do so to an integer; `.ftz` makes
  subnormals zeros of their sign; `.sat` clamps to [0, 1], and a conversion to the destination's range; `.relu` makes what is below
  zero zero; with `.NaN` a NaN operand wins; `.xorsign.abs` compares sizes and gives the product's sign.
- **Proved, not proved.** An approximate function is called proved where its hash over every input equals the one that an H200
  computed; the others agree with every result that was recorded.

The unit is what executes the instruction, but that arithmetic and comparisons of f64 go to fp64; the names in Mojo, CUDA and PTX are in the table after it.
)";

void append_section(std::string& out, const std::vector<InstructionReference>& rows, std::string_view title) {
  out += "\n## " + std::string(title) +
         "\n\n| instruction | what it does | types | modifiers | unit |\n|---|---|---|---|---|\n";
  bool any_name = false;
  for (const InstructionReference& row : rows) {
    if (row.section != title) continue;
    any_name = any_name || !row.mojo.empty() || !row.cuda.empty();
    out += "| " + code(row.usage) + " | " + plain(row.doc) + " | " + with_between(row.types, " ") + " | " +
           with_between(row.modifiers, "; ") + " | " + row.unit + " |\n";
  }
  if (!any_name) return;
  out += "\n| here | PTX | CUDA | Mojo |\n|---|---|---|---|\n";
  for (const InstructionReference& row : rows) {
    if (row.section != title || (row.mojo.empty() && row.cuda.empty() && row.name == row.ptx)) continue;
    const std::string ptx = row.ptx.empty() ? "(its expansion)" : code(row.ptx);
    out += "| " + code(row.name) + " | " + ptx + " | " + code(row.cuda) + " | " + code(row.mojo) + " |\n";
  }
}

void append_specials(std::string& out) {
  out += "\n## Special registers\n\nThe machine fills them; they stand wherever a source may stand.\n\n";
  out += "| here and in PTX | what it holds | type | CUDA | Mojo |\n|---|---|---|---|---|\n";
  for (const SpecialInfo& special : all_specials()) {
    out += "| " + code(special.name) + " | " + plain(special.doc) + " | " + std::string(name(special.type)) + " | " +
           code(special.cuda) + " | " + code(special.mojo) + " |\n";
  }
  out +=
      "\n`%gtid` is warpsim's own. `WARP_SZ` is a constant: the lanes of a warp, 1, 2, 4 … 64, chosen at launch (CUDA "
      "`warpSize`, Mojo `WARP_SIZE`).\n";
}

}  // namespace

std::string_view section_of(Op op) {
  std::string_view title;
  for (const Section& section : kSections) {
    if (section.first <= op) title = section.title;
  }
  return title;
}

InstructionReference reference_of(Op op) {
  const OpInfo& row = info(op);
  InstructionReference r;
  r.op = op;
  r.section = section_of(op);
  r.name = spelling(op);
  r.usage = usage(op);
  for (int t = 1; t < kTypeCount; ++t) {
    if (contains(row.types, static_cast<Type>(t))) r.types.emplace_back(name(static_cast<Type>(t)));
  }
  r.modifiers = modifiers_of(row);
  r.unit = name(row.unit);
  r.doc = row.doc;
  r.ptx = ptx_name(op);
  r.cuda = known_as(row.aka, "CUDA");
  r.mojo = known_as(row.aka, "Mojo");
  return r;
}

std::vector<InstructionReference> instruction_reference() {
  std::vector<InstructionReference> rows;
  for (int k = 0; k < kOpCount; ++k) rows.push_back(reference_of(static_cast<Op>(k)));
  return rows;
}

std::vector<Op> ops_named(std::string_view word) {
  std::vector<Op> found;
  if (word.empty()) return found;
  const std::string family = std::string(word) + ".";
  for (int k = 0; k < kOpCount; ++k) {
    const Op op = static_cast<Op>(k);
    const std::string ptx = ptx_name(op);
    const auto names = [&](std::string_view candidate) {
      return candidate == word || candidate.substr(0, family.size()) == family;
    };
    if (info(op).id == word || names(info(op).mnemonic) || names(spelling(op)) || names(ptx)) found.push_back(op);
  }
  return found;
}

std::string reference_text(const InstructionReference& r) {
  std::string text = r.usage + "\n    " + r.doc + "\n";
  const auto line = [&](std::string_view label, const std::string& value) {
    if (!value.empty()) text += "    " + std::string(label) + std::string(11 - label.size(), ' ') + value + "\n";
  };
  line("types", with_between(r.types, " "));
  line("modifiers", with_between(r.modifiers, "; "));
  line("unit", r.unit);
  line("PTX", r.ptx);
  line("CUDA", r.cuda);
  line("Mojo", r.mojo);
  return text;
}

std::string reference_text(Special special) {
  const SpecialInfo& row = info(special);
  std::string text = std::string(row.name) + "\n    " + std::string(row.doc) + "\n    type       " +
                     std::string(name(row.type)) + "\n";
  if (!row.cuda.empty()) text += "    CUDA       " + std::string(row.cuda) + "\n";
  if (!row.mojo.empty()) text += "    Mojo       " + std::string(row.mojo) + "\n";
  return text;
}

std::string reference_markdown() {
  std::string out(kIntroduction);
  const std::vector<InstructionReference> rows = instruction_reference();
  for (const Section& section : kSections) append_section(out, rows, section.title);
  append_specials(out);
  return out;
}

}  // namespace warpsim
