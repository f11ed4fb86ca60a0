// The verbs, one row each; see verbs.h.
#include "tools/verbs.h"

namespace warpsim::tools {

namespace {

constexpr std::string_view kRunMore =
    "What a run prints is the documents' own: WARP_SIZE, SIZE, output, expected and the verdict.\n\n"
    "Replacing a part of a case can make what it expects untrue; that is then dropped, and the run neither passes nor fails:\n"
    "  --input keeps what is computed from every buffer replaced; lists and constants go.\n"
    "  --param, --grid, --block, and --lanes at a lane count that the case is not tested at, keep rules; lists go.\n\n"
    "--input reads @file.json as an array of numbers, or an object of such arrays by buffer name; - takes standard input.\n\n"
    "Exit code 0: as expected; 1: not; 4: the program trapped. `warpsim help` lists the others.";

constexpr std::string_view kTraceMore =
    "FILE may also be a trace (.json, .ndjson), which is then read and written in the form wanted.\n"
    "The trace of a run that traps is whole up to the trap, and says so; the exit code is then 4.";

constexpr std::string_view kTestMore =
    "Each NAME is a program, a group (`p26`), a file, or a folder of files; all programs unless said. Each case runs at its\n"
    "own lane count, or at 4, 8, 16, 32 and 64.\n\n"
    "Exit code 0: all as expected; 1: some not; 3: a program or a case has an error; 4: a run trapped.";

constexpr OptionSet kRunOptions = kTakesLaunch | kTakesExpand | kTakesAscii;

constexpr Verb kVerbs[] = {
    {"list", "List the programs", "", "", 0, 0, kTakesNames, "", run_list},
    {"show", "Show a program: what it is, its document, its cases, its text", "NAME", "", 1, 1, 0, "", run_show},
    {"run", "Run a case of a program and print what comes out", "NAME", "", 1, 1, kRunOptions, kRunMore, run_run},
    {"trace", "Run a case and write what happened: JSON, NDJSON, or the step-by-step diagram", "NAME", "", 1, 1,
     kRunOptions | kTakesOutput | kTakesFormat, kTraceMore, run_trace},
    {"test", "Run all cases at all lane counts", "NAME", "", 0, -1,
     kTakesLanes | kTakesCase | kTakesExpand | kTakesJunit, kTestMore, run_test},
    {"asm", "Assemble a program and list its instructions", "NAME", "", 1, 1, kTakesExpand | kTakesLanes | kTakesOutput, "", run_asm},
    {"disasm", "Print a program's canonical text, which assembles to the same program", "NAME", "", 1, 1,
     kTakesExpand | kTakesLanes | kTakesOutput, "", run_disasm},
    {"isa", "The instruction reference: Mojo, CUDA, PTX and warpsim side by side", "MNEMONIC", "", 0, -1,
     kTakesMarkdown | kTakesOutput, "", run_isa},
    {"help", "Explain a verb", "VERB", "", 0, 1, 0, "", run_help},
    {"completions", "Print a completion script for a shell", "SHELL", "bash,zsh,fish", 1, 1, 0,
     "bash: source <(warpsim completions bash)\nzsh:  warpsim completions zsh > a folder of $fpath, as _warpsim\n"
     "fish: warpsim completions fish | source",
     run_completions},
};

}  // namespace

std::span<const Verb> all_verbs() { return kVerbs; }

}  // namespace warpsim::tools
