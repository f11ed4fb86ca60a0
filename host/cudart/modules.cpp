// See modules.h.
#include "host/cudart/modules.h"

#include <errno.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include "host/fatbin/fat_binary.h"

namespace warpsim::cudart {
namespace {

// The header says how much there is; before it is read, nothing else does.
std::span<const std::byte> bytes_of(const void* fat_binary) {
  constexpr std::size_t kHeaderBytes = 16;
  const auto* const bytes = static_cast<const std::byte*>(fat_binary);
  std::uint64_t payload = 0;
  std::memcpy(&payload, bytes + 8, sizeof payload);
  return {bytes, kHeaderBytes + payload};
}

std::string source_name(std::size_t number) {
  const std::string name = program_invocation_short_name;
  return name + (number == 0 ? "" : "-" + std::to_string(number + 1)) + ".ptx";
}

}  // namespace

FatBinary* Modules::add(const FatWrapper* wrapper) {
  return binaries_.emplace_back(std::make_unique<FatBinary>(FatBinary{wrapper})).get();
}

void Modules::remove(const FatBinary* binary) {
  std::erase_if(functions_, [binary](const auto& one) { return one.second.binary == binary; });
  std::erase_if(variables_, [binary](const auto& one) { return one.second.binary == binary; });
  if (binary->module != nullptr) static_cast<void>(device_.unload(binary->module));
  std::erase_if(binaries_, [binary](const auto& one) { return one.get() == binary; });
}

Function* Modules::find_function(const void* host) {
  const auto found = functions_.find(host);
  if (found != functions_.end()) return &found->second;
  for (auto& [key, function] : functions_)
    if (&function == host) return &function;
  return nullptr;
}

cudaError_t Modules::load(FatBinary& binary) {
  if (binary.module != nullptr || binary.error != cudaSuccess) return binary.error;
  std::vector<const void*> parts;
  if (binary.wrapper->magic != host::kFatWrapperMagic) return binary.error = cudaErrorInvalidKernelImage;
  if (binary.wrapper->version == 1) parts.push_back(binary.wrapper->data);
  else
    for (const void* const* part = binary.wrapper->parts; part != nullptr && *part != nullptr; ++part)
      parts.push_back(*part);
  std::vector<host::PtxSource> sources;
  std::string without_ptx;
  for (const void* const part : parts) {
    auto read = host::read_fat_binary(bytes_of(part));
    if (const auto* const error = std::get_if<host::FatBinaryError>(&read)) {
      say_("the fat binary of " + std::string(program_invocation_short_name) + " cannot be read: " + error->message);
      return binary.error = cudaErrorInvalidKernelImage;
    }
    const auto& members = std::get<std::vector<host::FatMember>>(read);
    const host::FatMember* const best = host::best_ptx(members, kArch);
    if (best == nullptr) {  // a library's, say: its functions are warpsim's own, or are missed where they are called
      if (without_ptx.empty()) without_ptx = host::without_ptx(members, kArch);
      continue;
    }
    sources.push_back({source_name(sources.size()), best->text});
  }
  if (sources.empty()) {
    say_(std::string(program_invocation_short_name) + ": " + without_ptx);
    return binary.error = cudaErrorNoKernelImageForDevice;
  }
  auto made = device_.load(std::move(sources));
  if (const auto* const failure = std::get_if<host::Failure>(&made)) {
    say_(failure->text);
    return binary.error =
               failure->status == host::Status::OutOfMemory ? cudaErrorMemoryAllocation : cudaErrorInvalidPtx;
  }
  binary.module = std::get<host::KernelModule*>(made);
  return cudaSuccess;
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
