// Threads of the host that stay for later work.
#include "sim/launch/host_threads.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <latch>
#include <stdexcept>
#include <thread>

namespace warpsim {
namespace host_threads_test {

std::thread::id run_alone() {
  std::thread::id id;
  run_on_host_thread([&] { id = std::this_thread::get_id(); }).get();
  return id;
}

TEST(HostThreads, StayForLaterWork) {
  const std::thread::id first = run_alone();
  EXPECT_NE(first, std::this_thread::get_id());
  EXPECT_EQ(run_alone(), first);
}

TEST(HostThreads, AreAsManyAsAreAtWork) {
  std::latch both(2);
  std::thread::id ids[2];
  std::future<void> done[2];
  for (int k = 0; k < 2; ++k)
    done[k] = run_on_host_thread([&, k] {
      ids[k] = std::this_thread::get_id();
      both.arrive_and_wait();  // by one thread for ever
    });
  for (std::future<void>& one : done) one.get();
  EXPECT_NE(ids[0], ids[1]);
}

TEST(HostThreads, WhatWorkThrowsIsThrownToWhoAsks) {
  EXPECT_THROW(run_on_host_thread([] { throw std::runtime_error("no"); }).get(), std::runtime_error);
  EXPECT_NE(run_alone(), std::thread::id());
}

// The threads are the parent's.
TEST(HostThreads, AChildHasItsOwn) {
  run_alone();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);
    ::_exit(run_alone() == std::this_thread::get_id() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace host_threads_test
}  // namespace warpsim
