// See timing_table.h.
#include "tools/exec/timing_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "isa/text/number_text.h"
#include "tools/support/screen.h"

namespace warpsim::tools {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kWidth = 80, kMostKernel = 20, kMostReasons = 3;

struct Row {
  std::string kernel, shape, cycles, time, ipc, warps, waits, launched, why;
  std::uint64_t first = 0, last = 0;
  bool is_like(const Row& other) const {
    return std::tie(kernel, shape, cycles, waits, warps, launched, why) ==
           std::tie(other.kernel, other.shape, other.cycles, other.waits, other.warps, other.launched, other.why);
  }
};

std::string decimals(double value, int digits) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.*f", digits, value);
  return {text, static_cast<std::size_t>(std::clamp(length, 0, 63))};
}

// "812 ns", "1.23 ms"
std::string time_text(double ns) {
  constexpr std::pair<double, const char*> kUnits[] = {{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}};
  for (const auto& [size, unit] : kUnits)
    if (ns >= size) return decimals(ns / size, 2) + unit;
  return decimals(ns, 0) + " ns";
}

// "4x2": without ones at the end.
std::string dimensions(const Json& of) {
  std::string text;
  std::size_t shown = of.size();
  while (shown > 1 && of[shown - 1] == 1) --shown;
  for (std::size_t k = 0; k < shown; ++k) text += (k == 0 ? "" : "x") + std::to_string(of[k].get<std::uint64_t>());
  return text;
}

// What the warps' cycles went into, the most first: "memory 81 %, issued 9 %".
std::string waits_of(const Json& record) {
  std::vector<std::pair<std::uint64_t, std::string>> parts = {{record.value("issued", std::uint64_t{0}), "issued"}};
  for (const auto& [reason, cycles] : record.at("stalls").items()) parts.emplace_back(cycles, reason);
  std::uint64_t whole = 0;
  for (const auto& [cycles, reason] : parts) whole += cycles;
  std::stable_sort(parts.begin(), parts.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  std::string text;
  for (std::size_t k = 0; k < kMostReasons && parts[k].first != 0; ++k) {
    const double share = 100.0 * static_cast<double>(parts[k].first) / static_cast<double>(whole);
    const std::string percent = share < 0.5 ? "<1" : std::to_string(std::llround(share));
    text += (k == 0 ? "" : ", ") + parts[k].second + " " + percent + " %";
  }
  return text;
}

Row row_of(const Json& record) {
  const auto number = [&](const char* member) { return record.at(member).get<std::uint64_t>(); };
  Row row;
  row.first = row.last = number("launch");
  row.kernel = record.at("kernel").get<std::string>();
  row.shape = dimensions(record.at("grid")) + " x " + dimensions(record.at("block"));
  row.cycles = std::to_string(number("cycles"));
  row.time = time_text(record.at("ns").get<double>());
  const double cycles =
      static_cast<double>(std::max<std::uint64_t>(number("cycles"), 1) * std::max<std::uint64_t>(number("sms"), 1));
  row.ipc = decimals(static_cast<double>(number("instructions")) / cycles, 2);
  row.warps = "at most " + std::to_string(number("warps_an_sm")) + " of " + std::to_string(number("of_warps")) +
              " warps on an SM, limited by " + record.at("limit").get<std::string>();
  row.launched = record.value("launched", "");
  const std::string by = record.value("timed_by", "");
  row.waits =
      (by.empty() ? "" : by + ": ") + waits_of(record) + (record.at("ended").get<bool>() ? "" : "; it was stopped");
  if (const std::string why = record.value("why_not_machine_code", ""); !why.empty())
    row.why = "not by machine code: " + why;
  return row;
}

// What the numbers are of.
std::string head_of(const TimingProfile& profile, const std::vector<Json>& records) {
  const auto any = [&](const char* by) {
    return std::any_of(records.begin(), records.end(),
                       [by](const Json& one) { return one.value("timed_by", "PTX") == by; });
  };
  constexpr std::size_t kMostName = kWidth - 55;
  const std::string name = columns_of(profile.name) <= kMostName ? profile.name : fitted(profile.name, kMostName, "…");
  const std::string model = " on a model of " + counted(profile.sm.sms, "SM") + ".\n";
  if (!any("machine code"))
    return "profile " + name + ": whole grids of PTX" + model +
           "Not in it: what ptxas makes of the PTX, bandwidth of L2 and DRAM, launch\noverhead, copies "
           "(docs/cycles.md).\n\n";
  return "profile " + name + ": whole grids" + model + "By the program's machine code" +
         (any("PTX") ? ", or by PTX where a launch says so. Not in it:\n"
                       "bandwidth of DRAM, launch overhead, copies (docs/exec.md).\n\n"
                     : ". Not in it: bandwidth of DRAM, launch\noverhead, copies (docs/exec.md).\n\n");
}

std::string left(const std::string& text, std::size_t columns) { return fitted(text, columns, "…"); }
std::string right(const std::string& text, std::size_t columns) {
  return std::string(columns - std::min(columns, columns_of(text)), ' ') + text;
}

std::string numbers_of(const Row& row) {
  return row.first == row.last ? std::to_string(row.first) : std::to_string(row.first) + "-" + std::to_string(row.last);
}

}  // namespace

std::string timing_table(const TimingProfile& profile, const std::vector<Json>& records) {
  std::vector<Row> rows;
  for (const Json& record : records) {
    Row row = row_of(record);
    if (!rows.empty() && rows.back().last + 1 == row.first && rows.back().is_like(row)) rows.back().last = row.first;
    else rows.push_back(std::move(row));
  }
  std::string text = head_of(profile, records);
  std::size_t number = 3, kernel = 6, shape = 12, cycles = 9;
  for (const Row& row : rows) {
    number = std::max(number, columns_of(numbers_of(row)));
    kernel = std::max(kernel, std::min(kMostKernel, columns_of(row.kernel)));
    shape = std::max(shape, columns_of(row.shape));
    cycles = std::max(cycles, columns_of(row.cycles));
  }
  const auto add = [&](const std::string& line) {
    text += (columns_of(line) <= kWidth ? line : fitted(line, kWidth, "…")) + "\n";
  };
  add(right("#", number) + "  " + left("kernel", kernel) + "  " + left("grid x block", shape) +
      right("cycles", cycles + 2) + right("time", 11) + right("IPC an SM", 11));
  for (const Row& row : rows) {
    add(right(numbers_of(row), number) + "  " + left(row.kernel, kernel) + "  " + left(row.shape, shape) +
        right(row.cycles, cycles + 2) + right(row.time, 11) + right(row.ipc, 11));
    add(std::string(number + 2, ' ') + row.waits);
    add(std::string(number + 2, ' ') + row.warps);
    if (!row.why.empty()) add(std::string(number + 2, ' ') + row.why);
    if (!row.launched.empty()) add(std::string(number + 2, ' ') + "launched in " + row.launched);
  }
  return text;
}

}  // namespace warpsim::tools
