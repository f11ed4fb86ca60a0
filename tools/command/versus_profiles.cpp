// Side by side by every profile; see versus_profiles.h.
#include "tools/command/versus_profiles.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "isa/text/number_text.h"
#include "tools/cycles/captured_cycles.h"
#include "tools/cycles/cycle_scores.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kCycleLabelColumns = 32, kCycleNameColumns = 33, kCycleGap = 2;
constexpr std::string_view kMeasured = "H200, measured";
constexpr std::string_view kPart = "part *";

// What was measured of a side: the job, which the profiles time as well, and the H200's cycles.
struct MeasuredPart {
  ClockJob job;
  std::uint64_t cycles;
  std::string why_not;  // why they are not comparable; "" if they are
};

std::optional<MeasuredPart> measured_part(const Side& side) {
  const Lesson& program = side.program;
  const Case* const test = program.find_case("test");
  if (program.cases.empty()) return std::nullopt;
  auto made = make_clock_job(program, test != nullptr ? *test : program.cases.front());
  ClockJob* const job = std::get_if<ClockJob>(&made);
  const CapturedCycles* const captured = job == nullptr ? nullptr : captured_cycles_of(*job);
  if (captured == nullptr) return std::nullopt;
  std::string why_not = why_not_comparable(*job, *captured);
  return MeasuredPart{std::move(*job), captured->median, std::move(why_not)};
}

bool is_comparable(const std::optional<MeasuredPart>& part) { return part && part->why_not.empty(); }

std::vector<std::uint64_t> cycles_under(const MeasuredPart& part, const ChosenProfile& profile) {
  std::vector<std::uint64_t> cycles;
  for (const Timing& timing : profile.bounds) {
    const auto simulated = simulate_cycles(part.job, timing);
    if (!std::holds_alternative<std::uint64_t>(simulated)) return {};
    cycles.push_back(std::get<std::uint64_t>(simulated));
  }
  return cycles;
}

struct CycleRow {
  std::string label;
  std::vector<std::string> cells;  // one a side
};

bool has_code(const Side& side) { return side.code && !side.code->cycles.empty(); }

// Of the machine code, if a side has it.
std::vector<CycleRow> code_row_of(const Comparison& comparison) {
  const std::optional<ChosenProfile> profile = profile_of_code();
  if (!profile || std::none_of(comparison.sides.begin(), comparison.sides.end(), has_code)) return {};
  CycleRow row{profile->name + ", machine code", {}};
  for (const Side& side : comparison.sides) row.cells.push_back(cycles_cell(side.code->cycles));
  return {row};
}

// A row a profile, and where something was measured one for that.
std::vector<CycleRow> rows_of(const Comparison& comparison) {
  std::vector<CycleRow> rows;
  for (const ChosenProfile& profile : all_profiles()) {
    CycleRow& row = rows.emplace_back(CycleRow{profile.name, {}});
    for (const Side& side : comparison.sides) row.cells.push_back(cycles_cell(tools::cycles_under(side, profile)));
  }
  for (CycleRow& row : code_row_of(comparison)) rows.push_back(std::move(row));
  return rows;
}

// Of the parts that are comparable, if there are.
std::vector<CycleRow> measured_rows_of(const std::vector<std::optional<MeasuredPart>>& parts) {
  if (std::none_of(parts.begin(), parts.end(), is_comparable)) return {};
  std::vector<CycleRow> rows;
  for (const ChosenProfile& profile : all_profiles()) {
    CycleRow& row = rows.emplace_back(CycleRow{profile.name, {}});
    for (const auto& part : parts)
      row.cells.push_back(
          cycles_cell(is_comparable(part) ? cycles_under(*part, profile) : std::vector<std::uint64_t>{}));
  }
  CycleRow& measured = rows.emplace_back(CycleRow{std::string(kMeasured), {}});
  for (const auto& part : parts)
    measured.cells.push_back(is_comparable(part) ? std::to_string(part->cycles) : cycles_cell({}));
  return rows;
}

std::string rows_text(const std::vector<CycleRow>& rows, std::size_t width) {
  std::string text;
  for (const CycleRow& row : rows) {
    text += padded(row.label, kCycleLabelColumns);
    for (const std::string& one : row.cells) text += right_aligned(one, width);
    text += "\n";
  }
  return text;
}

// A line for each part that was measured, but is not comparable.
std::string apart_text(const std::vector<std::optional<MeasuredPart>>& parts) {
  std::string text;
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (parts[k] && !is_comparable(parts[k])) text += letter(k) + "  " + parts[k]->why_not + "\n";
  return text;
}

std::string measured_text(const Comparison& comparison, const std::vector<std::optional<MeasuredPart>>& parts,
                          const std::vector<CycleRow>& rows, std::size_t width) {
  const std::string apart = apart_text(parts);
  if (!rows.empty()) {
    bool collectives = false;
    for (std::size_t k = 0; k < parts.size(); ++k)
      collectives = collectives || (is_comparable(parts[k]) && comparison.sides[k].counts.collectives != 0);
    return "\nof these between its loads and its stores, case test, 32 lanes\n" + rows_text(rows, width) +
           (collectives ? "(a collective as the shuffles and the arithmetic that it stands for)\n" : "") + apart;
  }
  if (apart.empty()) return "";
  return "\nbetween its loads and its stores, where the H200's clocks were read\n" + apart;
}

// "93/97": by the profile h200, and by the H200 itself.
std::string part_cell(const Side& side) {
  const std::optional<MeasuredPart> part = measured_part(side);
  if (!is_comparable(part)) return "-";
  for (const ChosenProfile& profile : all_profiles())
    if (profile.name == "h200") return cycles_cell(cycles_under(*part, profile)) + "/" + std::to_string(part->cycles);
  return "-";
}

std::size_t column_of(const ChosenProfile& profile) {
  return std::max<std::size_t>(profile.name.size(), 8) + kCycleGap;
}

}  // namespace

std::string letter(std::size_t side) { return std::string(1, static_cast<char>('A' + side)); }

std::string heading(const Comparison& comparison) {
  const Side& first = comparison.sides.front();
  const Dim3 grid = first.prepared.config.grid, block = first.trace.head.block;
  std::string text;
  for (std::size_t k = 0; k < comparison.sides.size(); ++k)
    text += letter(k) + "  " + comparison.sides[k].program.full_name() + "\n";
  return text + "case " + (first.prepared.name.empty() ? "without a name" : first.prepared.name) + " at " +
         lanes_text({first.prepared.config.lanes}) + ", " + counted(grid.count(), "block") + " of " +
         counted(block.count(), "thread") + "\n\n";
}

std::optional<ChosenProfile> profile_of_code() {
  for (ChosenProfile& one : all_profiles())
    if (one.bounds.front() && one.bounds.front()->machine_code) return std::move(one);
  return std::nullopt;
}

std::string untimed_text(const Comparison& comparison) {
  std::string text;
  for (std::size_t k = 0; k < comparison.sides.size(); ++k)
    if (const Side& side = comparison.sides[k]; side.code && !has_code(side))
      text += paragraph(letter(k) + "  " + side.code->why_not, 80);
  return text;
}

std::string profiles_text(const Comparison& comparison) {
  std::vector<std::optional<MeasuredPart>> parts;
  for (const Side& side : comparison.sides) parts.push_back(measured_part(side));
  const std::vector<CycleRow> rows = rows_of(comparison), measured = measured_rows_of(parts);
  std::size_t width = 8;
  for (const std::vector<CycleRow>* part : {&rows, &measured})
    for (const CycleRow& row : *part)
      for (const std::string& one : row.cells) width = std::max(width, one.size() + kCycleGap);
  std::string text = heading(comparison) + padded("cycles", kCycleLabelColumns);
  for (std::size_t k = 0; k < comparison.sides.size(); ++k) text += right_aligned(letter(k), width);
  text += "\n" + rows_text(rows, width);
  if (std::any_of(comparison.sides.begin(), comparison.sides.end(), has_code)) text += untimed_text(comparison);
  return text + measured_text(comparison, parts, measured, width);
}

std::string profiles_short_head() {
  std::string text(kCycleNameColumns, ' ');
  for (const ChosenProfile& profile : all_profiles()) text += right_aligned(profile.name, column_of(profile));
  return text + right_aligned(std::string(kPart), kPart.size() + kCycleGap) + "\n";
}

std::string profiles_short_note() {
  return "\n* cycles by h200 / on an H200, of what stands between its loads and its stores:\n"
         "  where the machine code is the program's, and takes " +
         std::to_string(kFewestCycles) + " cycles or more\n";
}

std::string profiles_short_text(const Comparison& comparison) {
  std::string text;
  for (std::size_t k = 0; k < comparison.sides.size(); ++k) {
    const Side& side = comparison.sides[k];
    text += padded((k == 0 ? "" : "  ") + side.program.full_name(), kCycleNameColumns);
    for (const ChosenProfile& profile : all_profiles())
      text += right_aligned(cycles_cell(tools::cycles_under(side, profile)), column_of(profile));
    text += right_aligned(part_cell(side), kPart.size() + kCycleGap) + "\n";
  }
  return text;
}

std::string profiles_json(const Side& side) {
  const auto number = [](const std::vector<std::uint64_t>& cycles) {
    return cycles.empty() ? std::string("null") : cycles_json(cycles);
  };
  const std::optional<MeasuredPart> part = measured_part(side);
  JsonObject json, of_part;
  for (const ChosenProfile& profile : all_profiles()) {
    json.raw(profile.name, number(tools::cycles_under(side, profile)));
    if (is_comparable(part)) of_part.raw(profile.name, number(cycles_under(*part, profile)));
  }
  if (is_comparable(part)) return json.raw("measured_part", of_part.number("H200", part->cycles).str()).str();
  json.raw("measured_part", "null");
  return (part ? json.text("not_comparable", part->why_not) : json).str();
}

}  // namespace warpsim::tools
