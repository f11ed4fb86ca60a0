// Video instructions, each form on random operands, beside what the manual's own pseudo-code gives.
//
// Source: PTX ISA 9.0, 9.7.18. What a second minimum or maximum compares: the machine code that ptxas 13.0 makes for
//         sm_90; the manual compares the result as 33 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tests/support/ptx_run.h"

namespace warpsim {
namespace video_test {

constexpr int kLanes = 32;

// One instruction of PTX on words, and what it is to leave in its destination.
struct Form {
  std::string text;  // of %r1, %r2, %r3 into %r4
  std::uint32_t (*expected)(const Form&, std::uint32_t, std::uint32_t, std::uint32_t);
  std::string op, second;
  bool d_signed = false, a_signed = false, b_signed = false, sat = false;
  std::string mode;  // clamp, wrap, a comparison, po
  bool minus_product = false, minus_c = false;
  std::vector<int> asel, bsel, mask;  // bit positions and widths, or lanes
  int lanes = 1;
};

std::int64_t part(std::uint32_t word, int at, int width, bool is_signed) {
  const std::int64_t bits = static_cast<std::int64_t>((std::uint64_t{word} >> at) & ((std::uint64_t{1} << width) - 1));
  return is_signed && (bits >> (width - 1)) != 0 ? bits - (std::int64_t{1} << width) : bits;
}

bool holds(const std::string& comparison, std::int64_t a, std::int64_t b) {
  return comparison == "eq"   ? a == b
         : comparison == "ne" ? a != b
         : comparison == "lt" ? a < b
         : comparison == "le" ? a <= b
         : comparison == "gt" ? a > b
                              : a >= b;
}

__extension__ typedef __int128 Wide;  // ISO C++ has no such type

Wide computed(const Form& f, std::int64_t a, std::int64_t b) {
  if (f.op == "vadd") return a + b;
  if (f.op == "vsub") return a - b;
  if (f.op == "vabsdiff") return a > b ? a - b : b - a;
  if (f.op == "vmin") return std::min(a, b);
  if (f.op == "vmax") return std::max(a, b);
  if (f.op == "vavrg") return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
  if (f.op == "vset") return holds(f.mode, a, b) ? 1 : 0;
  const int distance = static_cast<int>(f.mode == "wrap" ? b & 31 : std::min<std::int64_t>(b, 32));
  return f.op == "vshl" ? Wide{a} * (Wide{1} << distance) : Wide{a >> distance};
}

Wide clamped(Wide t, int width, bool is_signed) {
  const Wide most = (Wide{1} << (is_signed ? width - 1 : width)) - 1, least = is_signed ? -most - 1 : 0;
  return std::max(least, std::min(most, t));
}

std::uint32_t scalar(const Form& f, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Wide t = computed(f, part(a, f.asel[0], f.asel[1], f.a_signed), part(b, f.bsel[0], f.bsel[1], f.b_signed));
  const int at = f.mask[0], width = f.mask[1];
  if (f.sat) t = clamped(t, width, f.d_signed);
  const std::uint32_t word = static_cast<std::uint32_t>(t);
  if (f.second == "add") return word + c;
  if (!f.second.empty()) {
    const bool narrow = f.op == "vadd" || f.op == "vsub";
    const std::uint64_t left =
        narrow ? static_cast<std::uint64_t>(part(word, 0, 32, true)) : static_cast<std::uint64_t>(t);
    const bool is_signed = f.op == "vset" ? f.a_signed : f.d_signed;
    const std::uint64_t right = static_cast<std::uint64_t>(part(c, 0, 32, is_signed));
    const bool less = is_signed ? static_cast<std::int64_t>(left) < static_cast<std::int64_t>(right) : left < right;
    return less == (f.second == "min") ? word : c;
  }
  if (width == 32) return word;
  const std::uint32_t ones = ((1U << width) - 1) << at;
  return (word << at & ones) | (c & ~ones);
}

std::uint32_t mad(const Form& f, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const bool is_signed = f.a_signed || f.b_signed || f.minus_product || f.minus_c;
  Wide t = Wide{part(a, f.asel[0], f.asel[1], f.a_signed)} * part(b, f.bsel[0], f.bsel[1], f.b_signed);
  const Wide addend = part(c, 0, 32, is_signed);
  t = (f.minus_product ? -t : t) + (f.minus_c ? -addend : addend) + (f.mode == "po" ? 1 : 0);
  return static_cast<std::uint32_t>(t);
}

std::uint32_t lanes(const Form& f, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const int width = 32 / f.lanes;
  const std::uint32_t ones = (1U << width) - 1;
  std::uint32_t d = c;
  const auto chosen = [&](int number, bool is_signed) {
    return part(number < f.lanes ? a : b, number % f.lanes * width, width, is_signed);
  };
  for (const int k : f.mask) {
    const std::size_t lane = static_cast<std::size_t>(k);
    Wide t = computed(f, chosen(f.asel[lane], f.a_signed), chosen(f.bsel[lane], f.b_signed));
    if (f.sat) t = clamped(t, width, f.d_signed);
    const std::uint32_t word = static_cast<std::uint32_t>(t);
    if (f.second == "add") d += word;
    else d = (d & ~(ones << k * width)) | (word & ones) << k * width;
  }
  return d;
}

class Forms {
 public:
  explicit Forms(unsigned seed) : random_(seed) {}

  Form scalar_form() {
    static const std::vector<std::string> kOps = {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset"};
    Form f = typed(one_of(kOps));
    f.expected = scalar;
    const bool is_shift = f.op == "vshl" || f.op == "vshr", is_set = f.op == "vset";
    if (is_shift) f.b_signed = false, f.mode = one_of({"clamp", "wrap"});
    if (is_set) f.d_signed = false, f.mode = one_of({"eq", "ne", "lt", "le", "gt", "ge"});
    const std::string a = select(f.asel), b = select(f.bsel);
    std::string d;
    f.mask = {0, 32};
    if (below(2) == 0) f.second = one_of({"add", "min", "max"});
    else d = select(f.mask);
    if (d == ".h1") d = "", f.mask = {0, 32};  // what ptxas compiles otherwise is refused
    f.sat = d.empty() && f.second.empty() && !is_set && f.op != "vshl" && below(2) == 0;
    f.text = f.op + (is_set ? "" : type(f.d_signed)) + type(f.a_signed) + type(f.b_signed) + (f.sat ? ".sat" : "") +
             (f.mode.empty() ? "" : "." + f.mode) + (f.second.empty() ? "" : "." + f.second) + " %r4" + d + ", %r1" +
             a + ", %r2" + b + (d.empty() && f.second.empty() ? "" : ", %r3");
    return f;
  }

  Form mad_form() {
    Form f = typed("vmad");
    f.expected = mad;
    const std::string a = select(f.asel), b = select(f.bsel);
    const int turned = below(5);  // 0: po, 1: -a, 2: -b, 3: -c, 4: -a and -b
    if (turned == 0) f.mode = "po";
    f.minus_product = turned == 1 || turned == 2;
    f.minus_c = turned == 3;
    f.text = "vmad" + type(f.d_signed) + type(f.a_signed) + type(f.b_signed) + (turned == 0 ? ".po" : "") + " %r4, " +
             (turned == 1 || turned == 4 ? "-" : "") + "%r1" + a + ", " + (turned == 2 || turned == 4 ? "-" : "") +
             "%r2" + b + ", " + (turned == 3 ? "-" : "") + "%r3";
    return f;
  }

  Form lanes_form() {
    static const std::vector<std::string> kOps = {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset"};
    Form f = typed(one_of(kOps));
    f.expected = lanes;
    f.lanes = one_of({2, 4});
    const bool is_set = f.op == "vset";
    if (is_set) f.d_signed = false, f.mode = one_of({"eq", "ne", "lt", "le", "gt", "ge"});
    const int kind = below(3);
    f.sat = kind == 1 && !is_set;
    if (kind == 2) f.second = "add";
    const std::string a = permute(f, f.asel, 0), b = permute(f, f.bsel, f.lanes), d = mask(f);
    f.text = f.op + std::to_string(f.lanes) + (is_set ? "" : type(f.d_signed)) + type(f.a_signed) + type(f.b_signed) +
             (f.mode.empty() ? "" : "." + f.mode) + (f.sat ? ".sat" : "") + (f.second.empty() ? "" : ".add") + " %r4" +
             d + ", %r1" + a + ", %r2" + b + ", %r3";
    return f;
  }

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  // Three for each lane.
  std::vector<std::uint32_t> words() {
    std::vector<std::uint32_t> all;
    for (int k = 0; k < 3 * kLanes; ++k) all.push_back(word());
    return all;
  }

  std::uint32_t word() {
    static const std::vector<std::uint32_t> kBorders = {0,          1,          31,         32,         0x7f,
                                                        0x80,       0x7fff,     0x8000,     0x7fffffff, 0x80000000,
                                                        0x80808080, 0x7fff8000, 0xffffffff, 0xffffff80, 0x00ff00ff};
    return below(2) == 0 ? one_of(kBorders) : static_cast<std::uint32_t>(random_());
  }

 private:
  template <typename T>
  T one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  std::string one_of(std::initializer_list<const char*> all) {
    return *(all.begin() + below(static_cast<int>(all.size())));
  }
  int one_of(std::initializer_list<int> all) { return *(all.begin() + below(static_cast<int>(all.size()))); }

  Form typed(const std::string& op) {
    Form f;
    f.op = op;
    f.d_signed = below(2) == 0;
    f.a_signed = below(2) == 0;
    f.b_signed = below(2) == 0;
    return f;
  }
  static std::string type(bool is_signed) { return is_signed ? ".s32" : ".u32"; }
  std::string select(std::vector<int>& part) {
    const int which = below(7);
    part = which < 4   ? std::vector<int>{which * 8, 8}
           : which < 6 ? std::vector<int>{(which - 4) * 16, 16}
                       : std::vector<int>{0, 32};
    return which < 4 ? ".b" + std::to_string(which) : which < 6 ? ".h" + std::to_string(which - 4) : "";
  }
  std::string permute(const Form& f, std::vector<int>& chosen, int first) {
    const bool is_default = below(3) == 0;
    std::string text = f.lanes == 2 ? ".h" : ".b";
    for (int k = 0; k < f.lanes; ++k) chosen.push_back(is_default ? first + k : below(2 * f.lanes));
    for (int k = f.lanes - 1; k >= 0; --k) text += std::to_string(chosen[static_cast<std::size_t>(k)]);
    return is_default ? "" : text;
  }
  std::string mask(Form& f) {
    const int set = below(1 << f.lanes);
    std::string text = f.lanes == 2 ? ".h" : ".b";
    for (int k = f.lanes - 1; k >= 0; --k)
      if ((set >> k & 1) != 0 || set == 0) f.mask.push_back(k), text += std::to_string(k);
    return set == 0 ? "" : text;
  }

  std::mt19937 random_;
};

// Reads three words a lane; each form writes its result behind those of the forms before it.
std::string kernel_of(const std::vector<Form>& forms) {
  std::string text =
      ".visible .entry k(.param .u64 x, .param .u64 y) {\n"
      ".reg .b64 %rd<9>; .reg .b32 %r<9>;\nld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];\n"
      "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;\n"
      "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128]; ld.global.u32 %r3, [%rd1+256];\n";
  for (std::size_t k = 0; k < forms.size(); ++k)
    text += forms[k].text + ";\nst.global.u32 [%rd2+" + std::to_string(4 * kLanes * k) + "], %r4;\n";
  return text + "ret; }\n";
}

std::string list_of(const std::vector<std::uint32_t>& words) {
  std::string list;
  for (const std::uint32_t word : words) list += (list.empty() ? "[" : ", ") + std::to_string(word);
  return list + "]";
}

// What the machine leaves of the forms, of these words.
std::vector<std::uint64_t> run_forms(const std::vector<Form>& forms, const std::vector<std::uint32_t>& words) {
  Diagnostics diagnostics;
  const std::string y = std::to_string(forms.size() * kLanes);
  const Lesson lesson = testing::ptx_lesson(kernel_of(forms), "in x: u32[96], out y: u32[" + y + "]", diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  CaseOverrides overrides;
  overrides.block = Dim3{kLanes, 1, 1};
  overrides.inputs["x"] = list_of(words);
  const auto prepared = prepare_case(lesson, Case{}, overrides);
  EXPECT_TRUE(std::holds_alternative<PreparedCase>(prepared));
  const PreparedCase& ready = std::get<PreparedCase>(prepared);
  auto made = Machine::create(lesson, ready.config, ready.arguments);
  EXPECT_TRUE(std::holds_alternative<Machine>(made));
  Machine& machine = std::get<Machine>(made);
  EXPECT_TRUE(machine.run().ok);
  return machine.buffer("y").bits;
}

void compare(Form (Forms::*make)(), unsigned seed) {
  Forms random(seed);
  constexpr int kForms = 400, kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Form> forms;
    for (int k = 0; k < kForms; ++k) forms.push_back((random.*make)());
    const std::vector<std::uint32_t> words = random.words();
    const std::vector<std::uint64_t> y = run_forms(forms, words);
    ASSERT_EQ(y.size(), forms.size() * kLanes);
    for (std::size_t k = 0; k < forms.size(); ++k)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t a = words[lane], b = words[kLanes + lane], c = words[2 * kLanes + lane];
        ASSERT_EQ(y[k * kLanes + lane], forms[k].expected(forms[k], a, b, c))
            << forms[k].text << std::hex << " of " << a << ", " << b << ", " << c;
      }
  }
}

TEST(PtxVideo, ScalarFormsAreTheManualsPseudoCode) { compare(&Forms::scalar_form, 1); }
TEST(PtxVideo, MultiplyAndAddIsTheManualsPseudoCode) { compare(&Forms::mad_form, 2); }
TEST(PtxVideo, FormsOfSeveralLanesAreTheManualsPseudoCode) { compare(&Forms::lanes_form, 3); }

// Not a test: writes the same kernels for `warpsim crosscheck`, on a machine with a GPU (tests/data/README.md).
TEST(PtxVideo, WritesKernelsForAGpu) {
  const char* const folder = std::getenv("WARPSIM_VIDEO_KERNELS");
  if (folder == nullptr) GTEST_SKIP() << "WARPSIM_VIDEO_KERNELS names no folder";
  constexpr int kForms = 128, kFiles = 12;
  using Make = Form (Forms::*)();
  for (int number = 0; number < kFiles; ++number) {
    Forms random(static_cast<unsigned>(100 + number));
    std::vector<Form> forms;
    for (int k = 0; k < kForms; ++k)
      forms.push_back((random.*std::array<Make, 3>{&Forms::scalar_form, &Forms::mad_form,
                                                   &Forms::lanes_form}[static_cast<std::size_t>(number % 3)])());
    const std::string path = std::string(folder) + "/video" + std::to_string(number);
    std::ofstream(path + ".ptx") << testing::kPtxHead << kernel_of(forms);
    std::ofstream(path + ".launch") << ".kernel k (in x: u32[96], out y: u32[" << kForms * kLanes
                                    << "])\n.case test\n    grid = 1\n    block = 32\n    x = "
                                    << list_of(random.words()) << "\n";
  }
}

// ---- what is no form

struct Said {
  std::string diagnostics;
  std::size_t unsupported = 0;
};
Said said_of(const std::string& text) {
  Form form;
  form.text = text;
  const ptx::ReadModule read = ptx::read_module(testing::kPtxHead + kernel_of({form}), "video.ptx");
  EXPECT_EQ(read.diagnostics.render(), "");
  Diagnostics diagnostics;
  diagnostics.text = read.module.text;
  const auto program = ptx::make_program(read.module, read.module.functions.back(), diagnostics);
  return {diagnostics.render(), program ? program->unsupported.size() : 0};
}

// An H100 gives other bits for these than the manual's pseudo-code (128 forms of each kind, of 32 lanes).
TEST(PtxVideo, WhatPtxasCompilesOtherwiseIsRefused) {
  for (const char* const text :
       {"vmin.s32.s32.s32 %r4.h1, %r1, %r2, %r3", "vset.u32.u32.ne %r4.h1, %r1, %r2, %r3",
        "vadd.u32.u32.u32.sat %r4.b2, %r1, %r2, %r3", "vsub.s32.s32.s32.sat %r4.h0, %r1, %r2, %r3",
        "vadd.u32.u32.u32.sat.min %r4, %r1, %r2, %r3", "vshl.u32.u32.u32.sat.clamp %r4, %r1, %r2",
        "vmad.s32.s32.s32.sat %r4, %r1, %r2, %r3", "vmad.u32.u32.u32.shr7 %r4, %r1, %r2, %r3"}) {
    EXPECT_EQ(said_of(text).unsupported, 1U) << text;
    EXPECT_NE(said_of(text).diagnostics.find("ptxas compiles this form otherwise"), std::string::npos) << text;
  }
  for (const char* const text : {"vmin.s32.s32.s32 %r4.h0, %r1, %r2, %r3", "vadd.u32.u32.u32.sat %r4, %r1, %r2",
                                 "vmad.s32.s32.s32.po %r4, %r1, %r2, %r3", "vshr.u32.u32.u32.sat.clamp %r4, %r1, %r2"})
    EXPECT_EQ(said_of(text).unsupported, 0U) << text;
}

// ptxas 13.0 refuses each of these.
TEST(PtxVideo, WrongFormsAreRefused) {
  for (const char* const text :
       {"vadd2.u32.u32.u32.sat.add %r4, %r1, %r2, %r3", "vset4.u32.u32.ne.max %r4, %r1, %r2, %r3",
        "vshl.u32.u32.u32 %r4, %r1, %r2", "vavrg.u32.u32.u32 %r4, %r1, %r2, %r3", "vset.u32.u32.hs %r4, %r1, %r2",
        "vmad2.u32.u32.u32 %r4, %r1, %r2, %r3", "vadd.u16.u32.u32 %r4, %r1, %r2", "vadd %r4, %r1, %r2"})
    EXPECT_EQ(said_of(text).unsupported, 1U) << text;
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"vadd.u32.u32.u32 %r4, %r1.b4, %r2", "takes .b0 to .b3, .h0 or .h1"},
           {"vadd.u32.u32.u32 %r4.h0, %r1, %r2", "takes 4 operands, not 3"},
           {"vadd.u32.u32.u32 %r4, %r1, %r2, %r3", "takes 3 operands, not 4"},
           {"vadd.u32.u32.u32.max %r4.b0, %r1, %r2, %r3", "has a second operation"},
           {"vmad.u32.u32.u32.po %r4, %r1, -%r2, %r3", "negates no operand"},
           {"vmad.s32.s32.s32 %r4, -%r1.b0, %r2.h1, -%r3", "not both"},
           {"vmad.u32.u32.u32 %r4.b0, %r1, %r2, %r3", "writes a whole register"},
           {"vadd2.u32.u32.u32 %r4, %r1, %r2", "takes 4 operands, not 3"},
           {"vadd4.u32.u32.u32 %r4.b01, %r1, %r2, %r3", "numbers from 3 down"},
           {"vadd2.u32.u32.u32 %r4, %r1.h14, %r2, %r3", "two numbers up to 3"}})
    EXPECT_NE(said_of(text).diagnostics.find(expected), std::string::npos) << text << "\n" << said_of(text).diagnostics;
}

}  // namespace video_test
}  // namespace warpsim
