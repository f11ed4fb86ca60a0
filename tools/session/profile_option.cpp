// The profile that --profile, --scheduler and --sms choose; see profile_option.h.
#include "tools/session/profile_option.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "isa/text/diagnostic.h"
#include "tools/session/loading.h"
#include "tools/session/overrides.h"
#include "tools/support/output.h"
#include "tools/support/words.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim::tools {

std::optional<ProfileFile> read_profile_file(Session& session, const std::string& path) {
  std::string text, error;
  if (!read_file(path, text, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return std::nullopt;
  }
  auto read = read_profile(text);
  if (const auto* wrong = std::get_if<JsonError>(&read)) {
    report_json(session, *wrong, input_name(path), text);
    return std::nullopt;
  }
  return std::get<ProfileFile>(std::move(read));
}

namespace {

std::optional<ChosenProfile> find_profile(Session& session, const std::string& word) {
  const auto [name, bound] = split_bound(word);
  if (word == ChosenProfile().name || (word == kAllProfiles && (session.takes & kTakesAllProfiles) != 0))
    return ChosenProfile{};
  std::optional<ProfileFile> file = builtin_profile(name);
  if (!file && !is_file_name(name)) {
    session.reply.fail(ExitCode::Usage, "usage", "there is no profile " + in_ticks(word),
                       hint_for(nearest(word, profile_names()),
                                "there are " + join(profile_names()) + ", and files that end in .json"));
    return std::nullopt;
  }
  if (!file) file = read_profile_file(session, name);
  if (!file) return std::nullopt;
  std::optional<ChosenProfile> found = as_chosen(std::move(*file));
  if (bound < 0) return found;
  if (!found->has_bounds()) {
    session.reply.fail(ExitCode::Usage, "usage", "the profile " + in_ticks(name) + " has no bounds",
                       "--profile " + name);
    return std::nullopt;
  }
  return ChosenProfile{found->name + std::string(bound == 0 ? kLow : kHigh),
                       {found->bounds[static_cast<std::size_t>(bound)]}};
}

bool times_code(Session& session, const ChosenProfile& chosen) {
  const auto refuse = [&session](const std::string& message, const std::string& hint) {
    session.reply.fail(ExitCode::Unsupported, "unsupported", message, hint);
    return false;
  };
  if (session.run_code == nullptr)
    return refuse("machine code is not timed here", "leave out --timing; the command `warpsim` has it");
  for (const Timing& bound : chosen.bounds)
    if (!bound->machine_code)
      return refuse("the profile " + in_ticks(chosen.name) + " does not say how long machine code takes",
                    "--profile h200 has it");
  return true;
}

// Whether the options of the machine go together.
bool fits(Session& session, const ChosenProfile& chosen) {
  const Options& options = session.options;
  const auto refuse = [&session](const std::string& message, const std::string& hint) {
    session.reply.fail(ExitCode::Usage, "usage", message, hint);
    return false;
  };
  if (options.profile == kAllProfiles && !options.scheduler.empty())
    return refuse("--scheduler is for one profile, and --profile all is every one with the scheduler that it has",
                  "--profile h200 --scheduler " + options.scheduler);
  if (!chosen.bounds.front() && !options.scheduler.empty())
    return refuse("--scheduler is for one profile with time: in lockstep every warp issues in every cycle",
                  "--profile h200 --scheduler " + options.scheduler);
  if (!chosen.bounds.front() && !options.sms.empty())
    return refuse("--sms is for one profile with time: in lockstep every warp issues in every cycle",
                  "--profile h200 --sms " + options.sms);
  if (session.runs_code() && !chosen.bounds.front())
    return refuse("--timing machine-code needs a profile that says how long machine code takes",
                  "--profile h200 --timing machine-code");
  if (!chosen.bounds.front() && options.profile != kAllProfiles) return true;
  if (const std::optional<Schedule> order = parse_schedule(options.schedule); order && *order != Schedule{})
    return refuse(
        "--schedule " + options.schedule + " is an order of warps, which --profile " + options.profile + " says itself",
        "leave one of the two out");
  if (session.runs_code() && !times_code(session, chosen)) return false;
  if (!chosen.has_bounds() || (session.takes & kTakesBounds) != 0) return true;
  return refuse(in_ticks(chosen.name) + " has two bounds, and " + in_ticks(options.verb) + " wants one run",
                "--profile " + options.profile + std::string(kLow) + " or " + options.profile + std::string(kHigh));
}

}  // namespace

const ChosenProfile* chosen_profile(Session& session, std::string_view otherwise) {
  if (session.profile) return session.profile.get();
  const Options& options = session.options;
  const std::string word = options.profile.empty() ? std::string(otherwise) : options.profile;
  std::optional<ChosenProfile> chosen = word.empty() ? ChosenProfile{} : find_profile(session, word);
  if (!chosen || !fits(session, *chosen)) return nullptr;
  std::uint64_t sms = 0;
  if (!read_number(session, "--sms", options.sms, 1, sms, kMostSms)) return nullptr;
  if (sms != 0)
    for (Timing& bound : chosen->bounds) bound = with_sms(bound, static_cast<unsigned>(sms));
  if (!options.scheduler.empty())
    for (Timing& bound : chosen->bounds) bound = with_scheduler(bound, options.scheduler);
  session.profile = std::make_shared<const ChosenProfile>(std::move(*chosen));
  return session.profile.get();
}

}  // namespace warpsim::tools
