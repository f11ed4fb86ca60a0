// The head of a trace: the format's name and version, the machine, the launch, the program, the inputs.
#include <algorithm>

#include "isa/text/number_text.h"
#include "sim/launch/launch.h"
#include "traces/io/reader_parts.h"
#include "traces/model/instruction_texts.h"

namespace warpsim {
namespace {

// An access to local or constant memory, or by a generic address: neither .global nor .shared nor .param says so.
bool has_other_space(std::string_view opcode) {
  constexpr std::string_view kAccesses[] = {"ld.", "st.", "atom.", "red."};
  const auto begins = [&](std::string_view word) { return opcode.starts_with(word); };
  const auto holds = [&](std::string_view word) { return opcode.find(word) != std::string_view::npos; };
  return std::any_of(std::begin(kAccesses), std::end(kAccesses), begins) && !holds(".global") && !holds(".shared") &&
         !holds(".param");
}

constexpr std::uint64_t kMaxThreads = std::uint64_t{1} << 40;
constexpr std::uint64_t kMaxArrayBytes = std::uint64_t{1} << 30;  // no record that a reader takes lists more elements

std::uint64_t read_length(const Node& node, Type type) {
  const std::uint64_t length = node.member("length").number(~std::uint64_t{0});
  if (length <= kMaxArrayBytes / static_cast<std::uint64_t>(std::max(bytes(type), 1))) return length;
  node.member("length").fail("J013", "this array is too large: more than 2^30 bytes");
  return 0;
}

void read_version(const Node& root) {
  if (!root.has("format") || !root.member("format").is_text() || root.member("format").text() != "warpsim-trace") {
    root.fail("J007", "this is no warpsim trace: it does not begin with \"format\": \"warpsim-trace\"");
    return;
  }
  const Node version = root.member("version");
  const std::string text = version.text();
  const bool known =
      text.size() > 2 && text.compare(0, 2, "1.") == 0 && text.find_first_not_of("0123456789", 2) == std::string::npos;
  if (!known)
    version.fail("J008", "the trace has version " + (text.empty() ? "\"\"" : text) + ", this program reads version 1",
                 "use a newer warpsim, or record it again");
}

Dim3 read_dim(const Node& node) {
  Dim3 dim;
  if (node.size_as(3, "it needs") != 3) return dim;
  std::uint32_t* const parts[] = {&dim.x, &dim.y, &dim.z};
  std::uint64_t product = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    *parts[k] = static_cast<std::uint32_t>(node.item(k).number_from_1(0x7FFFFFFF));
    product = product > kMaxThreads ? product : product * *parts[k];
  }
  if (product > kMaxThreads) node.fail("J013", "this launch is too large: more than 2^40");
  return dim;
}

void read_machine(const Node& root, TraceHead& head, HeadIndex& index) {
  head.backend = root.member("generator").member("backend").text();
  const Node machine = root.member("machine");
  const std::uint64_t lanes = machine.member("lanes").number(~std::uint64_t{0});
  if (lanes == 0 || lanes > kMaxLanes || (lanes & (lanes - 1)) != 0)
    machine.member("lanes").fail("J006", "a warp of " + std::to_string(lanes) + " lanes does not exist",
                                 "lanes is 1, 2, 4, 8, 16, 32 or 64");
  else head.lanes = static_cast<unsigned>(lanes);
  head.reconvergence = read_word<Reconvergence>(machine.member("reconvergence"));
  head.profile = machine.member("profile").text();
  if (machine.has("schedule")) {
    head.schedule = machine.member("schedule").text();
    head.version = "1.2";
  }
  if (machine.has("scheduler")) {
    head.scheduler = machine.member("scheduler").text();
    if (head.scheduler.empty()) machine.member("scheduler").fail("J006", "a timed run names its scheduler");
    head.sub_cores = static_cast<unsigned>(machine.member("sub_cores").number_from_1(kMaxSubCores));
    head.version = "1.3";
    if (machine.has("timing")) {
      head.is_machine_code = machine.member("timing").text() == kMachineCode;
      if (!head.is_machine_code)
        machine.member("timing").fail("J006", "expected \"" + std::string(kMachineCode) + "\"");
    }
  }
  const Node launch = root.member("launch");
  head.case_name = launch.member("case").text();
  head.grid = read_dim(launch.member("grid"));
  head.block = read_dim(launch.member("block"));
  if (head.lanes == 0) return;
  index.blocks = head.grid.count();
  index.warps_per_block = head.warps_per_block();
  if (index.blocks > 0xFFFFFFFF || index.warps_per_block > 0xFFFFFFFF)
    launch.fail("J013", "this launch is too large: more than 2^32 blocks, or warps in a block");
}

template <class Map>
void add_name(const Node& node, Map& names, const std::string& name, std::size_t index) {
  if (!names.emplace(name, static_cast<std::int32_t>(index)).second)
    node.fail("J011", "\"" + name + "\" is already taken");
}

void read_params(const Node& list, TraceHead& head, HeadIndex& index) {
  for (std::size_t k = 0, n = list.size(); k < n; ++k) {
    const Node node = list.item(k);
    TraceParam param;
    param.name = node.member("name").text();
    param.kind = read_word<TraceParam::Kind>(node.member("kind"));
    param.type = node.member("type").type();
    if (bits(param.type) < 8) node.member("type").fail("J006", "expected the type of a value in memory");
    if (!param.is_buffer()) {
      bool undefined = false;
      param.bits = node.member("value").value(param.type, head.lanes, undefined);
      if (undefined) node.member("value").fail("J004", "a parameter is never undefined");
    } else {
      param.length = read_length(node, param.type);
      param.address = node.member("address").address();
      add_name(node, index.buffers, param.name, k);
    }
    head.params.push_back(std::move(param));
  }
}

void read_names(const Node& program, TraceHead& head, HeadIndex& index) {
  const Node shared = program.member("shared");
  for (std::size_t k = 0, n = shared.size(); k < n; ++k) {
    const Node node = shared.item(k);
    TraceShared& out = head.shared.emplace_back();
    out.name = node.member("name").text();
    out.type = node.member("type").type();
    if (bits(out.type) < 8) node.member("type").fail("J006", "expected the type of a value in memory");
    out.length = read_length(node, out.type);
    add_name(node, index.shared, out.name, k);
  }
  const Node registers = program.member("registers");
  for (std::size_t k = 0, n = registers.size(); k < n; ++k) {
    const Node node = registers.item(k);
    TraceRegister& out = head.registers.emplace_back();
    out.name = node.member("name").text();
    out.type = node.member("type").type();
    if (out.name.empty() || out.name.front() != '%')
      node.member("name").fail("J006", "a register's name begins with %");
    if (out.type == Type::None) node.member("type").fail("J006", "a register needs a type");
    add_name(node, index.registers, out.name, k);
  }
}

// Those of machine code that an instruction uses, by their names.
TraceInsnRegisters read_used_registers(const Node& used, const HeadIndex& index) {
  TraceInsnRegisters out;
  const std::pair<const char*, std::vector<std::int32_t>*> lists[] = {
      {"writes", &out.writes}, {"value", &out.value}, {"exchanged", &out.exchanged}, {"address", &out.address}};
  for (const auto& [key, list] : lists) {
    if (!used.has(key)) continue;
    const Node names = used.member(key);
    for (std::size_t k = 0, n = names.size(); k < n; ++k) {
      const auto found = index.registers.find(names.item(k).text());
      if (found == index.registers.end()) names.item(k).fail("J011", "the program has no such register");
      else list->push_back(found->second);
    }
  }
  return out;
}

void read_code(const Node& list, TraceHead& head, const HeadIndex& index, std::size_t phases) {
  for (std::size_t k = 0, n = list.size(); k < n; ++k) {
    const Node node = list.item(k);
    TraceInsn& insn = head.code.emplace_back();
    insn.pc = node.member("pc").pc(kMaxPc);
    if (insn.pc != static_cast<std::int32_t>(k))
      node.member("pc").fail("J006", "instructions are numbered from 0: expected " + std::to_string(k));
    insn.line = static_cast<std::uint32_t>(node.member("line").number(0xFFFFFFFF));
    insn.text = node.member("text").text();
    insn.op = node.member("op").text();
    insn.type = node.member("type").type();
    const Node operands = node.member("operands");
    for (std::size_t o = 0, count = operands.size(); o < count; ++o) insn.operands.push_back(operands.item(o).text());
    insn.phase = node.member("phase").pc(phases);
    insn.doc = node.member("doc").text();
    if (node.has("registers")) insn.registers = read_used_registers(node.member("registers"), index);
    if (node.has("address")) insn.is_address = node.member("address").truth();
    if (node.has("place")) insn.place = node.member("place").pc(kMaxPc);
    insn.innermost = node.has("innermost") ? node.member("innermost").pc(kMaxPc) : insn.place;
  }
}

std::string read_lines(const Node& list) {
  std::string text;
  for (std::size_t k = 0, n = list.size(); k < n; ++k) {
    if (k != 0) text += '\n';
    text += list.item(k).text();
  }
  return text;
}

void read_places(const Node& list, TraceHead& head) {
  constexpr std::uint64_t kMost = 0xFFFFFFFF;
  for (std::size_t k = 0, n = list.size(); k < n; ++k) {
    const Node node = list.item(k);
    TraceSourcePlace& one = head.places.emplace_back();
    one.source = static_cast<std::uint32_t>(node.member("source").number(kMost));
    if (one.source >= head.sources.size())
      node.member("source").fail("J006", "the program has " + counted(head.sources.size(), "source"));
    one.line = static_cast<std::uint32_t>(node.member("line").number(kMost));
    one.column = static_cast<std::uint32_t>(node.member("column").number(kMost));
    one.length = static_cast<std::uint32_t>(node.member("length").number(kMost));
    if (node.has("function")) one.function = node.member("function").text();
    if (!node.has("inlined_at")) continue;
    one.inlined_at = node.member("inlined_at").pc(kMaxPc);
    if (one.inlined_at >= static_cast<std::int32_t>(k))
      node.member("inlined_at").fail("J006", "a place is inlined at one before it");
  }
}

void check_places(const Node& program, const TraceHead& head) {
  for (std::size_t k = 0; k < head.code.size(); ++k) {
    const std::int32_t most = static_cast<std::int32_t>(head.places.size());
    if (head.code[k].place >= most || head.code[k].innermost >= most)
      program.member("code").item(k).fail("J006", "the program has " + counted(head.places.size(), "place"));
  }
}

void read_sources(const Node& program, TraceHead& head, const HeadIndex& index) {
  const Node sources = program.member("sources");
  for (std::size_t k = 0, n = sources.size(); k < n; ++k) {
    const Node node = sources.item(k);
    head.sources.push_back({node.member("file").text(), node.has("text") ? read_lines(node.member("text")) : ""});
  }
  read_places(program.member("places"), head);
  if (!program.has("variables")) return;
  const Node variables = program.member("variables");
  for (std::size_t k = 0, n = variables.size(); k < n; ++k) {
    const Node node = variables.item(k);
    const auto found = index.registers.find(node.member("register").text());
    if (found == index.registers.end()) {
      node.member("register").fail("J011", "the program has no such register");
      continue;
    }
    head.variables.push_back(
        {node.member("name").text(), found->second, node.member("first").pc(kMaxPc), node.member("end").pc(kMaxPc)});
  }
}

std::vector<TracePhase> read_phases(const Node& list) {
  std::vector<TracePhase> phases;
  for (std::size_t k = 0, n = list.size(); k < n; ++k) {
    const Node node = list.item(k);
    TracePhase& phase = phases.emplace_back();
    phase.title = node.member("title").text();
    phase.options = node.member("options").text();
    const Node lines = node.member("lines");
    for (std::size_t l = 0, count = lines.size(); l < count; ++l)
      phase.lines.push_back({lines.item(l).member("text").text(), lines.item(l).member("options").text()});
  }
  return phases;
}

}  // namespace

Array read_elements(const Node& node, const TraceParam& param, std::vector<UndefinedElements>* undefined) {
  Array array{param.type, {}};
  UndefinedElements nulls{param.name, {}};
  const std::size_t count = node.size_as(param.length, "the buffer \"" + param.name + "\" has");
  array.bits.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    std::uint64_t bits = 0;
    const Json& item = node.json()[k];
    const ValueRead read = read_value(item, param.type, 64, bits);
    if (read == ValueRead::Undefined) nulls.index.push_back(k);
    if (read == ValueRead::Refused || (read == ValueRead::Undefined && undefined == nullptr)) {
      node.item(k).fail("J004", refusal(item, param.type, 64));
      break;
    }
    array.bits.push_back(bits);
  }
  if (undefined != nullptr && !nulls.index.empty()) undefined->push_back(std::move(nulls));
  return array;
}

std::vector<std::pair<std::string, Array>> read_arrays(const Node& node, const TraceHead& head, const HeadIndex& index,
                                                       std::vector<UndefinedElements>* undefined) {
  std::vector<std::pair<std::string, Array>> arrays;
  std::unordered_map<std::string, std::int32_t> seen;
  node.for_each_member([&](const std::string& name, const Node& member) {
    const auto found = index.buffers.find(name);
    if (found == index.buffers.end()) {
      member.fail("J011", "the program has no buffer \"" + name + "\"");
      return;
    }
    add_name(member, seen, name, 0);
    arrays.emplace_back(name, read_elements(member, head.params[static_cast<std::size_t>(found->second)], undefined));
  });
  return arrays;
}

TraceHead read_head(const Node& root, HeadIndex& index) {
  TraceHead head;
  read_version(root);
  read_machine(root, head, index);
  const Node program = root.member("program");
  head.program = program.member("name").text();
  head.title = program.member("title").text();
  head.document = program.member("document").text();
  head.file = program.member("file").text();
  read_params(program.member("params"), head, index);
  read_names(program, head, index);
  head.phases = read_phases(program.member("phases"));
  head.pictures = read_phases(program.member("pictures"));
  read_code(program.member("code"), head, index, head.phases.size());
  const bool copies = std::any_of(head.code.begin(), head.code.end(), [](const TraceInsn& insn) {
    return insn.op.starts_with("cp.async.ca") || insn.op.starts_with("cp.async.cg");
  });
  if (copies) head.version = "1.4";
  if (std::any_of(head.code.begin(), head.code.end(), [](const TraceInsn& insn) { return has_other_space(insn.op); }))
    head.version = "1.5";
  if (std::any_of(head.code.begin(), head.code.end(), [](const TraceInsn& insn) { return insn.is_address; }))
    head.version = "1.6";
  read_instruction_texts(head);
  head.text = read_lines(program.member("text"));
  if (program.member("text").size() == 0) program.member("text").fail("J006", "a program has a line");
  if (program.has("sources")) {
    read_sources(program, head, index);
    head.version = "1.6";
  }
  check_places(program, head);
  head.inputs = read_arrays(root.member("inputs"), head, index, nullptr);
  if (root.has("start")) {
    head.start = read_start(root.member("start"), head, index);
    if (head.version < "1.1") head.version = "1.1";
  }
  if (head.is_machine_code) head.version = "1.7";
  if (std::any_of(head.code.begin(), head.code.end(),
                  [](const TraceInsn& insn) { return insn.registers != TraceInsnRegisters{}; }))
    head.version = "1.8";
  return head;
}

}  // namespace warpsim
