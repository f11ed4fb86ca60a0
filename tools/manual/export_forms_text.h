// What the command line and the help say about the export forms, made from the table in traces/export/export.h.
//
// Units:  columns of a terminal.
// Errors: none.
#pragma once

#include <string>

namespace warpsim::tools {

std::string export_form_choices();  // "svg|html|md"
std::string export_forms_help();    // a line a form, then which of them draw, stream and have words in Korean
std::string korean_export_forms();  // "svg, html and dot"

}  // namespace warpsim::tools
