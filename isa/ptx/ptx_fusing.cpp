// See ptx_fusing.h.
#include "isa/ptx/ptx_fusing.h"

#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace warpsim::ptx {
namespace {

// "add.ftz.f32" → "add" if it is one of floats and names no rounding; else "".
std::string_view open_rounding(std::string_view opcode) {
  constexpr std::array<std::string_view, 3> kOperations = {"add", "sub", "mul"};
  constexpr std::array<std::string_view, 7> kTypes = {".f16", ".f16x2", ".bf16", ".bf16x2", ".f32", ".f32x2", ".f64"};
  const std::string_view operation = opcode.substr(0, opcode.find('.'));
  std::string_view rest = opcode.substr(operation.size());
  for (const std::string_view skipped : {".ftz", ".sat"})
    if (rest.starts_with(skipped)) rest.remove_prefix(skipped.size());
  bool has_type = false, is_one = false;
  const std::string_view first = rest.substr(0, rest.find('.', 1));
  for (const std::string_view type : kTypes) has_type = has_type || first == type;
  for (const std::string_view one : kOperations) is_one = is_one || operation == one;
  return has_type && is_one ? operation : std::string_view{};
}

std::string_view written_type(std::string_view opcode) { return opcode.substr(opcode.rfind('.')); }

// The products whose results registers hold, by name.
using Products = std::map<std::string_view, const Instruction*, std::less<>>;

void note_pairs(const Function& function, std::vector<FusiblePair>& pairs) {
  Products products;
  for (const Statement& statement : function.body) {
    const Instruction* const one = std::get_if<Instruction>(&statement);
    if (one == nullptr) {
      if (std::holds_alternative<Label>(statement)) products.clear();
      continue;
    }
    if (one->operands.empty()) continue;
    const std::string_view operation = open_rounding(one->opcode);
    const Instruction* product = nullptr;
    if (operation == "add" || operation == "sub")
      for (std::size_t k = 1; k < one->operands.size() && product == nullptr; ++k)
        if (const auto found = products.find(one->operands[k].name); found != products.end())
          product = written_type(found->second->opcode) == written_type(one->opcode) ? found->second : nullptr;
    if (product != nullptr) pairs.push_back({product->where, one->where});
    const Operand& destination = one->operands.front();
    products.erase(destination.name);
    for (const Operand& part : destination.parts) products.erase(part.name);
    if (operation == "mul" && one->opcode.find(".sat") == std::string_view::npos) products[destination.name] = one;
  }
}

// From `.loc` to the end of its line, where nothing but its own words stands there; else nothing.
std::pair<std::size_t, std::size_t> line_of_loc(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  const std::string_view line = text.substr(at, end == std::string_view::npos ? end : end - at);
  const bool is_alone = line.find_first_of(";{}:/") == std::string_view::npos;
  return {at, is_alone ? line.size() : 0};
}

}  // namespace

std::vector<FusiblePair> fusible_pairs(const Module& module) {
  std::vector<FusiblePair> pairs;
  for (const Function& one : module.functions) note_pairs(one, pairs);
  return pairs;
}

std::string with_roundings(const Module& module) {
  const std::string_view text = *module.text;
  std::map<std::size_t, std::size_t> behind;  // offsets: `.rn` goes there
  for (const Function& function : module.functions)
    for (const Statement& statement : function.body)
      if (const Instruction* const one = std::get_if<Instruction>(&statement))
        if (const std::string_view operation = open_rounding(one->opcode); !operation.empty())
          behind[static_cast<std::size_t>(operation.data() - text.data()) + operation.size()] = 0;
  for (std::size_t at = text.find("\t.loc\t"); at != std::string_view::npos; at = text.find("\t.loc\t", at + 1)) {
    const auto [begin, length] = line_of_loc(text, at);
    if (length != 0) behind[begin] = length;
  }
  std::string made;
  std::size_t done = 0;
  for (const auto& [at, left_out] : behind) {
    made += text.substr(done, at - done);
    if (left_out == 0) made += ".rn";
    done = at + left_out;
  }
  return made + std::string(text.substr(done));
}

}  // namespace warpsim::ptx
