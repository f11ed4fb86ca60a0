// The approximate functions: every input's hash against the one that an H200 computed, and samples against the
// reference.
//
// Shapes: the hash is the sum over all inputs i of mix(i << 32 | f(i)), mod 2^64; equal hashes are taken as equal
//         results.
// Errors: WARPSIM_ALL_INPUTS=1 runs all 2^32 inputs of all functions, some minutes in a release build.
// Source: hashes computed on an H200 (sm_90, driver 580.159.04) on 2026-11-21.
#include "isa/kernels/mufu.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <thread>
#include <vector>

#include "isa/table/op.h"
#include "tools/fuzz/reference_interpreter.h"

namespace warpsim {
namespace {

struct Function {
  const char* name;
  mufu::Word (*of)(mufu::Word);
  std::uint64_t hash;  // over all 2^32 inputs
  Op op;
  bool ftz;
};
// sin and cos have one meaning with .ftz and without; the H200's hashes of both forms are equal.
constexpr std::array kFunctions = {
    Function{"rcp.approx.ftz.f32", mufu::rcp, 0x35d36c4288d43917, Op::RcpApprox, true},
    Function{"rcp.approx.f32", mufu::rcp_kept, 0xad74bac43e8ae00c, Op::RcpApprox, false},
    Function{"rsqrt.approx.ftz.f32", mufu::rsqrt, 0x3ea18cd0b81b4a79, Op::RsqrtApprox, true},
    Function{"rsqrt.approx.f32", mufu::rsqrt_kept, 0x4b21108f6f9efc73, Op::RsqrtApprox, false},
    Function{"sqrt.approx.ftz.f32", mufu::sqrt, 0xc852b1922498e7b8, Op::SqrtApprox, true},
    Function{"sqrt.approx.f32", mufu::sqrt_kept, 0x61613748506b974f, Op::SqrtApprox, false},
    Function{"ex2.approx.ftz.f32", mufu::ex2, 0x1d1556d350d539a8, Op::Ex2Approx, true},
    Function{"ex2.approx.f32", mufu::ex2_kept, 0xb7a2a06dad9e0e76, Op::Ex2Approx, false},
    Function{"lg2.approx.ftz.f32", mufu::lg2, 0x53f137d4cc010e6a, Op::Lg2Approx, true},
    Function{"lg2.approx.f32", mufu::lg2_kept, 0x765fc04c907d90f8, Op::Lg2Approx, false},
    Function{"sin.approx[.ftz].f32", mufu::sin, 0x7300159050ecc442, Op::SinApprox, false},
    Function{"cos.approx[.ftz].f32", mufu::cos, 0xad55be0040afe73e, Op::CosApprox, false},
    Function{"tanh.approx.f32", mufu::tanh, 0x7b3d8084ead5bfdf, Op::TanhApprox, false},
};

std::uint64_t mix(std::uint64_t z) {
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9U;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

std::uint64_t hash_of_all(mufu::Word (*function)(mufu::Word)) {
  const unsigned count = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::uint64_t> sums(count, 0);
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < count; ++k) {
    threads.emplace_back([&sums, function, k, count] {
      std::uint64_t sum = 0;
      for (std::uint64_t i = k; i < std::uint64_t{1} << 32; i += count)
        sum += mix(i << 32 | function(static_cast<mufu::Word>(i)));
      sums[k] = sum;
    });
  }
  std::uint64_t total = 0;
  for (unsigned k = 0; k < count; ++k) {
    threads[k].join();
    total += sums[k];
  }
  return total;
}

TEST(Mufu, EveryInputOfEveryFunctionGivesTheBitsOfTheH200) {
  if (std::getenv("WARPSIM_ALL_INPUTS") == nullptr) GTEST_SKIP() << "WARPSIM_ALL_INPUTS=1 runs it, for some minutes";
  for (const Function& f : kFunctions) EXPECT_EQ(hash_of_all(f.of), f.hash) << f.name;
}

// Around every power of two, and every 2^20th input or so.
TEST(Mufu, SamplesOfEveryFunctionAgreeWithTheReference) {
  std::vector<mufu::Word> inputs;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << 32; i += 1'048'573) inputs.push_back(static_cast<mufu::Word>(i));
  for (mufu::Word power = 0; power < 512; ++power) {
    for (const mufu::Word offset : {0xffffffffU, 0U, 1U, 0x1ffffU, 0x20000U}) inputs.push_back((power << 23) + offset);
  }
  for (const Function& f : kFunctions) {
    int differences = 0;
    for (const mufu::Word x : inputs) {
      const std::uint64_t expected = reference::evaluate(f.op, Type::F32, Type::None, Mods{.ftz = f.ftz}, {x}, 32);
      if (f.of(x) != expected && ++differences < 4)
        ADD_FAILURE() << f.name << " of " << std::hex << x << ": " << f.of(x) << ", the reference says " << expected;
    }
    EXPECT_EQ(differences, 0) << f.name;
  }
}

}  // namespace
}  // namespace warpsim
