// The C interface: memory, modules, launches, errors in words.
#include <thread>

#include "tests/host/interface/c_device.h"

namespace warpsim::host {
namespace {

using CInterface = CDevice;

TEST_F(CInterface, LaunchesOnMemory) {
  warpsim_kernel* const numbers = kernel_of(kNumbers);
  EXPECT_STREQ(warpsim_kernel_symbol(numbers), "_Z7numbersPj");
  EXPECT_STREQ(warpsim_kernel_name(numbers), "numbers");
  EXPECT_EQ(warpsim_parameter_count(numbers), 1U);
  const std::uint64_t y = allocated(4 * 70);
  ASSERT_EQ(launch(numbers, 2, 35, {&y}), WARPSIM_OK) << error();
  std::vector<std::uint32_t> expected(70);
  for (std::uint32_t k = 0; k < 70; ++k) expected[k] = k;
  EXPECT_EQ(words_at(y, 70), expected);
}

TEST_F(CInterface, CopiesAndFills) {
  const std::uint64_t a = allocated(16), b = allocated(16);
  EXPECT_EQ(words_at(a, 4), (std::vector<std::uint32_t>{0, 0, 0, 0}));
  const std::uint32_t values[4] = {1, 2, 3, 4};
  ASSERT_EQ(warpsim_write(device_, a, values, 16), WARPSIM_OK);
  ASSERT_EQ(warpsim_copy(device_, b + 4, a, 12), WARPSIM_OK);
  ASSERT_EQ(warpsim_fill(device_, b, 0xab, 2), WARPSIM_OK);
  EXPECT_EQ(words_at(b, 4), (std::vector<std::uint32_t>{0xabab, 1, 2, 3}));
  ASSERT_EQ(warpsim_copy(device_, a + 4, a, 12), WARPSIM_OK) << "as memmove does it";
  EXPECT_EQ(words_at(a, 4), (std::vector<std::uint32_t>{1, 1, 2, 3}));
}

TEST_F(CInterface, MappedMemoryIsTheHosts) {
  std::vector<std::uint32_t> host(8, 99);
  ASSERT_EQ(warpsim_map(device_, host.data(), 24, nullptr), WARPSIM_OK) << error();
  const std::uint64_t y = reinterpret_cast<std::uintptr_t>(host.data());
  warpsim_kernel* const numbers = kernel_of(kNumbers);
  EXPECT_EQ(launch(numbers, 1, 6, {&y}), WARPSIM_OK) << error();
  EXPECT_EQ(host, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 99, 99}));
  EXPECT_EQ(launch(numbers, 1, 7, {&y}), WARPSIM_ERROR_TRAP);
  EXPECT_EQ(host[6], 99U);
  EXPECT_EQ(warpsim_map(device_, host.data() + 1, 4, nullptr), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_NE(error().find("is device memory already"), std::string::npos) << error();
  EXPECT_EQ(warpsim_free(device_, y), WARPSIM_OK);
  EXPECT_EQ(launch(numbers, 1, 1, {&y}), WARPSIM_ERROR_TRAP);
}

// Each variable once for all kernels; what a launch leaves stays.
TEST_F(CInterface, VariablesOfAModule) {
  warpsim_module* const module = loaded(
      ".global .u32 count = 5;\n.const .u32 table[3] = {7, 8};\n.global .u64 at = table;\n.global .u32 unused[2] = "
      "{1};\n"
      ".visible .entry add() { .reg .b32 %r<3>; .reg .b64 %rd; ld.global.u64 %rd, [at]; ld.u32 %r1, [%rd+4];\n"
      "atom.global.add.u32 %r2, [count], %r1; ret; }\n"
      ".visible .entry twice() { .reg .b32 %r; ld.global.u32 %r, [count]; shl.b32 %r, %r, 1; st.global.u32 [count], "
      "%r; ret; }\n");
  std::uint64_t count = 0, table = 0, unused = 0, size = 0;
  ASSERT_EQ(warpsim_find_symbol(module, "count", &count, &size), WARPSIM_OK);
  EXPECT_EQ(size, 4U);
  ASSERT_EQ(warpsim_find_symbol(module, "table", &table, &size), WARPSIM_OK);
  EXPECT_EQ(size, 12U);
  ASSERT_EQ(warpsim_find_symbol(module, "unused", &unused, nullptr), WARPSIM_OK);
  EXPECT_EQ(words_at(table, 3), (std::vector<std::uint32_t>{7, 8, 0}));
  EXPECT_EQ(words_at(unused, 2), (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(warpsim_find_symbol(module, "no", &count, nullptr), WARPSIM_ERROR_NOT_FOUND);
  EXPECT_EQ(error(), "the module has no variable `no`");

  ASSERT_EQ(launch(warpsim_kernel_at(module, 0), 1, 1, {}), WARPSIM_OK) << error();
  EXPECT_EQ(words_at(count, 1).front(), 13U) << "5 + 8";
  ASSERT_EQ(launch(warpsim_kernel_at(module, 1), 1, 1, {}), WARPSIM_OK) << error();
  EXPECT_EQ(words_at(count, 1).front(), 26U);
  const std::uint32_t hundred = 100;
  ASSERT_EQ(warpsim_write(device_, table + 4, &hundred, 4), WARPSIM_OK) << "the host may write constants";
  ASSERT_EQ(launch(warpsim_kernel_at(module, 0), 1, 1, {}), WARPSIM_OK) << error();
  EXPECT_EQ(words_at(count, 1).front(), 126U);
  warpsim_unload(module);
  EXPECT_EQ(warpsim_read(device_, &size, count, 4), WARPSIM_ERROR_BAD_ADDRESS) << "they go with their module";
}

TEST_F(CInterface, TextsAreLinked) {
  const std::string one = ptx_text(".extern .func (.param .b32 r) seven();\n.global .u32 own = 1;\n" +
                                   std::string(".visible .entry k(.param .u64 y) { .reg .b32 %r<3>; .reg .b64 %rd;\n"
                                               "{ .param .b32 p; call (p), seven, (); ld.param.b32 %r1, [p]; }\n"
                                               "ld.global.u32 %r2, [own]; add.u32 %r1, %r1, %r2;\n"
                                               "ld.param.u64 %rd, [y]; st.global.u32 [%rd], %r1; ret; }\n"));
  const std::string two = ptx_text(
      ".global .u32 own = 30;\n.visible .func (.param .b32 r) seven() { .reg .b32 %r; ld.global.u32 %r, [own];\n"
      "st.param.b32 [r], %r; ret; }\n");
  const warpsim_ptx both[] = {{one.c_str(), 0, "one"}, {two.c_str(), 0, "two"}};
  warpsim_module* module = nullptr;
  ASSERT_EQ(warpsim_load(device_, both, 2, &module), WARPSIM_OK) << error();
  const std::uint64_t y = allocated(4);
  ASSERT_EQ(launch(warpsim_kernel_at(module, 0), 1, 1, {&y}), WARPSIM_OK) << error();
  EXPECT_EQ(words_at(y, 1).front(), 31U) << "each text has a variable of its own";
}

TEST_F(CInterface, ParametersOfEverySize) {
  warpsim_kernel* const kernel = kernel_of(
      ".visible .entry k(.param .u8 a, .param .align 8 .b8 s[12], .param .u16 b, .param .u64 y) {\n"
      ".reg .b32 %r<6>; .reg .b64 %rd; ld.param.u8 %r1, [a]; ld.param.u32 %r2, [s+8]; ld.param.u16 %r3, [b];\n"
      "ld.param.u64 %rd, [y]; add.u32 %r4, %r1, %r2; add.u32 %r4, %r4, %r3; st.global.u32 [%rd], %r4; ret; }\n");
  std::vector<std::uint64_t> sizes, offsets;
  for (std::size_t k = 0; k < warpsim_parameter_count(kernel); ++k) {
    std::uint64_t size = 0, offset = 0;
    ASSERT_EQ(warpsim_parameter(kernel, k, &size, &offset), WARPSIM_OK);
    sizes.push_back(size);
    offsets.push_back(offset);
  }
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{1, 12, 2, 8}));
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 8, 20, 24}));
  const std::uint8_t a = 200;
  const std::uint32_t s[3] = {1, 2, 3000};
  const std::uint16_t b = 60000;
  const std::uint64_t y = allocated(4);
  ASSERT_EQ(launch(kernel, 1, 1, {&a, s, &b, &y}), WARPSIM_OK) << error();
  EXPECT_EQ(words_at(y, 1).front(), 63200U);
}

TEST_F(CInterface, ErrorsSayWhatIsWrong) {
  const warpsim_ptx bad = {".version 8.0\n.target sm_90\n.address_size 64\n.entry k( { }", 0, "bad.ptx"};
  warpsim_module* module = nullptr;
  EXPECT_EQ(warpsim_load(device_, &bad, 1, &module), WARPSIM_ERROR_BAD_PTX);
  EXPECT_EQ(module, nullptr);
  EXPECT_EQ(error().rfind("bad.ptx:4:", 0), 0U) << error();
  EXPECT_NE(error().find("^"), std::string::npos) << error();

  module = loaded(kNumbers);
  warpsim_kernel* kernel = nullptr;
  EXPECT_EQ(warpsim_find_kernel(module, "number", &kernel), WARPSIM_ERROR_NOT_FOUND);
  EXPECT_NE(error().find("`_Z7numbersPj`"), std::string::npos) << error();
  ASSERT_EQ(warpsim_find_kernel(module, "numbers", &kernel), WARPSIM_OK);

  const std::uint64_t y = allocated(64, "result");
  EXPECT_EQ(launch(kernel, 1, 1025, {&y}), WARPSIM_ERROR_BAD_LAUNCH);
  EXPECT_NE(error().find("1024"), std::string::npos) << error();
  EXPECT_EQ(launch(kernel, 0, 32, {&y}), WARPSIM_ERROR_BAD_LAUNCH);
  EXPECT_EQ(launch(kernel, 1, 32, {nullptr}), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(kernel, 1, 17, {&y}), WARPSIM_ERROR_TRAP) << "64 bytes are 16 numbers";
  EXPECT_NE(error().find("result"), std::string::npos) << error();
  EXPECT_NE(error().find("lane 16"), std::string::npos) << error();
  EXPECT_NE(error().find("test.ptx:9"), std::string::npos) << error();

  std::uint32_t word = 0;
  EXPECT_EQ(warpsim_read(device_, &word, y + 62, 4), WARPSIM_ERROR_BAD_ADDRESS);
  EXPECT_NE(error().find("past the end of `result`"), std::string::npos) << error();
  EXPECT_EQ(warpsim_free(device_, y + 4), WARPSIM_ERROR_BAD_ADDRESS);
  EXPECT_EQ(warpsim_free(device_, y), WARPSIM_OK);
  EXPECT_EQ(warpsim_free(device_, y), WARPSIM_ERROR_BAD_ADDRESS);
  EXPECT_EQ(error(), "`result` was freed before");
  EXPECT_EQ(warpsim_write(device_, y, &word, 4), WARPSIM_ERROR_BAD_ADDRESS);
  EXPECT_NE(error().find("was freed"), std::string::npos) << error();
  std::uint64_t address = 0;
  EXPECT_EQ(warpsim_allocate(device_, ~std::uint64_t{0}, "all", &address), WARPSIM_ERROR_OUT_OF_MEMORY);
}

TEST_F(CInterface, AnErrorsTextIsCutToItsPlace) {
  EXPECT_EQ(error(), "");
  EXPECT_EQ(warpsim_free(device_, 12), WARPSIM_ERROR_BAD_ADDRESS);
  char text[5] = "....";
  EXPECT_EQ(warpsim_error(device_, text, sizeof(text)), std::string("no allocation begins at 0xc").size());
  EXPECT_STREQ(text, "no a");
  std::thread([&] { EXPECT_EQ(error(), "") << "it is of another thread"; }).join();
}

TEST_F(CInterface, NullsAreErrors) {
  warpsim_device* none = nullptr;
  std::uint64_t address = 0;
  EXPECT_EQ(warpsim_create(nullptr, nullptr), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(warpsim_allocate(none, 4, nullptr, &address), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(warpsim_allocate(device_, 4, nullptr, nullptr), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(warpsim_write(device_, 4, nullptr, 4), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(warpsim_launch(nullptr, nullptr, nullptr), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(warpsim_launch(kernel_of(kNumbers), nullptr, nullptr), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(warpsim_load(device_, nullptr, 1, nullptr), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(warpsim_kernel_at(nullptr, 0), nullptr);
  EXPECT_EQ(warpsim_error(none, nullptr, 0), 0U);
  warpsim_shape shape = WARPSIM_SHAPE(1, 1);
  shape.size = 3;
  EXPECT_EQ(warpsim_launch(kernel_of(kNumbers), &shape, nullptr), WARPSIM_ERROR_INVALID_VALUE);
  warpsim_destroy(none);
  warpsim_unload(nullptr);
  warpsim_stop(none);
}

TEST_F(CInterface, WhatIsNotSupportedFailsWhereItExecutes) {
  const std::string body =
      ".visible .entry k(.param .u32 n) { .reg .b32 %r<6>; .reg .pred %p; ld.param.u32 %r1, [n];\n"
      "setp.eq.u32 %p, %r1, 0; @%p bra end;\n"
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];\nend: ret; }\n";
  warpsim_kernel* const kernel = kernel_of(body);
  std::uint32_t n = 0;
  EXPECT_EQ(launch(kernel, 1, 32, {&n}), WARPSIM_OK) << error();
  n = 1;
  EXPECT_EQ(launch(kernel, 1, 32, {&n}), WARPSIM_ERROR_UNSUPPORTED);
  EXPECT_NE(error().find("ldmatrix"), std::string::npos) << error();
}

}  // namespace
}  // namespace warpsim::host
