// The interface: PTX linked with PTX. What comes of it is a fat binary with all the texts, linked when it is loaded.
#include <map>
#include <memory>
#include <utility>

#include "host/cuda/loading.h"
#include "host/fatbin/fat_binary.h"

namespace warpsim::driver {

struct Link {
  JitOptions options;
  std::vector<host::PtxSource> sources;
  std::vector<std::byte> image;
};

namespace {

using cudart::Runtime;

std::map<CUlinkState, std::unique_ptr<Link>>& links() {
  static auto* const all = new std::map<CUlinkState, std::unique_ptr<Link>>;
  return *all;
}

template <class F>
CUresult with_link(const char* name, CUlinkState state, F&& f) {
  return with_runtime(
      name, [&](Runtime& runtime) { return links().contains(state) ? f(runtime, *state) : CUDA_ERROR_INVALID_HANDLE; });
}

// In a memory that is nobody's: what is wrong with the texts, if they are all there is or else by themselves.
std::optional<host::Failure> try_texts(std::vector<host::PtxSource> sources, bool are_all) {
  DeviceMemory memory;
  auto made = host::KernelModule::load(memory, std::move(sources));
  if (auto* const failure = std::get_if<host::Failure>(&made)) return std::move(*failure);
  host::KernelModule& module = *std::get<std::unique_ptr<host::KernelModule>>(made);
  if (std::optional<host::Failure> failure = module.prepare()) return failure;
  const std::string missing = are_all ? module.undefined_function() : "";
  if (!missing.empty()) return host::Failure{host::Status::BadPtx, missing};
  return std::nullopt;
}

CUresult add(Runtime& runtime, Link& link, CUjitInputType type, std::string data, const char* name) {
  const std::string called = name == nullptr || *name == '\0' ? "linked" : name;
  if (type == CU_JIT_INPUT_LIBRARY) return CUDA_SUCCESS;  // what is missed of it is named where it is called
  cudart::ImageTexts texts = cudart::read_image(data.c_str(), called, host::FatCode::LeftOut);
  if (texts.error == cudart::cudaSuccess)
    if (std::optional<host::Failure> failure = try_texts(texts.sources, false))
      texts.error = cudart::cudaErrorInvalidPtx, texts.why = failure->text;
  if (texts.error == cudart::cudaErrorNoKernelImageForDevice) runtime.say(texts.why);
  else if (texts.error != cudart::cudaSuccess) report(runtime, link.options, texts.why);
  for (host::PtxSource& one : texts.sources) link.sources.push_back(std::move(one));
  return result_of(texts.error);
}

}  // namespace

extern "C" {

CUDRIVER(cuLinkCreate_v2)(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return with_runtime(__func__, [&](Runtime&) {
    auto made = std::make_unique<Link>(Link{{count, options, values}, {}, {}});
    if (state == nullptr || !made->options.is_valid()) return CUDA_ERROR_INVALID_VALUE;
    CUlinkState const handle = made.get();
    links()[handle] = std::move(made);
    return set_value(state, handle);
  });
}
CUDRIVER(cuLinkAddData_v2)
(CUlinkState state, CUjitInputType type, void* data, std::size_t size, const char* name, unsigned, CUjit_option*,
 void**) {
  return with_link(__func__, state, [&](Runtime& runtime, Link& link) {
    if (data == nullptr || size == 0) return CUDA_ERROR_INVALID_VALUE;
    return add(runtime, link, type, {static_cast<const char*>(data), size}, name);
  });
}
CUDRIVER(cuLinkAddFile_v2)
(CUlinkState state, CUjitInputType type, const char* path, unsigned, CUjit_option*, void**) {
  return with_link(__func__, state, [&](Runtime& runtime, Link& link) {
    std::string data;
    if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return read_file(path, data) ? add(runtime, link, type, std::move(data), path) : CUDA_ERROR_FILE_NOT_FOUND;
  });
}
CUDRIVER(cuLinkComplete)(CUlinkState state, void** image, std::size_t* size) {
  return with_link(__func__, state, [&](Runtime& runtime, Link& link) {
    if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const std::optional<host::Failure> failure = try_texts(link.sources, true)) {
      report(runtime, link.options, failure->text);
      return CUDA_ERROR_INVALID_PTX;
    }
    link.options.write_nothing();
    std::vector<std::string> texts;
    for (const host::PtxSource& one : link.sources) texts.push_back(one.text);
    link.image = host::write_linked(texts, cudart::kArch);
    cudart::give_wanted(size, link.image.size());
    return set_value(image, link.image.data());
  });
}
CUDRIVER(cuLinkDestroy)(CUlinkState state) {
  return with_link(__func__, state, [state](Runtime&, const Link&) {
    links().erase(state);
    return CUDA_SUCCESS;
  });
}
}

}  // namespace warpsim::driver
