// An opcode as text: see opcode.h.
#include <algorithm>
#include <string>

#include "isa/assembly/opcode.h"
#include "isa/table/memory_access.h"

namespace warpsim {

std::string without_space(std::string_view mnemonic) { return with_space(mnemonic, AddressSpace::None); }
std::string with_space(std::string_view mnemonic, AddressSpace space) {
  if (mnemonic.starts_with("cp.")) return std::string(mnemonic);  // has two
  if (mnemonic.starts_with("mbarrier.")) {                        // has it last
    const std::size_t end = mnemonic.ends_with(".shared") ? mnemonic.rfind('.') : mnemonic.size();
    return std::string(mnemonic.substr(0, end)) + (space == AddressSpace::None ? "" : "." + std::string(name(space)));
  }
  const std::size_t first = std::min(mnemonic.find('.'), mnemonic.size());
  const std::size_t second = std::min(mnemonic.find('.', first + 1), mnemonic.size());
  return std::string(mnemonic.substr(0, first)) + (space == AddressSpace::None ? "" : "." + std::string(name(space))) +
         std::string(mnemonic.substr(second));
}

std::string opcode_text(const Opcode& opcode) {
  std::string text = spelling(opcode.op);
  if (const AddressSpace space = opcode.mods.memory.space; space != AddressSpace::None)
    text = space == AddressSpace::Generic ? without_space(text) : with_space(text, space);
  const bool last = info(opcode.op).lift == Lift::Mbarrier;  // mbarrier.arrive.release.cta.shared
  text.insert(std::min(last ? text.rfind('.') : text.find('.'), text.size()), leading_words(opcode.mods.memory));
  const std::size_t vector = std::min({text.find(".v2"), text.find(".v4"), text.size()});
  text.insert(vector, cache_words(opcode.mods.memory));  // ld.global.cg.v2
  if (opcode.mods.unaligned) text.replace(0, text.find('.'), "barrier.cta");
  if (opcode.mods.boolean != BoolOp::None) text += "." + std::string(name(opcode.mods.boolean));
  if (opcode.mods.exclusive) text += ".exclusive";
  if (opcode.mods.round != Round::None) text += "." + std::string(name(opcode.mods.round));
  if (opcode.mods.ftz) text += ".ftz";
  if (opcode.mods.sat) text += ".sat";
  if (opcode.mods.satfinite) text += ".satfinite";
  if (opcode.mods.relu) text += ".relu";
  if (opcode.mods.nan) text += ".NaN";
  if (opcode.mods.xorsign) text += ".xorsign.abs";
  if (opcode.type != Type::None) text += "." + std::string(name(opcode.type));
  if (opcode.type2 != Type::None) text += "." + std::string(name(opcode.type2));
  return text;
}

std::string joined(const std::vector<std::string>& words, std::string_view last_joint) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " " + std::string(last_joint) + " " : ", ";
    text += words[i];
  }
  return text;
}

std::string type_list(TypeSet types) {
  std::vector<std::string> words;
  for (int t = 1; t < kTypeCount; ++t) {
    if (contains(types, static_cast<Type>(t))) words.push_back("." + std::string(name(static_cast<Type>(t))));
  }
  return joined(words, "and");
}

}  // namespace warpsim
