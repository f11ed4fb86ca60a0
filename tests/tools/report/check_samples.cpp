#include "tests/tools/report/check_samples.h"

#include <utility>

#include "isa/assembly/assembler.h"

namespace warpsim::testing {
namespace {

using tools::CheckedFinding;

Lesson assembled(const std::string& text, const std::string& file, const std::string& group) {
  Assembled made = assemble(text, file, group);
  if (!made.lesson()) return {};
  return *std::move(made.lesson());
}

CheckedFinding finding_of(Finding code, const Lesson& program, TraceFinding what, const char* hint) {
  CheckedFinding out;
  out.program = program.full_name();
  out.file = program.source().name;
  out.code = code;
  out.severity = info(code).severity;
  out.finding = std::move(what);
  out.finding.code = code;
  out.finding.hint = hint;
  tools::find_places(out, program);
  out.seen = {{"test", 8, "rr", "stack"}};
  out.drawn = warpsim::code(code) + " as it is drawn, with <, & and \"\n";
  return out;
}

TraceFinding at(std::int32_t pc, LaneMask lanes, const char* message) {
  TraceFinding what;
  what.message = message;
  what.cycle = static_cast<std::uint64_t>(pc) + 1;
  what.warp = 1;
  what.pc = pc;
  what.lanes = lanes;
  return what;
}

}  // namespace

const char* const kHandOn = R"(// Each lane hands its value on through shared memory, without a barrier.
.kernel hand_on (in input: f32[size], out output: f32[size], param size: u32 = WARP_SZ)
.shared f32 tile[WARP_SZ]
        ld.global.f32   %x, input[%gtid]
        shfl.down.b32   %x, %x, 1
publish: st.shared.f32  tile[%laneid], %x
        shfl.down.b32   %x,    %x, 1
        xor.b32         %next, %laneid, 1
read:   ld.shared.f32   %y, tile[%next]
        st.global.f32   output[%gtid], %y
        exit
)";

tools::CheckReport sample_report(const std::string& text) {
  const Lesson program = assembled(text, "programs/demo/hand_on.warp", "demo");
  const Lesson clean = assembled(".kernel clean ()\n        exit\n", "/srv/kernels/all clean#1.warp", "demo");
  tools::CheckReport report;
  report.programs = {tools::checked_program(program), tools::checked_program(clean)};

  TraceFinding race =
      at(5, 0x0f, "lanes 0-3 of warp 1 read `tile[1]`, which lane 1 of warp 0 writes, and nothing orders the two");
  race.steps = {{3, 0, 0, 2, 0x02, "writes `tile[1]`"}, {2, 0, 1, 1, 0xff, "%x comes from here"}};
  race.places = {{0, 1, 0x0f, 5, ""}, {0, 1, 0x70, 4, "waits for its turn"}, {0, 1, 0x80, -1, ""}};
  report.findings.push_back(finding_of(Finding::RaceInBlock, program, race, "bar.sync between the two"));
  report.findings.back().seen.push_back({"test", 32, "fuzz:7", "independent"});
  report.findings.back().traps = true;
  report.findings.push_back(
      finding_of(Finding::OutOfRange, program, at(3, 0x80, "lane 7 uses what stayed in place"), "test the predicate"));
  report.findings.push_back(finding_of(Finding::BankConflict, program, at(2, 0xff, "two lanes a bank"), ""));
  TraceFinding wrong;
  wrong.message = "output[0] is 1, expected 2";
  report.findings.push_back(finding_of(Finding::WrongOutput, program, wrong, "see which inputs reached it"));

  report.runs = {{"demo/hand_on", "test", 8, {0, 1, 2}, ""},
                 {"demo/hand_on", "test", 32, {0, 3}, ""},
                 {"demo/clean", "test", 8, {}, ""},
                 {"demo/broken", "", 0, {}, "it could not be loaded"}};
  report.exact = 40;
  report.approximate = 2;
  return report;
}

}  // namespace warpsim::testing
