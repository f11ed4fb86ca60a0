// See call_stack.h.
#include "host/exec/call_stack.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace warpsim::host {
namespace {

// Where its file begins in memory; null: it is in none. dladdr() goes through all of a library's symbols, which takes
// longer than a small kernel; glibc has a call without them since 2.35.
const void* file_of(const void* address) {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
  dl_find_object found{};
  return ::_dl_find_object(const_cast<void*>(address), &found) == 0 ? found.dlfo_map_start : nullptr;
#else
  Dl_info info{};
  return ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
#endif
}

const void* file_of_library() {
  static const void* const own = file_of(reinterpret_cast<const void*>(&CallStack::here));
  return own;
}
const void* file_of_libc() {
  static const void* const libc = file_of(reinterpret_cast<const void*>(&::abort));
  return libc;
}

}  // namespace

void CallStack::take(std::span<void* const> all) {
  for (void* const address : all) {
    const void* const file = file_of(address);
    if (count_ == kMost || file == file_of_libc()) return;  // what called main()
    if (file != file_of_library()) addresses_[count_++] = address;
    else if (count_ == 0) own_ = address;
  }
}

CallStack CallStack::here() {
  std::array<void*, 24> all{};
  const int count = ::backtrace(all.data(), static_cast<int>(all.size()));
  CallStack stack;
  stack.take(std::span(all).first(static_cast<std::size_t>(count)));
  return stack;
}

CallStack CallStack::at_fault(const void* instruction, std::span<void* const> seen) {
  std::vector<void*> all(std::find(seen.begin(), seen.end(), instruction), seen.end());
  if (all.empty()) all.push_back(const_cast<void*>(instruction));
  all.front() = static_cast<char*>(all.front()) + 1;  // as if it were behind a call
  // It may be in memcpy().
  all.erase(all.begin(),
            std::find_if(all.begin(), all.end(), [](const void* one) { return file_of(one) != file_of_libc(); }));
  CallStack stack;
  stack.take(all);
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
