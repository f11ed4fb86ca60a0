// Which options a verb takes beside --programs, --color and --json: a bit a group of options.
//
// Shapes: a verb's set is the union of groups, kTakesLaunch | kTakesOutput; command_line.cpp adds the options of each.
// Errors: none.
#pragma once

#include <cstdint>

namespace warpsim::tools {

using OptionSet = std::uint64_t;
// --case --lanes --grid --block --input --param --max-cycles --shared --resident-blocks
inline constexpr OptionSet kTakesLaunch = OptionSet{1} << 0;
inline constexpr OptionSet kTakesExpand = OptionSet{1} << 1;     // --expand
inline constexpr OptionSet kTakesLanes = OptionSet{1} << 2;      // --lanes alone
inline constexpr OptionSet kTakesOutput = OptionSet{1} << 3;     // -o
inline constexpr OptionSet kTakesFormat = OptionSet{1} << 4;     // --format, a trace's
inline constexpr OptionSet kTakesAscii = OptionSet{1} << 5;      // --ascii
inline constexpr OptionSet kTakesMarkdown = OptionSet{1} << 6;   // --markdown
inline constexpr OptionSet kTakesJunit = OptionSet{1} << 7;      // --junit
inline constexpr OptionSet kTakesNames = OptionSet{1} << 8;      // --names and --bugs
inline constexpr OptionSet kTakesCase = OptionSet{1} << 9;       // --case alone
inline constexpr OptionSet kTakesLaneList = OptionSet{1} << 10;  // --lanes, several
inline constexpr OptionSet kTakesPage = OptionSet{1} << 11;      // --markdown, the page of the programs
inline constexpr OptionSet kTakesCounts = OptionSet{1} << 12;    // --counts
// --seed --count --backend --shard --max-differences --merge -o
inline constexpr OptionSet kTakesFuzz = OptionSet{1} << 13;
inline constexpr OptionSet kTakesBackend = OptionSet{1} << 14;   // --backend and --gpu-seconds
inline constexpr OptionSet kTakesGpuTime = OptionSet{1} << 15;   // --gpu-seconds alone
inline constexpr OptionSet kTakesCapture = OptionSet{1} << 16;   // --record and --against
inline constexpr OptionSet kTakesLanguage = OptionSet{1} << 17;  // --lang and --catalogue
inline constexpr OptionSet kTakesCommands = OptionSet{1} << 18;  // --cmd
inline constexpr OptionSet kTakesMachine = OptionSet{1} << 19;   // --reconvergence and --schedule
inline constexpr OptionSet kTakesWindow = OptionSet{1} << 20;    // --from --to --block-index --warp --max-events
inline constexpr OptionSet kTakesCompress = OptionSet{1} << 21;  // --compress
inline constexpr OptionSet kTakesForm = OptionSet{1} << 22;      // --to, an export's form
inline constexpr OptionSet kTakesCheck = OptionSet{1} << 23;     // --check, --error-on and --error-exitcode
// --schedules --advice --suppress --sarif --error-on --error-exitcode
inline constexpr OptionSet kTakesReport = OptionSet{1} << 24;
inline constexpr OptionSet kTakesProfile = OptionSet{1} << 25;  // --profile, --scheduler, --sms
inline constexpr OptionSet kTakesBounds = OptionSet{1} << 26;   // … and reports both bounds of a profile that has two
inline constexpr OptionSet kTakesCycles = OptionSet{1} << 27;   // --cycles and its --markdown
inline constexpr OptionSet kTakesBase = OptionSet{1} << 28;     // --from, a capture of cycles, and --base
inline constexpr OptionSet kRunsAllCases = OptionSet{1} << 29;  // … of kTakesLaunch without --case
inline constexpr OptionSet kTakesAllProfiles = OptionSet{1} << 30;  // --profile may have no value: all of them

inline constexpr OptionSet kTakesKernel = OptionSet{1} << 31;    // --kernel, --link, and what kTakesCompiler takes
inline constexpr OptionSet kTakesMan = OptionSet{1} << 32;       // --man
inline constexpr OptionSet kTakesPixels = OptionSet{1} << 33;    // --scale --theme --delay, of pictures in pixels
inline constexpr OptionSet kTakesServe = OptionSet{1} << 34;     // --open --serve --port, of a page
inline constexpr OptionSet kTakesArrays = OptionSet{1} << 35;    // --output NAME=@FILE.npy
inline constexpr OptionSet kTakesCompiler = OptionSet{1} << 36;  // --arch -I -D --rdc -G, of CUDA C++
inline constexpr OptionSet kTakesLinks = OptionSet{1} << 37;     // --link alone
// --only --launches --trace -o --log --streams --leak-check --suppress --sarif, and what kTakesEngine takes; what
// stands behind the operand is the program's
inline constexpr OptionSet kTakesProgram = OptionSet{1} << 38;
inline constexpr OptionSet kTakesEngine = OptionSet{1} << 39;  // --engine --threads --engine-log
inline constexpr OptionSet kTakesSite = OptionSet{1} << 40;    // --open --serve --port, of the site
inline constexpr OptionSet kTakesTask = OptionSet{1} << 41;    // --seed and --hint
inline constexpr OptionSet kTakesRecord = OptionSet{1} << 42;  // --record alone
inline constexpr OptionSet kTakesTiming = OptionSet{1} << 43;  // --timing

}  // namespace warpsim::tools
