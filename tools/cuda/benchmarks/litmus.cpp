// litmus: which outcomes of litmus programs the GPU of this machine shows, in some ten million runs of each.
//
//   for f in programs/litmus/*.warp; do build/release/warpsim ptx $f > ptx/$(basename $f .warp).ptx; done
//   litmus ptx programs/litmus > h200_litmus.txt      the capture that tests/data holds
//
// Build: g++ -std=c++20 -O2 tools/cuda/benchmarks/litmus.cpp -ldl -o litmus
//
// Shapes: a grid holds thousands of instances of a program's launch, each with buffers of its own: %ctaid.x and the
//         addresses of the buffers are taken apart in the PTX text. The blocks of an instance stand side by side or as
//         far apart as a wave of blocks goes, and the words of two instances lie in one line of memory or in several.
//         `NAME WORDS xCOUNT` for each outcome: all words of all buffers in the kernel's order, hexadecimal.
// Units:  words of 32 bits.
// Errors: `NAME fails CALL CODE`, `NAME does not end` after a minute, `NAME is left out: WHY`. A program runs in a
//         process of its own.
// Source: PTX ISA 9.0; Alglave et al., "GPU Concurrency: Weak Behaviours and Programming Assumptions" (ASPLOS 2015):
//         instances side by side, placed in several ways.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::uint64_t kRuns = 10'000'000;
constexpr unsigned kInstances = 65'536, kSeconds = 60, kWarp = 32;

struct Buffer {
  std::string name;
  unsigned words = 0, initial = 0;
};
struct Test {
  std::string name, ptx, why_not;
  unsigned grid = 1, block = 1;
  std::vector<Buffer> buffers;
};

std::string read(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// `1`, `WARP_SZ`, `2 * WARP_SZ`.
unsigned number(const std::string& text) {
  std::smatch found;
  if (std::regex_match(text, found, std::regex(R"((?:(\d+) \* )?WARP_SZ)")))
    return (found[1].matched ? static_cast<unsigned>(std::stoul(found[1])) : 1) * kWarp;
  return static_cast<unsigned>(std::stoul(text));
}

// The launch and the buffers, from the text of the program's first case.
Test test_of(const std::filesystem::path& ptx, const std::filesystem::path& source) {
  Test test;
  test.name = ptx.stem();
  test.ptx = read(ptx);
  const std::string text = read(source);
  static const std::regex parameter(R"((in|out|inout) (\w+): (\w+)\[(\d+)\])"), field(R"(\n    (\w+) += (\S.*))");
  for (std::sregex_iterator at(text.begin(), text.end(), parameter), end; at != end; ++at) {
    if ((*at)[3] != "u32") test.why_not = "a buffer of " + std::string((*at)[3]);
    test.buffers.push_back({(*at)[2], static_cast<unsigned>(std::stoul((*at)[4]))});
  }
  for (std::sregex_iterator at(text.begin(), text.end(), field), end; at != end; ++at) {
    if ((*at)[1] == "finding") continue;
    const unsigned value = number((*at)[2]);
    if ((*at)[1] == "grid") test.grid = value;
    if ((*at)[1] == "block") test.block = value;
    for (Buffer& buffer : test.buffers)
      if (buffer.name == (*at)[1]) buffer.initial = value;
  }
  unsigned words = 0;
  for (const Buffer& buffer : test.buffers) words += buffer.words;
  if (words > 8) test.why_not = "more than 8 words";
  return test;
}

// Many instances: block b of the grid is block (b / spread) % grid of an instance, `spread` instances at a time.
std::string instances_of(const Test& test, unsigned spread, unsigned stride) {
  std::string prologue = "mov.u32 %i_b, %ctaid.x; div.u32 %i_t, %i_b, " + std::to_string(spread) +
                         "; rem.u32 %i_r, %i_t, " + std::to_string(test.grid) + "; div.u32 %i_t, %i_t, " +
                         std::to_string(test.grid) + "; rem.u32 %i_n, %i_b, " + std::to_string(spread) +
                         "; mad.lo.u32 %i_n, %i_t, " + std::to_string(spread) + ", %i_n; mul.wide.u32 %i_a, %i_n, " +
                         std::to_string(stride) + ";\n";
  for (const Buffer& buffer : test.buffers)
    if (test.ptx.find("%__param_" + buffer.name + ",") != std::string::npos)
      prologue += "add.u64 %__param_" + buffer.name + ", %__param_" + buffer.name + ", %i_a;\n";
  std::string text = test.ptx;
  const std::string block = "mov.u32 %__ctaid_x, %ctaid.x;\n";
  if (const std::size_t at = text.find(block); at != std::string::npos) {
    text.erase(at, block.size());
    prologue += "mov.u32 %__ctaid_x, %i_r;\n";
  }
  text.insert(text.find("{\n") + 2, ".reg .b32 %i_b, %i_t, %i_r, %i_n; .reg .b64 %i_a;\n");
  const std::size_t body = text.rfind("ld.param.u64");
  return text.insert(text.find('\n', body) + 1, prologue);
}

using Handle = void*;
using Outcomes = std::vector<std::pair<std::vector<std::uint32_t>, std::uint64_t>>;

void count(Outcomes& outcomes, const std::vector<std::uint32_t>& words) {
  for (auto& [known, times] : outcomes) {
    if (known != words) continue;
    ++times;
    return;
  }
  outcomes.emplace_back(words, 1);
}

class Driver {
 public:
  explicit Driver(std::string name) : name_(std::move(name)), library_(dlopen("libcuda.so.1", RTLD_NOW)) {
    int device = 0;
    Handle context = nullptr;
    call("cuInit", 0U);
    call("cuDeviceGet", &device, 0);
    call("cuDevicePrimaryCtxRetain", &context, device);
    call("cuCtxSetCurrent", context);
  }
  template <class... A>
  void call(const char* function, A... arguments) const {
    void* address = library_ == nullptr ? nullptr : dlsym(library_, function);
    const int code = address == nullptr ? -1 : reinterpret_cast<int (*)(A...)>(address)(arguments...);
    if (code == 0) return;
    std::printf("%s fails %s %d\n", name_.c_str(), function, code);
    std::exit(1);
  }

 private:
  std::string name_;
  void* library_;
};

// `times` launches in one placement.
void run(const Driver& driver, const Test& test, unsigned spread, unsigned stride, std::uint64_t times,
         Outcomes& outcomes) {
  Handle module = nullptr, kernel = nullptr;
  const std::string text = instances_of(test, spread, stride);
  driver.call("cuModuleLoadData", &module, static_cast<const void*>(text.c_str()));
  driver.call("cuModuleGetFunction", &kernel, module, test.name.c_str());
  const unsigned instances = kInstances / spread * spread;
  std::vector<std::uint64_t> addresses(test.buffers.size());
  std::vector<std::vector<std::uint32_t>> host(test.buffers.size());
  std::vector<void*> arguments;
  for (std::size_t k = 0; k < addresses.size(); ++k) {
    host[k].resize(std::size_t{instances} * stride / 4);
    driver.call("cuMemAlloc_v2", &addresses[k], 4 * host[k].size());
    arguments.push_back(&addresses[k]);
  }
  std::vector<std::uint32_t> words;
  for (std::uint64_t launch = 0; launch < times; ++launch) {
    for (std::size_t k = 0; k < addresses.size(); ++k)
      driver.call("cuMemsetD32_v2", addresses[k], test.buffers[k].initial, host[k].size());
    driver.call("cuLaunchKernel", kernel, instances * test.grid, 1U, 1U, test.block, 1U, 1U, 0U, Handle{},
                arguments.data(), static_cast<void**>(nullptr));
    driver.call("cuCtxSynchronize");
    for (std::size_t k = 0; k < addresses.size(); ++k)
      driver.call("cuMemcpyDtoH_v2", static_cast<void*>(host[k].data()), addresses[k], 4 * host[k].size());
    for (unsigned n = 0; n < instances; ++n) {
      words.clear();
      for (std::size_t k = 0; k < host.size(); ++k)
        for (unsigned w = 0; w < test.buffers[k].words; ++w) words.push_back(host[k][n * (stride / 4) + w]);
      count(outcomes, words);
    }
  }
  for (const std::uint64_t address : addresses) driver.call("cuMemFree_v2", address);
  driver.call("cuModuleUnload", module);
}

[[noreturn]] void run(const Test& test) {
  alarm(kSeconds);
  const Driver driver(test.name);
  unsigned widest = 1;
  for (const Buffer& buffer : test.buffers) widest = std::max(widest, buffer.words);
  Outcomes outcomes;
  const unsigned placements[][2] = {{1, 4 * widest},   {1, 256},   {64, 4 * widest},
                                    {132, 4 * widest}, {132, 256}, {528, 32}};
  for (const auto& [spread, stride] : placements)
    run(driver, test, spread, stride, kRuns / kInstances / std::size(placements) + 1, outcomes);
  std::sort(outcomes.begin(), outcomes.end());
  for (const auto& [words, times] : outcomes) {
    std::printf("%s", test.name.c_str());
    for (const std::uint32_t word : words) std::printf(" %x", word);
    std::printf(" x%llu\n", static_cast<unsigned long long>(times));
  }
  std::exit(0);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: litmus FOLDER_OF_PTX FOLDER_OF_PROGRAMS\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(words[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    const Test test = test_of(file, std::filesystem::path(words[2]) / (file.stem().string() + ".warp"));
    if (!test.why_not.empty()) {
      std::printf("%s is left out: %s\n", test.name.c_str(), test.why_not.c_str());
      continue;
    }
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) run(test);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) std::printf("%s does not end\n", test.name.c_str());
    std::fflush(stdout);
  }
}
