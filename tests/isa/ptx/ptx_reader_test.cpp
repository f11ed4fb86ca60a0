// PTX text → syntax: what is read, where it stands, and which errors a text gets.
//
// Source: PTX ISA 9.0, chapters 4, 5, 7 and 11; constants by C's rules, as 4.5 says.
#include "isa/ptx/ptx_reader.h"

#include <gtest/gtest.h>

#include "isa/assembly/assembler.h"
#include "isa/ptx/ptx_summary.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "tests/support/every_program.h"

namespace warpsim::ptx {
namespace {

constexpr const char* kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

ReadModule read(const std::string& text) {
  ReadModule read = read_module(kHead + text, "k.ptx");
  EXPECT_EQ(read.diagnostics.render(), "") << text;
  return read;
}

// The operands of one instruction, written back with a mark for each kind.
std::string shown(const Expression& e) {
  std::string of;
  for (const Expression& one : e.of) of += (of.empty() ? "" : " ") + shown(one);
  switch (e.kind) {
    case Expression::Kind::Integer: return std::to_string(e.bits) + (e.is_unsigned ? "u" : "");
    case Expression::Kind::F32: return "f" + std::to_string(e.bits);
    case Expression::Kind::F64: return "d" + std::to_string(e.bits);
    case Expression::Kind::List: return "{" + of + "}";
    case Expression::Kind::Bytes: return "bytes " + std::to_string(e.bits) + "(" + of + ")";
    case Expression::Kind::Generic: return "generic(" + of + ")";
    case Expression::Kind::Symbol: return std::string(e.text) + (of.empty() ? "" : "[" + of + "]");
    default: return "(" + std::string(e.text) + (of.empty() ? "" : " ") + of + ")";
  }
}
std::string shown(const Operand& o) {
  constexpr const char* kKinds[] = {"_", "", "", "address", "vector", "list", "pair", "string "};
  std::string text = std::string(o.negated ? "!" : "") + kKinds[static_cast<int>(o.kind)] + std::string(o.name);
  text += std::string(o.element);
  for (const Expression& one : o.of) text += (o.kind == Operand::Kind::Symbol ? "+" : "") + shown(one);
  if (o.parts.empty()) return text;
  text += "(";
  for (const Operand& one : o.parts) text += (text.back() == '(' ? "" : " ") + shown(one);
  return text + ")";
}
std::string shown(const Instruction& i) {
  std::string text = i.guard ? (i.guard->negated ? "@!" : "@") + std::string(i.guard->predicate.text) + " " : "";
  text += i.opcode;
  for (const Operand& one : i.operands) text += "; " + shown(one);
  return text;
}
std::string instruction(const std::string& text) {
  const ReadModule made = read(".entry k() {\n" + text + "\n}");
  const auto& body = made.module.functions.at(0).body;
  return body.size() == 1 ? shown(std::get<Instruction>(body[0])) : std::to_string(body.size()) + " statements";
}

TEST(PtxReader, Instructions) {
  EXPECT_EQ(instruction("ret;"), "ret");
  EXPECT_EQ(instruction("@!%p1 bra.uni $L__BB0_2;"), "@!%p1 bra.uni; $L__BB0_2");
  EXPECT_EQ(instruction("ld.global.nc.L1::evict_last.v2.f32 {%f1, _}, [%rd1+-8];"),
            "ld.global.nc.L1::evict_last.v2.f32; vector(%f1 _); address(%rd1+(+ (- 8)))");
  EXPECT_EQ(instruction("shfl.sync.up.b32 \t%r11|%p4, %r8, 1, 0x1f, -1;"),
            "shfl.sync.up.b32; pair(%r11 %p4); %r8; 1; 31; (- 1)");
  EXPECT_EQ(instruction("setp.lt.and.f32 %p|%q, %f1, 0f3F800000, !%p2;"),
            "setp.lt.and.f32; pair(%p %q); %f1; f1065353216; !%p2");
  EXPECT_EQ(instruction("mov.u32 %r1, %tid.x;"), "mov.u32; %r1; %tid.x");
  EXPECT_EQ(instruction("mov.u64 %rd1, table+4*2;"), "mov.u64; %rd1; table+(* (+ 4) 2)");
  EXPECT_EQ(instruction("call.uni (retval0), f, (param0, %r1), prototype_0;"),
            "call.uni; list(retval0); f; list(param0 %r1); prototype_0");
  EXPECT_EQ(instruction("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f5,%f6}];"),
            "tex.2d.v4.f32.f32; vector(%f1 %f2 %f3 %f4); address(t vector(%f5 %f6))");
  EXPECT_EQ(instruction("st.shared::cta.b32 [4096], 0b101;"), "st.shared::cta.b32; address(4096); 5");
  EXPECT_EQ(instruction("add.s32 /* a ; */ %r1, // b ;\n %r2, %r3;"), "add.s32; %r1; %r2; %r3");
}

TEST(PtxReader, Numbers) {
  EXPECT_EQ(instruction("mov.b64 %rd1, 0xffffffffffffffff;"), "mov.b64; %rd1; 18446744073709551615u");
  EXPECT_EQ(instruction("mov.b32 %r1, 10U;"), "mov.b32; %r1; 10u");
  EXPECT_EQ(instruction("mov.b32 %r1, 0;"), "mov.b32; %r1; 0");
  EXPECT_EQ(instruction("mov.b32 %r1, 017;"), "mov.b32; %r1; 15");
  EXPECT_EQ(instruction("mov.f64 %fd1, 0d3FF0000000000000;"), "mov.f64; %fd1; d4607182418800017408");
  EXPECT_EQ(instruction("mov.f64 %fd1, 1.5e1;"), "mov.f64; %fd1; d4624633867356078080") << "15.0";
  EXPECT_EQ(instruction("mov.f64 %fd1, .5;"), "mov.f64; %fd1; d4602678819172646912") << "0.5";
}

TEST(PtxReader, WhatAModuleHolds) {
  const ReadModule made = read(
      ".visible .global .attribute(.managed) .align 16 .v4 .f32 quads[2][3] = {{1.0}, 2};\n"
      ".extern .shared .align 8 .b8 scratch[];\n.const[3] .u8 low = 0xff00(quads);\n"
      ".weak .global .u64 pointers[2] = {generic(quads)+16, low};\n"
      ".func (.param .b32 result) twice (.param .align 4 .b8 pair[8], .reg .u32 %n) .noreturn;\n"
      ".visible .entry k(.param .u64 .ptr .global .align 32 k_param_0, .param .f32 k_param_1)\n"
      ".maxntid 256, 1, 1\n.minnctapersm 2\n.pragma \"nounroll\";\n{ .reg .b32 %r<70>; .local .b8 depot[16]; ret; }\n"
      ".alias other, k;\n");
  const Module& m = made.module;
  EXPECT_EQ(m.version_major, 9U);
  EXPECT_EQ(m.version_minor, 0U);
  EXPECT_EQ(m.targets.at(0).text, "sm_90");
  ASSERT_EQ(m.objects.size(), 4U);
  const Declaration& quads = m.objects[0];
  EXPECT_EQ(quads.linkage, Linkage::Visible);
  EXPECT_TRUE(quads.is_managed);
  EXPECT_EQ(quads.alignment, 16U);
  EXPECT_EQ(quads.vector, 4U);
  EXPECT_EQ(bytes_of(quads), 96U) << "2 * 3 * 4 floats";
  EXPECT_EQ(shown(*quads.initializer), "{{d4607182418800017408} 2}");
  EXPECT_EQ(m.objects[1].linkage, Linkage::Extern);
  EXPECT_EQ(bytes_of(m.objects[1]), 0U);
  EXPECT_EQ(m.objects[2].bank, 3U);
  EXPECT_EQ(shown(*m.objects[2].initializer), "bytes 65280(quads)");
  EXPECT_EQ(shown(*m.objects[3].initializer), "{(+ generic(quads) 16) low}");
  ASSERT_EQ(m.functions.size(), 2U);
  const Function& twice = m.functions[0];
  EXPECT_FALSE(twice.is_entry || twice.has_body);
  EXPECT_EQ(twice.results.at(0).name.text, "result");
  EXPECT_EQ(twice.parameters.at(1).space, ".reg");
  const Function& k = m.functions[1];
  EXPECT_EQ(k.name.text, "k");
  EXPECT_EQ(k.name.where, (SourceRange{9, 17, 1}));
  EXPECT_TRUE(k.parameters[0].is_pointer);
  EXPECT_EQ(k.parameters[0].pointer_space, ".global");
  EXPECT_EQ(k.parameters[0].pointer_alignment, 32U);
  EXPECT_EQ(k.directives.at(0).values, (std::vector<std::uint64_t>{256, 1, 1}));
  EXPECT_EQ(k.directives.at(2).text, "nounroll");
  EXPECT_EQ(declaration_in(k.body.at(0))->count, 70U);
  EXPECT_EQ(m.aliases.at(0).of.text, "k");
}

TEST(PtxReader, LabelsScopesAndSource) {
  const ReadModule made = read(
      ".entry k() {\n.loc 1 17 5, function_name $L__info0, inlined_at 1 10 3\n{ .reg .u32 %r; L1: }\n"
      "t: .branchtargets L1, L2;\np: .callprototype (.param .b32 _) _ (.param .b64 _, .param .f32 _);\nL2: ret;\n}\n"
      ".file 1 \"saxpy.cu\", 12, 34\n.section .debug_str { $L__info0: .b8 102,111\n.b8 111,0\n$b: .b8 98,0 }\n"
      ".section .debug_info { .b32 $b+4; .b8 1 }");
  const std::vector<Statement>& body = made.module.functions.at(0).body;
  ASSERT_EQ(body.size(), 9U);
  const auto& place = std::get<Location>(body[0]);
  EXPECT_EQ(place.line, 17U);
  EXPECT_EQ(place.at_line, 10U);
  EXPECT_EQ(made.module.strings.find(place.function)->second, "foo");
  EXPECT_EQ(made.module.strings.find("$b")->second, "b");
  EXPECT_TRUE(std::get<Scope>(body[1]).opens);
  EXPECT_EQ(std::get<Label>(body[3]).name.text, "L1");
  EXPECT_FALSE(std::get<Scope>(body[4]).opens);
  EXPECT_EQ(std::get<Targets>(body[5]).names.at(1).text, "L2");
  EXPECT_EQ(std::get<Prototype>(body[6]).parameters.size(), 2U);
  EXPECT_EQ(made.module.files.at(1), "saxpy.cu");
}

std::optional<std::uint64_t> value(const std::string& expression) {
  const ReadModule made = read(".global .b64 x = " + expression + ";");
  return constant_of(*made.module.objects.at(0).initializer);
}

TEST(PtxReader, Constants) {
  EXPECT_EQ(value("1+2*3"), 7U);
  EXPECT_EQ(value("(1+2)*3"), 9U);
  EXPECT_EQ(value("10-3-2"), 5U) << "from the left";
  EXPECT_EQ(value("-7/2"), static_cast<std::uint64_t>(-3)) << "towards 0";
  EXPECT_EQ(value("-7 % 2"), static_cast<std::uint64_t>(-1));
  EXPECT_EQ(value("-8>>1"), static_cast<std::uint64_t>(-4)) << "signed";
  EXPECT_EQ(value("0xfffffffffffffff8>>1"), 0x7ffffffffffffffcU) << "unsigned";
  EXPECT_EQ(value("(.u64)-8>>1"), 0x7ffffffffffffffcU);
  EXPECT_EQ(value("-1<1"), 1U);
  EXPECT_EQ(value("-1<1U"), 0U) << "unsigned wins";
  EXPECT_EQ(value("1<<3|1"), 9U);
  EXPECT_EQ(value("6&3^1"), 3U);
  EXPECT_EQ(value("!0 ? 5 : 6"), 5U);
  EXPECT_EQ(value("1==1 && 0||1"), 1U);
  EXPECT_EQ(value("~0"), ~std::uint64_t{0});
  EXPECT_EQ(value("1/0"), std::nullopt);
  EXPECT_EQ(value("1<<64"), 0U);
  EXPECT_EQ(value("0x8000000000000000U+x"), std::nullopt) << "an address";
}

TEST(PtxReader, WhatAKernelNeeds) {
  const ReadModule made = read(
      ".shared .align 16 .b8 tile[5];\n.shared .b64 unused[9];\n.shared .u32 more;\n.extern .shared .b8 open[];\n"
      ".func f() { .reg .b32 %r<3>; call f, (); tex.1d.v4.f32.s32 {%a,%b,%c,%d}, [t, {%x}]; ret; }\n"
      ".entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20], .param .v2 .f32 d) {\n"
      " .local .align 8 .b8 depot[24]; .reg .pred %p; call.uni f, (); st.async.weak.b32 [tile], %p, [open+4]; mov.u32 "
      "%r, more; ret; }\n"
      ".entry declared();\n");
  const std::vector<EntrySummary> all = summarize(made.module);
  ASSERT_EQ(all.size(), 1U);
  const EntrySummary& k = all[0];
  EXPECT_EQ(k.instructions, 7U) << "four of its own, three of what it calls, once";
  EXPECT_EQ(k.registers, 4U);
  EXPECT_EQ(k.shared_bytes, 12U) << "5, then 4 at a multiple of 4";
  EXPECT_TRUE(k.has_dynamic_shared);
  EXPECT_EQ(k.local_bytes, 24U);
  std::vector<std::uint64_t> offsets;
  for (const ParameterPlace& one : k.parameters) offsets.push_back(one.offset);
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 8, 16, 40}));
  EXPECT_EQ(demangled("_Z5saxpyifPf"), "saxpy(int, float, float*)");
  EXPECT_EQ(demangled("saxpy"), "saxpy");
}

// "P005 4:7 …" of each.
std::string faults(const std::string& text, const std::string& head = kHead) {
  std::string all;
  for (const Diagnostic& one : read_module(head + text, "k.ptx").diagnostics.list)
    all += (all.empty() ? "" : "; ") + one.code + " " + std::to_string(one.where.line) + ":" +
           std::to_string(one.where.column) + " " + one.message;
  return all;
}

TEST(PtxReader, FaultsSayWhereAndWhatWasExpected) {
  EXPECT_EQ(faults(".entry k() {\n add.s32 %r1, , %r2;\n ret\n}"),
            "P005 5:15 expected an operand, not `,`; P005 7:1 expected `;` or an operand behind `ret`, not `}`");
  EXPECT_EQ(faults(".global .u32 x\n.global .u33 y;"), "P005 5:1 expected `;` behind the declaration, not `.global`");
  EXPECT_EQ(faults(".global .u33 y;\n.const .u32 z;"), "P010 4:9 `.u33` is no type");
  EXPECT_EQ(faults(".global .align 3 .u32 y;"), "P006 4:16 an alignment is a power of two");
  EXPECT_EQ(faults(".entry k() .maxthreads 3 { ret; }\n.global .u33 y;"),
            "P011 4:12 `.maxthreads` is no directive of a function; P010 5:9 `.u33` is no type");
  EXPECT_EQ(faults(".entry k() { ret;"), "P012 4:12 the body that begins here does not end");
  EXPECT_EQ(faults("/* open"), "P002 4:1 a comment that begins here does not end");
  EXPECT_EQ(faults(".file 1 \"open\n"), "P003 4:9 a string that begins here does not end on its line");
  EXPECT_EQ(faults(".global .u32 x = 0f3F80;"), "P004 4:18 a float as bits has 8 hexadecimal digits, not 4");
  EXPECT_EQ(faults(".global .u32 x = 0x10000000000000000;"), "P004 4:18 an integer has at most 64 bits");
  EXPECT_EQ(faults(".global .u32 x = 12ab;"), "P004 4:18 `12ab` is no decimal number");
  EXPECT_EQ(faults(".global .u32 x = 0xret;"), "P004 4:18 `0xret` is no hexadecimal number") << "one fault of one word";
  EXPECT_EQ(faults(".global .u32 x = 0x;"), "P004 4:18 there is no digit of a hexadecimal number");
  EXPECT_EQ(faults("#include"),
            "P001 4:1 `#` is no part of PTX outside comments and strings; "
            "P005 4:2 expected a directive, as .version, .entry or .global, not `include`");
  EXPECT_EQ(faults(".loc 1 2 3, why 4"), "P013 4:13 `why` is no part of .loc");
  EXPECT_EQ(faults("", ".version 9.0\n.target sm_90\n"), "P018 0:0 32-bit addresses are not supported");
  EXPECT_EQ(faults("", ".version 1.4\n.target sm_10\n.address_size 64"), "P018 0:0 PTX 1.4 is not supported");
  EXPECT_EQ(faults("", ".version 9\n"), "P008 1:10 a version is two numbers, as 9.0");
  EXPECT_EQ(faults("", "// nothing\n"), "P017 1:1 a PTX module begins with .version, and this text has none");
}

// However long a text is, and however deep it nests.
TEST(PtxReader, NoTextIsTooMuch) {
  const auto repeated = [](const std::string& text) {
    std::string all;
    for (int k = 0; k < 100'000; ++k) all += text;
    return all;
  };
  for (const std::string& text :
       {".global .u32 x = " + repeated("("), ".global .u32 x = " + repeated("-"), ".global .u32 x = 1" + repeated("+1"),
        ".global .u32 x = {" + repeated("{"), ".global .u32 x = " + repeated("1?"), ".entry k() { a " + repeated("["),
        ".entry k() { a !" + repeated("{"), ".global .u32 x = " + repeated("(.s64)"), repeated("\x01"), repeated("}"),
        repeated("0x;"), repeated(".entry ")}) {
    const ReadModule made = read_module(kHead + text, "k.ptx");
    EXPECT_TRUE(made.diagnostics.has_errors()) << text.substr(0, 40);
    EXPECT_LE(made.diagnostics.list.size(), 21U) << text.substr(0, 40);
  }
  EXPECT_EQ(read(".entry k() {" + repeated("{") + repeated("}") + "}").module.functions.at(0).body.size(), 200'000U);
}

// What warpsim writes itself it reads: a kernel a program, and as many instructions as there are lines with one.
TEST(PtxReader, ReadsWhatTheWriterWrites) {
  int count = 0;
  for (const std::string& name : testing::all_program_names()) {
    const Assembled assembled = testing::assemble_program(name);
    const auto written = write_ptx(*assembled.lesson(), {});
    if (!std::holds_alternative<PtxKernel>(written)) continue;
    const std::string text = ptx_module(std::span(&std::get<PtxKernel>(written), 1));
    const ReadModule made = read_module(text, name);
    ASSERT_EQ(made.diagnostics.render(), "") << name;
    const std::vector<EntrySummary> all = summarize(made.module);
    ASSERT_EQ(all.size(), 1U) << name;
    ASSERT_GT(all[0].instructions, 0U) << name;
    ++count;
  }
  EXPECT_GT(count, 90);
}

}  // namespace
}  // namespace warpsim::ptx
