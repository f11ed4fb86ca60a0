// Cubins: what is in them, the lines of their code as nvdisasm prints them, and files that are damaged.
//
// Shapes: tests/data/cubins has files that nvcc 13.0 made of kernels of our own, and for each a line an instruction:
//         section, address, line of PTX, file and line of CUDA, from what nvdisasm -gp and -g print of it.
//         WARPSIM_DAMAGES sets how many damaged files are read.
#include "isa/sass/cubin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "isa/sass/decoder.h"
#include "sim/machine/random.h"
#include "tests/support/sanitized.h"
#include "tests/support/vectors.h"

namespace warpsim::sass {
namespace {

Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string data(const std::string& name) { return tests::read_xz(tests::data_path("cubins/" + name)).value_or(""); }

Cubin cubin_of(const std::string& bytes) {
  auto read = read_cubin(bytes_of(bytes));
  if (const auto* const error = std::get_if<CubinError>(&read)) ADD_FAILURE() << error->message;
  return std::holds_alternative<Cubin>(read) ? std::get<Cubin>(read) : Cubin{};
}
std::string error_of(const std::string& bytes) {
  const auto read = read_cubin(bytes_of(bytes));
  return std::holds_alternative<CubinError>(read) ? std::get<CubinError>(read).message : "";
}

const std::string kDebugLine("\x24\x01\x00\x00\x02\x00", 6);  // how it begins in pointer_value: 292 bytes, DWARF 2

const CodeSection* section_named(const Cubin& cubin, const std::string& name) {
  const auto found = std::find_if(cubin.sections.begin(), cubin.sections.end(),
                                  [&name](const CodeSection& one) { return one.name == name; });
  return found == cubin.sections.end() ? nullptr : &*found;
}

void expect_lines(const std::string& name) {
  const Cubin cubin = cubin_of(data(name + ".cubin.xz"));
  std::istringstream lines(data(name + ".lines.xz"));
  std::size_t seen = 0, held = 0;
  std::string section, address, ptx, cuda;
  while (lines >> section >> address >> ptx >> cuda) {
    const CodeSection* const code = section_named(cubin, section);
    ASSERT_NE(code, nullptr) << section;
    const CodeWord& word = code->words.at(std::stoul(address, nullptr, 16) / kWordBytes);
    const CudaLine line = word.inlined.file != 0 ? word.inlined : word.cuda;  // nvdisasm -g names the innermost
    EXPECT_EQ(std::to_string(word.ptx_line), ptx) << section << " " << address;
    EXPECT_EQ(line.file == 0 ? "-" : cubin.files.at(line.file - 1) + ":" + std::to_string(line.line), cuda)
        << section << " " << address;
    ++seen;
  }
  for (const CodeSection& code : cubin.sections) held += code.words.size();
  EXPECT_EQ(seen, held);
  EXPECT_GT(seen, 0u);
}

TEST(Cubin, LinesAreThoseThatNvdisasmPrints) { expect_lines("pointer_value"); }
TEST(Cubin, LinesOfDebugCodeAreThoseThatNvdisasmPrints) { expect_lines("butterfly_debug"); }

TEST(Cubin, SaysWhatIsInIt) {
  const Cubin cubin = cubin_of(data("pointer_value.cubin.xz"));
  EXPECT_EQ(cubin.target, 90u);
  EXPECT_EQ(cubin.compiler, "Cuda compilation tools, release 13.0, V13.0.88");
  EXPECT_TRUE(cubin.notes.empty());
  ASSERT_EQ(cubin.sections.size(), 1u);
  const CodeSection& code = cubin.sections[0];
  EXPECT_EQ(code.name, "shuffle_pointer_value");
  EXPECT_TRUE(code.is_entry);
  EXPECT_EQ(code.registers, 12u);  // ptxas -v
  ASSERT_EQ(code.labels.size(), 2u);
  EXPECT_EQ(code.labels[1].address, 0x1b0u);
  EXPECT_EQ(code.labels[1].name, "$__internal_0_$__cuda_sm20_rem_u16");
  // Line 37 of the PTX is the first one that code of the comparison comes from.
  ASSERT_GT(cubin.ptx.size(), 37u);
  EXPECT_NE(cubin.ptx[36].find("setp.ge.u32"), std::string::npos) << cubin.ptx[36];
}

// A shuffle is a function of a header that was inlined: the line is the kernel's own.
TEST(Cubin, WhatWasInlinedHasTheLineOfTheCall) {
  const Cubin cubin = cubin_of(data("pointer_value.cubin.xz"));
  const CodeWord& shuffle = cubin.sections.at(0).words.at(0x150 / kWordBytes);
  EXPECT_EQ(opcode_of(decode(shuffle.word, 0)), "SHFL.IDX");
  EXPECT_EQ(cubin.files.at(shuffle.cuda.file - 1), "/kernels/shuffle/pointer_value.cu");
  EXPECT_EQ(shuffle.cuda.line, 15u);
  EXPECT_NE(cubin.files.at(shuffle.inlined.file - 1).find("sm_30_intrinsics.hpp"), std::string::npos);
}

TEST(Cubin, EveryInstructionIsKnown) {
  for (const char* const name : {"pointer_value.cubin.xz", "butterfly_debug.cubin.xz"})
    for (const CodeSection& code : cubin_of(data(name)).sections)
      for (std::size_t k = 0; k < code.words.size(); ++k) {
        const Instruction insn = decode(code.words[k].word, k * kWordBytes);
        EXPECT_TRUE(insn.is_whole()) << text_of(insn);
      }
}

TEST(Cubin, SaysWhatIsWrong) {
  const std::string whole = data("pointer_value.cubin.xz");
  EXPECT_EQ(error_of("text"), "it is no ELF file");
  EXPECT_EQ(error_of(whole.substr(0, 40)), "it is cut off within its header");
  std::string other = whole;
  other[18] = 62;
  EXPECT_EQ(error_of(other), "it is an ELF file for a processor (number 62), not for a GPU");
  other = whole;
  other[4] = 1;
  EXPECT_EQ(error_of(other), "it is an ELF file, but not one of 64 bits with the lowest byte first");
  other = whole;
  other[8] = 9;
  EXPECT_EQ(error_of(other), "it has version 9 of NVIDIA's ELF; known are 7 and 8, of CUDA 12 and 13");
  EXPECT_EQ(error_of(whole.substr(0, 1000)), "its table of sections lies outside of the file");
}

// The header says where the table of sections is; section K's row has its offset at 24 and its size at 32.
std::size_t row_of(const std::string& bytes, std::size_t number) {
  return static_cast<std::size_t>(Cursor(bytes_of(bytes), 40).number<std::uint64_t>()) + number * 64;
}

TEST(Cubin, SaysWhichSectionIsWrong) {
  const std::string whole = data("pointer_value.cubin.xz");
  std::string other = whole;
  other[row_of(whole, 4) + 30] = 1;
  EXPECT_EQ(error_of(other),
            "section 4 lies outside of the file, which has " + std::to_string(whole.size()) + " bytes");
  for (std::size_t number = 1; number < 40; ++number) {  // the code, one byte shorter
    const std::size_t at = row_of(whole, number);
    if ((whole[at + 8] & 4) == 0) continue;
    other = whole;
    --other[at + 32];
    const std::string error = error_of(other);
    EXPECT_NE(error.find("the code of shuffle_pointer_value has "), std::string::npos) << error;
    EXPECT_NE(error.find("which are no whole instructions of 16"), std::string::npos) << error;
    break;
  }
}

// Without lines, or with lines that cannot be read, the code is there all the same.
TEST(Cubin, DamagedLinesAreANote) {
  const std::string whole = data("pointer_value.cubin.xz");
  const Cubin before = cubin_of(whole);
  const std::size_t at = whole.find(kDebugLine);
  ASSERT_NE(at, std::string::npos);
  std::string other = whole;
  other[at + 4] = 5;
  const Cubin after = cubin_of(other);
  ASSERT_EQ(after.notes.size(), 1u);
  EXPECT_EQ(after.notes[0], ".debug_line is of DWARF 5, which is not read; the listing has no such lines");
  ASSERT_EQ(after.sections.size(), 1u);
  EXPECT_EQ(after.sections[0].words.size(), before.sections[0].words.size());
  EXPECT_EQ(after.sections[0].words[3].ptx_line, before.sections[0].words[3].ptx_line);
  EXPECT_EQ(after.sections[0].words[3].cuda.line, 0u);
}

// Lines that go to the end of the code and back, each in a function that was inlined into the one before: a file can
// have millions of them, and none of them may cost more than a few instructions.
TEST(Cubin, LinesBackAndForthAreANote) {
  const std::string whole = data("pointer_value.cubin.xz");
  const std::size_t at = whole.find(kDebugLine);
  ASSERT_NE(at, std::string::npos);
  // The header, and the address of the code, of 8 bytes, which a relocation gives.
  const std::size_t begun = whole.find(std::string("\x00\x09\x02", 3), at) + 3 + 8 - at;
  std::string unit = whole.substr(at, begun);
  const std::string to_end("\x02\x80\x08\x01", 4), to_begin = "\x02\x80\xf8" + std::string(7, '\xff') + "\x01\x01";
  for (std::uint32_t row = 1; row < 100'000; row += 2) {
    const char call[] = {0,
                         4,
                         '\x90',
                         static_cast<char>(0x80 | (row & 0x7f)),
                         static_cast<char>(0x80 | (row >> 7 & 0x7f)),
                         static_cast<char>(row >> 14)};
    unit += std::string(call, sizeof call) + to_end + to_begin;
  }
  const auto length = static_cast<std::uint32_t>(unit.size() - 4);
  std::memcpy(unit.data(), &length, sizeof length);
  std::string other = whole + unit;
  for (std::size_t number = 1; number < 40; ++number) {
    char* const row = other.data() + row_of(whole, number);
    std::uint64_t offset = 0;
    std::memcpy(&offset, row + 24, sizeof offset);
    if (offset != at) continue;
    const std::uint64_t place[] = {whole.size(), unit.size()};
    std::memcpy(row + 24, place, sizeof place);
    break;
  }
  const Cubin cubin = cubin_of(other);
  ASSERT_EQ(cubin.notes.size(), 1u);
  EXPECT_EQ(cubin.notes[0], ".debug_line gives the same code line after line; the listing has the first of them");
  EXPECT_EQ(cubin.sections.at(0).words.size(), 64u);
}

TEST(Cubin, DamagedFilesAreReadOrRefused) {
  const char* const wanted = std::getenv("WARPSIM_DAMAGES");
  const std::size_t count = wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : testing::kSanitized ? 500 : 2'000;
  std::size_t refused = 0;
  for (const char* const name : {"pointer_value.cubin.xz", "butterfly_debug.cubin.xz"}) {
    const std::string whole = data(name);
    SplitMix random(7);
    for (std::size_t k = 0; k < count; ++k) {
      std::string bytes = whole;
      for (std::uint64_t n = random.next() % 8; n-- != 0;) {
        // Half of the damage goes where the structure is: the header, the tables at the end.
        const std::uint64_t where = random.next() % 4;
        const std::size_t size = where == 0 ? 64 : where == 1 ? bytes.size() / 4 : bytes.size();
        const std::size_t at = where == 1 ? bytes.size() - 1 - random.next() % size : random.next() % size;
        bytes[at] = static_cast<char>(random.next() % 3 == 0 ? 0xff : random.next());
      }
      if (random.next() % 4 == 0) bytes.resize(random.next() % bytes.size());
      auto read = read_cubin(bytes_of(bytes));
      if (std::holds_alternative<CubinError>(read)) {
        EXPECT_FALSE(std::get<CubinError>(read).message.empty());
        ++refused;
        continue;
      }
      const Cubin& cubin = std::get<Cubin>(read);
      for (const CodeSection& code : cubin.sections)
        for (std::size_t w = 0; w < code.words.size(); ++w) {
          ASSERT_LE(code.words[w].cuda.file, cubin.files.size());
          ASSERT_LE(code.words[w].inlined.file, cubin.files.size());
          if (w % 16 != k % 16) continue;
          ASSERT_FALSE(text_of(decode(code.words[w].word, w * kWordBytes)).empty());
        }
    }
  }
  EXPECT_GT(refused, count / 4);
  EXPECT_LT(refused, count * 2);
}

}  // namespace
}  // namespace warpsim::sass
