// A warp program inside another program: four lanes add up what the lanes before them hold, and print 1.0 3.0 6.0 10.0.
#include <cstdio>

#include "isa/assembly/assembler.h"
#include "sim/machine/machine.h"

constexpr const char* kSum = R"(
.kernel sum (inout x: f32[WARP_SZ])
        ld.global.f32   %v, x[%gtid]
        scan.add.f32    %v, %v
        st.global.f32   x[%gtid], %v
        exit
.case four; lanes = 4; x = [1, 2, 3, 4]
)";

int main() {
  using namespace warpsim;
  const Assembled sum = assemble(kSum, "sum.warp");
  const Lesson* const program = sum.lesson();
  if (program == nullptr) return std::fputs(sum.diagnostics.render().c_str(), stderr), 3;
  const auto ready = std::get<PreparedCase>(prepare_case(*program, program->cases[0], {}));
  auto machine = std::get<Machine>(Machine::create(*program, ready.config, ready.arguments));
  const RunResult result = machine.run();
  if (!result.ok) return std::fputs(english(result.trap.message).c_str(), stderr), 4;
  for (const auto bits : machine.buffer("x").bits) std::printf("%s ", format_value(Type::F32, bits).c_str());
  return std::puts(""), 0;
}
