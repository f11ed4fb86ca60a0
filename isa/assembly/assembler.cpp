// Statements, labels and guards: the assembler's main loop.
//
// Shapes: see assembly.h.
// Errors: A005 syntax, A007 kernel missing, A008 name used twice, A023 register class, A024 undefined label, A050
//         limits.
// Source: PTX ISA 9.0, sections 4.3 and 9.3.
#include "isa/assembly/assembler.h"
#include "isa/program/shown_type.h"
#include "isa/program/verifier.h"

#include <utility>

#include "isa/assembly/assembly.h"
#include "isa/assembly/opcode_errors.h"

namespace warpsim {
namespace {

constexpr std::size_t kMostErrors = 50;
constexpr std::size_t kMostInstructions = 1 << 16;
constexpr std::size_t kMostRegisters = 4096;
constexpr std::size_t kMostOperandsWritten = 16;

std::string with_article(RegClass c) { return "a " + std::string(name(c)); }

bool is_sized(RegClass c) { return c == RegClass::R16 || c == RegClass::R32 || c == RegClass::R64; }

// How to get from a register of one class to one of another.
std::string conversion_hint(RegClass from, RegClass to, bool writes) {
  if (writes) return "give the result another name";
  if (from == RegClass::R32 && to == RegClass::R64)
    return "cvt.u64.u32 widens it, mov.u64 of a buffer's name is its address";
  if (from == RegClass::R64 && to == RegClass::R32) return "cvt.u32.u64 narrows it";
  if (from == RegClass::Pred) return "selp.u32 %n, 1, 0, %p makes a number of a predicate";
  if (to == RegClass::Pred) return "setp.ne.u32 %p, %n, 0 makes a predicate of a number";
  if (from == RegClass::Mask) return "instructions on a mask have the type .mask";
  if (from == RegClass::R16 || to == RegClass::R16) return "cvt changes the size";
  return "";
}

}  // namespace

Assembly::Assembly(std::string_view text, std::string file, std::string group)
    : diagnostics_{std::move(file), std::string(text), {}, {}},
      lexer_(diagnostics_.text, diagnostics_),
      group_(std::move(group)) {
  module_.files.push_back({diagnostics_.file, diagnostics_.text});
}

bool Assembly::fail(std::string code, SourceRange where, std::string message, Hint hint) {
  if (code == "A005" && where.line == lexer_.fault_line()) return false;  // it only follows from that fault
  diagnostics_.error(std::move(code), where, std::move(message), std::move(hint));
  return false;
}

bool Assembly::too_many() const { return diagnostics_.list.size() >= kMostErrors; }

bool Assembly::expect(std::string_view punctuation, std::string_view after, Hint hint) {
  if (lexer_.peek().is(punctuation)) {
    lexer_.next();
    return true;
  }
  const Token found = lexer_.peek();
  const std::string what = found.is(Token::Kind::End)       ? "the end of the text"
                           : found.is(Token::Kind::Newline) ? "the end of the line"
                                                            : quoted(found.text);
  return fail("A005", found.where, "expected " + quoted(punctuation) + " " + std::string(after) + ", found " + what,
              std::move(hint));
}

Hint Assembly::missing(const char* punctuation) const {
  return {"put " + quoted(punctuation) + " there", {{lexer_.behind(), punctuation}}};
}

void Assembly::end_of_statement(std::string_view after) {
  const Token found = lexer_.peek();
  if (!found.ends_statement()) {
    fail("A005", found.where, "unexpected " + quoted(found.text) + " " + std::string(after),
         "a statement ends with its line or with `;`");
    lexer_.skip_statement();
  }
}

Assembled Assembly::run() {
  lesson_.header = Lexer::opening_comment(diagnostics_.text);
  while (!lexer_.peek().is(Token::Kind::End) && !too_many()) statement();
  if (too_many()) {
    Diagnostic note{Diagnostic::Severity::Note, "A050", "too many errors: the rest of the text was not read", "",
                    lexer_.peek().where};
    diagnostics_.list.push_back(std::move(note));
    return {{}, std::move(diagnostics_)};
  }
  end_kernel();
  check_whole();
  Assembled result;
  if (!diagnostics_.has_errors()) result.lessons = finished();
  if (diagnostics_.has_errors()) result.lessons.clear();
  result.diagnostics = std::move(diagnostics_);
  return result;
}

void Assembly::begin_kernel(std::string name, SourceRange where) {
  if (has_kernel_) {
    end_kernel();
    lesson_ = std::exchange(next_, {});
    next_where_ = {};
    names_ = {};
    drawing_ = nullptr;
    lesson_.objects = module_.objects;
    for (std::size_t k = 0; k < module_.objects.size(); ++k)
      names_.objects.emplace(module_.objects[k].name, static_cast<std::int32_t>(k));
  } else {
    module_.objects = lesson_.objects;  // what stands before the first kernel is there for all
  }
  has_kernel_ = true;
  lesson_.name = std::move(name);
  lesson_.where = where;
}

void Assembly::end_kernel() {
  resolve_labels();
  if (has_kernel_) check_lengths();
  place_params(lesson_.params);
  module_.functions.push_back(lesson_);
  lessons_.push_back(std::move(lesson_));
}

// What can be checked only when all is known.
std::vector<Lesson> Assembly::finished() {
  const auto module = std::make_shared<const Module>(std::move(module_));
  for (Lesson& lesson : lessons_) {
    lesson.module = module;
    lesson.group = group_;
    infer_shown_types(lesson);
    verify(lesson, diagnostics_);
  }
  return std::move(lessons_);
}

void Assembly::statement() {
  const Token token = lexer_.peek();
  if (token.ends_statement()) {
    lexer_.next();
    return;
  }
  if (token.is(Token::Kind::DotWord)) return directive();
  if (token.is(Token::Kind::Word)) {
    lexer_.next();
    if (lexer_.peek().is(":")) {
      lexer_.next();
      return label(token);
    }
  } else if (!token.is("@")) {
    lexer_.next();
    if (token.is("{") || token.is("}"))
      fail("A011", token.where, "scopes in braces are not supported yet",
           {"leave the braces out", {{token.where, ""}}});
    else
      fail("A005", token.where, "a statement cannot begin with " + quoted(token.text),
           "it begins with a label, a guard, an opcode or a directive");
    return lexer_.skip_statement();
  }
  if (!has_kernel_ && !complained_about_kernel_) {
    complained_about_kernel_ = true;
    fail("A007", token.where, "an instruction before .kernel",
         "begin with .kernel NAME (in input: f32[size], out output: f32[size])");
  }
  instruction_from(token);
}

void Assembly::label(const Token& token) {
  const auto [known, is_new] = names_.labels.try_emplace(std::string(token.text), token.where);
  if (!is_new) {
    fail("A008", token.where,
         "label " + quoted(token.text) + " is there already, in line " + std::to_string(known->second.line));
    return;
  }
  if (token.text.find('.') != std::string_view::npos) {
    fail("A005", token.where, "a label's name has no dots");
    return;
  }
  lesson_.labels.emplace_back(std::string(token.text), static_cast<std::int32_t>(lesson_.code.size()));
}

// A word alone in its line that is no opcode: its colon may be missing.
void Assembly::may_be_label(const Token& word) {
  Diagnostic& unknown = diagnostics_.list.back();
  constexpr std::size_t kLongest = 80;  // so that a hint can be read
  if (unknown.code != "A012" || !unknown.fixes.empty() || word.text.size() > kLongest ||
      word.text.find('.') != std::string_view::npos)
    return;
  unknown.hint +=
      (unknown.hint.ends_with('?') ? " As a label it is " : "; as a label it is ") + std::string(word.text) + ":";
  unknown.fixes.push_back({lexer_.behind(), ":"});
}

bool Assembly::guard(Insn& insn) {
  if (lexer_.peek().is("!")) {
    lexer_.next();
    insn.guard.negated = true;
  }
  const Token reg = lexer_.peek();
  if (!reg.is(Token::Kind::Register)) {
    const bool touches = lexer_.behind().line == reg.where.line && lexer_.behind().column == reg.where.column;
    const Hint hint = touches ? percent_before(reg) : "";
    if (!hint.fixes.empty()) lexer_.next();  // so that the rest is read as it is meant
    return fail("A005", reg.where, "a guard is a predicate: @%p or @!%p", hint);
  }
  lexer_.next();
  insn.guard.reg = use_register(std::string(reg.text), reg.where, RegClass::Pred, "a guard", false);
  return insn.guard.reg >= 0;
}

void Assembly::instruction_from(const Token& first) {
  Statement s;
  Token opcode = first;
  if (first.is("@")) {
    lexer_.next();
    s.ok = guard(s.insn);
    opcode = lexer_.peek();
    if (!opcode.is(Token::Kind::Word)) {
      if (s.ok) fail("A005", opcode.where, "expected an instruction after the guard");
      return lexer_.skip_statement();
    }
    lexer_.next();
  }
  const std::optional<Opcode> selected = select_opcode(opcode, diagnostics_);
  if (!selected) {
    if (!first.is("@") && lexer_.peek().ends_statement()) may_be_label(opcode);
    return lexer_.skip_statement();
  }
  s.opcode = *selected;
  s.text = opcode_text(s.opcode);
  s.opcode_where = opcode.where;
  std::vector<WrittenOperand> written;
  SourceRange last = opcode.where;
  while (!lexer_.peek().ends_statement()) {
    if (!written.empty() && !expect(",", "between operands", comma_before(lexer_.peek())))
      return lexer_.skip_statement();
    std::optional<WrittenOperand> operand = written_operand();
    if (!operand) return lexer_.skip_statement();
    last = operand->where;
    written.push_back(std::move(*operand));
    if (written.size() > kMostOperandsWritten) {
      wrong_count(s, written);
      return lexer_.skip_statement();
    }
  }
  s.insn.where = first.where;
  if (last.line == first.where.line) s.insn.where.length = last.column + last.length - first.where.column;
  if (!bind_operands(s, written) || !s.ok) return;
  if (lesson_.code.size() >= kMostInstructions) {
    fail("A050", first.where, "more than " + std::to_string(kMostInstructions) + " instructions");
    return;
  }
  s.insn.op = s.opcode.op;
  s.insn.type = s.opcode.type;
  s.insn.type2 = s.opcode.type2;
  s.insn.mods = s.opcode.mods;
  lesson_.code.push_back(std::move(s.insn));
}

std::int32_t Assembly::use_register(const std::string& name, SourceRange where, RegClass cls, const std::string& user,
                                    bool writes, bool any_mask) {
  KnownRegister& known = names_.registers[name];
  if (known.cls == RegClass::None) {
    known.cls = cls;
    known.where = where;
  }
  const bool holds_mask = known.cls == RegClass::R32 || known.cls == RegClass::R64 || known.cls == RegClass::Mask;
  if (known.cls != cls && !(any_mask && holds_mask)) {
    if (known.reported) return -1;
    known.reported = true;
    const std::string other =
        is_sized(known.cls) && is_sized(cls) ? with_article(cls).substr(0, 8) + " one" : with_article(cls);
    const std::string verb = writes                                                         ? " writes "
                             : user.starts_with("a") && user.find(' ') != std::string::npos ? " is "
                                                                                            : " reads ";
    fail("A023", where,
         quoted(name) + " is " + with_article(known.cls) + " (line " + std::to_string(known.where.line) + "); " + user +
             verb + other,
         conversion_hint(known.cls, cls, writes));
    return -1;
  }
  if (known.index < 0) {
    if (lesson_.registers.size() >= kMostRegisters) {
      fail("A050", where, "more than " + std::to_string(kMostRegisters) + " registers");
      return -1;
    }
    known.index = static_cast<std::int32_t>(lesson_.registers.size());
    lesson_.registers.push_back({name, known.cls, known.declared, where});
  }
  return known.index;
}

void Assembly::resolve_labels() {
  std::vector<std::string> names;
  std::map<std::string, std::int32_t, std::less<>> pcs;
  for (const auto& [name, pc] : lesson_.labels) {
    names.push_back(name);
    pcs.emplace(name, pc);
  }
  for (const LabelUse& use : names_.label_uses) {
    const auto found = pcs.find(use.name);
    if (found == pcs.end()) {
      if (names_.labels.count(use.name) != 0) continue;  // its own line has been complained about
      if (!names_.complete) continue;                    // it may be among the lines that were skipped
      const std::string meant = nearest(use.name, names);
      fail("A024", use.where, "no label " + quoted(use.name),
           meant.empty() ? "a label comes before its line: " + use.name + ":" : did_you_mean(use.where, meant));
    } else if (use.pc < lesson_.code.size()) {
      for (Operand& o : lesson_.code[use.pc].operands) {
        if (o.kind == Operand::Kind::Label) o.target = found->second;
      }
    }
  }
}

void Assembly::check_whole() {
  if (!has_kernel_ && !complained_about_kernel_) {
    fail("A007", {1, 1, 1}, "there is no .kernel in this text",
         "begin with .kernel NAME (in input: f32[size], out output: f32[size])");
  }
  if (next_where_.line != 0) {
    fail("A007", next_where_, "there is no .kernel after this directive",
         "what a kernel is called comes before its instructions");
  }
}

Assembled assemble(std::string_view text, std::string file, std::string group) {
  return Assembly(text, std::move(file), std::move(group)).run();
}

}  // namespace warpsim
