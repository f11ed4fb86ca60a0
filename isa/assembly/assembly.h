// The assembler at work: one text being turned into a module and its lessons.
//
// Shapes: one class over six files. assembler.cpp has the statements and the labels, assembly_directives.cpp what
//         begins with a dot, assembly_cases.cpp the cases and what must state a reason, assembly_operands.cpp the
//         operands as written, assembly_binding.cpp what they mean to an instruction, assembly_addresses.cpp what
//         memory operands mean to it. An operand is first read without looking at the opcode (WrittenOperand), then
//         bound to its slot.
// Units:  see module.h.
// Errors: Diagnostics. A statement with an error adds no instruction; the next statement is read as if nothing had
//         been.
// Source: PTX ISA 9.0, chapters 4 and 5.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/assembly/lexer.h"
#include "isa/assembly/opcode.h"
#include "isa/program/lesson.h"

namespace warpsim {

// An operand as written.
struct WrittenOperand {
  enum class Kind : std::uint8_t { Register, Special, Constant, Float, Bits, Name, Element, Address, Vector };
  Kind kind = Kind::Constant;
  bool negated = false;            // !%p
  std::string name;                // Register; Name; Element's array; Address's base, "" if it is a register or none
  std::string index;               // Element, Address: the register, "" if there is none
  std::optional<Special> special;  // Special; Element's index
  std::uint64_t bits = 0;          // Float: of an f64; Bits: exact
  Type bits_type = Type::None;     // Bits: F32 or F64
  ConstExpr expr;                  // Constant; the constant part of an index or address
  std::string keyword;             // "width" or "mask", for width=8
  std::string second;              // %d|%p: the second register, "" if there is none
  std::vector<WrittenOperand> elements;  // Vector
  SourceRange where, index_where, second_where;
};

class Assembly {
 public:
  Assembly(std::string_view text, std::string file, std::string group);
  Assembled run();

 private:
  struct KnownRegister {
    std::int32_t index = -1;  // in lesson_.registers; -1: declared, not yet used
    RegClass cls = RegClass::None;
    Type declared = Type::None;  // what `.reg` says, if it says more than a size
    SourceRange where;
    bool reported = false;  // one message a register is enough
  };
  struct LabelUse {
    std::size_t pc;
    std::string name;
    SourceRange where;
  };
  // A statement in the making.
  struct Statement {
    Opcode opcode;
    Insn insn;
    std::string text;  // the opcode in full, for messages
    SourceRange opcode_where;
    bool ok = true;
  };

  // ---- assembler.cpp
  void statement();
  void label(const Token& name);
  void instruction_from(const Token& first);
  bool guard(Insn& insn);
  void begin_kernel(std::string name, SourceRange where);
  void end_kernel();
  void resolve_labels();
  void check_whole();
  std::vector<Lesson> finished();
  bool too_many() const;
  bool fail(std::string code, SourceRange where, std::string message, Hint hint = "");
  bool expect(std::string_view punctuation, std::string_view after, Hint hint = "");
  Hint missing(const char* punctuation) const;  // behind what was read last
  void end_of_statement(std::string_view after);
  // The register's index; its class is `cls` if nothing has said otherwise. -1 and a message if it is another one.
  std::int32_t use_register(const std::string& name, SourceRange where, RegClass cls, const std::string& user,
                            bool writes, bool any_mask = false);

  // ---- assembly_directives.cpp
  void directive();
  Lesson& opening();  // the kernel that a directive which opens one is about
  void text_directive(std::string& field, std::string_view what);
  void title_directive();
  void document_directive();
  void section_directive();
  void puzzle_directive();
  void group_directive();
  void twin_directive();
  void kernel_directive();
  bool kernel_parameter();
  void skip_parameters();
  void reg_directive();
  bool declare_register(const std::string& name, Type type, SourceRange where);
  void shared_directive();
  bool object_alignment(Object& object);
  void phase_directive();
  void draw_directive();
  void assert_directive();
  void picture_directive();
  bool drawing_text(std::string& text, std::string& options, std::string_view what);
  std::optional<std::string> new_name(std::string_view what);
  std::optional<Type> storage_type(std::string_view what);
  void check_lengths();

  // ---- assembly_cases.cpp
  void exempt_directive();
  void unordered_directive();
  void allow_directive();
  std::string reason_in_quotes(const std::string& after, const std::string& example);
  bool exempt_lanes(Exemption& exemption);
  void case_directive();
  bool case_field(Case& c);
  bool check_case_key(const Case& c, const std::string& key, SourceRange where);
  void check_rule(const std::string& rule, SourceRange where);
  void check_findings(const std::string& rule, SourceRange where);
  void fail_rule(const CaseError& error, const std::string& rule, SourceRange where);

  // ---- assembly_operands.cpp
  Hint comma_before(const Token& token) const;     // if it begins an operand
  Hint bracket_before(const Token& token) const;   // if the operand's text has ended
  static Hint percent_before(const Token& token);  // of a word where a register belongs
  std::optional<WrittenOperand> written_operand(bool is_named = false);
  bool written_vector(WrittenOperand& o);
  bool written_register(WrittenOperand& o, const Token& token);
  bool written_word(WrittenOperand& o, const Token& token, bool is_named);
  bool written_element(WrittenOperand& o);
  bool written_address(WrittenOperand& o);
  bool index_rest(WrittenOperand& o);
  bool written_number(WrittenOperand& o);
  std::optional<ConstExpr> constant();
  bool constant_term(ConstExpr& e, int least_precedence, int depth);
  bool constant_atom(ConstExpr& e, int depth);
  bool constant_tail(ConstExpr& e, int least_precedence, int depth);

  // ---- assembly_binding.cpp
  bool drop_cache_policy(Statement& s, std::vector<WrittenOperand>& written);
  bool check_combined(Statement& s);
  bool bind_operands(Statement& s, std::vector<WrittenOperand>& written);
  bool choose_braces(Statement& s, std::vector<WrittenOperand>& written);
  bool bind_keyword(Statement& s, const WrittenOperand& w);
  bool bind_slot(Statement& s, std::size_t slot, const WrittenOperand& w);
  bool bind_destination(Statement& s, std::size_t slot, const WrittenOperand& w);
  bool bind_source(Statement& s, std::size_t slot, const WrittenOperand& w);
  bool bind_constant(Statement& s, const Slot& slot, Type type, const WrittenOperand& w, Operand& o);
  bool bind_byte(Statement& s, const Slot& slot, const WrittenOperand& w, Operand& o);
  bool bind_float(Statement& s, Type type, const WrittenOperand& w, Operand& o);
  bool bind_special(Statement& s, Type type, const WrittenOperand& w, Operand& o);
  bool bind_name(Statement& s, Type type, const WrittenOperand& w, Operand& o);
  bool bind_label(Statement& s, std::size_t slot, const WrittenOperand& w);
  bool wrong_count(const Statement& s, const std::vector<WrittenOperand>& written);
  static Hint in_place(const Statement& s, const std::vector<WrittenOperand>& written);
  void may_be_label(const Token& word);
  Type slot_type(const Statement& s, const Slot& slot) const;

  // ---- assembly_addresses.cpp
  bool choose_space(Statement& s, const std::vector<WrittenOperand>& written);
  bool bind_address(Statement& s, std::size_t slot, const WrittenOperand& w);
  bool bind_element(Statement& s, AddressSpace wanted, const WrittenOperand& w, Operand& o);
  bool bind_index(bool is_shared, std::int32_t array, const WrittenOperand& w, Operand& o);
  bool bind_plain_address(Statement& s, AddressSpace space, const WrittenOperand& w, Operand& o);
  bool bind_parameter(Statement& s, const WrittenOperand& w, Operand& o);
  static Hint other_opcode(const Statement& s, const std::string& opcode);
  bool undefined_name(const WrittenOperand& w);

  // What the text of one kernel may name, and what is still to be checked when it ends.
  struct Names {
    std::map<std::string, KnownRegister, std::less<>> registers;
    std::map<std::string, std::int32_t, std::less<>> params, objects;
    std::map<std::string, SourceRange, std::less<>> labels;
    std::vector<LabelUse> label_uses;
    std::vector<SourceRange> length_where, default_where;  // of each parameter
    bool complete = true;  // false after a faulty declaration: a name that is not there may be the one it declared
  };

  Diagnostics diagnostics_;
  Lexer lexer_;
  Module module_;
  std::vector<Lesson> lessons_;  // the kernels that have ended
  Lesson lesson_;                // the kernel being read
  Names names_;
  Lesson next_;             // what directives behind its instructions say of the next kernel …
  SourceRange next_where_;  // … and where the first of them is
  std::string group_;
  Phase* drawing_ = nullptr;     // the phase or picture that .draw lines belong to
  SourceRange directive_where_;  // the directive being read
  bool has_kernel_ = false;
  bool complained_about_kernel_ = false;
};

}  // namespace warpsim
