// Reads PTX litmus tests.
#include "tests/litmus/litmus_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace warpsim::litmus {
namespace {

struct TextRefusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Words = std::vector<std::string>;

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

Words split(std::string_view text, std::string_view separators) {
  Words words;
  while (true) {
    const std::size_t end = text.find_first_of(separators);
    words.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::int64_t> number(std::string_view word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

bool is_register(std::string_view word) {
  return word.size() > 1 && word[0] == 'r' &&
         std::all_of(word.begin() + 1, word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

template <class Value, std::size_t kSize>
std::optional<Value> find_word(const std::array<std::pair<const char*, Value>, kSize>& table, std::string_view word) {
  for (const auto& [name, value] : table)
    if (word == name) return value;
  return std::nullopt;
}

constexpr std::array<std::pair<const char*, Order>, 6> kOrders = {{{"weak", Order::Weak},
                                                                   {"relaxed", Order::Relaxed},
                                                                   {"acquire", Order::Acquire},
                                                                   {"release", Order::Release},
                                                                   {"acq_rel", Order::AcqRel},
                                                                   {"sc", Order::Sc}}};
constexpr std::array<std::pair<const char*, Scope>, 4> kScopes = {
    {{"cta", Scope::Cta}, {"cluster", Scope::Cluster}, {"gpu", Scope::Gpu}, {"sys", Scope::Sys}}};
constexpr std::array<std::pair<const char*, Math>, 9> kMath = {{{"add", Math::Add},
                                                                {"sub", Math::Sub},
                                                                {"mul", Math::Mul},
                                                                {"div", Math::Div},
                                                                {"and", Math::And},
                                                                {"or", Math::Or},
                                                                {"xor", Math::Xor},
                                                                {"exch", Math::Exchange},
                                                                {"cas", Math::CompareSwap}}};
constexpr std::array<std::pair<const char*, Math>, 7> kJumps = {{{"beq", Math::Equal},
                                                                 {"bne", Math::NotEqual},
                                                                 {"blt", Math::Less},
                                                                 {"ble", Math::LessEqual},
                                                                 {"bgt", Math::Greater},
                                                                 {"bge", Math::GreaterEqual},
                                                                 {"goto", Math::Move}}};
// Longest first.
constexpr std::array<std::pair<const char*, Math>, 7> kCompares = {{{"==", Math::Equal},
                                                                    {"!=", Math::NotEqual},
                                                                    {"<=", Math::LessEqual},
                                                                    {">=", Math::GreaterEqual},
                                                                    {"<", Math::Less},
                                                                    {">", Math::Greater},
                                                                    {"=", Math::Equal}}};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  Program read();

 private:
  void read_initial(std::string_view block);
  void read_heads(const std::string& row);
  void read_row(const std::string& row, std::int32_t line);
  void read_instruction(Thread& thread, const std::string& text, std::int32_t line);
  void read_access(Thread& thread, const Words& opcode, const Words& operands, Instruction& insn);
  void read_barrier(Thread& thread, const Words& operands, Instruction& insn);
  void read_question(std::string_view text);
  Condition read_or();
  Condition read_and();
  Condition read_part();
  Term read_term();
  std::string_view rest() const;
  bool take(std::string_view word);
  std::int32_t location(const std::string& name);
  std::int32_t register_of(Thread& thread, const std::string& name);
  Operand operand(Thread& thread, const std::string& word);
  Thread& thread(std::string_view name);
  void resolve();

  std::string_view text_;
  Program program_;
  std::vector<std::map<std::string, std::int32_t>> labels_;
  std::vector<std::vector<std::pair<std::size_t, std::string>>> jumps_;
  std::string_view question_;
};

std::int32_t Reader::location(const std::string& name) {
  if (name.empty() || number(name) || is_register(name)) throw TextRefusal("an address that is no location: " + name);
  for (std::size_t k = 0; k < program_.locations.size(); ++k)
    if (program_.locations[k].name == name) return static_cast<std::int32_t>(k);
  program_.locations.push_back({name, 0});
  return static_cast<std::int32_t>(program_.locations.size()) - 1;
}

std::int32_t Reader::register_of(Thread& thread, const std::string& name) {
  const auto found = std::find(thread.registers.begin(), thread.registers.end(), name);
  const std::int32_t index = static_cast<std::int32_t>(found - thread.registers.begin());
  if (found == thread.registers.end()) {
    thread.registers.push_back(name);
    thread.initial.push_back(0);
  }
  return index;
}

Operand Reader::operand(Thread& thread, const std::string& word) {
  if (const std::optional<std::int64_t> value = number(word)) return {-1, *value};
  if (!is_register(word)) throw TextRefusal("an operand that is neither register nor number: " + word);
  return {register_of(thread, word), 0};
}

Thread& Reader::thread(std::string_view name) {
  for (Thread& each : program_.threads)
    if (each.name == name || each.name.substr(1) == name) return each;
  throw TextRefusal("no thread " + std::string(name));
}

void Reader::read_initial(std::string_view block) {
  for (const std::string& statement : split(block, ";")) {
    if (statement.empty()) continue;
    if (statement.find('@') != std::string::npos) throw TextRefusal("a proxy or an alias");
    const Words sides = split(statement, "=");
    if (sides.size() != 2) throw TextRefusal("an initial value that is no number: " + statement);
    const std::optional<std::int64_t> value = number(sides[1]);
    if (!value) throw TextRefusal("an initial value that is no number: " + statement);
    const Words place = split(sides[0], ":");
    if (place.size() == 2) {
      Thread& owner = thread(place[0]);
      owner.initial[static_cast<std::size_t>(register_of(owner, place[1]))] = *value;
    } else {
      program_.locations[static_cast<std::size_t>(location(place[0]))].initial = *value;
    }
  }
}

void Reader::read_heads(const std::string& row) {
  for (const std::string& head : split(row, "|")) {
    Thread made;
    const Words parts = split(head, "@,");
    made.name = parts[0];
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const Words pair = split(parts[k], " ");
      const std::optional<std::int64_t> value = number(pair.back());
      if (!value) throw TextRefusal("a column's head: " + head);
      const std::int32_t id = static_cast<std::int32_t>(*value);
      if (pair[0] != "cta" && pair[0] != "cluster" && pair[0] != "gpu") throw TextRefusal("a column's head: " + head);
      (pair[0] == "cta" ? made.cta : pair[0] == "cluster" ? made.cluster : made.gpu) = id;
    }
    if (parts.size() < 2) throw TextRefusal("a column without its block");
    made.lane = static_cast<std::int32_t>(program_.threads.size());
    program_.threads.push_back(made);
  }
  labels_.resize(program_.threads.size());
  jumps_.resize(program_.threads.size());
}

void Reader::read_barrier(Thread& thread, const Words& operands, Instruction& insn) {
  if (operands.size() > 2) throw TextRefusal("a barrier with a count of threads");
  const std::optional<std::int64_t> instance = number(operands[0]);
  if (!instance) throw TextRefusal("a barrier's instance that is no number");
  insn.kind = Instruction::Kind::Barrier;
  insn.instance = static_cast<std::int32_t>(*instance);
  if (operands.size() == 2) insn.a = operand(thread, operands[1]);
}

// ld, st, atom and red. Scopes that are not written: the system's.
void Reader::read_access(Thread& thread, const Words& opcode, const Words& operands, Instruction& insn) {
  const bool atomic = opcode[0] == "atom" || opcode[0] == "red";
  for (std::size_t k = 1; k < opcode.size(); ++k) {
    if (const auto order = find_word(kOrders, opcode[k])) {
      insn.order = *order;
    } else if (const auto scope = find_word(kScopes, opcode[k])) {
      insn.scope = *scope;
    } else if (const auto math = find_word(kMath, opcode[k]); math && atomic) {
      insn.math = *math;
    } else {
      throw TextRefusal("an opcode's part: ." + opcode[k]);
    }
  }
  const std::size_t given = opcode[0] == "red" ? 0 : 1;
  const std::size_t wanted =
      opcode[0] == "ld" || opcode[0] == "st" ? 2 : given + (insn.math == Math::CompareSwap ? 3 : 2);
  if (operands.size() != wanted) throw TextRefusal("the operands of " + opcode[0]);
  if (opcode[0] == "st") {
    insn.kind = Instruction::Kind::Store;
    insn.location = location(operands[0]);
    insn.a = operand(thread, operands[1]);
    return;
  }
  insn.kind = atomic ? Instruction::Kind::Atomic : Instruction::Kind::Load;
  if (given == 1) insn.target = register_of(thread, operands[0]);
  insn.location = location(operands[given]);
  if (!atomic) return;
  insn.a = operand(thread, operands[given + 1]);
  if (insn.math == Math::CompareSwap) insn.b = operand(thread, operands[given + 2]);
}

void Reader::read_instruction(Thread& thread, const std::string& text, std::int32_t line) {
  const std::size_t number_of_thread = static_cast<std::size_t>(&thread - program_.threads.data());
  if (text.back() == ':') {
    labels_[number_of_thread][trimmed(text.substr(0, text.size() - 1))] = static_cast<std::int32_t>(thread.code.size());
    return;
  }
  const std::size_t space = text.find_first_of(" \t");
  const Words opcode = split(text.substr(0, space), ".");
  const Words operands = space == std::string::npos ? Words{} : split(text.substr(space), ",");
  Instruction insn;
  insn.origin = line;
  const auto math = find_word(kMath, opcode[0]);
  const auto jump = find_word(kJumps, opcode[0]);
  if (opcode.size() > 1 && opcode[1] == "proxy") throw TextRefusal("a proxy or an alias");
  if (opcode[0] == "fence" && opcode.size() == 3) {
    const auto order = find_word(kOrders, opcode[1]);
    const auto scope = find_word(kScopes, opcode[2]);
    if ((order != Order::Sc && order != Order::AcqRel) || !scope) throw TextRefusal("a fence of another kind: " + text);
    insn.kind = Instruction::Kind::Fence;
    insn.order = *order;
    insn.scope = *scope;
  } else if (opcode[0] == "bar" && opcode.size() == 3 && opcode[1] == "cta") {
    insn.waits = opcode[2] == "sync";
    read_barrier(thread, operands, insn);
  } else if (jump && operands.size() == (*jump == Math::Move ? 1U : 3U)) {
    insn.kind = Instruction::Kind::Jump;
    insn.math = *jump;
    insn.a = *jump == Math::Move ? Operand{-1, 1} : operand(thread, operands[0]);
    if (*jump != Math::Move) insn.b = operand(thread, operands[1]);
    jumps_[number_of_thread].emplace_back(thread.code.size(), operands.back());
  } else if (math && opcode.size() == 1 && operands.size() == 3) {
    insn.math = *math;
    insn.target = register_of(thread, operands[0]);
    insn.a = operand(thread, operands[1]);
    insn.b = operand(thread, operands[2]);
  } else if (opcode[0] == "ld" && opcode.size() == 1 && operands.size() == 2) {
    insn.target = register_of(thread, operands[0]);
    insn.a = operand(thread, operands[1]);
  } else if (opcode[0] == "ld" || opcode[0] == "st" || opcode[0] == "atom" || opcode[0] == "red") {
    read_access(thread, opcode, operands, insn);
  } else {
    throw TextRefusal("an instruction: " + opcode[0]);
  }
  thread.code.push_back(insn);
}

void Reader::read_row(const std::string& row, std::int32_t line) {
  const Words cells = split(row, "|");
  if (cells.size() > program_.threads.size()) throw TextRefusal("a row with more columns than threads");
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (!cells[k].empty()) read_instruction(program_.threads[k], cells[k], line);
}

void Reader::resolve() {
  for (std::size_t k = 0; k < program_.threads.size(); ++k)
    for (const auto& [pc, label] : jumps_[k]) {
      if (!labels_[k].contains(label)) throw TextRefusal("no label " + label);
      program_.threads[k].code[pc].jump = labels_[k].at(label);
    }
}

std::string_view Reader::rest() const {
  const std::size_t first = question_.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view{} : question_.substr(first);
}

bool Reader::take(std::string_view word) {
  if (!rest().starts_with(word)) return false;
  question_ = rest().substr(word.size());
  return true;
}

Term Reader::read_term() {
  question_ = rest();
  std::size_t length = 0;
  while (length < question_.size() && (std::isalnum(static_cast<unsigned char>(question_[length])) != 0 ||
                                       std::string_view("_:-").find(question_[length]) != std::string_view::npos))
    ++length;
  const std::string word(question_.substr(0, length));
  question_.remove_prefix(length);
  if (const std::optional<std::int64_t> value = number(word)) return {Term::Kind::Constant, 0, 0, 0, *value};
  Words place = split(word, ":");
  if (place.size() == 1) return {Term::Kind::Location, 0, 0, location(word), 0};
  if (place[1].empty()) {  // a space behind the colon
    question_ = rest();
    const std::size_t end = std::min(question_.find_first_not_of("r0123456789"), question_.size());
    place[1] = question_.substr(0, end);
    question_.remove_prefix(end);
  }
  Thread& owner = thread(place[0]);
  const std::int32_t index = static_cast<std::int32_t>(&owner - program_.threads.data());
  return {Term::Kind::Register, index, register_of(owner, place[1]), 0, 0};
}

Condition Reader::read_part() {
  if (take("(")) {
    Condition inner = read_or();
    if (!take(")")) throw TextRefusal("a question without its closing bracket");
    return inner;
  }
  Condition made;
  if (take("~")) {
    made.kind = Condition::Kind::Not;
    made.parts.push_back(read_part());
    return made;
  }
  made.left = read_term();
  for (const auto& [word, math] : kCompares)
    if (take(word)) {
      made.compare = math;
      made.right = read_term();
      return made;
    }
  throw TextRefusal("a question that is no comparison");
}

Condition Reader::read_and() {
  Condition made;
  made.kind = Condition::Kind::And;
  made.parts.push_back(read_part());
  while (take("/\\")) made.parts.push_back(read_part());
  return made;
}

Condition Reader::read_or() {
  Condition made;
  made.kind = Condition::Kind::Or;
  made.parts.push_back(read_and());
  while (take("\\/")) made.parts.push_back(read_and());
  return made;
}

void Reader::read_question(std::string_view text) {
  question_ = text;
  if (take("exists")) {
    program_.quantifier = Quantifier::Exists;
  } else if (take("forall")) {
    program_.quantifier = Quantifier::Forall;
  } else if (take("~")) {
    if (!take("exists")) throw TextRefusal("a question of another kind");
    program_.quantifier = Quantifier::NotExists;
  } else {
    throw TextRefusal("a question of another kind");
  }
  program_.condition = read_or();
  take(";");
  if (!rest().empty()) throw TextRefusal("more behind the question: " + std::string(rest().substr(0, 20)));
}

// The heads come before the initial values, which name threads.
Program Reader::read() {
  const std::size_t open = text_.find('{'), close = text_.find('}');
  if (!text_.starts_with("PTX") || open == std::string_view::npos || close == std::string_view::npos)
    throw TextRefusal("no litmus test of PTX");
  program_.name = trimmed(text_.substr(3, text_.find('\n') - 3));
  std::size_t end = text_.size();
  for (const char* word : {"~exists", "exists", "forall", "final", "filter", "locations"})
    end = std::min(end, text_.find(word, close));
  const Words rows = split(text_.substr(close + 1, end - close - 1), ";");
  std::int32_t line = 0;
  for (const std::string& row : rows) {
    if (row.empty()) continue;
    if (program_.threads.empty()) {
      read_heads(row);
      read_initial(text_.substr(open + 1, close - open - 1));
    } else {
      read_row(row, ++line);
    }
  }
  resolve();
  read_question(text_.substr(end));
  return program_;
}

}  // namespace

ReadText read_litmus(std::string_view text) {
  try {
    return {Reader(text).read(), ""};
  } catch (const TextRefusal& refusal) {
    return {{}, refusal.what()};
  }
}

}  // namespace warpsim::litmus
