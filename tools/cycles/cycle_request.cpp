#include "tools/cycles/cycle_request.h"

#include <algorithm>
#include <cstddef>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "tools/session/named_programs.h"
#include "tools/support/words.h"

namespace warpsim::tools {

bool cycle_options_fit(Session& session) {
  const Options& o = session.options;
  if (!o.record.empty() && !o.against.empty()) {
    session.reply.fail(ExitCode::Usage, "usage", "--record and --against do not go together",
                       "record on a machine with a GPU, then compare anywhere");
    return false;
  }
  if (!o.lanes.empty() || !o.case_name.empty()) {
    session.reply.fail(ExitCode::Usage, "usage", "--cycles is for warps of 32 and the case `test`",
                       "leave out --case and --lanes; NAMEs choose the kernels");
    return false;
  }
  return true;
}

bool is_wanted(const Session& session, std::string_view name) {
  const std::vector<std::string>& names = session.options.names;
  return names.empty() ||
         std::any_of(names.begin(), names.end(), [&](const std::string& wanted) { return name.starts_with(wanted); });
}

void report_unknown_names(Session& session, const std::vector<std::string>& all) {
  for (const std::string& wanted : session.options.names) {
    if (std::any_of(all.begin(), all.end(), [&](const std::string& name) { return name.starts_with(wanted); }))
      continue;
    std::vector<std::string> near = all;  // and the groups
    for (const std::string& name : all) near.push_back(name.substr(0, name.find('/')));
    session.reply.fail(ExitCode::Usage, "usage", "no measured kernel or program begins with " + in_ticks(wanted),
                       hint_for(nearest(wanted, near),
                                "NAMEs are how names begin: chain, algorithm/scan, p26; without one all are taken"));
  }
}

void warn_of_capture(Session& session, const std::string& message, const std::string& hint) {
  const Diagnostic warning{Diagnostic::Severity::Warning, "capture", message, hint, {}};
  const std::string drawn = "warpsim: warning: " + message + "\n" + (hint.empty() ? "" : "  hint: " + hint + "\n");
  session.reply.fail_drawn(ExitCode::Ok, drawn, to_json(warning, ""));
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 3;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, names.size())));
  return join(first) + (names.size() > kNamed ? " and " + std::to_string(names.size() - kNamed) + " more" : "");
}

void warn_of_kernels(Session& session, const std::vector<std::string>& names, const std::string& why,
                     const std::string& hint) {
  if (!names.empty())
    warn_of_capture(session, counted(names.size(), "kernel") + " " + why + ": " + first_names(names), hint);
}

}  // namespace warpsim::tools
