// What a GPU did with a program, kept in a file, so that a machine without a GPU can hold the simulator against it.
//
// Shapes: DIR/GROUP/NAME.json holds the outputs of every case at every lane count, DIR/GROUP/NAME.steps.ndjson the
//         trace of one small run, and DIR/GROUP/NAME.device.json says which GPU, driver, day and PTX that was: what
//         changes from capture to capture stands there alone. Inputs are kept as the rules that make them, with a hash
//         of their bits, so that a case that has changed is noticed.
// Units:  lanes; hashes take the steps of 64-bit FNV-1a over little-endian words. Their start is not FNV's own but
//         1469598103934665603; it stays, for captures hold such hashes.
// Errors: read_capture() says what is wrong with a file, for a person.
// Source: traces/captures/README.md describes the files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "isa/cases/case.h"
#include "isa/program/program.h"
#include "sim/launch/launch.h"

namespace warpsim::tools {

using Arrays = std::vector<std::pair<std::string, Array>>;

struct CapturedRun {
  std::string case_name;
  unsigned lanes = 32;
  std::map<std::string, std::string> rules;   // by input: as the case writes them
  std::string inputs_hash;                    // of all buffers and scalars, in parameter order
  Arrays outputs;                             // of the PTX
  bool has_kernel = false;                    // the hand-written kernel ran, too
  Arrays kernel_outputs;                      // empty: the same
  std::map<std::string, std::string> hashes;  // of buffers that are too long to be kept, by name
};

struct Capture {
  std::string program;  // "p26/butterfly_parallel_max"
  std::vector<CapturedRun> runs;
};

// Of one capture, which a file beside it keeps.
struct CaptureDevice {
  std::string device, driver, date;
  unsigned target = 0;
  std::map<std::string, std::string> ptx;  // "test at 8 lanes" → the hash of its PTX
};

std::string today();  // UTC: "2026-11-22"
std::string hash_of(std::string_view text);
std::string hash_of(const Array& array);
std::string inputs_hash(const Program& program, const Arguments& arguments);
// The rules of the case's inputs and scalar parameters, by name.
std::map<std::string, std::string> input_rules(const Program& program, const Case& one);

std::string to_json(const Capture& capture);
std::string to_json(const CaptureDevice& device);
[[nodiscard]] std::variant<Capture, std::string> read_capture(std::string_view text);

}  // namespace warpsim::tools
