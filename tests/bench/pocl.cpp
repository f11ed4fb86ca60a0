// See pocl.h.
#include "tests/bench/pocl.h"

#include <CL/cl.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace warpsim::bench {
namespace {

// What is open, once in the process and to its end.
struct Pocl {
  std::string wrong;  // "" or why no kernel can run
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
};

std::string failed(const char* what, cl_int error) {
  return error == CL_SUCCESS ? ""
                             : std::string("PoCL: ") + what + " fails with OpenCL's error " + std::to_string(error);
}

// Of all that OpenCL's loader knows; null: there is no PoCL.
cl_platform_id found_platform() {
  // PoCL reads it at its first call: one worker thread.
  setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
  std::array<cl_platform_id, 16> all{};
  cl_uint count = 0;
  if (clGetPlatformIDs(all.size(), all.data(), &count) != CL_SUCCESS) return nullptr;
  for (cl_uint k = 0; k < count && k < all.size(); ++k) {
    std::array<char, 256> name{};
    clGetPlatformInfo(all[k], CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr);
    if (std::strcmp(name.data(), "Portable Computing Language") == 0) return all[k];
  }
  return nullptr;
}

cl_platform_id platform() {
  static cl_platform_id const found = found_platform();
  return found;
}

std::string build_log(const Pocl& pocl) {
  std::size_t size = 0;
  clGetProgramBuildInfo(pocl.program, pocl.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(pocl.program, pocl.device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log;
}

std::string compile(Pocl& pocl) {
  std::ifstream in(WARPSIM_SOURCE_DIR "/tests/bench/kernels/kernels.cl");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const char* source = text.c_str();
  cl_int error = CL_SUCCESS;
  pocl.program = clCreateProgramWithSource(pocl.context, 1, &source, nullptr, &error);
  if (error != CL_SUCCESS) return failed("clCreateProgramWithSource", error);
  error = clBuildProgram(pocl.program, 1, &pocl.device, "", nullptr, nullptr);
  return error == CL_SUCCESS ? "" : failed("clBuildProgram", error) + "\n" + build_log(pocl);
}

std::string open_device(Pocl& pocl) {
  cl_int error = clGetDeviceIDs(platform(), CL_DEVICE_TYPE_CPU, 1, &pocl.device, nullptr);
  if (error != CL_SUCCESS) return failed("clGetDeviceIDs", error);
  cl_uint units = 0;
  clGetDeviceInfo(pocl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
  if (units != 1) return "PoCL computes in " + std::to_string(units) + " threads in spite of POCL_MAX_PTHREAD_COUNT=1";
  pocl.context = clCreateContext(nullptr, 1, &pocl.device, nullptr, nullptr, &error);
  if (error != CL_SUCCESS) return failed("clCreateContext", error);
  pocl.queue = clCreateCommandQueue(pocl.context, pocl.device, 0, &error);
  return failed("clCreateCommandQueue", error);
}

Pocl opened() {
  Pocl pocl;
  pocl.wrong = open_device(pocl);
  if (pocl.wrong.empty()) pocl.wrong = compile(pocl);
  return pocl;
}

const Pocl& pocl() {
  static const Pocl one = opened();
  return one;
}

}  // namespace

struct Twin::State {
  cl_kernel kernel = nullptr;
  std::vector<cl_mem> buffers;
  std::vector<std::size_t> sizes;
  std::array<std::size_t, 3> items{}, group{};
  std::string wrong;
};

std::string missing_pocl() {
  return platform() != nullptr ? "" : "PoCL is not installed (Debian: apt-get install pocl-opencl-icd)";
}

std::string pocl_name() {
  std::array<char, 256> version{}, device{};
  clGetPlatformInfo(platform(), CL_PLATFORM_VERSION, version.size() - 1, version.data(), nullptr);
  clGetDeviceInfo(pocl().device, CL_DEVICE_NAME, device.size() - 1, device.data(), nullptr);
  return std::string(version.data()) + " on " + device.data();
}

Twin::Twin(const Kernel& of) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.group = {of.block.x, of.block.y, of.block.z};
  s.items = {of.grid.x * of.block.x, of.grid.y * of.block.y, of.grid.z * of.block.z};
  s.wrong = pocl().wrong;
  if (!s.wrong.empty()) return;
  cl_int error = CL_SUCCESS;
  s.kernel = clCreateKernel(pocl().program, of.entry().c_str(), &error);
  s.wrong = failed("clCreateKernel", error);
  for (cl_uint k = 0; k < of.parameters.size() && s.wrong.empty(); ++k) {
    const Parameter& one = of.parameters[k];
    if (const Bytes* const bytes = std::get_if<Bytes>(&one)) {
      void* const first = const_cast<std::byte*>(bytes->data());
      cl_mem const buffer =
          clCreateBuffer(pocl().context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes->size(), first, &error);
      s.wrong = failed("clCreateBuffer", error);
      if (error != CL_SUCCESS) return;
      s.buffers.push_back(buffer);
      s.sizes.push_back(bytes->size());
      error = clSetKernelArg(s.kernel, k, sizeof(cl_mem), &buffer);
    } else if (const std::uint32_t* const word = std::get_if<std::uint32_t>(&one)) {
      error = clSetKernelArg(s.kernel, k, sizeof *word, word);
    } else {
      error = clSetKernelArg(s.kernel, k, sizeof(float), &std::get<float>(one));
    }
    s.wrong = failed("clSetKernelArg", error);
  }
}

Twin::~Twin() {
  for (cl_mem buffer : state_->buffers) clReleaseMemObject(buffer);
  if (state_->kernel != nullptr) clReleaseKernel(state_->kernel);
}

std::string Twin::run() {
  State& s = *state_;
  if (!s.wrong.empty()) return s.wrong;
  const cl_int error =
      clEnqueueNDRangeKernel(pocl().queue, s.kernel, 3, nullptr, s.items.data(), s.group.data(), 0, nullptr, nullptr);
  return error != CL_SUCCESS ? failed("clEnqueueNDRangeKernel", error) : failed("clFinish", clFinish(pocl().queue));
}

Bytes Twin::memory() {
  Bytes all;
  for (std::size_t k = 0; k < state_->buffers.size(); ++k) {
    Bytes one(state_->sizes[k]);
    clEnqueueReadBuffer(pocl().queue, state_->buffers[k], CL_TRUE, 0, one.size(), one.data(), 0, nullptr, nullptr);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace warpsim::bench
