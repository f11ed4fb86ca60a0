// The two functions that JavaScript calls; web/site/machine.js is the other side.
//
// Shapes: UTF-8 without a zero at its end. warpsim_room() gives room for a request of so many bytes, warpsim_call()
//         answers it; the answer stays until the next call.
#include <cstdint>
#include <string>

#include "web/wasm/call.h"

namespace {

std::string& request() {
  static std::string text;
  return text;
}
std::string& answer() {
  static std::string text;
  return text;
}

}  // namespace

extern "C" {

[[gnu::used, gnu::visibility("default")]] char* warpsim_room(std::uint32_t bytes) {
  request().assign(bytes, ' ');
  return request().data();
}
[[gnu::used, gnu::visibility("default")]] const char* warpsim_call() {
  answer() = warpsim::web::call(request());
  request() = {};
  return answer().data();
}
[[gnu::used, gnu::visibility("default")]] std::uint32_t warpsim_answer_bytes() {
  return static_cast<std::uint32_t>(answer().size());
}

}  // extern "C"
