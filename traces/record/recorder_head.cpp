// The head of a trace: what is known before the run.
#include <algorithm>

#include "isa/assembly/disassembler.h"
#include "isa/program/address_arithmetic.h"
#include "isa/text/word.h"
#include "sim/timing/profile.h"
#include "traces/model/instruction_texts.h"
#include "traces/record/recorder.h"

namespace warpsim {
namespace {

// How to print a register: as the program uses it, else as the bits that it is.
Type shown_type(const Register& reg) {
  if (reg.shown_as != Type::None && reg_class(reg.shown_as) == reg.cls) return reg.shown_as;
  switch (reg.cls) {
    case RegClass::Pred: return Type::Pred;
    case RegClass::Mask: return Type::Mask;
    case RegClass::R16: return Type::B16;
    case RegClass::R64: return Type::B64;
    case RegClass::R32:
    case RegClass::None: break;
  }
  return Type::B32;
}

// Splits at a character outside all brackets.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : separator;
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (at < text.size() && (c != separator || depth > 0)) continue;
    pieces.emplace_back(trimmed(text.substr(start, at - start)));
    start = at + 1;
  }
  return pieces;
}

// One text a slot, taken from the disassembly, so that there is one place that knows how operands are written.
std::vector<std::string> operand_texts(const Insn& insn, std::string_view text) {
  if (insn.guard.reg >= 0) text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const std::size_t blank = text.find(' ');
  std::vector<std::string> pieces;
  if (blank != std::string_view::npos) pieces = split(text.substr(blank), ',');
  const std::span<const Slot> form = slots(info(insn.op).form);
  if (!pieces.empty() && form.size() > 1 && form[1].role == Role::DstPred) {
    const std::vector<std::string> first = split(pieces.front(), '|');
    pieces.erase(pieces.begin());
    pieces.insert(pieces.begin(), first.begin(), first.end());
  }
  const bool without_c = !form.empty() && !has_slot(form.back(), insn.mods);  // most comparisons have no operand c
  std::vector<std::string> texts(form.size() - (without_c ? 1 : 0));
  std::size_t next = 0;
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k)
    if (insn.operands[k].kind != Operand::Kind::None && !is_hidden(form[k]) && next < pieces.size())
      texts[k] = pieces[next++];
  return texts;
}

TraceInsn convert(const Program& program, std::int32_t pc) {
  const Insn& insn = program.code[static_cast<std::size_t>(pc)];
  const OpInfo& row = info(insn.op);
  TraceInsn out;
  out.pc = pc;
  out.line = insn.where.file == 0 ? insn.where.line : 0;  // the text is that of the first file
  out.text = trimmed(disassemble(program, pc));
  out.doc = row.doc;
  out.op = row.mnemonic;
  out.type = insn.type;
  out.operands = operand_texts(insn, out.text);
  return out;
}

void mark_addresses(TraceHead& head, const Program& program) {
  if (!program.is_from_ptx) return;
  const std::vector<bool> marks = address_arithmetic(program);
  for (TraceInsn& insn : head.code) {
    insn.is_address = marks[static_cast<std::size_t>(insn.pc)];
    if (insn.is_address) head.version = "1.6";
  }
}

// The sources' texts are there where something is shown of them.
void add_sources(TraceHead& head, const Program& program) {
  if (program.sources.empty()) return;
  head.version = "1.6";
  const std::uint32_t texts = program.module->texts;
  for (std::size_t k = texts; k < program.module->files.size(); ++k)
    head.sources.push_back({without_folder(program.module->files[k].name), ""});
  for (const SourcePlace& one : program.sources)
    head.places.push_back(
        {one.where.file - texts, one.where.line, one.where.column, one.where.length, one.function, one.inlined_at});
  for (TraceInsn& insn : head.code) {
    const SourcePlace* const shown = program.source_at(insn.pc);
    if (shown == nullptr) continue;
    insn.place = static_cast<std::int32_t>(shown - program.sources.data());
    insn.innermost = program.code[static_cast<std::size_t>(insn.pc)].source;
    head.sources[shown->where.file - texts].text = program.source(shown->where).text;
  }
  for (const SourceVariable& one : program.variables) head.variables.push_back({one.name, one.reg, one.first, one.end});
}

std::vector<TracePhase> convert(const std::vector<Phase>& phases) {
  std::vector<TracePhase> out;
  for (const Phase& phase : phases) {
    TracePhase& added = out.emplace_back(TracePhase{phase.title, phase.options, {}});
    for (const DrawLine& line : phase.lines) added.lines.push_back({line.text, line.options});
  }
  return out;
}

void add_params(TraceHead& head, const Program& program, const Arguments& arguments,
                const std::function<std::uint64_t(std::int32_t param)>& address_of) {
  for (std::size_t k = 0; k < program.params.size(); ++k) {
    const Param& param = program.params[k];
    TraceParam out{param.name, param.kind, param.type, 0, 0, 0};
    if (!param.is_buffer()) {
      if (const auto found = arguments.scalars.find(param.name); found != arguments.scalars.end())
        out.bits = found->second;
    } else if (const auto found = arguments.buffers.find(param.name); found != arguments.buffers.end()) {
      const Array& array = found->second;
      out.length = array.bits.size();
      out.address = address_of(static_cast<std::int32_t>(k));
      const bool zeros =
          std::all_of(array.bits.begin(), array.bits.end(), [](std::uint64_t bits) { return bits == 0; });
      if (param.kind != Param::Kind::Out || !zeros) head.inputs.emplace_back(param.name, array);
    }
    head.params.push_back(std::move(out));
  }
}

void add_lesson(TraceHead& head, const Lesson& lesson) {
  head.title = lesson.title;
  head.document = lesson.document;
  head.phases = convert(lesson.phases);
  head.pictures = convert(lesson.pictures);
  for (TraceInsn& insn : head.code) insn.phase = lesson.phase_of(insn.pc);
}

}  // namespace

TraceHead make_head(const Program& program, const Lesson* lesson, const LaunchConfig& config,
                    const Arguments& arguments, const std::function<std::uint64_t(std::int32_t param)>& address_of) {
  TraceHead head;
  head.lanes = config.lanes;
  head.reconvergence = config.reconvergence;
  if (config.timing) head.profile = config.timing->name;
  if (config.schedule != Schedule{}) {
    head.schedule = name(config.schedule);
    head.version = "1.2";
  }
  if (config.timing) {
    head.version = "1.3";
    head.scheduler = name(config.timing->scheduler);
    head.sub_cores = config.timing->sm.sub_cores;
  }
  const bool copies = std::any_of(program.code.begin(), program.code.end(),
                                  [](const Insn& insn) { return info(insn.op).lift == Lift::Copy; });
  if (copies) head.version = "1.4";
  if (std::any_of(program.code.begin(), program.code.end(), [](const Insn& insn) {
        const AddressSpace space = insn.mods.memory.space;
        return space != AddressSpace::None && space != AddressSpace::Param;
      }))
    head.version = "1.5";
  head.grid = config.grid;
  head.block = config.block;
  if (head.block.x == 0) head.block.x = config.lanes;
  head.program = program.full_name();
  const SourceFile& source = program.source();
  head.file = without_folder(source.name);  // a trace holds no paths
  head.text = source.text;
  add_params(head, program, arguments, address_of);
  for (const Object& shared : program.objects)
    head.shared.push_back({shared.name, shared.type, static_cast<std::uint64_t>(shared.length.evaluate(config.lanes))});
  for (const Register& reg : program.registers) head.registers.push_back({reg.name, shown_type(reg)});
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    head.code.push_back(convert(program, static_cast<std::int32_t>(pc)));
  mark_addresses(head, program);
  add_sources(head, program);
  read_instruction_texts(head);
  if (lesson != nullptr) add_lesson(head, *lesson);
  return head;
}

}  // namespace warpsim
