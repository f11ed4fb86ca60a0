// The verbs of the command: what each is called, which options it takes, and what it does.
//
// Shapes: all_verbs() is the one list; the parser, the help and the completions come from it.
// Errors: a verb reports through its Reply; the exit code is the Reply's.
#pragma once

#include <span>
#include <string_view>

#include "tools/command/command_line.h"
#include "tools/session/session.h"

namespace warpsim::tools {

struct Verb {
  std::string_view name;
  std::string_view summary;        // one line, no full stop
  std::string_view operand;        // "NAME", "" if it takes none
  std::string_view operand_text;   // what it is
  std::string_view choices;        // what the operand can be, where that is a list: "bash|zsh|fish"
  int min_operands, max_operands;  // -1: any number
  OptionSet options;
  std::string_view more;  // what --help says below the options; the export forms in the place of kFormsHere
  void (*run)(Session&);
};
inline constexpr std::string_view kFormsHere = "{forms}";
std::span<const Verb> all_verbs();

void run_list(Session&);
void run_show(Session&);
void run_kernels(Session&);
void run_run(Session&);
void run_trace(Session&);
void run_export(Session&);
void run_schema(Session&);
void run_validate(Session&);
void run_view(Session&);
void run_site(Session&);
void run_step(Session&);
void run_tui(Session&);
void run_stats(Session&);
void run_versus(Session&);
void run_test(Session&);
void run_check(Session&);
void run_explain(Session&);
void run_fuzz(Session&);
void run_compare(Session&);
void run_crosscheck(Session&);
void run_crosscheck_cycles(Session&);  // --cycles
void run_crosscheck_ptx(Session&);     // of files of PTX
void run_calibrate(Session&);
void run_ptx(Session&);
void run_asm(Session&);
void run_disasm(Session&);
void run_isa(Session&);
void run_help(Session&);
void run_completions(Session&);

}  // namespace warpsim::tools
