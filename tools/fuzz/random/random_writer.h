// Writes one random program: the class behind random_program().
//
// Shapes: a RandomWriter writes once. Its functions are in the file of their section; those that return bool return
//         false where they wrote nothing.
// Units:  lengths count elements.
// Errors: none.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/table/op.h"
#include "tools/fuzz/random/random_program.h"
#include "tools/fuzz/random/random_text.h"
#include "tools/fuzz/random/random_values.h"

namespace warpsim::reference {

constexpr unsigned kInputLength = 64;         // elements of every `in` buffer; a power of two
constexpr unsigned kFirstCountedBarrier = 8;  // of 16; those below are for whole blocks
constexpr std::size_t kSums = 12;             // atomics on elements that many threads share: how many kinds
constexpr std::size_t kSumElements = 4;       // … and elements of each
constexpr unsigned kWords = 8, kFloats = 6, kLongs = 6, kDoubles = 4, kHalves = 3, kPredicates = 6,
                   kMasks = 3;  // registers of each pool
constexpr unsigned kEndWords = kWords + kFloats + kPredicates + kMasks, kEndLongs = kLongs + kDoubles,
                   kEndHalves = kHalves;  // how many of them a thread stores at the end
constexpr unsigned kSlack = 4;            // elements past the last one that an index may also reach

// The lanes of a warp that execute one statement together.
struct Group {
  Text mask;                 // the membermask operand; "" omits it: all lanes
  Text members;              // a mask register that holds exactly these lanes
  unsigned segment = 1;      // the group consists of whole segments of this many lanes
  bool whole_warp = false;   // the group has all living lanes
  bool complete = false;     // … and none has exited or never existed
  bool packed = false;       // the living lanes are the lowest of the warp
  bool whole_block = false;  // all living threads of the block execute this
};

class RandomWriter {
 public:
  RandomWriter(std::uint64_t seed, const Limits& limits) : random_(seed), limits_(limits) { program_.seed = seed; }
  RandomProgram write();

 private:
  // ---- text
  void line(const Text& text) { program_.lines.push_back("        " + text); }
  void label(const Text& name) { program_.lines.push_back(name + ":"); }
  // Joins the lines that `write` adds into one string: shrinking must not keep a part of them.
  template <class Write>
  auto as_one_line(Write write) {
    const auto from = static_cast<std::ptrdiff_t>(program_.lines.size());
    const auto result = write();
    std::vector<Text>& lines = program_.lines;
    if (std::ptrdiff_t(lines.size()) > from + 1) {
      Text whole;
      for (auto it = lines.begin() + from; it != lines.end(); ++it) whole += (whole.empty() ? "" : "\n") + *it;
      lines.resize(static_cast<std::size_t>(from));
      lines.push_back(std::move(whole));
    }
    return result;
  }
  Text fresh(const Text& prefix) { return cat({prefix, next_name_++}); }

  // ---- the launch and its data: random_program.cpp
  std::uint64_t budget();
  void choose_launch();
  void choose_data();
  void buffer(const Text& prefix, Type type, unsigned length, bool filled);
  Group top_group() const;

  // ---- operands: random_registers.cpp
  static std::vector<Text> numbered(const Text& prefix, unsigned count);
  static const std::vector<Text>& pool(RegClass cls, bool of_floats);
  Text any_register(Type type);
  Text immediate(Type type);
  Text source(Type type);
  Text special(Type type);
  Text guard(unsigned percent);
  Type any_type(TypeSet set);
  Text modifiers(const OpInfo& row, Type type);
  Text other_predicate(const Text& than);
  Text vector_register(Type type, std::size_t k);
  Text predicate() { return random_.pick(pool(RegClass::Pred, false)); }
  static Text suffix(Type type) { return type == Type::None ? "" : cat({".", warpsim::name(type)}); }

  // ---- what every program begins and ends with: random_frame.cpp
  void prologue();
  bool number_threads();
  bool fill_shared();
  void fill_pools();
  void epilogue();
  bool is_used(const Text& reg, std::size_t from) const;
  void remove_unused_fills();
  void store_registers();
  RandomProgram finish();
  Text own_index() { return linear_ && random_.chance(50) ? "%gtid" : "%gl"; }

  // ---- control flow: random_branches.cpp
  // A branch: its condition, in a register of its own, and the groups of its two paths.
  struct Split {
    Text p;
    Group yes, no;
  };
  void statements(Group& group, std::uint64_t budget, int depth);
  Split split(const Group& group);
  void literal_split(Split& s);
  void branch(Group& group, int depth);
  void drop_exited(Group& group);
  void tangle(Group& group);
  void lane_instruction();
  void loop(Group& group, int depth);
  void loop_text(Group& group, int depth);
  void leave(const Group& group, const Text& p, const Text& to);
  bool early_exit(Group& group);

  // ---- one instruction, any row: random_instructions.cpp
  void instruction(const Group& group);
  bool emit(const OpInfo& row, const Group& group);
  bool carry_chain(const OpInfo& row);
  bool lane_operation(const OpInfo& row);
  bool plain_operation(const OpInfo& row, const Text& guarded);
  bool convert(const OpInfo& row);
  Text narrowing(const OpInfo& row, Type to, Type from);
  bool without_effect(const OpInfo& row);
  bool load_parameter(const OpInfo& row);

  // ---- memory: random_memory.cpp
  bool memory_operation(const OpInfo& row);
  Text input_of_size(int width);
  bool reads_unwritten_only(const OpInfo& row) const;
  Text for_caches(const OpInfo& row);
  Text pointer(const Text& buffer_name, int size, const Text& index, std::uint64_t more);
  bool store(const OpInfo& row, Type type);
  bool vector_access(const OpInfo& row);
  bool atomic(const OpInfo& row);
  bool exchange_in_block();
  Text shared_place(const Text& array, int size, const Text& index);
  bool exchange_in_warp(const Group& group);

  // ---- lanes together: random_exchanges.cpp
  bool shuffle_or_guarded(const OpInfo& row, const Group& group);
  bool shuffle(const OpInfo& row, const Group& group, const Text& guarded, const Text& in_range);
  Text offset(unsigned limit);
  Text tail(const OpInfo& row, const Group& group, unsigned width);
  Text width_text(unsigned width);
  void member_offset(const OpInfo& row, const Group& group);
  bool vote(const OpInfo& row, const Group& group);
  bool active_mask(const OpInfo& row);
  bool collective(const OpInfo& row, const Group& group);
  bool barrier(const OpInfo& row, const Group& group);
  bool counted_barrier(const OpInfo& row);
  bool arriving_warps(const OpInfo& row);
  bool mbarrier(const OpInfo& row, const Group& group);
  bool copies(const OpInfo& row);
  Text member_operand(const Group& group, const Text& separator) const {
    return group.mask.empty() ? "" : separator + group.mask;
  }

  Random random_;
  Limits limits_;
  RandomProgram program_;
  unsigned lanes_ = 32, threads_ = 32, total_ = 32;  // threads_ of a block, total_ of the grid
  bool complete_warps_ = true, linear_ = true;
  std::size_t fills_begin_ = 0, fills_end_ = 0;  // lines that fill the pools
  unsigned exits_ = 0;                           // instructions written so far that end lanes
  unsigned loops_around_ = 0;  // lanes do not exit in a loop: the next round would execute without them
  std::vector<RegClass> declared_;
  std::vector<Text> shared_sums_;  // atomics that have elements of `sums`
  std::vector<Type> shared_types_ = {Type::U32, Type::F64, Type::F16};
  unsigned next_name_ = 0, next_barrier_ = kFirstCountedBarrier;
};

}  // namespace warpsim::reference
