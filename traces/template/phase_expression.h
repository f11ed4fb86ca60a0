// Expressions inside templates: `%gtid@from`, `lane < from`, `input[%gtid + 1]`, `all(%x == %x@0)`.
//
// Shapes: an Expression is a small tree, parsed once. Evaluated, it gives one lane's TemplateValue. Integers compute
//         in 64 bits, floats as the simulator does in their type (traces/template/phase_arithmetic.h).
// Units:  lanes; elements of buffers.
// Errors: a fault is kept as one sentence; evaluating a faulty or empty expression gives Missing. fault() finds what
//         can have no value in any run, for callers that know the names' types.
// Source: traces/FORMAT.md, "Phases and drawings".
//
//   expr    := expr OP expr     || && | == != | < <= > >= | "|" | ^ | & | << >> | + - | * / %: as C binds them, but
//   that
//                               bits come before comparisons: %m & 1 == 1 asks for a bit
//            | "!" expr | "-" expr | "~" expr | "(" expr ")"
//            | expr "@" primary | expr "#" NUMBER | "%name" "[" expr "]"       on another lane
//   primary := NUMBER (7, 0xff, 0b101, 0.5, 1e-3) | "%name" | "old %name"   a register now, and before the phase
//            | %laneid %gtid %tid.x …                                        the special registers
//            | lane first last | from asked in_range [ "(" "%name" ")" ]     of the lane's last shuffle, or of the one
//                                                                            into %name
//            | buffer index value                                            of the lane's last access to memory
//            | phase step block warp WARP_SZ W | NAME                        a scalar parameter
//            | NAME "[" expr "]"                                             an element of a buffer
//            | all(expr) any(expr) count(expr) sum(expr) min(expr) max(expr) over the lanes
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cases/case.h"
#include "isa/program/operand.h"
#include "isa/table/type.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

struct TemplateValue {
  enum class Kind : std::uint8_t { Missing, Undefined, Bits, Text };
  enum class Lack : std::uint8_t { None, DividedByZero, NegativeShift, NoLane, NoElement };
  Kind kind = Kind::Missing;
  Type type = Type::None;
  std::uint64_t bits = 0;
  std::string text;
  bool is_literal = false;  // with a decimal point, in hexadecimal or binary: it takes the type of the other operand
  Lack lack = Lack::None;   // why it is Missing, where that is known

  static TemplateValue of(Type type, std::uint64_t bits) { return {Kind::Bits, type, bits, {}, false, Lack::None}; }
  static TemplateValue integer(std::int64_t n) { return of(Type::S64, static_cast<std::uint64_t>(n)); }
  static TemplateValue truth(bool b) { return of(Type::Pred, b ? 1U : 0U); }
  static TemplateValue undefined() { return {Kind::Undefined, Type::None, 0, {}, false, Lack::None}; }
  static TemplateValue words(std::string text) {
    return {Kind::Text, Type::None, 0, std::move(text), false, Lack::None};
  }
  static TemplateValue lacking(Lack why) { return {Kind::Missing, Type::None, 0, {}, false, why}; }
  bool is_true() const;  // defined, and not zero
};

// Where a lane's value of a shuffle came from.
struct TemplateSource {
  unsigned from = 0;
  bool in_range = false;
  bool undefined = false;  // in range, but that lane did not participate
  std::int64_t asked = 0;  // the lane that it addressed, also where there is none
};

struct TemplateAccess {
  std::string_view buffer;
  std::int64_t index = 0;
  TemplateValue value;
  bool is_store = false;
};

// What a template may ask: one warp at one moment.
class TemplateView {
 public:
  virtual ~TemplateView() = default;
  virtual unsigned warp_size() const = 0;
  virtual Dim3 grid() const = 0;
  virtual Dim3 block() const = 0;
  virtual std::uint32_t block_index() const = 0;  // linear
  virtual std::uint32_t warp_index() const = 0;   // in the block
  virtual std::uint32_t phase_number() const { return 0; }
  virtual std::uint32_t phase_step() const { return 0; }
  virtual LaneMask lanes() const = 0;  // that the phase began with
  virtual TemplateValue reg(std::string_view name, unsigned lane, bool old) const = 0;
  virtual TemplateValue param(std::string_view name) const = 0;  // a scalar
  virtual TemplateValue element(std::string_view buffer, std::int64_t index) const = 0;
  // `reg` is the register that the shuffle wrote, "" for the lane's last one.
  virtual std::optional<TemplateSource> source(std::string_view, unsigned) const { return std::nullopt; }
  virtual std::vector<TemplateAccess> accesses(unsigned) const { return {}; }
};

// Where in the view an expression is evaluated: one lane among the lanes that a line is for.
struct TemplateScope {
  const TemplateView& view;
  unsigned lane = 0;
  LaneMask lanes = 0;
  const TemplateAccess* access = nullptr;  // inside {loads …}
};

// What a name means, as far as a trace's head says.
struct TemplateName {
  Type type = Type::None;
  std::optional<std::uint64_t> elements;  // of an array
};

// Why an expression can have no value, whatever the run.
struct ExpressionFault {
  enum class Kind : std::uint8_t { None, Float, Pair, NotInteger, OfDiagrams, Array, NoArray, NoElement, NoLane, Zero };
  Kind kind = Kind::None;
  std::string what;          // the operator, the word or the name
  Type type = Type::None;    // Float, Pair, NotInteger: that it does not work on
  std::uint64_t number = 0;  // NoElement, NoLane: how many there are
};

class Expression {
 public:
  Expression() = default;
  explicit Expression(std::string_view text);

  bool empty() const { return nodes_.empty(); }
  const std::string& error() const { return error_; }
  TemplateValue evaluate(const TemplateScope& scope) const;
  bool holds(const TemplateScope& scope) const { return evaluate(scope).is_true(); }
  // The lanes of `scope.lanes` where it holds; all of them if it is empty.
  LaneMask lanes_where(const TemplateScope& scope) const;
  Expression negated() const;
  // The registers ("%x"), scalar parameters and buffers that it asks for.
  std::vector<std::string_view> names() const;
  // Asked outside a diagram, where there is no phase. `about` answers for each of names().
  ExpressionFault fault(unsigned lanes, const std::function<TemplateName(std::string_view)>& about) const;
  // Of its value, as far as a head says; None where that is open.
  Type type(const std::function<TemplateName(std::string_view)>& about) const;
  // Whether lanes can have different values, and whether it asks for all lanes together, as sum(%x) does.
  bool differs_by_lane() const { return root_ >= 0 && differs_by_lane(root_); }
  bool is_over_lanes() const;

 private:
  friend class ExpressionChecker;
  friend class ExpressionParser;
  enum class Kind : std::uint8_t {
    Value,
    Reg,
    OldReg,
    Special,
    Word,
    Param,
    Element,
    Unary,
    Binary,
    At,
    All,
    Any,
    Count,
    Sum,
    Min,
    Max
  };
  enum class Word : std::uint8_t {
    Lane,
    First,
    Last,
    From,
    Asked,
    InRange,
    Buffer,
    Index,
    Value,
    Phase,
    Step,
    Block,
    Warp,
    WarpSize
  };
  struct Node {
    Kind kind = Kind::Value;
    Word word = Word::Lane;
    char op = 0;       // '+', '-', '=' (==), 'n' (!=), 'l' (<=), 'g' (>=), 'a' (&&), 'o' (||), 'L' (<<), 'R' (>>) …
    std::string name;  // a register, parameter or buffer
    warpsim::Special special = warpsim::Special::LaneId;
    TemplateValue value;
    int a = -1, b = -1;
  };
  TemplateValue evaluate(int node, const TemplateScope& scope) const;
  TemplateValue word(const Node& node, const TemplateScope& scope) const;
  TemplateValue over_lanes(const Node& node, const TemplateScope& scope) const;
  TemplateValue folded(const Node& node, const TemplateScope& scope) const;
  bool differs_by_lane(int node) const;

  std::vector<Node> nodes_;
  int root_ = -1;
  std::string error_;
};

}  // namespace warpsim
