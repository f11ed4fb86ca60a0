// See ptx_fusing.h.
#include "isa/ptx/ptx_fusing.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace warpsim::ptx {
namespace {

// An add, sub or mul of floats that names no rounding.
struct Open {
  std::string_view operation;  // "add"; "": it is none
  std::string_view rest;       // ".ftz.f32"
  std::string_view type() const { return rest.substr(rest.rfind('.')); }
  bool has(std::string_view modifier) const { return rest.find(modifier) != std::string_view::npos; }
  bool is_sum() const { return operation == "add" || operation == "sub"; }
};

Open open_rounding(std::string_view opcode) {
  constexpr std::array<std::string_view, 7> kTypes = {".f16", ".f16x2", ".bf16", ".bf16x2", ".f32", ".f32x2", ".f64"};
  const std::string_view operation = opcode.substr(0, opcode.find('.'));
  const std::string_view modifiers = opcode.substr(operation.size());
  if (operation != "add" && operation != "sub" && operation != "mul") return {};
  std::string_view rest = modifiers;
  for (const std::string_view skipped : {".ftz", ".sat"})
    if (rest.starts_with(skipped)) rest.remove_prefix(skipped.size());
  const std::string_view type = rest.substr(0, rest.find('.', 1));
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) return {};
  return {operation, modifiers};
}

// What is changed in the text: at an offset so many characters become others.
struct Edit {
  std::size_t length = 0;
  std::string text;
};
using Edits = std::map<std::size_t, Edit>;

std::string edited(std::string_view text, const Edits& edits) {
  std::string made;
  std::size_t done = 0;
  for (const auto& [at, edit] : edits) {
    if (at < done) continue;
    made += text.substr(done, at - done);
    made += edit.text;
    done = at + edit.length;
  }
  return made + std::string(text.substr(done));
}

// ---- which products are fused

struct RegisterUses {
  std::size_t writes = 0, reads = 0;
};

struct Product {
  const Instruction* instruction = nullptr;
  bool is_kept = false;            // its factors are written nowhere else: they hold their values behind a label, too
  std::vector<std::size_t> terms;  // of the sums in its block that it is a term of: indices
  bool is_fused = true;            // until something says that it cannot be
};

struct Sum {
  const Instruction* instruction = nullptr;
  std::array<Product*, 2> products{};  // by term
  int chosen = -1;                     // the term that is fused
};

class Fusing {
 public:
  explicit Fusing(const Function& function) : function_(function) {}
  std::vector<Sum> run();

 private:
  void count(const Operand& operand, bool is_written);
  void count_all();
  void find_sums();
  void forget_written(const Operand& operand);
  void note_sum(const Instruction& one, const Open& open);
  void choose();
  bool is_written_once(const Operand& operand) const;

  const Function& function_;
  std::map<std::string_view, RegisterUses, std::less<>> uses_;
  std::map<std::string_view, Product, std::less<>> products_;  // by register
  std::map<std::string_view, Product*, std::less<>> live_;     // that a sum may take
  std::vector<Sum> sums_;
};

void Fusing::count(const Operand& operand, bool is_written) {
  RegisterUses& uses = uses_[operand.name];
  if (is_written) ++uses.writes;
  else ++uses.reads;
  // Names in an address, and in lists, are read; registers in a vector or a pair as it is.
  const bool passes_on = operand.kind == Operand::Kind::Vector || operand.kind == Operand::Kind::Pair;
  for (const Operand& part : operand.parts) count(part, is_written && passes_on);
  for (const Expression& of : operand.of)
    if (of.kind == Expression::Kind::Symbol) ++uses_[of.text].reads;
}

// Results of a call are written, too: they are the first list.
void Fusing::count_all() {
  for (const Statement& statement : function_.body) {
    const Instruction* const one = std::get_if<Instruction>(&statement);
    if (one == nullptr) continue;
    if (one->guard) ++uses_[one->guard->predicate.text].reads;
    const bool is_store = one->opcode.starts_with("st.") || one->opcode.starts_with("red.") || is_call(*one);
    for (std::size_t k = 0; k < one->operands.size(); ++k) count(one->operands[k], k == 0 && !is_store);
    if (!is_call(*one) || one->operands.empty()) continue;
    for (const Operand& result : one->operands.front().parts) ++uses_[result.name].writes;
  }
}

bool Fusing::is_written_once(const Operand& operand) const {
  if (operand.kind != Operand::Kind::Symbol) return operand.kind == Operand::Kind::Constant;
  const auto found = uses_.find(operand.name);
  return operand.element.empty() && !operand.negated && found != uses_.end() && found->second.writes == 1;
}

// What is written here is no longer what a product had for a factor.
void Fusing::forget_written(const Operand& operand) {
  if (!operand.name.empty())  // else a vector, and constants have no name either
    std::erase_if(live_, [&](const auto& entry) {
      const std::vector<Operand>& operands = entry.second->instruction->operands;
      return operands[1].name == operand.name || operands[2].name == operand.name;
    });
  for (const Operand& part : operand.parts) forget_written(part);
}

void Fusing::note_sum(const Instruction& one, const Open& open) {
  Sum sum{&one, {}, -1};
  for (std::size_t term = 0; term < 2; ++term) {
    const auto found = live_.find(one.operands[term + 1].name);
    if (found == live_.end()) continue;
    const Open product = open_rounding(found->second->instruction->opcode);
    if (product.type() != open.type() || product.has(".ftz") != open.has(".ftz")) continue;
    if (one.operands[1].name == one.operands[2].name) continue;
    sum.products[term] = found->second;
    found->second->terms.push_back(sums_.size());
  }
  if (sum.products[0] != nullptr || sum.products[1] != nullptr) sums_.push_back(sum);
}

void Fusing::find_sums() {
  for (const Statement& statement : function_.body) {
    const Instruction* const one = std::get_if<Instruction>(&statement);
    if (one == nullptr) {
      if (std::holds_alternative<Label>(statement))
        std::erase_if(live_, [](const auto& entry) { return !entry.second->is_kept; });
      continue;
    }
    if (one->opcode.starts_with("bra") || one->opcode.starts_with("brx") || is_call(*one)) live_.clear();
    const Open open = open_rounding(one->opcode);
    const bool is_open = !open.operation.empty() && one->operands.size() == 3;
    if (is_open && open.is_sum()) note_sum(*one, open);
    if (!one->operands.empty()) forget_written(one->operands.front());
    if (!is_open || open.is_sum() || one->guard || open.has(".sat") || !is_written_once(one->operands[0])) continue;
    const std::string_view name = one->operands[0].name;
    const bool is_kept = is_written_once(one->operands[1]) && is_written_once(one->operands[2]);
    products_[name] = {one, is_kept, {}, true};
    if (name != one->operands[1].name && name != one->operands[2].name) live_[name] = &products_[name];
  }
}

// A product that is left as it is may have been another's reason to be fused: again, until nothing changes.
void Fusing::choose() {
  for (bool changes = true; changes;) {
    changes = false;
    for (Sum& sum : sums_) {
      sum.chosen = -1;
      for (int term = 1; term >= 0; --term) {
        const Product* const product = sum.products[static_cast<std::size_t>(term)];
        if (product != nullptr && product->is_fused) sum.chosen = term;
      }
    }
    for (auto& [name, product] : products_) {
      if (!product.is_fused) continue;
      std::size_t fused = 0;
      for (const std::size_t k : product.terms)
        fused +=
            sums_[k].chosen >= 0 && sums_[k].products[static_cast<std::size_t>(sums_[k].chosen)] == &product ? 1 : 0;
      if (fused == uses_[name].reads && fused != 0) continue;
      product.is_fused = false;
      changes = true;
      break;
    }
  }
  std::erase_if(sums_, [](const Sum& one) { return one.chosen < 0; });
}

std::vector<Sum> Fusing::run() {
  count_all();
  find_sums();
  choose();
  return std::move(sums_);
}

// ---- as text

std::size_t offset_of(std::string_view text, std::string_view part) {
  return static_cast<std::size_t>(part.data() - text.data());
}

std::string_view without_blanks(std::string_view word) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = word.find_first_not_of(kBlanks), end = word.find_last_not_of(kBlanks);
  return begin == std::string_view::npos ? std::string_view{} : word.substr(begin, end - begin + 1);
}

// Its operands as they are written; none where something else stands among them.
std::optional<std::array<std::string_view, 3>> operand_words(std::string_view text, const Instruction& one) {
  const std::size_t begin = offset_of(text, one.opcode) + one.opcode.size();
  std::string_view rest = text.substr(begin, text.find(';', begin) - begin);
  if (rest.find_first_of("{}()[]/\n") != std::string_view::npos) return std::nullopt;
  std::array<std::string_view, 3> words;
  for (std::string_view& word : words) {
    const std::size_t comma = rest.find(',');
    word = without_blanks(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return words;
}

// ".b16" of ".f16": as registers of that type are declared.
std::string register_type(std::string_view type) {
  if (type == ".f16" || type == ".bf16") return ".b16";
  if (type == ".f16x2" || type == ".bf16x2") return ".b32";
  return type == ".f32x2" ? ".b64" : std::string(type);
}

// add d, a * b, c → fma d, a, b, c; of a difference one of them is negated first, in a register of its own.
void fuse(std::string_view text, const Sum& sum, Edits& edits) {
  const Instruction& product = *sum.products[static_cast<std::size_t>(sum.chosen)]->instruction;
  const auto factors = operand_words(text, product), terms = operand_words(text, *sum.instruction);
  if (!factors || !terms) return;
  const Open open = open_rounding(sum.instruction->opcode);
  if (open.operation == "sub" && open.type() == ".f32x2") return;  // there is no neg
  std::string first((*factors)[1]), third((*terms)[sum.chosen == 0 ? 2 : 1]);
  std::size_t begin = offset_of(text, sum.instruction->opcode);
  const std::size_t end = text.find(';', begin);
  std::string before, behind;
  if (open.operation == "sub") {
    if (sum.instruction->guard) begin = text.rfind('@', begin);
    const std::string guard(text.substr(begin, offset_of(text, sum.instruction->opcode) - begin));
    std::string& negated = sum.chosen == 0 ? third : first;
    before = "{ .reg " + register_type(open.type()) + " %negated; neg" + std::string(open.type()) + " %negated, " +
             negated + "; " + guard;
    behind = "; }";
    negated = "%negated";
  }
  edits[begin] = {end - begin + (behind.empty() ? 0 : 1), before + "fma.rn" + std::string(open.rest) + " " +
                                                              std::string((*terms)[0]) + ", " + first + ", " +
                                                              std::string((*factors)[2]) + ", " + third + behind};
}

}  // namespace

std::vector<FusedPair> fused_pairs(const Function& function) {
  std::vector<FusedPair> pairs;
  Fusing fusing(function);
  for (const Sum& sum : fusing.run())
    pairs.push_back({sum.products[static_cast<std::size_t>(sum.chosen)]->instruction->where, sum.instruction->where});
  return pairs;
}

std::string with_fused_pairs(const Module& module) {
  Edits edits;
  for (const Function& function : module.functions) {
    Fusing fusing(function);
    for (const Sum& sum : fusing.run()) fuse(module.text, sum, edits);
  }
  return edited(module.text, edits);
}

std::string with_roundings(const Module& module) {
  Edits edits;
  for (const Function& function : module.functions)
    for (const Statement& statement : function.body)
      if (const Instruction* const one = std::get_if<Instruction>(&statement))
        if (const Open open = open_rounding(one->opcode); !open.operation.empty())
          edits[offset_of(module.text, open.rest)] = {0, ".rn"};
  return edited(module.text, edits);
}

// Where nothing but its own words stands behind it. `.target …, debug` promises more: all of the debug sections.
std::string without_locations(std::string_view text) {
  constexpr std::string_view kLoc = "\t.loc\t", kTarget = "\n.target ", kDebug = ", debug";
  Edits edits;
  if (const std::size_t target = text.find(kTarget); target != std::string_view::npos) {
    const std::size_t debug = text.find(kDebug, target);
    if (debug < text.find('\n', target + 1)) edits[debug] = {kDebug.size(), ""};
  }
  for (std::size_t at = text.find(kLoc); at != std::string_view::npos; at = text.find(kLoc, at + 1)) {
    const std::size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end == std::string_view::npos ? end : end - at);
    if (line.find_first_of(";{}:/") == std::string_view::npos) edits[at] = {line.size(), ""};
  }
  return edited(text, edits);
}

}  // namespace warpsim::ptx
