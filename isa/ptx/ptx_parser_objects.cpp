// Declarations: registers, memory, parameters, with what they hold at the start (PTX ISA 9.0, chapter 5).
#include <algorithm>
#include <array>

#include "isa/ptx/ptx_parser.h"

namespace warpsim::ptx {
namespace {

constexpr std::array<std::string_view, 8> kSpaces = {".reg",   ".sreg",  ".const",  ".global",
                                                     ".local", ".param", ".shared", ".tex"};

bool is_type(std::string_view word) {
  static constexpr std::string_view kTypes[] = {".b8",     ".b16",  ".b32",    ".b64",     ".b128",      ".s8",
                                                ".s16",    ".s32",  ".s64",    ".u8",      ".u16",       ".u32",
                                                ".u64",    ".f16",  ".f32",    ".f64",     ".f16x2",     ".bf16",
                                                ".bf16x2", ".pred", ".texref", ".surfref", ".samplerref"};
  return std::find(std::begin(kTypes), std::end(kTypes), word) != std::end(kTypes);
}

}  // namespace

bool Parser::is_space(const Token& token) const {
  return token.is(Token::Kind::DotWord) && std::find(kSpaces.begin(), kSpaces.end(), token.text) != kSpaces.end();
}

// From the space to the name: .global .attribute(.managed) .align 16 .v4 .f32
Declaration Parser::declared(Linkage linkage) {
  Declaration one;
  one.linkage = linkage;
  one.space = take().text;
  if (one.space == ".const" && take_if("[")) {
    one.bank = integer("the bank");
    expect("]", "the bank");
  }
  while (peek().is(Token::Kind::DotWord)) {
    const Token word = take();
    if (word.text == ".align") {
      one.alignment = power_of_two("an alignment");
    } else if (word.text == ".attribute") {
      expect("(", ".attribute");
      one.is_managed = skip_attributes() || one.is_managed;
    } else if (word.text == ".v2" || word.text == ".v4" || word.text == ".v8") {
      one.vector = static_cast<unsigned>(word.text[2] - '0');
    } else if (word.text == ".ptr") {
      one.is_pointer = true;
    } else if (one.is_pointer && (word.text == ".global" || word.text == ".const" || word.text == ".shared" ||
                                  word.text == ".local" || word.text == ".generic")) {
      one.pointer_space = word.text;
    } else if (is_type(word.text)) {
      one.type = word.text;
    } else {
      fail("P010", word.where, "`" + std::string(word.text) + "` is no type",
           "types are .b8 to .b128, .u8 to .u64, .s8 to .s64, .f16, .bf16, .f16x2, .bf16x2, .f32, .f64, .pred");
    }
    if (one.is_pointer && word.text == ".align") std::swap(one.pointer_alignment, one.alignment);
  }
  if (one.type.empty()) fail_expected("a type, as .u32");
  return one;
}

// Up to the closing parenthesis. True if .managed is among them.
bool Parser::skip_attributes() {
  bool is_managed = false;
  while (!take_if(")")) {
    if (peek().is(Token::Kind::End)) {
      fail_expected("`)` behind the attributes");
      return is_managed;
    }
    is_managed = take().is_word(".managed") || is_managed;
  }
  return is_managed;
}

// %r<70>, table[4][8], x.
void Parser::declared_name(Declaration& one) {
  one.name = name("a name");
  if (take_if("<")) {
    one.count = integer("how many registers");
    expect(">", "the number of registers");
  }
  while (take_if("[")) {
    if (peek().is("]")) one.lengths.emplace_back().kind = Expression::Kind::List;
    else one.lengths.push_back(expression());
    expect("]", "the length");
  }
}

// A list, a list of lists, or one value; a texture's fields have names: { width = 4 }.
Expression Parser::initializer() {
  if (!peek().is("{")) return expression();
  Expression list;
  list.kind = Expression::Kind::List;
  list.where = peek().where;
  descend(peek().where);
  take();
  while (!peek().is("}")) {
    list.of.push_back(initializer());
    if (take_if("=")) list.of.back() = initializer();
    if (!take_if(",")) break;
  }
  expect("}", "the values");
  --depth_;
  return list;
}

std::vector<Declaration> Parser::declarations(Linkage linkage) {
  const Declaration common = declared(linkage);
  std::vector<Declaration> all;
  do {
    Declaration& one = all.emplace_back(common);
    declared_name(one);
    if (take_if("=")) one.initializer = initializer();
  } while (take_if(","));
  expect(";", "the declaration");
  return all;
}

}  // namespace warpsim::ptx
