// A PTX module as it is written: declarations, functions, statements, in their order. What they mean comes later.
//
// Shapes: a tree of views into the text, which the module keeps. Names are not resolved yet and types not checked: a
//         body is a list of statements, in which braces open and close scopes.
// Units:  bytes.
// Errors: none here; read_ptx() reports them.
// Source: PTX ISA 9.0, chapters 4, 5, 7 and 11 (directives), and 9.7.12 (call).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "isa/text/source.h"

namespace warpsim::ptx {

struct Name {
  std::string_view text;
  SourceRange where;
  bool empty() const { return text.empty(); }
};

// A vector that is mostly empty, in the room of a pointer.
template <class T>
class MostlyEmpty {
 public:
  MostlyEmpty() = default;
  MostlyEmpty(const MostlyEmpty& other)
      : all_(other.all_ == nullptr ? nullptr : std::make_unique<std::vector<T>>(*other.all_)) {}
  MostlyEmpty(MostlyEmpty&&) noexcept = default;
  MostlyEmpty& operator=(MostlyEmpty other) noexcept {
    all_ = std::move(other.all_);
    return *this;
  }
  ~MostlyEmpty() = default;

  bool empty() const { return all_ == nullptr || all_->empty(); }
  std::size_t size() const { return all_ == nullptr ? 0 : all_->size(); }
  const T* begin() const { return all_ == nullptr ? nullptr : all_->data(); }
  const T* end() const { return begin() + size(); }
  const T& operator[](std::size_t k) const { return (*all_)[k]; }
  T& operator[](std::size_t k) { return (*all_)[k]; }
  const T& front() const { return all_->front(); }
  T& front() { return all_->front(); }
  T& back() { return all_->back(); }
  void push_back(T one) {
    if (all_ == nullptr) all_ = std::make_unique<std::vector<T>>();
    all_->push_back(std::move(one));
  }

 private:
  std::unique_ptr<std::vector<T>> all_;
};

// A constant expression, or what stands in an initialiser: an address, one byte of it, a list.
struct Expression {
  enum class Kind : std::uint8_t {
    Integer,  // bits
    F32,
    F64,      // bits
    Symbol,   // name; with of[0]: of its element
    Unary,    // text is the operator: of[0]
    Binary,   // of[0], of[1]
    Choice,   // of[0] ? of[1] : of[2]
    Cast,     // text is the type: ".s64" of[0]
    Generic,  // generic(of[0])
    Bytes,    // 0xff00(of[0]): those bytes of an address, moved to the right; `bits` is the mask
    List,     // { of … }
    String,   // text, without the quotes
  };
  Kind kind = Kind::Integer;
  bool is_unsigned = false;  // of an integer: 5U, or too large for .s64
  std::uint64_t bits = 0;
  std::string_view text;
  MostlyEmpty<Expression> of;
  SourceRange where;
};

struct Operand {
  enum class Kind : std::uint8_t {
    Absent,    // _
    Symbol,    // %r1, buffer, WARP_SZ; with of[0]: a symbol and a constant behind it
    Constant,  // of[0]
    Address,   // [ … ]: parts
    Vector,    // { … }: parts
    List,      // ( … ) of a call: parts
    Pair,      // r|p: parts
    String,    // of .pragma and its kin
  };
  Kind kind = Kind::Absent;
  bool negated = false;      // !%p
  std::string_view name;     // Symbol
  std::string_view element;  // Symbol: ".x"; "": all of it
  MostlyEmpty<Expression> of;
  MostlyEmpty<Operand> parts;
  SourceRange where;
};

struct Guard {
  Name predicate;
  bool negated = false;
};

struct Instruction {
  std::optional<Guard> guard;
  std::string_view opcode;  // as written: "ld.global.nc.f32"
  std::vector<Operand> operands;
  SourceRange where;
};

inline bool is_call(const Instruction& one) { return one.opcode == "call" || one.opcode.starts_with("call."); }

enum class Linkage : std::uint8_t { None, Extern, Visible, Weak, Common };

// A variable, a parameter or a row of registers.
struct Declaration {
  Linkage linkage = Linkage::None;
  std::string_view space;  // ".global"; of the old ".const[3]" the bank stands in `bank`
  std::uint64_t bank = 0;
  bool is_managed = false;
  std::uint64_t alignment = 0;  // 0: as the type wants it
  unsigned vector = 1;          // .v2, .v4
  std::string_view type;        // ".u32"
  Name name;
  std::uint64_t count = 0;          // of registers %r<count>; 0: one name
  std::vector<Expression> lengths;  // by dimension; Kind::List without members: left open
  std::optional<Expression> initializer;
  bool is_pointer = false;         // of a parameter: .ptr
  std::string_view pointer_space;  // … ".global"; "": generic
  std::uint64_t pointer_alignment = 0;
};

struct Label {
  Name name;
};
struct Scope {
  bool opens = false;
  SourceRange where;
};
// .loc: what follows comes from there.
struct Location {
  std::uint32_t file = 0, line = 0, column = 0;
  std::string_view function;  // label of the inlined function's name; "": nothing is inlined
  std::uint64_t function_offset = 0;
  std::uint32_t at_file = 0, at_line = 0, at_column = 0;  // … and where
  SourceRange where;
};
// label: .branchtargets a, b; or .calltargets
struct Targets {
  Name label;
  bool of_calls = false;
  std::vector<Name> names;
};

struct Function;
// label: .callprototype (results) _ (parameters);
struct Prototype {
  Name label;
  std::vector<Declaration> results, parameters;
};
struct Pragma {
  std::string_view text;
  SourceRange where;
};

// A declaration is much larger than the others, and rare: it lies elsewhere.
using Statement =
    std::variant<Instruction, std::shared_ptr<const Declaration>, Label, Scope, Location, Targets, Prototype, Pragma>;
// Null: the statement is another.
inline const Declaration* declaration_in(const Statement& statement) {
  const auto* const declared = std::get_if<std::shared_ptr<const Declaration>>(&statement);
  return declared == nullptr ? nullptr : declared->get();
}

// .maxntid 256, 1, 1 and its kin.
struct Directive {
  Name name;
  std::vector<std::uint64_t> values;
  std::string_view text;  // of .pragma
};

struct Function {
  Linkage linkage = Linkage::None;
  bool is_entry = false;
  Name name;
  std::vector<Declaration> results, parameters;
  std::vector<Directive> directives;
  bool has_body = false;  // else it is declared only
  std::vector<Statement> body;
};

struct Alias {
  Name name, of;
};

// Debug information: bytes, among which words stand for places that are known only when all is linked.
struct Section {
  std::vector<std::uint8_t> bytes;                         // such a word is 0
  std::map<std::size_t, std::string_view> references;      // by offset: the label or the section that is meant
  std::map<std::string, std::size_t, std::less<>> labels;  // offsets
};

struct Module {
  SharedText text;
  std::uint32_t number = 0;        // of the text, among those that are linked: all places have it
  std::vector<SharedText> linked;  // what else names are views of
  std::uint32_t version_major = 0, version_minor = 0;
  std::vector<Name> targets;  // sm_90, texmode_independent …
  unsigned address_size = 32;
  std::vector<Declaration> objects;
  std::vector<Function> functions;  // in text order
  std::vector<Alias> aliases;
  std::map<std::uint32_t, std::string> files;               // .file 1 "saxpy.cu"
  std::map<std::string, Section, std::less<>> sections;     // those of debug information, by name: ".debug_info"
  std::map<std::string, std::string, std::less<>> strings;  // labels of .section .debug_str, by what stands there
};

}  // namespace warpsim::ptx
