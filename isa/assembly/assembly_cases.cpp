// Cases: launches, inputs and expectations, kept as the text has them; and the lane counts that have none.
//
// Shapes: .case NAME, then fields `key = rule`, each on its own line or after a semicolon, up to the next line that
//         begins with a dot. What a rule says is case.h's question; here it is only cut out. .exempt N, … "reason"
//         and .allow CODE "reason" may be anywhere, .unordered OUTPUT "reason" after .kernel.
// Errors: A005 syntax, A008 name used twice, A034 unknown field, A037 no lane count, A038 no output,
//         A040 no warning, C001 a rule that cannot be read.
// Source: case.h.
#include <algorithm>
#include <bit>
#include <utility>
#include <variant>

#include "isa/assembly/assembly.h"
#include "isa/cases/case_rule.h"
#include "isa/text/number_text.h"

namespace warpsim {

constexpr std::size_t kMostCases = 1000;
constexpr std::uint64_t kMostLanes = 64;

// "" after it has said what is wrong, at the end of the statement.
std::string Assembly::reason_in_quotes(const std::string& after, const std::string& example) {
  const Token reason = lexer_.peek();
  const std::string text = reason.is(Token::Kind::String) ? Lexer::unquoted(reason) : "";
  if (text.empty()) {
    fail("A005", reason.where, "expected the reason in quotes after " + after, example);
    lexer_.skip_statement();
  } else {
    lexer_.next();
  }
  return text;
}

// .exempt 1, 2 "a group of four needs four lanes"
void Assembly::exempt_directive() {
  Exemption exemption;
  exemption.where = directive_where_;
  if (!exempt_lanes(exemption)) return lexer_.skip_statement();
  const std::string text = reason_in_quotes("the lane counts", ".exempt 1, 2 \"a group of four needs four lanes\"");
  if (text.empty()) return;
  exemption.reason = text;
  lesson_.exemptions.push_back(std::move(exemption));
  end_of_statement("after the reason");
}

bool Assembly::exempt_lanes(Exemption& exemption) {
  do {
    const Token token = lexer_.peek();
    if (!token.is(Token::Kind::Integer)) {
      return fail("A005", token.where, "expected a lane count after .exempt",
                  ".exempt 1, 2 \"a group of four needs four lanes\"");
    }
    lexer_.next();
    if (!std::has_single_bit(token.number) || token.number > kMostLanes)
      return fail("A037", token.where, "there is no warp of " + std::string(token.text) + " lanes",
                  "lane counts are 1, 2, 4, 8, 16, 32 and 64");
    const unsigned lanes = static_cast<unsigned>(token.number);
    const bool here = std::find(exemption.lanes.begin(), exemption.lanes.end(), lanes) != exemption.lanes.end();
    if (here || lesson_.exemption_at(lanes) != nullptr)
      return fail("A008", token.where, "a second reason for " + counted(lanes, "lane"), "name each lane count once");
    exemption.lanes.push_back(lanes);
  } while (lexer_.peek().is(",") && (lexer_.next(), true));
  return true;
}

// .unordered output "warps come in the order in which their atomics reach memory"
void Assembly::unordered_directive() {
  const SourceRange where = directive_where_;
  const Token word = lexer_.peek();
  const std::optional<std::string> name = new_name("an output");
  if (!name) return;
  const std::int32_t param = lesson_.find_param(*name);
  const Param::Kind kind = param < 0 ? Param::Kind::In : lesson_.params[static_cast<std::size_t>(param)].kind;
  const std::string text =
      reason_in_quotes("the output", ".unordered " + *name + " \"warps come in the order of their atomics\"");
  if (text.empty()) return;
  const auto is_it = [&](const Unordered& one) { return one.output == *name; };
  if (param < 0 && !names_.complete) return lexer_.skip_statement();
  if (kind != Param::Kind::Out && kind != Param::Kind::InOut)
    fail("A038", word.where, quoted(*name) + " is no output of the kernel",
         has_kernel_ ? "name an out or inout buffer of .kernel" : "it comes after .kernel, which names the outputs");
  else if (std::any_of(lesson_.unordered.begin(), lesson_.unordered.end(), is_it))
    fail("A008", word.where, "a second reason for " + quoted(*name), "keep one");
  else lesson_.unordered.push_back({*name, text, where});
  end_of_statement("after the reason");
}

// .allow WS0201 "it shows what stays in place"
void Assembly::allow_directive() {
  const Token word = lexer_.peek();
  const std::optional<Finding> finding = word.is(Token::Kind::Word) ? finding_of(word.text) : std::nullopt;
  if (!finding) {
    fail("A005", word.where, "expected the code of a warning after .allow",
         ".allow WS0201 \"it shows what stays in place\"");
    return lexer_.skip_statement();
  }
  lexer_.next();
  const std::string text = reason_in_quotes("the code", ".allow WS0201 \"it shows what stays in place\"");
  if (text.empty()) return;
  if (info(*finding).severity != Severity::Warning)
    fail("A040", word.where, code(*finding) + " is no warning: what is undefined cannot be meant",
         "only warnings can be allowed");
  else if (lesson_.allows(*finding)) fail("A008", word.where, "a second reason for " + code(*finding), "keep one");
  else lesson_.allowances.push_back({*finding, text, directive_where_});
  end_of_statement("after the reason");
}

void Assembly::case_directive() {
  drawing_ = nullptr;
  const SourceRange where = directive_where_;
  const std::optional<std::string> name = new_name("a case");
  Case c;
  c.where = where;
  if (name) {
    c.name = *name;
    if (lesson_.find_case(*name) != nullptr)
      fail("A008", where, "a second case " + quoted(*name), "give one of them another name");
  }
  if (!has_kernel_) {
    fail("A033", where, "a case before .kernel",
         "the cases come at the end, because they name the kernel's parameters");
    while (!lexer_.peek().is(Token::Kind::End) && !lexer_.peek().is(Token::Kind::DotWord)) lexer_.next();
    return;
  }
  while (!too_many()) {
    const Token& token = lexer_.peek();
    if (token.is(Token::Kind::End) || token.is(Token::Kind::DotWord)) break;
    if (token.ends_statement()) lexer_.next();
    else if (!case_field(c)) lexer_.skip_statement();
  }
  if (lesson_.cases.size() >= kMostCases) fail("A050", where, "more than " + std::to_string(kMostCases) + " cases");
  else lesson_.cases.push_back(std::move(c));
}

// Whether the rule can be read at all; what it is worth is known only at a launch.
void Assembly::check_rule(const std::string& rule, SourceRange where) {
  if (rule == kUndefinedRule || rule.starts_with('@')) return;  // of a buffer: without contents, or with a file's
  const std::variant<Rule, CaseError> parsed = parse_rule(rule);
  if (const CaseError* error = std::get_if<CaseError>(&parsed)) fail_rule(*error, rule, where);
}

void Assembly::check_findings(const std::string& rule, SourceRange where) {
  if (!names_.complete) return;
  const auto parsed = parse_findings(rule, lesson_.labels);
  if (const CaseError* error = std::get_if<CaseError>(&parsed)) fail_rule(*error, rule, where);
}

void Assembly::fail_rule(const CaseError& error, const std::string& rule, SourceRange where) {
  const std::size_t offset = std::min(error.offset, rule.size());
  const std::size_t newlines =
      static_cast<std::size_t>(std::count(rule.begin(), rule.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  const std::size_t line_begin = newlines == 0 ? 0 : rule.rfind('\n', offset - 1) + 1;
  where.line += static_cast<std::uint32_t>(newlines);
  where.column = static_cast<std::uint32_t>(newlines == 0 ? where.column + offset : offset - line_begin + 1);
  where.length = 1;
  fail("C001", where, error.message);
}

bool Assembly::case_field(Case& c) {
  const Token word = lexer_.next();
  const auto not_a_field = [&] {
    return fail("A034", word.where, "expected a field of case " + c.name + ", found " + quoted(word.text),
                "a field is `key = rule`; instructions come before the first .case");
  };
  if (!word.is(Token::Kind::Word)) return not_a_field();
  std::string key(word.text);
  SourceRange key_where = word.where;
  if (key == "expect") {
    const Token output = lexer_.next();
    if (!output.is(Token::Kind::Word))
      return fail("A005", output.where, "expected the name of a buffer after `expect`", "expect output = fill:1000");
    key += " " + std::string(output.text);
    key_where = output.where;
  }
  if (!lexer_.peek().is("=")) {
    if (lexer_.peek().is(Token::Kind::Word) || lexer_.peek().is(Token::Kind::Register) || lexer_.peek().is(":"))
      return not_a_field();
    return expect("=", "after " + quoted(key));
  }
  lexer_.next();
  Lexer::Raw rule = lexer_.raw_until(";");
  if (!rule.closed) return fail("A005", rule.where, "this rule opens a bracket that nothing closes");
  if (rule.text.empty())
    return fail("A005", rule.where, "the rule of " + quoted(key) + " is missing", "for example " + key + " = iota");
  if (!check_case_key(c, key, key_where)) return true;
  if (key == kFindingKey) check_findings(rule.text, rule.where);
  else if (key.starts_with("expect ") || lesson_.find_param(key) >= 0) check_rule(rule.text, rule.where);
  c.fields.push_back({std::move(key), std::move(rule.text), rule.where});
  return true;
}

bool Assembly::check_case_key(const Case& c, const std::string& key, SourceRange where) {
  for (const CaseField& field : c.fields) {
    if (field.key == key)
      return fail("A008", where, quoted(key) + " is there already, in line " + std::to_string(field.where.line));
  }
  const bool expects = key.starts_with("expect ");
  const std::string name = expects ? key.substr(7) : key;
  const std::int32_t param = lesson_.find_param(name);
  std::vector<std::string> names;
  if (expects) {
    for (const Param& p : lesson_.params) {
      if (p.kind == Param::Kind::Out || p.kind == Param::Kind::InOut) names.push_back(p.name);
    }
    if (param >= 0 && lesson_.params[static_cast<std::size_t>(param)].kind == Param::Kind::In) {
      return fail("A034", where, quoted(name) + " is an `in` buffer, which the kernel never changes",
                  names.empty() ? "" : "expect " + joined(names, "or expect "));
    }
    if (param >= 0 && lesson_.params[static_cast<std::size_t>(param)].is_buffer()) return true;
  } else {
    if (name == kSharedKey && param < 0) return true;  // of a kernel from PTX; a launch refuses it elsewhere
    names = {"lanes", "grid", "block", "max_cycles", std::string(kFindingKey)};
    for (const std::string& known : names) {
      if (known == name) return true;
    }
    for (const Param& p : lesson_.params) names.push_back(p.name);
    if (param >= 0) return true;
  }
  if (!names_.complete) return false;
  const std::string meant = nearest(name, names);
  return fail("A034", where, (expects ? "no buffer " : "a case has no field ") + quoted(name),
              !meant.empty()             ? did_you_mean(where, meant)
              : expects && names.empty() ? "the kernel has no `out` buffer"
                                         : "there are " + joined(names, "and"));
}

}  // namespace warpsim
