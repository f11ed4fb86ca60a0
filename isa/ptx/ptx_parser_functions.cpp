// Functions and their statements (PTX ISA 9.0, 5.1 to 5.4, chapters 7 and 11).
#include <algorithm>

#include "isa/ptx/ptx_parser.h"

namespace warpsim::ptx {
namespace {

// What may stand between a function's head and its body. These take numbers; .pragma a text, the others nothing.
constexpr std::string_view kWithNumbers[] = {
    ".maxntid",           ".reqntid",        ".minnctapersm", ".maxnctapersm",         ".maxnreg",
    ".reqnctapercluster", ".maxclusterrank", ".abi_preserve", ".abi_preserve_control", ".local_maxnreg"};
constexpr std::string_view kAlone[] = {".noreturn", ".explicitcluster", ".blocksareclusters"};

template <std::size_t N>
bool is_one_of(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace

Declaration Parser::parameter() {
  if (!is_space(peek())) {
    fail_expected("a parameter: .param or .reg, a type and a name");
    return {};
  }
  Declaration one = declared(Linkage::None);
  declared_name(one);
  return one;
}

std::vector<Declaration> Parser::parameters() {
  std::vector<Declaration> all;
  expect("(", "");
  while (!peek().is(")")) {
    all.push_back(parameter());
    if (!take_if(",")) break;
  }
  expect(")", "the parameters");
  return all;
}

Directive Parser::directive() {
  Directive one;
  const Token word = take();
  one.name = {word.text, word.where};
  if (word.text == ".pragma") {
    if (!peek().is(Token::Kind::String)) fail_expected("a string behind .pragma");
    one.text = take().text;
    while (take_if(",")) take();
    take_if(";");
  } else if (word.text == ".attribute") {
    expect("(", ".attribute");
    skip_attributes();
  } else if (is_one_of(kWithNumbers, word.text)) {
    do one.values.push_back(integer(word.text));
    while (take_if(","));
  } else if (!is_one_of(kAlone, word.text)) {
    fail("P011", word.where, "`" + std::string(word.text) + "` is no directive of a function",
         "expected {, ; or one as .maxntid");
  }
  return one;
}

// What may follow a function in a module.
bool Parser::begins_another(const Token& next) const {
  constexpr std::string_view kWords[] = {".visible", ".extern", ".weak", ".common", ".func", ".entry", ".file", ".loc"};
  return is_space(next) || is_one_of(kWords, next.text);
}

void Parser::function(Linkage linkage, bool is_entry) {
  Function made;
  made.linkage = linkage;
  made.is_entry = is_entry;
  take();
  while (peek().is_word(".attribute")) made.directives.push_back(directive());
  if (!is_entry && peek().is("(")) made.results = parameters();
  made.name = name("the function's name");
  if (peek().is("(")) made.parameters = parameters();
  while (peek().is(Token::Kind::DotWord) && !begins_another(peek())) made.directives.push_back(directive());
  const bool is_declaration = take_if(";") || begins_another(peek());  // nvcc up to 2.2 left the semicolon out
  if (!is_declaration) {
    made.has_body = true;
    body(made);
    made.body.shrink_to_fit();
  }
  if (!lexer_.is_halted()) module_.functions.push_back(std::move(made));
}

// Braces open and close scopes; those of the body itself are not told.
void Parser::body(Function& into) {
  const SourceRange begin = peek().where;
  expect("{", "the function's head");
  std::size_t open = 0;
  for (;;) {
    if (peek().is(Token::Kind::End))
      return fail("P012", begin, "the body that begins here does not end", "close it with }");
    if (peek().is("{")) {
      ++open;
      into.body.emplace_back(Scope{true, take().where});
    } else if (peek().is("}")) {
      const SourceRange where = take().where;
      if (open == 0) return;
      --open;
      into.body.emplace_back(Scope{false, where});
    } else {
      guarded(false, [&] {
        const std::size_t before = into.body.size();
        statement(into.body);
        if (lexer_.is_halted()) into.body.resize(before);
      });
    }
  }
}

void Parser::statement(std::vector<Statement>& into) {
  const Token& next = peek();
  if (is_space(next)) {
    for (Declaration& one : declarations(Linkage::None))
      into.emplace_back(std::make_shared<const Declaration>(std::move(one)));
  } else if (next.is_word(".loc")) {
    into.push_back(location());
  } else if (next.is_word(".pragma")) {
    into.push_back(pragma());
  } else if (next.is("@") || next.is(Token::Kind::Word)) {
    Instruction one = instruction();
    if (one.guard || !one.operands.empty() || !peek().is(":")) {
      expect(";", "the instruction");
      into.emplace_back(std::move(one));
    } else {
      take();
      into.push_back(labelled({one.opcode, one.where}));
    }
  } else if (!take_if(";")) {
    fail_expected("an instruction, a label or a declaration");
  }
}

// With its operands, up to the semicolon; or the word before a colon.
Instruction Parser::instruction() {
  Instruction one;
  if (take_if("@")) {
    Guard guard;
    guard.negated = take_if("!");
    guard.predicate = name("a predicate behind `@`");
    one.guard = guard;
  }
  if (!peek().is(Token::Kind::Word)) fail_expected("an instruction");
  const Token word = take();
  one.opcode = word.text;
  one.where = word.where;
  if (peek().is(";") || peek().is(":")) return one;
  if (peek().is("}") || peek().is(Token::Kind::End))
    fail_expected("`;` or an operand behind `" + std::string(word.text) + "`", missing_semicolon());
  in_call_ = is_call(one);
  do one.operands.push_back(operand());
  while (take_if(","));
  one.operands.shrink_to_fit();
  return one;
}

std::vector<Name> Parser::names() {
  std::vector<Name> all;
  do all.push_back(name("a name"));
  while (take_if(","));
  expect(";", "the names");
  return all;
}

Statement Parser::labelled(const Name& label) {
  if (peek().is_word(".branchtargets") || peek().is_word(".calltargets")) {
    const bool of_calls = take().text == ".calltargets";
    return Targets{label, of_calls, names()};
  }
  if (!peek().is_word(".callprototype")) return Label{label};
  take();
  Prototype one;
  one.label = label;
  if (peek().is("(")) one.results = parameters();
  name("_ or a name");
  if (peek().is("(")) one.parameters = parameters();
  while (peek().is(Token::Kind::DotWord)) directive();
  expect(";", "the prototype");
  return one;
}

Statement Parser::pragma() {
  const SourceRange where = take().where;
  Pragma one{"", where};
  if (!peek().is(Token::Kind::String)) fail_expected("a string behind .pragma");
  one.text = take().text;
  while (take_if(",")) take();
  expect(";", "the pragma");
  return one;
}

// .loc 1 17 5[, function_name label[+offset], inlined_at 1 10 3]
Statement Parser::location() {
  Location one;
  const auto number = [this](std::string_view of) { return static_cast<std::uint32_t>(integer(of)); };
  one.where = take().where;
  one.file = number("the file of .loc");
  one.line = number("the line of .loc");
  one.column = number("the column of .loc");
  while (take_if(",")) {
    const Token what = take();
    if (what.is_word("function_name")) {
      one.function = name("the label of a function's name").text;
      if (take_if("+")) one.function_offset = integer("an offset");
    } else if (what.is_word("inlined_at")) {
      one.at_file = number("the file of inlined_at");
      one.at_line = number("the line of inlined_at");
      one.at_column = number("the column of inlined_at");
    } else {
      fail("P013", what.where, "`" + std::string(what.text) + "` is no part of .loc",
           "behind the column come function_name and inlined_at");
    }
  }
  return one;
}

}  // namespace warpsim::ptx
