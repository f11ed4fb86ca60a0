// The verbs, one row each; see verbs.h.
#include "tools/command/verbs.h"

#include "tools/book/mdbook_verb.h"
#include "tools/exec/exec_verb.h"
#include "tools/grade/grade_verb.h"
#include "tools/sass/sass_verb.h"

namespace warpsim::tools {

namespace {

constexpr std::string_view kProgram = "A program: group/name, a name alone, a file, or -";

constexpr std::string_view kListMore =
    "The mistakes, `bugs`, are only counted unless --bugs or their group asks for\n"
    "them. --names and --json always have them.";

constexpr std::string_view kRunMore =
    "A run prints what the Mojo GPU Puzzles print: WARP_SIZE, SIZE, output, expected\n"
    "and the verdict.\n\n"
    "Replacing a part of a case can invalidate its expected values. Those are then\n"
    "dropped, and the run neither passes nor fails:\n"
    "  --input and --param keep the rules that name everything that they replace,\n"
    "    and drop other rules, constants and lists.\n"
    "  --grid, --block, and --lanes where the case fixes other lane counts, drop\n"
    "    all of them.\n\n"
    "An --input that is a list determines the parameter that is its length, as size\n"
    "in f32[size], unless --param gives it or another list contradicts. A grid that\n"
    "has a thread for each element follows, unless --grid gives it.\n\n"
    "@file.json holds an array of numbers, or an object of such arrays by buffer\n"
    "name; @file.npy an array of NumPy; - reads as @file.json does, or numbers\n"
    "separated by blanks and commas, from standard input.\n\n"
    "--counts, and --json in result.counts: an instruction of one warp is 1, however\n"
    "many of its lanes execute it; of diverged lanes, each group's is 1. Units are\n"
    "those of `warpsim isa`. Collectives are broadcast, reduce and scan in one step;\n"
    "--expand makes them shuffles. Bytes are those that lanes ask for, all lanes\n"
    "together. A branch is divergent when its lanes diverge. Registers are those that\n"
    "the program names, a thread, in words of 32 bits, and its predicates.\n\n"
    "With --profile the run has that profile's time: see traces/PROFILE.md. The\n"
    "profile `documents` has two bounds, and both cycle counts are printed; its low\n"
    "bound alone is documents:low. What a program computes does not depend on the\n"
    "profile, unless it depends on the order of warps, or reads a clock: the outputs\n"
    "are then the low bound's. A GPU's profile was measured with its warps of 32\n"
    "lanes.\n\n"
    "--timing machine-code times what ptxas makes of the program: the code is\n"
    "executed, and if its outputs are not the program's there are no cycles (exit\n"
    "code 5). The code of the built-in programs is here; of others ptxas makes it.\n\n"
    "Exit code 0: as expected, or only warnings (see --error-on); 1: an output is not\n"
    "as expected, or a finding; 4: the program trapped. `warpsim help` lists the\n"
    "others.";

constexpr std::string_view kTraceMore =
    "A NAME that ends in .json or .ndjson, or in one of them and .gz or .zst, is a\n"
    "trace, which is read and written in the form asked for. --from, --to,\n"
    "--block-index, --warp and --max-events cut out a part that is itself a trace.\n"
    "The trace of a run that traps is whole up to the trap, and says so.\n\n"
    "Exit code 0: as expected, or only warnings (see --error-on); 1: an output is not\n"
    "as expected, or a finding; 4: the program trapped. `warpsim help` lists the\n"
    "others.";

constexpr std::string_view kExportMore =
    "NAME is a program, or a trace: .json or .ndjson, also with .gz or .zst added.\n\n"
    "{forms}\n"
    "traces/FORMAT.md describes each form.\n\n"
    "png, apng and gif need the tool rsvg-convert, gif also ffmpeg: Debian's packages\n"
    "librsvg2-bin and ffmpeg. An animation shows the rows of the picture one after\n"
    "the other, at most 200.\n\n"
    "Exit code 0: as expected, or only warnings; 1: a finding, or an output that is\n"
    "not what the case expects; 4: the run stopped at a trap. The run up to there is\n"
    "written all the same. 5: a tool is missing, or cannot draw so large a picture.";

constexpr std::string_view kValidateMore =
    "Reports for each FILE that it is a trace, or its first 100 faults with their\n"
    "places. NDJSON is read line by line.\n\n"
    "Exit code 0: all are; 1: one breaks the format; 3: one cannot be read, or is no\n"
    "JSON.";

constexpr std::string_view kViewMore =
    "The page is one file that opens from disk, without network: default\n"
    "GROUP-NAME.html, see -o. A NAME that ends in .json or .ndjson is a trace.\n\n"
    "Two traces of one program, such as a simulator's and a GPU's, are aligned by\n"
    "instruction and occurrence; two programs by phase and the step in it, or by step\n"
    "number where one has no phases. A program beside a trace runs that trace's case\n"
    "on its launch and inputs; two programs run as the options say.\n\n"
    "The reductions and scans of one program are shown as the shuffles that a GPU\n"
    "runs; a click shows each as one step. With --expand there are the shuffles\n"
    "alone.\n\n"
    "A run that traps, or is not as expected, has a page as well; the exit code is\n"
    "then that of `warpsim run`.\n\n"
    "--open starts $BROWSER, or what opens pages here: xdg-open, open, wslview. The\n"
    "exit code is 5 if none starts. --serve prints the page's address, which only\n"
    "this machine can reach. An edited file with an error shows the error in the page;\n"
    "the page and its step come back once it is corrected.";

constexpr std::string_view kSiteMore =
    "Prints the site's address, which only this machine can reach. The site is made\n"
    "of files alone: any web server serves them to others.\n\n"
    "Exit code 0; 3: there is no site in FOLDER; 5: warpsim was built without\n"
    "libevent.";

constexpr std::string_view kMdbookMore =
    "mdBook starts it, as book.toml says:\n\n"
    "  [preprocessor.warp-sim]\n"
    "  command = \"warpsim mdbook\"\n"
    "  site = \"https://HOST/warpsim\"     # live diagrams, from there; may be left out\n\n"
    "A fence is then a diagram, as `warpsim trace NAME --format text` prints it:\n\n"
    "  ```warp-sim p26/butterfly_parallel_max lanes=8 case=worked\n"
    "  ```\n\n"
    "NAME is a program, or a .warp file beside the chapter; without a NAME the text\n"
    "in the fence is the program. lanes, case, lang, step, height and theme follow.\n\n"
    "Exit code 0; 2: a fence says something wrong; 3: the input is no book, or a\n"
    "program does not parse. `supports RENDERER` is 0 for every renderer.";

constexpr std::string_view kStepMore =
    "The case runs once and is recorded; the debugger then moves in the recording:\n"
    "step, rstep, next, continue, rcontinue, goto CYCLE, break LINE [if COND], watch\n"
    "%r#4, print %r, lanes, masks, network, why %r#4, explain. `help` lists them all.\n"
    "gdb's words and any prefix that fits one command work too, Enter repeats, Tab\n"
    "completes where lines can be edited. A condition is an expression of\n"
    "traces/FORMAT.md over the lanes that reach the line; `%r#4` is lane 4's. Counts\n"
    "are gdb's: step 9 stops at a breakpoint before its end, continue 2 skips one.\n"
    "Rows are as wide as the terminal, 80 columns on a pipe.\n\n"
    "A NAME that ends in .json or .ndjson is a trace. Commands come from --cmd, from\n"
    "the terminal, or from standard input, where # begins a comment. --json answers\n"
    "with one object a command, a line each, and the usual one at the end.\n\n"
    "Exit code 0; 2: a command of a script is wrong, which ends it; 4: a script\n"
    "reached the trap of its run, even if it moved on. What a case expects does not\n"
    "count.";

constexpr std::string_view kTuiMore =
    "`warpsim step` in full screen: the program beside the lanes, a shuffle's arrows\n"
    "from the values sent to the values received, a sentence for every step. It needs\n"
    "80 columns and 24 rows. ? lists the keys: n and p step forwards and back, [ and\n"
    "] move by shuffles, c and C by breakpoints, w asks why; : begins a command of\n"
    "`warpsim step`.\n\n"
    "A NAME that ends in .json or .ndjson is a trace.\n\n"
    "Exit code 0; 2: there is no terminal; 5: the terminal is too simple, or warpsim\n"
    "was built without ncurses.";

constexpr std::string_view kStatsMore =
    "For each case, or the one of --case: cycles, instructions by unit, how many\n"
    "lanes were active, the accesses to memory. With a --profile also how many\n"
    "instructions a cycle an SM and a sub-core issued, and what warps waited for, by\n"
    "reason and then by place:\n\n"
    "  issue         their last instruction, which took more than one issue slot\n"
    "  branch        the path to the next: a jump, lanes that diverge or converge\n"
    "  dependency    an operand that is computed\n"
    "  memory        an operand that comes from memory\n"
    "  barrier       other warps\n"
    "  unit          a pipe that was busy; instructions that two pipes can execute\n"
    "                use them in turn, so an addition may wait for fma\n"
    "  not_selected  another warp of the sub-core issued\n\n"
    "None eligible are the cycles in which a sub-core has warps and none can issue.\n"
    "At the end stands how full an SM was and could be, and how many instructions a\n"
    "cycle the profile lets it issue: by its issue slots, and by the lines of memory\n"
    "that it serves a cycle. A profile has no bandwidth of L2 and DRAM.\n"
    "--timing machine-code has the numbers of the code that ptxas makes of the\n"
    "program, by the program's own lines; cases at other than 32 lanes are left out.\n"
    "With a profile of two bounds, cycles are given from low to high, the rest is the\n"
    "low one's. Sectors and lines are compared with the fewest that could hold the\n"
    "values accessed.\n\n"
    "Exit code 0: as expected, or only warnings (see --error-on); 1: a finding, or an\n"
    "output that is not what a case expects; 4: a run trapped.";

constexpr std::string_view kVersusMore =
    "A twin (`.twin`) is a program that does with shared or global memory what\n"
    "another does with shuffles. NAME alone is one of either kind, two NAMEs are any\n"
    "two programs; without a NAME all programs with twins are compared, briefly. The\n"
    "first runs its case, the others the same launch: its lanes, grid and block, and\n"
    "those of its inputs and parameters that they also have. Outputs of the same name\n"
    "must be the same, bit for bit.\n\n"
    "`warpsim help run`, --counts, explains the counts. A cycle is one instruction of\n"
    "each warp; with --profile it is that profile's, for each of its bounds.\n"
    "--profile alone shows all profiles side by side, and beside them what Mojo GPU\n"
    "Puzzle 26 and the \"CUDA Shuffle Functions - Theory Guide\" claim. In brief: shfl\n"
    "counts shuffles, coll collectives (--expand makes them shuffles), bar barriers;\n"
    "bytes of shared and of global memory are loaded and stored ones together.\n"
    "--profile h200 --timing machine-code also times the code that ptxas makes of\n"
    "each; what cannot be timed has no number, and the output says why.\n\n"
    "Exit code 0: the outputs agree; 1: they do not, or are not as the case expects;\n"
    "4: a program trapped. `warpsim help` lists the others.";

constexpr std::string_view kCompareMore =
    "FIRST and SECOND are traces (.json, .ndjson) or programs. A program beside a\n"
    "trace runs that trace's case on its launch and inputs; two programs run as the\n"
    "options say.\n\n"
    "A trace from a GPU has no cycles and no order across lanes: each lane's k-th\n"
    "execution of an instruction is compared with the other's k-th. Its collectives\n"
    "are shuffles, as after --expand.\n\n"
    "Exit code 0: they agree; 1: they do not, and the first difference is named.";

constexpr std::string_view kCrosscheckMore =
    "Each case runs at each of its lane counts up to 32, as `warpsim test` has them:\n"
    "in the simulator, as PTX on the GPU, once more recording every step, and at 32\n"
    "lanes as the hand-written CUDA kernel of tools/cuda/kernels/. Outputs and steps\n"
    "must be the same, bit for bit; what is undefined in the simulator agrees with\n"
    "anything.\n\n"
    "--record DIR writes what the GPU did, a file a program; --against DIR compares\n"
    "the simulator with such files.\n\n"
    "A FILE.ptx, or what nvcc makes of a FILE.cu, runs as it is, compiled without\n"
    "fusing mul and add; every byte of every buffer and variable is compared. A\n"
    "FILE.launch beside it, or --input and --param, says what it is given. With\n"
    "--contract both sides fuse: the GPU's compiler as it does by default, the\n"
    "simulator as far as that can be predicted.\n\n"
    "--cycles measures small kernels, and the programs that allow it, with clock\n"
    "reads around their work, and compares the model's cycles with them, by class.\n"
    "NAMEs are the beginnings of kernels' names: chain, shared/conflict, p26. A\n"
    "kernel counts only if its machine code (listed by cuobjdump) is the program's,\n"
    "instruction for instruction. --record and --against then name a file; --against\n"
    "h200 is built in. Exit code 1: the test set of a class is off by more than 5 %\n"
    "on average, or a kernel of it by 15 %; or, without NAMEs, no kernel of a class\n"
    "is scored. 3: the capture has none of the kernels as they are now.\n\n"
    "--cycles --machine-code --against h200 (or FILE) executes the machine code that\n"
    "ptxas made, by the profile's numbers for it, and compares with what an H200's\n"
    "clocks said of the same machine code: more small kernels, and all programs with\n"
    "1 to 32 warps, as PTX and as CUDA C++ (names that begin with cuda). What cannot\n"
    "be executed, or leaves other values, is refused and listed. Without --against\n"
    "ptxas and nvcc make the machine code here and the GPU of this machine, an\n"
    "sm_90, measures it; --record FILE keeps that. A NAME may be a file of jobs,\n"
    "which holds kernels of cuda-samples: traces/captures/README.md. Exit code 1: the\n"
    "test set of a class is off by more than 3 % on average, or a kernel by 10 %.\n\n"
    "Exit code 0: all equal; 1: something differs; 3: a capture cannot be read; 4: a\n"
    "program traps, or faults on the GPU; 5: no GPU, or not one that can run it; no\n"
    "part of a program that --cycles could measure.";

constexpr std::string_view kCalibrateMore =
    "Measures the small kernels of the calibration set, as `warpsim crosscheck\n"
    "--cycles` does, and moves the profile's numbers of cycles until the model's\n"
    "errors fall no further. Numbers that no kernel measures stay, and are listed.\n"
    "The test set is not used: `warpsim crosscheck --cycles --profile FILE` measures\n"
    "the profile with it.\n\n"
    "Exit code 0; 1: a kernel computes something else on the GPU; 3: a file cannot be\n"
    "read; 4: a kernel faults; 5: there is no GPU, or no cuobjdump.";

constexpr std::string_view kPtxMore =
    "The kernel's parameters are the program's, in order: a 64-bit pointer for a\n"
    "buffer, a value for a scalar. The target is the lowest that has all its\n"
    "instructions. With fewer than 32 lanes a warp is the lowest lanes of a warp of\n"
    "32, and the block's shape, from --block or the case, is part of the code.";

constexpr std::string_view kTestMore =
    "Each case runs at the lane counts that it fixes, or else at 4, 8, 16, 32 and 64\n"
    "and at the other ones of --lanes. Lane counts that the program is exempt\n"
    "from are skipped, with the reason.\n\n"
    "Exit code 0: all as expected, or only warnings (see --error-on); 1: some not, or\n"
    "a finding; 3: a program or a case has an error; 4: a run trapped.";

constexpr std::string_view kCheckMore =
    "Looks for uses of undefined values, wrong member masks, races, barriers that not\n"
    "all threads reach, accesses out of bounds, deadlocks and outputs that are not\n"
    "what a case expects. Each case runs at the lane counts that it fixes, or else at\n"
    "4, 8, 16, 32 and 64, first with warps in turn, then under other schedules, whose\n"
    "outputs must be the same. `warpsim explain` explains each code.\n\n"
    "Exit code 0: nothing found, or only warnings (see --error-on) and advice; 1:\n"
    "findings; 3: a program or a case has an error; 4: a run trapped.\n"
    "--error-exitcode replaces 1 and 4.";

constexpr std::string_view kGradeMore =
    "Without a TASK the tasks are listed. A TASK alone prints what it asks and a\n"
    "program to begin with: warpsim grade p26/butterfly_pair_swap > mine.warp.\n\n"
    "FILE is compared with the solution of the catalogue, bit for bit: on its cases,\n"
    "on the same launches with inputs that nobody has seen, with negative ones alone\n"
    "where some case has any, and with fewer elements where the solution takes them,\n"
    "at 4 to 64 lanes. Every run is checked: an error that is found, or a warning\n"
    "that the solution has not, is as wrong as another output. What is said is of the\n"
    "smallest run that is not right. A task of `faster` also asks for no more cycles\n"
    "than the solution takes, by --profile, default h200. Of a task of `predict` FILE\n"
    "holds an answer a lane.\n\n"
    "Exit code 0: solved; 1: not solved; 3: the program has an error, or parameters\n"
    "that are not the task's; 4: a run trapped.";

constexpr std::string_view kExecMore =
    "PROGRAM is one that nvcc of CUDA 13 made with -cudart shared, or one that starts\n"
    "such programs: a script, make, python. It runs with your own rights, which is no\n"
    "sandbox; its kernels run in warpsim. What is found goes to standard error. Lines\n"
    "of CUDA need -lineinfo, and -g names the host's functions.\n\n"
    "With --profile every block of a launch is timed, and a table of all launches\n"
    "comes at the end; events have that time. What is timed is the program's machine\n"
    "code for sm_90, else what ptxas makes of its PTX, on a copy of the memory. Where\n"
    "that cannot be, or leaves other values than the PTX, the PTX is timed: the table\n"
    "says so, and why. --timing program times the PTX of all.\n\n"
    "Exit code: the program's, and 128 + N if signal N ended it; 4 if --max-cycles\n"
    "ended a launch; --error-exitcode sets one for findings. 2: the command line is\n"
    "wrong; 3: there is no such program; 5: it cannot be run so.";

constexpr std::string_view kExplainMore =
    "A code is in the brackets of a message: error[WS0104]. Without a code, all codes\n"
    "are listed.";

constexpr std::string_view kFuzzMore =
    "A seed makes one program, the same on every machine. What it stores, and its\n"
    "registers at the end, are compared bit for bit, except what hardware leaves\n"
    "open. One program in 16 also runs with observers, one with its collectives\n"
    "expanded.\n\n"
    "The first program that differs is shrunk and written with a case that expects\n"
    "the other side's results: `warpsim test FILE` then fails, and shows the\n"
    "difference.\n\n"
    "Shard I of N runs every N-th seed. With GNU parallel, and in a Slurm array or\n"
    "an indexed job of Kubernetes:\n"
    "  parallel warpsim fuzz --count 1000000 --shard {}/16 --json '>' {}.json \\\n"
    "      ::: $(seq 0 15); warpsim fuzz --merge *.json\n"
    "  warpsim fuzz ... --shard $SLURM_ARRAY_TASK_ID/16\n"
    "  warpsim fuzz ... --shard $JOB_COMPLETION_INDEX/16\n\n"
    "Exit code 0: no difference; 1: there are some; 3: a shard's file is wrong or\n"
    "missing; 4: the GPU faults or does not end; 5: there is no GPU here.";

constexpr std::string_view kSassMore =
    "The code of the programs of `warpsim list` is built in, as ptxas made it. Of\n"
    "anything else that is not machine code yet, ptxas makes some, and of CUDA C++\n"
    "nvcc makes PTX before. Lines need -lineinfo: nvcc -arch=sm_90 -cubin -lineinfo.\n\n"
    "Before each instruction: its address; st, the cycles until the warp's next one,\n"
    "and y if another warp should go first; sets, the scoreboards that it takes: w\n"
    "until its result is there, r until its operands have been read; waits, those\n"
    "that it waits for.\n\n"
    "Exit code 3: the file cannot be read, or ptxas refuses it; 5: there is no ptxas,\n"
    "or only code for other GPUs.";

constexpr std::string_view kAsmMore =
    "Columns: the instruction's number, its line, and, for a branch under a guard,\n"
    "the instruction where its diverged lanes reconverge.";

constexpr std::string_view kCompletionsMore =
    "bash: source <(warpsim completions bash)\n"
    "zsh:  warpsim completions zsh > _warpsim, in a folder of $fpath\n"
    "fish: warpsim completions fish | source";

constexpr OptionSet kRunOptions = kTakesKernel | kTakesLaunch | kTakesMachine | kTakesProfile | kTakesCheck |
                                  kTakesExpand | kTakesAscii | kTakesLanguage | kTakesBackend;
constexpr OptionSet kPrintOptions = kTakesKernel | kTakesExpand | kTakesLanes | kTakesOutput;

constexpr Verb kVerbs[] = {
    {"list", "List the programs by group, in the order in which to learn them", "GROUP",
     "Only these groups, such as p26; default all", "", 0, -1, kTakesNames | kTakesPage | kTakesOutput, kListMore,
     run_list},
    {"show", "Show a program: its document, its cases, its text", "NAME",
     "A program: group/name, a name alone, a file, or -; of a group (p26) the list of its programs", "", 1, 1,
     kTakesKernel, "", run_show},
    {"kernels", "List the kernels of a file, PTX too: parameters with their offsets, shared memory, registers", "NAME",
     kProgram, "", 1, 1, kTakesLinks | kTakesCompiler, "", run_kernels},
    {"run", "Run a case of a program and print its outputs", "NAME", kProgram, "", 1, 1,
     kRunOptions | kTakesTiming | kTakesBounds | kTakesCounts | kTakesArrays | kTakesEngine, kRunMore, run_run},
    {"trace", "Run a case and write what happened: as JSON, as NDJSON, or as the step-by-step diagram", "NAME",
     kProgram, "", 1, 1, kRunOptions | kTakesTiming | kTakesOutput | kTakesFormat | kTakesWindow | kTakesCompress,
     kTraceMore, run_trace},
    {"view", "Write a run, or two side by side, as a page to step through in a browser", "NAME",
     "A program: group/name, a name alone, a file, or -; or a trace. Two: side by side", "", 1, 2,
     kTakesKernel | kTakesLaunch | kTakesMachine | kTakesProfile | kTakesTiming | kTakesExpand | kTakesOutput |
         kTakesWindow | kTakesLanguage | kTakesServe,
     kViewMore, run_view},
    {"site", "Serve the site that tools/site.sh has built, on this machine alone", "FOLDER",
     "The site, default build/site", "", 0, 1, kTakesSite, kSiteMore, run_site},
    {"mdbook", "Draw the diagrams of a book: a preprocessor of mdBook", "WORD", "supports RENDERER, as mdBook asks", "",
     0, 2, 0, kMdbookMore, run_mdbook},
    {"export", "Export a trace as a picture, a page, a table, a timeline", "NAME",
     "A trace (.json, .ndjson), or a program: group/name, a name alone, a file, or -", "", 1, 1,
     kTakesKernel | kTakesForm | kTakesLaunch | kTakesMachine | kTakesProfile | kTakesTiming | kTakesExpand |
         kTakesBackend | kTakesOutput | kTakesWindow | kTakesCompress | kTakesLanguage | kTakesPixels,
     kExportMore, run_export},
    {"schema", "Print the JSON Schema of a trace, or of a timing profile", "WHAT", "Which one, default a trace's",
     "trace|profile", 0, 1, kTakesOutput, "", run_schema},
    {"validate", "Check that files are traces, and report every fault", "FILE",
     "Traces: JSON or NDJSON, also gzip or zstd; - is standard input", "", 1, -1, 0, kValidateMore, run_validate},
    {"step", "Step through a run, forwards and backwards: a debugger", "NAME", kProgram, "", 1, 1,
     kTakesKernel | kTakesLaunch | kTakesMachine | kTakesProfile | kTakesTiming | kTakesExpand | kTakesWindow |
         kTakesAscii | kTakesLanguage | kTakesCommands,
     kStepMore, run_step},
    {"tui", "Step through a run in full screen", "NAME", kProgram, "", 1, 1,
     kTakesKernel | kTakesLaunch | kTakesMachine | kTakesProfile | kTakesTiming | kTakesExpand | kTakesWindow |
         kTakesAscii | kTakesLanguage,
     kTuiMore, run_tui},
    {"stats", "Print a run in numbers, and what its warps waited for", "NAME",
     "A program, or a trace: group/name, a name alone, a file, or -", "", 1, 1,
     kTakesKernel | kTakesLaunch | kRunsAllCases | kTakesMachine | kTakesProfile | kTakesTiming | kTakesBounds |
         kTakesCheck | kTakesExpand | kTakesAscii | kTakesLanguage,
     kStatsMore, run_stats},
    {"versus", "Run a program and its twins without shuffles on one case, and count what each does", "NAME",
     "A program or a twin, or two programs: group/name, a name alone, a file, or -", "", 0, 2,
     kTakesKernel | kTakesLaunch | kTakesMachine | kTakesProfile | kTakesTiming | kTakesBounds | kTakesAllProfiles |
         kTakesExpand,
     kVersusMore, run_versus},
    {"test", "Run all cases at all lane counts", "NAME",
     "Programs, groups (p26), files, or folders of files; default all programs", "", 0, -1,
     kTakesKernel | kTakesLaneList | kTakesCase | kTakesMachine | kTakesProfile | kTakesExpand | kTakesJunit |
         kTakesCheck,
     kTestMore, run_test},
    {"check", "Look for undefined values, races, deadlocks, wrong answers", "NAME",
     "Programs, groups (p26), files, or folders of files; default all programs", "", 0, -1,
     kTakesKernel | kTakesLaunch | kRunsAllCases | kTakesMachine | kTakesExpand | kTakesJunit | kTakesReport,
     kCheckMore, run_check},
    {"grade", "Give a task of the lessons, or check whether a program solves it", "TASK",
     "p26/butterfly_parallel_max; and behind it the FILE that may solve it", "", 0, 2,
     kTakesTask | kTakesLaneList | kTakesProfile | kTakesJunit | kTakesLanguage, kGradeMore, run_grade},
    {"exec", "Run a CUDA program without a GPU, and check it", "PROGRAM",
     "The program, and behind it its own arguments", "", 1, -1,
     kTakesProgram | kTakesProfile | kTakesTiming | kTakesCheck | kTakesJunit, kExecMore, run_exec},
    {"explain", "Explain a finding, with a program that shows it and its fix", "CODE", "WS0104; default all codes", "",
     0, -1, 0, kExplainMore, run_explain},
    {"fuzz", "Run random programs on the simulator and a second implementation, and compare bit for bit", "FILE",
     "What --merge reads", "", 0, -1, kTakesFuzz | kTakesGpuTime, kFuzzMore, run_fuzz},
    {"compare", "Find the first step at which two traces differ, such as a simulator's and a GPU's", "TRACE",
     "Traces or programs, two of them", "", 2, 2, kTakesKernel | kTakesLaunch | kTakesMachine | kTakesExpand,
     kCompareMore, run_compare},
    {"crosscheck", "Run all cases in the simulator and on the GPU of this machine, and compare", "NAME",
     "Programs or groups (p26), or files of PTX or CUDA C++; default all programs", "", 0, -1,
     kTakesKernel | kTakesLaunch | kRunsAllCases | kTakesLaneList | kTakesGpuTime | kTakesCapture | kTakesCycles |
         kTakesProfile,
     kCrosscheckMore, run_crosscheck},
    {"calibrate", "Fit a timing profile to the GPU of this machine, or to a measurement", "", "", "", 0, 0,
     kTakesBase | kTakesGpuTime | kTakesOutput, kCalibrateMore, run_calibrate},
    {"ptx", "Print a program as PTX, for ptxas and for a GPU", "NAME", kProgram, "", 1, 1,
     kTakesKernel | kTakesLaunch | kTakesOutput, kPtxMore, run_ptx},
    {"sass", "Print machine code for sm_90 with its stalls and scoreboards, below the lines that it came from", "NAME",
     "A cubin, a program that nvcc linked, PTX, CUDA C++; or a program: group/name, a name alone, a file", "", 0, 1,
     kTakesKernel | kTakesLaunch | kTakesOutput | kTakesRecord, kSassMore, run_sass},
    {"asm", "Assemble a program and list its instructions", "NAME", kProgram, "", 1, 1, kPrintOptions, kAsmMore,
     run_asm},
    {"disasm", "Print a program as text that assembles to the same program", "NAME", kProgram, "", 1, 1, kPrintOptions,
     "", run_disasm},
    {"isa", "The instruction reference: Mojo, CUDA, PTX and warpsim side by side", "MNEMONIC",
     "Only these, by any of their names: shfl.bfly, shfl, shuffle_xor, %laneid, threadIdx.x", "", 0, -1,
     kTakesMarkdown | kTakesOutput, "", run_isa},
    {"help", "Explain a verb", "VERB", "A verb; default the command itself", "", 0, 1, kTakesMan, "", run_help},
    {"completions", "Print a completion script for a shell", "SHELL", "Which one", "bash|zsh|fish", 1, 1, 0,
     kCompletionsMore, run_completions},
};

}  // namespace

std::span<const Verb> all_verbs() { return kVerbs; }

}  // namespace warpsim::tools
