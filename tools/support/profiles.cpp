// Profiles by name, and cycles as text; see profiles.h.
#include "tools/support/profiles.h"

#include <algorithm>
#include <filesystem>

#include "isa/text/number_text.h"
#include "tools/support/words.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim::tools {

constexpr std::string_view kWithScheduler = " --scheduler ", kWithSms = " --sms ";

ChosenProfile as_chosen(ProfileFile file) {
  ChosenProfile chosen{std::move(file.name), {}};
  for (TimingProfile& bound : file.bounds)
    chosen.bounds.push_back(std::make_shared<const TimingProfile>(std::move(bound)));
  return chosen;
}

std::pair<std::string, int> split_bound(const std::string& word) {
  for (const auto& [suffix, bound] : {std::pair{kLow, 0}, {kHigh, 1}})
    if (word.size() > suffix.size() && std::string_view(word).substr(word.size() - suffix.size()) == suffix)
      return {word.substr(0, word.size() - suffix.size()), bound};
  return {word, -1};
}

bool is_file_name(std::string_view word) {
  return word == "-" || word.front() == '/' || word.front() == '.' ||
         std::filesystem::path(word).extension() == ".json";
}

Timing with_scheduler(const Timing& timing, std::string_view word) {
  TimingProfile changed = *timing;
  for (const Scheduler one : {Scheduler::Gto, Scheduler::Lrr, Scheduler::Oldest})
    if (word == name(one)) changed.scheduler = one;
  if (changed.scheduler == timing->scheduler) return timing;
  changed.name.append(kWithScheduler).append(word);
  return std::make_shared<const TimingProfile>(std::move(changed));
}

Timing with_sms(const Timing& timing, unsigned sms) {
  if (sms == timing->sm.sms) return timing;
  TimingProfile changed = *timing;
  changed.sm.sms = sms;
  changed.name.append(kWithSms).append(std::to_string(sms));
  return std::make_shared<const TimingProfile>(std::move(changed));
}

std::vector<ChosenProfile> all_profiles() {
  std::vector<ChosenProfile> all{ChosenProfile{}};
  for (const BuiltinProfile& one : builtin_profiles()) all.push_back(as_chosen(*builtin_profile(one.name)));
  return all;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const ChosenProfile& one : all_profiles()) {
    names.push_back(one.name);
    if (!one.has_bounds()) continue;
    for (const Timing& bound : one.bounds) names.push_back(bound->name);
  }
  return names;
}

bool is_profile_word(std::string_view word) {
  if (word.empty()) return false;
  const std::vector<std::string> names = profile_names();
  return is_file_name(split_bound(std::string(word)).first) ||
         std::find(names.begin(), names.end(), word) != names.end();
}

Timing timing_called(std::string_view name) {
  // What an option of that name added; "" for none. They stand in this order: with_sms(), with_scheduler().
  const auto added = [&name](std::string_view option) {
    const std::size_t at = name.find(option);
    if (at == std::string_view::npos) return std::string();
    const std::string_view rest = name.substr(at + option.size());
    return std::string(rest.substr(0, rest.find(' ')));
  };
  const std::string scheduler = added(kWithScheduler);
  const std::optional<std::uint64_t> sms = parse_count(added(kWithSms));
  for (const ChosenProfile& one : all_profiles())
    for (const Timing& bound : one.bounds) {
      if (!bound || bound->name != name.substr(0, name.find(" --"))) continue;
      const Timing sized = sms && *sms > 0 && *sms <= kMostSms ? with_sms(bound, static_cast<unsigned>(*sms)) : bound;
      return scheduler.empty() ? sized : with_scheduler(sized, scheduler);
    }
  return nullptr;
}

std::string cycles_text(const std::vector<std::uint64_t>& cycles) {
  if (cycles.front() == cycles.back()) return counted(cycles.front(), "cycle");
  return std::to_string(cycles.front()) + " to " + counted(cycles.back(), "cycle");
}

std::string cycles_cell(const std::vector<std::uint64_t>& cycles) {
  if (cycles.empty()) return "-";
  if (cycles.front() == cycles.back()) return std::to_string(cycles.front());
  return std::to_string(cycles.front()) + "-" + std::to_string(cycles.back());
}

std::string cycles_json(const std::vector<std::uint64_t>& cycles) {
  if (cycles.size() == 1) return std::to_string(cycles.front());
  return "[" + std::to_string(cycles.front()) + ", " + std::to_string(cycles.back()) + "]";
}

}  // namespace warpsim::tools
