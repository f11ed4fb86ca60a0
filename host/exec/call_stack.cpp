// See call_stack.h.
#include "host/exec/call_stack.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <cstdlib>
#include <string_view>

namespace warpsim::host {
namespace {

const void* file_of(const void* address) {
  Dl_info info{};
  return ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

}  // namespace

CallStack CallStack::here() {
  static const void* const own = file_of(reinterpret_cast<const void*>(&CallStack::here));
  static const void* const libc = file_of(reinterpret_cast<const void*>(&::abort));
  std::array<void*, 24> all{};
  const int count = ::backtrace(all.data(), static_cast<int>(all.size()));
  CallStack stack;
  for (int k = 0; k < count && stack.count_ < kMost; ++k) {
    void* const address = all[static_cast<std::size_t>(k)];
    const void* const file = file_of(address);
    if (file == libc) break;  // what called main()
    if (file != own) stack.addresses_[stack.count_++] = address;
    else if (stack.count_ == 0) stack.own_ = address;
  }
  return stack;
}

std::vector<Frame> CallStack::frames() const {
  std::vector<Frame> out;
  for (std::size_t k = 0; k < count_; ++k) {
    // The instruction before the return address is the call.
    const auto* const call = static_cast<const char*>(addresses_[k]) - 1;
    Dl_info info{};
    Frame& frame = out.emplace_back();
    if (::dladdr(call, &info) == 0) continue;
    frame.file = info.dli_fname == nullptr ? "" : info.dli_fname;
    frame.offset = static_cast<std::uint64_t>(call - static_cast<const char*>(info.dli_fbase));
    frame.symbol = info.dli_sname == nullptr ? "" : info.dli_sname;
  }
  return out;
}

std::string CallStack::called() const {
  Dl_info info{};
  if (own_ == nullptr || ::dladdr(static_cast<const char*>(own_) - 1, &info) == 0 || info.dli_sname == nullptr)
    return "";
  const std::string name = info.dli_sname;
  for (const std::string_view variant : {"_ptsz", "_ptds"})
    if (name.ends_with(variant)) return name.substr(0, name.size() - variant.size());
  return name;
}

}  // namespace warpsim::host
