#include "tools/cuda/benchmarks/clocked_cuda.h"

#include <cctype>

namespace warpsim {
namespace {

constexpr std::string_view kKernel = "extern \"C\" __global__ void ";

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "input, output, size" of "const float* input, float* output, unsigned size".
std::string names_of(std::string_view params) {
  std::string names;
  for (std::size_t at = 0; at <= params.size();) {
    const std::size_t end = std::min(params.find(',', at), params.size());
    std::size_t last = end;
    while (last > at && !is_name(params[last - 1])) --last;
    std::size_t first = last;
    while (first > at && is_name(params[first - 1])) --first;
    if (first == last) return "";
    names += (names.empty() ? "" : ", ") + std::string(params.substr(first, last - first));
    at = end + 1;
  }
  return names;
}

}  // namespace

std::string clocked_cuda(std::string_view text) {
  const std::size_t kernel = text.find(kKernel);
  if (kernel == std::string_view::npos) return "";
  const std::size_t name = kernel + kKernel.size(), open = text.find('(', name), close = text.find(')', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return "";
  const std::string called(text.substr(name, open - name)), params(text.substr(open + 1, close - open - 1));
  const std::string names = names_of(params);
  if (names.empty()) return "";
  std::string out(text.substr(0, kernel));
  out += "static __device__ __forceinline__ void body_of_" + std::string(text.substr(name));
  out += "\n" + std::string(kKernel) + called + "(" + params + ",\n    unsigned* clock_begin, unsigned* clock_end) {\n";
  out += "  unsigned begin, end;\n  asm volatile(\"mov.u32 %0, %%clock;\" : \"=r\"(begin) : : \"memory\");\n";
  out += "  body_of_" + called + "(" + names + ");\n";
  out += "  asm volatile(\"mov.u32 %0, %%clock;\" : \"=r\"(end) : : \"memory\");\n";
  out += "  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;\n";
  return out + "  clock_begin[thread] = begin;\n  clock_end[thread] = end;\n}\n";
}

}  // namespace warpsim
