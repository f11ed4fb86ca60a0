// See host_threads.h.
#include "sim/launch/host_threads.h"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace warpsim {

namespace {

// Never destroyed: its threads wait for work until the process has ended.
class HostThreads {
 public:
  std::future<void> run(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    if (idle_ <= waiting_.size() && !add_thread()) return std::async(std::launch::deferred, std::move(work));
    std::future<void> done = waiting_.emplace_back(std::move(work)).done.get_future();
    is_waiting_.store(true, std::memory_order_relaxed);
    wakes_.notify_one();
    return done;
  }

 private:
  struct Work {
    explicit Work(std::function<void()> of) : make(std::move(of)) {}
    std::function<void()> make;
    std::promise<void> done;
  };

  bool add_thread() {
    threads_.reserve(threads_.size() + 1);
    try {
      threads_.push_back(std::async(std::launch::async, [this] { serve(); }));
    } catch (const std::system_error&) {
      return false;
    }
    ++idle_;
    return true;
  }

  [[noreturn]] void serve() {
    while (true) {
      Work work = take();
      std::exception_ptr thrown;
      try {
        std::exchange(work.make, nullptr)();
      } catch (...) {
        thrown = std::current_exception();
      }
      {
        const std::lock_guard lock(mutex_);
        ++idle_;  // before anybody knows that it is done, and has more for it
      }
      thrown ? work.done.set_exception(thrown) : work.done.set_value();
    }
  }

  Work take() {
    await_briefly([this] { return is_waiting_.load(std::memory_order_relaxed); });
    std::unique_lock lock(mutex_);
    wakes_.wait(lock, [this] { return !waiting_.empty(); });
    Work work = std::move(waiting_.front());
    waiting_.pop_front();
    is_waiting_.store(!waiting_.empty(), std::memory_order_relaxed);
    --idle_;
    return work;
  }

  std::mutex mutex_;
  std::condition_variable wakes_;
  std::deque<Work> waiting_;
  std::atomic<bool> is_waiting_{false};     // whether there is any, for those who do not hold the mutex
  std::vector<std::future<void>> threads_;  // never ready
  std::size_t idle_ = 0;                    // threads that have nothing to do, but for what waits
};

HostThreads* of_process = nullptr;

HostThreads& the_threads() {
  static std::once_flag once;
  std::call_once(once, [] {
    of_process = new HostThreads;
    ::pthread_atfork(nullptr, nullptr, [] { of_process = new HostThreads; });
  });
  return *of_process;
}

}  // namespace

std::future<void> run_on_host_thread(std::function<void()> work) { return the_threads().run(std::move(work)); }

}  // namespace warpsim
