// Runs assembly text on the machine and records it, for tests.
#pragma once

#include <string>

#include "tests/support/run.h"
#include "traces/record/recorder.h"

namespace warpsim::testing {

inline Trace record_text(const std::string& text, RunSetup setup) {
  Checker checker;
  const Assembled assembled = assemble(text, "test.warp");  // as run_text() does
  RecorderOptions options;
  options.lesson = assembled.lesson();
  options.checker = &checker;
  Recorder recorder(options);
  setup.sinks = {&checker, &recorder};
  const Ran ran = run_text(text, setup);
  EXPECT_NE(ran.machine, nullptr) << ran.error.message;
  return recorder.take();
}

}  // namespace warpsim::testing
