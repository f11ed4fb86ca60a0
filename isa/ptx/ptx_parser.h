// The parser behind read_module(): by recursive descent, a function a rule.
//
// Errors: the first of a statement is reported. From then on the lexer says that the text has ended, so that every rule
// comes back; guarded() then goes on behind the statement's semicolon. After Lexer::kMostErrors the text has ended.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/ptx/ptx_lexer.h"
#include "isa/ptx/ptx_syntax.h"

namespace warpsim::ptx {

class Parser {
 public:
  Parser(Module& module, Diagnostics& diagnostics)
      : module_(module), diagnostics_(diagnostics), lexer_(module.text, diagnostics, module.number) {}
  void run();

 private:
  static constexpr unsigned kMostNesting = 200;
  // ---- tokens (ptx_parser.cpp)
  const Token& peek() const { return lexer_.peek(); }
  Token take() { return lexer_.take(); }
  bool take_if(std::string_view punctuation);
  bool take_word_if(std::string_view word);
  void expect(std::string_view punctuation, std::string_view behind);
  void fail(const char* code, SourceRange where, std::string message, Hint hint = "");
  void fail_expected(std::string_view what, Hint hint = "");
  Hint missing_semicolon() const;  // where a statement ends with its line, or with the body
  Name name(std::string_view of);
  std::uint64_t integer(std::string_view of);
  std::uint64_t power_of_two(std::string_view of);
  // Runs a rule; behind a fault the text goes on with the next statement.
  template <class Rule>
  void guarded(bool in_module, Rule rule) {
    const unsigned depth = depth_;
    rule();
    if (!lexer_.is_halted()) return;
    depth_ = depth;
    if (diagnostics_.list.size() >= Lexer::kMostErrors) return;
    lexer_.go_on();
    skip_statement(in_module);
  }
  void skip_statement(bool in_module);
  void descend(SourceRange where);

  // ---- the module (ptx_parser.cpp)
  void top();
  void version();
  void target();
  void address_size();
  void file();
  void section();
  void section_item(Section& section);
  void read_strings(const Section& section);
  void alias();
  Linkage linkage();

  // ---- functions (ptx_parser_functions.cpp)
  void function(Linkage linkage, bool is_entry);
  std::vector<Declaration> parameters();
  Declaration parameter();
  Directive directive();
  void body(Function& into);
  void statement(std::vector<Statement>& into);
  Statement location();
  Statement pragma();
  Statement labelled(const Name& label);
  std::vector<Name> names();
  Instruction instruction();

  // ---- declarations (ptx_parser_objects.cpp)
  bool is_space(const Token& token) const;
  bool begins_another(const Token& next) const;
  std::vector<Declaration> declarations(Linkage linkage);
  Declaration declared(Linkage linkage);
  void declared_name(Declaration& one);
  bool skip_attributes();
  Expression initializer();

  // ---- operands and expressions (ptx_parser_operands.cpp)
  Operand operand();
  Operand part();
  Operand symbol();
  Operand bracketed(Operand::Kind kind, std::string_view open, std::string_view close);
  Expression expression() { return choice(); }
  Expression choice();
  Expression binary(int least);
  Expression unary();
  Expression primary();
  Expression call_of(Expression::Kind kind, const Token& token);

  Module& module_;
  Diagnostics& diagnostics_;
  Lexer lexer_;
  bool in_call_ = false;  // lists of operands stand in parentheses
  unsigned depth_ = 0;
};

}  // namespace warpsim::ptx
