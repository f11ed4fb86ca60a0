// The JSON Schema agrees with what is written, and refuses what is not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/every_program.h"
#include "tests/traces/io/sample_trace.h"
#include "tests/traces/record/timed_trace.h"
#include "traces/io/window.h"
#include "traces/io/writer.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

const char* const kValidate = R"(
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
validators = {}
def check(value, part):
    if part not in validators:
        validators[part] = Draft202012Validator({'$ref': '#/$defs/' + part, '$defs': schema['$defs']} if part else schema)
    for error in validators[part].iter_errors(value):
        print('/'.join(map(str, error.absolute_path)), error.message)
        sys.exit(1)
def check_file(path, shape):
    text = open(path, encoding='utf-8').read()
    if shape == 'ndjson':
        lines = [json.loads(line) for line in text.splitlines()]
        check(lines[0], 'head')
        for line in lines[1:-1]: check(line, 'event')
        check(lines[-1], 'last_record')
    else:
        check(json.loads(text), None)
if sys.argv[3] == 'list':
    for line in open(sys.argv[2]): check_file(*line.split())
else:
    check_file(sys.argv[2], sys.argv[3])
)";

class Schema : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null") != 0)
      GTEST_SKIP() << "SKIPPED ALOUD: python3 with jsonschema is not installed (Debian: python3-jsonschema)";
    std::string pattern = (fs::temp_directory_path() / "warpsim_schema_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(folder_ / "validate.py") << kValidate;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  bool accepts(const std::string& text, const std::string& shape) const {
    std::ofstream(folder_ / "trace.json") << text;
    const std::string command = "python3 '" + (folder_ / "validate.py").string() +
                                "' '" WARPSIM_SOURCE_DIR "/traces/trace.schema.json' '" +
                                (folder_ / "trace.json").string() + "' " + shape;
    return std::system(command.c_str()) == 0;
  }
  fs::path folder_;
};

TEST_F(Schema, AcceptsWhatIsWritten) {
  for (const unsigned lanes : {8U, 64U}) {
    EXPECT_TRUE(accepts(to_json(testing::sample_trace(lanes)), "json"));
    EXPECT_TRUE(accepts(to_ndjson(testing::sample_trace(lanes)), "ndjson"));
  }
  Trace sourced = testing::sample_trace(8);
  sourced.head = testing::sourced_head(8);
  EXPECT_TRUE(accepts(to_json(sourced), "json"));
  EXPECT_TRUE(accepts(to_ndjson(sourced), "ndjson"));
  EXPECT_TRUE(accepts(to_json(testing::timed_trace()), "json"));
  EXPECT_TRUE(accepts(to_ndjson(testing::timed_trace()), "ndjson"));
}

// All programs, both shapes, and a window of each; one process for all of them.
TEST_F(Schema, AcceptsEveryProgram) {
  std::ofstream list(folder_ / "list");
  std::size_t k = 0;
  testing::for_each_program(
      [&](const Lesson&, const Trace& trace) {
        if (trace.head.lanes > 16) return;  // a value is a value; python takes a second for a trace of 64 lanes
        WindowOptions middle;
        middle.from = trace.outcome.cycles / 2;
        const std::string path = (folder_ / std::to_string(k++)).string();
        std::ofstream(path + ".json") << to_json(trace);
        std::ofstream(path + ".ndjson") << to_ndjson(window_of(trace, middle));
        list << path << ".json json\n" << path << ".ndjson ndjson\n";
      },
      testing::LanesInTurn());
  list.close();
  EXPECT_GT(k, 30U);
  const std::string command = "python3 '" + (folder_ / "validate.py").string() +
                              "' '" WARPSIM_SOURCE_DIR "/traces/trace.schema.json' '" + (folder_ / "list").string() +
                              "' list";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(Schema, RefusesWhatTheFormatForbids) {
  std::string document = to_json(testing::sample_trace(8));
  const auto refuses = [&](const std::string& from, const std::string& to) {
    std::string text = document;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return !accepts(text.replace(at, from.size(), to), "json >/dev/null");
  };
  EXPECT_TRUE(refuses("\"lanes\": 8", "\"lanes\": 12"));
  EXPECT_TRUE(refuses("\"1.0\"", "\"2.0\""));
  EXPECT_TRUE(refuses("\"active\": \"0x0000000f\"", "\"active\": \"0xf\""));
  EXPECT_TRUE(refuses("\"cycle\": 3, ", ""));
  EXPECT_TRUE(refuses("\"ways\": 2", "\"ways\": 0"));
  EXPECT_TRUE(refuses("\"kind\": \"exit\"", "\"kind\": \"leave\""));
  Trace sourced = testing::sample_trace(8);
  sourced.head = testing::sourced_head(8);
  document = to_json(sourced);
  EXPECT_TRUE(refuses("\"address\": true", "\"address\": 1"));
  EXPECT_TRUE(refuses("\"place\": 1", "\"place\": \"1\""));
  EXPECT_TRUE(refuses("\"file\": \"sum.cu\", ", ""));
  EXPECT_TRUE(refuses(", \"column\": 3", ""));
  EXPECT_TRUE(refuses(", \"end\": 2", ""));
  document = to_json(testing::timed_trace());
  EXPECT_TRUE(refuses(", \"sub_cores\": 4", ""));
  EXPECT_TRUE(refuses("\"cycles\": 29", "\"cycles\": 0"));
  EXPECT_TRUE(refuses("\"sub_core\": 1", "\"sub_core\": \"1\""));
}

}  // namespace
}  // namespace warpsim
