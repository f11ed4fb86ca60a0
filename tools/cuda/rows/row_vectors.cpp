// row_vectors: runs every row of the instruction table on the GPU of this machine, with every type and modifier, and
// prints the bits.
//
//   row_vectors > h200_rows.txt && xz -9e h200_rows.txt      the capture that tests/data holds
//   row_vectors --ptx DIR                                    only writes the PTX, to look at or to check with ptxas
//
// CMake builds it as warpsim_row_vectors.
//
// Shapes: each opcode becomes a PTX kernel of its own, made from the row's form; the driver compiles it. Operands
//         come from memory, so nothing is folded. Output, hexadecimal: `opcode a b c -> r`, or `-> r carry`; of an
//         atomic `atom.… memory b [c] -> old left`, `red.… memory b -> left`; of a reduction at a barrier `bar.red.…
//         p -> r` with one bit for each of 64 threads; of a load `ld.… word… -> element…`, of a store into memory
//         full of a5 `st.… element… -> word…`, the words of 64 bits and only as many as there are; of a mov with
//         braces `mov.pack2.b64 a b -> r`, `mov.unpack2.b64 a -> r r`. Lines that begin with # are comments.
// Units:  widths in bits.
// Errors: an opcode that the driver's compiler refuses becomes a comment; a failing driver call ends the program with
//         status 1, no GPU with 5.
// Source: PTX ISA 9.0; CUDA driver API 13.0, from libcuda.so.1 at run time: neither nvcc nor its headers are needed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cuda/driver/driver.h"
#include "tools/cuda/rows/row_instructions.h"
#include "tools/cuda/rows/row_kernels.h"
#include "tools/cuda/rows/row_values.h"

namespace warpsim::rows {
namespace {

// ---- the same operand values for every opcode of the same types
struct Tuple {
  std::uint64_t x[4];
};

std::vector<Tuple> tuples_for(const std::vector<Type>& types) {
  std::uint64_t seed = 20261121;
  for (const Type t : types)
    seed = seed * 31 + static_cast<std::uint64_t>(bits(t)) * 4 + is_float(t) +
           2 * (is_pair(t) || t == Type::BF16);  // u32 and s32 share theirs
  Random random(seed);
  std::vector<Tuple> tuples;
  if (types.size() == 1) {
    for (const std::uint64_t a : special_values(types[0])) tuples.push_back({{a, 0, 0, 0}});
  } else {
    std::size_t pairs = 1;
    for (const Type t : types) pairs *= special_values(t).size();
    const bool few = pairs <= 160;
    for (std::size_t k = 0; k < (few ? pairs : 160); ++k) {
      Tuple tuple{};
      std::size_t which = few ? k : random.next() % pairs;
      for (std::size_t j = 0; j < types.size(); ++j) {
        const std::vector<std::uint64_t> values = special_values(types[j]);
        tuple.x[j] = values[which % values.size()];
        which /= values.size();
      }
      tuples.push_back(tuple);
    }
    // Products and quotients a hair below the smallest normal number: tiny before rounding, not after.
    if (types[0] == Type::F32) {
      for (const std::uint64_t b : {0x3f7ffffeU, 0x3f7fffffU, 0x3f800001U}) {
        for (const std::uint64_t a : {0x00800000U, 0x80800001U, 0x00800002U}) tuples.push_back({{a, b, 0, 0}});
      }
    }
    // Equal operands, for comparisons.
    for (int k = 0; k < 4; ++k) {
      const std::uint64_t x = random_value(types[0], random);
      tuples.push_back({{x, x, x, x}});
    }
  }
  if (types[0] == Type::Pred) return tuples;
  for (int k = 0; k < 60; ++k) {
    Tuple tuple{};
    for (std::size_t j = 0; j < types.size(); ++j)
      tuple.x[j] = random_value(types[j], random) & (types[j] == Type::Pred ? 1 : ~std::uint64_t{0});
    tuples.push_back(tuple);
  }
  return tuples;
}

class Gpu {
 public:
  explicit Gpu(std::unique_ptr<CudaDriver> driver) : driver_(std::move(driver)) {
    std::printf("# %s\n", driver_->description().c_str());
    for (CudaPointer& buffer : buffers_) call("cuMemAlloc_v2", &buffer, kBufferBytes);
  }

  // The results of one kernel over the tuples; false if the compiler refuses it.
  bool run(const std::string& text, const std::vector<Tuple>& tuples, std::vector<Tuple>& results) {
    CudaHandle module = nullptr, kernel = nullptr;
    if (driver_->call("cuModuleLoadData", &module, static_cast<const void*>(text.c_str())) != 0) return false;
    call("cuModuleGetFunction", &kernel, module, "k");
    unsigned n = static_cast<unsigned>(tuples.size());
    for (int k = 0; k < 4; ++k) {
      std::vector<std::uint64_t> column;
      for (const Tuple& tuple : tuples) column.push_back(tuple.x[k]);
      call("cuMemcpyHtoD_v2", buffers_[k], static_cast<const void*>(column.data()), std::size_t{8} * n);
    }
    void* arguments[] = {&buffers_[0], &buffers_[1], &buffers_[2], &buffers_[3], &buffers_[4], &buffers_[5], &n};
    call("cuLaunchKernel", kernel, (n + kBlockThreads - 1) / kBlockThreads, 1U, 1U, kBlockThreads, 1U, 1U, 0U,
         CudaHandle{}, static_cast<void**>(arguments), static_cast<void**>(nullptr));
    results.assign(n, {});
    call("cuMemcpyDtoH_v2", static_cast<void*>(results.data()), buffers_[4], sizeof(Tuple) * n);
    call("cuModuleUnload", module);
    return true;
  }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 22;

  template <class... A>
  void call(const char* function, A... arguments) {
    const int code = driver_->call(function, arguments...);
    if (code == 0) return;
    std::fprintf(stderr, "row_vectors: %s\n", driver_->error_text(function, code).c_str());
    std::exit(1);
  }

  std::unique_ptr<CudaDriver> driver_;
  CudaPointer buffers_[6] = {};  // four operands, the results and memory to act on
};

int digits(Type t) { return t == Type::Pred ? 1 : bits(t) / 4; }

void print_value(Type t, std::uint64_t value) {
  const std::uint64_t x = bits(t) >= 64 ? value : value & ((std::uint64_t{1} << bits(t)) - 1);
  std::printf(" %0*llx", digits(t), static_cast<unsigned long long>(x));
}

void print(const Instruction& i, const std::vector<Tuple>& tuples, const std::vector<Tuple>& results) {
  const Signature s = signature(i);
  const std::string line = line_name(i);
  for (std::size_t k = 0; k < tuples.size(); ++k) {
    std::printf("%s", line.c_str());
    for (std::size_t j = 0; j < s.operands.size(); ++j) print_value(s.operands[j], tuples[k].x[j]);
    std::printf(" ->");
    for (std::size_t j = 0; j < s.results.size(); ++j) print_value(s.results[j], results[k].x[j]);
    std::printf("\n");
  }
}

// A line for each barrier; all of its threads must have the same result.
void print_barriers(const Instruction& i, const std::vector<std::uint64_t>& masks, const std::vector<Tuple>& results) {
  for (std::size_t m = 0; m < masks.size(); ++m) {
    const std::uint64_t result = results[m * kBarrierThreads].x[0];
    for (unsigned t = 1; t < kBarrierThreads; ++t) {
      if (results[m * kBarrierThreads + t].x[0] != result)
        std::printf("# thread %u of the next line had another result\n", t);
    }
    std::printf("%s %016llx ->", opcode_text(i).c_str(), static_cast<unsigned long long>(masks[m]));
    print_value(i.type, result);
    std::printf("\n");
  }
}
std::vector<std::uint64_t> barrier_masks() {
  std::vector<std::uint64_t> masks = {0, 1, ~std::uint64_t{0}, 1ULL << 63, 0xffffffffU, ~std::uint64_t{0} << 32, ~1ULL};
  Random random(20261121);
  while (masks.size() < 24) masks.push_back(random.next());
  return masks;
}

std::vector<Tuple> all_halves(Type t) {
  std::vector<Tuple> tuples;
  for (std::uint64_t index = 0; index < kHalves; ++index) tuples.push_back({{every_half(t, index), 0, 0, 0}});
  return tuples;
}
void print_hash(const Instruction& i, const std::vector<Tuple>& results) {
  std::uint64_t hash = 1469598103934665603U;  // FNV-1a over words of 32 bits, the low byte first
  for (const Tuple& result : results) {
    for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (result.x[0] >> (8 * byte) & 0xff)) * 1099511628211U;
  }
  std::printf("%s all 65536 fnv=%016llx\n", opcode_text(i).c_str(), static_cast<unsigned long long>(hash));
}

// Tables of lop3: one bit alone, three operands mixed, those that need only some, everything.
const std::vector<std::uint64_t> kConstants = {0x00, 0x01, 0x1b, 0x3c, 0x80, 0x96, 0xc0, 0xca, 0xe8, 0xfe, 0xff};

int main_of(int argc, char** argv) {
  const std::vector<Instruction> all = all_instructions();
  if (argc == 3 && std::string(argv[1]) == "--ptx") {
    for (const Instruction& i : all) std::ofstream(std::string(argv[2]) + "/" + line_name(i) + ".ptx") << ptx(i, 0x96);
    return 0;
  }
  std::string why;
  std::unique_ptr<CudaDriver> driver = CudaDriver::open(why);
  if (!driver) return std::fprintf(stderr, "row_vectors: %s\n", why.c_str()), 5;
  Gpu gpu(std::move(driver));
  std::printf("# opcode operands -> result\n");
  int refused = 0;
  for (const Instruction& i : all) {
    const Signature s = signature(i);
    std::vector<Tuple> results;
    if (i.row->lift == Lift::BarrierReduce) {
      const std::vector<std::uint64_t> masks = barrier_masks();
      std::vector<Tuple> threads;
      for (const std::uint64_t mask : masks) {
        for (unsigned t = 0; t < kBarrierThreads; ++t) threads.push_back({{mask >> t & 1, 0, 0, 0}});
      }
      if (gpu.run(ptx(i, 0), threads, results)) print_barriers(i, masks, results);
      else std::printf("# refused by the driver's compiler: %s\n", opcode_text(i).c_str()), ++refused;
      continue;
    }
    const bool has_constant = s.constant != Signature::kNoConstant;
    for (const std::uint64_t constant : has_constant ? kConstants : std::vector<std::uint64_t>{0}) {
      std::vector<Tuple> tuples = tuples_for(s.operands);
      if (has_constant) {
        for (Tuple& tuple : tuples) tuple.x[s.constant] = constant;
      }
      if (i.row->form == Form::AtomCas) {  // every other one finds what it compares with
        for (std::size_t k = 1; k < tuples.size(); k += 2) tuples[k].x[1] = tuples[k].x[0];
      }
      if (gpu.run(ptx(i, constant), tuples, results)) {
        print(i, tuples, results);
        if (has_every_half(i, s) && gpu.run(ptx(i, constant), all_halves(s.operands[0]), results))
          print_hash(i, results);
      } else {
        ++refused;
        std::printf("# refused by the driver's compiler: %s\n", opcode_text(i).c_str());
      }
    }
  }
  std::printf("# done: %zu opcodes, %d refused\n", all.size(), refused);
  return 0;
}

}  // namespace
}  // namespace warpsim::rows

int main(int argc, char** argv) { return warpsim::rows::main_of(argc, argv); }
