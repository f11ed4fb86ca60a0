// Where a call of the host was made.
//
// Shapes: return addresses, the innermost first, of the program alone: calls inside the library are left out.
// Units:  addresses as the process has them; a frame has them from the begin of its file.
// Errors: a frame that belongs to no file has an empty name.
// Source: backtrace(3), dladdr(3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpsim::host {

struct Frame {
  std::string file;          // of the program or library
  std::uint64_t offset = 0;  // of the call in it
  std::string symbol;        // "" if it is not exported
};

class CallStack {
 public:
  static constexpr std::size_t kMost = 6;
  static CallStack here();
  // Of what a signal handler saw by backtrace(), where this instruction was interrupted.
  static CallStack at_fault(const void* instruction, std::span<void* const> seen);
  bool is_empty() const { return count_ == 0; }
  std::vector<Frame> frames() const;
  // The function of the library that was called: "cudaMemcpy". "": it is not exported.
  std::string called() const;
  auto operator<=>(const CallStack&) const = default;

 private:
  void take(std::span<void* const> all);
  std::array<void*, kMost> addresses_{};
  std::size_t count_ = 0;
  void* own_ = nullptr;  // the return address in that function
};

}  // namespace warpsim::host
