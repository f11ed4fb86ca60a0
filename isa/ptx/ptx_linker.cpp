// See ptx_linker.h and ptx_program.h.
#include "isa/ptx/ptx_linker.h"

#include <algorithm>
#include <bit>
#include <set>

#include "isa/kernels/softfloat.h"
#include "isa/program/shown_type.h"
#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_shared_arrays.h"
#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {

Type type_of(std::string_view word) {
  return word.empty() || word.front() != '.' ? Type::None : parse_type(word.substr(1));
}

// ---- signatures

std::uint32_t alignment_of(const Declaration& d) {
  return static_cast<std::uint32_t>(std::max<std::uint64_t>({d.alignment, bytes_of(d.type) * d.vector, 1}));
}

Signature signature_of(const std::vector<Declaration>& results, const std::vector<Declaration>& parameters) {
  Signature made;
  std::uint64_t end = 0;
  const auto put = [&end](const Declaration& one, std::vector<std::uint32_t>& offsets) {
    end = aligned(end, alignment_of(one));
    offsets.push_back(static_cast<std::uint32_t>(end));
    end += bytes_of(one).value_or(0);
  };
  for (const Declaration& one : results) put(one, made.results);
  made.results_bytes = static_cast<std::uint32_t>(end);
  for (const Declaration& one : parameters) put(one, made.parameters);
  made.bytes = static_cast<std::uint32_t>(aligned(end, kFrameAlignment));
  return made;
}

CallParts parts_of(const Instruction& call) {
  CallParts parts;
  for (const Operand& one : call.operands) {
    if (one.kind == Operand::Kind::List) (parts.callee == nullptr ? parts.results : parts.arguments) = &one;
    else if (parts.callee == nullptr) parts.callee = &one;
    else parts.prototype = &one;
  }
  return parts;
}

// ---- names

Linker::Linker(const Module& module, const Function& entry, Diagnostics& diagnostics)
    : module_(module),
      entry_(entry),
      diagnostics_(diagnostics),
      locations_(module),
      debug_variables_(ptx::debug_variables(module)),
      symbols_(module) {
  find_names();
}

void Linker::find_names() {
  for (const Declaration& one : module_.objects) {
    if (one.space == ".local") {
      module_local_bytes_ = aligned(module_local_bytes_, alignment_of(one));
      module_locals_[&one] = module_local_bytes_;
      module_local_bytes_ += bytes_of(one).value_or(0);
    }
    if (one.initializer) note_initializer(*one.initializer, one.name.where.file);
  }
  for (std::size_t k = 0; k < module_.functions.size(); ++k) node_of(static_cast<std::int32_t>(k));
}

const Function* Linker::find_function(std::string_view name, std::uint32_t file) const {
  const std::int32_t found = symbols_.function(name, file);
  return found < 0 ? nullptr : &module_.functions[static_cast<std::size_t>(found)];
}

std::int32_t Linker::number_of(const Function& function) const {
  return static_cast<std::int32_t>(&function - module_.functions.data());
}

std::string Linker::did_you_mean(std::string_view name) const {
  const std::string meant = symbols_.nearest_defined(name);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

std::string Linker::undefined(std::string_view name, std::uint32_t file) const {
  const Declaration* const found = symbols_.object(name, file);
  const Function* const function = find_function(name, file);
  const bool is_kernel = function != nullptr && function->is_entry && !function->has_body;
  if (!is_kernel && (found == nullptr || is_definition(*found) || found->space == ".shared")) return "";
  return "nothing defines " + std::string(name) + did_you_mean(name);
}

void Linker::note_address(std::string_view name, std::uint32_t file, std::vector<std::int32_t>& kernels) {
  const std::int32_t found = symbols_.function(name, file);
  if (found < 0 || !module_.functions[static_cast<std::size_t>(found)].has_body) return;
  std::vector<std::int32_t>& into = module_.functions[static_cast<std::size_t>(found)].is_entry ? kernels : by_address_;
  if (std::find(into.begin(), into.end(), found) == into.end()) into.push_back(found);
}

void Linker::note_initializer(const Expression& expression, std::uint32_t file) {
  if (expression.kind == Expression::Kind::Symbol) note_address(expression.text, file, stored_kernels_);
  for (const Expression& part : expression.of) note_initializer(part, file);
}

void Linker::note_operand(const ptx::Operand& operand, std::uint32_t file, bool is_callee, Node& node) {
  if (operand.kind == ptx::Operand::Kind::Symbol && !is_callee) note_address(operand.name, file, node.kernels);
  if (operand.kind == ptx::Operand::Kind::Symbol && is_callee) {
    const std::int32_t found = symbols_.function(operand.name, file);
    if (found >= 0) node.calls.push_back(found);
    else node.calls_pointers = true;
  }
  for (const ptx::Operand& part : operand.parts) note_operand(part, file, false, node);
}

// Whom a function calls: found once.
const Linker::Node& Linker::node_of(std::int32_t function) {
  const auto [at, is_new] = nodes_.try_emplace(function);
  if (!is_new) return at->second;
  const Function& from = module_.functions[static_cast<std::size_t>(function)];
  for (const Statement& statement : from.body) {
    if (const Declaration* const declared = declaration_in(statement); declared != nullptr && declared->initializer)
      note_initializer(*declared->initializer, declared->name.where.file);
    const auto* instruction = std::get_if<Instruction>(&statement);
    if (instruction == nullptr) continue;
    const ptx::Operand* const callee = is_call(*instruction) ? parts_of(*instruction).callee : nullptr;
    for (const ptx::Operand& operand : instruction->operands)
      note_operand(operand, from.name.where.file, &operand == callee, at->second);
  }
  return at->second;
}

std::vector<std::int32_t> Linker::targets_of(std::int32_t function) {
  const Node& node = node_of(function);
  std::vector<std::int32_t> all = node.calls;
  if (node.calls_pointers) all.insert(all.end(), by_address_.begin(), by_address_.end());
  return all;
}

// Those that the entry's launches may lead to, itself left out.
std::vector<std::int32_t> Linker::launched_kernels() {
  std::vector<std::int32_t> todo = stored_kernels_, kernels;
  std::set<std::int32_t> seen;
  todo.push_back(number_of(entry_));
  while (!todo.empty()) {
    const std::int32_t one = todo.back();
    todo.pop_back();
    if (!seen.insert(one).second) continue;
    const Function& f = module_.functions[static_cast<std::size_t>(one)];
    if (f.is_entry && &f != &entry_) kernels.push_back(one);
    const std::vector<std::int32_t> calls = targets_of(one), launches = node_of(one).kernels;
    todo.insert(todo.end(), calls.begin(), calls.end());
    todo.insert(todo.end(), launches.begin(), launches.end());
  }
  return kernels;
}

// Those that it calls come first; of a circle, whoever is met first comes last.
void Linker::place(std::int32_t function) {
  const Function& f = module_.functions[static_cast<std::size_t>(function)];
  if (!f.has_body || placed_.count(function) != 0 ||
      std::find(being_placed_.begin(), being_placed_.end(), function) != being_placed_.end())
    return;
  constexpr std::size_t kMostNesting = 1000;
  if (being_placed_.size() >= kMostNesting)
    return diagnostics_.error("P033", f.name.where, "functions that call each other more than 1000 deep");
  being_placed_.push_back(function);
  for (const std::int32_t target : targets_of(function)) place(target);
  being_placed_.pop_back();
  const std::int32_t routine = static_cast<std::int32_t>(program_.routines.size());
  placed_[function] = routine;
  Routine& made = program_.routines.emplace_back();
  made.name = demangled(f.name.text);
  made.function = static_cast<std::uint32_t>(function);
  made.is_kernel = f.is_entry;
  made.first = static_cast<std::int32_t>(program_.code.size());
  const std::size_t registers = program_.registers.size();
  Lowering(*this, f, routine).run();
  made.end = static_cast<std::int32_t>(program_.code.size());
  if (!may_come_back(function)) return;
  for (std::size_t r = registers; r < program_.registers.size(); ++r)
    if (static_cast<std::int32_t>(r) != program_.frame_register) made.kept.push_back(static_cast<std::int32_t>(r));
}

bool Linker::may_come_back(std::int32_t function) {
  std::vector<std::int32_t> todo = targets_of(function), seen;
  while (!todo.empty()) {
    const std::int32_t one = todo.back();
    todo.pop_back();
    if (one == function) return true;
    if (std::find(seen.begin(), seen.end(), one) != seen.end()) continue;
    seen.push_back(one);
    const std::vector<std::int32_t> more = targets_of(one);
    todo.insert(todo.end(), more.begin(), more.end());
  }
  return false;
}

void Linker::bind_calls() {
  for (const auto& [pc, function] : calls_)
    program_.code[pc].operands[0].target = program_.routines[static_cast<std::size_t>(placed_.at(function))].first;
}

std::int32_t Linker::frame_register() {
  if (program_.frame_register < 0) {
    program_.frame_register = static_cast<std::int32_t>(program_.registers.size());
    program_.registers.push_back({"%local.frame", RegClass::R64, Type::U64, {}});
  }
  return program_.frame_register;
}

// What a launch passes: numbers and structures.
std::vector<Param> parameters_of(const Function& entry) {
  std::vector<Param> params;
  for (const Declaration& one : entry.parameters) {
    Param& made = params.emplace_back();
    made.name = std::string(one.name.text);
    made.where = one.name.where;
    made.type = type_of(one.type);
    const std::uint64_t size = bytes_of(one).value_or(0);
    if (made.type != Type::None && one.lengths.empty() && one.vector == 1) continue;
    made.type = Type::B8;
    made.value_bytes = static_cast<std::uint32_t>(size);
    made.alignment_bytes = alignment_of(one);
  }
  place_params(params);
  return params;
}

// Dimensions that a directive leaves out are 1.
void Linker::take_limits() {
  const auto dimension = [](const Directive& from, std::size_t k) {
    constexpr std::uint64_t kMost = 0xffff'ffff;  // more than a launch can have
    return k < from.values.size() ? std::min(from.values[k], kMost) : 1;
  };
  for (const Directive& one : entry_.directives) {
    const std::uint64_t x = dimension(one, 0), y = dimension(one, 1), z = dimension(one, 2);
    if (one.name.text == ".reqntid")
      program_.required_block = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                 static_cast<std::uint32_t>(z)};
    if (one.name.text != ".maxntid") continue;
    constexpr std::uint64_t kEnough = 1 << 20;
    program_.most_threads = std::min(std::min(x, kEnough) * std::min(y, kEnough), kEnough) * std::min(z, kEnough);
  }
}

std::optional<Program> Linker::run() {
  program_.name = std::string(entry_.name.text);
  program_.where = entry_.name.where;
  program_.is_from_ptx = true;
  auto source = std::make_shared<warpsim::Module>();
  source->files.push_back({diagnostics_.file, module_.text});
  source->files.insert(source->files.end(), diagnostics_.others.begin(), diagnostics_.others.end());
  source->texts = static_cast<std::uint32_t>(source->files.size());
  locations_.add_files(source->files);
  program_.module = std::move(source);
  program_.params = parameters_of(entry_);
  for (const std::int32_t kernel : launched_kernels()) place(kernel);
  take_limits();
  place(number_of(entry_));
  for (std::size_t k = 0; k < to_initialize_.size(); ++k)
    initialize(to_initialize_[k].first, *to_initialize_[k].second);
  if (diagnostics_.has_errors()) return std::nullopt;
  bind_calls();
  if (program_.routines.size() == 1 && program_.frame_register < 0) program_.routines.clear();
  show_shared_arrays(program_);
  infer_shown_types(program_);
  return std::move(program_);
}

// ---- objects

namespace {

// What is of no type of ours is bytes.
Type element_of(const Declaration& d) { return type_of(d.type) == Type::None ? Type::B8 : type_of(d.type); }
std::uint64_t elements_in(const Declaration& d) {
  return bytes_of(d).value_or(0) / std::max<std::uint64_t>(static_cast<std::uint64_t>(bytes(element_of(d))), 1);
}

}  // namespace

std::int32_t Linker::object_of(const Declaration& d, AddressSpace space) {
  std::vector<Object>& objects = space == AddressSpace::Local ? program_.locals : program_.objects;
  const auto [at, is_new] = made_objects_.try_emplace(&d, static_cast<std::int32_t>(objects.size()));
  if (!is_new) return at->second;
  Object& made = objects.emplace_back();
  made.name = std::string(d.name.text);
  made.space = space;
  made.type = element_of(d);
  made.length = ConstExpr::number(static_cast<std::int64_t>(elements_in(d)));
  made.alignment_bytes = alignment_of(d);
  made.is_dynamic = space == AddressSpace::Shared && d.linkage == Linkage::Extern;
  made.where = d.name.where;
  return at->second;
}

std::int32_t Linker::shared(std::string_view name, std::uint32_t file) {
  const Declaration* const found = symbols_.object(name, file);
  if (found == nullptr || found->space != ".shared") return -1;
  return object_of(*found, AddressSpace::Shared);
}

std::optional<std::uint64_t> Linker::module_local(std::string_view name, std::uint32_t file) const {
  const auto found = module_locals_.find(symbols_.object(name, file));
  if (found == module_locals_.end()) return std::nullopt;
  return found->second;
}

std::int32_t Linker::variable(std::string_view name, std::uint32_t file) {
  const Declaration* const found = symbols_.object(name, file);
  if (found == nullptr || (found->space != ".global" && found->space != ".const")) return -1;
  return variable_of(*found, std::string(name));
}

std::int32_t Linker::variable_of(const Declaration& d, std::string shown) {
  const std::int32_t param = static_cast<std::int32_t>(program_.params.size());
  const auto [at, is_new] = variables_.try_emplace(&d, param);
  if (!is_new) return at->second;
  const auto is_taken = [&](const Param& one) { return one.name == shown; };
  // Of another module, or in another scope.
  while (std::any_of(program_.params.begin(), program_.params.end(), is_taken))
    shown += d.name.where.file != 0 ? "@" + std::to_string(d.name.where.file) : "'";
  Param& made = program_.params.emplace_back();
  made.name = std::move(shown);
  made.where = d.name.where;
  made.is_variable = true;
  made.is_constant = d.space == ".const";
  made.kind = made.is_constant ? Param::Kind::In : Param::Kind::InOut;
  made.type = element_of(d);
  made.alignment_bytes = alignment_of(d);
  made.length = std::to_string(elements_in(d));
  if (d.initializer) to_initialize_.emplace_back(param, &d);
  return param;
}

// ---- initial values

void Linker::initialize(std::int32_t param, const Declaration& d) {
  Param filled = program_.params[static_cast<std::size_t>(param)];  // others may be added meanwhile
  std::uint64_t at = 0;
  put_values(filled, d, *d.initializer, at);
  program_.params[static_cast<std::size_t>(param)] = std::move(filled);
}

// Lists within lists are rows: what a row leaves out is zeros.
void Linker::put_values(Param& into, const Declaration& d, const Expression& value, std::uint64_t& at) {
  if (value.kind != Expression::Kind::List) {
    const std::uint64_t size = static_cast<std::uint64_t>(bytes(into.type));
    if (!put_address(into, d, value, at * size)) put_number(into, d, value, at);
    ++at;
    return;
  }
  std::uint64_t row = 1;
  const bool has_rows = !value.of.empty() && value.of.front().kind == Expression::Kind::List;
  for (std::size_t k = 1; has_rows && k < d.lengths.size(); ++k)
    row *= constant_of(d.lengths[k]).value_or(1);  // of the outermost lists; deeper ones are as they come
  const std::uint64_t begin = at;
  for (std::size_t k = 0; k < value.of.size(); ++k) {
    if (has_rows) at = std::max(at, begin + k * row);
    put_values(into, d, value.of[k], at);
  }
}

void Linker::put_number(Param& into, const Declaration& d, const Expression& value, std::uint64_t at) {
  std::uint64_t bits = 0;
  const bool negative = value.kind == Expression::Kind::Unary && value.text == "-";
  const Expression& of = negative ? value.of.front() : value;
  if (of.kind == Expression::Kind::F32 || of.kind == Expression::Kind::F64) {
    bits = of.bits;
    if (of.kind == Expression::Kind::F64 && is_float(into.type)) bits = softfloat::literal(into.type, of.bits);
    if (negative) bits ^= std::uint64_t{1} << (warpsim::bits(into.type) - 1);
  } else if (const std::optional<std::uint64_t> number = constant_of(value)) {
    bits = *number;
  } else {
    return diagnostics_.error("P025", value.where, "a value of " + quoted(d.name.text) + " is no constant",
                              "numbers, addresses of variables and of functions are");
  }
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 28;
  if (at >= kMostElements) return;
  if (into.initial.size() <= at) into.initial.resize(at + 1);
  into.initial[at] = bits;
}

// variable, variable+8, generic(shared)+4, function, 0xff00(variable)
bool Linker::put_address(Param& into, const Declaration& d, const Expression& value, std::uint64_t at) {
  const std::uint32_t file = d.name.where.file;
  InitialAddress address{at,   static_cast<std::uint32_t>(bytes(into.type)), InitialAddress::Of::Variable, 0, 0, 0,
                         false};
  const Expression* part = &value;
  if (part->kind == Expression::Kind::Bytes) {
    address.shift = part->bits == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(part->bits));
    part = &part->of.front();
  }
  if (part->kind == Expression::Kind::Binary && (part->text == "+" || part->text == "-")) {
    const std::optional<std::uint64_t> far = constant_of(part->of[1]);
    if (!far) return false;
    address.addend = part->text == "+" ? *far : 0 - *far;
    part = &part->of.front();
  }
  if (part->kind == Expression::Kind::Generic) {
    address.is_generic = true;
    part = &part->of.front();
  }
  if (part->kind != Expression::Kind::Symbol) return false;
  if (const std::string why = undefined(part->text, file); !why.empty()) {
    diagnostics_.error("P025", part->where, quoted(d.name.text) + " begins as an address, but " + why);
    return true;
  }
  if (const std::int32_t other = variable(part->text, file); other >= 0) {
    address.index = other;
  } else if (const std::int32_t object = shared(part->text, file); object >= 0) {
    address.of = InitialAddress::Of::Shared;
    address.index = object;
  } else if (const Function* const function = find_function(part->text, file); function != nullptr) {
    address.of = InitialAddress::Of::Function;
    address.index = number_of(*function);
  } else {
    return false;
  }
  into.addresses.push_back(address);
  return true;
}

std::optional<Program> make_program(const Module& module, const Function& entry, Diagnostics& diagnostics) {
  return Linker(module, entry, diagnostics).run();
}

}  // namespace warpsim::ptx
