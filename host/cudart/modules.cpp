// See modules.h.
#include "host/cudart/modules.h"

#include <errno.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "host/cudart/module_code.h"

namespace warpsim::cudart {

FatBinary* Modules::add(const FatWrapper* wrapper) {
  return binaries_.emplace_back(std::make_unique<FatBinary>(FatBinary{wrapper})).get();
}

void Modules::remove(const FatBinary* binary) {
  std::erase_if(functions_, [binary](const auto& one) { return one.second.binary == binary; });
  std::erase_if(variables_, [binary](const auto& one) { return one.second.binary == binary; });
  for (const auto& [name, function] : binary->by_name) named_.erase(function.get());
  if (binary->module != nullptr) static_cast<void>(device_.unload(binary->module));
  std::erase_if(binaries_, [binary](const auto& one) { return one.get() == binary; });
}

Function* Modules::find_function(const void* host) {
  const auto found = functions_.find(host);
  if (found != functions_.end()) return &found->second;
  if (named_.contains(host)) return static_cast<Function*>(const_cast<void*>(host));
  for (auto& [key, function] : functions_)
    if (&function == host) return &function;
  return nullptr;
}

cudaError_t Modules::load(FatBinary& binary) {
  if (binary.module != nullptr || binary.error != cudaSuccess || binary.wrapper == nullptr) return binary.error;
  ImageTexts read = read_wrapper(*binary.wrapper, program_invocation_short_name, wanted_code());
  if (read.error == cudaSuccess) binary.module = load(read);
  binary.error = read.error;
  if (binary.error != cudaSuccess) say_(read.why);
  return binary.error;
}

host::KernelModule* Modules::load(ImageTexts& image) {
  const std::vector<host::PtxSource> texts = options_.times_code ? image.sources : std::vector<host::PtxSource>();
  auto made = device_.load(std::move(image.sources));
  if (const auto* const failure = std::get_if<host::Failure>(&made)) {
    image.error = failure->status == host::Status::OutOfMemory ? cudaErrorMemoryAllocation : cudaErrorInvalidPtx;
    image.why = failure->text;
    return nullptr;
  }
  host::KernelModule* const module = std::get<host::KernelModule*>(made);
  if (options_.times_code) give_code(*module, image.cubins, texts, options_.ptxas);
  return module;
}

FatBinary* Modules::add(ImageTexts& image) {
  host::KernelModule* const module = load(image);
  if (module == nullptr) return nullptr;
  if (const std::optional<host::Failure> failure = module->prepare()) {
    static_cast<void>(device_.unload(module));
    image.error = cudaErrorInvalidPtx;
    image.why = failure->text;
    return nullptr;
  }
  return binaries_.emplace_back(new FatBinary{nullptr, module}).get();
}

bool Modules::is_live(const FatBinary* binary) const {
  return std::any_of(binaries_.begin(), binaries_.end(), [binary](const auto& one) { return one.get() == binary; });
}

Function* Modules::find_function(FatBinary& binary, const std::string& symbol) {
  if (load(binary) != cudaSuccess) return nullptr;
  const auto found = binary.by_name.find(symbol);
  if (found != binary.by_name.end()) return found->second.get();
  host::KernelModule::Kernel* const kernel = binary.module->find_kernel(symbol);
  if (kernel == nullptr || kernel->symbol() != symbol) return nullptr;
  Function* const made = (binary.by_name[symbol] = std::make_unique<Function>(Function{&binary, symbol, kernel})).get();
  named_.insert(made);
  return made;
}

cudaError_t Modules::initialize(FatBinary& binary) {
  for (auto& [host, variable] : variables_) {
    if (variable.binary != &binary || variable.managed == nullptr) continue;
    host::Symbol symbol;
    if (const cudaError_t error = find_symbol(host, symbol); error != cudaSuccess) return error;
    *variable.managed = reinterpret_cast<void*>(symbol.address);
  }
  return cudaSuccess;
}

cudaError_t Modules::use(Function& function) {
  if (const cudaError_t error = load(*function.binary); error != cudaSuccess) return error;
  if (function.kernel == nullptr) function.kernel = function.binary->module->find_kernel(function.symbol);
  return function.kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

cudaError_t Modules::find_symbol(const void* host, host::Symbol& symbol) {
  auto found = variables_.find(host);
  if (found == variables_.end())  // a managed variable is asked for by the pointer's value
    found = std::find_if(variables_.begin(), variables_.end(), [host](const auto& one) {
      return one.second.managed != nullptr && *one.second.managed == host && host != nullptr;
    });
  if (found == variables_.end()) return cudaErrorInvalidSymbol;
  if (const cudaError_t error = load(*found->second.binary); error != cudaSuccess) return error;
  const auto in_memory = found->second.binary->module->find_symbol(found->second.name);
  if (!in_memory) return cudaErrorInvalidSymbol;
  symbol = *in_memory;
  return cudaSuccess;
}

bool Modules::is_managed(std::uint64_t address) const {
  return std::any_of(variables_.begin(), variables_.end(), [address](const auto& one) {
    const Variable& variable = one.second;
    if (variable.managed == nullptr || variable.binary->module == nullptr) return false;
    const auto symbol = variable.binary->module->find_symbol(variable.name);
    return symbol && address >= symbol->address && address - symbol->address < symbol->size_bytes;
  });
}

}  // namespace warpsim::cudart
