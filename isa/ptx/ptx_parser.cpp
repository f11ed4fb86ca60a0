// The module as a whole, and what all rules need; see ptx_parser.h.
#include "isa/ptx/ptx_parser.h"

#include <bit>

#include "isa/ptx/ptx_reader.h"

namespace warpsim::ptx {

// ---- tokens

bool Parser::take_if(std::string_view punctuation) {
  if (!peek().is(punctuation)) return false;
  take();
  return true;
}

bool Parser::take_word_if(std::string_view word) {
  if (!peek().is_word(word)) return false;
  take();
  return true;
}

void Parser::fail(const char* code, SourceRange where, std::string message, Hint hint) {
  if (lexer_.is_halted()) return;  // the first fault of a statement is its cause
  diagnostics_.error(code, where, std::move(message), std::move(hint));
  lexer_.halt();
}

void Parser::fail_expected(std::string_view what, Hint hint) {
  const Token& next = peek();
  const std::string found = next.is(Token::Kind::End) ? "the end of the text" : quoted(next.text);
  fail("P005", next.where, "expected " + std::string(what) + ", not " + found, std::move(hint));
}

void Parser::expect(std::string_view punctuation, std::string_view behind) {
  if (take_if(punctuation)) return;
  fail_expected("`" + std::string(punctuation) + "`" + (behind.empty() ? "" : " behind " + std::string(behind)),
                punctuation == ";" ? missing_semicolon() : "");
}

Hint Parser::missing_semicolon() const {
  if (lexer_.is_halted() || (peek().where.line == lexer_.behind().line && !peek().is("}"))) return "";
  return {"put `;` there", {{lexer_.behind(), ";"}}};
}

Name Parser::name(std::string_view of) {
  if (!peek().is(Token::Kind::Word)) {
    fail_expected(of);
    return {};
  }
  const Token word = take();
  return {word.text, word.where};
}

std::uint64_t Parser::integer(std::string_view of) {
  if (peek().is(Token::Kind::Integer)) return take().number;
  fail_expected("an integer: " + std::string(of));
  return 1;  // a power of two
}

std::uint64_t Parser::power_of_two(std::string_view of) {
  const SourceRange where = peek().where;
  const std::uint64_t number = integer(of);
  if (!std::has_single_bit(number)) fail("P006", where, std::string(of) + " is a power of two");
  return number;
}

void Parser::descend(SourceRange where) {
  if (++depth_ > kMostNesting)
    fail("P007", where, "this nests deeper than " + std::to_string(kMostNesting) + " levels");
}

// Up to a semicolon, or before the brace that ends the body; in the module also behind a function's body.
void Parser::skip_statement(bool in_module) {
  std::size_t open = 0;
  while (!peek().is(Token::Kind::End)) {
    if (open == 0 && peek().is("}")) return;
    const Token token = take();
    if (token.is("{")) ++open;
    else if (token.is("}")) --open;
    if (token.is("}") && open == 0 && in_module) return;
    if (token.is(";") && open == 0) return;
  }
}

// ---- the module

void Parser::run() {
  while (!peek().is(Token::Kind::End)) {
    guarded(true, [this] { top(); });
    if (peek().is("}")) take();  // of a body whose head was not understood
  }
}

Linkage Parser::linkage() {
  if (take_word_if(".extern")) return Linkage::Extern;
  if (take_word_if(".visible")) return Linkage::Visible;
  if (take_word_if(".weak")) return Linkage::Weak;
  if (take_word_if(".common")) return Linkage::Common;
  return Linkage::None;
}

void Parser::top() {
  if (take_word_if(".version")) return version();
  if (take_word_if(".target")) return target();
  if (take_word_if(".address_size")) return address_size();
  if (take_word_if(".file")) return file();
  if (take_word_if(".section")) return section();
  if (take_word_if(".alias")) return alias();
  if (peek().is_word(".loc")) return static_cast<void>(location());
  if (peek().is_word(".pragma")) return static_cast<void>(pragma());
  if (peek().is("@")) return lexer_.skip_line();  // @@DWARF of PTX 1.x
  if (take_if(";")) return;
  const Linkage linked = linkage();
  if (peek().is_word(".entry") || peek().is_word(".func")) return function(linked, peek().text == ".entry");
  if (!is_space(peek())) return fail_expected("a directive, as .version, .entry or .global");
  for (Declaration& one : declarations(linked))
    if (!lexer_.is_halted()) module_.objects.push_back(std::move(one));
}

// 9.0 lexes as a float: its text says the two numbers.
void Parser::version() {
  const Token number = take();
  const std::size_t dot = number.text.find('.');
  std::uint32_t* part = &module_.version_major;
  for (std::size_t k = 0; k < number.text.size(); ++k) {
    if (k == dot) part = &module_.version_minor;
    else if (number.text[k] < '0' || number.text[k] > '9' || *part > 99)
      return fail("P008", number.where, "a version is two numbers, as 9.0");
    else *part = *part * 10 + static_cast<std::uint32_t>(number.text[k] - '0');
  }
  if (dot == std::string_view::npos) fail("P008", number.where, "a version is two numbers, as 9.0");
}

void Parser::target() {
  do module_.targets.push_back(name("a target, as sm_90"));
  while (take_if(","));
}

void Parser::address_size() {
  const SourceRange where = peek().where;
  const std::uint64_t bits = integer("32 or 64");
  if (bits != 32 && bits != 64) return fail("P009", where, "an address has 32 or 64 bits");
  module_.address_size = static_cast<unsigned>(bits);
}

// .file 1 "saxpy.cu"[, time, size]
void Parser::file() {
  const std::uint64_t number = integer("the file's number");
  if (!peek().is(Token::Kind::String)) return fail_expected("the file's name as a string");
  module_.files[static_cast<std::uint32_t>(number)] = std::string(take().text);
  while (take_if(",")) integer("the file's time and size");
}

void Parser::alias() {
  Alias one;
  one.name = name("the alias");
  expect(",", "the alias");
  one.of = name("the function");
  expect(";", "the alias");
  module_.aliases.push_back(one);
}

// Debug information is kept; other sections are not looked into.
void Parser::section() {
  const SourceRange where = peek().where;
  const std::string name(peek().text);
  take();
  expect("{", "the section's name");
  Section other;
  Section& made = name.starts_with(".debug_") ? module_.sections[name] : other;
  while (!take_if("}")) {
    if (peek().is(Token::Kind::End))
      return fail("P012", where, "the section that begins here does not end", "close it with }");
    section_item(made);
  }
  if (name == ".debug_str") read_strings(made);
}

// label:, .b8 95,90,0 or .b32 .debug_abbrev; a sum or a difference of labels counts as 0.
void Parser::section_item(Section& section) {
  const Token first = take();
  if (first.is(Token::Kind::Word) && take_if(":")) {
    section.labels[std::string(first.text)] = section.bytes.size();
    return;
  }
  const std::size_t width = first.is_word(".b8")    ? 1
                            : first.is_word(".b16") ? 2
                            : first.is_word(".b32") ? 4
                            : first.is_word(".b64") ? 8
                                                    : 0;
  if (width == 0) return;
  do {
    const bool negative = take_if("-");
    const Token value = peek();
    if (!value.is(Token::Kind::Integer) && !value.is(Token::Kind::Word) && !value.is(Token::Kind::DotWord)) return;
    take();
    if (!value.is(Token::Kind::Integer)) section.references[section.bytes.size()] = value.text;
    const std::uint64_t number = !value.is(Token::Kind::Integer) ? 0 : negative ? 0 - value.number : value.number;
    for (std::size_t k = 0; k < width; ++k) section.bytes.push_back(static_cast<std::uint8_t>(number >> (8 * k)));
    while (peek().is("+") || peek().is("-")) {
      take();
      take();
    }
  } while (take_if(","));
}

// The names of inlined functions, by their labels.
void Parser::read_strings(const Section& section) {
  for (const auto& [label, from] : section.labels) {
    std::string& text = module_.strings[label];
    for (std::size_t k = from; k < section.bytes.size() && section.bytes[k] != 0; ++k)
      text += static_cast<char>(section.bytes[k]);
  }
}

namespace {

// Versions 2.3 to 9.x, 64-bit addresses.
void check_head(ReadModule& read) {
  const Module& m = read.module;
  const std::string version = std::to_string(m.version_major) + "." + std::to_string(m.version_minor);
  if (m.version_major == 0)
    return read.diagnostics.error("P017", {1, 1, 1}, "a PTX module begins with .version, and this text has none");
  if (m.version_major > 9 || m.version_major < 2 || (m.version_major == 2 && m.version_minor < 3))
    return read.diagnostics.error("P018", {}, "PTX " + version + " is not supported", "versions 2.3 to 9.x are");
  if (m.address_size != 64)
    read.diagnostics.error("P018", {}, "32-bit addresses are not supported", "compile for 64 bits: .address_size 64");
}

}  // namespace

ReadModule read_module(SharedText text, std::string file, std::uint32_t number) {
  ReadModule read;
  read.module.text = std::move(text);
  read.module.number = number;
  read.diagnostics.file = std::move(file);
  read.diagnostics.text = read.module.text;
  Parser(read.module, read.diagnostics).run();
  if (!read.diagnostics.has_errors()) check_head(read);
  for (Diagnostic& one : read.diagnostics.list) one.where.file = 0;  // it knows no other text
  return read;
}

}  // namespace warpsim::ptx
