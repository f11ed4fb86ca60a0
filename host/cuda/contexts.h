// Contexts: which are there, and which is current in which thread. All are on the one device and share its memory, as
// the runtime has it.
//
// Shapes: each thread has a stack of contexts, of which the last is current. Where a thread has none, and has used the
//         runtime, the primary context is current.
// Units:  none.
// Errors: CUresult.
// Source: CUDA Driver API 13.0; what it leaves open was measured (tests/data/h200_driver_calls.txt).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "host/cuda/driver_types.h"

namespace warpsim::driver {

struct Context {
  unsigned flags = 0, version = 0;
  std::uint64_t id = 0;
  int cache_config = 0;
};

class Contexts {
 public:
  static Contexts& get();

  void initialize() { is_initialized_ = true; }
  bool is_initialized() const;

  CUcontext current();  // of this thread; null: none
  CUresult check_current();
  void set_current(CUcontext context);  // null: takes the current one away
  void push(CUcontext context);
  CUcontext pop();  // null: there is none
  bool is_live(const Context* context) const;

  CUcontext create(unsigned flags, unsigned version);
  bool destroy(CUcontext context);  // false: it is none, or the primary one

  // Of the device. It is active while somebody retains it or the runtime uses it.
  Context& primary() { return primary_; }
  bool is_active() const;
  void retain() { ++retained_; }
  bool release();  // false: nobody retains it
  void release_all() { retained_ = 0; }

 private:
  static std::vector<CUcontext>& stack();

  std::atomic<bool> is_initialized_{false};
  std::atomic<int> retained_{0};
  Context primary_;
  mutable std::mutex mutex_;  // of what follows
  std::uint64_t next_id_ = 2;
  std::vector<std::unique_ptr<Context>> created_;
};

}  // namespace warpsim::driver
