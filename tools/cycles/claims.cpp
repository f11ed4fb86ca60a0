// What the sources claim as programs, and the table of results; see claims.h.
#include "tools/cycles/claims.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "isa/assembly/assembler.h"
#include "isa/text/check.h"
#include "sim/machine/machine.h"
#include "tools/cycles/captured_cycles.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr unsigned kLanes = 32;
constexpr std::string_view kDocuments = "documents";
constexpr std::size_t kWhat = 34, kWhere = 9, kColumn = 8, kGap = 2;  // of the table

// Five exchanges, each followed by a comparison that waits for it.
std::string butterfly() {
  std::string text;
  for (unsigned offset = kLanes / 2; offset > 0; offset /= 2)
    text += "shfl.bfly.b32 %other, %a, " + std::to_string(offset) + "\nmax.u32 %a, %a, %other\n";
  return text;
}

// A comparison for each value but the first, which waits for the one before.
std::string sequence() {
  std::string text;
  for (unsigned k = 1; k < kLanes; ++k) text += "max.u32 %a, %a, %i\n";
  return text;
}

// Five exchanges, each followed by an addition in the lanes that have a neighbour so far below.
std::string scan() {
  std::string text;
  for (unsigned offset = 1; offset < kLanes; offset *= 2)
    text += "shfl.up.b32 %other|%there, %a, " + std::to_string(offset) + "\n@%there add.u32 %a, %a, %other\n";
  return text;
}

std::string in_region(const std::string& text, const std::string& then) { return "from: " + text + "to: " + then; }

// When the instructions at the two labels issued.
class Region : public EventSink {
 public:
  Region(std::int32_t from, std::int32_t to) : from_(from), to_(to) {}
  void on_issue(const IssueEvent& event) override {
    if (event.pc == from_) begin_ = event.cycle;
    if (event.pc == to_) end_ = event.cycle;
  }
  std::uint64_t cycles() const { return end_ - begin_; }

 private:
  std::int32_t from_, to_;
  std::uint64_t begin_ = 0, end_ = 0;
};

std::int32_t pc_of(const Program& program, std::string_view label) {
  for (const auto& [name, pc] : program.labels)
    if (name == label) return pc;
  return -1;
}

Program program_of(const Claim& claim) {
  const std::string text =
      ".kernel claim (inout memory: f32[64])\n.shared f32 tile[32]\n"
      "mov.u32 %i, %laneid\nxor.b32 %j, %i, 1\nmov.f32 %v, 1.0\nmov.f32 %w, 2.0\nmov.u32 %a, %i\n" +
      claim.before + claim.region + "exit\n";
  Assembled assembled = assemble(text, "claim.warp");
  WARPSIM_CHECK(!assembled.lessons.empty());
  return std::move(assembled.lessons.front());
}

// By a GPU's profile only what that GPU has.
bool has_cycles(const Claim& claim, const ChosenProfile& profile) {
  return claim.on_a_gpu || profile.name == kDocuments;
}

// All but lockstep.
std::vector<ChosenProfile> timed_profiles() {
  std::vector<ChosenProfile> all = all_profiles();
  all.erase(all.begin());
  return all;
}

}  // namespace

std::vector<Claim> all_claims() {
  // In the machine each lane's own place in the tile and its neighbour's have been addressed before the region begins.
  const std::string addressed =
      "st.shared.f32 tile[%i], %v\nbar.sync 0\nld.shared.f32 %w, tile[%j]\nadd.f32 %w, %w, %v\nbar.sync 0\n";
  const std::string exchange = "shfl.bfly.b32 %other, %a, 1\n";
  const std::string loaded = "ld.global.f32 %w, memory[%i]\nadd.f32 %v, %v, %w\n";
  const std::string load = in_region("ld.global.f32 %w, memory[%i]\n", "add.f32 %v, %v, %w\n");
  return {
      {"a shuffle", "003:518", "1-2", "", in_region("shfl.bfly.b32 %other, %v, 1\n", "add.f32 %v, %v, %other\n"),
       MeasuredLine{"lat.shfl.bfly(imm)", 24.0}},
      {"a shuffle and a comparison", "000:414", "1", "",
       in_region("shfl.bfly.b32 %other, %a, 1\nmax.u32 %a, %a, %other\n", exchange),
       MeasuredKernel{"shuffle/bfly.max", 8}},
      {"the maximum by a butterfly", "000:415", "5", "", in_region(butterfly(), exchange),
       MeasuredKernel{"algorithm/butterfly.max.w1"}},
      {"the maximum in sequence", "000:415", "31", "", in_region(sequence(), "max.u32 %a, %a, %i\n"),
       MeasuredLine{"lat.min.s32+max.s32", 8.0, 15.5}},
      {"a prefix sum by a unit for it",
       "002:1196",
       "1-2",
       "",
       in_region("scan.add.f32 %w, %v\n", "add.f32 %v, %v, %w\n"),
       {},
       false},
      {"a prefix sum by shuffles", "002:1196", "1-2", "", in_region(scan(), exchange),
       MeasuredKernel{"algorithm/scan.w1"}},
      {"a load from shared memory", "003:519", "20-40", addressed,
       in_region("ld.shared.f32 %w, tile[%j]\n", "add.f32 %v, %v, %w\n"),
       MeasuredLine{"smem.ld.b32.conflict1", 23.055}},
      {"an exchange through shared memory", "003:41-46", "40-60", addressed,
       in_region("st.shared.f32 tile[%i], %v\nbar.sync 0\nld.shared.f32 %w, tile[%j]\nbar.sync 0\n",
                 "add.f32 %v, %v, %w\n"),
       MeasuredKernel{"shared/st.bar.ld", 6}},
      {"a load that the L1 cache has", "003:520", "30-80", loaded, load, MeasuredLine{"mem.ld.ca.l1hit.4KB", 32.164}},
      {"a load that the L2 cache has", "003:521", "200-300", "st.global.f32 memory[%i], %v\n", load,
       MeasuredLine{"mem.ld.cg.l2hit.1MB", 280.780}},
      {"a load from global memory", "003:522", "400-800", "", load,
       MeasuredLine{"mem.ld.cg.dram.256MB.random", 662.914}},
  };
}

std::vector<std::uint64_t> claim_cycles(const Claim& claim, const ChosenProfile& profile) {
  const Program program = program_of(claim);
  std::vector<std::uint64_t> cycles;
  for (const Timing& timing : profile.bounds) {
    LaunchConfig config;
    config.lanes = kLanes;
    config.timing = timing;
    Arguments arguments;
    arguments.buffers["memory"] = {Type::F32, std::vector<std::uint64_t>(2 * std::size_t{kLanes})};
    auto created = Machine::create(program, config, arguments);
    WARPSIM_CHECK(std::holds_alternative<Machine>(created));
    Region region(pc_of(program, "from"), pc_of(program, "to"));
    EventSink* const sinks[] = {&region};
    std::get<Machine>(created).run(sinks);
    cycles.push_back(region.cycles());
  }
  return cycles;
}

std::optional<std::uint64_t> measured_cycles(const Claim& claim) {
  if (!claim.measured) return std::nullopt;
  const auto rounded = [](double cycles) { return static_cast<std::uint64_t>(std::llround(cycles)); };
  if (const MeasuredLine* line = std::get_if<MeasuredLine>(&*claim.measured))
    return rounded(line->cycles * line->times);
  const MeasuredKernel& kernel = std::get<MeasuredKernel>(*claim.measured);
  const std::optional<ClockJob> job = micro_benchmark_job(kernel.name);
  const CapturedCycles* const captured = job ? captured_cycles_of(*job) : nullptr;
  if (captured == nullptr || code_of(*job, *captured).kind != CodeVerdict::Kind::Same) return std::nullopt;
  return rounded(static_cast<double>(captured->median) / kernel.times);
}

std::string_view name(const Measurement& measurement) {
  const MeasuredLine* const line = std::get_if<MeasuredLine>(&measurement);
  return line != nullptr ? line->line : std::get<MeasuredKernel>(measurement).name;
}

std::string claims_text() {
  const std::vector<ChosenProfile> profiles = timed_profiles();
  const auto column = [](const ChosenProfile& profile) { return std::max(kColumn, profile.name.size() + kGap); };
  std::string text = "claims of Mojo GPU Puzzle 26 (000, 002) and\n\"CUDA Shuffle Functions - Theory Guide\" (003)\n";
  text += padded("claim, 32 lanes", kWhat + kWhere) + right_aligned("says", kColumn);
  for (const ChosenProfile& profile : profiles) text += right_aligned(profile.name, column(profile));
  text += right_aligned("measured", kColumn + kGap) + "\n";
  for (const Claim& claim : all_claims()) {
    text += padded(std::string(claim.what), kWhat) + padded(std::string(claim.where), kWhere) +
            right_aligned(std::string(claim.said), kColumn);
    for (const ChosenProfile& profile : profiles)
      text +=
          right_aligned(has_cycles(claim, profile) ? cycles_cell(claim_cycles(claim, profile)) : "-", column(profile));
    const std::optional<std::uint64_t> measured = measured_cycles(claim);
    text += right_aligned(measured ? std::to_string(*measured) : "-", kColumn + kGap) + "\n";
  }
  return text;
}

std::string claims_json() {
  std::vector<std::string> rows;
  for (const Claim& claim : all_claims()) {
    JsonObject row, cycles;
    for (const ChosenProfile& profile : timed_profiles())
      cycles.raw(profile.name, has_cycles(claim, profile) ? cycles_json(claim_cycles(claim, profile)) : "null");
    const std::optional<std::uint64_t> measured = measured_cycles(claim);
    row.text("claim", claim.what).text("where", claim.where).text("said", claim.said).raw("cycles", cycles.str());
    row.raw("measured", measured ? std::to_string(*measured) : "null");
    if (claim.measured) row.text("measured_by", name(*claim.measured));
    else row.raw("measured_by", "null");
    rows.push_back(row.str());
  }
  return json_list(rows);
}

}  // namespace warpsim::tools
