// See engine.h.
#include "sim/engine/engine.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "isa/table/op.h"
#include "sim/engine/compiled.h"

namespace warpsim::engine {

// Compiling takes a millisecond or two, in which the interpreter makes some ten thousand issues.
static constexpr std::uint64_t kWorthCompiling = 16'384;

void Engine::find_code() {
  const bool may_compile = can_compile() && choice_ != EngineChoice::Interpreter;
  knows_loops_ = false;
  facts_.clear();
  codes_of_loops_.clear();
  for (const bool whole : {false, true}) {
    use(whole, may_compile ? known(code_, {.whole = whole, .keeps_all = keeps_all_}) : nullptr);
    const std::uint64_t before = std::min(interpreted_before_[whole ? 1 : 0], kWorthCompiling - 1);
    until_compiled_[whole ? 1 : 0] = may_compile && !codes_[whole ? 1 : 0] ? kWorthCompiling - before : 0;
    if (may_compile && choice_ == EngineChoice::Compiled) compile(whole);
  }
}

void Engine::find_loops() {
  knows_loops_ = true;
  loops_ = register_loops(code_);
  loop_of_.assign(loops_.empty() ? 0 : code_.insns.size() + 1, -1);
  for (std::size_t k = loops_.size(); k-- != 0;)
    std::fill(loop_of_.begin() + loops_[k].begin, loop_of_.begin() + loops_[k].end, static_cast<std::int32_t>(k));
}

// Whether all that the loop takes for granted of its rows is so.
bool Engine::are_alike(const Frame& frame, const AlikeRows& known, unsigned warps) const {
  if (std::all_of(known.results.begin(), known.results.end(), [](Alike how) { return how == Alike::No; })) return false;
  const auto is_so = [](const std::byte* row, Alike how) {
    const std::size_t period = how == Alike::Lanes ? sizeof(std::uint32_t) : kBytesOfHalf;
    return std::memcmp(row, row + period, 2 * kBytesOfHalf - period) == 0;
  };
  for (unsigned w = 0; w < warps; ++w)
    for (const auto& [row, how] : known.at_begin)
      if (!is_so(frame.registers + w * code_.block_template.size() + row, how)) return false;
  return true;
}

// How many of Frame::left rounds all warps go back behind; none: nobody knows yet.
std::optional<std::uint64_t> Engine::rounds_of_all(const Frame& frame, const CountedLoop& counted,
                                                   unsigned warps) const {
  std::optional<std::uint64_t> rounds = frame.left;
  for (unsigned w = 0; w < warps && rounds; ++w) {
    std::uint32_t now;
    std::memcpy(&now, frame.registers + w * code_.block_template.size() + counted.counter, sizeof now);
    rounds = rounds_to_go(code_, counted, now, *rounds);
  }
  return rounds;
}

bool Engine::run_loop(Frame& frame, const RegisterLoop& loop, unsigned warps) {
  const auto [of_loop, is_new_loop] = facts_.try_emplace(loop.begin);
  LoopFacts& facts = of_loop->second;
  if (is_new_loop && isa_of_host() == Isa::Avx512) {  // AVX2 keeps no rows in registers
    facts.alike = alike_rows(code_, loop);
    facts.counted = counted_loop(code_, loop, facts.alike);
  }
  Assumed assumed = are_alike(frame, facts.alike, warps) ? Assumed::Alike : Assumed::Nothing;
  if (assumed == Assumed::Alike && facts.counted) {
    if (const auto rounds = rounds_of_all(frame, *facts.counted, warps)) {
      assumed = Assumed::Rounds;
      if (*rounds < frame.left) {
        frame.left -= *rounds;
        return true;
      }
    }
  }
  const auto [code, is_new] = codes_of_loops_.try_emplace({loop.begin, warps, assumed});
  if (is_new)
    code->second =
        compiled(code_, program_,
                 {.whole = true, .keeps_all = keeps_all_, .loop = loop.begin, .warps = warps, .assumed = assumed});
  if (code->second == nullptr) return false;
  frame.pc = loop.begin;
  code->second->run(frame);
  return true;
}

void Engine::compile(bool whole) { use(whole, compiled(code_, program_, {.whole = whole, .keeps_all = keeps_all_})); }

void Engine::use(bool whole, std::shared_ptr<const CompiledCode> code) {
  codes_[whole ? 1 : 0] = std::move(code);
  entries_[whole ? 1 : 0] = codes_[whole ? 1 : 0] ? codes_[whole ? 1 : 0]->entries() : nullptr;
}

// "bar.sync in lines 12, 30; vprintf in line 7": each word once.
std::string Engine::words_of(const std::set<std::int32_t>& pcs) const {
  std::map<std::string_view, std::vector<std::string>> lines;
  for (const std::int32_t pc : pcs) {
    std::vector<std::string>& of = lines[info(code_.insns[static_cast<std::size_t>(pc)].op).mnemonic];
    if (const std::string line = program_.line(pc); of.empty() || of.back() != line) of.push_back(line);
  }
  std::string text;
  for (const auto& [word, of] : lines) {
    text += (text.empty() ? "" : "; ") + std::string(word) + (of.size() == 1 ? " in line" : " in lines");
    for (std::size_t k = 0; k < of.size(); ++k) text += (k == 0 ? " " : ", ") + of[k];
  }
  return text;
}

std::string Engine::described(bool whole) const {
  const std::size_t k = whole ? 1 : 0;
  if (!codes_[k]) {
    if (choice_ == EngineChoice::Interpreter) return "no machine code, as --engine interpreter says";
    if (!can_compile())
      return "no machine code: the processor has neither AVX-512 nor AVX2, or WARPSIM_HOST hides them";
    if (code_.width != 32) return "no machine code: it is made for warps of at most 32 lanes";
    if (until_compiled_[k] == 0) return "no machine code: the system allows none, or it would be too large";
    return "no machine code: " + std::to_string(kWorthCompiling - until_compiled_[k]) +
           " instructions were interpreted, " + std::to_string(kWorthCompiling) + " make it worth it";
  }
  const CompiledCode& code = *codes_[k];
  std::ostringstream text;
  text << code_.insns.size() - code.left().size() << " of " << code_.insns.size() << " instructions are machine code, "
       << code.bytes() << " bytes";
  if (!code.left().empty()) text << "; it is left at " << words_of(code.left());
  if (!code.called().empty()) text << "; it calls the interpreter's loops for " << words_of(code.called());
  return text.str();
}

std::array<std::uint64_t, 2> Engine::interpreted() const {
  return {kWorthCompiling - until_compiled_[0], kWorthCompiling - until_compiled_[1]};
}

void Engine::report(const std::function<void(std::string_view)>& line) const {
  line("all lanes together: " + described(true));
  line("some lanes: " + described(false));
}

const std::byte* Engine::code_at(std::int32_t pc, bool whole) const {
  const std::size_t k = whole ? 1 : 0;
  return codes_[k]->begin() + entries_[k][pc];
}

void Engine::run(Frame& frame, bool whole) const {
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    frame.entries[k] = entries_[k];
    frame.code[k] = codes_[k] ? codes_[k]->begin() : nullptr;
  }
  codes_[whole ? 1 : 0]->run(frame);
}

}  // namespace warpsim::engine
