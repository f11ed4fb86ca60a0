// Runs a program of programs/ under a case and records it, for tests.
//
// Shapes: a RecordedRun holds the whole trace; `error` says why there is none.
// Units:  none.
// Errors: faults become text, so that a test can print it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "sim/launch/launch.h"
#include "sim/machine/machine.h"
#include "tests/support/korean_text.h"
#include "traces/record/recorder.h"

namespace warpsim::testing {

inline std::string source_text(const std::string& path) {
  std::ifstream file(std::string(WARPSIM_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// `name` is "p26/butterfly_parallel_max".
inline Assembled assemble_program(const std::string& name) {
  return assemble(source_text("programs/" + name + ".warp"), name + ".warp", name.substr(0, name.find('/')));
}

// The programs of these groups, as files: "reduce/argmax", sorted.
inline std::vector<std::string> programs_in(const std::vector<std::string>& groups) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const std::string& group : groups) {
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(WARPSIM_SOURCE_DIR) / "programs" / group))
      names.push_back(group + "/" + entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct RecordedRun {
  Trace trace;
  std::string error;
};

// `others` watch the run too.
inline RecordedRun record_run(const Lesson& program, const Case& one, const CaseOverrides& overrides,
                              std::vector<EventSink*> others = {}) {
  RecordedRun run;
  std::variant<PreparedCase, LaunchError> prepared = prepare_case(program, one, overrides);
  if (const LaunchError* fault = std::get_if<LaunchError>(&prepared)) {
    run.error = fault->code + ": " + fault->message;
    return run;
  }
  const PreparedCase& ready = std::get<PreparedCase>(prepared);
  std::variant<Machine, LaunchError> made = Machine::create(program, ready.config, ready.arguments);
  if (const LaunchError* fault = std::get_if<LaunchError>(&made)) {
    run.error = fault->code + ": " + fault->message;
    return run;
  }
  RecorderOptions options;
  options.lesson = &program;
  options.case_name = one.name;
  for (const auto& [output, array] : ready.expected) options.expected[output] = array;
  Checker checker(ready);
  options.checker = &checker;
  Recorder recorder(options);
  others.insert(others.end(), {&checker, &recorder});
  std::get<Machine>(made).run(others);
  run.trace = recorder.take();
  expect_korean(run.trace.outcome);
  return run;
}

inline RecordedRun record_run(const std::string& name, const std::string& case_name, const CaseOverrides& overrides) {
  const Assembled assembled = assemble_program(name);
  if (!assembled.lesson()) return {{}, assembled.diagnostics.render()};
  const Case* one = assembled.lesson()->find_case(case_name);
  if (one == nullptr) return {{}, name + " has no case " + case_name};
  return record_run(*assembled.lesson(), *one, overrides);
}

}  // namespace warpsim::testing
