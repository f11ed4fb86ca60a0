// show, asm, disasm: programs as they are written.
#include <algorithm>

#include "isa/assembly/disassembler.h"
#include "isa/program/cfg.h"
#include "isa/program/expand.h"
#include "isa/text/number_text.h"
#include "tools/command/programs_page.h"
#include "tools/command/verbs.h"
#include "tools/session/loading.h"
#include "tools/session/twins.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {

namespace {

std::string case_json(const Lesson& program, const Case& one) {
  JsonObject fields;
  for (const CaseField& field : one.fields) fields.text(field.key, field.value);
  return JsonObject()
      .text("name", one.name)
      .raw("lanes", "[" + list_text(lane_counts(program, one)) + "]")
      .raw("fields", fields.str())
      .str();
}

// The program to print: expanded if wanted.
std::optional<Lesson> load_for_print(Session& session) {
  const std::string& given = session.options.lanes;
  const std::optional<std::vector<unsigned>> lanes = parse_lane_list(given.empty() ? "32" : given);
  if (!lanes || lanes->size() != 1) {
    session.reply.fail(ExitCode::Usage, "usage", "--lanes wants 1, 2, 4, 8, 16, 32 or 64, not " + in_ticks(given));
    return std::nullopt;
  }
  std::optional<Lesson> program = load_program(session, session.options.names.front());
  if (!program || !session.options.expand) return program;
  return expand_collectives(*program, lanes->front());
}

// pc, source line, the pc where the lanes of a branch reconverge, and the instruction under its labels.
std::string listing(const Lesson& program) {
  const Cfg cfg = build_cfg(program);
  std::string text = "  pc  line  reconverge\n";
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const Insn& insn = program.code[pc];
    for (const auto& [label, target] : program.labels)
      if (static_cast<std::size_t>(target) == pc) text += std::string(24, ' ') + label + ":\n";
    std::string reconverge;
    if (info(insn.op).lift == Lift::Branch && insn.guard.reg >= 0) {
      const std::int32_t at = cfg.reconvergence_pc(static_cast<std::int32_t>(pc));
      reconverge = at == kExit ? "exit" : std::to_string(at);
    }
    text += right_aligned(std::to_string(pc), 4) + right_aligned(std::to_string(insn.where.line), 6) +
            right_aligned(reconverge, 12) + "    " + disassemble(program, static_cast<std::int32_t>(pc)) + "\n";
  }
  return text;
}

std::string code_json(const Lesson& program) {
  const Cfg cfg = build_cfg(program);
  std::vector<std::string> code;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const Insn& insn = program.code[pc];
    JsonObject json;
    json.number("pc", pc).number("line", insn.where.line).text("op", info(insn.op).mnemonic);
    json.text("text", disassemble(program, static_cast<std::int32_t>(pc)));
    if (info(insn.op).lift == Lift::Branch && insn.guard.reg >= 0) {
      const std::int32_t at = cfg.reconvergence_pc(static_cast<std::int32_t>(pc));
      json.raw("reconvergence", at == kExit ? "null" : std::to_string(at));
    }
    code.push_back(json.str());
  }
  return json_list(code);
}

}  // namespace

void run_show(Session& session) {
  const std::string& name = session.options.names.front();
  if (session.catalogue.find(name).empty() && !session.catalogue.find_group(name).empty())
    return list_programs(session, {name}, true);
  const std::optional<Lesson> program = load_program(session, name);
  if (!program) return;
  std::string text = program->full_name();
  if (!program->title.empty()) text += ": " + program->title;
  text += "\n";
  if (!program->document.empty()) text += "document: " + program->document + "\n";
  if (!program->section.empty()) text += "section:  " + program->section + "\n";
  if (!program->puzzle.empty()) text += "puzzle:   warpsim " + program->puzzle + "\n";
  if (!program->twin_of.empty()) text += "twin of:  " + program->twin_of + "\n";
  std::vector<std::string> twins;
  for (const Lesson& twin : twins_of(session, *program)) {
    text += "twin:     " + twin.full_name() + "\n";
    twins.push_back(json_text(twin.full_name()));
  }
  for (const Exemption& one : program->exemptions)
    text += "exempt:   " + lanes_text(one.lanes) + ": " + one.reason + "\n";
  text += program->cases.empty() ? "cases:    none\n" : "cases:\n";
  std::size_t width = 0;
  for (const Case& one : program->cases) width = std::max(width, one.name.size());
  std::vector<std::string> cases;
  for (const Case& one : program->cases) {
    const std::vector<unsigned> lanes = lane_counts(*program, one);
    text +=
        "  " + padded(one.name, width + 2) + (lanes.empty() ? "at no lane count" : "at " + lanes_text(lanes)) + "\n";
    cases.push_back(case_json(*program, one));
  }
  const std::string& source = program->source().text;
  session.reply.text(text + "\n" + source);
  if (!source.empty() && source.back() != '\n') session.reply.text("\n");
  session.reply.result(JsonObject()
                           .text("name", program->full_name())
                           .text("title", program->title)
                           .text("document", program->document)
                           .text("section", program->section)
                           .text("puzzle", program->puzzle)
                           .text("twin_of", program->twin_of)
                           .raw("twins", json_list(twins))
                           .raw("cases", json_list(cases))
                           .raw("exempt", exemptions_json(*program))
                           .text("text", source)
                           .str());
}

void run_asm(Session& session) {
  session.reply.send_to(session.options.output);
  const std::optional<Lesson> program = load_for_print(session);
  if (!program) return;
  session.reply.text("// " + program->full_name() + ": " + counted(program->code.size(), "instruction") + ", " +
                     counted(program->registers.size(), "register") + "\n" + listing(*program));
  std::vector<std::string> registers;
  for (const Register& reg : program->registers)
    registers.push_back(
        JsonObject().text("name", reg.name).text("class", name(reg.cls)).text("type", name(reg.shown_as)).str());
  session.reply.result(JsonObject()
                           .text("name", program->full_name())
                           .raw("registers", json_list(registers))
                           .raw("code", code_json(*program))
                           .str());
}

void run_disasm(Session& session) {
  session.reply.send_to(session.options.output);
  const std::optional<Lesson> program = load_for_print(session);
  if (!program) return;
  const std::string text = disassemble(*program);
  session.reply.text(text);
  session.reply.result(JsonObject().text("name", program->full_name()).text("text", text).str());
}

}  // namespace warpsim::tools
