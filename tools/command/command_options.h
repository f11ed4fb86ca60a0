// The options of a verb, and what CLI11 needs to know of them. It and command_line.cpp alone include CLI11.
//
// Shapes: a group of options for each bit of option_set.h.
// Errors: a value that is none of an option's choices is CLI11's to report.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command/verbs.h"
#include "tools/session/options.h"

namespace warpsim::tools {

inline constexpr std::size_t kHelpWidth = 80, kHelpColumn = 24;  // a help page's; descriptions begin at the column

// A description broken into lines that fit beside the names; one_line() undoes it.
std::string wrapped(std::string_view text);
std::string one_line(std::string text);

// "json|ndjson|text" names what an option can be, in its help, its check and its completion.
std::vector<std::string> choices_of(const std::string& type_name);
CLI::Validator one_of(const std::string& type_name);

// A verb's own options, and those of all verbs.
void add_options(CLI::App& app, const Verb& verb, Options& options);
void add_common(CLI::App& app, Options& options);

}  // namespace warpsim::tools
