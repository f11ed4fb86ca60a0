// See contexts.h.
#include "host/cuda/contexts.h"

#include <algorithm>

#include "host/cudart/runtime.h"

namespace warpsim::driver {

using cudart::Runtime;

Contexts& Contexts::get() {
  static auto* const contexts = new Contexts;  // never destroyed, as the runtime
  return *contexts;
}

bool Contexts::is_initialized() const { return is_initialized_ || Runtime::is_used(); }

std::vector<CUcontext>& Contexts::stack() {
  thread_local std::vector<CUcontext> contexts;
  return contexts;
}

CUcontext Contexts::current() {
  if (stack().empty() && Runtime::thread_uses()) stack().push_back(&primary_);
  return stack().empty() ? nullptr : stack().back();
}

CUresult Contexts::check_current() {
  const Context* const context = current();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return is_live(context) ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

void Contexts::set_current(CUcontext context) {
  if (!stack().empty()) stack().pop_back();
  if (context != nullptr) stack().push_back(context);
  else Runtime::thread_uses() = false;
}

void Contexts::push(CUcontext context) { stack().push_back(context); }

CUcontext Contexts::pop() {
  CUcontext const context = current();
  if (context == nullptr) return nullptr;
  stack().pop_back();
  Runtime::thread_uses() = false;
  return context;
}

bool Contexts::is_live(const Context* context) const {
  if (context == &primary_) return is_active();
  const std::lock_guard lock(mutex_);
  return std::any_of(created_.begin(), created_.end(), [context](const auto& one) { return one.get() == context; });
}

CUcontext Contexts::create(unsigned flags, unsigned version) {
  const std::lock_guard lock(mutex_);
  created_.push_back(std::make_unique<Context>(Context{flags, version, next_id_++}));
  push(created_.back().get());
  return created_.back().get();
}

bool Contexts::destroy(CUcontext context) {
  if (!stack().empty() && stack().back() == context && context != &primary_) stack().pop_back();
  const std::lock_guard lock(mutex_);
  return std::erase_if(created_, [context](const auto& one) { return one.get() == context; }) != 0;
}

bool Contexts::is_active() const { return retained_ > 0 || Runtime::is_used(); }

bool Contexts::release() {
  int count = retained_;
  while (count > 0 && !retained_.compare_exchange_weak(count, count - 1)) continue;
  if (count == 1) primary_.flags = 0;
  return count > 0;
}

}  // namespace warpsim::driver
