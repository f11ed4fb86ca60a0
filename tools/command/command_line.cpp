// The command line, parsed with CLI11; see command_line.h. The only file that includes CLI11.
#include "tools/command/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "isa/text/diagnostic.h"
#include "tools/command/export_forms_text.h"
#include "tools/command/verbs.h"
#include "tools/support/profiles.h"
#include "tools/support/version.h"

namespace warpsim::tools {

namespace {

constexpr const char* kAbout =
    "warpsim: a microscope for GPU warps. Runs warp programs lane by lane and cycle\n"
    "by cycle, without a GPU.";

constexpr const char* kExitCodes =
    "NAME is group/name, or a name alone where only one group has it. A path with a\n"
    "dot or a leading / is a file; - is standard input or output. What begins with {,\n"
    "or is packed, is a trace.\n\n"
    "Exit codes: 0 all is well; 1 an output is not what the case expects; 2 the\n"
    "command line is wrong; 3 a file cannot be read, written or parsed; 4 the\n"
    "simulated program trapped; 5 not supported; 70 a mistake in warpsim itself.";

Parsed too_many(const std::string& word, const std::string& verb) {
  return {Parsed::Kind::Wrong, "`" + word + "` is one word too many for `" + verb + "`",
          "`warpsim help " + verb + "` lists the options"};
}

constexpr std::size_t kHelpWidth = 80, kHelpColumn = 24;  // a help page's; descriptions begin at the column

// A description broken into lines that fit beside the names; one_line() undoes it.
std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t length = 0;
  for (const std::string& word : CLI::detail::split(std::string(text), ' ')) {
    const bool fits = length == 0 || length + 1 + word.size() <= kHelpWidth - kHelpColumn;
    if (length != 0) out += fits ? ' ' : '\n';
    out += word;
    length = fits && length != 0 ? length + 1 + word.size() : word.size();
  }
  return out;
}

// What stands below the options; a verb that takes a form lists the forms.
std::string footer_of(const Verb& verb) {
  std::string text(verb.more);
  if (const std::size_t at = text.find(kFormsHere); at != std::string::npos)
    text.replace(at, kFormsHere.size(), export_forms_help());
  return text;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// "json|ndjson|text" names what an option can be, in its help, its check and its completion.
std::vector<std::string> choices_of(const std::string& type_name) {
  return type_name.find('|') == std::string::npos ? std::vector<std::string>{} : CLI::detail::split(type_name, '|');
}
CLI::Validator one_of(const std::string& type_name) {
  return CLI::Validator(
      [choices = choices_of(type_name)](const std::string& word) -> std::string {
        if (std::find(choices.begin(), choices.end(), word) != choices.end()) return "";
        return "`" + word + "` is none of " + CLI::detail::join(choices, ", ");
      },
      "");
}

// The profiles that completion offers for an option's value. A profile to be fitted has times, and no bounds.
std::vector<std::string> profiles_for(const CLI::Option& option) {
  std::vector<std::string> names;
  if (option.check_name("--profile")) names = profile_names();
  if (option.check_name("--profile") && option.get_items_expected_min() == 0) names.emplace_back(kAllProfiles);
  if (option.check_name("--base"))
    for (const ChosenProfile& one : all_profiles())
      if (!one.has_bounds() && one.bounds.front() != nullptr) names.push_back(one.name);
  return names;
}

CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& target, const std::string& description,
                      const std::string& type) {
  return app.add_option(names, target, wrapped(description))->type_name(type);
}

void add_list(CLI::App& app, const std::string& names, std::vector<std::string>& target, const std::string& description,
              const std::string& type) {
  app.add_option(names, target, wrapped(description))->type_name(type)->allow_extra_args(false);
}

void add_launch(CLI::App& app, Options& options, bool runs_all_cases) {
  add_text(app, "--case", options.case_name,
           runs_all_cases ? "The case to run, default all of them"
                          : "The case to run, default `test` or else the program's first",
           "CASE");
  add_text(app, "--lanes", options.lanes, "Lanes a warp: 1, 2, 4, 8, 16, 32 or 64", "N");
  add_text(app, "--grid", options.grid, "Blocks, in up to three dimensions: 2 or 4x2", "N[xN[xN]]");
  add_text(app, "--block", options.block, "Threads a block, in up to three dimensions: 48 or 8x4", "N[xN[xN]]");
  add_list(app, "--input", options.inputs,
           "What a buffer holds: 1,2,3 | iota | fill:V | random:SEED | a rule, as in a case (2*i) | @file.json | -",
           "NAME=WHAT");
  add_list(app, "--param", options.params, "The value of a scalar parameter: pivot=5", "NAME=VALUE");
  add_text(app, "--max-cycles", options.max_cycles, "Stop the run after N cycles", "N");
  add_text(app, "--resident-blocks", options.resident_blocks,
           "How many blocks are resident at once; default what an H200, or the profile's device, holds", "N");
}

void add_machine(CLI::App& app, Options& options) {
  app.add_option("--reconvergence", options.reconvergence,
                 wrapped("How diverged lanes continue: stack (default), they wait to reconverge; independent, each "
                         "group issues in turn"))
      ->type_name("stack|independent")
      ->check(one_of("stack|independent"));
  add_text(app, "--schedule", options.schedule,
           "The order of warps: rr (default), in turn; fuzz:SEED, a random order of warps, of groups of lanes "
           "and of lanes that access one address, the same for the same SEED",
           "ORDER");
}

void add_profile(CLI::App& app, Options& options, bool value_is_optional) {
  CLI::Option* profile = add_text(
      app, "--profile", options.profile,
      std::string(
          "How long each instruction takes: lockstep (default), one instruction of each warp a cycle; documents, h200, "
          "documents:low ... or FILE.json, see `warpsim schema profile`") +
          (value_is_optional ? "; all, or without a value: all of them side by side" : ""),
      "PROFILE");
  if (value_is_optional) profile->expected(0, 1);
  app.add_option("--scheduler", options.scheduler,
                 wrapped("With a profile, which warp of a sub-core issues: gto, the last one, else the oldest; lrr, in "
                         "turn; oldest; default the profile's own"))
      ->type_name("gto|lrr|oldest")
      ->check(one_of("gto|lrr|oldest"));
}

void add_fuzz(CLI::App& app, Options& options) {
  add_text(app, "--seed", options.seed, "The first program's seed, default 1", "S");
  add_text(app, "--count", options.count, "How many programs, of all shards together, default 1000", "N");
  app.add_option("--backend", options.backend,
                 wrapped("What the simulator is compared with: reference (default), a second interpreter; cuda, a GPU"))
      ->type_name("reference|cuda")
      ->check(one_of("reference|cuda"));
  add_text(app, "--shard", options.shard, "Only every N-th program, from the I-th on; I is 0 to N - 1", "I/N");
  add_text(app, "--max-differences", options.max_differences, "Stop after K differences, default 10", "K");
  app.add_flag("--merge", options.merge, wrapped("Merge the --json answers of all shards: FILEs"));
  add_text(app, "-o,--output", options.output,
           "Where the first difference's program goes, default fuzz-SEED.warp, - for standard output", "FILE");
}

void add_window(CLI::App& app, Options& options, bool has_form) {
  add_text(app, "--from", options.from, "Only the events from cycle N on; of a GPU's trace, from the N-th event on",
           "N");
  add_text(app, has_form ? "--until" : "--to,--until", options.to, "Only the events up to cycle N", "N");
  add_text(app, "--block-index", options.block_index, "Only the N-th block, from 0", "N");
  add_text(app, "--warp", options.warp, "Only the N-th warp of each block, from 0", "N");
  add_text(app, "--max-events", options.max_events, "Only the first N of these events", "N");
}

void add_report(CLI::App& app, Options& options) {
  add_text(app, "--schedules", options.schedules,
           "Also run each case under N other schedules, half of them with independent lanes; default 4", "N");
  app.add_flag("--advice", options.advice, wrapped("Also report what costs time: bank conflicts, idle lanes ..."));
  add_text(app, "--suppress", options.suppress, "Leave out the findings that FILE lists: CODE PROGRAM # reason",
           "FILE");
  add_text(app, "--sarif", options.sarif, "Also write the findings as SARIF 2.1.0", "FILE");
}

// What runs, and on which machine.
void add_run_options(CLI::App& app, const Verb& verb, Options& options) {
  const auto takes = [&verb](OptionSet set) { return (verb.options & set) != 0; };
  if (takes(kTakesKernel))
    add_text(app, "--kernel", options.kernel, "Of a file with several kernels, the one of this name", "KERNEL");
  if (takes(kTakesLaunch)) add_launch(app, options, takes(kRunsAllCases));
  if (takes(kTakesCase)) add_text(app, "--case", options.case_name, "Only the case of this name", "CASE");
  if (takes(kTakesLanes)) add_text(app, "--lanes", options.lanes, "Lanes a warp: 1, 2, 4, 8, 16, 32 or 64", "N");
  if (takes(kTakesLaneList))
    add_text(app, "--lanes", options.lanes, "Only these lane counts, of 1, 2, 4, 8, 16, 32 and 64", "N[,N...]");
  if (takes(kTakesMachine)) add_machine(app, options);
  if (takes(kTakesProfile)) add_profile(app, options, takes(kTakesAllProfiles));
  if (takes(kTakesExpand))
    app.add_flag("--expand", options.expand, wrapped("Replace broadcast, reduce and scan by equivalent shuffles"));
  if (takes(kTakesBackend))
    app.add_option("--backend", options.backend,
                   wrapped("Where it runs: simulator (default), or cuda, the GPU of this machine"))
        ->type_name("simulator|cuda")
        ->check(one_of("simulator|cuda"));
  if (takes(kTakesBackend | kTakesGpuTime))
    add_text(app, "--gpu-seconds", options.gpu_seconds, "Stop if the GPU needs more than N seconds, default 60", "N");
  if (takes(kTakesCapture)) {
    add_text(app, "--record", options.record, "Also write what the GPU did to DIR", "DIR");
    add_text(app, "--against", options.against, "Compare with what a GPU did, from DIR; needs no GPU", "DIR");
  }
  if (takes(kTakesCycles)) {
    app.add_flag("--cycles", options.cycles, wrapped("Compare cycles with a GPU's clocks"));
    app.add_flag("--markdown", options.markdown,
                 wrapped("With --cycles: as Markdown tables, with the cycles of the worst kernels"));
  }
  if (takes(kTakesBase)) {
    add_text(app, "--from", options.from, "Take the cycles from FILE, as `crosscheck --cycles --record` wrote it",
             "FILE");
    add_text(app, "--base", options.profile, "The profile to start from, a name or a file, default h200", "PROFILE");
  }
}

// What is written, and how.
void add_output_options(CLI::App& app, const Verb& verb, Options& options) {
  const auto takes = [&verb](OptionSet set) { return (verb.options & set) != 0; };
  if (takes(kTakesOutput)) add_text(app, "-o,--output", options.output, "Write to FILE, - for standard output", "FILE");
  if (takes(kTakesFormat))
    app.add_option("--format", options.format,
                   wrapped("The trace's form, default by the end of -o FILE (.json, .ndjson, .txt), else json"))
        ->type_name("json|ndjson|text")
        ->check(one_of("json|ndjson|text"));
  if (takes(kTakesForm))
    app.add_option("--to", options.to_form, wrapped("What to make of it"))
        ->type_name(export_form_choices())
        ->check(one_of(export_form_choices()))
        ->required();
  if (takes(kTakesWindow)) add_window(app, options, takes(kTakesForm));
  if (takes(kTakesCompress))
    app.add_option("--compress", options.compress, wrapped("Compress, default by the end of -o FILE (.gz, .zst)"))
        ->type_name("gzip|zstd|none")
        ->check(one_of("gzip|zstd|none"));
  if (takes(kTakesAscii)) app.add_flag("--ascii", options.ascii, "No character outside ASCII in text: OK, <->, ->");
  if (takes(kTakesLanguage)) {
    app.add_option("--lang", options.language, wrapped("The language of diagrams, verdicts and pages, default English"))
        ->type_name("en|ko")
        ->check(one_of("en|ko"));
    add_text(app, "--catalogue", options.catalogue,
             "With --lang ko: your own program's texts in Korean, {\"English\": \"Korean\", ...}", "FILE");
  }
}

// What is looked for, and how it is reported.
void add_report_options(CLI::App& app, const Verb& verb, Options& options) {
  const auto takes = [&verb](OptionSet set) { return (verb.options & set) != 0; };
  if (takes(kTakesCommands))
    add_list(app, "--cmd", options.commands,
             "Run these commands, separated by `;`, and quit: \"break 9; continue; print %x\"", "COMMANDS");
  if (takes(kTakesCheck))
    app.add_option("--check", options.check,
                   wrapped("Look for undefined values, races, barriers: findings fail (on, the default), are only "
                           "reported (warn), or are not looked for (off)"))
        ->type_name("on|warn|off")
        ->check(one_of("on|warn|off"));
  if (takes(kTakesReport)) add_report(app, options);
  if (takes(kTakesCheck | kTakesReport))
    add_text(app, "--error-exitcode", options.error_exitcode, "The exit code if there are findings, default 1 or 4",
             "N");
  if (takes(kTakesMarkdown)) app.add_flag("--markdown", options.markdown, "As the text of isa/README.md");
  if (takes(kTakesCounts)) app.add_flag("--counts", options.counts, "Also print what the run did, in numbers");
  if (takes(kTakesJunit)) add_text(app, "--junit", options.junit, "Also write the results as JUnit XML", "FILE");
  if (takes(kTakesPage))
    app.add_flag("--markdown", options.markdown,
                 wrapped("As the text of programs/README.md: all cases are run at 1 to 64 lanes"));
  if (takes(kTakesFuzz)) add_fuzz(app, options);
  if (takes(kTakesNames)) app.add_flag("--names", options.names_only, "Only the names, one a line");
}

void add_options(CLI::App& app, const Verb& verb, Options& options) {
  add_run_options(app, verb, options);
  add_output_options(app, verb, options);
  add_report_options(app, verb, options);
}

void add_common(CLI::App& app, Options& options) {
  add_text(app, "--programs", options.programs_dir, "Take the programs from DIR/GROUP/NAME.warp", "DIR");
  app.add_option("--color", options.color, wrapped("Colour messages, default auto; NO_COLOR turns it off"))
      ->type_name("auto|always|never")
      ->check(one_of("auto|always|never"));
  app.add_flag("--json", options.json, "Answer with one JSON document on standard output");
}

// Where --profile may have no value, the word after it may be a NAME instead of a profile.
void settle_profile(const CLI::App& verb, const std::vector<std::string>& words, Options& options) {
  const CLI::Option* profile = verb.get_option_no_throw("--profile");
  if (profile == nullptr || profile->count() == 0 || profile->get_items_expected_min() > 0) return;
  const std::string word = options.profile;
  if (word == kAllProfiles || is_profile_word(word) || !nearest(word, profile_names()).empty()) return;
  options.profile = kAllProfiles;
  if (word.empty()) return;
  options.behind_profile = word;
  const bool comes_last = !options.names.empty() && std::find(words.begin(), words.end(), options.names.front()) <
                                                        std::find(words.begin(), words.end(), "--profile");
  options.names.insert(comes_last ? options.names.end() : options.names.begin(), word);
}

}  // namespace

struct CommandLine::Impl {
  CLI::App app{kAbout, "warpsim"};
  Options options;
  std::map<std::string, std::vector<Puzzle>, std::less<>> puzzles;  // by verb
  std::map<std::string, std::map<std::string, bool>> chosen;        // by verb and flag

  void add_verb(const Verb& verb) {
    CLI::App* sub = app.add_subcommand(std::string(verb.name), wrapped(verb.summary))->group("Verbs");
    if (!verb.operand.empty()) {
      CLI::Option* operand = sub->add_option(std::string(verb.operand), options.names, wrapped(verb.operand_text))
                                 ->type_name(std::string(verb.choices));
      if (!verb.choices.empty()) operand->check(one_of(std::string(verb.choices)));
      if (verb.max_operands == 1) operand->expected(1)->allow_extra_args(false);
      if (verb.min_operands > 0) operand->required();
      if (verb.min_operands > 1) operand->expected(verb.min_operands, verb.max_operands);
    }
    add_options(*sub, verb, options);
    add_common(*sub, options);
    sub->footer(footer_of(verb));
  }

  void add_puzzles(const std::string& verb, const std::vector<Puzzle>& list) {
    CLI::App* sub =
        app.add_subcommand(verb, "Run a program of Mojo GPU Puzzle " + verb.substr(1) + " by its flag")->group("Verbs");
    for (const Puzzle& puzzle : list)
      sub->add_flag(puzzle.flag, chosen[verb][puzzle.flag], puzzle.title)->group("The puzzles, exactly one of");
    const Verb& run =
        *std::find_if(all_verbs().begin(), all_verbs().end(), [](const Verb& v) { return v.name == "run"; });
    add_options(*sub, run, options);
    add_common(*sub, options);
    sub->footer(footer_of(run));
  }

  // The error for words that the parser did not expect, in the user's terms.
  Parsed unexpected(const std::vector<std::string>& words) const {
    const std::vector<std::string> left = app.remaining(true);
    const std::string word = left.empty() ? "" : left.front();
    const std::vector<CLI::App*> chosen_verbs = app.get_subcommands();
    std::vector<std::string> candidates;
    if (chosen_verbs.empty() && (word.empty() || word[0] != '-')) {
      for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        candidates.push_back(sub->get_name());
      return {Parsed::Kind::Wrong, "there is no verb `" + word + "`",
              suggestion(word, candidates, "`warpsim help` lists the verbs")};
    }
    if (!word.empty() && word[0] == '-' && word == words.front())
      return {Parsed::Kind::Wrong, "`" + word + "` is before the verb",
              "options follow it: `warpsim VERB " + word + "`"};
    const CLI::App& sub = chosen_verbs.empty() ? app : *chosen_verbs.front();
    if (word.empty() || word[0] != '-') return too_many(word, sub.get_name());
    const std::string help =
        "`warpsim help" + (chosen_verbs.empty() ? "" : " " + sub.get_name()) + "` lists the options";
    const std::string name = word.substr(0, word.find('='));
    for (const CLI::Option* option : sub.get_options())
      for (const std::string& spelling : CLI::detail::split(option->get_name(false, true), ','))
        if (spelling.compare(0, 1, "-") == 0) candidates.push_back(spelling);
    return {Parsed::Kind::Wrong,
            (chosen_verbs.empty() ? "there is no option `" : "`" + sub.get_name() + "` has no option `") + name + "`",
            suggestion(name, candidates, help)};
  }

  static std::string suggestion(const std::string& word, const std::vector<std::string>& candidates,
                                const std::string& otherwise) {
    const std::string near = nearest(word, candidates);
    return near.empty() ? otherwise : "did you mean `" + near + "`?";
  }

  const CLI::App* find(std::string_view verb) const {
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
      if (sub->get_name() == verb) return sub;
    return nullptr;
  }

  // The program of a puzzle's flag, in place of a NAME.
  Parsed choose_puzzle(Options& chosen_options) {
    std::string flags;
    for (const Puzzle& puzzle : puzzles[chosen_options.verb]) {
      flags += (flags.empty() ? "" : ", ") + puzzle.flag;
      if (chosen[chosen_options.verb][puzzle.flag]) chosen_options.names.push_back(puzzle.entry->full_name());
    }
    const std::string verb = std::exchange(chosen_options.verb, "run");
    if (chosen_options.names.size() == 1) return {};
    return {Parsed::Kind::Wrong, "`" + verb + "` wants exactly one puzzle", "one of " + flags};
  }
};

CommandLine::CommandLine(const Catalogue& catalogue) : impl_(std::make_unique<Impl>()) {
  CLI::App& app = impl_->app;
  app.set_version_flag("--version", std::string("warpsim ") + kVersion, "Print the version and stop");
  app.set_help_flag("-h,--help", "Print this help and stop");
  app.footer(kExitCodes);
  app.require_subcommand(1);
  app.get_formatter()->column_width(kHelpColumn);
  app.get_formatter()->label("REQUIRED", "");
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  for (const Verb& verb : all_verbs()) impl_->add_verb(verb);
  for (Puzzle& puzzle : catalogue.puzzles()) impl_->puzzles[puzzle.verb].push_back(puzzle);
  for (const auto& [verb, list] : impl_->puzzles)
    if (impl_->find(verb) == nullptr) impl_->add_puzzles(verb, list);
}

CommandLine::~CommandLine() = default;

Parsed CommandLine::parse(const std::vector<std::string>& words, Options& options) {
  CLI::App& app = impl_->app;
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 expects them in reverse order
  } catch (const CLI::CallForHelp&) {
    return {Parsed::Kind::Print, app.help(), ""};
  } catch (const CLI::CallForVersion& version) {
    return {Parsed::Kind::Print, std::string(version.what()) + "\n", ""};
  } catch (const CLI::ExtrasError&) {
    return impl_->unexpected(words);
  } catch (const CLI::ParseError& error) {
    if (!app.remaining(true).empty()) return impl_->unexpected(words);
    if (app.get_subcommands().empty())
      return {Parsed::Kind::Wrong, "a verb is missing", "`warpsim help` lists the verbs"};
    std::string message = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
      const auto says = [&](std::string_view part) { return message.find(part) != std::string::npos; };
      message = message.substr(0, message.find(':')) + (says("At Most")      ? " is given more than once"
                                                        : says("2 required") ? " wants two values"
                                                                             : " wants a value");
    }
    return {Parsed::Kind::Wrong, message, "`warpsim help " + app.get_subcommands().front()->get_name() + "` says more"};
  }
  options = impl_->options;
  const CLI::App& chosen = *app.get_subcommands().front();
  options.verb = chosen.get_name();
  settle_profile(chosen, words, options);
  for (const Verb& verb : all_verbs()) {
    const std::size_t most = verb.max_operands < 0 ? options.names.size() : static_cast<std::size_t>(verb.max_operands);
    if (verb.name == options.verb && options.names.size() > most) return too_many(options.names[most], options.verb);
  }
  return impl_->puzzles.count(options.verb) != 0 ? impl_->choose_puzzle(options) : Parsed{};
}

std::string CommandLine::help(std::string_view verb) const {
  // Not App::help(), which explains the verb that was parsed.
  if (verb.empty()) return impl_->app.get_formatter()->make_help(&impl_->app, "warpsim", CLI::AppFormatMode::Normal);
  const CLI::App* sub = impl_->find(verb);
  return sub == nullptr ? "" : sub->help("warpsim");
}

std::vector<VerbInfo> CommandLine::describe() const {
  std::vector<VerbInfo> verbs;
  for (const CLI::App* sub : impl_->app.get_subcommands([](const CLI::App*) { return true; })) {
    VerbInfo verb{sub->get_name(), one_line(sub->get_description()), "", {}, {}};
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_positional()) {
        verb.operand = option->get_name(true);
        verb.operand_choices = choices_of(option->get_type_name());
      } else {
        verb.options.push_back({CLI::detail::split(option->get_name(false, true), ','),
                                one_line(option->get_description()), option->get_items_expected_max() > 0,
                                choices_of(option->get_type_name()), profiles_for(*option)});
      }
    }
    verbs.push_back(std::move(verb));
  }
  return verbs;
}

std::string programs_folder(const std::vector<std::string>& words) {
  constexpr std::string_view kFlag = "--programs";
  for (std::size_t k = 0; k < words.size() && words[k] != "--"; ++k) {
    if (words[k] == kFlag && k + 1 < words.size()) return words[k + 1];
    if (words[k].size() > kFlag.size() && words[k].compare(0, kFlag.size(), kFlag) == 0 &&
        words[k][kFlag.size()] == '=')
      return words[k].substr(kFlag.size() + 1);
  }
  return "";
}

}  // namespace warpsim::tools
