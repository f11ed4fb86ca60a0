// The engine of one launch: when its program is compiled, and how a warp goes through the code.
//
// Shapes: two codes: one for groups of all lanes, one for others; each is made when it is first worth it.
// Units:  issues.
// Errors: none: where there is no code, the interpreter goes on.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/code/decode.h"
#include "sim/engine/frame.h"
#include "sim/engine/register_loops.h"
#include "sim/launch/launch.h"

namespace warpsim::engine {

class CompiledCode;

inline constexpr unsigned kSideBySide = 4;  // the warps whose values mostly fit into the vector registers together

class Engine {
 public:
  Engine(const Code& code, const Program& program, const LaunchConfig& config)
      : code_(code),
        program_(program),
        choice_(config.engine),
        interpreted_before_(config.history.interpreted),
        keeps_all_(config.keeps_state) {
    find_code();
  }
  // The instructions have changed. `keeps_all`: CodeFor's.
  void restart(bool keeps_all) {
    keeps_all_ = keeps_all;
    find_code();
  }

  // Whether a piece of code begins at this pc.
  bool has_code_at(std::int32_t pc, bool whole) const {
    const std::size_t* const entries = entries_[whole ? 1 : 0];
    return entries != nullptr && entries[pc] != 0;
  }
  // It, where has_code_at().
  const std::byte* code_at(std::int32_t pc, bool whole) const;
  // Goes through the code, from Frame::pc on.
  void run(Frame& frame, bool whole) const;
  // The loop of registers alone that a pc is within; null: there is none, or nothing is compiled.
  const RegisterLoop* loop_at(std::int32_t pc) {
    if (codes_[1] == nullptr) return nullptr;
    if (!knows_loops_) find_loops();
    const std::int32_t loop = loop_of_.empty() ? -1 : loop_of_[static_cast<std::size_t>(pc)];
    return loop < 0 ? nullptr : &loops_[static_cast<std::size_t>(loop)];
  }
  // Goes round it Frame::left times with one warp or with kSideBySide, whose registers lie behind each other (see
  // CompiledCode::run). False: there is no code.
  bool run_loop(Frame& frame, const RegisterLoop& loop, unsigned warps);
  // The interpreter has made so many: that shows whether code pays.
  void note_interpreted(std::uint64_t issues, bool whole) {
    std::uint64_t& left = until_compiled_[whole ? 1 : 0];
    if (left == 0) return;
    left -= issues < left ? issues : left;
    if (left == 0) compile(whole);
  }
  // How many issues the interpreter has made, in earlier launches, too, as LaunchHistory has them.
  std::array<std::uint64_t, 2> interpreted() const;
  // What there is of code, and why, a line a call.
  void report(const std::function<void(std::string_view)>& line) const;

 private:
  std::string described(bool whole) const;
  std::string words_of(const std::set<std::int32_t>& pcs) const;
  void find_code();
  void find_loops();
  struct LoopFacts {
    AlikeRows alike;
    std::optional<CountedLoop> counted;
  };
  bool are_alike(const Frame& frame, const AlikeRows& known, unsigned warps) const;
  std::optional<std::uint64_t> rounds_of_all(const Frame& frame, const CountedLoop& counted, unsigned warps) const;
  void compile(bool whole);
  void use(bool whole, std::shared_ptr<const CompiledCode> code);

  const Code& code_;
  const Program& program_;
  EngineChoice choice_;
  std::array<std::uint64_t, 2> interpreted_before_;
  bool keeps_all_;
  std::shared_ptr<const CompiledCode> codes_[2];
  const std::size_t* entries_[2] = {nullptr, nullptr};  // of the codes
  std::uint64_t until_compiled_[2];                     // 0: never, or done
  bool knows_loops_ = false;
  std::vector<RegisterLoop> loops_;
  std::vector<std::int32_t> loop_of_;        // by pc: index into these, or -1; empty: there are none
  std::map<std::int32_t, LoopFacts> facts_;  // by where a loop begins: of those that have been gone round
  // By where it begins, for how many warps, and what that relies on. Null: there is none.
  std::map<std::tuple<std::int32_t, unsigned, Assumed>, std::shared_ptr<const CompiledCode>> codes_of_loops_;
};

}  // namespace warpsim::engine
