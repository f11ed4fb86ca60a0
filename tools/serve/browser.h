// A browser that shows a file or an address: $BROWSER, or what this system opens pages with.
//
// Errors: open_in_browser() is false if none started.
// Source: xdg-open(1); wslview(1) of wslu; $BROWSER is a list of commands with colons between them, %s the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsim::tools {

struct BrowserSystem {
  std::string variable;  // $BROWSER, "" if there is none
  bool is_mac = false;
  bool is_wsl = false;  // Windows Subsystem for Linux
};
BrowserSystem this_system();

// The commands to try, in order; `target` is an absolute path or an address.
std::vector<std::vector<std::string>> browser_commands(const BrowserSystem& system, const std::string& target);

// True if one of them runs after a moment, or ended well.
bool open_in_browser(const std::string& target);

}  // namespace warpsim::tools
