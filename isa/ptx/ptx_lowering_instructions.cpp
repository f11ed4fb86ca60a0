// Instructions of PTX as rows of the table; see ptx_lowering.h.
#include <algorithm>
#include <array>

#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_summary.h"
#include "isa/text/number_text.h"

namespace warpsim::ptx {
namespace {

using Given = ptx::Operand;
using Made = warpsim::Operand;

AddressSpace space_named(std::string_view word) {
  if (word == "global") return AddressSpace::Global;
  if (word == "shared") return AddressSpace::Shared;
  if (word == "local") return AddressSpace::Local;
  if (word == "const") return AddressSpace::Constant;
  if (word == "param" || word == "param::entry" || word == "param::func") return AddressSpace::Param;
  return AddressSpace::None;
}

// Hints of where to keep what is read: they change no value.
bool is_cache_hint(std::string_view word) {
  constexpr std::array<std::string_view, 9> kWords = {"nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "unified"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() || word.starts_with("L1::") ||
         (word.starts_with("L2::") && word != "L2::cache_hint");
}

// Comparisons of unsigned integers may name their order.
std::string_view comparison_of(std::string_view word) {
  return word == "lo" ? "lt" : word == "ls" ? "le" : word == "hi" ? "gt" : word == "hs" ? "ge" : word;
}

// As the table spells them: without what changes nothing here.
std::vector<std::string_view> words_of(std::string_view opcode) {
  if (opcode == "fence.mbarrier_init.release.cluster") return {"fence", "acq_rel", "cluster"};
  std::vector<std::string_view> words = split_at_dots(opcode);
  std::erase(words, "mmio");  // there are no devices
  if (words[0] == "mbarrier") std::erase(words, "noComplete");
  if (words[0] == "pmevent") std::erase(words, "mask");
  if (words[0] == "fence" && words.size() == 3 && (words[1] == "acquire" || words[1] == "release"))
    words[1] = "acq_rel";
  if (words[0] == "isspacep" && words.back() == "param::entry") words.back() = "param";
  if (words[0] == "cp") std::erase_if(words, [](std::string_view word) { return word.starts_with("L2::"); });
  if (words[0] == "setp" || words[0] == "set")
    for (std::string_view& word : words) word = comparison_of(word);
  return words;
}

const Given* address_in(const Instruction& from) {
  for (const Given& one : from.operands)
    if (one.kind == Given::Kind::Address) return &one;
  return nullptr;
}

}  // namespace

Insn Lowering::made(const Instruction& from, Op op, Type type) {
  Insn insn;
  insn.op = op;
  insn.type = type;
  insn.where = from.where;
  if (!from.guard) return insn;
  const Symbol* const symbol = find(from.guard->predicate.text);
  if (symbol == nullptr || symbol->kind != Symbol::Kind::Register) {
    fail("P024", from.guard->predicate.where, "nothing declares " + quoted(from.guard->predicate.text),
         meant_by(from.guard->predicate.text, from.guard->predicate.where, Type::Pred));
    return insn;
  }
  insn.guard = {register_of(*symbol->declaration, from.guard->predicate.text), from.guard->negated};
  if (class_of(insn.guard.reg) != RegClass::Pred)
    fail("P023", from.guard->predicate.where, quoted(from.guard->predicate.text) + " is no predicate");
  return insn;
}

void Lowering::emit(Insn insn) {
  program_.code.push_back(std::move(insn));
  for (Insn& one : after_) program_.code.push_back(std::move(one));
  after_.clear();
}

// What was made of the instruction so far goes; a trap stands for it.
bool Lowering::refuse(const Instruction& from, const std::string& because) {
  if (failed_ || refused_) return false;
  refused_ = true;
  diagnostics_.warning("P020", from.where, quoted(from.opcode) + " is not supported: " + because,
                       "the run stops where it would execute it");
  because_ = because;
  return false;
}

namespace {

// max.f32 d, a, b, c
bool is_of_three(const Instruction& one) {
  constexpr std::size_t kOperands = 4;
  return one.operands.size() == kOperands && one.opcode.ends_with(".f32") &&
         (one.opcode.starts_with("min.") || one.opcode.starts_with("max."));
}

}  // namespace

// A cluster of one block is a block.
void Lowering::cluster(const Directive& size) {
  if (size.name.text != ".reqnctapercluster" ||
      std::all_of(size.values.begin(), size.values.end(), [](std::uint64_t blocks) { return blocks < 2; }))
    return;
  Instruction from;
  from.opcode = size.name.text;
  from.where = size.name.where;
  refused_ = false;
  refuse(from, "clusters of several blocks");
  stop_at(from);
}

// In place of an instruction that is refused.
void Lowering::stop_at(const Instruction& from) {
  program_.unsupported.push_back({static_cast<std::int32_t>(program_.code.size()), std::string(from.opcode), because_});
  program_.code.push_back(made(from, Op::Trap, Type::None));
}

void Lowering::instruction(const Instruction& from) {
  failed_ = refused_ = false;
  const std::size_t begin = program_.code.size(), uses = uses_.size();
  after_.clear();
  for (auto& [cls, scratch] : scratch_) scratch.used = 0;
  lower(from);
  if (!refused_) return;
  program_.code.resize(begin);
  uses_.resize(uses);
  linker_.forget_calls(begin);
  after_.clear();
  stop_at(from);
}

void Lowering::lower(const Instruction& from) {
  for (const Given& one : from.operands)
    if (vector_register(one) != nullptr) return lower(with_elements(from));
  if (is_call(from)) return call(from);
  if (from.opcode == "ret" || from.opcode.starts_with("ret.")) return return_from(from);
  if (lower_in_steps(from)) return;
  if (is_of_three(from))
    return static_cast<void>(refuse(from, "the least and the greatest of three values, which sm_100 has"));
  AddressSpace space = AddressSpace::None;
  std::optional<Opcode> opcode = opcode_of(from, space);
  if (!opcode || failed_) return;
  choose_braces(from, *opcode);
  if (space == AddressSpace::Param && read_parameter(from, *opcode)) return;
  if (has_trait(info(opcode->op), kCopies) && move_address(from, *opcode)) return;
  Insn insn = made(from, opcode->op, opcode->type);
  insn.type2 = opcode->type2;
  insn.mods = opcode->mods;
  if (space != AddressSpace::None && space != info(insn.op).space) insn.mods.memory.space = space;
  if (!failed_ && bind_all(from, insn) && !failed_) emit(std::move(insn));
}

void Lowering::return_from(const Instruction& from) {
  if (!function_.is_entry) move_registers(from, false, function_.results, signature_.results);
  emit(made(from, function_.is_entry ? Op::Exit : Op::Ret, Type::None));
}

// The row, and of a memory access the space. The table's rows are those of global and shared memory.
std::optional<Opcode> Lowering::opcode_of(const Instruction& from, AddressSpace& space) {
  std::vector<std::string_view> words = words_of(from.opcode);
  const bool accesses =
      words[0] == "ld" || words[0] == "st" || words[0] == "atom" || words[0] == "red" || words[0] == "ldu";
  if (accesses) {
    if (words[0] == "ldu") words[0] = "ld";
    if (words.size() > 1 && words[1] == "async") return refuse(from, refused_because(from.opcode)), std::nullopt;
    std::erase_if(words, is_cache_hint);
    for (std::string_view& word : words) {
      if (space_named(word) == AddressSpace::None) continue;
      space = space_named(word);
      if (space != AddressSpace::Shared && space != AddressSpace::Param) word = "global";
    }
    if (space == AddressSpace::None) {
      const bool is_shared = names_shared_memory(from);
      space = is_shared ? AddressSpace::Shared : AddressSpace::Generic;
      words.insert(words.begin() + 1, is_shared ? "shared" : "global");
    }
    if (space == AddressSpace::Param) space = space_of_parameter(from);
    if (space == AddressSpace::Local || (space == AddressSpace::Param && words[0] == "st"))
      for (std::string_view& word : words)
        if (space_named(word) == AddressSpace::Param) word = "global";
    if (space == AddressSpace::Param)  // one is read after another: read_parameter()
      std::erase_if(words, [](std::string_view word) { return word == "v2" || word == "v4"; });
  }
  std::string text(words[0]);
  for (std::size_t k = 1; k < words.size(); ++k) text += "." + std::string(words[k]);
  Diagnostics said;
  warpsim::Token token;
  token.kind = warpsim::Token::Kind::Word;
  token.text = text;
  token.where = from.where;
  std::optional<Opcode> opcode = select_opcode(token, said, true);
  if (!opcode) refuse(from, refused_because(from.opcode));
  return opcode;
}

// [s+4], without a space in the opcode: ptxas takes it from the name.
bool Lowering::names_shared_memory(const Instruction& from) {
  const Given* const address = address_in(from);
  if (address == nullptr || address->parts.empty() || address->parts.front().kind != Given::Kind::Symbol) return false;
  const Symbol* const symbol = find(address->parts.front().name);
  return symbol != nullptr ? symbol->kind == Symbol::Kind::Shared
                           : linker_.shared(address->parts.front().name, file()) >= 0;
}

// ld.param of a function is local memory; of the kernel, parameters.
AddressSpace Lowering::space_of_parameter(const Instruction& from) {
  const Given* const address = address_in(from);
  if (address == nullptr || address->parts.empty()) return AddressSpace::Param;
  const Symbol* const symbol = find(address->parts.front().name);
  const bool in_frame =
      symbol != nullptr && (symbol->kind == Symbol::Kind::Frame || symbol->kind == Symbol::Kind::Outgoing);
  return in_frame || !function_.is_entry ? AddressSpace::Local : AddressSpace::Param;
}

// mov.b64 {a, b}, c; mov.b64 c, {a, b}
void Lowering::choose_braces(const Instruction& from, Opcode& opcode) const {
  if (opcode.op != Op::Mov || from.operands.size() != 2) return;
  const Given &d = from.operands[0], &a = from.operands[1];
  if (d.kind == Given::Kind::Vector) opcode.op = d.parts.size() == 4 ? Op::Unpack4 : Op::Unpack2;
  if (a.kind == Given::Kind::Vector) opcode.op = a.parts.size() == 4 ? Op::Pack4 : Op::Pack2;
  if (opcode.op == Op::Mov) return;
  const int width = bits(opcode.type);
  opcode.type = width == 64 ? Type::B64 : Type::B32;
}

// mov of what is in the frame: an addition. Of a parameter in the kernel's: its place.
bool Lowering::move_address(const Instruction& from, const Opcode& opcode) {
  if (from.operands.size() != 2 || bits(opcode.type) != 64) return false;
  const Given& source = from.operands[1];
  if (source.kind != Given::Kind::Symbol || source.name.starts_with("%")) return false;
  const std::optional<Place> place = place_of(source);
  if (!place || !place->frame) return false;
  Insn add = made(from, Op::Add, Type::U64);
  add.operands = {Made{}, register_operand(linker_.frame_register()), number_operand(place->offset)};
  if (place->outgoing) return refuse(from, "the address of an argument"), true;
  if (bind_destination(from, add, 0, from.operands[0])) emit(std::move(add));
  return true;
}

// ld.param of the kernel by name: numbers known before the run. A vector is one read after another. By a register it is
// a load from the parameters' space.
bool Lowering::read_parameter(const Instruction& from, const Opcode& opcode) {
  const Given* const address = address_in(from);
  if (address == nullptr || address->parts.size() != 1) return false;
  const std::optional<Place> place =
      address->parts.front().kind == Given::Kind::Symbol ? place_of(address->parts.front()) : std::nullopt;
  if (!place || place->param < 0) return load_from_parameters(from, opcode), true;
  const Given& target = from.operands.front();
  const bool is_vector = target.kind == Given::Kind::Vector;
  for (std::size_t k = 0; k < (is_vector ? target.parts.size() : 1); ++k) {
    Insn read = made(from, Op::LdParam, opcode.type);
    Made source;
    source.kind = Made::Kind::Param;
    source.param = place->param;
    source.where = address->where;
    const std::int64_t offset = place->offset + static_cast<std::int64_t>(k) * bytes(opcode.type);
    if (offset != 0) source.expr = ConstExpr::number(offset);
    const Param& param = program_.params[static_cast<std::size_t>(place->param)];
    if (offset < 0 || offset + bytes(opcode.type) > static_cast<std::int64_t>(param.size_bytes())) {
      fail("P028", address->where,
           "bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes(opcode.type) - 1) + " of " +
               quoted(param.name) + ", which has " + counted(param.size_bytes(), "byte"));
      return true;
    }
    read.operands = {Made{}, source};
    if (!bind_destination(from, read, 0, is_vector ? target.parts[k] : target)) return true;
    emit(std::move(read));
  }
  return true;
}

void Lowering::load_from_parameters(const Instruction& from, const Opcode& opcode) {
  const Given& target = from.operands.front();
  const std::size_t count = target.kind == Given::Kind::Vector ? target.parts.size() : 1;
  Insn load = made(from, count == 4 ? Op::LdGlobalV4 : count == 2 ? Op::LdGlobalV2 : Op::LdGlobal, opcode.type);
  load.mods.memory.space = AddressSpace::Param;
  if (!failed_ && bind_all(from, load) && !failed_) emit(std::move(load));
}

}  // namespace warpsim::ptx
