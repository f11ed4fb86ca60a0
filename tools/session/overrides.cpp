// What the command line replaces in a case; see overrides.h.
//
// What stays expected. A case is input, launch and expected outputs. When the command line replaces a part of it, an
// expectation that no longer follows is dropped, and the run is then neither right nor wrong (`passed` is null):
//   - --input and --param keep a rule that names everything that they replace: `sum(j, 0, i + 1, input[j])` is
//   evaluated
//     with the new contents. Other rules, constants and lists go.
//   - --grid, --block, and --lanes where the case fixes other lane counts, keep nothing.
#include "tools/session/overrides.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

#include "host/exec/environment.h"
#include "isa/cases/case_rule.h"
#include "isa/text/diagnostic.h"
#include "sim/engine/compiled.h"
#include "tools/session/loading.h"
#include "tools/session/npy.h"
#include "tools/session/profile_option.h"
#include "tools/session/ptx_lessons.h"
#include "tools/support/log.h"
#include "tools/support/output.h"
#include "tools/support/words.h"
#include "traces/io/json_values.h"
#include "traces/model/trace_words.h"

namespace warpsim::tools {

namespace {

std::vector<std::string> names_of(const Program& program, bool buffers) {
  std::vector<std::string> names;
  for (const Param& param : program.params)
    if (param.is_buffer() == buffers) names.push_back(param.name);
  return names;
}

// "name=value" → its parts, if `name` is a parameter of the right kind.
std::optional<std::pair<std::string, std::string>> split_assignment(Session& session, const Program& program,
                                                                    const std::string& flag, const std::string& word,
                                                                    bool buffers) {
  const std::vector<std::string> names = names_of(program, buffers);
  const std::string kind = buffers ? "buffer" : "scalar parameter";
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) {
    session.reply.fail(ExitCode::Usage, "usage",
                       flag + " " + in_ticks(word) + " is not NAME=" + (buffers ? "WHAT" : "VALUE"),
                       names.empty() ? program.full_name() + " has no " + kind
                                     : flag + " " + names.front() + "=" + (word.empty() ? "1" : word));
    return std::nullopt;
  }
  std::string name = word.substr(0, equals);
  if (program.is_from_ptx) name = name.substr(0, name.find(':'));  // x:f32[1000]=…: ptx_lessons.h has taken the type
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    session.reply.fail(ExitCode::Usage, "usage", program.full_name() + " has no " + kind + " " + in_ticks(name),
                       hint_for(nearest(name, names), names.empty() ? "it has none at all" : "it has " + join(names)));
    return std::nullopt;
  }
  return std::pair{std::move(name), word.substr(equals + 1)};
}

// `1, 2, 3`, which is a list though the brackets are missing; a rule has no comma but before `last` and `first`.
bool is_plain_list(Type type, std::string_view text) {
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (item.empty() || !std::holds_alternative<std::uint64_t>(parse_value(type, item))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

// The array in a file of NumPy, whose type must be the buffer's.
std::optional<Array> npy_array(Session& session, const std::string& path, std::string_view text, Type type,
                               const std::string& name) {
  auto read = read_npy(text);
  if (const auto* wrong = std::get_if<NpyError>(&read)) {
    session.reply.fail(ExitCode::BadInput, "file", input_name(path) + " " + wrong->message, wrong->hint);
    return std::nullopt;
  }
  Array& array = std::get<Array>(read);
  const std::string given(warpsim::name(array.type)), wanted(warpsim::name(type));
  if (array.type == npy_type(type)) {
    array.type = type;
    return std::move(array);
  }
  session.reply.fail(ExitCode::BadInput, "file",
                     input_name(path) + " holds " + given + ", " + in_ticks(name) + " is " + wanted,
                     "write it as NumPy's type of " + std::string(warpsim::name(npy_type(type))));
  return std::nullopt;
}

// The numbers in a file: JSON, NumPy's, or words apart by blanks and commas.
std::optional<Array> read_array(Session& session, const std::string& path, Type type, const std::string& name) {
  std::string text, error;
  if (!read_file(path, text, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return std::nullopt;
  }
  if (is_npy(text)) return npy_array(session, path, text, type, name);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (path == "-" && first != std::string::npos && text[first] != '[' && text[first] != '{') {
    for (char& c : text)
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') c = ',';
    std::string list = "[";
    for (const char c : text)
      if (c != ',' || (list.back() != ',' && list.back() != '[')) list += c;
    if (list.back() == ',') list.pop_back();
    text = list + "]";
  }
  auto result = array_from_json(text, type, name);
  if (const auto* wrong = std::get_if<JsonError>(&result)) {
    report_json(session, *wrong, input_name(path), text);
    return std::nullopt;
  }
  return std::get<Array>(std::move(result));
}

bool read_input(Session& session, const Program& program, const std::string& word, CaseOverrides& overrides) {
  auto parts = split_assignment(session, program, "--input", word, true);
  if (!parts) return false;
  auto& [name, what] = *parts;
  const Type type = program.params[static_cast<std::size_t>(program.find_param(name))].type;
  if (what == "-" || what.substr(0, 1) == "@") {
    std::optional<Array> array = read_array(session, what == "-" ? what : what.substr(1), type, name);
    if (array) overrides.input_arrays[name] = std::move(*array);
    return array.has_value();
  }
  // A kernel's own length is known, so that one number fills the buffer.
  const bool fills = program.is_from_ptx && what.find(',') == std::string::npos;
  overrides.inputs[name] = !fills && is_plain_list(type, what) ? "[" + what + "]" : what;
  return true;
}

bool read_dim(Session& session, const std::string& flag, const std::string& text, std::optional<Dim3>& target) {
  if (text.empty()) return true;
  target = parse_dim(text);
  if (!target)
    session.reply.fail(ExitCode::Usage, "usage",
                       flag + " wants N, NxN or NxNxN with numbers from 1, not " + in_ticks(text), flag + " 8x4");
  return target.has_value();
}

template <class T>
bool read_count(Session& session, const std::string& flag, const std::string& text, std::optional<T>& target) {
  if (text.empty()) return true;
  const std::optional<std::uint64_t> count = parse_count(text);
  if (!count || *count > std::numeric_limits<T>::max()) {
    session.reply.fail(ExitCode::Usage, "usage", flag + " wants a whole number, not " + in_ticks(text));
    return false;
  }
  target = static_cast<T>(*count);
  return true;
}

// Whether the rule names all of `names`; false if it is no rule at all.
bool names_all(const Rule& rule, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&rule](const std::string& name) {
    return std::any_of(rule.nodes.begin(), rule.nodes.end(),
                       [&name](const RuleNode& node) { return node.name == name; });
  });
}

}  // namespace

bool read_case_files(Session& session, Lesson& lesson, const std::string& folder) {
  for (Case& one : lesson.cases)
    for (CaseField& field : one.fields) {
      if (!field.names_file()) continue;
      const std::string name = field.key.starts_with("expect ") ? field.key.substr(7) : field.key;
      const std::int32_t index = lesson.find_param(name);
      if (index < 0 || !lesson.params[static_cast<std::size_t>(index)].is_buffer()) continue;  // the launch says it
      const std::string path = (std::filesystem::path(folder) / field.value.substr(1)).string();
      std::optional<Array> array = read_array(session, path, lesson.params[static_cast<std::size_t>(index)].type, name);
      if (!array) return false;
      field.contents = std::make_shared<const Array>(std::move(*array));
    }
  return true;
}

std::optional<std::vector<unsigned>> parse_lane_list(const std::string& text) {
  std::vector<unsigned> lanes;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::optional<std::uint64_t> count = parse_count(text.substr(from, comma - from));
    if (!count || !std::has_single_bit(*count) || *count > kMaxLanes) return std::nullopt;
    lanes.push_back(static_cast<unsigned>(*count));
    from = comma + 1;
  }
  return lanes;
}

std::optional<Dim3> parse_dim(const std::string& text) {
  Dim3 dim;
  std::uint32_t* const parts[] = {&dim.x, &dim.y, &dim.z};
  std::size_t from = 0;
  for (std::uint32_t* part : parts) {
    const std::size_t end = std::min(text.find('x', from), text.size());
    const std::optional<std::uint64_t> value = parse_count(text.substr(from, end - from));
    if (!value || *value == 0 || *value > 0xffffffff) return std::nullopt;
    *part = static_cast<std::uint32_t>(*value);
    if (end == text.size()) return dim;
    from = end + 1;
  }
  return std::nullopt;
}

std::optional<Schedule> parse_schedule(std::string_view text) {
  constexpr std::string_view kFuzz = "fuzz:";
  if (text == "rr" || text == "lockstep") return Schedule{};
  if (text == name(kBlocksSchedule)) return kBlocksSchedule;
  if (!text.starts_with(kFuzz)) return std::nullopt;
  const std::optional<std::uint64_t> seed = parse_count(text.substr(kFuzz.size()));
  return seed ? std::optional(fuzz_schedule(*seed)) : std::nullopt;
}

bool read_machine(Session& session, CaseOverrides& overrides) {
  const Options& options = session.options;
  if (!options.reconvergence.empty()) overrides.reconvergence = parse_word<Reconvergence>(options.reconvergence);
  const ChosenProfile* chosen = chosen_profile(session);
  if (chosen == nullptr) return false;
  overrides.timing = chosen->bounds.front();
  if (options.schedule.empty()) return true;
  overrides.schedule = parse_schedule(options.schedule);
  if (!overrides.schedule)
    session.reply.fail(ExitCode::Usage, "usage",
                       "--schedule wants rr, blocks, or fuzz: and a whole number, not " + in_ticks(options.schedule),
                       "--schedule fuzz:1");
  return overrides.schedule.has_value();
}

bool can_have_engine(Session& session) {
  if (session.options.engine != "compiled" || engine::can_compile()) return true;
  session.reply.fail(ExitCode::Unsupported, "engine",
                     "--engine compiled needs an x86-64 processor with AVX-512 or AVX2",
                     "--engine auto, which is the default, takes machine code where it can");
  return false;
}

std::optional<CaseOverrides> read_overrides(Session& session, const Program& program) {
  const Options& options = session.options;
  CaseOverrides overrides;
  bool ok = read_count(session, "--lanes", options.lanes, overrides.lanes);
  ok &= read_count(session, "--max-cycles", options.max_cycles, overrides.max_cycles);
  ok &= read_count(session, "--shared", options.shared, overrides.shared_bytes);
  if (overrides.shared_bytes && !program.is_from_ptx) {
    session.reply.fail(ExitCode::Usage, "usage", program.full_name() + " has no dynamic shared memory",
                       "only kernels from PTX have: a program says the length of its arrays");
    ok = false;
  }
  if (!options.resident_blocks.empty())
    ok &= read_number(session, "--resident-blocks", options.resident_blocks, 1, overrides.resident_blocks.emplace());
  ok &= read_dim(session, "--grid", options.grid, overrides.grid);
  ok &= read_dim(session, "--block", options.block, overrides.block);
  ok &= read_machine(session, overrides);
  ok &= can_have_engine(session);
  overrides.engine = engine_named(options.engine);
  std::uint64_t threads = host::threads_of_host();
  ok &= read_number(session, "--threads", options.threads, 1, threads, kMostThreads);
  overrides.threads = static_cast<unsigned>(threads);
  if (options.engine_log)
    overrides.engine_log = [](std::string_view line) { log::raw("engine: " + std::string(line) + "\n"); };
  for (const std::string& word : options.inputs) ok &= read_input(session, program, word, overrides);
  for (const std::string& word : options.params) {
    if (const auto members = program.is_from_ptx ? structure_members(word) : std::nullopt) {
      for (const StructureMember& one : *members)
        if (!one.type.empty()) overrides.params[one.name] = one.value;
      continue;
    }
    auto parts = split_assignment(session, program, "--param", word, false);
    if (parts) overrides.params[parts->first] = parts->second;
    ok &= parts.has_value();
  }
  if (!ok) return std::nullopt;
  return overrides;
}

Case keep_valid_expectations(const Program& program, const Case& from, const CaseOverrides& overrides) {
  std::vector<std::string> replaced;
  for (const auto& [name, rule] : overrides.inputs) replaced.push_back(name);
  for (const auto& [name, array] : overrides.input_arrays) replaced.push_back(name);
  for (const auto& [name, rule] : overrides.params) replaced.push_back(name);
  for (const auto& [name, bits] : overrides.param_bits) replaced.push_back(name);
  const std::vector<unsigned> fixed = lane_counts(program, from);
  const bool other_lanes = from.find("lanes") != nullptr && overrides.lanes &&
                           std::find(fixed.begin(), fixed.end(), *overrides.lanes) == fixed.end();
  const bool other_launch = overrides.grid || overrides.block || other_lanes;
  Case kept = from;
  kept.fields.clear();
  for (const CaseField& field : from.fields) {
    const auto parsed =
        field.key.rfind("expect ", 0) == 0 ? parse_rule(field.value) : std::variant<Rule, CaseError>(CaseError{});
    const Rule* rule = std::get_if<Rule>(&parsed);
    const bool is_file = field.contents && field.key.rfind("expect ", 0) == 0;
    if (rule != nullptr || is_file) {
      if (other_launch) continue;
      if (!replaced.empty() && (is_file || !names_all(*rule, replaced))) continue;
    }
    kept.fields.push_back(field);
  }
  return kept;
}

bool read_lane_list(Session& session, std::vector<unsigned>& lanes) {
  const std::string& given = session.options.lanes;
  if (given.empty()) return true;
  std::optional<std::vector<unsigned>> listed = parse_lane_list(given);
  if (listed) lanes = std::move(*listed);
  else
    session.reply.fail(ExitCode::Usage, "usage",
                       "--lanes wants 1, 2, 4, 8, 16, 32 or 64, or several of them, not " + in_ticks(given),
                       "--lanes 8,32");
  return listed.has_value();
}

CaseOverrides same_launch(const Program& first, const PreparedCase& prepared, const Dim3& block, const Program& other) {
  const LaunchConfig& config = prepared.config;
  CaseOverrides same;
  same.lanes = config.lanes;
  same.grid = config.grid;
  same.block = block;
  same.max_cycles = config.max_cycles;
  same.resident_blocks = config.resident_blocks;
  same.reconvergence = config.reconvergence;
  same.schedule = config.schedule;
  same.timing = config.timing;
  for (const Param& theirs : first.params) {
    const std::int32_t at = other.find_param(theirs.name);
    if (at < 0) continue;
    const Param& ours = other.params[static_cast<std::size_t>(at)];
    if (ours.type != theirs.type || ours.is_buffer() != theirs.is_buffer()) continue;
    if (!theirs.is_buffer()) {
      const auto scalar = prepared.arguments.scalars.find(theirs.name);
      if (scalar != prepared.arguments.scalars.end()) same.param_bits[theirs.name] = scalar->second;
    } else if (const auto buffer = prepared.arguments.buffers.find(theirs.name);
               theirs.kind != Param::Kind::Out && ours.kind != Param::Kind::Out &&
               buffer != prepared.arguments.buffers.end()) {
      same.input_arrays[theirs.name] = buffer->second;
    }
  }
  return same;
}

}  // namespace warpsim::tools
