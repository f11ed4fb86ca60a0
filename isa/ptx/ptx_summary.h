// What a PTX module holds that can be launched.
//
// Shapes: one summary an .entry that has a body, in text order. What it calls counts to it.
// Units:  bytes.
// Errors: none: what has no size counts 0.
// Source: PTX ISA 9.0, 5.2.1 (sizes of types), 7.1.3 (parameters).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ptx/ptx_syntax.h"
#include "isa/text/diagnostic.h"

namespace warpsim::ptx {

// The value of a constant expression of integers, in 64 bits; none where a name or a float stands in it, or where
// something is divided by 0.
std::optional<std::uint64_t> constant_of(const Expression& expression);

// Of a type as it is written, ".f32"; 0 of what has no size.
std::uint64_t bytes_of(std::string_view type);
// All dimensions, without alignment; none where a length is no constant, or the product has more than 64 bits. An open
// length counts 0.
std::optional<std::uint64_t> bytes_of(const Declaration& declaration);

struct ParameterPlace {
  const Declaration* parameter = nullptr;
  std::uint64_t offset = 0, size = 0;
};

struct EntrySummary {
  const Function* function = nullptr;
  std::vector<ParameterPlace> parameters;
  std::uint64_t instructions = 0, registers = 0;    // with those of the functions that it calls by name
  std::uint64_t shared_bytes = 0, local_bytes = 0;  // of what it names, and of what is declared in it
  bool has_dynamic_shared = false;
};
std::vector<EntrySummary> summarize(const Module& module);

// Why an opcode is not executed: by its kind, or because the table does not have it.
std::string refused_because(std::string_view opcode);

// As C++ has it, where the name is one of its mangled ones: "saxpy(int, float, float*)".
std::string demangled(std::string_view name);
// … and of that the name alone: "saxpy" of "void ns::saxpy<float>(int)".
std::string short_name(std::string_view name);

}  // namespace warpsim::ptx
