// A device of the C interface for a test, and kernels to run on it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/interface/warpsim.h"

namespace warpsim::host {

inline std::string ptx_text(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + body;
}

class CDevice : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(warpsim_create(nullptr, &device_), WARPSIM_OK); }
  void TearDown() override { warpsim_destroy(device_); }

  std::string error() const {
    std::string text(warpsim_error(device_, nullptr, 0), '\0');
    warpsim_error(device_, text.data(), text.size() + 1);
    return text;
  }
  // The module of one text; null if it is not loaded.
  warpsim_module* loaded(const std::string& body) {
    const std::string text = ptx_text(body);
    const warpsim_ptx ptx = {text.c_str(), text.size(), "test.ptx"};
    warpsim_module* module = nullptr;
    EXPECT_EQ(warpsim_load(device_, &ptx, 1, &module), WARPSIM_OK) << error();
    return module;
  }
  warpsim_kernel* kernel_of(const std::string& body) { return warpsim_kernel_at(loaded(body), 0); }
  std::uint64_t allocated(std::uint64_t bytes, const char* name = "x") {
    std::uint64_t address = 0;
    EXPECT_EQ(warpsim_allocate(device_, bytes, name, &address), WARPSIM_OK) << error();
    return address;
  }
  std::vector<std::uint32_t> words_at(std::uint64_t address, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    EXPECT_EQ(warpsim_read(device_, words.data(), address, count * 4), WARPSIM_OK) << error();
    return words;
  }
  warpsim_status launch(warpsim_kernel* kernel, std::uint32_t blocks, std::uint32_t threads,
                        const std::vector<const void*>& parameters) {
    const warpsim_shape shape = WARPSIM_SHAPE(blocks, threads);
    return warpsim_launch(kernel, &shape, parameters.data());
  }

  warpsim_device* device_ = nullptr;
};

// y[i] = i, for each thread of the grid.
inline const std::string kNumbers =
    ".visible .entry _Z7numbersPj(.param .u64 y) {\n.reg .b64 %rd<4>; .reg .b32 %r<5>;\nld.param.u64 %rd1, [y];\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r4; ret; }\n";

}  // namespace warpsim::host
