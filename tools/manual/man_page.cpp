// The manual page as roff; see man_page.h.
#include "tools/manual/man_page.h"

#include <algorithm>
#include <string_view>

#include "tools/support/version.h"

namespace warpsim::tools {

namespace {

// `text` as roff prints it. A dot or a quote at the beginning of a line would be a request.
std::string roff_text(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    begins_line = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff_text(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff_text(text) + "\\fR"; }

std::string option_text(const OptionInfo& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) names += " " + italic(option.value);
  return ".TP\n" + names + "\n" + roff_text(option.description) + "\n";
}

bool has_option(const VerbInfo& verb, const OptionInfo& option) {
  return std::any_of(verb.options.begin(), verb.options.end(), [&option](const OptionInfo& one) {
    return one.names == option.names && one.description == option.description;
  });
}

bool all_have(const std::vector<VerbInfo>& verbs, const OptionInfo& option) {
  return std::all_of(verbs.begin(), verbs.end(), [&option](const VerbInfo& verb) { return has_option(verb, option); });
}

std::string verb_text(const VerbInfo& verb, const std::vector<VerbInfo>& verbs) {
  std::string text = ".SS " + bold("warpsim " + verb.name) + " [OPTIONS]" +
                     (verb.operand.empty() ? "" : " " + italic(verb.operand)) + "\n" + roff_text(verb.description) +
                     ".\n";
  if (!verb.operand_text.empty()) text += ".TP\n" + italic(verb.operand) + "\n" + roff_text(verb.operand_text) + "\n";
  for (const OptionInfo& option : verb.options)
    if (!all_have(verbs, option)) text += option_text(option);
  if (!verb.more.empty()) text += ".PP\n.nf\n" + roff_text(verb.more) + "\n.fi\n";
  return text;
}

std::string section(std::string_view title, const std::string& text) {
  return ".SH " + std::string(title) + "\n" + text;
}

}  // namespace

std::string manual_page(const ManualText& about, const std::vector<VerbInfo>& verbs) {
  std::string text = ".\\\" Written by `warpsim help --man`.\n.TH WARPSIM 1 \"\" \"warpsim " + std::string(kVersion) +
                     "\" \"User Commands\"\n";
  text += section("NAME", "warpsim \\- a microscope for GPU warps\n");
  text += section("SYNOPSIS", bold("warpsim") + " " + italic("VERB") + " [OPTIONS] ...\n");
  text += section("DESCRIPTION", roff_text(about.about) + "\n.PP\n" + roff_text(about.names) + "\n");
  std::string each, common;
  for (const VerbInfo& verb : verbs) each += verb_text(verb, verbs);
  if (!verbs.empty())
    for (const OptionInfo& option : verbs.front().options)
      if (all_have(verbs, option)) common += option_text(option);
  text += section("VERBS", each) + section("OPTIONS OF ALL VERBS", common);
  return text + section("EXIT STATUS", roff_text(about.exit_codes) + "\n");
}

}  // namespace warpsim::tools
