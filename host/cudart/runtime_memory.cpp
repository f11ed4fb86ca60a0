// Memory of all kinds; see runtime.h.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "host/cudart/runtime.h"
#include "isa/text/number_text.h"

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kAlignment = 512;  // as an H200 allocates

// What this machine can still give, and what an H200 has.
std::uint64_t machine_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t Runtime::free_bytes() const {
  const std::uint64_t used = device_.memory().allocated_bytes(), all = machine_bytes();
  return used > all ? 0 : all - used;
}

cudaError_t Runtime::allocate(std::size_t size, cudaMemoryType type, unsigned flags, const char* call, Pool* pool,
                              std::uint64_t& address) {
  call = called(call);
  if (size > free_bytes()) {
    say(std::string(call) + " of " + counted(size, "byte") + ": this machine has " + counted(machine_bytes(), "byte") +
        ", and " + counted(device_.memory().allocated_bytes(), "byte") +
        " of the device are allocated already; the call answers " +
        (driver_call() == nullptr ? "cudaErrorMemoryAllocation" : "CUDA_ERROR_OUT_OF_MEMORY"));
    return cudaErrorMemoryAllocation;
  }
  const std::string name = std::string(call) + " #" + std::to_string(++blocks_made_[call]);
  const std::optional<std::uint64_t> made = type == cudaMemoryTypeDevice
                                                ? device_.memory().allocate(size, name, kAlignment)
                                                : device_.memory().allocate_on_host(size, name);
  if (!made) return cudaErrorMemoryAllocation;
  address = *made;
  if (options_.checks && type == cudaMemoryTypeDevice) device_.undefined().forget(address, size);
  if (pool != nullptr) {
    pool->used += size;
    pool->most_used = std::max(pool->most_used, pool->used);
  }
  blocks_[address] = {type, address, size, flags, false, false, false, pool, call, host::CallStack::here(), name};
  return cudaSuccess;
}

cudaError_t Runtime::allocate_in_graph(std::size_t size, const char* call, Pool* pool, std::uint64_t& address) {
  const cudaError_t error = allocate(size, cudaMemoryTypeDevice, 0, call, pool, address);
  if (error == cudaSuccess) blocks_.at(address).is_freed = blocks_.at(address).is_of_graph = true;
  return error;
}

// The host gives a stream work that allocates or frees it.
void Runtime::set_freed(const Work& work) {
  const auto* const made = std::get_if<AllocateWork>(&work);
  const auto* const freed = std::get_if<FreeWork>(&work);
  if (made == nullptr && freed == nullptr) return;
  const auto found = blocks_.find(made != nullptr ? made->address : freed->address);
  if (found != blocks_.end() && found->second.is_of_graph) found->second.is_freed = freed != nullptr;
}

// A graph has come to where it allocates or frees it: nothing is known to be in it.
void Runtime::renew(std::uint64_t address) {
  const auto found = blocks_.find(address);
  if (found != blocks_.end() && found->second.is_of_graph && options_.checks)
    device_.undefined().forget(address, found->second.size);
}

const Block* Runtime::block_at(std::uint64_t address) const {
  auto behind = blocks_.upper_bound(address);
  if (behind == blocks_.begin()) return nullptr;
  const Block& block = std::prev(behind)->second;
  return address - block.address < std::max<std::uint64_t>(block.size, 1) ? &block : nullptr;
}

cudaError_t Runtime::free(std::uint64_t address, const char* call, bool of_host) {
  if (address == 0) return cudaSuccess;
  call = called(call);
  if (!may_free(address, of_host)) {
    report_free(address, call, of_host);
    return cudaErrorInvalidValue;
  }
  if (const cudaError_t error = wait(); error != cudaSuccess) return error;
  set_freed(FreeWork{address});
  return release(address, call);
}

cudaError_t Runtime::free_in(cudaStream_t stream, std::uint64_t address) {
  Stream* const in = find(stream);
  if (in == nullptr) return cudaErrorInvalidResourceHandle;
  if (in->capture != nullptr) return submit(stream, FreeWork{address});
  if (address == 0) return cudaErrorInvalidValue;
  if (!may_free(address, false)) {
    report_free(address, called("cudaFreeAsync"), false);
    return cudaErrorInvalidValue;
  }
  blocks_.at(address).is_freed = true;
  return submit(stream, FreeWork{address, true});
}

bool Runtime::may_free(std::uint64_t address, bool of_host) const {
  const auto found = blocks_.find(address);
  return found != blocks_.end() && !found->second.is_registered && !found->second.is_freed &&
         (found->second.type == cudaMemoryTypeHost) == of_host;
}

cudaError_t Runtime::release(std::uint64_t address, const char* call) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return cudaErrorInvalidValue;
  if (found->second.is_of_graph) return renew(address), cudaSuccess;
  const Block block = std::move(found->second);
  blocks_.erase(found);
  guard_.forget(address);
  static_cast<void>(device_.memory().free(address));
  device_.undefined().define(address, block.size);
  if (block.pool != nullptr) block.pool->used -= block.size;
  if (freed_.size() == DeviceMemory::kFreedKnown) freed_.pop_front();
  freed_.push_back({block, call, place()});
  return cudaSuccess;
}

const Runtime::FreedBlock* Runtime::freed_at(std::uint64_t address) const {
  const auto holds = [address](const FreedBlock& one) {
    return address - one.block.address < std::max<std::uint64_t>(one.block.size, 1);
  };
  const auto found = std::find_if(freed_.rbegin(), freed_.rend(), holds);
  return found == freed_.rend() ? nullptr : &*found;
}

namespace {

void add_texts(const Message& message, std::set<std::string>& texts) {
  if (message.id == MessageId::Text) texts.insert(message.text);
  for (const Message& part : message.parts) add_texts(part, texts);
}

}  // namespace

host::HostCalls Runtime::calls_of(const TraceFinding& finding) const {
  host::HostCalls calls = {{"launched", launched_at_}};
  std::set<std::string> texts;
  add_texts(finding.message, texts);
  for (const TraceStep& step : finding.steps) add_texts(step.text, texts);
  const auto add_made = [&](const Block& block) {
    calls.emplace_back(block.name + ", " + counted(block.size, "byte") + ": allocated", block.made_at);
  };
  for (const auto& [address, block] : blocks_)
    if (texts.contains(block.name)) add_made(block);
  for (const FreedBlock& one : freed_) {
    if (!texts.contains(one.block.name)) continue;
    add_made(one.block);
    calls.emplace_back(one.block.name + ": freed by " + one.freed_by, one.freed_at);
  }
  return calls;
}

// A free that frees nothing: why.
void Runtime::report_free(std::uint64_t address, const char* call, bool of_host) {
  host::HostFinding finding{Finding::HostFreeForeign, "", {{std::string("in ") + call, host::CallStack::here()}}};
  const std::string at = hexadecimal_text(address);
  if (const Block* const block = block_at(address); block != nullptr && block->is_freed && block->address == address) {
    finding.code = Finding::HostFreeTwice;
    finding.message = std::string(call) + " frees " + counted(block->size, "byte") + " at " + at + " a second time";
    finding.calls.emplace_back("allocated by " + block->made_by, block->made_at);
  } else if (block != nullptr) {
    finding.message =
        block->is_registered
            ? std::string(call) + " frees " + at + ", which is the host's own memory, registered by " + block->made_by
        : block->address != address ? std::string(call) + " frees " + at + ", which is " +
                                          counted(address - block->address, "byte") + " into an allocation"
                                    : std::string(call) + " frees what " + block->made_by + " gave; " +
                                          (driver_call() == nullptr ? of_host ? "cudaFree" : "cudaFreeHost"
                                           : of_host                ? "cuMemFree"
                                                                    : "cuMemFreeHost") +
                                          " does";
    finding.calls.emplace_back("allocated by " + block->made_by, block->made_at);
  } else if (const FreedBlock* const freed = freed_at(address); freed != nullptr && freed->block.address == address) {
    finding.code = Finding::HostFreeTwice;
    finding.message =
        std::string(call) + " frees " + counted(freed->block.size, "byte") + " at " + at + " a second time";
    finding.calls.emplace_back("freed before by " + freed->freed_by, freed->freed_at);
    finding.calls.emplace_back("allocated by " + freed->block.made_by, freed->block.made_at);
  } else {
    finding.message = std::string(call) + " frees " + at + ", which no allocation gave";
  }
  report_.add(finding);
}

cudaError_t Runtime::register_host(void* host, std::size_t size, unsigned flags, cudaMemoryType type) {
  if (host == nullptr || size == 0) return cudaErrorInvalidValue;
  const char* const call = called("cudaHostRegister");
  const std::string name = std::string(call) + " #" + std::to_string(++blocks_made_[call]);
  if (!device_.memory().map({static_cast<std::byte*>(host), size}, name)) return cudaErrorHostMemoryAlreadyRegistered;
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(host);
  blocks_[address] = {type, address, size, flags, true, false, false, nullptr, call, host::CallStack::here(), name};
  return cudaSuccess;
}

cudaError_t Runtime::unregister_host(void* host) {
  const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(host));
  if (found == blocks_.end() || !found->second.is_registered) return cudaErrorHostMemoryNotRegistered;
  if (const cudaError_t error = wait(); error != cudaSuccess) return error;
  static_cast<void>(device_.memory().free(found->first));
  blocks_.erase(found);
  return cudaSuccess;
}

// What is still allocated when the program ends, a line for each place that allocated.
void Runtime::report_leaks() {
  struct Leak {
    std::uint64_t bytes = 0, count = 0;
    const Block* first = nullptr;
  };
  std::map<std::string, Leak> leaks;
  for (const auto& [address, block] : blocks_) {
    if (block.is_registered || block.is_freed || block.size == 0) continue;
    std::string place = block.made_by;
    for (const host::Frame& frame : block.made_at.frames()) place += frame.file + std::to_string(frame.offset);
    Leak& leak = leaks[place];
    leak.bytes += block.size, ++leak.count;
    if (leak.first == nullptr) leak.first = &block;
  }
  for (const auto& [place, leak] : leaks)
    report_.add({Finding::HostLeak,
                 counted(leak.bytes, "byte") + (leak.count == 1 ? "" : " in " + counted(leak.count, "allocation")) +
                     " never freed",
                 {{"allocated by " + leak.first->made_by, leak.first->made_at}}});
}

// ---- copies and fills

namespace {

template <class F>
void for_each_row(const Extent& extent, F&& f) {
  for (std::size_t z = 0; z < extent.depth; ++z)
    for (std::size_t y = 0; y < extent.height; ++y) f(y, z);
}

}  // namespace

// What is wrong with one side of a copy.
host::HostFinding Runtime::wrong_side(const Rows& rows, std::size_t reach, Must must, bool is_written) {
  host::HostFinding finding{Finding::HostCopyPast, "", {}};
  const host::CallStack at = place();
  const std::string call = at.called().empty() ? "a copy" : at.called();
  finding.calls.emplace_back("in " + call, at);
  const std::string address = hexadecimal_text(rows.address);
  const std::string deed = call + (is_written ? " writes " : " reads ") + counted(reach, "byte") + " at " + address;
  const std::string claim = call + " says that its " + (is_written ? "target" : "source") + " is memory of the ";
  const auto* const in = device_.memory().find(rows.address, 1);
  if (in != nullptr) {
    if (const Block* const block = block_at(rows.address))
      finding.calls.emplace_back("allocated by " + block->made_by, block->made_at);
    if (must == Must::Host) {
      finding.code = Finding::HostCopyDirection;
      finding.message = claim + "host, and " + address + " is in `" + in->name + "`, which is the device's";
    } else {
      finding.message = deed + ", " + counted(reach - (in->end() - rows.address), "byte") + " past the end of `" +
                        in->name + "`, which has " + counted(in->size_bytes, "byte");
    }
  } else if (const FreedBlock* const freed = freed_at(rows.address);
             freed != nullptr && freed->block.type == cudaMemoryTypeDevice) {
    finding.code = Finding::HostUseFreed;
    finding.message = deed + ", in `" + freed->block.name + "`, which was freed";
    finding.calls.emplace_back("freed by " + freed->freed_by, freed->freed_at);
    finding.calls.emplace_back("allocated by " + freed->block.made_by, freed->block.made_at);
  } else {
    host::Symbol symbol;
    finding.code = Finding::HostCopyDirection;
    finding.message = claim + "device, and " + address + " is not";
    if (modules_.find_symbol(reinterpret_cast<const void*>(rows.address), symbol) == cudaSuccess)
      finding.message +=
          ": it is the host's name of a __device__ variable, whose address cudaGetSymbolAddress gives, and "
          "which cudaMemcpyToSymbol and cudaMemcpyFromSymbol copy";
  }
  return finding;
}

// One side of a copy. Null after it has been reported.
std::optional<Runtime::Side> Runtime::side(const Rows& rows, const Extent& extent, Must must, bool is_written) {
  const std::size_t reach = extent.reach(rows);
  if (rows.address == 0) return std::nullopt;
  if (const auto* const in = device_.memory().find(rows.address, 1)) {
    const Block* const block = block_at(rows.address);
    const bool is_host_too = block != nullptr && block->type != cudaMemoryTypeDevice;
    if ((must != Must::Host || is_host_too) && in->contains(rows.address, reach))
      return Side{in->bytes + (rows.address - in->address), !is_host_too};
    if (is_host_too) must = Must::Either;
  } else if (const FreedBlock* const freed = freed_at(rows.address);
             must != Must::Device && (freed == nullptr || freed->block.type != cudaMemoryTypeDevice)) {
    return Side{reinterpret_cast<std::byte*>(rows.address), false};
  }
  report_.add(wrong_side(rows, reach, must, is_written));
  return std::nullopt;
}

std::optional<std::pair<Runtime::Side, Runtime::Side>> Runtime::sides(const CopyWork& work) {
  const auto must = [&](cudaMemcpyKind device_a, cudaMemcpyKind device_b) {
    return work.kind == cudaMemcpyDefault                   ? Must::Either
           : work.kind == device_a || work.kind == device_b ? Must::Device
                                                            : Must::Host;
  };
  const auto to = side(work.to, work.extent, must(cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice), true);
  if (!to) return std::nullopt;
  const auto from = side(work.from, work.extent, must(cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice), false);
  return from ? std::optional(std::pair(*to, *from)) : std::nullopt;
}

cudaError_t Runtime::refuse(const CopyWork& work) {
  if (work.kind < cudaMemcpyHostToHost || work.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  return work.extent.is_empty() || sides(work) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t Runtime::refuse(const FillWork& work) {
  return work.extent.is_empty() || side(work.to, work.extent, Must::Device, true) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t Runtime::run(const CopyWork& work) {
  if (work.kind < cudaMemcpyHostToHost || work.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (work.extent.is_empty()) return cudaSuccess;
  const auto both = sides(work);
  if (!both) return cudaErrorInvalidValue;
  const Side to = both->first, from = both->second;
  UndefinedWords& undefined = device_.undefined();
  for_each_row(work.extent, [&](std::size_t y, std::size_t z) {
    const std::size_t target = z * work.to.layer + y * work.to.pitch;
    const std::size_t source = z * work.from.layer + y * work.from.pitch;
    std::memmove(to.bytes + target, from.bytes + source, work.extent.width);
    if (from.is_device) undefined.copy(work.to.address + target, work.from.address + source, work.extent.width);
    else undefined.define(work.to.address + target, work.extent.width);
  });
  return cudaSuccess;
}

cudaError_t Runtime::run(const FillWork& work) {
  if (work.extent.is_empty()) return cudaSuccess;
  const auto to = side(work.to, work.extent, Must::Device, true);
  if (!to) return cudaErrorInvalidValue;
  for_each_row(work.extent, [&](std::size_t y, std::size_t z) {
    std::byte* const row = to->bytes + z * work.to.layer + y * work.to.pitch;
    device_.undefined().define(work.to.address + z * work.to.layer + y * work.to.pitch, work.extent.width);
    if (work.element_bytes == 1) std::memset(row, static_cast<int>(work.value & 0xffU), work.extent.width);
    else
      for (std::size_t k = 0; k + work.element_bytes <= work.extent.width; k += work.element_bytes)
        std::memcpy(row + k, &work.value, work.element_bytes);
  });
  return cudaSuccess;
}

// Its address was given at the call, or when the node was made.
cudaError_t Runtime::run(const AllocateWork& work) {
  renew(work.address);
  return cudaSuccess;
}
cudaError_t Runtime::run(const FreeWork& work) {
  if (work.frees) return release(work.address, "cudaFreeAsync");
  renew(work.address);
  return cudaSuccess;
}

}  // namespace warpsim::cudart
