// The interface: errors.
#include "host/cudart/call.h"

namespace warpsim::cudart {

struct ErrorRow {
  cudaError_t error;
  const char *name, *text;
};
constexpr ErrorRow kErrors[] = {
#define CUDA_ERROR(number, name, text) {name, #name, text},
#include "host/cudart/errors.def"
#undef CUDA_ERROR
};
constexpr const char* kUnrecognized = "unrecognized error code";

const char* name(cudaError_t error) {
  for (const ErrorRow& row : kErrors)
    if (row.error == error) return row.name;
  return kUnrecognized;
}

const char* text(cudaError_t error) {
  for (const ErrorRow& row : kErrors)
    if (row.error == error) return row.text;
  return kUnrecognized;
}

namespace {

void note_question() {
  locked([](Runtime& runtime) { runtime.asked(); });
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) const char* cudaGetErrorName(cudaError_t error) { return name(error); }
__attribute__((visibility("default"))) const char* cudaGetErrorString(cudaError_t error) { return text(error); }

CUDART(cudaPeekAtLastError)() {
  note_question();
  return Runtime::last_error();
}
CUDART(cudaGetLastError)() {
  note_question();
  return std::exchange(Runtime::last_error(), cudaSuccess);
}
}

}  // namespace warpsim::cudart
