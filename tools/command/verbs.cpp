// The verbs, one row each; see verbs.h.
#include "tools/command/verbs.h"

namespace warpsim::tools {

namespace {

constexpr std::string_view kProgram = "A program: group/name, a name alone, a file, or -";

constexpr std::string_view kRunMore =
    "What a run prints is the documents' own: WARP_SIZE, SIZE, output, expected and\n"
    "the verdict.\n\n"
    "Replacing a part of a case can make what it expects untrue. That is then\n"
    "dropped, and the run neither passes nor fails:\n"
    "  --input and --param keep the rules that name everything that they replace;\n"
    "    other rules, constants and lists go.\n"
    "  --grid, --block, and --lanes where the case fixes other lane counts, keep\n"
    "    nothing.\n\n"
    "@file.json holds an array of numbers, or an object of such arrays by buffer\n"
    "name; - reads the same, or numbers apart by blanks and commas, from standard\n"
    "input.\n\n"
    "--counts, and --json in result.counts: an instruction of one warp is 1, however\n"
    "many of its lanes execute it; where lanes have parted, each group's is 1. By\n"
    "unit as in `warpsim isa`. Collectives are broadcast, reduce and scan in one\n"
    "step; --expand makes them shuffles. Bytes are those that lanes ask for, all\n"
    "lanes together. A branch is divergent when it parts lanes. Registers are those\n"
    "that the program names, a thread, in words of 32 bits, and its predicates.\n\n"
    "With --profile the run has that profile's time: traces/PROFILE.md says what is in\n"
    "one. `documents` has two bounds, and the cycles are told by both; its low bound\n"
    "alone is documents:low. What a program computes does not depend on the profile,\n"
    "unless it depends on the order in which warps go, or reads a clock: of two\n"
    "bounds the outputs are then the low one's. A GPU's profile was measured with\n"
    "its warps of 32 lanes.\n\n"
    "Exit code 0: as expected; 1: not; 4: the program trapped. `warpsim help` lists\n"
    "the others.";

constexpr std::string_view kTraceMore =
    "A NAME that ends in .json or .ndjson, also with .gz or .zst behind, is a trace,\n"
    "which is read and written in the form wanted. --from, --to, --block-index,\n"
    "--warp and --max-events cut out a part that is itself a trace. The trace of a\n"
    "run that traps is whole up to the trap, and says so; the exit code is then 4.";

constexpr std::string_view kExportMore =
    "NAME is a program, or a trace: .json or .ndjson, also with .gz or .zst behind.\n\n"
    "{forms}\n"
    "traces/FORMAT.md says what is in each.\n\n"
    "Exit code 1: findings, or outputs that are not what the case expects; 4: the run\n"
    "stopped at a trap. What there is of it is written all the same.";

constexpr std::string_view kValidateMore =
    "Says of each FILE that it is a trace, or every fault with its place, the first\n"
    "100 of them. NDJSON is read line by line.\n\n"
    "Exit code 0: all are; 1: one breaks the format; 3: one cannot be read, or is no\n"
    "JSON.";

constexpr std::string_view kViewMore =
    "The page is one file that opens from disk, without network: GROUP-NAME.html\n"
    "unless -o says otherwise. A NAME that ends in .json or .ndjson is a trace.\n\n"
    "Two traces of one program, a simulator's and a GPU's for one, stand side by side\n"
    "by instruction and occurrence; two programs by phase and the step in it, or by\n"
    "step number where one has no phases. A program beside a trace runs that trace's\n"
    "case on its launch and inputs; two programs run as the options say.\n\n"
    "A run that traps, or is not as expected, has a page as well; the exit code is\n"
    "then that of `warpsim run`.";

constexpr std::string_view kStepMore =
    "The case runs once and is recorded; then one moves in it, forwards and back:\n"
    "step, rstep, next, continue, rcontinue, goto CYCLE, break LINE [if COND], watch\n"
    "%r#4, print %r, lanes, masks, network, why %r#4, explain. `help` lists them all.\n"
    "gdb's words and any prefix that fits one command stand for them, Enter repeats,\n"
    "Tab completes where lines can be edited. A condition is an expression of\n"
    "traces/FORMAT.md over the lanes that come to the line; `%r#4` is lane 4's.\n"
    "Counts are gdb's: step 9 stops at a breakpoint on the way, continue 2 passes one\n"
    "over. Rows are as wide as the terminal, 80 columns on a pipe.\n\n"
    "A NAME that ends in .json or .ndjson is a trace. Commands come from --cmd, from\n"
    "the terminal, or from standard input, where # begins a remark. --json answers\n"
    "with one object a command, a line each, and the usual one at the end.\n\n"
    "Exit code 0; 2: a command of a script is wrong, which ends it; 4: a script came\n"
    "to the trap of a run that traps, wherever it went from there. What a case\n"
    "expects is not a stepper's matter.";

constexpr std::string_view kTuiMore =
    "What `warpsim step` does, in full screen: the program beside the lanes, a\n"
    "shuffle's arrows from what was sent to what was received, a sentence for every\n"
    "step. It wants 80 columns and 24 rows. ? lists the keys: n and p step forwards\n"
    "and back, [ and ] go by shuffles, c and C by breakpoints, w asks why; after :\n"
    "come the commands of `warpsim step`.\n\n"
    "A NAME that ends in .json or .ndjson is a trace.\n\n"
    "Exit code 0; 2: there is no terminal; 5: the terminal cannot do it, or warpsim\n"
    "was built without ncurses.";

constexpr std::string_view kStatsMore =
    "Each case, or the one that --case names: cycles, instructions by unit, how many\n"
    "lanes were active, what memory had to serve. With a --profile also how many\n"
    "instructions a cycle an SM and a sub-core issued, and what warps waited for, by\n"
    "the reason's name and then by place:\n\n"
    "  issue         their last instruction, which took more than one issue slot\n"
    "  branch        the way to the next: a jump, lanes that part or meet\n"
    "  dependency    an operand that is computed\n"
    "  memory        an operand that comes from memory\n"
    "  barrier       other warps\n"
    "  unit          a pipe that was taken; what two pipes can do takes turns, so an\n"
    "                addition may wait for fma\n"
    "  not_selected  their turn: another warp of the sub-core issued\n\n"
    "A sub-core with warps of which none can issue has none eligible. Of a profile\n"
    "with two bounds cycles are said as low to high, the rest is the low one's.\n"
    "Sectors and lines stand beside the fewest that could hold what was asked for.\n\n"
    "Exit code 0; 1: findings, or outputs that are not what a case expects; 4: a run\n"
    "trapped.";

constexpr std::string_view kVersusMore =
    "Some programs do with shared or global memory what another does with shuffles,\n"
    "and say so (`.twin`). NAME alone is one of either kind, two NAMEs are any two\n"
    "programs; without a NAME all that have twins are compared, briefly. The first\n"
    "runs its case, the others the same launch: its lanes, grid and block, and those\n"
    "of its inputs and parameters that they have too. Outputs of the same name must\n"
    "be the same, bit for bit.\n\n"
    "What is counted is said under `warpsim help run`, --counts. A cycle is one\n"
    "instruction of each warp, whatever it does; with --profile it is that profile's,\n"
    "by each of its bounds. --profile alone puts all profiles side by side, and the\n"
    "documents' claims beside what comes out. In brief: shfl counts shuffles, coll\n"
    "collectives (--expand makes them shuffles), bar barriers; bytes of shared and of\n"
    "global memory are loaded and stored ones together.\n\n"
    "Exit code 0: the outputs agree; 1: they do not, or are not as the case expects;\n"
    "4: a program trapped. `warpsim help` lists the others.";

constexpr std::string_view kCompareMore =
    "FIRST and SECOND are traces (.json, .ndjson) or programs. A program beside a\n"
    "trace runs that trace's case on its launch and inputs; two programs run as the\n"
    "options say.\n\n"
    "A trace from a GPU has no cycles and no order across lanes: each lane's k-th\n"
    "execution of an instruction is held against the other's k-th. Its collectives\n"
    "are shuffles, as after --expand.\n\n"
    "Exit code 0: they agree; 1: they do not, and the first difference is named.";

constexpr std::string_view kCrosscheckMore =
    "Each case runs at each of its lane counts up to 32, as `warpsim test` has them:\n"
    "in the simulator, as PTX on the GPU, once more recording every step, and at 32\n"
    "lanes as the hand-written CUDA kernel of tools/cuda/kernels/. Outputs and steps\n"
    "must be the same, bit for bit; what is undefined in the simulator agrees with\n"
    "anything.\n\n"
    "--record DIR keeps what the GPU did, a file a program; --against DIR holds the\n"
    "simulator against such files.\n\n"
    "--cycles measures small kernels, and the programs that allow it, with clock\n"
    "reads around what they do, and holds the model's cycles against them, by class;\n"
    "NAMEs are how kernels' names begin: chain, shared/conflict, p26. A kernel counts\n"
    "whose machine code (cuobjdump lists it) is the program's, instruction for\n"
    "instruction. --record and --against then name a file; --against h200 is built\n"
    "in. Exit code 1: the test set of a class is off by more than 5 % on average, or\n"
    "a kernel of it by 15 %; or without NAMEs a class has nothing that is scored. 3:\n"
    "the capture holds none of the kernels as they are now.\n\n"
    "Exit code 0: all equal; 1: something differs; 3: a capture cannot be read; 4: a\n"
    "program traps, or faults on the GPU; 5: no GPU, or not one that can run it; no\n"
    "part of a program that --cycles could measure.";

constexpr std::string_view kCalibrateMore =
    "Measures the small kernels of the calibration set, as `warpsim crosscheck\n"
    "--cycles` does, and moves the profile's numbers of cycles until the model's\n"
    "errors fall no further. What no kernel tells stays, and is named. The test set\n"
    "stays unseen: `warpsim crosscheck --cycles --profile FILE` says what it comes\n"
    "to.\n\n"
    "Exit code 0; 1: a kernel computes something else on the GPU; 3: a file cannot be\n"
    "read; 4: a kernel faults; 5: there is no GPU, or no cuobjdump.";

constexpr std::string_view kPtxMore =
    "The kernel's parameters are the program's, in order: a 64-bit pointer for a\n"
    "buffer, a value for a scalar. The target is the lowest that has all its\n"
    "instructions. At fewer than 32 lanes a warp is the lowest lanes of a warp of 32,\n"
    "and the block's shape, which --block or the case says, is part of the code.";

constexpr std::string_view kTestMore =
    "Each case runs at the lane counts that it fixes, or else at 4, 8, 16, 32 and 64\n"
    "and at whatever else --lanes asks for. Lane counts that the program is exempt\n"
    "from are skipped, with the reason.\n\n"
    "Exit code 0: all as expected; 1: some not; 3: a program or a case has an error;\n"
    "4: a run trapped.";

constexpr std::string_view kCheckMore =
    "Looks for values that hold nothing defined where they are used, for lanes that\n"
    "name wrong member masks, races, barriers that are not met, accesses out of\n"
    "bounds, deadlocks and outputs that are not what a case expects. Each case runs\n"
    "at the lane counts that it fixes, or else at 4, 8, 16, 32 and 64, as warps take\n"
    "turns, and then under other schedules, where what comes out must be the same.\n"
    "`warpsim explain` says what each code means.\n\n"
    "Exit code 0: nothing found; 1: findings; 3: a program or a case has an error; 4:\n"
    "a run trapped. --error-exitcode says another for 1 and 4. Advice is no finding.";

constexpr std::string_view kExplainMore =
    "A code is what a message shows in brackets: error[WS0104]. Without one, all are\n"
    "listed.";

constexpr std::string_view kFuzzMore =
    "A seed makes one program, the same everywhere. What it stores, and every\n"
    "register that its instructions choose among, is compared bit for bit; nothing\n"
    "that hardware leaves open. One program in 16 also runs watched, one with its\n"
    "collectives expanded.\n\n"
    "The first program that differs is shrunk and written as a program with a case\n"
    "that expects what the other side gave: `warpsim test FILE` then fails, and\n"
    "shows the difference.\n\n"
    "Shard I of N takes every N-th seed. With GNU parallel, and in a Slurm array or\n"
    "an indexed job of Kubernetes:\n"
    "  parallel warpsim fuzz --count 1000000 --shard {}/16 --json '>' {}.json \\\n"
    "      ::: $(seq 0 15); warpsim fuzz --merge *.json\n"
    "  warpsim fuzz ... --shard $SLURM_ARRAY_TASK_ID/16\n"
    "  warpsim fuzz ... --shard $JOB_COMPLETION_INDEX/16\n\n"
    "Exit code 0: no difference; 1: there are some; 3: a shard's file is wrong or\n"
    "missing; 4: the GPU faults or does not end; 5: there is no GPU here.";

constexpr std::string_view kAsmMore =
    "Columns: the instruction's number, its line, and, for a branch under a guard,\n"
    "the instruction where lanes that part there meet again.";

constexpr std::string_view kCompletionsMore =
    "bash: source <(warpsim completions bash)\n"
    "zsh:  warpsim completions zsh > _warpsim, in a folder of $fpath\n"
    "fish: warpsim completions fish | source";

constexpr OptionSet kRunOptions = kTakesLaunch | kTakesMachine | kTakesProfile | kTakesCheck | kTakesExpand |
                                  kTakesAscii | kTakesLanguage | kTakesBackend;
constexpr OptionSet kPrintOptions = kTakesExpand | kTakesLanes | kTakesOutput;

constexpr Verb kVerbs[] = {
    {"list", "List the programs", "", "", "", 0, 0, kTakesNames | kTakesPage | kTakesOutput, "", run_list},
    {"show", "Show a program: its document, its cases, its text", "NAME", kProgram, "", 1, 1, 0, "", run_show},
    {"run", "Run a case of a program and print what comes out", "NAME", kProgram, "", 1, 1,
     kRunOptions | kTakesBounds | kTakesCounts, kRunMore, run_run},
    {"trace", "Run a case and write what happened: as JSON, as NDJSON, or as the step-by-step diagram", "NAME",
     kProgram, "", 1, 1, kRunOptions | kTakesOutput | kTakesFormat | kTakesWindow | kTakesCompress, kTraceMore,
     run_trace},
    {"view", "Write a run, or two side by side, as a page to step through in a browser", "NAME",
     "A program: group/name, a name alone, a file, or -; or a trace. Two: side by side", "", 1, 2,
     kTakesLaunch | kTakesMachine | kTakesProfile | kTakesExpand | kTakesOutput | kTakesWindow | kTakesLanguage,
     kViewMore, run_view},
    {"export", "Make something else of a trace: a picture, a page, a table, a timeline", "NAME",
     "A trace (.json, .ndjson), or a program: group/name, a name alone, a file, or -", "", 1, 1,
     kTakesForm | kTakesLaunch | kTakesMachine | kTakesProfile | kTakesExpand | kTakesBackend | kTakesOutput |
         kTakesWindow | kTakesCompress | kTakesLanguage,
     kExportMore, run_export},
    {"schema", "Print the JSON Schema of a trace, or of a timing profile", "WHAT", "Which one: a trace's unless said",
     "trace|profile", 0, 1, kTakesOutput, "", run_schema},
    {"validate", "Say whether files are traces, and every fault if not", "FILE",
     "Traces: JSON or NDJSON, also gzip or zstd; - is standard input", "", 1, -1, 0, kValidateMore, run_validate},
    {"step", "Step through a run, forwards and backwards: a debugger", "NAME", kProgram, "", 1, 1,
     kTakesLaunch | kTakesMachine | kTakesProfile | kTakesExpand | kTakesWindow | kTakesAscii | kTakesLanguage |
         kTakesCommands,
     kStepMore, run_step},
    {"tui", "Step through a run in full screen", "NAME", kProgram, "", 1, 1,
     kTakesLaunch | kTakesMachine | kTakesProfile | kTakesExpand | kTakesWindow | kTakesAscii | kTakesLanguage,
     kTuiMore, run_tui},
    {"stats", "Say in numbers what a run did, and what its warps waited for", "NAME", kProgram, "", 1, 1,
     kTakesLaunch | kRunsAllCases | kTakesMachine | kTakesProfile | kTakesBounds | kTakesCheck | kTakesExpand |
         kTakesAscii | kTakesLanguage,
     kStatsMore, run_stats},
    {"versus", "Run a program and its twins without shuffles on one case, and count what each does", "NAME",
     "A program or a twin, or two programs: group/name, a name alone, a file, or -", "", 0, 2,
     kTakesLaunch | kTakesMachine | kTakesProfile | kTakesBounds | kTakesAllProfiles | kTakesExpand, kVersusMore,
     run_versus},
    {"test", "Run all cases at all lane counts", "NAME",
     "Programs, groups (p26), files, or folders of files; all programs unless said", "", 0, -1,
     kTakesLaneList | kTakesCase | kTakesMachine | kTakesProfile | kTakesExpand | kTakesJunit | kTakesCheck, kTestMore,
     run_test},
    {"check", "Look for what is undefined, races, deadlocks, wrong answers", "NAME",
     "Programs, groups (p26), files, or folders of files; all programs unless said", "", 0, -1,
     kTakesLaunch | kRunsAllCases | kTakesMachine | kTakesExpand | kTakesJunit | kTakesReport, kCheckMore, run_check},
    {"explain", "Explain a finding, with a program that shows it and its fix", "CODE", "WS0104; all codes unless said",
     "", 0, -1, 0, kExplainMore, run_explain},
    {"fuzz", "Run random programs on the simulator and on another side, and compare bit for bit", "FILE",
     "What --merge reads", "", 0, -1, kTakesFuzz | kTakesGpuTime, kFuzzMore, run_fuzz},
    {"compare", "Say the first step at which two traces differ: a simulator's and a GPU's, for one", "TRACE",
     "Traces or programs, two of them", "", 2, 2, kTakesLaunch | kTakesMachine | kTakesExpand, kCompareMore,
     run_compare},
    {"crosscheck", "Run all cases in the simulator and on the GPU of this machine, and compare", "NAME",
     "Programs or groups (p26); all programs unless said", "", 0, -1,
     kTakesLaneList | kTakesCase | kTakesGpuTime | kTakesCapture | kTakesCycles | kTakesProfile, kCrosscheckMore,
     run_crosscheck},
    {"calibrate", "Make a timing profile of the GPU of this machine, or of what was measured", "", "", "", 0, 0,
     kTakesBase | kTakesGpuTime | kTakesOutput, kCalibrateMore, run_calibrate},
    {"ptx", "Print a program as PTX, for ptxas and for a GPU", "NAME", kProgram, "", 1, 1, kTakesLaunch | kTakesOutput,
     kPtxMore, run_ptx},
    {"asm", "Assemble a program and list its instructions", "NAME", kProgram, "", 1, 1, kPrintOptions, kAsmMore,
     run_asm},
    {"disasm", "Print a program as text that assembles to the same program", "NAME", kProgram, "", 1, 1, kPrintOptions,
     "", run_disasm},
    {"isa", "The instruction reference: Mojo, CUDA, PTX and warpsim side by side", "MNEMONIC",
     "Only these, by any of their names: shfl.bfly, shfl, shuffle_xor, %laneid, threadIdx.x", "", 0, -1,
     kTakesMarkdown | kTakesOutput, "", run_isa},
    {"help", "Explain a verb", "VERB", "A verb; the command itself unless said", "", 0, 1, 0, "", run_help},
    {"completions", "Print a completion script for a shell", "SHELL", "Which one", "bash|zsh|fish", 1, 1, 0,
     kCompletionsMore, run_completions},
};

}  // namespace

std::span<const Verb> all_verbs() { return kVerbs; }

}  // namespace warpsim::tools
