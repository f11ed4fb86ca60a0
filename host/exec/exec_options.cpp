// See exec_options.h.
#include "host/exec/exec_options.h"

#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "traces/profile/profile_json.h"

namespace warpsim::host {

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool ExecOptions::names_launch(const std::string& kernel, std::uint64_t number) const {
  const auto fits = [&](const std::string& pattern) { return matches(pattern, kernel); };
  return number >= first_launch && number <= last_launch &&
         (only.empty() || std::any_of(only.begin(), only.end(), fits));
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ExecOptions, checks, only, first_launch, last_launch, report, trace,
                                                trace_kernel, trace_number, leaks, fuzzes_streams, streams_seed,
                                                profile, profile_name, times_code, ptxas, engine, threads, logs_engine,
                                                max_cycles)

std::shared_ptr<const TimingProfile> read_timing(const ExecOptions& options) {
  std::ifstream in(options.profile, std::ios::binary);
  auto read = read_profile(std::string(std::istreambuf_iterator<char>(in), {}));
  auto* const profile = std::get_if<ProfileFile>(&read);
  if (profile == nullptr) return nullptr;
  profile->bounds.front().name = options.profile_name;
  return std::make_shared<const TimingProfile>(std::move(profile->bounds.front()));
}

std::string to_text(const ExecOptions& options) { return nlohmann::json(options).dump(); }

ExecOptions exec_options_from(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  try {
    return json.is_object() ? json.get<ExecOptions>() : ExecOptions{};
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace warpsim::host
