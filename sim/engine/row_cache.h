// Which vector registers hold which lines of a warp's register block while a piece of code is written.
//
// Shapes: of a linear row (linear_rows.h) the first lane alone may be what it should be, in memory: it is stale, and no
//         line of it is dirty.
//         A line is 64 bytes of the block, by its offset: the values of 16 lanes of a 32-bit register, or of 8 lanes
//         of a 64-bit one. zmm8 to zmm31 hold lines; zmm0 to zmm7 are the instruction's own. What is written stays in
//         its register, dirty, until it is stored.
// Units:  bytes into the block, which r12 points to.
// Errors: Xbyak's exceptions, where code would be larger than it can be.
#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/code/decode.h"
#include "sim/engine/frame.h"
#include "sim/engine/linear_rows.h"

namespace warpsim::engine {

inline constexpr std::uint32_t kLineBytes = 64;

// Which of four an instruction is to take for each of four: those whose numbers differ by this xor.
inline std::uint8_t order_of_xor(unsigned by) {
  return static_cast<std::uint8_t>((0 ^ by) | (1 ^ by) << 2 | (2 ^ by) << 4 | (3 ^ by) << 6);
}

class RowCache {
 public:
  static constexpr int kFirst = 8, kEnd = 32;
  static constexpr std::uint32_t kNone = 0xffffffffU;
  // Wherever the code may be left it stores what is stale, and what is known is kept until that is written: with more
  // than these, both would grow with the square of a program's length.
  static constexpr std::size_t kMostStale = 16, kMostLinear = 64;

  // What is known at one place of the code.
  struct State {
    std::array<std::uint32_t, kEnd> line;  // by register
    std::array<bool, kEnd> dirty{};
    LinearRows linear;
    std::set<std::uint32_t> stale;  // of these
    State() { line.fill(kNone); }
    explicit State(const KnownRows& known) : linear(known.linear), stale(known.stale) { line.fill(kNone); }
    bool knows(const KnownRows& wanted) const;
    LinearRows::const_iterator row_of(std::uint32_t wanted) const;  // the linear row that the line is of
    int find(std::uint32_t wanted) const;
    bool is_empty() const;
  };

  RowCache(Xbyak::CodeGenerator& code, Isa isa) : code_(code), isa_(isa) {}

  // The register that holds the line, for reading. The second one of an alike row is the first.
  Xbyak::Zmm read(std::uint32_t line);
  // A register to compute in, which nothing else uses until the next instruction.
  Xbyak::Zmm fresh();
  // From here on the register is the line's newest value, and its row is no longer linear.
  void define(std::uint32_t line, const Xbyak::Zmm& value);
  void begin_instruction();
  // Before that many rows are defined: none may be settled between them, while the first ones' lanes are not in memory.
  void make_room(std::size_t rows);
  // From here on the row is that, of its first lane in memory.
  void define_linear(std::uint32_t row, Linear how);
  void forget_linear(std::uint32_t row);
  // Stores all lanes of a stale row, which is still linear.
  void settle(std::uint32_t row);
  // Nothing but these is linear any more, or stale.
  void settle_all_but(const KnownRows& these);
  // What the lanes have beyond the first one's, from so many bytes of the row on; they are placed behind the code.
  Xbyak::Address steps_of(Linear how, std::uint32_t behind);
  void emit_steps();
  // Rows of two lines that hold the same: the first alone is kept. Where all lanes do, it is their first one's, in
  // memory.
  void set_alike(std::set<std::uint32_t> rows) { alike_ = std::move(rows); }
  const std::set<std::uint32_t>& alike() const { return alike_; }
  void set_uniform(std::set<std::uint32_t> rows) { uniform_ = std::move(rows); }
  const std::set<std::uint32_t>& uniform() const { return uniform_; }
  void make_alike(std::uint32_t row);
  void make_uniform(std::uint32_t row);
  void separate(std::uint32_t row);  // before it gets two lines again
  void end_uniform(std::uint32_t row) { uniform_.erase(row); }
  // Lines that nobody reads any more are not stored.
  template <class F>
  void keep(F&& is_live) {
    std::erase_if(now_.linear, [&](const auto& one) {
      bool is_kept = false;
      for (std::uint32_t n = 0; n < bytes_of(one.second); n += kLineBytes) is_kept = is_kept || is_live(one.first + n);
      if (!is_kept) now_.stale.erase(one.first);
      return !is_kept;
    });
    for (std::size_t r = kFirst; r < kEnd; ++r) {
      if (now_.line[r] == kNone || is_live(now_.line[r])) continue;
      now_.line[r] = kNone;
      now_.dirty[r] = false;
    }
  }

  const State& state() const { return now_; }
  void set(const State& state) { now_ = state; }
  // Stores what is dirty, and what is stale.
  void flush();
  void forget() { now_ = State(); }
  void forget_lines();  // behind flush()
  // At the end of a loop's body: makes the registers what they were at its head.
  void return_to(const State& head);

  void emit_stores(const State& state) { emit_stores(state, {}); }
  // … but for these, which may stay stale.
  void emit_stores(const State& state, const std::set<std::uint32_t>& but);
  void emit_loads(const State& state);

  static std::uint32_t bytes_of(const Linear& how) { return how.wide ? 256 : 128; }

 private:
  int take();
  void drop(std::uint32_t line);
  void emit_store(int reg, std::uint32_t line) const;
  void emit_load(int reg, std::uint32_t line, const State& state);
  void emit_lanes(std::uint32_t row, Linear how);

  Xbyak::CodeGenerator& code_;
  Isa isa_;
  std::map<Linear, Xbyak::Label> steps_;
  State now_;
  std::array<std::uint32_t, kEnd> used_{};  // when last
  std::array<bool, kEnd> pinned_{};
  std::uint32_t time_ = 0;
  std::set<std::uint32_t> alike_, uniform_;  // the second are of the first
};

// The masks of lines in k4 to k7: of each line of 64 bits one; a line of 32 bits has those of two, k4 or k6.
enum class Masks : std::uint8_t { None, Narrow, Wide };

// A register that begins as a copy of a line.
struct Kept {
  Xbyak::Zmm copy;
  std::uint32_t line;
};

// Instructions that are computed only if somebody asks for their results (linear_rows.h, IndexedAccess).
using Deferred = std::vector<const DecodedInsn*>;

// A load or a store that code makes by itself: the lines of its addresses, or of what they are products of, and of its
// values, and how rows lie in registers before it.
struct Access {
  const DecodedInsn& d;
  bool masked;
  std::vector<Xbyak::Zmm> index, values;
  std::vector<Kept> kept;
  RowCache::State before;
  Deferred deferred = {};
  bool is_indexed = false;  // its address is what was deferred
};

// A body that some lanes of a group execute while the others wait at its end. `branch` -1: none, and no other group
// that is ready waits before `end`.
struct Body {
  std::int32_t branch = -1, end = 0;
};
struct Outside {  // code behind all others
  Xbyak::Label begin;
  std::function<void()> emit;
  Body body;
};

}  // namespace warpsim::engine
