// A warp program inside another program: four lanes add up what the lanes before them hold.
#include <cstdio>

#include "isa/assembler.h"
#include "sim/machine.h"

int main() {
  using namespace warpsim;
  const Assembled sum = assemble(".kernel sum (inout x: f32[4])\n ld.global.f32 %v, x[%gtid]\n scan.add.f32 %v, %v\n st.global.f32 x[%gtid], %v\n exit\n", "sum.warp");
  if (!sum.program) return std::fputs(sum.diagnostics.render().c_str(), stderr), 3;
  const Arguments arguments{{}, {{"x", {Type::F32, {0x3f800000, 0x40000000, 0x40400000, 0x40800000}}}}};   // 1, 2, 3, 4
  auto machine = std::get<Machine>(Machine::create(*sum.program, {.lanes = 4}, arguments));
  if (const RunResult result = machine.run(); !result.ok) return std::fputs(result.trap.message.c_str(), stderr), 4;
  for (const std::uint64_t bits : machine.buffer("x").bits) std::printf("%s ", format_value(Type::F32, bits).c_str());
  std::printf("\n");
}
