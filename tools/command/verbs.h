// The verbs of the command: what each is called, which options it takes, and what it does.
//
// Shapes: all_verbs() is the one list; the parser, the help and the completions come from it.
// Errors: a verb reports through its Reply; the exit code is the Reply's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "tools/command/command_line.h"
#include "tools/session/catalogue.h"
#include "tools/session/options.h"
#include "tools/session/reply.h"

namespace warpsim::tools {

struct ChosenProfile;

struct Session {
  const Options& options;
  const Catalogue& catalogue;
  const CommandLine& command_line;
  Reply& reply;
  std::shared_ptr<const ChosenProfile> profile = nullptr;  // what --profile came to, once it was asked for
};

// Which options a verb takes beside --programs, --color and --json.
using OptionSet = std::uint32_t;
inline constexpr OptionSet kTakesLaunch = 1;          // --case --lanes --grid --block --input --param --max-cycles
inline constexpr OptionSet kTakesExpand = 2;          // --expand
inline constexpr OptionSet kTakesLanes = 4;           // --lanes alone
inline constexpr OptionSet kTakesOutput = 8;          // -o
inline constexpr OptionSet kTakesFormat = 16;         // --format, a trace's
inline constexpr OptionSet kTakesAscii = 32;          // --ascii
inline constexpr OptionSet kTakesMarkdown = 64;       // --markdown
inline constexpr OptionSet kTakesJunit = 128;         // --junit
inline constexpr OptionSet kTakesNames = 256;         // --names
inline constexpr OptionSet kTakesCase = 512;          // --case alone
inline constexpr OptionSet kTakesLaneList = 1024;     // --lanes, several
inline constexpr OptionSet kTakesPage = 2048;         // --markdown, the page of the programs
inline constexpr OptionSet kTakesCounts = 4096;       // --counts
inline constexpr OptionSet kTakesFuzz = 8192;         // --seed --count --backend --shard --max-differences --merge -o
inline constexpr OptionSet kTakesBackend = 65536;     // --backend and --gpu-seconds
inline constexpr OptionSet kTakesGpuTime = 16384;     // --gpu-seconds alone
inline constexpr OptionSet kTakesCapture = 32768;     // --record and --against
inline constexpr OptionSet kTakesLanguage = 131072;   // --lang and --catalogue
inline constexpr OptionSet kTakesCommands = 1 << 18;  // --cmd
inline constexpr OptionSet kTakesMachine = 1 << 19;   // --reconvergence and --schedule
inline constexpr OptionSet kTakesWindow = 1 << 20;    // --from --to --block-index --warp --max-events
inline constexpr OptionSet kTakesCompress = 1 << 21;  // --compress
inline constexpr OptionSet kTakesForm = 1 << 22;      // --to, an export's form
inline constexpr OptionSet kTakesCheck = 1 << 23;     // --check and --error-exitcode
inline constexpr OptionSet kTakesReport = 1 << 24;    // --schedules --advice --suppress --sarif --error-exitcode
inline constexpr OptionSet kTakesProfile = 1 << 25;   // --profile and --scheduler
inline constexpr OptionSet kTakesBounds = 1 << 26;    // … and tells both bounds of a profile that has two
inline constexpr OptionSet kTakesCycles = 1 << 28;    // --cycles and its --markdown
inline constexpr OptionSet kTakesBase = 1 << 29;      // --from, a capture of cycles, and --base
inline constexpr OptionSet kRunsAllCases = 1 << 30;   // … of kTakesLaunch without --case
inline constexpr OptionSet kTakesAllProfiles = 1 << 27;  // --profile may stand alone: all of them

struct Verb {
  std::string_view name;
  std::string_view summary;        // one line, no full stop
  std::string_view operand;        // "NAME", "" if it takes none
  std::string_view operand_text;   // what it is
  std::string_view choices;        // what the operand can be, where that is a list: "bash|zsh|fish"
  int min_operands, max_operands;  // -1: any number
  OptionSet options;
  std::string_view more;  // what --help says below the options
  void (*run)(Session&);
};
std::span<const Verb> all_verbs();

void run_list(Session&);
void run_show(Session&);
void run_run(Session&);
void run_trace(Session&);
void run_export(Session&);
void run_schema(Session&);
void run_validate(Session&);
void run_view(Session&);
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
void run_calibrate(Session&);
void run_ptx(Session&);
void run_asm(Session&);
void run_disasm(Session&);
void run_isa(Session&);
void run_help(Session&);
void run_completions(Session&);

}  // namespace warpsim::tools
