// Two programs compared member by member: what assemble(disassemble(p)) must give back.
//
// Shapes: places in the text, the text itself and the file's name are not compared.
// Errors: difference() returns the first difference as a sentence, "" if there is none.
#pragma once

#include <string>
#include <tuple>

#include "isa/program/lesson.h"

namespace warpsim {

inline std::string difference(const Operand& a, const Operand& b) {
  const auto all = [](const Operand& o) {
    return std::tie(o.kind, o.negated, o.special, o.reg, o.special_index, o.param, o.object, o.target, o.float_bits,
                    o.expr);
  };
  return all(a) == all(b) ? ""
                          : "operand of kind " + std::to_string(static_cast<int>(a.kind)) + " against " +
                                std::to_string(static_cast<int>(b.kind));
}

inline std::string difference(const Insn& a, const Insn& b) {
  const auto all = [](const Insn& i) { return std::tie(i.op, i.type, i.type2, i.mods, i.guard); };
  if (!(all(a) == all(b))) return "opcode, types, modifiers or guard";
  if (a.operands.size() != b.operands.size()) return "number of operands";
  for (std::size_t k = 0; k < a.operands.size(); ++k) {
    const std::string found = difference(a.operands[k], b.operands[k]);
    if (!found.empty()) return "operand " + std::to_string(k) + ": " + found;
  }
  return "";
}

inline std::string difference(const Phase& a, const Phase& b) {
  if (a.title != b.title || a.options != b.options || a.first_pc != b.first_pc || a.lines.size() != b.lines.size())
    return "title, options, first pc or number of lines";
  for (std::size_t i = 0; i < a.lines.size(); ++i) {
    if (a.lines[i].text != b.lines[i].text || a.lines[i].options != b.lines[i].options)
      return "line " + std::to_string(i);
  }
  return "";
}

inline std::string difference(const Case& a, const Case& b) {
  if (a.name != b.name || a.fields.size() != b.fields.size()) return "name or number of fields";
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (a.fields[i].key != b.fields[i].key || a.fields[i].value != b.fields[i].value) return "field " + a.fields[i].key;
  }
  return "";
}

inline std::string difference(const Register& a, const Register& b) {
  return std::tie(a.name, a.cls, a.shown_as) == std::tie(b.name, b.cls, b.shown_as) ? ""
                                                                                    : a.name + " against " + b.name;
}
inline std::string difference(const Param& a, const Param& b) {
  const auto all = [](const Param& p) { return std::tie(p.name, p.kind, p.type, p.length, p.default_value); };
  return all(a) == all(b) ? "" : a.name;
}
inline std::string difference(const Exemption& a, const Exemption& b) {
  return std::tie(a.lanes, a.reason) == std::tie(b.lanes, b.reason) ? "" : a.reason + " against " + b.reason;
}
inline std::string difference(const Object& a, const Object& b) {
  const auto all = [](const Object& o) { return std::tie(o.name, o.space, o.type, o.length, o.alignment_bytes); };
  return all(a) == all(b) ? "" : a.name;
}

template <class T>
std::string difference(const std::vector<T>& a, const std::vector<T>& b, const std::string& what) {
  if (a.size() != b.size())
    return "number of " + what + ": " + std::to_string(a.size()) + " against " + std::to_string(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string found = difference(a[i], b[i]);
    if (!found.empty()) return what + " " + std::to_string(i) + ": " + found;
  }
  return "";
}

inline std::string difference(const Lesson& a, const Lesson& b) {
  const auto words = [](const Lesson& p) {
    return std::tie(p.name, p.group, p.title, p.document, p.section, p.puzzle, p.twin_of, p.header, p.labels);
  };
  if (!(words(a) == words(b))) return "name, group, title, document, puzzle, twin, header or labels";
  for (const std::string& found :
       {difference(a.params, b.params, "params"), difference(a.objects, b.objects, "objects"),
        difference(a.registers, b.registers, "registers"), difference(a.code, b.code, "instructions"),
        difference(a.phases, b.phases, "phases"), difference(a.pictures, b.pictures, "pictures"),
        difference(a.exemptions, b.exemptions, "exemptions"),
        a.unordered == b.unordered ? std::string() : std::string("unordered outputs"),
        difference(a.cases, b.cases, "cases")}) {
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace warpsim
