#include "tools/cycles/cycle_scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "isa/text/number_text.h"
#include "tools/support/json_object.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

bool class_counts(std::string_view cls) {
  return std::any_of(std::begin(kKernelClasses), std::end(kKernelClasses),
                     [cls](const KernelClass& one) { return one.name == cls && one.scored; });
}

std::string fixed(double value, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

// Text goes no further to the right, unless a name alone does.
constexpr std::size_t kColumns = 80;

std::string indented(const std::string& text, std::size_t by) {
  std::string lines;
  for (const std::string& line : wrapped_at(text, kColumns - by)) lines += std::string(by, ' ') + line + "\n";
  return lines;
}

bool stands_apart(const ComparedKernel& kernel) { return class_counts(kernel.cls) && !kernel.is_scored(); }

}  // namespace

bool ComparedKernel::is_scored() const {
  return class_counts(cls) && code.kind == CodeVerdict::Kind::Same && gpu >= kFewestCycles;
}
std::string ComparedKernel::why_apart() const {
  if (code.kind == CodeVerdict::Kind::Same) return "the same code, but too short to be scored";
  return std::string(warpsim::name(code.kind)) + (code.difference.empty() ? "" : ": " + code.difference);
}
double ComparedKernel::error() const {
  const double off = static_cast<double>(model) - static_cast<double>(gpu);
  return gpu == 0 ? 0 : std::fabs(off) / static_cast<double>(gpu);
}
std::string ComparedKernel::error_text() const {
  return (model < gpu ? "-" : model > gpu ? "+" : "") + percent(error());
}

std::string percent(double fraction) { return fixed(100 * fraction, 1) + " %"; }
std::string fraction_text(double fraction) { return fixed(fraction, 4); }

std::vector<Score> scores(const std::vector<ComparedKernel>& kernels) {
  std::vector<Score> out;
  for (const KernelClass& cls : kKernelClasses) {
    for (const KernelSet set : {KernelSet::Calibration, KernelSet::Test}) {
      Score score{cls.name, set, cls.scored, 0, 0, 0, nullptr};
      for (const ComparedKernel& kernel : kernels) {
        if (kernel.cls != cls.name || kernel.set != set || (cls.scored && !kernel.is_scored())) continue;
        ++score.kernels;
        score.mean += kernel.error();
        if (score.worst_kernel != nullptr && kernel.error() <= score.worst) continue;
        score.worst = kernel.error();
        score.worst_kernel = &kernel;
      }
      if (score.kernels == 0) continue;
      score.mean /= static_cast<double>(score.kernels);
      out.push_back(score);
    }
  }
  return out;
}

std::vector<std::string> unscored_classes(const std::vector<Score>& scores, const std::set<std::string_view>& wanted) {
  std::vector<std::string> out;
  for (const KernelClass& cls : kKernelClasses) {
    const bool is_scored = std::any_of(scores.begin(), scores.end(), [&cls](const Score& score) {
      return score.cls == cls.name && score.set == KernelSet::Test;
    });
    if (cls.scored && wanted.count(cls.name) != 0 && !is_scored) out.emplace_back(cls.name);
  }
  return out;
}

bool is_within_limits(const Score& score, const CycleLimits& limits) {
  if (!score.counts || score.set != KernelSet::Test) return true;
  return score.mean <= limits.mean && score.worst <= limits.worst;
}

std::string scores_text(const std::vector<Score>& scores, const CycleLimits& limits) {
  std::size_t width = 10;
  for (const Score& s : scores) width = std::max(width, s.cls.size());
  std::string text = padded("class", width) + "  " + padded("set", 11) + "  kernels    mean   worst  which\n";
  bool is_unscored = false, is_over = false;
  for (const Score& s : scores) {
    const bool over = !is_within_limits(s, limits);
    is_unscored |= !s.counts;
    is_over |= over;
    const std::string mark = over ? "!" : s.counts ? "" : "*";
    std::string row = padded(std::string(s.cls), width) + "  " + padded(std::string(name(s.set)), 11);
    row += right_aligned(std::to_string(s.kernels), 9) + right_aligned(percent(s.mean), 8);
    row += right_aligned(percent(s.worst), 8) + mark;
    const std::string& which = s.worst_kernel->name;
    const std::string behind = std::string(2 - mark.size(), ' ') + which;
    text += row.size() + behind.size() <= kColumns ? row + behind : row + "\n" + right_aligned(which, kColumns);
    text += "\n";
  }
  if (is_unscored) text += "*  only reported\n";
  if (is_over)
    text += "!  over the limits: " + percent(limits.mean) + " on average, " + percent(limits.worst) + " at worst\n";
  return text;
}

std::string scores_markdown(const std::vector<Score>& scores) {
  std::string text = "| class | set | kernels | mean error | worst | which: H200, model |\n|---|---|--:|--:|--:|---|\n";
  for (const Score& s : scores) {
    text += "| " + std::string(s.cls) + (s.counts ? "" : " (only reported)") + " | " + std::string(name(s.set)) +
            " | " + std::to_string(s.kernels) + " | " + percent(s.mean) + " | " + percent(s.worst) + " | `" +
            s.worst_kernel->name + "`: " + std::to_string(s.worst_kernel->gpu) + ", " +
            std::to_string(s.worst_kernel->model) + " |\n";
  }
  return text;
}

std::string apart_text(const std::vector<ComparedKernel>& kernels) {
  std::string text;
  std::size_t count = 0;
  double mean = 0, worst = 0;
  for (const ComparedKernel& kernel : kernels) {
    if (!stands_apart(kernel)) continue;
    ++count;
    mean += kernel.error();
    worst = std::max(worst, kernel.error());
    text += "  " + kernel.name + ": GPU " + std::to_string(kernel.gpu) + ", model " + std::to_string(kernel.model) +
            " (" + kernel.error_text() + ")\n" + indented(kernel.why_apart(), 6);
  }
  if (count == 0) return "";
  return "apart: " + counted(count, "kernel") + " whose machine code is not the program's, or too short:\n  mean " +
         percent(mean / static_cast<double>(count)) + ", worst " + percent(worst) + "\n" + text;
}

std::string apart_markdown(const std::vector<ComparedKernel>& kernels) {
  if (std::none_of(kernels.begin(), kernels.end(), stands_apart)) return "";
  std::string text = "| kernel | H200 | model | error | machine code |\n|---|--:|--:|--:|---|\n";
  for (const ComparedKernel& kernel : kernels) {
    if (!stands_apart(kernel)) continue;
    text += "| `" + kernel.name + "` | " + std::to_string(kernel.gpu) + " | " + std::to_string(kernel.model) + " | " +
            kernel.error_text() + " | " + kernel.why_apart() + " |\n";
  }
  return text;
}

std::string to_json(const ComparedKernel& kernel) {
  JsonObject row;
  row.text("kernel", kernel.name).text("class", kernel.cls).text("set", name(kernel.set)).number("warps", kernel.warps);
  row.number("gpu_cycles", kernel.gpu).number("least", kernel.least).number("most", kernel.most);
  row.number("model_cycles", kernel.model).raw("error", fraction_text(kernel.error()));
  row.text("machine_code", name(kernel.code.kind)).boolean("scored", kernel.is_scored());
  if (!kernel.code.difference.empty()) row.text("difference", kernel.code.difference);
  return row.str();
}

std::string to_json(const Score& score) {
  return JsonObject()
      .text("class", score.cls)
      .text("set", name(score.set))
      .boolean("scored", score.counts)
      .number("kernels", score.kernels)
      .raw("mean", fraction_text(score.mean))
      .raw("worst", fraction_text(score.worst))
      .text("worst_kernel", score.worst_kernel->name)
      .str();
}

}  // namespace warpsim::tools
