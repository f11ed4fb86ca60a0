// Which vector registers hold which lines of a warp's register block while a piece of code is written.
//
// Shapes: a line is 64 bytes of the block, by its offset: the values of 16 lanes of a 32-bit register, or of 8 lanes
//         of a 64-bit one. zmm8 to zmm31 hold lines; zmm0 to zmm7 are the instruction's own. What is written stays in
//         its register, dirty, until it is stored.
// Units:  bytes into the block, which r12 points to.
// Errors: Xbyak's exceptions, where code would be larger than it can be.
#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstdint>
#include <set>
#include <utility>

namespace warpsim::engine {

inline constexpr std::uint32_t kLineBytes = 64;

class RowCache {
 public:
  static constexpr int kFirst = 8, kEnd = 32;
  static constexpr std::uint32_t kNone = 0xffffffffU;

  // What is known at one place of the code.
  struct State {
    std::array<std::uint32_t, kEnd> line;  // by register
    std::array<bool, kEnd> dirty{};
    State() { line.fill(kNone); }
    int find(std::uint32_t wanted) const;
    bool is_empty() const;
  };

  explicit RowCache(Xbyak::CodeGenerator& code) : code_(code) {}

  // The register that holds the line, for reading. The second one of an alike row is the first.
  Xbyak::Zmm read(std::uint32_t line);
  // A register to compute in, which nothing else uses until the next instruction.
  Xbyak::Zmm fresh();
  // From here on the register is the line's newest value.
  void define(std::uint32_t line, const Xbyak::Zmm& value);
  void begin_instruction();
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
    for (std::size_t r = kFirst; r < kEnd; ++r) {
      if (now_.line[r] == kNone || is_live(now_.line[r])) continue;
      now_.line[r] = kNone;
      now_.dirty[r] = false;
    }
  }

  const State& state() const { return now_; }
  void set(const State& state) { now_ = state; }
  // Stores what is dirty.
  void flush();
  void forget() { now_ = State(); }
  // At the end of a loop's body: makes the registers what they were at its head.
  void return_to(const State& head);

  void emit_stores(const State& state) const;
  void emit_loads(const State& state) const;

 private:
  int take();
  void drop(std::uint32_t line);
  void emit_store(int reg, std::uint32_t line) const;
  void emit_load(int reg, std::uint32_t line) const;

  Xbyak::CodeGenerator& code_;
  State now_;
  std::array<std::uint32_t, kEnd> used_{};  // when last
  std::array<bool, kEnd> pinned_{};
  std::uint32_t time_ = 0;
  std::set<std::uint32_t> alike_, uniform_;  // the second are of the first
};

}  // namespace warpsim::engine
