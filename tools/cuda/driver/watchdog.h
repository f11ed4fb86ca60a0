// Ends this process if something on the GPU takes too long: a kernel that hangs cannot be stopped in any other way, and
// with the process its context and everything in it goes.
//
// Shapes: lives as long as what it watches; what it watches may change.
// Units:  seconds.
// Errors: it is the error: a message on standard error and exit code 4 (the program was stopped).
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace warpsim {

class Watchdog {
 public:
  explicit Watchdog(unsigned seconds);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // From now on the time counts anew.
  void watch(std::string what);
  void rest();  // nothing is under way

 private:
  void run();

  unsigned seconds_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  bool watching_ = false, ended_ = false;
  unsigned long long turn_ = 0;  // which watch it is
  std::thread thread_;
};

}  // namespace warpsim
