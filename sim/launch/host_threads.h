// Threads of the host that run blocks of launches. They stay for the launches behind: a thread takes as long to begin
// as many a launch to end.
//
// Shapes: as many threads as were at work at once, one for each process that has used them; a child of fork() begins
//         with none.
// Errors: where the system gives no further thread, whoever waits for the work does it.
#pragma once

#include <functional>
#include <future>

namespace warpsim {

// Ready once it is done.
std::future<void> run_on_host_thread(std::function<void()> work);
// Returns once it is done, or throws what it has thrown.
void await_done(std::future<void>& work);

}  // namespace warpsim
