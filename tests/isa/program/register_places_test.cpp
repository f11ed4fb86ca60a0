// Which registers lie in one place: never two that a lane may need at once.
#include "isa/program/register_places.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/program/liveness.h"
#include "isa/program/reads_writes.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "tests/support/kernel_text.h"
#include "tools/fuzz/random/random_program.h"

namespace warpsim {
namespace register_places_test {

// The registers that lie together, as "%a %c | %b %d".
std::string together(const std::string& body) {
  const Lesson program = testing::kernel_of(body);
  const std::vector<std::int32_t> places = register_places(program).with;
  std::map<std::int32_t, std::string> names;
  for (std::size_t r = 0; r < places.size(); ++r)
    names[places[r]] += (names[places[r]].empty() ? "" : " ") + program.registers[r].name;
  std::string all;
  for (const auto& [place, of_place] : names)
    if (of_place.find(' ') != std::string::npos) all += (all.empty() ? "" : " | ") + of_place;
  return all;
}

TEST(RegisterPlaces, OneAfterTheOther) {
  EXPECT_EQ(together(R"(    add.u32 %a, %laneid, 1
    add.u32 %b, %a, 1
    add.u32 %c, %b, 1
    add.u32 %d, %c, 1
    st.global.u32 o[0], %d
    exit
)"),
            "%a %c | %b %d")
      << "what an instruction writes lies elsewhere than what it reads";
}

// %a is read in the next round, too.
TEST(RegisterPlaces, NotWithinALoop) {
  EXPECT_EQ(together(R"(    add.u32 %a, %laneid, 1
    add.u32 %n, %laneid, 3
again: add.u32 %b, %a, 1
    st.global.u32 o[0], %b
    add.u32 %c, %n, 5
    st.global.u32 o[1], %c
    sub.u32 %n, %n, 1
    setp.ne.u32 %p, %n, 0
    @%p bra again
    exit
)"),
            "%b %c");
}

// Nobody reads %b: what is written there must not be written over %a.
TEST(RegisterPlaces, WhatNobodyReadsIsWrittenSomewhere) {
  EXPECT_EQ(together(R"(    add.u32 %a, %laneid, 1
    add.u32 %b, %laneid, 2
    st.global.u32 o[0], %a
    exit
)"),
            "");
}

// Lanes exchange what each has where they all stand.
TEST(RegisterPlaces, WhatLanesExchangeLiesWithOthers) {
  EXPECT_EQ(together(R"(    add.u32 %a, %laneid, 1
    shfl.bfly.b32 %b, %a, 1
    st.global.u32 o[0], %b
    add.u32 %c, %laneid, 1
    st.global.u32 o[0], %c
    exit
)"),
            "%a %c");
}

// Whether a loop goes on for ever is seen at the registers that no clock changes.
TEST(RegisterPlaces, WhatDependsOnAClockLiesApart) {
  EXPECT_EQ(together(R"(    mov.u32 %t, %clock
    st.global.u32 o[0], %t
    add.u32 %a, %laneid, 1
    st.global.u32 o[0], %a
    add.u32 %b, %laneid, 1
    st.global.u32 o[0], %b
    mov.u32 %u, %clock
    st.global.u32 o[0], %u
    exit
)"),
            "%t %u | %a %b");
}

TEST(RegisterPlaces, OfOneClass) {
  EXPECT_EQ(together(R"(    add.u32 %a, %laneid, 1
    st.global.u32 o[0], %a
    cvt.u64.u32 %b, %laneid
    cvt.u32.u64 %c, %b
    st.global.u32 o[0], %c
    exit
)"),
            "%a %c");
}

// How many registers lie with others. Those that are live at an instruction, or written by it, must lie apart.
std::size_t count_of(const Program& program) {
  const std::vector<std::int32_t> places = register_places(program).with;
  const auto place_of = [&](std::int32_t reg) { return places[static_cast<std::size_t>(reg)]; };
  Liveness liveness(program);
  for (std::int32_t pc = 0; pc < static_cast<std::int32_t>(program.code.size()); ++pc) {
    std::set<std::int32_t> registers, here;
    for (std::int32_t reg = 0; reg < static_cast<std::int32_t>(places.size()); ++reg)
      if (liveness.is_live(pc, reg)) registers.insert(reg);
    for_each_written(program.code[static_cast<std::size_t>(pc)], [&](std::int32_t reg) { registers.insert(reg); });
    for (const std::int32_t reg : registers)
      EXPECT_TRUE(here.insert(place_of(reg)).second) << program.full_name() << ", pc " << pc << ", register " << reg;
  }
  std::size_t count = 0;
  for (std::size_t reg = 0; reg < places.size(); ++reg) {
    const std::size_t place = static_cast<std::size_t>(places[reg]);
    EXPECT_EQ(program.registers[reg].cls, program.registers[place].cls) << program.full_name() << ", register " << reg;
    count += place == reg ? 0 : 1;
  }
  return count;
}

TEST(RegisterPlaces, OfRandomPrograms) {
  std::size_t shared = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Assembled assembled =
        assemble(reference::random_program(seed, reference::kHardwareLimits).text(), "random.warp");
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    shared += count_of(*assembled.lesson());
  }
  EXPECT_GT(shared, 200U);
}

// nvcc gives each value a register of its own: of those of the transform of doubles most lie with others.
TEST(RegisterPlaces, OfKernelsFromNvcc) {
  std::ifstream file(WARPSIM_SOURCE_DIR "/tests/bench/kernels/kernels.ptx");
  const ptx::ReadModule read = ptx::read_module(std::string(std::istreambuf_iterator<char>(file), {}), "kernels.ptx");
  ASSERT_FALSE(read.diagnostics.has_errors()) << read.diagnostics.render();
  for (const ptx::Function& kernel : read.module.functions) {
    Diagnostics diagnostics = read.diagnostics;
    const std::optional<Program> program = ptx::make_program(read.module, kernel, diagnostics);
    ASSERT_TRUE(program) << diagnostics.render();
    const std::size_t shared = count_of(*program);
    if (kernel.name.text == "fft512") {
      EXPECT_GT(shared, program->registers.size() * 4 / 5);
    }
  }
}

}  // namespace register_places_test
}  // namespace warpsim
