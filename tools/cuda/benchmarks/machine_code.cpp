#include "tools/cuda/benchmarks/machine_code.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "isa/assembly/opcode.h"
#include "isa/text/number_text.h"

namespace warpsim {
namespace {

// ---- what an instruction may become

// Successive machine instructions, apart by blanks, each one of several opcodes (`|`; `*` at the end for any rest).
// `mnemonic` with `*` at the end for any rest; `types` are of the program's instruction, "" for all. An instruction may
// fit several rows, and then is any of them.
struct Becomes {
  std::string_view mnemonic;
  TypeSet types;
  std::string_view code;
};
constexpr TypeSet kAny = ~TypeSet{0};
constexpr TypeSet k32 = set_of(Type::B32) | set_of(Type::U32) | set_of(Type::S32) | set_of(Type::Mask);
constexpr TypeSet k64 = set_of(Type::B64) | set_of(Type::U64) | set_of(Type::S64);
constexpr TypeSet kSingle = set_of(Type::F32), kDouble = set_of(Type::F64);
constexpr TypeSet kPairs = set_of(Type::F16X2) | set_of(Type::BF16X2) | set_of(Type::F16) | set_of(Type::BF16);

constexpr Becomes kBecomes[] = {
    {"mov", kAny, "MOV|MOV.U|IMAD.MOV.U32|IMAD.MOV|IMAD.U32|HFMA2.MMA|UMOV|CS2R*|S2R"},
    {"mov", kAny, ""},  // by renaming
    {"selp", kAny, "SEL|FSEL"},
    {"add", k32, "IADD3|IADD|VIADD|IMAD.IADD"},
    {"sub", k32, "IADD3|IADD|VIADD|IMAD.IADD"},
    {"add", k64, "IADD3 IADD3.X|IMAD.X"},
    {"sub", k64, "IADD3 IADD3.X|IMAD.X"},
    {"add", kSingle, "FADD"},
    {"sub", kSingle, "FADD"},
    {"mul", kSingle, "FMUL"},
    {"fma", kSingle, "FFMA"},
    {"add", kDouble, "DADD"},
    {"sub", kDouble, "DADD"},
    {"mul", kDouble, "DMUL"},
    {"fma", kDouble, "DFMA"},
    {"add", kPairs, "HADD2*|HFMA2*"},
    {"mul", kPairs, "HMUL2*|HFMA2*"},
    {"fma", kPairs, "HFMA2*"},
    {"mul.lo", k32, "IMAD"},
    {"mad.lo", k32, "IMAD"},
    {"mul.hi", k32, "IMAD.HI*"},
    {"mul.wide", k32, "IMAD.WIDE*"},
    {"mad.wide", k32, "IMAD.WIDE*"},
    {"dp4a", kAny, "IDP*"},
    {"min", k32, "VIMNMX*|IMNMX*"},
    {"max", k32, "VIMNMX*|IMNMX*"},
    {"min", kSingle, "FMNMX*"},
    {"max", kSingle, "FMNMX*"},
    {"and", k32, "LOP3.LUT"},
    {"or", k32, "LOP3.LUT"},
    {"xor", k32, "LOP3.LUT"},
    {"not", k32, "LOP3.LUT"},
    {"lop3", k32, "LOP3.LUT"},
    {"and", k64, "LOP3.LUT LOP3.LUT"},
    {"or", k64, "LOP3.LUT LOP3.LUT"},
    {"xor", k64, "LOP3.LUT LOP3.LUT"},
    {"and", kPred, "PLOP3.LUT"},
    {"or", kPred, "PLOP3.LUT"},
    {"xor", kPred, "PLOP3.LUT"},
    {"shl", k32, "SHF.L*|IMAD.SHL.U32"},
    {"shr", k32, "SHF.R*"},
    {"shf*", k32, "SHF*"},
    {"popc", k32, "POPC"},
    {"clz", k32, "FLO.U32 IADD3|VIADD|IMAD.IADD"},
    {"bfind", k32, "FLO*"},
    {"brev", k32, "BREV"},
    {"prmt", kAny, "PRMT"},
    {"setp*", k32, "ISETP*"},
    {"setp*", kSingle, "FSETP*"},
    {"setp*", kDouble, "DSETP*"},
    {"ex2*", kAny, "MUFU.EX2*"},
    {"lg2*", kAny, "MUFU.LG2*"},
    {"rcp*", kAny, "MUFU.RCP*"},
    {"rsqrt*", kAny, "MUFU.RSQ*"},
    {"sqrt*", kAny, "MUFU.SQRT*"},
    {"tanh*", kAny, "MUFU.TANH*"},
    {"cvt", kAny, "I2F*|I2FP*|F2I*|F2F*|F2FP*|HADD2.F32"},
    {"shfl*", k32, "SHFL*"},
    {"shfl*", k64, "SHFL* SHFL*"},
    {"vote*", kAny, "VOTE*"},
    {"activemask", kAny, "VOTE*"},
    {"match*", kAny, "MATCH*"},
    {"redux*", kAny, "REDUX* IMAD.U32|MOV"},  // from a uniform register
    {"redux*", kAny, "REDUX*"},
    {"bar", kAny, "BAR*"},
    {"bar.red*", kAny, "BAR* B2R*"},
    {"bar.warp", kAny, ""},
    {"ld.shared*", kAny, "LEA LDS*"},  // with the element's address
    {"ld.shared*", kAny, "LDS*"},
    {"st.shared*", kAny, "LEA STS*"},
    {"st.shared*", kAny, "STS*"},
    {"atom.shared*", kAny, "ATOMS*"},
    {"red.shared*", kAny, "ATOMS*"},
    {"ld.global*", kAny, "IMAD.WIDE* LDG*"},
    {"ld.global*", kAny, "LDG*"},
    {"st.global*", kAny, "IMAD.WIDE* STG*"},
    {"st.global*", kAny, "STG*"},
    {"bra", kAny, "BRA"},
};

bool fits(std::string_view pattern, std::string_view word) {
  const bool open = !pattern.empty() && pattern.back() == '*';
  if (!open) return pattern == word;
  return word.substr(0, pattern.size() - 1) == pattern.substr(0, pattern.size() - 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end != 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool is_one_of(std::string_view patterns, std::string_view opcode) {
  const auto parts = split(patterns, '|');
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view p) { return fits(p, opcode); });
}

// The spellings of an instruction.
std::vector<std::vector<std::string_view>> ways_of(const Insn& insn) {
  std::vector<std::vector<std::string_view>> ways;
  for (const Becomes& row : kBecomes)
    if (fits(row.mnemonic, info(insn.op).mnemonic) && (row.types == kAny || contains(row.types, insn.type)))
      ways.push_back(split(row.code, ' '));
  return ways;
}

std::string called(const Insn& insn) { return opcode_text({insn.op, insn.type, insn.type2, insn.mods, false}); }

// ---- the two sequences

// What handles diverging and converging lanes. The mask of a BRA.DIV is put into a uniform register before it.
std::vector<std::string> without_support(std::span<const std::string> opcodes) {
  constexpr std::string_view kSupport = "BSSY*|BSYNC*|BREAK*|BMOV*|WARPSYNC*|NOP|YIELD";
  std::vector<std::string> out;
  for (const std::string& opcode : opcodes) {
    if (opcode == "BRA.DIV") {
      const auto mask = std::find(out.rbegin(), out.rend(), "UMOV");
      if (mask != out.rend()) out.erase(std::next(mask).base());
      continue;
    }
    if (!is_one_of(kSupport, opcode)) out.push_back(opcode);
  }
  return out;
}

// How far the instructions and the code go together, one for one: at the end of both they are the same.
struct Together {
  std::size_t insns = 0, code = 0;
};

Together in_order(std::span<const Insn> insns, const std::vector<std::string>& code) {
  std::vector<bool> reached(code.size() + 1, false);  // code[0, j) is what the instructions so far became
  reached[0] = true;
  Together together;
  for (const Insn& insn : insns) {
    std::vector<bool> next(code.size() + 1, false);
    for (const auto& way : ways_of(insn)) {
      for (std::size_t j = 0; j + way.size() <= code.size(); ++j) {
        bool all = reached[j];
        for (std::size_t k = 0; all && k < way.size(); ++k) all = is_one_of(way[k], code[j + k]);
        if (all) next[j + way.size()] = true;
      }
    }
    const auto furthest = std::find(next.rbegin(), next.rend(), true);
    if (furthest == next.rend()) return together;
    together = {together.insns + 1, static_cast<std::size_t>(next.rend() - furthest) - 1};
    reached = std::move(next);
  }
  return together;
}

// "instruction 13 is mul.f32, but FFMA is there"
std::string parting_text(std::span<const Insn> insns, const std::vector<std::string>& code, const Together& together) {
  if (together.insns == insns.size()) return code[together.code] + " comes after the last instruction";
  const std::string stands = together.code == code.size() ? "nothing" : code[together.code];
  return "instruction " + std::to_string(together.insns + 1) + " is " + called(insns[together.insns]) + ", but " +
         stands + " is there";
}

// Takes what one way needs out of `left`; false, and nothing is taken, if it is not all there.
bool take(const std::vector<std::string_view>& way, std::vector<std::string>& left) {
  std::vector<std::string> rest = left;
  for (const std::string_view patterns : way) {
    const auto found =
        std::find_if(rest.begin(), rest.end(), [&](const auto& code) { return is_one_of(patterns, code); });
    if (found == rest.end()) return false;
    rest.erase(found);
  }
  left = std::move(rest);
  return true;
}

std::string counts_text(const std::map<std::string, unsigned>& counts) {
  std::string text;
  for (const auto& [what, count] : counts) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  return text;
}

}  // namespace

std::string_view name(CodeVerdict::Kind kind) {
  switch (kind) {
    case CodeVerdict::Kind::Same: return "same";
    case CodeVerdict::Kind::Reordered: return "reordered";
    case CodeVerdict::Kind::Differs: return "differs";
    case CodeVerdict::Kind::Unknown: break;
  }
  return "unknown";
}

// `/*0130*/   @!P0 IMAD.IADD R11, R10, 0x1, R11 ;   /* 0x… */`
std::vector<MachineInsn> parse_machine_code(std::string_view listing) {
  std::vector<MachineInsn> out;
  for (std::string_view line : split(listing, '\n')) {
    const std::size_t open = line.find("/*"), close = line.find("*/");
    if (open == std::string_view::npos || close == std::string_view::npos || line.find(';') == std::string_view::npos)
      continue;
    const std::string_view address = line.substr(open + 2, close - open - 2);
    const bool hex = std::all_of(address.begin(), address.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (address.empty() || !hex) continue;
    line = line.substr(close + 2, line.find(';') - close - 2);
    MachineInsn insn;
    for (const std::string_view word : split(line, ' ')) {
      if (word == "{" || word == "}") continue;
      if (insn.opcode.empty() && word.front() == '@') insn.guard = word;
      else if (insn.opcode.empty()) insn.opcode = word;
      else (insn.operands += insn.operands.empty() ? "" : " ") += word;
    }
    if (!insn.opcode.empty()) out.push_back(std::move(insn));
  }
  return out;
}

std::vector<std::string> region_opcodes(std::span<const MachineInsn> code) {
  std::size_t begin = code.size(), end = code.size();
  for (std::size_t k = 0; k < code.size(); ++k) {
    if (code[k].operands.find("SR_CLOCK") == std::string::npos) continue;
    begin = end;
    end = k;
  }
  std::vector<std::string> out;
  for (std::size_t k = begin + 1; k < end && begin < end; ++k) out.push_back(code[k].opcode);
  return out;
}

CodeVerdict compare_code(const Program& program, std::int32_t first, std::int32_t last,
                         std::span<const std::string> opcodes) {
  if (opcodes.empty()) return {};
  const std::span<const Insn> insns(program.code.data() + first, static_cast<std::size_t>(last - first));
  std::vector<std::string> code = without_support(opcodes);
  const Together together = in_order(insns, code);
  if (together.insns == insns.size() && together.code == code.size()) return {CodeVerdict::Kind::Same, ""};
  const std::string parting = parting_text(insns, code, together);
  std::map<std::string, unsigned> missing, more;
  for (const Insn& insn : insns) {
    const auto ways = ways_of(insn);
    if (std::none_of(ways.begin(), ways.end(), [&](const auto& way) { return take(way, code); }))
      ++missing[called(insn)];
  }
  if (missing.empty() && code.empty()) return {CodeVerdict::Kind::Reordered, parting};
  for (const std::string& opcode : code) ++more[opcode];
  std::string text = missing.empty() ? "" : "without " + counts_text(missing);
  if (!more.empty()) text += (text.empty() ? "" : "; ") + ("with " + counts_text(more)) + " more";
  return {CodeVerdict::Kind::Differs, text};
}

std::string pack_opcodes(std::span<const std::string> opcodes) {
  std::string text;
  for (std::size_t k = 0; k < opcodes.size();) {
    std::size_t end = k;
    while (end < opcodes.size() && opcodes[end] == opcodes[k]) ++end;
    text += (text.empty() ? "" : " ") + opcodes[k] + (end - k > 1 ? "*" + std::to_string(end - k) : "");
    k = end;
  }
  return text;
}

std::vector<std::string> unpack_opcodes(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view word : split(text, ' ')) {
    const std::size_t star = word.find('*');
    std::size_t count = star == std::string_view::npos ? 1 : 0;
    for (std::size_t k = star; star != std::string_view::npos && ++k < word.size();)
      count = count * 10 + static_cast<std::size_t>(word[k] - '0');
    out.insert(out.end(), std::min<std::size_t>(count, 100'000), std::string(word.substr(0, star)));
  }
  return out;
}

}  // namespace warpsim
