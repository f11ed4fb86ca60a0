// What compilers print is read and can be executed: single forms from tests/data/ptx_forms.txt, and modules' heads.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "tests/support/ptxas.h"
#include "tests/support/vectors.h"

namespace warpsim::ptx {
namespace compilers_test {

const std::string kVersion = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::vector<std::string> listed_forms() {
  std::vector<std::string> forms;
  std::istringstream file(tests::read_file(tests::data_path("ptx_forms.txt")).value_or(""));
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("//")) forms.push_back(line + (line.ends_with("}") && line.starts_with("{") ? "" : ";"));
  return forms;
}

// All of them, one behind the other.
std::string module_of(const std::vector<std::string>& forms) {
  std::string text = kVersion +
                     ".global .align 16 .b8 gl[64]; .const .align 16 .b8 cn[32]; .shared .align 16 .b8 sm[64];\n"
                     ".entry k(.param .u64 a, .param .align 16 .b8 b[32]) {\n.local .align 16 .b8 lc[64];\n"
                     ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %q<9>;\n"
                     ".reg .f32 %f<9>; .reg .f64 %fd<9>;\n";
  for (const std::string& form : forms) text += form + "\n";
  return text + "ret; }\n";
}

// What is said of a module whose kernels are made, and which instructions are not supported.
std::string said_of(const std::string& text) {
  const ReadModule read = read_module(text, "k.ptx");
  std::string said = read.diagnostics.render();
  Diagnostics diagnostics;
  diagnostics.text = read.module.text;
  for (const Function& function : read.module.functions)
    if (function.is_entry && function.has_body && said.empty()) make_program(read.module, function, diagnostics);
  return said + diagnostics.render();
}

TEST(PtxCompilers, EveryListedFormIsExecutable) {
  const std::vector<std::string> forms = listed_forms();
  EXPECT_GT(forms.size(), 300U);
  EXPECT_EQ(said_of(module_of(forms)), "");
}

TEST(PtxCompilers, EveryListedFormIsPtx) {
  WARPSIM_NEEDS_PTXAS();
  EXPECT_EQ(testing::assemble_ptx(module_of(listed_forms()), 90), "");
}

// What stands around instructions, as LLVM's back end and nvcc have it.
TEST(PtxCompilers, ModulesAreRead) {
  for (const char* const text :
       {".extern .shared .align 16 .b8 global_smem[];\n.visible .entry k(.param .u64 .ptr .global .align 1 p0, .param "
        ".u32 n)\n"
        ".reqntid 128\n{ .reg .b32 %r<3>; .loc 1 5 0 // x.py:5:0\n$L__func_begin0:\nmov.b32 %r1, global_smem; "
        "$L__tmp1:\n"
        ".loc 1 7 2, function_name $L__info_string0, inlined_at 1 5 6\nret; $L__func_end0: }\n.file 1 \"/tmp/x.py\"\n"
        ".section .debug_abbrev\n{\n.b8 1 // code\n.b8 17, 0\n}\n.section .debug_str { $L__info_string0: .b8 95 .b8 0 "
        "}\n"
        ".section .debug_macinfo { }\n",
        ".common .global .align 4 .u32 g; .weak .global .align 4 .u32 g2; .extern .const .align 4 .u32 ec[4];\n"
        ".visible .const .align 4 .f32 c[3] = {0f3F800000, 0f40000000, 1.5};\n.entry k() { ret; }\n",
        ".entry k .maxntid 256 .maxnreg 32 { ret; }\n.entry j() .minnctapersm 2 .maxntid 128, 1, 1 { ret; }\n"
        ".entry i() .local_maxnreg 32 { ret; }\n.entry h() .explicitcluster .reqnctapercluster 1, 1, 1 { ret; }\n",
        ".func f() .noreturn { trap; exit; }\n.func g() .abi_preserve 4 { ret; }\n.entry k() { call f; ret; }\n",
        ".entry k() { .pragma \"nounroll\"; .pragma \"used_bytes_mask 0xff\"; ret; }\n",
        ".func (.param .align 16 .b8 func_retval0[16]) f(.param .b32 a) { .reg .b32 %r<5>; ld.param.b32 %r1, [a];\n"
        "st.param.v4.b32 [func_retval0], {%r1, %r1, %r1, %r1}; ret; }\n"
        ".entry k() { .reg .b32 %r<9>; { // callseq 0, 0\n.reg .b32 temp_param_reg; .param .b32 param0;\n"
        ".param .align 16 .b8 retval0[16]; st.param.b32 [param0+0], 5; call.uni (retval0), f, (param0);\n"
        "ld.param.v4.b32 {%r1, %r2, %r3, %r4}, [retval0+0]; } ret; }\n",
        ".global .align 4 .u32 g[4]; .func f() { ret; }\n.global .align 8 .u64 tbl[2] = {f, generic(g)+8};\n"
        ".global .align 1 .b8 by[2] = {0xFF(g), 0xFF00(g)}; .global .align 4 .f32 x[2][2] = {{0f3F800000, 1.5}, "
        "{2.0}};\n"
        ".global .attribute(.managed) .align 4 .u32 m = 5; .global .s32 neg = -5; .global .u64 sum = 3+4*5;\n"
        ".entry k() { .reg .b64 %rd; mov.u64 %rd, tbl; mov.u64 %rd, by; mov.u64 %rd, x; mov.u64 %rd, m; ret; }\n",
        ".const[2] .b32 c2[4];\n.entry k() { .reg .u32 a$b_1, _x; mov.u32 a$b_1, _x; /* } */ ret; }\n"})
    EXPECT_EQ(said_of(kVersion + text), "") << text;
}

}  // namespace compilers_test
}  // namespace warpsim::ptx
