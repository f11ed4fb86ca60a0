// Writing JSON into a buffer: the pieces that json_values.h does not offer.
//
// Shapes: private to traces/. Nothing here allocates beyond the buffer's own growth.
// Units:  none.
// Errors: none: every value has a text.
// Source: RFC 8259; traces/FORMAT.md, "Numbers".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/cases/case.h"
#include "isa/kernels/softfloat.h"
#include "isa/table/type.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

// The NaN that "NaN" means: the one that the hardware makes (H200: tests/data/h200_semantics, 0/0 and inf - inf).
constexpr std::uint64_t canonical_nan(Type type) { return softfloat::default_nan(softfloat::format_of(type)); }

void append_json_signed(std::string& out, std::int64_t number);
void append_json_address(std::string& out, std::uint64_t address);  // "0x100000010", quoted, without leading zeros

// Members of an object: `"name": value`, after a comma unless a bracket or a blank precedes it.
void append_json_key(std::string& out, std::string_view name);
void text_member(std::string& out, std::string_view name, std::string_view text);
void number_member(std::string& out, std::string_view name, std::uint64_t number);
void mask_member(std::string& out, std::string_view name, LaneMask mask, unsigned lanes);
void pc_member(std::string& out, std::string_view name, std::int32_t pc);  // null below 0
void dim_member(std::string& out, std::string_view name, const Dim3& dim);

// `"key": [` f(0) `, ` f(1) … `]`
template <class AppendItem>
void list_member(std::string& out, std::string_view name, std::size_t count, AppendItem append_item) {
  append_json_key(out, name);
  out += '[';
  for (std::size_t k = 0; k < count; ++k) {
    if (k != 0) out += ", ";
    append_item(k);
  }
  out += ']';
}

}  // namespace warpsim
