// Profiles as JSON: what is read, what is refused and where, what is written, and that the schema refuses no less.
#include "traces/profile/profile_json.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "isa/table/op.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Small, with one of everything.
const char* const kSmall = R"({
  "format": "warpsim profile", "version": "1.0",
  "name": "small", "title": "for a test",
  "provenance": [{"what": "all", "source": "invented", "date": "2026-11-21"}],
  "scheduler": "lrr",
  "sm": {"sub_cores": 4, "sms": 2, "max_warps": 64, "max_blocks": 32, "max_shared_bytes": 1000},
  "pipes": {"a": "sub-core", "b": "sub-core", "bank": "sm"},
  "classes": {
    "plain": {"pipes": ["a", "b"], "interval": 2.5, "latency": {"else": 4, "guard": 13, "slow": [5, 6]}},
    "slow": {"pipes": ["b"], "interval": 4, "interval_per_way": 2, "sm_pipe": "bank", "sm_interval": 1, "issue": 3, "variable": true, "queued": true, "passes_barrier": true, "per_way": 2, "per_line": 0.5, "per_value": 11, "latency": {"else": [20, 40]}}
  },
  "rules": [
    {"units": ["shfl"], "ops": ["shfl.*"], "types": ["b32"], "constants": true, "class": "plain"},
    {"units": ["shfl", "vote", "mem", "shared"], "class": "slow"},
    {"class": "plain"}
  ],
  "branch": {"taken": 7, "parted": 11, "joined": 3, "passed": 2, "other_side": 5},
  "barrier": {"release": 12, "leave": [1, 3]},
  "global": {"sector_bytes": 32, "l1": {"line_bytes": 128, "bytes": 1024, "latency": 30}, "l2": {"line_bytes": 128, "bytes": 65536, "latency": [200, 300]}, "dram_latency": 600},
  "address": {"class": "plain", "issue": 1, "latency": 5},
  "machine_code": {"classes": {
    "shuffle": {"pipes": ["b"], "interval": 4, "interval_per_way": 2, "sm_pipe": "bank", "sm_interval": 1, "issue": 33, "queued": true, "passes_barrier": true, "merges_lanes": true, "keeps_turn": true, "waits_for_stores": true, "per_way": 2, "per_line": 0.5, "per_value": 11, "scoreboard": [24, 25], "predicate": 6, "by_register": 2, "operands_read": 11, "interlock": 9, "queue": 5},
    "plain": {}
  },
  "rules": [
    {"opcodes": ["SHFL*", "F2F.*.F64"], "class": "shuffle"},
    {"opcodes": ["ATOMS*"], "registers": 3, "class": "shuffle"},
    {"opcodes": ["*"], "class": "plain"}
  ],
  "branch": {"taken": 1, "parted": 2, "joined": 3, "passed": 4, "other_side": [5, 6]},
  "fetch": {"line": 128, "lines": 256, "ways": 4, "line_interval": 16.5, "miss": 100, "restart": 1, "ahead": 4},
  "memory": {"l2_latency": 250, "l2_nearest": 240, "read_sector": 0.5, "far_page": 180, "page_bits": 11, "near_pages": 3, "write": 0.25, "write_line": 2, "write_sector": 1.25, "write_partial": 1.5, "write_mask": 1.125, "write_lines": 20, "write_room": 96, "atomic_sector": 1, "atomic_lane": 1.75, "write_ahead": 500, "constants": 70, "uniform_constants": 48, "constants_apart": 3}}
}
)";

ProfileFile profile_from(const std::string& text) {
  auto result = read_profile(text);
  if (const auto* error = std::get_if<JsonError>(&result)) {
    ADD_FAILURE() << render(*error, "profile.json");
    return {};
  }
  return std::get<ProfileFile>(std::move(result));
}

JsonError refused(const std::string& text) {
  auto result = read_profile(text);
  if (const auto* error = std::get_if<JsonError>(&result)) return *error;
  ADD_FAILURE() << "was read:\n" << text;
  return {};
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kSmall;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ProfileJson, ReadsHowLongMachineCodeTakes) {
  const ProfileFile file = profile_from(kSmall);
  ASSERT_EQ(file.bounds.size(), 2U);
  ASSERT_TRUE(file.bounds[0].machine_code && file.bounds[1].machine_code);
  const CodeTimingProfile &low = *file.bounds[0].machine_code, &high = *file.bounds[1].machine_code;
  ASSERT_EQ(low.classes.size(), 2U);
  const TimingClass& shuffle = low.classes[0];
  EXPECT_EQ(shuffle.pipes, std::vector<std::uint8_t>{1});
  EXPECT_EQ(shuffle.sm_pipe, 2);
  EXPECT_EQ(shuffle.interval_per_way, 2);
  EXPECT_TRUE(shuffle.is_queued && shuffle.passes_barrier && shuffle.waits_for_stores);
  EXPECT_EQ(shuffle.issue, 33U);
  EXPECT_EQ(shuffle.per_line, 0.5);
  EXPECT_EQ(shuffle.per_value, 11);
  EXPECT_EQ(shuffle.scoreboard, 24U);
  EXPECT_EQ(high.classes[0].scoreboard, 25U);
  EXPECT_EQ(shuffle.scoreboard_of_predicate, 6U);
  EXPECT_EQ(shuffle.scoreboard_by_register, 2U);
  EXPECT_EQ(shuffle.operands_read, 11U);
  EXPECT_EQ(shuffle.interlock, 9U);
  EXPECT_EQ(shuffle.queue, 5U);
  EXPECT_TRUE(shuffle.merges_lanes);
  EXPECT_TRUE(shuffle.keeps_turn);
  EXPECT_EQ(low.memory.read_sector, 0.5);
  EXPECT_EQ(low.memory.far_page, 180U);
  EXPECT_EQ(low.memory.page_bits, 11U);
  EXPECT_EQ(low.memory.near_pages, 3U);
  EXPECT_EQ(low.memory.write_sector, 1.25);
  EXPECT_EQ(low.memory.write_partial, 1.5);
  EXPECT_EQ(low.memory.write_room, 96);
  EXPECT_EQ(low.memory.atomic_sector, 1);
  EXPECT_EQ(low.memory.atomic_lane, 1.75);
  EXPECT_EQ(low.memory.write_line, 2);
  EXPECT_EQ(low.memory.write, 0.25);
  EXPECT_EQ(low.memory.write_mask, 1.125);
  EXPECT_EQ(low.memory.write_lines, 20U);
  EXPECT_EQ(low.memory.write_ahead, 500U);
  EXPECT_EQ(low.memory.l2_latency, 250U);
  EXPECT_EQ(low.memory.constants, 70U);
  EXPECT_EQ(low.memory.uniform_constants, 48U);
  EXPECT_EQ(low.memory.constants_apart, 3U);
  EXPECT_EQ(low.memory.l2_nearest, 240U);
  EXPECT_EQ(low.fetch.ways, 4U);
  EXPECT_EQ(low.fetch.line_interval, 16.5);
  EXPECT_EQ(low.fetch.ahead, 4U);
  EXPECT_EQ(low.branch.other_side, 5U);
  EXPECT_EQ(high.branch.other_side, 6U);
  EXPECT_EQ(low.branch.diverged, 2U);
  EXPECT_EQ(class_of(low, "SHFL.BFLY", 1), 0);
  EXPECT_EQ(class_of(low, "F2F.F32.F64", 1), 0) << "* is anything, in the middle, too";
  EXPECT_EQ(class_of(low, "F2F.F64.F32", 1), 1);
  EXPECT_EQ(class_of(low, "USHFL", 1), 1) << "a pattern is of the whole opcode";
  EXPECT_EQ(class_of(low, "ATOMS.ADD", 2), 1);
  EXPECT_EQ(class_of(low, "ATOMS.ADD", 3), 0) << "as many registers as the rule says, or more";
  EXPECT_EQ(class_of(low, "ATOMS.ADD", 4), 0);
}

TEST(ProfileJson, MachineCodeMayBeLeftOutButFitsNoHalf) {
  const std::string all = kSmall;
  const std::size_t from = all.find(",\n  \"machine_code\"");
  EXPECT_FALSE(profile_from(all.substr(0, from) + "\n}\n").bounds[0].machine_code);
  const JsonError open =
      refused(replaced(R"({"opcodes": ["*"], "class": "plain"})", R"({"opcodes": ["NOP"], "class": "plain"})"));
  EXPECT_EQ(open.code, "J010");
  EXPECT_EQ(open.message, "machine instructions may fit no rule");
  EXPECT_EQ(refused(replaced("\"queue\": 5", "\"queue\": 17")).message, "a queue has at most 16 places");
  EXPECT_EQ(refused(replaced(R"("plain": {}
  })",
                             R"("plain": {"queue": 2}
  })"))
                .code,
            "J006");
  EXPECT_EQ(refused(replaced(R"("SHFL*", "F2F.*.F64"], "class": "shuffle")", R"("SHFL*"], "class": "shuffel")")).code,
            "J011");
  EXPECT_EQ(refused(replaced(R"("plain": {}
  })",
                             R"("plain": {"latency": 4}
  })"))
                .code,
            "J011")
      << "classes of machine code have no latencies";
}

TEST(ProfileJson, ReadsEveryMember) {
  const ProfileFile file = profile_from(kSmall);
  EXPECT_EQ(file.name, "small");
  EXPECT_EQ(file.title, "for a test");
  ASSERT_EQ(file.provenance.size(), 1U);
  EXPECT_EQ(file.provenance[0].source, "invented");
  EXPECT_EQ(file.provenance[0].date, "2026-11-21");
  ASSERT_EQ(file.bounds.size(), 2U);
  const TimingProfile &low = file.bounds[0], &high = file.bounds[1];
  EXPECT_EQ(low.name, "small:low");
  EXPECT_EQ(high.name, "small:high");
  EXPECT_EQ(low.scheduler, Scheduler::Lrr);
  EXPECT_EQ(low.sm.sms, 2U);
  EXPECT_EQ(low.sm.max_shared_bytes, 1000U);
  ASSERT_EQ(low.pipes.size(), 3U);
  EXPECT_TRUE(low.pipes[2].of_sm);
  ASSERT_EQ(low.classes.size(), 2U);
  const TimingClass &plain = low.classes[0], &slow = low.classes[1];
  EXPECT_EQ(plain.pipes, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(plain.interval, 2.5);
  EXPECT_EQ(plain.sm_pipe, -1);
  EXPECT_EQ(plain.issue, 1U);
  EXPECT_EQ(plain.latency, (std::vector<unsigned>{4, 5}));
  EXPECT_EQ(high.classes[0].latency, (std::vector<unsigned>{4, 6}));
  EXPECT_EQ(plain.guard_latency, 13U);
  EXPECT_EQ(slow.guard_latency, 20U);  // as all others, where it is not said
  EXPECT_EQ(high.classes[1].guard_latency, 40U);
  EXPECT_EQ(slow.sm_pipe, 2);
  EXPECT_EQ(slow.interval_per_way, 2);
  EXPECT_EQ(slow.issue, 3U);
  EXPECT_TRUE(slow.is_variable);
  EXPECT_TRUE(slow.is_queued);
  EXPECT_TRUE(slow.passes_barrier);
  EXPECT_FALSE(plain.is_queued);
  EXPECT_FALSE(plain.passes_barrier);
  EXPECT_EQ(slow.per_line, 0.5);
  EXPECT_EQ(slow.per_value, 11);
  ASSERT_EQ(low.rules.size(), 3U);
  EXPECT_EQ(low.rules[0].constants, 1);
  EXPECT_EQ(low.rules[1].cls, 1);
  EXPECT_EQ(low.branch.other_side, 5U);
  EXPECT_EQ(low.barrier.release, 12U);
  EXPECT_EQ(low.barrier.leave, 1U);
  EXPECT_EQ(high.barrier.leave, 3U);
  EXPECT_EQ(low.global.l1.bytes, 1024U);
  EXPECT_EQ(low.global.l2.latency, 200U);
  EXPECT_EQ(high.global.l2.latency, 300U);
  EXPECT_EQ(low.address.latency, 5U);
}

TEST(ProfileJson, WithoutARangeThereIsOneBoundWithThePlainName) {
  std::string text = replaced("[5, 6]", "5");
  text.replace(text.find("[20, 40]"), 8, "20");
  text.replace(text.find("[1, 3]"), 6, "2");
  text.replace(text.find("[200, 300]"), 10, "200");
  text.replace(text.find("[24, 25]"), 8, "24");
  text.replace(text.find("[5, 6]"), 6, "5");
  const ProfileFile file = profile_from(text);
  ASSERT_EQ(file.bounds.size(), 1U);
  EXPECT_EQ(file.bounds[0].name, "small");
}

// What is written reads back to the same, and the file of a built-in profile is as the writer writes it.
TEST(ProfileJson, IsWrittenAsItIsRead) {
  EXPECT_EQ(write_profile(profile_from(write_profile(profile_from(kSmall)))), write_profile(profile_from(kSmall)));
  const Json written = Json::parse(write_profile(profile_from(kSmall))), source = Json::parse(kSmall);
  EXPECT_EQ(written["classes"], source["classes"]);
  EXPECT_EQ(written, source);
  for (const BuiltinProfile& one : builtin_profiles())
    EXPECT_EQ(write_profile(profile_from(std::string(one.text))), one.text) << one.name;
}

TEST(ProfileJson, BuiltInProfilesAreCalledAsTheirFiles) {
  std::set<std::string_view> names;
  for (const BuiltinProfile& one : builtin_profiles()) {
    names.insert(one.name);
    EXPECT_EQ(builtin_profile(one.name)->name, one.name);
    EXPECT_FALSE(builtin_profile(one.name)->provenance.empty()) << one.name;
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"documents", "h200"}));
  EXPECT_FALSE(builtin_profile("h100"));
}

// Each kind of error: what is wrong with it, its place in the text, and what to try.
struct Refusal {
  const char *from, *to;
  const char *code, *message, *pointer, *hint;
};

TEST(ProfileJson, RefusesWithThePlace) {
  const Refusal refusals[] = {
      {"\"warpsim profile\"", "\"warpsim-trace\"", "J007", "this is no profile", "", "`warpsim schema profile`"},
      {"\"1.0\"", "\"2.0\"", "J008", "has version \"2.0\"", "/version", "calibrate"},
      {"\"name\": \"small\"", "\"name\": \"a:b\"", "J006", "a name consists of", "/name", ""},
      {"\"name\": \"small\"", "\"name\": \"lockstep\"", "J006", "having no profile", "/name", "something else"},
      {"\"source\": \"invented\", ", "", "J005", "\"source\" is missing", "/provenance/0", ""},
      {"\"lrr\"", "\"gtp\"", "J011", "there is no scheduler \"gtp\"", "/scheduler", "did you mean \"gto\"?"},
      {"\"sms\": 2", "\"sms\": 0", "J006", "from 1", "/sm/sms", ""},
      {"\"sm\"}", "\"chip\"}", "J006", "expected \"sub-core\" or \"sm\", found \"chip\"", "/pipes/bank", ""},
      {"\"a\": \"sub-core\"", "\"a b\": \"sub-core\"", "J006", "a name consists of", "/pipes/a b", ""},
      {"\"slow\": {", "\"guard\": {", "J006", "a class cannot be called guard", "/classes/guard", ""},
      {"[\"a\", \"b\"]", "[\"a\", \"c\"]", "J011", "there is no pipe of a sub-core \"c\"", "/classes/plain/pipes/1",
       ""},
      {"[\"a\", \"b\"]", "[\"bank\"]", "J006", "\"bank\" is a pipe of the SM", "/classes/plain/pipes/0", "\"sm_pipe\""},
      {"\"sm_pipe\": \"bank\"", "\"sm_pipe\": \"a\"", "J006", "\"a\" is a pipe of a sub-core", "/classes/slow/sm_pipe",
       "\"pipes\""},
      {"\"pipes\": [\"a\", \"b\"], ", "", "J006", "\"pipes\" is missing", "/classes/plain/interval", ""},
      {"\"sm_interval\": 1, ", "", "J005", "\"sm_interval\" is missing", "/classes/slow", ""},
      {"2.5", "\"2.5\"", "J004", "expected a number from 0 to 1000000", "/classes/plain/interval", ""},
      {"2.5", "-1", "J006", "expected a number from 0 to 1000000, found the number -1", "/classes/plain/interval", ""},
      {"\"else\": 4", "\"else\": 4.5", "J006", "a whole number", "/classes/plain/latency/else", ""},
      {"\"else\": 4, ", "", "J005", "\"else\" is missing", "/classes/plain/latency", ""},
      {"\"slow\": [5, 6]", "\"solw\": 5", "J011", "there is no class of a reader \"solw\"",
       "/classes/plain/latency/solw", "did you mean \"slow\"?"},
      {"\"guard\": 13", "\"gaurd\": 13", "J011", "there is no class of a reader \"gaurd\"",
       "/classes/plain/latency/gaurd", "did you mean \"guard\"?"},
      {"[5, 6]", "[6, 5]", "J006", "with low below high", "/classes/plain/latency/slow", "one number"},
      {"[5, 6]", "[5, 6, 7]", "J010", "has 2", "/classes/plain/latency/slow", ""},
      {"\"per_value\"", "\"per_valu\"", "J011", "there is no member \"per_valu\" here", "/classes/slow/per_valu",
       "did you mean \"per_value\"?"},
      {"[\"shfl\"]", "[\"shuffle\"]", "J011", "there is no unit \"shuffle\"", "/rules/0/units/0", "there are alu"},
      {"\"shfl.*\"", "\"shfl.bly\"", "J011", "there is no opcode \"shfl.bly\" in these units", "/rules/0/ops/0",
       "did you mean \"shfl.bfly\"?"},
      {"\"shfl.*\"", "\"popc\"", "J011", "there is no opcode \"popc\" in these units", "/rules/0/ops/0", ""},
      {"[\"b32\"]", "[\"i32\"]", "J011", "there is no type \"i32\"", "/rules/0/types/0", "f32"},
      {"[\"b32\"]", "[]", "J010", "this list is empty", "/rules/0/types", ""},
      {"\"constants\": true", "\"constants\": 1", "J004", "expected true or false", "/rules/0/constants", ""},
      {"{\"class\": \"plain\"}", "{\"class\": \"pain\"}", "J011", "there is no class \"pain\"", "/rules/2/class",
       "did you mean \"plain\"?"},
      {",\n    {\"class\": \"plain\"}", "", "J010", "instructions of the unit alu may fit no rule", "/rules",
       "{\"units\": [\"alu\"]"},
      {"{\"class\": \"plain\"}", "{\"class\": \"plain\"}, {\"units\": [\"alu\"], \"class\": \"slow\"}", "J006",
       "this rule fits nothing", "/rules/3", "the first rule that fits"},
      {"\"interval\": 2.5,", "\"interval\": 2.5, \"issue\": 0,", "J006", "a loop could then take no time",
       "/rules/2/class", "at least 1"},
      {"\"taken\": 7", "\"token\": 7", "J011", "there is no member \"token\" here", "/branch/token", "\"taken\""},
      {"\"sector_bytes\": 32", "\"sector_bytes\": 48", "J006", "a power of two, found 48", "/global/sector_bytes", ""},
      {"\"line_bytes\": 128", "\"line_bytes\": 16", "J006", "a line is at least a sector", "/global/l1/line_bytes", ""},
      {"\"address\": {\"class\": \"plain\"", "\"address\": {\"class\": \"\"", "J011", "there is no class \"\"",
       "/address/class", "plain, slow"},
  };
  for (const Refusal& one : refusals) {
    const JsonError error = refused(replaced(one.from, one.to));
    EXPECT_EQ(error.code, one.code) << one.to << ": " << error.message;
    EXPECT_NE(error.message.find(one.message), std::string::npos) << one.to << ": " << error.message;
    EXPECT_EQ(error.pointer, one.pointer) << one.to << ": " << error.message;
    EXPECT_NE(error.hint.find(one.hint), std::string::npos) << one.to << ": " << error.hint;
  }
}

// The line and column where the value of the pointer begins, counted by hand.
TEST(ProfileJson, NamesTheLine) {
  const JsonError error = refused(replaced("\"release\": 12", "\"release\": true"));
  EXPECT_EQ(error.pointer, "/barrier/release");
  EXPECT_EQ(error.line, 18U);
  EXPECT_EQ(error.column, 26U);
  const JsonError first = refused(replaced("\"scheduler\": \"lrr\"", "\"scheduler\":\n\t\"l,{rr\""));
  EXPECT_EQ(first.line, 6U);
  EXPECT_EQ(first.column, 2U);
  EXPECT_EQ(refused("{").code, "J003");
  EXPECT_EQ(refused("[]").code, "J007");
  EXPECT_EQ(refused(replaced("\"name\": \"small\",", "\"name\": \"small\", \"name\": \"x\",")).code, "J016");
}

// Of the unit `special` are moves from clocks, so that a rule can name them.
TEST(ProfileJson, AMoveCanBeOfTheUnitSpecial) {
  const ProfileFile file =
      profile_from(replaced("{\"class\": \"plain\"}",
                            "{\"units\": [\"special\"], \"ops\": [\"mov\"], \"class\": \"slow\"},\n"
                            "    {\"class\": \"plain\"}"));
  Insn insn;
  insn.op = Op::Mov;
  insn.type = Type::U32;
  EXPECT_EQ(class_of(file.bounds.front(), insn), 0);
  Operand clock;
  clock.kind = Operand::Kind::Special;
  clock.special = Special::Clock;
  insn.operands = {Operand(), clock};
  EXPECT_EQ(class_of(file.bounds.front(), insn), 1);
}

// A branch that an earlier rule has taken may be in a class of the last one's that takes no time.
TEST(ProfileJson, ABranchThatIsTakenCareOfIsNoConcernOfALaterRule) {
  std::string text = replaced("\"interval\": 2.5,", "\"interval\": 2.5, \"issue\": 0,");
  text.replace(text.find("[\"shfl\", \"vote\""), 7, "[\"branch\", \"shfl\"");
  EXPECT_EQ(profile_from(text).bounds.size(), 2U);
}

// Every instruction of the table, at every type, has a class by every built-in profile.
TEST(ProfileJson, EveryRowHasAClass) {
  for (const BuiltinProfile& one : builtin_profiles()) {
    const ProfileFile file = profile_from(std::string(one.text));
    for (const TimingProfile& profile : file.bounds)
      for (int op = 0; op < kOpCount; ++op)
        for (int type = 0; type <= static_cast<int>(Type::Mask); ++type) {
          Insn insn;
          insn.op = static_cast<Op>(op);
          insn.type = static_cast<Type>(type);
          EXPECT_GE(class_of(profile, insn), 0) << one.name << " " << info(insn.op).mnemonic;
        }
  }
}

// ---- the schema

const char* const kValidateProfile = R"(
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for line in open(sys.argv[2]): print(1 if validator.is_valid(json.loads(line)) else 0)
)";

// Each value in turn replaced by others, and each member left out.
std::vector<Json> damaged(const Json& whole) {
  const Json values[] = {nullptr, -1,  0,    1.5,    77,     1e18,          true,
                         "",      "x", "sm", {1, 2}, {2, 1}, Json::array(), Json::object()};
  std::vector<Json> all;
  std::vector<Json::json_pointer> places;
  const std::function<void(const Json&, const Json::json_pointer&)> walk = [&](const Json& json,
                                                                               const Json::json_pointer& at) {
    if (!at.empty()) places.push_back(at);
    if (json.is_object())
      for (const auto& [name, value] : json.items()) walk(value, at / name);
    if (json.is_array())
      for (std::size_t k = 0; k < json.size(); ++k) walk(json[k], at / k);
  };
  walk(whole, Json::json_pointer());
  for (const Json::json_pointer& place : places) {
    for (const Json& value : values) {
      all.push_back(whole);
      all.back()[place] = value;
    }
    Json& copy = all.emplace_back(whole);
    Json& parent = copy[place.parent_pointer()];
    if (parent.is_object()) parent.erase(place.back());
    else parent.erase(std::stoul(place.back()));
    Json& more = all.emplace_back(whole);
    if (more[place].is_object()) more[place]["surplus"] = 1;
  }
  return all;
}

TEST(ProfileSchema, RefusesNothingThatIsReadAndTheReaderRefusesWhatItRefuses) {
  if (std::system("python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null") != 0)
    GTEST_SKIP() << "SKIPPED ALOUD: python3 with jsonschema is not installed (Debian: python3-jsonschema)";
  std::string pattern = (fs::temp_directory_path() / "warpsim_profile_XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  std::vector<Json> all = damaged(Json::parse(kSmall));
  for (const BuiltinProfile& one : builtin_profiles()) all.push_back(Json::parse(one.text));
  std::ofstream(folder / "validate.py") << kValidateProfile;
  std::ofstream list(folder / "all.ndjson");
  for (const Json& one : all) list << one.dump() << "\n";
  list.close();
  const std::string command = "python3 '" + (folder / "validate.py").string() +
                              "' '" WARPSIM_SOURCE_DIR "/traces/profile.schema.json' '" +
                              (folder / "all.ndjson").string() + "' > '" + (folder / "answers").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream answers(folder / "answers");
  std::size_t refusals = 0, read = 0, references = 0;
  for (const Json& one : all) {
    int valid = -1;
    answers >> valid;
    auto result = read_profile(one.dump());
    const JsonError* error = std::get_if<JsonError>(&result);
    refusals += valid == 0 ? 1 : 0;
    EXPECT_TRUE(valid == 1 || error != nullptr) << "only the schema refuses this: " << one.dump();
    if (valid == 1 && error == nullptr) ++read;
    if (valid != 1 || error == nullptr) continue;
    // What a schema cannot say: what is called by its name elsewhere, and what numbers have to do with each other.
    ++references;
    EXPECT_TRUE(error->code == "J011" || error->code == "J006" || error->code == "J010") << render(*error, "");
  }
  EXPECT_GT(refusals, 500U);
  EXPECT_GT(read, 100U);
  EXPECT_GT(references, 10U);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warpsim
