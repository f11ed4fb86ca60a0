// See loading.h.
#include "host/cuda/loading.h"

#include <errno.h>

#include <fstream>
#include <iterator>
#include <utility>

namespace warpsim::driver {

using cudart::Runtime;

void report(Runtime& runtime, JitOptions& options, const std::string& why) {
  if (options.wants_errors()) options.write_error(why);
  else runtime.say(why);
}

CUresult load_image(Runtime& runtime, const void* image, JitOptions& options, CUmodule& module) {
  options.write_nothing();
  cudart::ImageTexts texts = cudart::read_image(image, program_invocation_short_name, runtime.modules().wanted_code());
  if (texts.error == cudart::cudaSuccess) module = runtime.modules().add(texts);
  if (texts.error == cudart::cudaErrorNoKernelImageForDevice) runtime.say(texts.why);
  else if (texts.error != cudart::cudaSuccess) report(runtime, options, texts.why);
  return result_of(texts.error);
}

bool read_file(const char* path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  text.assign(std::istreambuf_iterator<char>(file), {});
  return true;
}

CUresult load_file(Runtime& runtime, const char* path, JitOptions& options, CUmodule& module) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::string text;
  return read_file(path, text) ? load_image(runtime, text.c_str(), options, module) : CUDA_ERROR_FILE_NOT_FOUND;
}

}  // namespace warpsim::driver
