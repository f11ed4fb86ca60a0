// See kernel_module.h.
#include "host/device/kernel_module.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "isa/program/program_facts.h"
#include "isa/ptx/ptx_modules.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_summary.h"
#include "sim/memory/memory.h"

namespace warpsim::host {
namespace {

Failure bad_ptx(const Diagnostics& diagnostics) { return {Status::BadPtx, diagnostics.render()}; }

std::uint64_t elements_of(const Param& variable) {
  std::uint64_t count = 0;
  std::from_chars(variable.length.data(), variable.length.data() + variable.length.size(), count);
  return count;
}

// A kernel that names each variable of one of the texts: as a program it has them all, with their initial values.
ptx::Function naming_all(const ptx::Module& module, std::uint32_t file) {
  static constexpr std::string_view kRegister = "%r";
  ptx::Function function;
  function.is_entry = function.has_body = true;
  function.name = {"all variables", {}};
  function.name.where.file = file;
  ptx::Declaration holder;
  holder.space = ".reg";
  holder.type = ".b64";
  holder.name = {kRegister, function.name.where};
  function.body.emplace_back(std::make_shared<const ptx::Declaration>(holder));
  for (const ptx::Declaration& one : module.objects) {
    const bool is_variable = one.space == ".global" || one.space == ".const";
    if (!is_variable || one.name.where.file != file || !ptx::is_definition(one)) continue;
    ptx::Instruction move;
    move.opcode = "mov.u64";
    move.where = one.name.where;
    for (const std::string_view name : {kRegister, one.name.text}) {
      ptx::Operand& operand = move.operands.emplace_back();
      operand.kind = ptx::Operand::Kind::Symbol;
      operand.name = name;
      operand.where = one.name.where;
    }
    function.body.emplace_back(std::move(move));
  }
  return function;
}

}  // namespace

KernelModule::Place KernelModule::place_of(const Param& variable) {
  return {variable.where.file, variable.where.line, variable.where.column};
}

std::variant<std::unique_ptr<KernelModule>, Failure> KernelModule::load(DeviceMemory& memory,
                                                                        std::vector<PtxSource> sources) {
  if (sources.empty()) return Failure{Status::InvalidValue, "a module is made of one text of PTX or more, not of none"};
  std::vector<ptx::ReadModule> modules;
  for (PtxSource& one : sources) {
    modules.push_back(
        ptx::read_module(std::move(one.text), std::move(one.name), static_cast<std::uint32_t>(modules.size())));
    if (modules.back().diagnostics.has_errors()) return bad_ptx(modules.back().diagnostics);
  }
  std::unique_ptr<KernelModule> made(new KernelModule(memory));
  made->read_ = ptx::link(std::move(modules));
  if (made->read_.diagnostics.has_errors()) return bad_ptx(made->read_.diagnostics);
  const std::vector<ptx::EntrySummary> entries = ptx::summarize(made->read_.module);
  for (const ptx::EntrySummary& entry : entries) {
    const std::size_t function = static_cast<std::size_t>(entry.function - made->read_.module.functions.data());
    std::unique_ptr<Kernel> kernel(new Kernel(*made, function));
    kernel->symbol_ = std::string(entry.function->name.text);
    kernel->name_ = ptx::short_name(kernel->symbol_);
    for (const ptx::ParameterPlace& one : entry.parameters) {
      kernel->sizes_.push_back(one.size);
      kernel->offsets_.push_back(one.offset);
    }
    made->kernels_.push_back(std::move(kernel));
  }
  if (std::optional<Failure> failure = made->place_named_variables()) return std::move(*failure);
  return made;
}

KernelModule::~KernelModule() {
  for (const auto& [place, symbol] : variables_) static_cast<void>(memory_.free(symbol.address));
}

std::optional<Failure> KernelModule::place_named_variables() {
  const std::size_t texts = 1 + read_.module.linked.size();
  for (std::uint32_t file = 0; file < texts; ++file) {
    Diagnostics diagnostics = read_.diagnostics;
    const ptx::Function& all = read_.module.functions.emplace_back(naming_all(read_.module, file));
    const std::optional<Program> program = ptx::make_program(read_.module, all, diagnostics);
    if (!program) return bad_ptx(diagnostics);
    if (std::optional<Failure> failure = place_variables(*program)) return failure;
  }
  return std::nullopt;
}

bool KernelModule::is_managed(const Param& variable) const {
  return std::any_of(read_.module.objects.begin(), read_.module.objects.end(), [&](const ptx::Declaration& one) {
    const Place place{one.name.where.file, one.name.where.line, one.name.where.column};
    return one.is_managed && place == place_of(variable);
  });
}

// Those that no other program has named yet, with what they hold at their start.
std::optional<Failure> KernelModule::place_variables(const Program& program) {
  std::vector<std::size_t> placed;
  for (std::size_t k = 0; k < program.params.size(); ++k) {
    const Param& one = program.params[k];
    if (!one.is_variable || variables_.contains(place_of(one))) continue;
    const std::uint64_t elements = elements_of(one);
    const std::optional<std::uint64_t> address = allocate(one, elements, one.initial, memory_, is_managed(one));
    if (!address) return Failure{Status::OutOfMemory, "there is no memory for the variable `" + one.name + "`"};
    variables_[place_of(one)] = {*address, elements * static_cast<std::uint64_t>(bytes(one.type))};
    placed.push_back(k);
  }
  Binding binding;
  for (const Param& one : program.params)
    binding.params.push_back(one.is_variable ? variables_.at(place_of(one)).address : 0);
  for (const std::size_t k : placed) link_addresses(program, binding, k, memory_);
  return std::nullopt;
}

void KernelModule::set_code(std::vector<sass::Cubin> cubins, std::string why_none) {
  cubins_ = std::move(cubins);
  why_no_code_ = std::move(why_none);
}

KernelModule::Code KernelModule::code_of(const Kernel& kernel) const {
  for (const sass::Cubin& cubin : cubins_)
    for (const sass::CodeSection& section : cubin.sections)
      if (section.is_entry && section.name == kernel.symbol()) return {&cubin, &section};
  return {};
}

KernelModule::Kernel* KernelModule::find_kernel(std::string_view name) {
  Kernel* found = nullptr;
  std::size_t count = 0;
  for (const std::unique_ptr<Kernel>& one : kernels_) {
    if (one->symbol() == name) return one.get();
    if (one->name() == name) found = one.get(), ++count;
  }
  return count == 1 ? found : nullptr;
}

std::optional<Symbol> KernelModule::find_symbol(std::string_view name) const {
  for (const ptx::Declaration& one : read_.module.objects) {
    if (one.name.text != name || !ptx::is_definition(one)) continue;
    const auto found = variables_.find({one.name.where.file, one.name.where.line, one.name.where.column});
    if (found != variables_.end()) return found->second;
  }
  return std::nullopt;
}

std::uint64_t KernelModule::constant_bytes() const {
  std::uint64_t bytes = 0;
  for (const ptx::Declaration& one : read_.module.objects)
    if (one.space == ".const" && ptx::is_definition(one)) bytes += ptx::bytes_of(one).value_or(0);
  return bytes;
}

std::variant<const Program*, Failure> KernelModule::program_of(Kernel& kernel) {
  if (kernel.program_ == nullptr) {
    Diagnostics diagnostics = read_.diagnostics;
    std::optional<Program> made =
        ptx::make_program(read_.module, read_.module.functions[kernel.function_], diagnostics);
    if (!made) return bad_ptx(diagnostics);
    made->name = kernel.name_;
    source_texts_.add_to(*made);
    made->facts = std::make_shared<ProgramFacts>(*made);
    if (std::optional<Failure> failure = place_variables(*made)) return std::move(*failure);
    kernel.program_ = std::make_unique<const Program>(std::move(*made));
  }
  return kernel.program_.get();
}

std::optional<Failure> KernelModule::prepare() {
  for (const std::unique_ptr<Kernel>& kernel : kernels_) {
    auto made = program_of(*kernel);
    if (Failure* const failure = std::get_if<Failure>(&made)) return std::move(*failure);
  }
  return std::nullopt;
}

std::string KernelModule::undefined_function() const {
  for (const std::unique_ptr<Kernel>& kernel : kernels_)
    for (const Unsupported& one : kernel->program_->unsupported)
      if (one.because.starts_with("nothing defines ") || one.because.find(" has no body") != std::string::npos)
        return kernel->name_ + ": " + one.because;
  return "";
}

Binding KernelModule::bind(const Kernel& kernel, std::span<const void* const> params) const {
  Binding binding;
  const std::vector<Param>& all = kernel.program_->params;
  binding.values.resize(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::uint64_t& bits = binding.params.emplace_back(0);
    if (all[k].is_variable) {
      bits = variables_.at(place_of(all[k])).address;
      continue;
    }
    const auto* const from = static_cast<const std::byte*>(params[k]);
    if (all[k].value_bytes != 0) binding.values[k].assign(from, from + all[k].value_bytes);
    else bits = load_bits(from, static_cast<unsigned>(all[k].size_bytes()));
  }
  return binding;
}

}  // namespace warpsim::host
