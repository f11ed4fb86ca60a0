// A random program as a .warp text with one case; see case_file.h.
#include "tools/fuzz/case_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <variant>

#include "isa/text/number_text.h"
#include "tools/fuzz/side.h"

namespace warpsim::fuzz {

namespace {

using reference::RandomParam;
using reference::RandomProgram;

constexpr std::size_t kLineWidth = 120;

// A value as a rule writes it: what format_value() says, with the rules' word for infinity.
std::string value_text(Type type, std::uint64_t value) {
  if (is_untyped(type)) return hexadecimal_text(value);
  std::string text = format_value(type, value);
  if (const std::size_t at = text.find("Infinity"); at != std::string::npos) text.replace(at, 8, "inf");
  return text;
}

std::string list_text(Type type, const std::vector<std::uint64_t>& values) {
  if (std::all_of(values.begin(), values.end(), [](std::uint64_t v) { return v == 0; })) return "fill:0";
  std::string text = "[";
  std::size_t line = 16;
  for (const std::uint64_t value : values) {
    const std::string one = value_text(type, value);
    if (text.size() > 1) text += ",";
    const bool breaks = line + one.size() + 3 > kLineWidth;
    text += text.size() == 1 ? "" : breaks ? "\n        " : " ";
    line = (breaks ? 8 : line) + one.size() + 2;
    text += one;
  }
  return text + "]";
}

bool round_trips(Type type, const std::vector<std::uint64_t>& values) {
  const std::string text = list_text(type, values);
  const auto read = evaluate_array(text, type, values.size(), {});
  return std::holds_alternative<Array>(read) && std::get<Array>(read).bits == values;
}

Type untyped(Type type) {
  switch (bits(type)) {
    case 8: return Type::B8;
    case 16: return Type::B16;
    case 32: return Type::B32;
    default: return Type::B64;
  }
}

// A scalar's bits: of a float, exactly.
std::string scalar_text(Type type, std::uint64_t value) {
  char text[24];
  if (type == Type::F32) std::snprintf(text, sizeof text, "0f%08llx", static_cast<unsigned long long>(value));
  else if (type == Type::F64) std::snprintf(text, sizeof text, "0d%016llx", static_cast<unsigned long long>(value));
  else return format_value(type, value);
  return text;
}

std::string dim_text(const Dim3& d) {
  return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
}

}  // namespace

std::string case_file(const RandomProgram& program, const std::vector<std::string>& comment, const Buffers& expected) {
  const auto values_of = [](const Buffers& from, const std::string& name) -> const std::vector<std::uint64_t>* {
    const auto found = from.find(name);
    return found == from.end() ? nullptr : &found->second.bits;
  };
  RandomProgram written = program;
  std::string fields;
  for (RandomParam& p : written.params) {
    if (p.length == 0) {
      fields += "    " + p.name + " = " + scalar_text(p.type, program.scalars.find(p.name)->second) + "\n";
      continue;
    }
    const auto *const given = values_of(program.buffers, p.name), *const left = values_of(expected, p.name);
    const bool is_input = p.kind != "out";
    if ((is_input && !round_trips(p.type, *given)) || (left != nullptr && !round_trips(p.type, *left)))
      p.type = untyped(p.type);
    if (is_input) fields += "    " + p.name + " = " + list_text(p.type, *given) + "\n";
  }
  for (const RandomParam& p : written.params)
    if (const auto* left = values_of(expected, p.name); left != nullptr)
      fields += "    expect " + p.name + " = " + list_text(p.type, *left) + "\n";
  std::string text;
  for (const std::string& one : comment) text += "// " + one + "\n";
  return text + written.text() + ".case difference\n    lanes = " + std::to_string(program.lanes) +
         "\n    grid = " + dim_text(program.grid) + "\n    block = " + dim_text(program.block) + "\n" + fields;
}

}  // namespace warpsim::fuzz
