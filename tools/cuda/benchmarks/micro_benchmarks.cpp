#include "tools/cuda/benchmarks/micro_benchmarks.h"

#include <algorithm>
#include <cctype>

#include "tools/cuda/benchmarks/micro_benchmark_text.h"

namespace warpsim {
namespace {

// A register that is loaded: its name, the buffer, its type, and which of the buffer's values.
struct Input {
  const char* name;
  const char* buffer;
  const char* type;
  unsigned place;
};
constexpr Input kInputs[] = {
    {"%a", "words", "u32", 0},     {"%b", "words", "u32", 1},     {"%c", "words", "u32", 2},
    {"%d", "words", "u32", 3},     {"%f", "floats", "f32", 0},    {"%g", "floats", "f32", 1},
    {"%h", "floats", "f32", 2},    {"%k", "floats", "f32", 3},    {"%s", "longs", "u64", 0},
    {"%t", "longs", "u64", 1},     {"%u", "doubles", "f64", 0},   {"%v", "doubles", "f64", 1},
    {"%zero", "flags", "u32", 0},  {"%one", "flags", "u32", 1},   {"%w0", "floats", "f32", 4},
    {"%w1", "floats", "f32", 5},   {"%w2", "floats", "f32", 6},   {"%w3", "floats", "f32", 7},
    {"%w4", "floats", "f32", 8},   {"%w5", "floats", "f32", 9},   {"%w6", "floats", "f32", 10},
    {"%w7", "floats", "f32", 11},  {"%w8", "floats", "f32", 12},  {"%w9", "floats", "f32", 13},
    {"%w10", "floats", "f32", 14}, {"%w11", "floats", "f32", 15}, {"%w12", "floats", "f32", 16},
    {"%w13", "floats", "f32", 17}, {"%w14", "floats", "f32", 18}, {"%w15", "floats", "f32", 19},
};

// A buffer of inputs: what its values are. A thread has one or several, each a block apart.
struct Buffer {
  const char* name;
  const char* type;
  const char* rule;
};
constexpr Buffer kBuffers[] = {
    {"words", "u32", "random:1"},   {"floats", "f32", "random:2"},      {"longs", "u64", "random:3"},
    {"doubles", "f64", "random:4"}, {"flags", "u32", "i / block_size"},
};
// An array that sends each element to itself.
constexpr const char* kChain = "chain";
// One that is larger than L1, and leads through all its lines.
constexpr const char* kFar = "far";

bool names(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool longer =
        end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_');
    if (!longer) return true;
  }
  return false;
}

std::string lines(const std::string& text) {
  std::string out, one;
  for (const char c : text + "\n") {
    if (c != '\n' && c != ';') {
      if (c != ' ' || !one.empty()) one += c;
      continue;
    }
    if (!one.empty()) out += (one.back() == ':' ? "" : "        ") + one + "\n";
    one.clear();
  }
  return out;
}

const Input* input_named(const std::string& name) {
  for (const Input& input : kInputs)
    if (name == input.name) return &input;
  return nullptr;
}

}  // namespace

std::string_view name(KernelSet set) { return set == KernelSet::Test ? "test" : "calibration"; }

std::string repeated(const std::string& text, unsigned times) {
  std::string out;
  for (unsigned k = 0; k < times; ++k) out += text + "\n";
  return out;
}

std::string numbered(std::string text, unsigned number) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at))
    text.replace(at, 1, std::to_string(number));
  return text;
}

std::string kernel_text(const std::string& name, unsigned warps, const KernelText& kernel) {
  std::string body = kernel.before + "\n" + kernel.region + "\n" + kernel.after;
  for (const std::string& result : kernel.results) body += " " + result;
  const bool own = names(body, "%own");
  const unsigned threads = warps * 32;
  std::string params = kernel.params, loads, rules = kernel.fields, stores;
  for (const Buffer& buffer : kBuffers) {
    unsigned values = 0;
    for (const Input& input : kInputs) {
      if (input.buffer != std::string(buffer.name) || !names(body, input.name)) continue;
      values = std::max(values, input.place + 1);
      loads += std::string("ld.global.") + input.type + " " + input.name + ", " + buffer.name + "[%gtid + " +
               std::to_string(input.place * threads) + "]\n";
    }
    if (values == 0) continue;
    params += std::string("in ") + buffer.name + ": " + buffer.type + "[" + std::to_string(values * threads) + "], ";
    rules += std::string("    ") + buffer.name + " = " + buffer.rule + "\n";
  }
  if (names(body, kChain)) {
    params += "in chain: u32[1024], ";
    rules += "    chain = i\n";
  }
  if (names(body, kFar)) {
    params += "in far: u32[131072], ";
    rules += "    far = (i + 1024) % 131072\n";
  }
  if (own) loads += "shl.b32 %own, %tid.x, 2\n";
  std::string outs;
  for (std::size_t k = 0; k < kernel.results.size(); ++k) {
    const Input* const input = input_named(kernel.results[k]);
    const std::string type = input == nullptr ? "u32" : input->type, out = "out" + std::to_string(k);
    outs += (outs.empty() ? "" : ", ") + std::string("out ") + out + ": " + type + "[" + std::to_string(threads) + "]";
    stores += "st.global." + type + " " + out + "[%gtid], " + kernel.results[k] + "\n";
  }
  std::string program;
  for (const char c : name) program += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  std::string text = ".kernel " + program + " (" + params + outs + ")\n";
  const unsigned words = (own ? threads : 0) + kernel.shared_words;
  if (words != 0) text += ".shared u32 tile[" + std::to_string(words) + "]\n";
  text += lines(loads + kernel.before) + "measure:\n" + lines(kernel.region) + "measured:\n" +
          lines(kernel.after + "\n" + stores + "exit");
  return text + ".case clock\n    lanes = 32\n    block = " + std::to_string(threads) + "\n" + rules;
}

void Kernels::add(const std::string& name, std::string_view cls, KernelSet set, unsigned warps,
                  const KernelText& kernel) {
  all_.push_back({name, cls, set, warps, kernel.cold, kernel_text(name, warps, kernel), kernel.passes, kernel.whole});
}
void Kernels::add(const std::string& name, std::string_view cls, unsigned warps, const KernelText& kernel) {
  // Of a name's letters, not of its numbers alone: kernels of a family are in both sets.
  std::uint32_t sum = 0;
  for (const char c : name) sum = sum * 31 + static_cast<unsigned char>(c);
  add(name, cls, (sum ^ sum >> 16) % 3 == 0 ? kTest : kFit, warps, kernel);
}

const std::vector<MicroBenchmark>& micro_benchmarks() {
  static const std::vector<MicroBenchmark> all = [] {
    std::vector<MicroBenchmark> out;
    Kernels kernels(out);
    add_chains(kernels);
    add_streams(kernels);
    add_exchanges(kernels);
    add_shared(kernels);
    add_control(kernels);
    add_algorithms(kernels);
    return out;
  }();
  return all;
}

const std::vector<MicroBenchmark>& machine_benchmarks() {
  static const std::vector<MicroBenchmark> all = [] {
    std::vector<MicroBenchmark> out;
    Kernels kernels(out);
    add_pipes(kernels);
    add_paths(kernels);
    add_meetings(kernels);
    add_memories(kernels);
    return out;
  }();
  return all;
}

}  // namespace warpsim
