// See jit_options.h.
#include "host/cuda/jit_options.h"

#include <algorithm>
#include <cstring>

namespace warpsim::driver {

JitOptions::JitOptions(unsigned count, const CUjit_option* options, void** values) {
  is_valid_ = count == 0 || (options != nullptr && values != nullptr);
  for (unsigned k = 0; is_valid_ && k < count; ++k) {
    switch (options[k]) {
      case CU_JIT_INFO_LOG_BUFFER: information_.buffer = static_cast<char*>(values[k]); break;
      case CU_JIT_ERROR_LOG_BUFFER: errors_.buffer = static_cast<char*>(values[k]); break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: information_.written = &values[k]; break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: errors_.written = &values[k]; break;
      default: break;  // how code is compiled
    }
  }
  for (Log* const log : {&information_, &errors_})
    if (log->written != nullptr) log->size = reinterpret_cast<std::size_t>(*log->written) & 0xffff'ffff;
}

void JitOptions::write(const Log& log, const std::string& text) {
  const std::size_t written = log.buffer == nullptr || log.size == 0 ? 0 : std::min(text.size(), log.size - 1);
  if (log.buffer != nullptr && log.size != 0) {
    std::memcpy(log.buffer, text.data(), written);
    log.buffer[written] = '\0';
  }
  if (log.written != nullptr) *log.written = reinterpret_cast<void*>(written);
}

void JitOptions::write_nothing() {
  write(errors_, "");
  write(information_, "");
}

}  // namespace warpsim::driver
