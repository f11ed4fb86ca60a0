// How far a long launch is, on a terminal, while it runs: "warpsim: sum, launch 3: 120 of 4096 blocks, 310 a second, 13
// s left".
//
// Shapes: one line, behind what the program has printed on the line of the cursor, which stays where it is; it is
//         cleared before finish() returns, so that nothing of it stands among the program's own output.
// Units:  blocks, seconds.
// Errors: none; where standard error is no terminal nothing is shown, and no thread is started.
// Source: ECMA-48 and DEC's VT100: ESC 7 and ESC 8 keep the cursor's place, CSI K clears to the end of the line, CSI ?
// 7
//         says whether lines wrap.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace warpsim::host {

class Progress {
 public:
  // `ended` says how many blocks have ended; it is called from another thread.
  Progress(std::string launch, std::uint64_t blocks, std::function<std::uint64_t()> ended);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // clears the line

  static constexpr std::chrono::milliseconds kSilent{1000}, kBetween{200};

 private:
  void show();

  std::string launch_;
  std::uint64_t blocks_;
  std::function<std::uint64_t()> ended_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool has_ended_ = false;
  std::thread thread_;
};

// The line, after so many seconds.
std::string progress_text(std::string_view launch, std::uint64_t ended, std::uint64_t blocks, double seconds);

}  // namespace warpsim::host
