// Threads of the host that run blocks of launches. They stay for the launches behind: a thread takes as long to begin
// as many a launch to end.
//
// Shapes: as many threads as were at work at once, one for each process that has used them; a child of fork() begins
//         with none.
// Errors: where the system gives no further thread, whoever waits for the work does it.
#pragma once

#include <sched.h>

#include <functional>
#include <future>

namespace warpsim {

// Ready once it is done; what it throws is thrown to who asks.
std::future<void> run_on_host_thread(std::function<void()> work);

// Who waits for another thread looks so often before it sleeps, and lets others go first each time: some 100
// microseconds. A system takes 50 to wake a thread, as long as many a launch takes, and the next one mostly follows at
// once.
inline constexpr int kLooks = 300;
template <class Condition>
void await_briefly(const Condition& is_so) {
  for (int look = 0; look < kLooks && !is_so(); ++look) ::sched_yield();
}

}  // namespace warpsim
