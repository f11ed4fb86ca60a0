// A run's statistics as JSON; see statistics_text.h.
#include <string_view>
#include <vector>

#include "tools/report/sm_limits.h"
#include "tools/report/statistics_text.h"
#include "tools/support/json_object.h"
#include "traces/model/source_lines.h"
#include "traces/replay/phase_view.h"

namespace warpsim::tools {
namespace {

// Members for an instruction: "pc" and "line", null for none; and "source" where it has a place in one.
void add_place(JsonObject& json, std::string_view pc_name, std::string_view line_key, const TraceHead& head,
               std::int32_t pc) {
  const TraceInsn* const insn = find_insn(head, pc);
  json.raw(pc_name, insn == nullptr ? "null" : std::to_string(pc));
  json.raw(line_key, insn == nullptr ? "null" : std::to_string(insn->line));
  const TraceSourcePlace* const place = insn == nullptr ? nullptr : place_of(head, *insn);
  if (place == nullptr) return;
  const std::string_view what = line_key.substr(0, line_key.size() - std::string_view("line").size());
  json.text(std::string(what) + "source", line_name(head, *place));
}

std::string text_or_null(const std::string& text) {
  if (text.empty()) return "null";
  std::string quoted;
  append_json_string(quoted, text);
  return quoted;
}

std::string stall_json(const TraceHead& head, const TimedRun& run, const StallPlace& one) {
  JsonObject json;
  json.text("reason", name(one.reason)).number("cycles", one.cycles).number("times", one.times);
  add_place(json, "pc", "line", head, one.pc);
  json.raw("register", text_or_null(one.reg < 0 ? "" : head.registers[static_cast<std::size_t>(one.reg)].name));
  add_place(json, "writer_pc", "writer_line", head, one.writer);
  json.raw("pipe", text_or_null(one.pipe < 0 ? "" : run.profile->pipes[static_cast<std::size_t>(one.pipe)].name));
  return json.str();
}

std::string sub_cores_json(const Statistics& s) {
  std::vector<std::string> list;
  const int each = static_cast<int>(s.sub_cores_an_sm == 0 ? 1 : s.sub_cores_an_sm);
  for (const auto& [number, one] : s.sub_cores)
    list.push_back(JsonObject()
                       .number("sm", static_cast<std::uint64_t>(number / each))
                       .number("sub_core", static_cast<std::uint64_t>(number % each))
                       .number("warps", one.warps)
                       .number("instructions", one.instructions)
                       .number("issued", one.issued)
                       .number("none_eligible", one.none_eligible)
                       .number("empty", one.empty)
                       .str());
  return json_list(list);
}

std::string sectors_json(const TraceHead& head, const SectorStatistics& of) {
  JsonObject json;
  json.number("requests", of.requests).number("sectors", of.sectors);
  json.number("least_sectors", of.least_sectors).number("lines", of.lines);
  json.number("least_lines", of.least_lines).number("worst_sectors", of.worst_sectors);
  json.number("worst_least_sectors", of.worst_least);
  add_place(json, "worst_pc", "worst_line", head, of.worst_pc);
  return json.str();
}

std::string memory_json(const TraceHead& head, const Statistics& s) {
  JsonObject shared;
  shared.number("accesses", s.shared.accesses).number("ways", s.shared.ways);
  shared.number("conflicts", s.shared.conflicts).number("worst_ways", s.shared.worst_ways);
  add_place(shared, "worst_pc", "worst_line", head, s.shared.worst_pc);
  return JsonObject()
      .raw("shared", shared.str())
      .raw("global", sectors_json(head, s.global))
      .raw("local", sectors_json(head, s.local))
      .str();
}

// Warp instructions by the lines of the sources, the most first.
std::string lines_json(const TraceHead& head, const Statistics& s) {
  std::vector<std::string> list;
  for (const SourceLineCount& one : count_lines(head, s)) {
    JsonObject json;
    json.text("file", head.sources[one.place->source].file)
        .number("line", one.place->line)
        .number("instructions", one.instructions);
    if (s.timed) json.number("cycles", one.cycles);
    list.push_back(json.str());
  }
  return json_list(list);
}

// An SM of the profile, and what the run makes of it; null for what is not known, or of which there is none.
std::string occupancy_json(const TraceHead& head, const TimedRun& run) {
  const std::optional<SmLimits> fits = sm_limits(head, *run.device);
  if (!fits) return "null";
  return JsonObject()
      .number("block_warps", fits->block.warps)
      .number("block_shared_bytes", fits->block.shared_bytes)
      .number("blocks", fits->blocks)
      .number("warps", std::uint64_t{fits->blocks} * fits->block.warps)
      .number("max_blocks", fits->device.blocks)
      .number("max_warps", fits->device.warps)
      .number("max_shared_bytes", fits->device.shared_bytes)
      .text("limited_by", fits->limited_by)
      .str();
}
std::string roofline_json(const TimedRun& run) {
  const SmRoofs roofs = sm_roofs(*run.device);
  const double x = instructions_a_line(run.statistics);
  const auto number = [](double value) { return value > 0 ? decimals(value, 3) : std::string("null"); };
  return JsonObject()
      .raw("instructions_a_line", number(x))
      .raw("instructions_a_cycle", number(instructions_a_cycle(run.statistics)))
      .raw("most_issued_a_cycle", number(roofs.issue))
      .raw("most_lines_a_cycle", number(roofs.lines))
      .str();
}

}  // namespace

std::string run_json(const TraceHead& head, const TimedRun& run) {
  const Statistics& s = run.statistics;
  JsonObject units, stalls;
  for (int k = 0; k < kUnitCount; ++k)
    units.number(name(static_cast<Unit>(k)), s.counts.by_unit[static_cast<std::size_t>(k)]);
  for (int k = 0; k < kStallReasonCount; ++k)
    stalls.number(name(static_cast<Stall::Reason>(k)), s.stalls[static_cast<std::size_t>(k)]);
  std::vector<std::string> activity, places;
  for (const std::uint64_t count : s.activity) activity.push_back(std::to_string(count));
  for (const StallPlace& one : s.places) places.push_back(stall_json(head, run, one));
  JsonObject json;
  json.text("profile", run.profile == nullptr ? "lockstep" : run.profile->name);
  if (run.profile != nullptr) json.text("scheduler", name(run.profile->scheduler));
  if (head.is_machine_code) json.text("timing", kMachineCode);
  if (run.first_launch != 0) json.number("first_launch_cycles", run.first_launch);
  json.number("cycles", s.cycles).number("instructions", s.counts.instructions).raw("by_unit", units.str());
  json.number("active_lanes", s.active_lanes).number("existing_lanes", s.existing_lanes);
  json.raw("activity", json_list(activity)).number("divergent_branches", s.counts.divergent_branches);
  json.number("barriers", s.counts.barriers).raw("memory", memory_json(head, s));
  if (!head.sources.empty()) json.raw("lines", lines_json(head, s));
  if (s.timed) {
    json.number("sms", s.sms())
        .raw("sub_cores", sub_cores_json(s))
        .number("issue_cycles", s.issue_cycles)
        .number("stall_cycles", s.stall_cycles);
    json.raw("stalls", stalls.str()).raw("places", json_list(places));
    json.raw("warps_at_once", decimals(warps_at_once(s), 3));
    json.raw("occupancy", run.device == nullptr ? "null" : occupancy_json(head, run));
    json.raw("roofline", run.device == nullptr ? "null" : roofline_json(run));
  }
  return json.str();
}

std::string statistics_json(const TraceHead& head, std::span<const TimedRun> runs) {
  std::vector<std::string> list;
  for (const TimedRun& run : runs) list.push_back(run_json(head, run));
  JsonObject json;
  json.text("program", head.program).text("case", head.case_name).number("lanes", head.lanes);
  return json.raw("runs", json_list(list)).str();
}

}  // namespace warpsim::tools
