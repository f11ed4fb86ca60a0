// The rows of the table that an opcode's words may mean: see opcode_rows.h.
#include "isa/assembly/opcode_rows.h"

#include <algorithm>
#include <initializer_list>

#include "isa/assembly/opcode.h"

namespace warpsim {

Round parse_round(std::string_view word) {
  for (const Round r :
       {Round::Rn, Round::Rz, Round::Rm, Round::Rp, Round::Rni, Round::Rzi, Round::Rmi, Round::Rpi, Round::Rna}) {
    if (name(r) == word) return r;
  }
  return Round::None;
}

BoolOp parse_bool_op(std::string_view word) {
  for (const BoolOp operation : {BoolOp::And, BoolOp::Or, BoolOp::Xor}) {
    if (name(operation) == word) return operation;
  }
  return BoolOp::None;
}

bool is_noise(std::string_view word, const OpInfo& row) {
  const auto is_one_of = [word](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (is_block_barrier(row)) return is_one_of({"sync", "cta", "aligned"});
  if (word == "sync") return row.unit == Unit::Shfl || row.unit == Unit::Vote || row.unit == Unit::Barrier;
  return word == "uni" && row.unit == Unit::Branch;
}

namespace {

// Marks the words that make the row's mnemonic; false if they are not there in order.
bool match_mnemonic(std::string_view mnemonic, const std::vector<std::string_view>& words, std::vector<bool>& used) {
  // Nearly every row, at no cost.
  if (words.empty() || words.front().empty() || words.front().front() != mnemonic.front()) return false;
  used.assign(words.size(), false);
  std::size_t at = 0;
  for (std::size_t begin = 0; begin <= mnemonic.size();) {
    const std::size_t end = std::min(mnemonic.find('.', begin), mnemonic.size());
    const std::string_view part = mnemonic.substr(begin, end - begin);
    const bool is_first = begin == 0;
    begin = end + 1;
    while (at < words.size() && words[at] != part) {
      if (is_first) return false;
      ++at;
    }
    if (at == words.size()) return false;
    used[at++] = true;
  }
  return true;
}

bool is_qualifier(std::string_view word, const OpInfo& row) {
  return takes_semantics(row, parse_semantics(word)) || takes_scope(row, parse_scope(word)) ||
         takes_cache(row, parse_cache(word)) || takes_hint(row, parse_hint(word)) ||
         (word == "nc" && takes_non_coherent(row)) || (word == kCachePolicyWord && (row.mods & kCache) != 0);
}

// Does the row take all the words that its mnemonic leaves over? So `add.sat.f32` is row add with a modifier, beside
// the row add.sat that other types have.
bool takes_the_rest(const OpInfo& row, const std::vector<std::string_view>& words, const std::vector<bool>& used) {
  std::size_t types = 0;
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (used[w]) continue;
    const Type type = parse_type(words[w]);
    if (type != Type::None && !contains(types++ == 0 ? row.types : second_types(row.types), type)) return false;
    const bool sat = words[w] == "sat" && (row.mods & kSat) != 0;
    const bool combines = parse_bool_op(words[w]) != BoolOp::None && (row.mods & kBoolOp) != 0;
    const bool modifier =
        parse_round(words[w]) != Round::None || words[w] == "ftz" || words[w] == "exclusive" || sat || combines;
    if (type == Type::None && !modifier && !is_qualifier(words[w], row) && !is_noise(words[w], row)) return false;
  }
  return true;
}

}  // namespace

OpcodeMatch find_rows(const std::vector<std::string_view>& words, bool exactly, std::span<const OpInfo> rows) {
  OpcodeMatch best;
  std::size_t best_parts = 0;
  std::vector<bool> used;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const OpInfo& row = rows[i];
    if (!match_mnemonic(row.mnemonic, words, used)) continue;
    if (exactly && !takes_the_rest(row, words, used)) continue;
    const std::size_t parts = static_cast<std::size_t>(std::count(row.mnemonic.begin(), row.mnemonic.end(), '.')) + 1;
    if (parts > best_parts) {
      best = {{static_cast<Op>(i)}, used, false};
      best_parts = parts;
    } else if (parts == best_parts && info(best.rows[0]).mnemonic == row.mnemonic) {
      best.rows.push_back(static_cast<Op>(i));
    }
  }
  return best;
}

OpcodeMatch find_any_space(const std::vector<std::string_view>& words) {
  std::vector<bool> used;
  for (std::size_t i = 0; i < assembly_ops().size(); ++i) {
    const OpInfo& row = assembly_ops()[i];
    if (!accesses_memory(row)) continue;
    if (!match_mnemonic(without_space(row.mnemonic), words, used)) continue;
    bool understood = true;
    for (std::size_t w = 1; w < words.size(); ++w)
      understood = understood && (used[w] || parse_type(words[w]) != Type::None || is_qualifier(words[w], row) ||
                                  is_noise(words[w], row));
    if (understood) return {{static_cast<Op>(i)}, used, true};
  }
  return {};
}

}  // namespace warpsim
