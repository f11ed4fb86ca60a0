#include "tools/cycles/machine_scores.h"

#include <algorithm>
#include <map>
#include <set>

#include "isa/text/number_text.h"
#include "tools/cycles/cycle_request.h"
#include "tools/support/json_object.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kNameColumns = 17;
constexpr std::string_view kWhole = ".whole", kCudaGroup = "cuda/";

bool is_cuda_kernel(const ComparedKernel& kernel) { return kernel.name.starts_with(kCudaGroup); }
bool is_program(const ComparedKernel& kernel) { return kernel.cls == "programs"; }
bool is_whole(const ComparedKernel& kernel) { return is_program(kernel) && kernel.name.ends_with(kWhole); }
bool is_part(const ComparedKernel& kernel) { return is_program(kernel) && !is_whole(kernel); }

bool is_sample_block(const ComparedKernel& kernel) { return kernel.cls == "samples"; }
bool is_sample_grid(const ComparedKernel& kernel) { return kernel.cls == "sample grids"; }

struct GroupKind {
  std::string_view name;
  bool (*has)(const ComparedKernel&);
};
constexpr GroupKind kGroups[] = {{"whole programs", is_whole},
                                 {"parts of programs", is_part},
                                 {"CUDA kernels", is_cuda_kernel},
                                 {"samples, a block", is_sample_block},
                                 {"samples, grids", is_sample_grid}};

std::map<std::string, std::vector<std::string>> by_reason(const std::vector<MachineOutcome>& outcomes) {
  std::map<std::string, std::vector<std::string>> reasons;
  for (const MachineOutcome& one : outcomes)
    if (one.is_refused()) reasons[one.refusal.why].push_back(one.kernel.name);
  return reasons;
}

}  // namespace

std::vector<MachineGroup> machine_groups(const std::vector<MachineOutcome>& outcomes) {
  std::vector<MachineGroup> groups;
  for (const GroupKind& kind : kGroups) {
    MachineGroup group{kind.name};
    std::set<std::string> programs;
    double sum = 0;
    for (const MachineOutcome& one : outcomes) {
      if (!kind.has(one.kernel)) continue;
      ++group.jobs;
      programs.insert(one.kernel.name.substr(0, one.kernel.name.rfind(".w" + std::to_string(one.kernel.warps))));
      if (one.is_refused()) {
        ++group.refused;
        continue;
      }
      const double error = one.kernel.error();
      sum += error;
      group.worst = std::max(group.worst, error);
      if (error <= kMachineCodeLimits.mean) ++group.within_mean;
      if (error <= kMachineCodeLimits.worst) ++group.within_worst;
    }
    if (group.jobs == 0) continue;
    group.programs = programs.size();
    if (group.jobs != group.refused) group.mean = sum / static_cast<double>(group.jobs - group.refused);
    groups.push_back(group);
  }
  return groups;
}

std::string groups_text(const std::vector<MachineGroup>& groups) {
  if (groups.empty()) return "";
  std::string text = padded("", kNameColumns) + "  programs  jobs    mean    worst  <= 3 %  <= 10 %  refused\n";
  for (const MachineGroup& g : groups) {
    text += padded(std::string(g.name), kNameColumns) + right_aligned(std::to_string(g.programs), 10);
    text += right_aligned(std::to_string(g.jobs), 6) + right_aligned(percent(g.mean), 8);
    text += right_aligned(percent(g.worst), 9) + right_aligned(std::to_string(g.within_mean), 8);
    text += right_aligned(std::to_string(g.within_worst), 9) + right_aligned(std::to_string(g.refused), 9) + "\n";
  }
  return text;
}

std::string groups_markdown(const std::vector<MachineGroup>& groups) {
  if (groups.empty()) return "";
  std::string text =
      "| | programs | jobs | mean error | worst | within 3 % | within 10 % | refused |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const MachineGroup& g : groups)
    text += "| " + std::string(g.name) + " | " + std::to_string(g.programs) + " | " + std::to_string(g.jobs) + " | " +
            percent(g.mean) + " | " + percent(g.worst) + " | " + std::to_string(g.within_mean) + " | " +
            std::to_string(g.within_worst) + " | " + std::to_string(g.refused) + " |\n";
  return text;
}

std::string refusals_text(const std::vector<MachineOutcome>& outcomes) {
  constexpr std::size_t kWidth = 80, kIndent = 4;
  std::string text;
  std::size_t count = 0;
  for (const auto& [why, names] : by_reason(outcomes)) {
    count += names.size();
    const std::string line = why + ": " + counted(names.size(), "kernel") + ", " + first_names(names);
    bool is_first = true;
    for (const std::string& piece : wrapped_at(line, kWidth - kIndent)) {
      text += std::string(is_first ? kIndent / 2 : kIndent, ' ') + piece + "\n";
      is_first = false;
    }
  }
  return count == 0 ? "" : "refused: " + counted(count, "kernel") + "\n" + text;
}

std::string refusals_markdown(const std::vector<MachineOutcome>& outcomes) {
  const auto reasons = by_reason(outcomes);
  if (reasons.empty()) return "";
  std::string text = "| refused | kernels | which |\n|---|--:|---|\n";
  for (const auto& [why, names] : reasons)
    text += "| " + why + " | " + std::to_string(names.size()) + " | " + first_names(names) + " |\n";
  return text;
}

std::string to_json(const MachineGroup& group) {
  return JsonObject()
      .text("group", group.name)
      .number("programs", group.programs)
      .number("jobs", group.jobs)
      .raw("mean", fraction_text(group.mean))
      .raw("worst", fraction_text(group.worst))
      .number("within_3_percent", group.within_mean)
      .number("within_10_percent", group.within_worst)
      .number("refused", group.refused)
      .str();
}

std::string to_json(const MachineOutcome& outcome) {
  const ComparedKernel& kernel = outcome.kernel;
  JsonObject row;
  row.text("kernel", kernel.name).text("class", kernel.cls).text("set", name(kernel.set)).number("warps", kernel.warps);
  row.number("gpu_cycles", kernel.gpu).number("least", kernel.least).number("most", kernel.most);
  if (outcome.is_refused()) {
    row.text("refused", outcome.refusal.why);
    if (!outcome.refusal.where.empty()) row.text("where", outcome.refusal.where);
    return row.str();
  }
  row.number("model_cycles", kernel.model).raw("error", fraction_text(kernel.error()));
  return row.boolean("scored", kernel.is_scored()).str();
}

}  // namespace warpsim::tools
