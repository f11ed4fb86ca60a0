// The head of a trace as JSON text.
//
// Shapes: in a document, one parameter, one instruction, one phase and one source line a line; in NDJSON, one line.
// Units:  none.
// Errors: none.
// Source: traces/FORMAT.md, "Head".
#include <functional>

#include "traces/io/json_text.h"
#include "traces/io/json_values.h"
#include "traces/io/writer.h"

namespace warpsim {
namespace {

std::string json_quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

// The source text as its lines: joined by line feeds they are the text again.
void append_lines(std::string& out, std::string_view text, const std::function<void(int)>& newline) {
  out += '[';
  for (bool first = true;; first = false) {
    if (!first) out += ',';
    newline(4);
    const std::size_t end = text.find('\n');
    append_json_string(out, text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  newline(2);
  out += ']';
}

}  // namespace

void TraceWriter::head(const TraceHead& head) {
  lanes_ = head.lanes;
  for (const TraceRegister& reg : head.registers) {
    register_names_.push_back(reg.name);
    register_keys_.push_back("{\"reg\": " + json_quoted(reg.name) + ", \"lanes\": ");
    register_types_.push_back(reg.type);
  }
  for (const TraceInsn& insn : head.code) op_keys_.push_back(", \"op\": " + json_quoted(insn.op) + ", \"active\": ");
  for (const TraceParam& param : head.params) object_names_.push_back(json_quoted(param.name));
  for (const TraceShared& shared : head.shared) shared_names_.push_back(json_quoted(shared.name));

  buffer_ += '{';
  newline(0);
  text_member(buffer_, "format", "warpsim-trace");
  buffer_ += ',';
  newline(0);
  text_member(buffer_, "version", head.version);
  buffer_ += ',';
  newline(0);
  buffer_ += "\"generator\": {";
  text_member(buffer_, "backend", head.backend);
  buffer_ += "},";
  newline(0);
  buffer_ += "\"machine\": {";
  number_member(buffer_, "lanes", head.lanes);
  text_member(buffer_, "reconvergence", name(head.reconvergence));
  text_member(buffer_, "profile", head.profile);
  if (!head.schedule.empty()) text_member(buffer_, "schedule", head.schedule);
  if (!head.scheduler.empty()) {
    text_member(buffer_, "scheduler", head.scheduler);
    number_member(buffer_, "sub_cores", head.sub_cores);
    if (head.is_machine_code) text_member(buffer_, "timing", kMachineCode);
  }
  buffer_ += "},";
  newline(0);
  buffer_ += "\"launch\": {";
  text_member(buffer_, "case", head.case_name);
  dim_member(buffer_, "grid", head.grid);
  dim_member(buffer_, "block", head.block);
  buffer_ += "},";
  newline(0);
  program(head);
  buffer_ += ',';
  newline(0);
  arrays("inputs", head.inputs, {}, 0);
  if (head.start) start(*head.start);
  if (shape_ == TraceShape::Document) buffer_ += ",\n\"events\": [";
  else buffer_ += "}\n";
  flush_if_large();
}

// What a window finds: one warp and one shared array a line.
void TraceWriter::start(const TraceStart& start) {
  buffer_ += ',';
  newline(0);
  buffer_ += "\"start\": {";
  newline(2);
  number_member(buffer_, "events", start.events);
  buffer_ += ',';
  newline(2);
  buffer_ += "\"warps\": [";
  for (std::size_t k = 0; k < start.warps.size(); ++k) {
    const TraceStart::Warp& warp = start.warps[k];
    if (k != 0) buffer_ += ',';
    newline(4);
    buffer_ += '{';
    number_member(buffer_, "block", warp.block);
    number_member(buffer_, "warp", warp.warp);
    mask_member(buffer_, "lanes", warp.lanes, lanes_);
    list_member(buffer_, "pc", warp.pc.size(),
                [&](std::size_t n) { append_json_unsigned(buffer_, static_cast<std::uint64_t>(warp.pc[n])); });
    mask_member(buffer_, "exited", warp.exited, lanes_);
    writes("registers", warp.registers);
    buffer_ += '}';
  }
  buffer_ += "],";
  newline(2);
  arrays("buffers", start.buffers, start.undefined, 2);
  buffer_ += ',';
  newline(2);
  buffer_ += "\"shared\": [";
  for (std::size_t k = 0; k < start.shared.size(); ++k) {
    const TraceStart::Shared& one = start.shared[k];
    if (k != 0) buffer_ += ',';
    newline(4);
    buffer_ += '{';
    number_member(buffer_, "block", one.block);
    append_json_key(buffer_, "object");
    buffer_ += shared_names_[static_cast<std::size_t>(one.object)];
    append_json_key(buffer_, "values");
    elements(one.values, one.undefined);
    buffer_ += '}';
  }
  buffer_ += ']';
  newline(0);
  buffer_ += '}';
}

void TraceWriter::program(const TraceHead& head) {
  buffer_ += "\"program\": {";
  newline(2);
  text_member(buffer_, "name", head.program);
  text_member(buffer_, "title", head.title);
  text_member(buffer_, "document", head.document);
  text_member(buffer_, "file", head.file);
  buffer_ += ',';
  newline(2);
  params(head);
  code(head);
  phases("phases", head.phases);
  phases("pictures", head.pictures);
  buffer_ += "\"text\": ";
  append_lines(buffer_, head.text, [this](int indent) { newline(indent); });
  sources(head);
  newline(0);
  buffer_ += '}';
}

void TraceWriter::params(const TraceHead& head) {
  buffer_ += "\"params\": [";
  for (std::size_t k = 0; k < head.params.size(); ++k) {
    const TraceParam& param = head.params[k];
    if (k != 0) buffer_ += ',';
    newline(4);
    buffer_ += '{';
    text_member(buffer_, "name", param.name);
    text_member(buffer_, "kind", name(param.kind));
    text_member(buffer_, "type", name(param.type));
    if (!param.is_buffer()) {
      append_json_key(buffer_, "value");
      append_json_value(buffer_, param.type, param.bits, lanes_);
    } else {
      number_member(buffer_, "length", param.length);
      append_json_key(buffer_, "address");
      append_json_address(buffer_, param.address);
    }
    buffer_ += '}';
  }
  buffer_ += "],";
  newline(2);
  list_member(buffer_, "shared", head.shared.size(), [&](std::size_t k) {
    buffer_ += '{';
    text_member(buffer_, "name", head.shared[k].name);
    text_member(buffer_, "type", name(head.shared[k].type));
    number_member(buffer_, "length", head.shared[k].length);
    buffer_ += '}';
  });
  buffer_ += ',';
  newline(2);
  list_member(buffer_, "registers", head.registers.size(), [&](std::size_t k) {
    buffer_ += '{';
    text_member(buffer_, "name", head.registers[k].name);
    text_member(buffer_, "type", name(head.registers[k].type));
    buffer_ += '}';
  });
  buffer_ += ',';
  newline(2);
}

// Of machine code: {"writes": ["%R4"], "value": [...], …}, without what is empty.
void TraceWriter::used_registers(const TraceHead& head, const TraceInsnRegisters& used) {
  if (used == TraceInsnRegisters{}) return;
  buffer_ += ", \"registers\": {";
  const auto list = [&](const char* key, const std::vector<std::int32_t>& places) {
    if (places.empty()) return;
    list_member(buffer_, key, places.size(), [&](std::size_t n) {
      append_json_string(buffer_, head.registers[static_cast<std::size_t>(places[n])].name);
    });
  };
  list("writes", used.writes);
  list("value", used.value);
  list("exchanged", used.exchanged);
  list("address", used.address);
  buffer_ += '}';
}

void TraceWriter::code(const TraceHead& head) {
  buffer_ += "\"code\": [";
  for (std::size_t k = 0; k < head.code.size(); ++k) {
    const TraceInsn& insn = head.code[k];
    if (k != 0) buffer_ += ',';
    newline(4);
    buffer_ += '{';
    number_member(buffer_, "pc", static_cast<std::uint64_t>(insn.pc));
    number_member(buffer_, "line", insn.line);
    text_member(buffer_, "text", insn.text);
    text_member(buffer_, "op", insn.op);
    text_member(buffer_, "type", name(insn.type));
    list_member(buffer_, "operands", insn.operands.size(),
                [&](std::size_t n) { append_json_string(buffer_, insn.operands[n]); });
    pc_member(buffer_, "phase", insn.phase);
    text_member(buffer_, "doc", insn.doc);
    used_registers(head, insn.registers);
    if (insn.is_address) buffer_ += ", \"address\": true";
    if (insn.place >= 0) number_member(buffer_, "place", static_cast<std::uint64_t>(insn.place));
    if (insn.innermost != insn.place) number_member(buffer_, "innermost", static_cast<std::uint64_t>(insn.innermost));
    buffer_ += '}';
  }
  buffer_ += "],";
  newline(2);
}

void TraceWriter::sources(const TraceHead& head) {
  if (head.sources.empty()) return;
  buffer_ += ',';
  newline(2);
  buffer_ += "\"sources\": [";
  for (std::size_t k = 0; k < head.sources.size(); ++k) {
    if (k != 0) buffer_ += ',';
    newline(4);
    buffer_ += '{';
    text_member(buffer_, "file", head.sources[k].file);
    if (!head.sources[k].text.empty()) {
      append_json_key(buffer_, "text");
      append_lines(buffer_, head.sources[k].text, [this](int indent) { newline(indent + 2); });
    }
    buffer_ += '}';
  }
  buffer_ += "],";
  newline(2);
  list_member(buffer_, "places", head.places.size(), [&](std::size_t k) {
    const TraceSourcePlace& one = head.places[k];
    buffer_ += '{';
    number_member(buffer_, "source", one.source);
    number_member(buffer_, "line", one.line);
    number_member(buffer_, "column", one.column);
    number_member(buffer_, "length", one.length);
    if (!one.function.empty()) text_member(buffer_, "function", one.function);
    if (one.inlined_at >= 0) number_member(buffer_, "inlined_at", static_cast<std::uint64_t>(one.inlined_at));
    buffer_ += '}';
  });
  if (head.variables.empty()) return;
  buffer_ += ',';
  newline(2);
  list_member(buffer_, "variables", head.variables.size(), [&](std::size_t k) {
    const TraceVariable& one = head.variables[k];
    buffer_ += '{';
    text_member(buffer_, "name", one.name);
    text_member(buffer_, "register", head.registers[static_cast<std::size_t>(one.reg)].name);
    number_member(buffer_, "first", static_cast<std::uint64_t>(one.first));
    number_member(buffer_, "end", static_cast<std::uint64_t>(one.end));
    buffer_ += '}';
  });
}

void TraceWriter::phases(std::string_view name, const std::vector<TracePhase>& list) {
  append_json_key(buffer_, name);
  buffer_ += '[';
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (k != 0) buffer_ += ',';
    newline(4);
    buffer_ += '{';
    text_member(buffer_, "title", list[k].title);
    text_member(buffer_, "options", list[k].options);
    list_member(buffer_, "lines", list[k].lines.size(), [&](std::size_t n) {
      buffer_ += '{';
      text_member(buffer_, "text", list[k].lines[n].text);
      text_member(buffer_, "options", list[k].lines[n].options);
      buffer_ += '}';
    });
    buffer_ += '}';
  }
  buffer_ += "],";
  newline(2);
}

}  // namespace warpsim
