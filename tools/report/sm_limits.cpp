#include "tools/report/sm_limits.h"

#include <algorithm>
#include <cstdio>

#include "isa/program/module.h"
#include "sim/timing/clock.h"

namespace warpsim::tools {

std::optional<SmLimits> sm_limits(const TraceHead& head, const TimingProfile& profile) {
  std::uint64_t shared_bytes = 0;
  for (const TraceShared& one : head.shared) {
    if (one.length == 0) return std::nullopt;
    const std::uint64_t each = static_cast<std::uint64_t>(bytes(one.type));
    shared_bytes = aligned(shared_bytes, each) + one.length * each;
  }
  SmLimits limits;
  limits.block.warps = static_cast<std::uint32_t>(head.warps_per_block());
  limits.block.shared_bytes = static_cast<std::uint32_t>(shared_bytes);
  limits.device = limits_of(profile);
  limits.blocks = blocks_a_multiprocessor(limits.device, limits.block);
  limits.limited_by = limit_of_blocks(limits.device, limits.block);
  return limits;
}

SmRoofs sm_roofs(const TimingProfile& profile) {
  SmRoofs roofs;
  const bool issues_beside = std::any_of(profile.classes.begin(), profile.classes.end(),
                                         [](const TimingClass& one) { return one.issue == 0; });
  if (!issues_beside) roofs.issue = profile.sm.sub_cores;
  for (const TimingRule& rule : profile.rules) {
    const TimingClass& cls = profile.classes[rule.cls];
    const bool takes_lines = cls.interval_per_way > 0 || (cls.sm_pipe >= 0 && cls.sm_interval > 0);
    if (!takes_lines || std::find(rule.units.begin(), rule.units.end(), name(Unit::Mem)) == rule.units.end()) continue;
    double lines = 0;
    if (cls.interval_per_way > 0) lines = profile.sm.sub_cores / cls.interval_per_way;
    if (cls.sm_pipe >= 0 && cls.sm_interval > 0) {
      const double of_sm = 1 / cls.sm_interval;
      lines = lines > 0 ? std::min(lines, of_sm) : of_sm;
    }
    roofs.lines = std::max(roofs.lines, lines);
  }
  return roofs;
}

double ratio(std::uint64_t of, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(of) / static_cast<double>(whole);
}

double instructions_a_cycle(const Statistics& s) { return ratio(s.counts.instructions, s.cycles * s.sms()); }
double warps_at_once(const Statistics& s) { return ratio(s.issue_cycles + s.stall_cycles, s.cycles * s.sms()); }
double instructions_a_line(const Statistics& s) { return ratio(s.counts.instructions, s.global.lines + s.local.lines); }

std::string decimals(double value, int digits) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.*f", digits, value);
  return {text, static_cast<std::size_t>(std::clamp(length, 0, 63))};
}

}  // namespace warpsim::tools
