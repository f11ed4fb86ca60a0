// Completion scripts for the shells; see completions.h.
#include "tools/manual/completions.h"

#include <algorithm>

namespace warpsim::tools {

namespace {

std::string joined_by(const std::vector<std::string>& words, const std::string& between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string names_of(const std::vector<VerbInfo>& verbs) {
  std::vector<std::string> names;
  for (const VerbInfo& verb : verbs) names.push_back(verb.name);
  return joined_by(names);
}

bool takes_program(const VerbInfo& verb) { return verb.operand == "NAME"; }
bool takes_group(const VerbInfo& verb) { return verb.operand == "GROUP"; }
constexpr const char* kListGroups = "warpsim list --names 2>/dev/null | cut -d/ -f1 | uniq";
bool takes_verb(const VerbInfo& verb) { return verb.operand == "VERB"; }

// `text` with a backslash before each of `special`.
std::string with_backslashes(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

// Inside single quotes of bash and zsh.
std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string bash_completions(const std::vector<VerbInfo>& verbs) {
  std::string text =
      "# bash completion for warpsim: source <(warpsim completions bash)\n"
      "_warpsim() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words=\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    words=\"" +
      names_of(verbs) +
      " --help --version\"\n"
      "  else\n"
      "    case \"$verb $previous\" in\n";
  for (const VerbInfo& verb : verbs)
    for (const OptionInfo& option : verb.options) {
      if (!option.takes_value) continue;
      const std::string words = option.choices.empty() ? joined_by(option.names_known) : joined_by(option.choices);
      const std::string from =
          std::string(option.choices.empty() ? "-f" : "") + (words.empty() ? "" : " -W \"" + words + "\"");
      for (const std::string& name : option.names)
        text += "      \"" + verb.name + " " + name + "\") COMPREPLY=($(compgen " + from +
                " -- \"$current\")); return ;;\n";
    }
  text += "    esac\n    case $verb in\n";
  for (const VerbInfo& verb : verbs) {
    std::vector<std::string> words = verb.operand_choices;
    for (const OptionInfo& option : verb.options) words.insert(words.end(), option.names.begin(), option.names.end());
    if (takes_program(verb)) words.push_back("$(warpsim list --names 2>/dev/null)");
    if (takes_group(verb)) words.push_back("$(" + std::string(kListGroups) + ")");
    if (takes_verb(verb)) words.push_back(names_of(verbs));
    text += "      " + verb.name + ") words=\"" + joined_by(words) + "\" ;;\n";
  }
  return text +
         "    esac\n"
         "  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _warpsim warpsim\n";
}

std::string zsh_completions(const std::vector<VerbInfo>& verbs) {
  std::string text =
      "#compdef warpsim\n"
      "# zsh completion for warpsim: put this into a folder of $fpath, as _warpsim\n"
      "_warpsim() {\n"
      "  local -a verbs programs\n"
      "  verbs=(\n";
  for (const VerbInfo& verb : verbs)
    text += "    " + in_quotes(verb.name + ":" + with_backslashes(verb.description, ":")) + "\n";
  text +=
      "  )\n"
      "  if ((CURRENT == 2)); then _describe verb verbs; return; fi\n"
      "  programs=(${(f)\"$(warpsim list --names 2>/dev/null)\"})\n"
      "  local verb=$words[2]\n"
      "  shift words; ((CURRENT--))\n"
      "  case $verb in\n";
  for (const VerbInfo& verb : verbs) {
    text += "    " + verb.name + ") _arguments";
    for (const OptionInfo& option : verb.options)
      for (const std::string& name : option.names) {
        std::string spec = name + "[" + with_backslashes(option.description, "[]:") + "]";
        if (option.takes_value && !option.names_known.empty())
          spec += ":value:{compadd " + with_backslashes(joined_by(option.names_known), ":") + "; _files}";
        else if (option.takes_value)
          spec += ":value:" + (option.choices.empty() ? "_files" : "(" + joined_by(option.choices) + ")");
        text += " \\\n      " + in_quotes("*" + spec);
      }
    if (takes_program(verb)) text += " \\\n      '*:program:{compadd -a programs; _files}'";
    if (takes_group(verb)) text += " \\\n      '*:group:{compadd $(" + std::string(kListGroups) + ")}'";
    if (takes_verb(verb)) text += " \\\n      " + in_quotes("*:verb:(" + names_of(verbs) + ")");
    if (!verb.operand_choices.empty())
      text += " \\\n      " + in_quotes("*:choice:(" + joined_by(verb.operand_choices) + ")");
    text += " ;;\n";
  }
  return text + "  esac\n}\n_warpsim \"$@\"\n";
}

std::string fish_completions(const std::vector<VerbInfo>& verbs) {
  const auto quoted = [](const std::string& text) { return "'" + with_backslashes(text, "'\\") + "'"; };
  std::string text = "# fish completion for warpsim: warpsim completions fish | source\n";
  for (const VerbInfo& verb : verbs)
    text +=
        "complete -c warpsim -f -n __fish_use_subcommand -a " + verb.name + " -d " + quoted(verb.description) + "\n";
  for (const VerbInfo& verb : verbs) {
    const std::string line = "complete -c warpsim -n '__fish_seen_subcommand_from " + verb.name + "'";
    for (const OptionInfo& option : verb.options) {
      text += line;
      for (const std::string& name : option.names)
        text += name.compare(0, 2, "--") == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) text += option.choices.empty() ? " -r" : " -x -a " + quoted(joined_by(option.choices));
      if (!option.names_known.empty()) text += " -a " + quoted(joined_by(option.names_known));
      text += " -d " + quoted(option.description) + "\n";
    }
    if (takes_program(verb)) text += line + " -a '(warpsim list --names 2>/dev/null)'\n";
    if (takes_group(verb)) text += line + " -f -a '(" + kListGroups + ")'\n";
    if (takes_verb(verb)) text += line + " -f -a " + quoted(names_of(verbs)) + "\n";
    if (!verb.operand_choices.empty()) text += line + " -f -a " + quoted(joined_by(verb.operand_choices)) + "\n";
  }
  return text;
}

}  // namespace warpsim::tools
