// Shuffles that one collective replaces, and shuffles that move nothing.
//
// Shapes: a chain is what a warp makes of one register's values by shuffles, moves and one operation: of each lane of
//         each register of the chain, the set of lanes whose values it combines, each once. All lanes in every set, or
//         in lane 0's: reduce; lanes 0 to this one: scan; those before this one: an exclusive scan. It counts as
//         replaceable only if
//           - the whole warp executes its shuffles, and the collective has the operation, at that type, as written;
//           - nothing else reads a value in between;
//           - no value from memory decides who combines or what moves where;
//           - and if all executions of these shuffles in the run belong to such chains.
//         A broadcast is a shfl.idx that takes one and the same lane each time.
//         A shuffle moves nothing if every lane, each time, is its own source and in range, by an offset or lane that
//         follows from constants and the lane's number alone.
// Units:  lanes.
// Errors: none: where in doubt, silence.
// Source: isa/program/expand.cpp: what the collectives stand for.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sim/check/run_finding.h"
#include "sim/event/observer.h"

namespace warpsim {

// What a value depends on, the strongest of it: lane numbers and constants; the launch, its parameters and activity;
// memory.
enum class DependsOn : std::uint8_t { Lane, Launch, Memory };

class ShuffleAdvice {
 public:
  void begin(const Machine& machine);
  void on_issue(const IssueEvent& event);
  void on_exchange(const ExchangeEvent& event);
  void on_write(const WriteEvent& event);
  void on_mask(const MaskEvent& event);
  void finish(std::vector<RunFinding>& found);

 private:
  enum class Part : std::uint8_t { Other, Shuffle, Copy, Select, Combine };
  struct Code {  // of one instruction, worked out once
    Part part = Part::Other;
    std::int32_t dst = -1, in_range = -1;    // written
    std::int32_t a = -1, b = -1, pred = -1;  // a and b hold values that the chain may go on with
    bool negated = false;                    // pred
    bool twice_is_once = false;              // of a combination: it does not matter how often a value goes in
    std::vector<std::int32_t> others, writes;
    DependsOn depends = DependsOn::Lane;  // by what it is, not by its registers
  };
  struct Value {
    std::uint32_t chain = 0;  // 0: of none
    LaneMask of = 0;          // 0: no set of lanes, each once
  };
  using Lanes = std::array<Value, 64>;
  struct Reg {
    std::uint32_t origin = 0;  // changes with the values
    DependsOn depends = DependsOn::Lane;
    std::unique_ptr<Lanes> lanes;  // null: each lane holds its own value of `origin`
  };
  enum class Kind : std::uint8_t { Reduce, ReduceToLane0, Scan, ExclusiveScan };
  struct Chain {
    std::uint32_t id = 0, origin = 0;
    bool has_op = false, bad = false;
    DependsOn depends = DependsOn::Lane;  // of who combines, and what moves where
    Op op{};
    Type type = Type::None;
    std::int32_t from = -1;                               // the register whose values it takes
    std::vector<std::int32_t> shuffles;                   // pcs, one an execution
    std::vector<unsigned> offsets;                        // … and how far they move
    std::vector<std::int32_t> others;                     // pcs
    std::array<std::int32_t, 4> into = {-1, -1, -1, -1};  // by Kind: the register that holds all of it; -1: none
    bool reads_all = false, reads_up_to = false, reads_before = false, reads_other = false;
    std::uint64_t cycle = 0;
  };
  struct WarpState {
    std::uint32_t block = 0, warp = 0;
    std::vector<Reg> regs;
    std::vector<LaneMask> truth;  // by register: of predicates
    std::deque<Chain> open;
    DependsOn split = DependsOn::Lane;  // what the branches depend on that part the lanes now
    LaneMask alive = 0;
  };
  struct Group {  // chains that the same lines make in the same way
    std::uint64_t times = 0, cycle = 0;
    std::uint32_t block = 0, warp = 0;
    std::int32_t from = -1, into = -1;
    bool in_order = true;  // as the collective combines
    DependsOn depends = DependsOn::Lane;
    std::map<std::int32_t, std::uint64_t> shuffles;  // pc → executions
  };
  using GroupKey = std::tuple<std::vector<std::int32_t>, Kind, Op, Type>;  // by all pcs, sorted
  struct Site {                                                            // of a shuffle
    std::uint64_t executions = 0, in_chains = 0, to_itself = 0, one_lane = 0, cycle = 0;
    std::uint32_t block = 0, warp = 0;
    LaneMask lanes = 0;
    unsigned lane = 0;  // the source of all
    DependsOn depends = DependsOn::Lane;
  };

  Code code_of(const Insn& insn) const;
  DependsOn depends_of(const std::vector<std::int32_t>& regs) const;
  DependsOn control() const;
  Chain* find_chain(std::uint32_t id);
  std::uint32_t chain_of_origin(std::uint32_t origin) const;
  void make_new(std::int32_t reg, DependsOn depends);
  Lanes& lanes_of(Reg& reg);
  void read(std::int32_t reg, LaneMask lanes);
  void read_value(const Value& value, unsigned lane);
  Value combined(const Value& a, const Value& b, unsigned lane);
  void put(std::int32_t dst, LaneMask lanes, const Lanes& values, DependsOn depends);
  void compute(const Code& code);
  Chain& chain_at(std::int32_t reg, bool shifts);
  bool is_reduced(const Reg& reg) const;
  bool is_scanned(const Reg& reg) const;
  void shuffle(const ExchangeEvent& event, const Code& code);
  void look_at_site(const ExchangeEvent& event, const Code& code);
  void look_whether_done(std::int32_t reg);
  static std::optional<Kind> kind_of(const Chain& chain);
  bool in_order(const Chain& chain, Kind kind) const;
  void close(const WarpState& warp, const Chain& chain);
  void close_oldest(WarpState& warp);
  void end(std::uint64_t key);
  void report_chains(std::vector<RunFinding>& found) const;
  void report_sites(std::vector<RunFinding>& found) const;
  std::string operand_text(const Operand& operand, unsigned lane) const;
  Message lines_named(const std::vector<std::int32_t>& pcs) const;

  const Program* program_ = nullptr;
  unsigned lanes_ = 32;
  std::uint32_t warps_per_block_ = 1;
  bool shuffles_at_all_ = false;
  std::vector<Code> code_;
  std::vector<Site> sites_;  // by pc
  std::unordered_map<std::uint64_t, WarpState> warps_;
  std::map<GroupKey, Group> groups_;
  std::uint32_t next_ = 0;  // origins and chains

  // The instruction that is being told.
  WarpState* current_ = nullptr;
  std::uint64_t key_ = 0;
  IssueEvent now_{};
};

}  // namespace warpsim
