// A browser that shows a file or an address; see browser.h.
#include "tools/serve/browser.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <sstream>

#include "tools/support/child_process.h"

namespace warpsim::tools {
namespace {

constexpr int kPatienceMilliseconds = 2000;  // a command that finds no browser has said so by then

std::vector<std::string> words_of(const std::string& command, const std::string& target) {
  std::istringstream in(command);
  std::vector<std::string> words;
  bool has_target = false;
  for (std::string word; in >> word; words.push_back(word))
    if (const std::size_t at = word.find("%s"); at != std::string::npos) {
      word.replace(at, 2, target);
      has_target = true;
    }
  if (!has_target && !words.empty()) words.push_back(target);
  return words;
}

// Nothing that cmd.exe reads as more than a word.
bool is_plain_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/\\:._-$").find(c) != std::string_view::npos;
  });
}

}  // namespace

BrowserSystem this_system() {
  BrowserSystem system;
  if (const char* variable = std::getenv("BROWSER")) system.variable = variable;
#ifdef __APPLE__
  system.is_mac = true;
#endif
  system.is_wsl = std::getenv("WSL_DISTRO_NAME") != nullptr;
  return system;
}

std::vector<std::vector<std::string>> browser_commands(const BrowserSystem& system, const std::string& target) {
  std::vector<std::vector<std::string>> commands;
  std::istringstream variable(system.variable);
  for (std::string one; std::getline(variable, one, ':');)
    if (std::vector<std::string> words = words_of(one, target); !words.empty()) commands.push_back(std::move(words));
  if (system.is_mac) commands.push_back({"open", target});
  if (system.is_wsl) {
    commands.push_back({"wslview", target});
    if (target.starts_with("http") && is_plain_word(target)) commands.push_back({"cmd.exe", "/c", "start", target});
  }
  if (!system.is_mac) commands.push_back({"xdg-open", target});
  return commands;
}

bool open_in_browser(const std::string& target) {
  for (const std::vector<std::string>& command : browser_commands(this_system(), target))
    if (start_child(command, kPatienceMilliseconds)) return true;
  return false;
}

}  // namespace warpsim::tools
