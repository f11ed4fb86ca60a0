// One bound of a profile: machine, pipes, classes, costs.
#include "traces/profile/profile_reader.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "isa/text/diagnostic.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kMostCycles = 1'000'000;
constexpr std::size_t kMostKinds = 255;       // of pipes and of classes
constexpr std::uint64_t kMostUnits = 1024;    // of an SM, SMs of a GPU
constexpr std::uint64_t kMostRegisters = 16;  // that an instruction reads
constexpr std::uint64_t kMostLineBytes = 65'536;
constexpr std::uint64_t kMostCacheBytes = std::uint64_t{1} << 40;
constexpr std::string_view kSubCore = "sub-core", kSm = "sm";

// One number of cycles, whole or not.
double one_time(const Node& node, bool is_whole) {
  if (is_whole) return static_cast<double>(node.number(kMostCycles));
  const Json& json = node.json();
  const double time = json.is_number() ? json.get<double>() : -1;
  if (json.is_number() && time >= 0 && time <= static_cast<double>(kMostCycles)) return time;
  node.fail(json.is_number() ? "J006" : "J004",
            "expected a number from 0 to " + std::to_string(kMostCycles) + ", found " + describe(json));
  return 0;
}

std::uint32_t power_of_two(const Node& node) {
  const std::uint64_t bytes = node.number_from_1(kMostLineBytes);
  if (!std::has_single_bit(bytes) && bytes != 0)
    node.fail("J006", "expected a power of two, found " + std::to_string(bytes));
  return static_cast<std::uint32_t>(bytes);
}

std::vector<std::string> names_of(const std::vector<TimingPipe>& pipes, bool of_sm) {
  std::vector<std::string> names;
  for (const TimingPipe& pipe : pipes)
    if (pipe.of_sm == of_sm) names.push_back(pipe.name);
  return names;
}

std::vector<std::string> names_of(const std::vector<TimingClass>& classes) {
  std::vector<std::string> names;
  for (const TimingClass& one : classes) names.push_back(one.name);
  return names;
}

}  // namespace

std::size_t place_of(const Node& node, std::string_view kind, const std::string& word,
                     const std::vector<std::string>& words) {
  for (std::size_t k = 0; k < words.size(); ++k)
    if (words[k] == word) return k;
  const std::string near = nearest(word, words);
  std::string all;
  for (const std::string& one : words) all += (all.empty() ? "" : ", ") + one;
  node.fail("J011", "there is no " + std::string(kind) + " " + shortened(word),
            !near.empty()   ? "did you mean \"" + near + "\"?"
            : words.empty() ? "there is none at all"
                            : "there are " + all);
  return 0;
}

double ProfileReader::time(const Node& node, bool is_whole) {
  if (!node.is_array()) return one_time(node, is_whole);
  if (node.size_as(2, "a range [low, high] has") != 2) return 0;
  const double low = one_time(node.item(0), is_whole), high = one_time(node.item(1), is_whole);
  if (low >= high)
    node.fail("J006", "a range is [low, high], with low below high", "where both are the same, write one number");
  has_range_ = true;
  return bound_ == 0 ? low : high;
}

void ProfileReader::may_say(const Node& node, std::string_view name, double& target) {
  if (node.has(name)) target = time(node.member(name), false);
}

std::uint8_t ProfileReader::pipe(const Node& node, bool of_sm) const {
  const std::string word = node.text();
  if (node.reading()->failed()) return 0;
  for (std::size_t k = 0; k < out_.pipes.size(); ++k) {
    if (out_.pipes[k].name != word) continue;
    if (out_.pipes[k].of_sm == of_sm) return static_cast<std::uint8_t>(k);
    node.fail("J006", shortened(word) + " is a pipe of " + (of_sm ? "a sub-core" : "the SM"),
              of_sm ? "it belongs into \"pipes\"" : "it belongs into \"sm_pipe\"");
    return 0;
  }
  place_of(node, of_sm ? "pipe of the SM" : "pipe of a sub-core", word, names_of(out_.pipes, of_sm));
  return 0;
}

std::uint8_t ProfileReader::class_called(const Node& node) const {
  const std::string word = node.text();
  return node.reading()->failed() ? 0
                                  : static_cast<std::uint8_t>(place_of(node, "class", word, names_of(out_.classes)));
}

TimingProfile ProfileReader::profile(const Node& root) {
  scheduler(root.member("scheduler"));
  sm(root.member("sm"));
  pipes(root.member("pipes"));
  const Node classes = root.member("classes");
  class_names(classes, out_.classes);
  std::size_t next = 0;
  classes.for_each_member([&](const std::string&, const Node& node) { one_class(node, out_.classes[next++]); });
  if (!root.reading()->failed()) read_rules(root.member("rules"), out_);
  branch(root.member("branch"), out_.branch);
  barrier(root.member("barrier"));
  global(root.member("global"));
  address(root.member("address"));
  if (root.has("machine_code")) machine_code(root.member("machine_code"));
  return std::move(out_);
}

void ProfileReader::scheduler(const Node& node) {
  constexpr Scheduler kAll[] = {Scheduler::Gto, Scheduler::Lrr, Scheduler::Oldest};
  std::vector<std::string> words;
  for (const Scheduler one : kAll) words.emplace_back(name(one));
  const std::string word = node.text();
  if (!node.reading()->failed()) out_.scheduler = kAll[place_of(node, "scheduler", word, words)];
}

void ProfileReader::sm(const Node& node) {
  want_members(node, {"sub_cores", "sms", "max_warps", "max_blocks", "max_shared_bytes"});
  out_.sm.sub_cores = static_cast<unsigned>(node.member("sub_cores").number_from_1(kMostUnits));
  out_.sm.sms = static_cast<unsigned>(node.member("sms").number_from_1(kMostUnits));
  out_.sm.max_warps = static_cast<unsigned>(node.member("max_warps").number_from_1(kMostUnits));
  out_.sm.max_blocks = static_cast<unsigned>(node.member("max_blocks").number_from_1(kMostUnits));
  out_.sm.max_shared_bytes = static_cast<std::uint32_t>(node.member("max_shared_bytes").number(0xFFFFFFFF));
}

void ProfileReader::pipes(const Node& node) {
  node.for_each_member([&](const std::string& name, const Node& member) {
    const std::string where = member.text();
    if (where != kSubCore && where != kSm)
      member.fail("J006", "expected \"sub-core\" or \"sm\", found " + shortened(where),
                  "a pipe is one a sub-core, or one an SM");
    want_name(member, name);
    out_.pipes.push_back({name, where == kSm});
  });
  if (out_.pipes.size() > kMostKinds) node.fail("J010", "more than 255 pipes");
}

void ProfileReader::class_names(const Node& node, std::vector<TimingClass>& out) {
  node.for_each_member([&](const std::string& name, const Node& member) {
    if (name == "else" || name == "guard" || name == "predicate")
      member.fail("J006", "a class cannot be called " + name + ": that word has a meaning among latencies");
    want_name(member, name);
    out.emplace_back().name = name;
  });
  if (out.empty()) node.fail("J010", "there is no class");
  if (out.size() > kMostKinds) node.fail("J010", "more than 255 classes");
}

void ProfileReader::one_class(const Node& node, TimingClass& out) {
  want_members(node, {"pipes", "interval", "interval_of_three", "interval_per_way", "sm_pipe", "sm_interval", "issue",
                      "issue_alike", "variable", "queued", "passes_barrier", "merges_lanes", "waits_for_stores",
                      "per_way", "per_line", "per_value", "latency"});
  class_pipes(node, out);
  if (node.has("issue")) out.issue = cycles(node.member("issue"));
  if (node.has("issue_alike")) out.issue_alike = cycles(node.member("issue_alike"));
  class_ways(node, out);
  latency(node.member("latency"), out);
}

// The members that classes of programs and of machine code share, as far as want_members() lets them be there.
void ProfileReader::class_ways(const Node& node, TimingClass& out) {
  const std::pair<std::string_view, bool*> truths[] = {
      {"variable", &out.is_variable},          {"queued", &out.is_queued},
      {"passes_barrier", &out.passes_barrier}, {"merges_lanes", &out.merges_lanes},
      {"keeps_turn", &out.keeps_turn},         {"waits_for_stores", &out.waits_for_stores}};
  for (const auto& [name, target] : truths)
    if (node.has(name)) *target = node.member(name).truth();
  may_say(node, "per_way", out.per_way);
  may_say(node, "per_line", out.per_line);
  may_say(node, "per_value", out.per_value);
}

void ProfileReader::class_pipes(const Node& node, TimingClass& out) {
  if (node.has("pipes")) {
    const Node list = node.member("pipes");
    for (std::size_t k = 0, n = list.size_of_some(); k < n; ++k) out.pipes.push_back(pipe(list.item(k), false));
    out.interval = time(node.member("interval"), false);
  }
  if (node.has("sm_pipe")) {
    out.sm_pipe = pipe(node.member("sm_pipe"), true);
    out.sm_interval = time(node.member("sm_interval"), false);
  }
  may_say(node, "interval_of_three", out.interval_of_three);
  may_say(node, "interval_per_way", out.interval_per_way);
  for (const auto& [member, pipe] : {std::pair{"interval", "pipes"},
                                     {"interval_of_three", "pipes"},
                                     {"interval_per_way", "pipes"},
                                     {"sm_interval", "sm_pipe"}})
    if (node.has(member) && !node.has(pipe))
      node.member(member).fail("J006", std::string("an interval is of a pipe, and \"") + pipe + "\" is missing");
}

void ProfileReader::latency(const Node& node, TimingClass& out) {
  const unsigned otherwise = cycles(node.member("else"));
  out.latency.assign(out_.classes.size(), otherwise);
  out.guard_latency = node.has("guard") ? cycles(node.member("guard")) : otherwise;
  if (node.has("predicate")) out.predicate_latency = cycles(node.member("predicate"));
  std::vector<std::string> names = names_of(out_.classes);
  names.insert(names.end(), {"guard", "predicate", "else"});
  node.for_each_member([&](const std::string& name, const Node& member) {
    if (name == "else" || name == "guard" || name == "predicate") return;
    const std::size_t reader = place_of(member, "class of a reader", name, names);
    if (reader < out.latency.size()) out.latency[reader] = cycles(member);
  });
}

void ProfileReader::branch(const Node& node, BranchTiming& out) {
  want_members(node, {"taken", "parted", "joined", "passed", "other_side"});
  out.taken = cycles(node.member("taken"));
  out.diverged = cycles(node.member("parted"));
  out.joined = cycles(node.member("joined"));
  out.passed = cycles(node.member("passed"));
  out.other_side = cycles(node.member("other_side"));
}

void ProfileReader::barrier(const Node& node) {
  want_members(node, {"release", "leave"});
  out_.barrier.release = cycles(node.member("release"));
  if (node.has("leave")) out_.barrier.leave = cycles(node.member("leave"));
}

void ProfileReader::cache(const Node& node, CacheTiming& out) {
  want_members(node, {"line_bytes", "bytes", "latency"});
  out.line_bytes = power_of_two(node.member("line_bytes"));
  out.bytes = node.member("bytes").number(kMostCacheBytes);
  out.latency = cycles(node.member("latency"));
  if (out.line_bytes < out_.global.sector_bytes)
    node.member("line_bytes")
        .fail("J006", "a line is at least a sector, which has " + std::to_string(out_.global.sector_bytes) + " bytes");
}

void ProfileReader::global(const Node& node) {
  want_members(node, {"sector_bytes", "l1", "l2", "dram_latency", "store_latency"});
  out_.global.sector_bytes = power_of_two(node.member("sector_bytes"));
  cache(node.member("l1"), out_.global.l1);
  cache(node.member("l2"), out_.global.l2);
  out_.global.dram_latency = cycles(node.member("dram_latency"));
  if (node.has("store_latency")) out_.global.store_latency = cycles(node.member("store_latency"));
}

void ProfileReader::address(const Node& node) {
  want_members(node, {"class", "issue", "latency"});
  out_.address.cls = class_called(node.member("class"));
  out_.address.issue = cycles(node.member("issue"));
  out_.address.latency = cycles(node.member("latency"));
}

// ---- machine code

void ProfileReader::code_class(const Node& node, TimingClass& out) {
  want_members(
      node,
      {"pipes",          "interval",     "interval_per_way", "sm_pipe",          "sm_interval", "issue",    "queued",
       "passes_barrier", "merges_lanes", "keeps_turn",       "waits_for_stores", "per_way",     "per_line", "per_value",
       "scoreboard",     "predicate",    "by_register",      "operands_read",    "interlock",   "queue"});
  class_pipes(node, out);
  class_ways(node, out);
  const std::pair<std::string_view, unsigned*> numbers[] = {{"issue", &out.issue},
                                                            {"scoreboard", &out.scoreboard},
                                                            {"predicate", &out.scoreboard_of_predicate},
                                                            {"by_register", &out.scoreboard_by_register},
                                                            {"operands_read", &out.operands_read},
                                                            {"interlock", &out.interlock},
                                                            {"queue", &out.queue}};
  for (const auto& [name, target] : numbers)
    if (node.has(name)) *target = cycles(node.member(name));
  if (out.queue > kMostQueue)
    node.member("queue").fail("J006", "a queue has at most " + std::to_string(kMostQueue) + " places");
  if (out.queue != 0 && out.pipes.empty())
    node.member("queue").fail("J006", "a queue leads to a pipe of its sub-core: \"pipes\" is needed");
}

void ProfileReader::code_rules(const Node& node, CodeTimingProfile& out) const {
  for (std::size_t k = 0, n = node.size(); k < n && !node.reading()->failed(); ++k) {
    const Node item = node.item(k);
    want_members(item, {"opcodes", "registers", "class"});
    CodeRule rule;
    const Node opcodes = item.member("opcodes");
    for (std::size_t o = 0, count = opcodes.size_of_some(); o < count; ++o)
      rule.opcodes.push_back(opcodes.item(o).text());
    if (item.has("registers"))
      rule.registers = static_cast<unsigned>(item.member("registers").number_from_1(kMostRegisters));
    const std::string word = item.member("class").text();
    if (node.reading()->failed()) return;
    rule.cls = static_cast<std::uint8_t>(place_of(item.member("class"), "class", word, names_of(out.classes)));
    out.rules.push_back(std::move(rule));
  }
  const auto fits_all = [](const CodeRule& rule) {
    return rule.registers == 0 && std::find(rule.opcodes.begin(), rule.opcodes.end(), "*") != rule.opcodes.end();
  };
  if (!node.reading()->failed() && (out.rules.empty() || !fits_all(out.rules.back())))
    node.fail("J010", "machine instructions may fit no rule", "end with {\"opcodes\": [\"*\"], \"class\": …}");
}

void ProfileReader::machine_code(const Node& node) {
  want_members(node, {"classes", "rules", "branch", "fetch", "memory"});
  CodeTimingProfile& out = out_.machine_code.emplace();
  const Node classes = node.member("classes");
  class_names(classes, out.classes);
  std::size_t next = 0;
  classes.for_each_member([&](const std::string&, const Node& one) { code_class(one, out.classes[next++]); });
  if (!node.reading()->failed()) code_rules(node.member("rules"), out);
  branch(node.member("branch"), out.branch);
  const Node fetch = node.member("fetch");
  want_members(fetch, {"line", "lines", "ways", "line_interval", "miss", "restart", "ahead"});
  out.fetch = {cycles(fetch.member("line")), cycles(fetch.member("lines")),
               cycles(fetch.member("ways")), time(fetch.member("line_interval"), false),
               cycles(fetch.member("miss")), cycles(fetch.member("restart")),
               cycles(fetch.member("ahead"))};
  const Node memory = node.member("memory");
  want_members(memory,
               {"l2_latency", "read_sector", "far_page", "page_bits", "near_pages", "write", "write_line",
                "write_sector", "write_partial", "write_mask", "write_lines", "write_room", "atomic_sector",
                "atomic_lane", "write_ahead", "constants", "uniform_constants", "constants_apart", "l2_nearest"});
  out.memory.l2_latency = cycles(memory.member("l2_latency"));
  out.memory.read_sector = time(memory.member("read_sector"), false);
  out.memory.far_page = cycles(memory.member("far_page"));
  out.memory.page_bits = cycles(memory.member("page_bits"));
  out.memory.near_pages = cycles(memory.member("near_pages"));
  out.memory.write = time(memory.member("write"), false);
  out.memory.write_line = time(memory.member("write_line"), false);
  out.memory.write_sector = time(memory.member("write_sector"), false);
  out.memory.write_partial = time(memory.member("write_partial"), false);
  out.memory.write_mask = time(memory.member("write_mask"), false);
  out.memory.write_lines = cycles(memory.member("write_lines"));
  out.memory.write_room = time(memory.member("write_room"), false);
  out.memory.atomic_sector = time(memory.member("atomic_sector"), false);
  out.memory.atomic_lane = time(memory.member("atomic_lane"), false);
  out.memory.write_ahead = cycles(memory.member("write_ahead"));
  out.memory.constants = cycles(memory.member("constants"));
  out.memory.uniform_constants = cycles(memory.member("uniform_constants"));
  out.memory.constants_apart = cycles(memory.member("constants_apart"));
  out.memory.l2_nearest = cycles(memory.member("l2_nearest"));
}

}  // namespace warpsim
