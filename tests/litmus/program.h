// A litmus program: a few threads, a few locations, and a question about where they can end.
//
// Shapes: a location is one word; an array is several in a row, and an access names its first one and an index. A
//         thread's registers are numbered; an operand is a register or a constant. A jump goes to an instruction of its
//         own thread; the number behind the last one ends the thread.
// Units:  none. Values are 64 bits; an instruction of 32 bits keeps the low half, zero-extended.
// Errors: none; who makes a program refuses what it cannot say.
// Source: PTX ISA 9.0, chapter 8, "Memory Consistency Model".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsim::litmus {

enum class Scope : std::uint8_t { Cta, Cluster, Gpu, Sys };
// Of an access: Weak to AcqRel; of a fence: AcqRel and Sc. `volatile` is Relaxed at Sys (PTX ISA, section 8.4).
enum class Order : std::uint8_t { Weak, Relaxed, Acquire, Release, AcqRel, Sc };

enum class Math : std::uint8_t {
  Move,  // a
  Add,
  Sub,
  Mul,
  Div,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  Min,
  Max,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  MulAdd,       // a * b + c
  Select,       // c ? a : b
  Exchange,     // of an atomic: a
  CompareSwap,  // of an atomic: the old value is a ? b : the old value
};

struct Operand {
  std::int32_t reg = -1;  // -1: the constant
  std::int64_t constant = 0;
};

struct Instruction {
  enum class Kind : std::uint8_t {
    Set,      // target = math(a, b, c)
    Load,     // target = location[index]
    Store,    // location[index] = a
    Atomic,   // target = location[index]; location[index] = math(target, a, b)
    Fence,    // order, scope
    Barrier,  // a: which one
    Jump,     // to jump, if math(a, b) is not 0
  };
  Kind kind = Kind::Set;
  Math math = Math::Move;
  std::int32_t target = -1;  // a register; -1: none
  Operand a, b, c;
  std::int32_t guard = -1;  // a register that must not be 0, or must be if negated; -1: none
  bool guard_negated = false;
  std::int32_t location = -1, extent = 1;  // the first one, and how many
  Operand index;
  Order order = Order::Weak;
  Scope scope = Scope::Sys;
  std::int32_t jump = 0;
  unsigned bits = 64;
  bool is_signed = true;
  // Barriers. Those of one instance meet; -1: a thread's n-th arrival meets the others' n-th ones.
  std::int32_t instance = -1;
  bool waits = true;         // false: bar.arrive
  bool within_warp = false;  // of the lanes of `members`
  std::uint64_t members = 0;
  std::int32_t origin = 0;  // what reports call it: a row or a pc
};

struct Thread {
  std::string name;
  std::int32_t cta = 0, cluster = 0, gpu = 0;
  std::int32_t warp = 0, lane = 0;  // of the block and of the warp
  std::vector<std::string> registers;
  std::vector<std::int64_t> initial;  // of the registers
  std::vector<Instruction> code;
};

struct Location {
  std::string name;
  std::int64_t initial = 0;
};

// How one execution ends.
struct Outcome {
  std::vector<std::int64_t> memory;                  // by location
  std::vector<std::vector<std::int64_t>> registers;  // by thread
  auto operator<=>(const Outcome&) const = default;
};

struct Term {
  enum class Kind : std::uint8_t { Constant, Register, Location };
  Kind kind = Kind::Constant;
  std::int32_t thread = 0, reg = 0, location = 0;
  std::int64_t constant = 0;
};

struct Condition {
  enum class Kind : std::uint8_t { Compare, And, Or, Not };
  Kind kind = Kind::Compare;
  Math compare = Math::Equal;
  Term left, right;
  std::vector<Condition> parts;
};

enum class Quantifier : std::uint8_t { Exists, NotExists, Forall };

struct Program {
  std::string name;
  std::vector<Location> locations;
  std::vector<Thread> threads;
  Quantifier quantifier = Quantifier::Exists;
  Condition condition;
};

bool holds(const Condition& condition, const Outcome& outcome);
std::int64_t evaluate(Math math, std::int64_t a, std::int64_t b, std::int64_t c, unsigned bits, bool is_signed);

}  // namespace warpsim::litmus
