// A host for programs of programs/: launches one on given arrays, as a CUDA host would, and hands back what it wrote.
//
// Shapes: a Host holds the launch and the inputs by name; Outputs are the `out` buffers by name, bits in each word.
// Units:  lengths count elements.
// Errors: what goes wrong becomes a test failure, and the outputs are empty.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/program_run.h"

namespace warpsim::testing {

inline Array f32_array(const std::vector<float>& values) {
  Array array{Type::F32, {}};
  for (const float value : values) array.bits.push_back(std::bit_cast<std::uint32_t>(value));
  return array;
}
inline Array s32_array(const std::vector<std::int32_t>& values) {
  Array array{Type::S32, {}};
  for (const std::int32_t value : values) array.bits.push_back(static_cast<std::uint32_t>(value));
  return array;
}
inline std::vector<float> f32_values(const Array& array) {
  std::vector<float> values;
  for (const std::uint64_t bits : array.bits) values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return values;
}
inline std::vector<std::int32_t> s32_values(const Array& array) {
  std::vector<std::int32_t> values;
  for (const std::uint64_t bits : array.bits)
    values.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
  return values;
}

struct Host {
  unsigned lanes = 32;
  std::uint32_t grid = 1, block = 32;
  std::map<std::string, std::string, std::less<>> params;
  std::map<std::string, Array, std::less<>> inputs;

  using Outputs = std::map<std::string, Array, std::less<>>;

  CaseOverrides overrides() const {
    CaseOverrides over;
    over.lanes = lanes;
    over.grid = Dim3{grid, 1, 1};
    over.block = Dim3{block, 1, 1};
    over.params = params;
    over.input_arrays = inputs;
    return over;
  }

  // With the recorder and the finding of undefined values.
  Trace record(const Lesson& program) const {
    RecordedRun run = record_run(program, Case{}, overrides());
    EXPECT_EQ(run.error, "");
    EXPECT_FALSE(run.trace.outcome.trap.has_value());
    EXPECT_TRUE(run.trace.outcome.findings.empty());
    EXPECT_TRUE(run.trace.outcome.undefined.empty());
    return std::move(run.trace);
  }
  Outputs checked_run(const Lesson& program) const {
    const Trace trace = record(program);
    return {trace.outcome.outputs.begin(), trace.outcome.outputs.end()};
  }
  // As fast as the machine goes: for many blocks.
  Array fast_run(const Lesson& program, std::string_view output) const {
    const std::variant<PreparedCase, LaunchError> prepared = prepare_case(program, Case{}, overrides());
    const PreparedCase* ready = std::get_if<PreparedCase>(&prepared);
    if (ready == nullptr) {
      ADD_FAILURE() << std::get<LaunchError>(prepared).message;
      return {};
    }
    std::variant<Machine, LaunchError> made = Machine::create(program, ready->config, ready->arguments);
    if (const LaunchError* fault = std::get_if<LaunchError>(&made)) {
      ADD_FAILURE() << fault->message;
      return {};
    }
    Machine& machine = std::get<Machine>(made);
    const RunResult result = machine.run();
    EXPECT_TRUE(result.ok) << english(result.trap.message);
    return machine.buffer(output);
  }
};

}  // namespace warpsim::testing
