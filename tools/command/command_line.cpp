// The command line, parsed with CLI11; see command_line.h.
#include "tools/command/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "isa/text/diagnostic.h"
#include "tools/command/command_options.h"
#include "tools/command/verbs.h"
#include "tools/manual/export_forms_text.h"
#include "tools/session/trace_source.h"
#include "tools/support/profiles.h"
#include "tools/support/version.h"
#include "traces/export/export.h"

namespace warpsim::tools {

namespace {

constexpr const char* kAbout =
    "warpsim: a microscope for GPU warps. Runs warp programs lane by lane and cycle\n"
    "by cycle, without a GPU.";

constexpr const char* kNames =
    "NAME is group/name, or a name alone where only one group has it. A path with a\n"
    "dot or a leading / is a file; - is standard input or output. What begins with {,\n"
    "or is packed, is a trace.";

constexpr const char* kExitCodes =
    "Exit codes: 0 all is well, or there are only warnings; 1 a finding, or an output\n"
    "that is not what the case expects; 2 the command line is wrong; 3 a file cannot\n"
    "be read, written or parsed; 4 the simulated program trapped; 5 not supported; 70\n"
    "a mistake in warpsim itself. With --error-on warning, warnings are 1 as well.";

constexpr const char* kExec = "exec";

// What other tools call an option, or what it does.
using OtherName = std::pair<std::string_view, std::string_view>;
constexpr std::array kOtherNames = {OtherName{"--width", "--lanes"},
                                    OtherName{"--warp-size", "--lanes"},
                                    OtherName{"--warpsize", "--lanes"},
                                    OtherName{"--threads", "--block"},
                                    OtherName{"--block-size", "--block"},
                                    OtherName{"--blocks", "--grid"},
                                    OtherName{"--grid-size", "--grid"},
                                    OtherName{"--size", "--param"},
                                    OtherName{"--set", "--param"},
                                    OtherName{"--language", "--lang"},
                                    OtherName{"--out", "--output"},
                                    OtherName{"--seed", "--schedule"},
                                    OtherName{"--gpu", "--backend"},
                                    OtherName{"--werror", "--error-on"},
                                    OtherName{"--strict", "--error-on"},
                                    OtherName{"--format", "--to"},
                                    OtherName{"--to", "--format"},
                                    OtherName{"--commands", "--cmd"},
                                    OtherName{"--translations", "--catalogue"}};

// The option of `known` that a wrong one means, "" if none is near.
std::string option_meant(const std::string& wrong, const std::vector<std::string>& known) {
  const auto is_known = [&known](std::string_view name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  for (const auto& [other, own] : kOtherNames)
    if (other == wrong && is_known(own)) return std::string(own);
  return nearest(wrong, known);
}

Parsed too_many(const std::string& word, const std::string& verb) {
  return {Parsed::Kind::Wrong, "`" + word + "` is one word too many for `" + verb + "`",
          "`warpsim help " + verb + "` lists the options"};
}

// What stands below the options; a verb that takes a form lists the forms.
std::string footer_of(const Verb& verb) {
  std::string text(verb.more);
  if (const std::size_t at = text.find(kFormsHere); at != std::string::npos)
    text.replace(at, kFormsHere.size(), export_forms_help());
  return text;
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

// Where --to says no form, the end of -o FILE may.
Parsed settle_form(Options& options) {
  if (!options.to_form.empty()) return {};
  if (const ExportForm* const form = export_form_of_file(without_compression(options.output))) {
    options.to_form = form->name;
    return {};
  }
  return {Parsed::Kind::Wrong, "`export` needs to know what to make: --to " + export_form_choices(),
          "or -o FILE that ends so: -o picture.svg"};
}

}  // namespace

struct CommandLine::Impl {
  CLI::App app{kAbout, "warpsim"};
  Options options;
  const Catalogue* catalogue = nullptr;
  std::map<std::string, std::vector<Puzzle>, std::less<>> puzzles;  // by verb
  std::map<std::string, std::map<std::string, bool>> chosen;        // by verb and flag

  // By verb: what gives it its options. Most calls are of one verb, and those of all take longer than a short run.
  std::map<std::string, std::function<void()>, std::less<>> unfilled;

  void fill(std::string_view verb) {
    const auto found = unfilled.find(verb);
    if (found == unfilled.end()) return;
    const std::function<void()> give_options = std::move(found->second);
    unfilled.erase(found);
    give_options();
  }
  void fill_all() {
    while (!unfilled.empty()) fill(std::string(unfilled.begin()->first));
  }

  void add_verb(const Verb& verb) {
    CLI::App* sub = app.add_subcommand(std::string(verb.name), wrapped(verb.summary))->group("Verbs");
    unfilled[std::string(verb.name)] = [this, sub, &verb] { fill_verb(*sub, verb); };
  }

  void fill_verb(CLI::App& sub, const Verb& verb) {
    if (!verb.operand.empty()) {
      CLI::Option* operand = sub.add_option(std::string(verb.operand), options.names, wrapped(verb.operand_text))
                                 ->type_name(std::string(verb.choices));
      if (!verb.choices.empty()) operand->check(one_of(std::string(verb.choices)));
      if (verb.max_operands == 1) operand->expected(1)->allow_extra_args(false);
      if (verb.min_operands > 0) operand->required();
      if (verb.min_operands > 1) operand->expected(verb.min_operands, verb.max_operands);
    }
    add_options(sub, verb, options);
    add_common(sub, options);
    sub.footer(footer_of(verb));
  }

  // The program of `exec` and what is behind it: the words from the first one on that is neither an option nor an
  // option's value. They are no options of ours.
  std::vector<std::string> take_program(std::vector<std::string>& words) {
    std::vector<std::string> program;
    if (words.empty() || words.front() != kExec) return program;
    const CLI::App* const sub = find(kExec);
    for (std::size_t k = 1; k < words.size(); ++k) {
      const std::string& word = words[k];
      const CLI::Option* const option = word.starts_with('-') ? sub->get_option_no_throw(word) : nullptr;
      if (option != nullptr && option->get_items_expected_max() > 0) ++k;
      if (word != "--" && word.starts_with('-')) continue;
      program.assign(words.begin() + static_cast<std::ptrdiff_t>(word == "--" ? k + 1 : k), words.end());
      words.resize(k);
    }
    return program;
  }

  void add_puzzles(const std::string& verb, const std::vector<Puzzle>& list) {
    CLI::App* sub =
        app.add_subcommand(verb, "Run a program of Mojo GPU Puzzle " + verb.substr(1) + " by its flag")->group("Verbs");
    unfilled[verb] = [this, sub, verb, &list] { fill_puzzles(*sub, verb, list); };
  }

  void fill_puzzles(CLI::App& sub, const std::string& verb, const std::vector<Puzzle>& list) {
    for (const Puzzle& puzzle : list)
      sub.add_flag(puzzle.flag, chosen[verb][puzzle.flag], puzzle.title)->group("The puzzles, exactly one of");
    const Verb& run =
        *std::find_if(all_verbs().begin(), all_verbs().end(), [](const Verb& v) { return v.name == "run"; });
    add_options(sub, run, options);
    add_common(sub, options);
    sub.footer(footer_of(run));
  }

  // A first word that is no verb, and no option. The parser would take a later one: `explian p26`.
  Parsed no_verb(const std::string& word) const {
    std::vector<std::string> verbs;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
      verbs.push_back(sub->get_name());
    const bool is_program =
        !word.empty() && (!catalogue->find(word).empty() || word.find_first_of("/.") != std::string::npos);
    return {Parsed::Kind::Wrong, "there is no verb `" + word + "`",
            is_program ? "`warpsim run " + word + "` runs a program"
                       : suggestion(nearest(word, verbs), "`warpsim help` lists the verbs")};
  }

  // The error for words that the parser did not expect, in the user's terms.
  Parsed unexpected(const std::vector<std::string>& words) const {
    const std::vector<std::string> left = app.remaining(true);
    const std::string word = left.empty() ? "" : left.front();
    const std::vector<CLI::App*> chosen_verbs = app.get_subcommands();
    std::vector<std::string> candidates;
    if (chosen_verbs.empty() && (word.empty() || word[0] != '-')) return no_verb(word);
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
            suggestion(option_meant(name, candidates), help)};
  }

  static std::string suggestion(const std::string& near, const std::string& otherwise) {
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
  impl_->catalogue = &catalogue;
  app.set_version_flag("--version", std::string("warpsim ") + kVersion, "Print the version and stop");
  app.set_help_flag("-h,--help", "Print this help and stop");
  app.footer(std::string(kNames) + "\n\n" + kExitCodes);
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
  if (!words.empty() && !words.front().starts_with('-') && impl_->find(words.front()) == nullptr)
    return impl_->no_verb(words.front());
  if (words.empty() || words.front().starts_with('-')) impl_->fill_all();
  else impl_->fill(words.front());
  std::vector<std::string> own = words;
  std::vector<std::string> program = impl_->take_program(own);
  if (!program.empty()) own.push_back(program.front());
  try {
    app.parse(std::vector<std::string>(own.rbegin(), own.rend()));  // CLI11 expects them in reverse order
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
  if (!program.empty()) options.names = std::move(program);
  const CLI::App& chosen = *app.get_subcommands().front();
  options.verb = chosen.get_name();
  settle_profile(chosen, words, options);
  for (const Verb& verb : all_verbs()) {
    const std::size_t most = verb.max_operands < 0 ? options.names.size() : static_cast<std::size_t>(verb.max_operands);
    if (verb.name != options.verb) continue;
    if (options.names.size() > most) return too_many(options.names[most], options.verb);
    if ((verb.options & kTakesForm) == 0) continue;
    if (Parsed formless = settle_form(options); formless.kind == Parsed::Kind::Wrong) return formless;
  }
  return impl_->puzzles.count(options.verb) != 0 ? impl_->choose_puzzle(options) : Parsed{};
}

std::string CommandLine::help(std::string_view verb) const {
  // Not App::help(), which explains the verb that was parsed.
  if (verb.empty()) return impl_->app.get_formatter()->make_help(&impl_->app, "warpsim", CLI::AppFormatMode::Normal);
  impl_->fill(verb);
  const CLI::App* sub = impl_->find(verb);
  return sub == nullptr ? "" : sub->help("warpsim");
}

std::vector<VerbInfo> CommandLine::describe() const {
  impl_->fill_all();
  std::vector<VerbInfo> verbs;
  for (const CLI::App* sub : impl_->app.get_subcommands([](const CLI::App*) { return true; })) {
    VerbInfo verb;
    verb.name = sub->get_name();
    verb.description = one_line(sub->get_description());
    verb.more = sub->get_footer();
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_positional()) {
        verb.operand = option->get_name(true);
        verb.operand_choices = choices_of(option->get_type_name());
        verb.operand_text = one_line(option->get_description());
      } else {
        const bool takes_value = option->get_items_expected_max() > 0;
        verb.options.push_back({CLI::detail::split(option->get_name(false, true), ','),
                                one_line(option->get_description()), takes_value ? option->get_type_name() : "",
                                takes_value, choices_of(option->get_type_name()), profiles_for(*option)});
      }
    }
    verbs.push_back(std::move(verb));
  }
  return verbs;
}

ManualText CommandLine::manual_text() const { return {one_line(kAbout), one_line(kNames), one_line(kExitCodes)}; }

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
