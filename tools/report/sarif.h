// What `warpsim check` found, as SARIF: the form that code hosts and editors show findings from.
//
// Shapes: one run with one tool. Every code is a rule; a result is a finding, with a flow of its steps through the
//         warps, the places of the lanes as related locations, and a fingerprint that moved lines do not change. No
//         times and no absolute paths: the same report gives the same bytes.
// Units:  lines and columns from 1; columns count UTF-16 units, as editors do.
// Errors: none: bytes that are no UTF-8 become U+FFFD. A run that could not be run is a notification.
// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", 28 August 2023.
#pragma once

#include <string>
#include <string_view>

#include "tools/report/check_report.h"

namespace warpsim::tools {

// Files below `folder`, an absolute path, are named from there; other files with an absolute path by their name alone.
std::string sarif(const CheckReport& report, std::string_view folder = "");

}  // namespace warpsim::tools
