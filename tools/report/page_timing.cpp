#include "tools/report/page_timing.h"

#include "tools/report/statistics_text.h"
#include "tools/support/json_object.h"
#include "traces/replay/trace_statistics.h"

namespace warpsim::tools {
namespace {

// What the counts grew by with one event; nothing if it touched no memory.
std::string access_json(const Statistics& now, const SharedStatistics& shared, const SectorStatistics& global,
                        const SectorStatistics& local) {
  JsonObject json;
  const auto sectors = [&json](const SectorStatistics& after, const SectorStatistics& before) {
    if (after.requests == before.requests) return;
    json.number("sectors", after.sectors - before.sectors)
        .number("least_sectors", after.least_sectors - before.least_sectors)
        .number("lines", after.lines - before.lines)
        .number("least_lines", after.least_lines - before.least_lines);
  };
  if (now.shared.accesses != shared.accesses)
    json.number("ways", now.shared.ways - shared.ways).number("conflicts", now.shared.conflicts - shared.conflicts);
  sectors(now.global, global);
  sectors(now.local, local);
  const std::string text = json.str();
  return text == "{}" ? "" : text;
}

}  // namespace

std::string page_timing(const Trace& trace, const TimingProfile* device) {
  if (trace.head.scheduler.empty() || !TraceStatistics::reason_against(trace.head).empty()) return "";
  TraceStatistics counted;
  JsonObject accesses;
  counted.head(trace.head);
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const Statistics& now = counted.statistics();
    const SharedStatistics shared = now.shared;
    const SectorStatistics global = now.global, local = now.local;
    counted.event(trace.events[k]);
    const std::string access = access_json(now, shared, global, local);
    if (!access.empty()) accesses.raw(std::to_string(k), access);
  }
  counted.outcome(trace.outcome);
  return JsonObject()
      .raw("statistics", run_json(trace.head, {counted.profile(), counted.statistics(), device}))
      .raw("accesses", accesses.str())
      .str();
}

}  // namespace warpsim::tools
