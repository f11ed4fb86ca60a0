// Directives: what the text says about the program rather than what the program does.
//
// Shapes: .title .document .section .puzzle .group .twin .kernel .reg .shared .phase .draw .picture .exempt
//         .unordered .assert .allow .case; the grammar is in SYNTAX.md.
// Errors: A005 syntax, A008 name used twice, A009 name not allowed, A010 unknown directive, A011 PTX's, not supported
//         yet, A033 directive out of place, A025 unknown name in a length.
// Source: PTX ISA 9.0, chapter 11, for those that PTX has.
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <utility>

#include "isa/assembly/assembly.h"
#include "isa/text/number_text.h"

namespace warpsim {
namespace {

constexpr TypeSet kStored = kWord | kHalf | kPair | kByte;  // what loads and stores can move
constexpr std::uint64_t kMostCounted = 4096, kMostAlignment = 128;
constexpr std::size_t kMostDeclared = 1 << 16, kMostNames = 256, kMostKernels = 1000;

// PTX's own, for the message that they are known.
constexpr std::array<std::string_view, 31> kLaterDirectives = {
    ".version",       ".target",      ".address_size",  ".visible", ".entry",        ".func",
    ".extern",        ".weak",        ".common",        ".global",  ".const",        ".local",
    ".param",         ".align",       ".maxntid",       ".reqntid", ".minnctapersm", ".maxnctapersm",
    ".maxnreg",       ".noreturn",    ".pragma",        ".loc",     ".file",         ".section",
    ".branchtargets", ".calltargets", ".callprototype", ".alias",   ".tex",          ".explicitcluster",
    ".maxclusterrank"};

// What a length may name besides scalar parameters (the rule language of case.h).
constexpr std::array<std::string_view, 16> kRuleWords = {"WARP_SZ", "W",    "min",  "max",        "abs", "float",
                                                         "int",     "sqrt", "grid", "block_size", "sum", "count",
                                                         "product", "i",    "n",    "lanes"};
// Words that mean something in a case, so that no parameter can have them.
constexpr std::array<std::string_view, 6> kCaseWords = {"lanes", "grid", "block", "max_cycles", "expect", kFindingKey};

// Where a word of a text stands that begins at `where`.
SourceRange place_of(std::string_view word, std::string_view text, SourceRange where) {
  for (const char c : text.substr(0, static_cast<std::size_t>(word.data() - text.data()))) {
    if (c == '\n') where.column = 0, ++where.line;
    ++where.column;
  }
  where.length = static_cast<std::uint32_t>(word.size());
  return where;
}

// Types as C, CUDA, Mojo and Python call them, and as warpsim does.
using OtherType = std::pair<std::string_view, std::string_view>;
constexpr std::array kOtherTypes = {
    OtherType{"int", "s32"},      OtherType{"unsigned", "u32"}, OtherType{"uint", "u32"},
    OtherType{"long", "s64"},     OtherType{"float", "f32"},    OtherType{"double", "f64"},
    OtherType{"half", "f16"},     OtherType{"char", "s8"},      OtherType{"short", "s16"},
    OtherType{"int32_t", "s32"},  OtherType{"uint32_t", "u32"}, OtherType{"int64_t", "s64"},
    OtherType{"uint64_t", "u64"}, OtherType{"uint8_t", "u8"},   OtherType{"int32", "s32"},
    OtherType{"uint32", "u32"},   OtherType{"int64", "s64"},    OtherType{"uint64", "u64"},
    OtherType{"float16", "f16"},  OtherType{"float32", "f32"},  OtherType{"float64", "f64"},
    OtherType{"Int32", "s32"},    OtherType{"UInt32", "u32"},   OtherType{"Int", "s64"},
    OtherType{"Float16", "f16"},  OtherType{"Float32", "f32"},  OtherType{"Float64", "f64"},
    OtherType{"i32", "s32"},      OtherType{"i64", "s64"}};

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// `in`, `out`, `inout` and `param` begin a parameter.
std::optional<Param::Kind> parameter_kind(const Token& token) {
  for (const Param::Kind kind : {Param::Kind::In, Param::Kind::Out, Param::Kind::InOut, Param::Kind::Scalar})
    if (token.is(Token::Kind::Word) && name(kind) == token.text) return kind;
  return std::nullopt;
}

// The words of a rule that are names.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_')) ++i;
    if (i > begin && std::isdigit(static_cast<unsigned char>(text[begin])) == 0)
      words.push_back(text.substr(begin, i - begin));
    if (i == begin) ++i;
  }
  return words;
}

}  // namespace

void Assembly::directive() {
  using Handler = void (Assembly::*)();
  struct Directive {
    std::string_view word;
    Handler handler;
  };
  static constexpr std::array kDirectives = {
      Directive{".title", &Assembly::title_directive},     Directive{".document", &Assembly::document_directive},
      Directive{".section", &Assembly::section_directive}, Directive{".puzzle", &Assembly::puzzle_directive},
      Directive{".group", &Assembly::group_directive},     Directive{".twin", &Assembly::twin_directive},
      Directive{".kernel", &Assembly::kernel_directive},   Directive{".reg", &Assembly::reg_directive},
      Directive{".shared", &Assembly::shared_directive},   Directive{".phase", &Assembly::phase_directive},
      Directive{".draw", &Assembly::draw_directive},       Directive{".picture", &Assembly::picture_directive},
      Directive{".exempt", &Assembly::exempt_directive},   Directive{".unordered", &Assembly::unordered_directive},
      Directive{".assert", &Assembly::assert_directive},   Directive{".allow", &Assembly::allow_directive},
      Directive{".case", &Assembly::case_directive},
  };
  const Token word = lexer_.next();
  directive_where_ = word.where;
  for (const Directive& d : kDirectives) {
    if (d.word == word.text) return (this->*d.handler)();
  }
  if (holds(kLaterDirectives, word.text)) {
    fail("A011", word.where, quoted(word.text) + " is not supported yet",
         word.text == ".entry" || word.text == ".visible" ? "a kernel begins with .kernel" : "");
  } else {
    std::vector<std::string> names;
    for (const Directive& d : kDirectives) names.push_back(std::string(d.word));
    const std::string meant = nearest(word.text, names);
    fail("A010", word.where, "unknown directive " + quoted(word.text),
         meant.empty() ? "the directives are " + joined(names, "and") : did_you_mean(word.where, meant));
  }
  lexer_.skip_statement();
}

void Assembly::text_directive(std::string& field, std::string_view what) {
  const Token token = lexer_.peek();
  if (!token.is(Token::Kind::String)) {
    fail("A005", token.where, "expected a text in quotes after " + std::string(what), std::string(what) + " \"…\"");
    return lexer_.skip_statement();
  }
  if (!field.empty()) fail("A008", directive_where_, "a second " + std::string(what), "keep one");
  field = Lexer::unquoted(lexer_.next());
  end_of_statement("after the text");
}
void Assembly::title_directive() { text_directive(opening().title, ".title"); }
void Assembly::document_directive() { text_directive(opening().document, ".document"); }
void Assembly::section_directive() { text_directive(opening().section, ".section"); }
void Assembly::puzzle_directive() { text_directive(opening().puzzle, ".puzzle"); }

Lesson& Assembly::opening() {
  if (lesson_.code.empty() && lesson_.cases.empty()) return lesson_;
  if (next_where_.line == 0) next_where_ = directive_where_;
  return next_;
}

void Assembly::group_directive() {
  if (const std::optional<std::string> name = new_name("a group")) {
    group_ = *name;
    end_of_statement("after the group");
  }
}

// .twin GROUP/NAME. Whether that program exists is checked where all programs are known.
void Assembly::twin_directive() {
  SourceRange where = lexer_.peek().where;
  std::string twin_of;
  do {
    const std::optional<std::string> part = new_name("the other program");
    if (!part) return;
    twin_of += (twin_of.empty() ? "" : "/") + *part;
  } while (lexer_.peek().is("/") && (lexer_.next(), true));
  Lesson& lesson = opening();
  if (!lesson.twin_of.empty()) fail("A008", directive_where_, "a second .twin", "keep one");
  where.length = static_cast<std::uint32_t>(twin_of.size());
  lesson.twin_of = std::move(twin_of);
  lesson.twin_where = where;
  end_of_statement("after the other program's name");
}

std::optional<std::string> Assembly::new_name(std::string_view what) {
  const Token token = lexer_.peek();
  if (!token.is(Token::Kind::Word)) {
    fail("A005", token.where,
         "expected " + std::string(what) + "'s name" + (token.ends_statement() ? "" : ", found " + quoted(token.text)));
    lexer_.skip_statement();
    return std::nullopt;
  }
  if (token.text.find('.') != std::string_view::npos || token.text == "WARP_SZ" || token.text == "inf" ||
      token.text == "nan") {
    fail("A009", token.where, quoted(token.text) + " cannot be " + std::string(what) + "'s name",
         token.text.find('.') != std::string_view::npos ? "names are letters, digits and _" : "it is a constant");
    lexer_.skip_statement();
    return std::nullopt;
  }
  lexer_.next();
  return std::string(token.text);
}

std::optional<Type> Assembly::storage_type(std::string_view what) {
  const Token token = lexer_.peek();
  const std::string_view word = token.text.starts_with('.') ? token.text.substr(1) : token.text;
  const Type type = token.is(Token::Kind::Word) || token.is(Token::Kind::DotWord) ? parse_type(word) : Type::None;
  if (type != Type::None && contains(kStored, type)) {
    lexer_.next();
    return type;
  }
  std::string message =
      "expected the type of " + std::string(what) + (token.ends_statement() ? "" : ", found " + quoted(token.text));
  if (type != Type::None)
    message =
        quoted(token.text) + " in memory is not supported" + (type == Type::Pred || type == Type::Mask ? "" : " yet");
  names_.complete = false;
  const auto* const known =
      std::find_if(kOtherTypes.begin(), kOtherTypes.end(), [word](const auto& other) { return other.first == word; });
  Hint hint = known == kOtherTypes.end()
                  ? ""
                  : did_you_mean(token.where, (token.is(Token::Kind::DotWord) ? "." : "") + std::string(known->second));
  hint.text += (hint.text.empty() ? "the types are " : " the types are ") + type_list(kStored);
  fail(type != Type::None ? "A011" : "A005", token.where, std::move(message), std::move(hint));
  return std::nullopt;
}

// .kernel NAME ( [in|out|inout|param name: type …] , … )
void Assembly::kernel_directive() {
  const SourceRange where = lexer_.peek().where;
  const std::optional<std::string> name = new_name("the kernel");
  const auto is_same = [&name](const Function& other) { return other.name == *name; };
  if (name && has_kernel_ && (lesson_.name == *name || std::any_of(lessons_.begin(), lessons_.end(), is_same)))
    fail("A008", where, "a second kernel " + quoted(*name), "give one of them another name");
  if (lessons_.size() >= kMostKernels) {
    fail("A050", where, "more than " + std::to_string(kMostKernels) + " kernels");
    return lexer_.skip_statement();
  }
  begin_kernel(name.value_or(""), where);
  if (!name) {
    names_.complete = false;
    return;
  }
  if (lexer_.peek().ends_statement()) return;  // no parameters
  if (!expect("(", "after the kernel's name")) return skip_parameters();
  const auto skip_newlines = [&] {
    while (lexer_.peek().is(Token::Kind::Newline)) lexer_.next();
  };
  skip_newlines();
  while (!lexer_.peek().is(")")) {
    if (!kernel_parameter()) return skip_parameters();
    skip_newlines();
    if (lexer_.peek().is(",")) {
      lexer_.next();
      skip_newlines();
    } else if (!lexer_.peek().is(")")) {
      expect(")", "or a comma after the parameter", parameter_kind(lexer_.peek()) ? missing(",") : "");
      return skip_parameters();
    }
  }
  lexer_.next();
  end_of_statement("after the parameters");
}

// After a fault among the parameters: to their end, which may be lines below. Without `)` that is the next directive.
void Assembly::skip_parameters() {
  names_.complete = false;
  for (int open = 1; open > 0 && !lexer_.peek().is(Token::Kind::End);) {
    const Token token = lexer_.next();
    if (token.is("(")) ++open;
    if (token.is(")")) --open;
    if (token.is(Token::Kind::Newline) && lexer_.peek().is(Token::Kind::DotWord)) return;
  }
  lexer_.skip_statement();
}

bool Assembly::kernel_parameter() {
  const Token word = lexer_.peek();
  const std::optional<Param::Kind> kind = parameter_kind(word);
  if (!kind) {
    return fail("A005", word.where, "a parameter begins with in, out, inout or param",
                "in input: f32[size], out output: f32[size], param size: u32 = WARP_SZ");
  }
  lexer_.next();
  Param p;
  p.kind = *kind;
  p.where = lexer_.peek().where;
  const std::optional<std::string> name = new_name("a parameter");
  if (!name ||
      !expect(":", "and the type after the parameter's name", lexer_.peek().is(Token::Kind::Word) ? missing(":") : ""))
    return false;
  p.name = *name;
  const std::optional<Type> type = storage_type("parameter " + p.name);
  if (!type) return false;
  p.type = *type;
  SourceRange length_where, default_where;
  if (lexer_.peek().is("[")) {
    const SourceRange bracket = lexer_.next().where;
    Lexer::Raw length = lexer_.raw_until("]");
    if (!p.is_buffer())
      return fail("A005", bracket, "a `param` is one value, not an array", "write in, out or inout for a buffer");
    p.length = std::move(length.text);
    length_where = length.where;
    if (!expect("]", "after the length")) return false;
  } else if (p.is_buffer()) {
    return fail("A005", lexer_.peek().where,
                "a buffer's type ends with its length: " + std::string(warpsim::name(p.type)) + "[size]",
                "f32[] takes any length; write `param` for a single value");
  }
  if (lexer_.peek().is("=")) {
    const SourceRange equals = lexer_.next().where;
    Lexer::Raw value = lexer_.raw_until(",)");
    if (p.is_buffer())
      return fail("A005", equals, "a buffer's contents are given in the cases", "under .case: " + p.name + " = iota");
    if (value.text.empty()) return fail("A005", equals, "the default value is missing");
    p.default_value = std::move(value.text);
    default_where = value.where;
  }
  if (holds(kCaseWords, p.name))
    return fail("A009", p.where, quoted(p.name) + " means something in a case", "give the parameter another name");
  if (!names_.params.try_emplace(p.name, static_cast<std::int32_t>(lesson_.params.size())).second ||
      names_.objects.count(p.name) != 0) {
    return fail("A008", p.where, "a second " + quoted(p.name), "give one of them another name");
  }
  if (names_.params.size() > kMostNames)
    return fail("A050", p.where, "more than " + std::to_string(kMostNames) + " parameters");
  lesson_.params.push_back(std::move(p));
  names_.length_where.push_back(length_where);
  names_.default_where.push_back(default_where);
  return true;
}

// A length is a rule over the scalar parameters, which may be before or after it.
void Assembly::check_lengths() {
  if (!names_.complete) return;
  for (std::size_t i = 0; i < lesson_.params.size(); ++i) {
    const Param& p = lesson_.params[i];
    if (!p.length.empty()) check_rule(p.length, names_.length_where[i]);
    if (!p.default_value.empty()) check_rule(p.default_value, names_.default_where[i]);
    for (const std::string_view word : words_of(p.length)) {
      const std::int32_t scalar = lesson_.find_param(word);
      if (holds(kRuleWords, word) || (scalar >= 0 && !lesson_.params[static_cast<std::size_t>(scalar)].is_buffer()))
        continue;
      std::vector<std::string> names = {"WARP_SZ"};
      for (const Param& other : lesson_.params) {
        if (!other.is_buffer()) names.push_back(other.name);
      }
      const std::string meant = nearest(word, names);
      fail("A025", names_.length_where[i], "no scalar parameter " + quoted(word) + " for the length of " + p.name,
           meant.empty() ? "add `param " + std::string(word) + ": u32` to the kernel"
                         : did_you_mean(place_of(word, p.length, names_.length_where[i]), meant));
      break;
    }
  }
}

// .reg .f32 %x, %y;  .reg .pred %p<4>;
void Assembly::reg_directive() {
  const Token token = lexer_.peek();
  const Type type = token.is(Token::Kind::DotWord) ? parse_type(token.text.substr(1)) : Type::None;
  if (type == Type::None || reg_class(type) == RegClass::None) {
    fail("A005", token.where, "expected the registers' type after .reg", ".reg .f32 %x, %y");
    return lexer_.skip_statement();
  }
  lexer_.next();
  do {
    const Token reg = lexer_.next();
    if (!reg.is(Token::Kind::Register) || reg.text.find('.') != std::string_view::npos) {
      fail("A005", reg.where, "expected a register, such as %x", percent_before(reg));
      return lexer_.skip_statement();
    }
    std::uint64_t count = 0;
    const bool counted = lexer_.peek().is("<");
    if (counted) {
      lexer_.next();
      const Token number = lexer_.next();
      count = number.number;
      if (!number.is(Token::Kind::Integer) || count == 0 || count > kMostCounted) {
        fail("A005", number.where, "a counted register list takes 1 to " + std::to_string(kMostCounted) + " registers",
             ".reg .b32 %r<8> declares %r0 to %r7");
        return lexer_.skip_statement();
      }
      if (!expect(">", "after the count")) return lexer_.skip_statement();
    }
    for (std::uint64_t k = 0; k < (counted ? count : 1); ++k) {
      if (!declare_register(std::string(reg.text) + (counted ? std::to_string(k) : ""), type, reg.where))
        return lexer_.skip_statement();
    }
  } while (lexer_.peek().is(",") && (lexer_.next(), true));
  end_of_statement("after the registers");
}

bool Assembly::declare_register(const std::string& name, Type type, SourceRange where) {
  if (names_.registers.size() >= kMostDeclared)
    return fail("A050", where, "more than " + std::to_string(kMostDeclared) + " registers");
  KnownRegister& known = names_.registers[name];
  if (known.cls != RegClass::None) {
    return fail("A008", where, quoted(name) + " is there already, in line " + std::to_string(known.where.line),
                "declare a register before its first use, and once");
  }
  known.cls = reg_class(type);
  known.declared = is_untyped(type) ? Type::None : type;
  known.where = where;
  return true;
}

// .shared [.align 16] f32 tile[WARP_SZ * 2]
void Assembly::shared_directive() {
  Object object;
  if (lexer_.peek().text == ".align" && !object_alignment(object)) return lexer_.skip_statement();
  const std::optional<Type> type = storage_type("the shared array");
  if (!type) return lexer_.skip_statement();
  object.type = *type;
  object.where = lexer_.peek().where;
  const std::optional<std::string> name = new_name("a shared array");
  if (!name) return;
  object.name = *name;
  if (!expect("[", "and the length after the array's name")) return lexer_.skip_statement();
  const SourceRange where = lexer_.peek().where;
  std::optional<ConstExpr> length = constant();
  if (!length || !expect("]", "after the length")) return lexer_.skip_statement();
  object.length = std::move(*length);
  if (object.length.evaluate(64) <= 0) fail("A028", where, "the array has no elements");
  if (object.alignment() < static_cast<std::uint64_t>(bytes(object.type)))
    fail("A028", object.where, "the alignment is less than an element's size, " + counted(bytes(object.type), "byte"));
  if (names_.params.count(object.name) != 0 ||
      !names_.objects.try_emplace(object.name, static_cast<std::int32_t>(lesson_.objects.size())).second) {
    fail("A008", object.where, "a second " + quoted(object.name), "give one of them another name");
    return lexer_.skip_statement();
  }
  if (names_.objects.size() > kMostNames)
    fail("A050", object.where, "more than " + std::to_string(kMostNames) + " shared arrays");
  lesson_.objects.push_back(std::move(object));
  end_of_statement("after the array");
}

bool Assembly::object_alignment(Object& object) {
  lexer_.next();
  const Token number = lexer_.peek();
  if (!number.is(Token::Kind::Integer) || !std::has_single_bit(number.number) || number.number > kMostAlignment)
    return fail("A005", number.where,
                "an alignment is a power of two up to " + std::to_string(kMostAlignment) + " bytes",
                ".shared .align 16 f32 tile[64]");
  lexer_.next();
  object.alignment_bytes = static_cast<std::uint32_t>(number.number);
  return true;
}

// .phase "title" options…
void Assembly::phase_directive() {
  if (!has_kernel_) {
    fail("A033", directive_where_, ".phase belongs among the instructions", "put it after .kernel");
    return lexer_.skip_statement();
  }
  Phase phase;
  phase.where = directive_where_;
  if (!drawing_text(phase.title, phase.options, ".phase")) return;
  phase.first_pc = static_cast<std::int32_t>(lesson_.code.size());
  lesson_.phases.push_back(std::move(phase));
  drawing_ = &lesson_.phases.back();
}

void Assembly::picture_directive() {
  Phase picture;
  picture.where = directive_where_;
  if (!drawing_text(picture.title, picture.options, ".picture")) return;
  lesson_.pictures.push_back(std::move(picture));
  drawing_ = &lesson_.pictures.back();
}

void Assembly::draw_directive() {
  DrawLine line;
  line.where = directive_where_;
  if (!drawing_text(line.text, line.options, ".draw")) return;
  if (drawing_ == nullptr) {
    fail("A033", line.where, ".draw without a .phase or .picture before it",
         "it adds a line to the phase or picture above it");
    return;
  }
  drawing_->lines.push_back(std::move(line));
}

// .assert "all(%sum == 496)" "every lane holds the total"
void Assembly::assert_directive() {
  Assertion assertion;
  assertion.where = directive_where_;
  assertion.pc = static_cast<std::int32_t>(lesson_.code.size());
  const Token token = lexer_.peek();
  if (!token.is(Token::Kind::String)) {
    fail("A005", token.where, "expected a condition in quotes after .assert", ".assert \"%count <= WARP_SZ\"");
    return lexer_.skip_statement();
  }
  assertion.condition = Lexer::unquoted(lexer_.next());
  assertion.where.length = token.where.column + token.where.length - assertion.where.column;
  if (lexer_.peek().is(Token::Kind::String)) assertion.message = Lexer::unquoted(lexer_.next());
  if (!has_kernel_) fail("A033", directive_where_, ".assert belongs among the instructions", "put it after .kernel");
  else if (assertion.condition.empty()) fail("A005", token.where, "an empty condition");
  else lesson_.assertions.push_back(std::move(assertion));
  end_of_statement("after the condition");
}

bool Assembly::drawing_text(std::string& text, std::string& options, std::string_view what) {
  const Token token = lexer_.peek();
  if (!token.is(Token::Kind::String)) {
    fail("A005", token.where, "expected a text in quotes after " + std::string(what), std::string(what) + " \"…\"");
    lexer_.skip_statement();
    return false;
  }
  text = Lexer::unquoted(lexer_.next());
  options = lexer_.rest_of_line().text;
  return true;
}

}  // namespace warpsim
