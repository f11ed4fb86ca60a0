// See exec_options.h.
#include "host/exec/exec_options.h"

#include <fnmatch.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpsim::host {

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool ExecOptions::checks_launch(const std::string& kernel, std::uint64_t number) const {
  const auto fits = [&](const std::string& pattern) { return matches(pattern, kernel); };
  return checks && number >= first_launch && number <= last_launch &&
         (only.empty() || std::any_of(only.begin(), only.end(), fits));
}

std::string to_text(const ExecOptions& options) {
  const nlohmann::json json = {{"checks", options.checks},
                               {"only", options.only},
                               {"first_launch", options.first_launch},
                               {"last_launch", options.last_launch},
                               {"report", options.report},
                               {"trace", options.trace},
                               {"trace_kernel", options.trace_kernel},
                               {"trace_number", options.trace_number},
                               {"leaks", options.leaks}};
  return json.dump();
}

ExecOptions exec_options_from(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  ExecOptions options;
  try {
    options.checks = json.value("checks", options.checks);
    options.only = json.value("only", options.only);
    options.first_launch = json.value("first_launch", options.first_launch);
    options.last_launch = json.value("last_launch", options.last_launch);
    options.report = json.value("report", options.report);
    options.trace = json.value("trace", options.trace);
    options.trace_kernel = json.value("trace_kernel", options.trace_kernel);
    options.trace_number = json.value("trace_number", options.trace_number);
    options.leaks = json.value("leaks", options.leaks);
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return options;
}

}  // namespace warpsim::host
