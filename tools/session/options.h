// What the command line said, as plain data.
//
// Shapes: filled by command_line.cpp, read by the verbs. Numbers stay text here; the verbs that need them read them, so
//         that every bad value is reported in the same words.
// Errors: none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsim::tools {

inline constexpr std::string_view kOnWarning = "warning";  // of --error-on

struct Options {
  std::string verb;                // "run"; a puzzle's flag leads here too
  std::vector<std::string> names;  // NAME, FILE or PATH, in writing order

  std::vector<std::string> links;  // further files of PTX, linked to it
  std::string kernel;              // of a file that holds several; "": the only one, or all

  // How nvcc compiles CUDA C++.
  std::string arch;                                  // "": sm_90
  std::vector<std::string> include_folders, macros;  // of -I and -D
  bool rdc = false;                                  // for linking; --link asks for it, too
  bool device_debug = false;                         // -G: unoptimised, with the names of variables

  // The launch.
  std::string case_name, lanes, grid, block, max_cycles, resident_blocks, shared;
  std::string engine, threads;
  bool engine_log = false;
  std::string reconvergence, schedule;      // "": stack, rr
  std::string profile, scheduler, sms;      // "": lockstep, the profile's own
  std::string timing;                       // "": of the program
  std::string behind_profile;               // the word after a --profile without a value: a NAME
  std::vector<std::string> inputs, params;  // "name=value"
  std::vector<std::string> outputs;         // "name=@file.npy"
  bool expand = false;
  bool contract = false;  // of PTX: products and sums are fused as ptxas does it

  // Where it runs, and where the other side of a fuzz does: "" is the verb's own.
  std::string backend;
  std::string gpu_seconds;

  std::vector<std::string> commands;  // of a stepper

  // Sources and destinations.
  std::string programs_dir;     // "": the embedded programs
  std::string output;           // "" or "-": standard output
  std::string junit;            // "": none
  std::string record, against;  // folders of captures, "": none

  // A window of a trace, and what it becomes.
  std::string from, to, block_index, warp, max_events;
  std::string compress;             // "": as the output's name ends
  std::string to_form;              // of an export
  std::string scale, theme, delay;  // of a picture in pixels

  // A page for a browser.
  bool open = false, serve = false;
  std::string port;

  // A fuzz.
  std::string seed, count, shard, max_differences;
  bool merge = false;

  // What is looked for in a run, and how it is reported.
  std::string check;     // "", "on", "warn", "off"
  std::string error_on;  // "", "warning", "error"
  std::string schedules, error_exitcode, suppress, sarif;
  bool advice = false;

  // A CUDA program that is run; its own words are among the names.
  std::vector<std::string> only;
  std::string launches, trace_of, log, leak_check, streams;

  // How it looks.
  std::string format;  // "": the verb's own
  std::string color = "auto";
  std::string language = "en";
  std::string catalogue;  // a file of translations, "": none
  bool ascii = false;
  bool json = false;
  bool markdown = false;
  bool names_only = false;
  bool mistakes = false;  // of a list: not only counted
  bool man = false;       // help as a manual page
  bool counts = false;
  bool cycles = false;        // of a crosscheck: cycles, not values
  bool machine_code = false;  // … and of machine code
  std::string hint;           // of a task: which grade
};

}  // namespace warpsim::tools
