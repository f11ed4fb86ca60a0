// The options of a verb; see command_options.h.
#include "tools/command/command_options.h"

#include <algorithm>

#include "tools/manual/export_forms_text.h"
#include "tools/session/option_choices.h"

namespace warpsim::tools {

std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t length = 0;
  for (const std::string& word : CLI::detail::split(std::string(text), ' ')) {
    const bool fits = length == 0 || length + 1 + word.size() <= kHelpWidth - kHelpColumn;
    if (length != 0) out += fits ? ' ' : '\n';
    out += word;
    length = fits && length != 0 ? length + 1 + word.size() : word.size();
  }
  return out;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::vector<std::string> choices_of(const std::string& type_name) {
  return type_name.find('|') == std::string::npos ? std::vector<std::string>{} : CLI::detail::split(type_name, '|');
}
CLI::Validator one_of(const std::string& type_name) {
  return CLI::Validator(
      [choices = choices_of(type_name)](const std::string& word) -> std::string {
        if (std::find(choices.begin(), choices.end(), word) != choices.end()) return "";
        return "`" + word + "` is none of " + CLI::detail::join(choices, ", ");
      },
      "");
}

namespace {

CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& target, const std::string& description,
                      const std::string& type) {
  return app.add_option(names, target, wrapped(description))->type_name(type);
}

void add_list(CLI::App& app, const std::string& names, std::vector<std::string>& target, const std::string& description,
              const std::string& type) {
  app.add_option(names, target, wrapped(description))->type_name(type)->allow_extra_args(false);
}

void add_choice(CLI::App& app, const std::string& names, std::string& target, const std::string& description,
                const std::string& choices) {
  add_text(app, names, target, description, choices)->check(one_of(choices));
}

void add_compiler(CLI::App& app, Options& options) {
  add_text(app, "--arch", options.arch, "Of CUDA C++: what nvcc compiles for, default sm_90", "ARCH");
  add_list(app, "-I", options.include_folders, "Of CUDA C++: a folder of headers", "FOLDER");
  add_list(app, "-D", options.macros, "Of CUDA C++: a macro", "NAME[=VALUE]");
  app.add_flag("--rdc", options.rdc, wrapped("Of CUDA C++: for linking, or to launch kernels from the device"));
  app.add_flag("-G", options.device_debug, wrapped("Of CUDA C++: unoptimised, with the names of variables"));
}

void add_launch(CLI::App& app, Options& options, bool runs_all_cases, bool has_one_lane_count) {
  add_text(app, "--case", options.case_name,
           runs_all_cases ? "The case to run, default all of them"
                          : "The case to run, default `test` or else the program's first",
           "CASE");
  if (has_one_lane_count) add_text(app, "--lanes", options.lanes, "Lanes a warp: 1, 2, 4, 8, 16, 32 or 64", "N");
  add_text(app, "--grid", options.grid, "Blocks, in up to three dimensions: 2 or 4x2", "N[xN[xN]]");
  add_text(app, "--block", options.block, "Threads a block, in up to three dimensions: 48 or 8x4", "N[xN[xN]]");
  add_text(app, "--shared", options.shared, "Bytes of dynamic shared memory a block has, of a kernel from PTX", "N");
  add_list(app, "--input", options.inputs,
           "What a buffer holds: 1,2,3 | iota | fill:V | random:SEED | a rule, as in a case (2*i) | @file.json | "
           "@file.npy | -; of a kernel from PTX also its type and length, unless a .npy has them: x:f32[1000]=random:1",
           "NAME=WHAT");
  add_list(app, "--param", options.params, "The value of a scalar parameter: pivot=5", "NAME=VALUE");
  app.add_flag("--contract", options.contract,
               wrapped("Of a kernel from PTX: fuse products and sums as ptxas does without -fmad=false"));
  add_text(app, "--max-cycles", options.max_cycles, "Stop the run after N cycles", "N");
  add_text(app, "--resident-blocks", options.resident_blocks,
           "How many blocks are resident at once; default what an H200, or the profile's device, holds", "N");
}

void add_machine(CLI::App& app, Options& options) {
  add_choice(app, "--reconvergence", options.reconvergence,
             "How diverged lanes continue: stack (default), they wait to reconverge; independent, each "
             "group issues in turn",
             kReconvergences);
  add_text(app, "--schedule", options.schedule,
           "The order of warps: rr or lockstep (default), all side by side; blocks, one after the other, each until it "
           "waits, sleeps or has issued 4096 instructions; fuzz:SEED, a random order of warps, of groups of lanes and "
           "of lanes that access one address, the same for the same SEED",
           "ORDER");
}

void add_engine(CLI::App& app, Options& options) {
  add_choice(app, "--engine", options.engine,
             "What executes a run that nothing checks, with schedule blocks: auto (default), machine code "
             "where that pays; interpreter; compiled, machine code from the start",
             "auto|interpreter|compiled");
  add_text(app, "--threads", options.threads,
           "At most N threads of this machine share the blocks of a long run that nothing checks, where the order of "
           "blocks cannot show in the results; default as many as it has processors",
           "N");
  app.add_flag("--engine-log", options.engine_log,
               wrapped("Say on standard error what was executed as machine code, on how many threads, and why"));
}

void add_profile(CLI::App& app, Options& options, bool value_is_optional) {
  CLI::Option* profile = add_text(
      app, "--profile", options.profile,
      std::string(
          "How long each instruction takes: lockstep (default), one instruction of each warp a cycle; documents, h200, "
          "documents:low ... or FILE.json, see `warpsim schema profile`") +
          (value_is_optional ? "; all, or without a value: all of them side by side" : ""),
      "PROFILE");
  if (value_is_optional) profile->expected(0, 1);
  add_choice(app, "--scheduler", options.scheduler,
             "With a profile, which warp of a sub-core issues: gto, the last one, else the oldest; lrr, in "
             "turn; oldest; default the profile's own",
             kSchedulers);
  add_text(app, "--sms", options.sms,
           "With a profile, how many SMs the device has: with 1 all blocks come to one; default the profile's own",
           "N");
}

void add_fuzz(CLI::App& app, Options& options) {
  add_text(app, "--seed", options.seed, "The first program's seed, default 1", "S");
  add_text(app, "--count", options.count, "How many programs, of all shards together, default 1000", "N");
  add_choice(app, "--backend", options.backend,
             "What the simulator is compared with: reference (default), a second interpreter; cuda, a GPU",
             "reference|cuda");
  add_choice(app, "--engine", options.engine,
             "How the simulator runs them: interpreter (default); compiled, as machine code, with schedule "
             "blocks and independent lanes",
             "interpreter|compiled");
  add_text(app, "--shard", options.shard, "Only every N-th program, from the I-th on; I is 0 to N - 1", "I/N");
  add_text(app, "--max-differences", options.max_differences, "Stop after K differences, default 10", "K");
  app.add_flag("--merge", options.merge, wrapped("Merge the --json answers of all shards: FILEs"));
  add_text(app, "-o,--output", options.output,
           "Where the first difference's program goes, default fuzz-SEED.warp, - for standard output", "FILE");
}

void add_window(CLI::App& app, Options& options, bool has_form) {
  add_text(app, "--from", options.from, "Only the events from cycle N on; of a GPU's trace, from the N-th event on",
           "N");
  add_text(app, has_form ? "--until" : "--to,--until", options.to, "Only the events up to cycle N", "N");
  add_text(app, "--block-index", options.block_index, "Only the N-th block, from 0", "N");
  add_text(app, "--warp", options.warp, "Only the N-th warp of each block, from 0", "N");
  add_text(app, "--max-events", options.max_events, "Only the first N of these events", "N");
}

void add_pixels(CLI::App& app, Options& options) {
  add_text(app, "--scale", options.scale,
           "Of png, apng and gif: pixels for each pixel of the SVG, 0.1 to 10, default 1", "X");
  add_choice(app, "--theme", options.theme, "Of png, apng and gif: the colours, default light", kThemes);
  add_text(app, "--delay", options.delay,
           "Of apng and gif: for how many seconds a step is shown, 0.02 to 15, default 1; the last for four times as "
           "long",
           "SECONDS");
}

void add_serve(CLI::App& app, Options& options) {
  app.add_flag("--open", options.open, wrapped("Open the page in a browser; without -o it goes to a temporary folder"));
  app.add_flag("--serve", options.serve,
               wrapped("Serve the page on this machine alone, and reload it in the browser when the program, its "
                       "inputs or the trace change; Ctrl-C ends it"));
  add_text(app, "--port", options.port, "With --serve: the port, 0 for any free one; default 8321, or a free one", "N");
}

void add_site(CLI::App& app, Options& options) {
  app.add_flag("--open", options.open, wrapped("Open the site in a browser"));
  app.add_flag("--serve", options.serve, wrapped("What the verb does anyway"));
  add_text(app, "--port", options.port, "The port, 0 for any free one; default 8321, or a free one", "N");
}

void add_report(CLI::App& app, Options& options) {
  add_text(app, "--schedules", options.schedules,
           "Also run each case under N other schedules, half of them with independent lanes; default 4, and 20 where a "
           "compare-and-swap may be stale",
           "N");
  app.add_flag("--advice", options.advice, wrapped("Also report what costs time: bank conflicts, idle lanes ..."));
  add_text(app, "--suppress", options.suppress, "Leave out the findings that FILE lists: CODE PROGRAM # reason",
           "FILE");
  add_text(app, "--sarif", options.sarif, "Also write the findings as SARIF 2.1.0", "FILE");
}

void add_program(CLI::App& app, Options& options) {
  add_list(app, "--only,--kernel-name", options.only,
           "Check and time only kernels of this name; *, ? and [abc] as in a shell", "KERNEL");
  add_text(app, "--launches", options.launches, "Check and time only these launches, counted from 1: 3, 1-3, 2-",
           "N[-M]");
  add_text(app, "--trace", options.trace_of,
           "Write a trace of the N-th launch of a kernel, default the first, to -o FILE.ndjson", "KERNEL[:N]");
  add_text(app, "-o,--output", options.output, "The file of the trace", "FILE");
  add_text(app, "--max-cycles", options.max_cycles,
           "Stop a launch after N cycles, or N instructions of warps without --profile: exit code 4", "N");
  add_engine(app, options);
  add_text(app, "--log,--log-file", options.log, "Write what is found to FILE, not to standard error", "FILE");
  add_text(
      app, "--streams", options.streams,
      "The order of work in different streams: issue (default), as the program gives it; fuzz:SEED, another that CUDA "
      "allows",
      "ORDER");
  add_choice(app, "--leak-check", options.leak_check,
             "Whether memory that is never freed is reported: full (default), no", "full|no");
  add_text(app, "--suppress", options.suppress, "Leave out the findings that FILE lists: CODE KERNEL # reason", "FILE");
  add_text(app, "--sarif", options.sarif, "Also write the findings as SARIF 2.1.0", "FILE");
}

// What runs, and on which machine.
void add_run_options(CLI::App& app, const Verb& verb, Options& options) {
  const auto takes = [&verb](OptionSet set) { return (verb.options & set) != 0; };
  if (takes(kTakesKernel))
    add_text(app, "--kernel", options.kernel, "Of a file with several kernels, the one of this name", "KERNEL");
  if (takes(kTakesKernel | kTakesLinks))
    add_list(app, "--link", options.links, "A further file of PTX or CUDA C++, linked by symbol to the kernel's",
             "FILE");
  if (takes(kTakesKernel | kTakesCompiler)) add_compiler(app, options);
  if (takes(kTakesLaunch)) add_launch(app, options, takes(kRunsAllCases), !takes(kTakesLaneList));
  if (takes(kTakesCase)) add_text(app, "--case", options.case_name, "Only the case of this name", "CASE");
  if (takes(kTakesLanes)) add_text(app, "--lanes", options.lanes, "Lanes a warp: 1, 2, 4, 8, 16, 32 or 64", "N");
  if (takes(kTakesLaneList))
    add_text(app, "--lanes", options.lanes, "Only these lane counts, of 1, 2, 4, 8, 16, 32 and 64", "N[,N...]");
  if (takes(kTakesMachine)) add_machine(app, options);
  if (takes(kTakesEngine)) add_engine(app, options);
  if (takes(kTakesProfile)) add_profile(app, options, takes(kTakesAllProfiles));
  if (takes(kTakesTiming))
    add_choice(app, "--timing", options.timing,
               takes(kTakesProgram)
                   ? "With a profile, what is timed: the program's machine code, where it can be (default), or the PTX"
                   : "With a profile, what is timed: the program as it is written (default), or the machine code that "
                     "ptxas makes of it",
               kTimings);
  if (takes(kTakesExpand))
    app.add_flag("--expand", options.expand, wrapped("Replace broadcast, reduce and scan by equivalent shuffles"));
  if (takes(kTakesBackend))
    add_choice(app, "--backend", options.backend,
               "Where it runs: simulator (default), or cuda, the GPU of this machine", "simulator|cuda");
  if (takes(kTakesBackend | kTakesGpuTime))
    add_text(app, "--gpu-seconds", options.gpu_seconds, "Stop if the GPU needs more than N seconds, default 60", "N");
  if (takes(kTakesCapture)) {
    add_text(app, "--record", options.record, "Also write what the GPU did to DIR", "DIR");
    add_text(app, "--against", options.against, "Compare with what a GPU did, from DIR; needs no GPU", "DIR");
  }
  if (takes(kTakesRecord))
    add_text(app, "--record", options.record, "Write the code of all programs of the catalogue to FILE; needs ptxas",
             "FILE");
  if (takes(kTakesCycles)) {
    app.add_flag("--cycles", options.cycles, wrapped("Compare cycles with a GPU's clocks"));
    app.add_flag("--machine-code", options.machine_code,
                 wrapped("With --cycles: of the machine code that ran, not of the programs"));
    app.add_flag("--markdown", options.markdown,
                 wrapped("With --cycles: as Markdown tables, with the cycles of the worst kernels"));
  }
  if (takes(kTakesBase)) {
    add_text(app, "--from", options.from, "Take the cycles from FILE, as `crosscheck --cycles --record` wrote it",
             "FILE");
    add_text(app, "--base", options.profile, "The profile to start from, a name or a file, default h200", "PROFILE");
  }
}

// What is written, and how.
void add_output_options(CLI::App& app, const Verb& verb, Options& options) {
  const auto takes = [&verb](OptionSet set) { return (verb.options & set) != 0; };
  if (takes(kTakesOutput)) add_text(app, "-o,--output", options.output, "Write to FILE, - for standard output", "FILE");
  if (takes(kTakesArrays))
    add_list(app, "--output", options.outputs, "Write a buffer as the run leaves it, as an array of NumPy: y=@y.npy",
             "NAME=@FILE.npy");
  if (takes(kTakesFormat))
    add_choice(app, "--format", options.format,
               "The trace's form, default by the end of -o FILE (.json, .ndjson, .txt), else json", kTraceFormats);
  if (takes(kTakesForm))
    add_choice(app, "--to", options.to_form, "What to make of it, default by the end of -o FILE",
               export_form_choices());
  if (takes(kTakesPixels)) add_pixels(app, options);
  if (takes(kTakesServe)) add_serve(app, options);
  if (takes(kTakesSite)) add_site(app, options);
  if (takes(kTakesWindow)) add_window(app, options, takes(kTakesForm));
  if (takes(kTakesCompress))
    add_choice(app, "--compress", options.compress, "Compress, default by the end of -o FILE (.gz, .zst)",
               "gzip|zstd|none");
  if (takes(kTakesAscii)) app.add_flag("--ascii", options.ascii, "No character outside ASCII in text: OK, <->, ->");
  if (takes(kTakesLanguage)) {
    add_choice(app, "--lang", options.language, "The language of diagrams, verdicts and pages, default English",
               kLanguages);
    add_text(app, "--catalogue", options.catalogue,
             "With --lang ko: your own program's texts in Korean, {\"English\": \"Korean\", ...}", "FILE");
  }
}

// What is looked for, and how it is reported.
void add_report_options(CLI::App& app, const Verb& verb, Options& options) {
  const auto takes = [&verb](OptionSet set) { return (verb.options & set) != 0; };
  if (takes(kTakesCommands))
    add_list(app, "--cmd", options.commands,
             "Run these commands, separated by `;`, and quit: \"break 9; continue; print %x\"", "COMMANDS");
  if (takes(kTakesCheck))
    add_choice(app, "--check", options.check,
               "Look for undefined values, races, barriers: findings fail (on, the default), are only "
               "reported (warn), or are not looked for (off)",
               kChecks);
  if (takes(kTakesReport)) add_report(app, options);
  if (takes(kTakesProgram)) add_program(app, options);
  if (takes(kTakesCheck | kTakesReport)) {
    add_choice(app, "--error-on", options.error_on,
               "The mildest finding that fails: error (default), or warning; a warning that does not fail "
               "is reported all the same",
               kFailingSeverities);
    add_text(app, "--error-exitcode", options.error_exitcode, "The exit code if a finding fails, default 1 or 4", "N");
  }
  if (takes(kTakesMarkdown)) app.add_flag("--markdown", options.markdown, "As the text of isa/README.md");
  if (takes(kTakesCounts)) app.add_flag("--counts", options.counts, "Also print what the run did, in numbers");
  if (takes(kTakesJunit)) add_text(app, "--junit", options.junit, "Also write the results as JUnit XML", "FILE");
  if (takes(kTakesPage))
    app.add_flag("--markdown", options.markdown,
                 wrapped("As the text of programs/README.md: all cases are run at 1 to 64 lanes"));
  if (takes(kTakesFuzz)) add_fuzz(app, options);
  if (takes(kTakesTask)) {
    add_text(app, "--seed", options.seed, "What the hidden inputs are drawn from, default the program's own text", "N");
    add_text(app, "--hint", options.hint, "Print a hint: 1 a direction, 2 the idea, 3 nearly the line", "1|2|3");
  }
  if (takes(kTakesNames)) {
    app.add_flag("--names", options.names_only, "Only the names, one a line");
    app.add_flag("--bugs", options.mistakes, wrapped("Also the mistakes and their fixes, as the last group"));
  }
  if (takes(kTakesMan)) app.add_flag("--man", options.man, "All verbs as a manual page, for `man -l -`");
}

}  // namespace

void add_options(CLI::App& app, const Verb& verb, Options& options) {
  add_run_options(app, verb, options);
  add_output_options(app, verb, options);
  add_report_options(app, verb, options);
}

void add_common(CLI::App& app, Options& options) {
  add_text(app, "--programs", options.programs_dir, "Take the programs from DIR/GROUP/NAME.warp", "DIR");
  add_choice(app, "--color", options.color, "Colour messages, default auto; NO_COLOR turns it off",
             "auto|always|never");
  app.add_flag("--json", options.json, "Answer with one JSON document on standard output");
}

}  // namespace warpsim::tools
