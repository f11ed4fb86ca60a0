// Names of types and register classes.
//
// Shapes: one table, indexed by Type.
// Units:  none.
// Errors: parse_type returns Type::None for a word that is no type.
// Source: PTX ISA 9.0, section 5.2 "Types".
#include "isa/table/type.h"

#include <array>

namespace warpsim {
namespace {

constexpr std::array<std::string_view, kTypeCount> kTypeNames = {
    "",    "pred", "b8",  "u8",  "s8",   "b16",   "u16",    "s16", "f16", "bf16", "e4m3x2", "e5m2x2",
    "b32", "u32",  "s32", "f32", "tf32", "f16x2", "bf16x2", "b64", "u64", "s64",  "f64",    "mask",
};
static_assert(kTypeNames[static_cast<int>(Type::F16)] == "f16" &&
                  kTypeNames[static_cast<int>(Type::F16X2)] == "f16x2" &&
                  kTypeNames[static_cast<int>(Type::F32)] == "f32" &&
                  kTypeNames[static_cast<int>(Type::Mask)] == "mask",
              "the names stand in the order of the enumerators");

}  // namespace

std::string_view name(Type t) { return kTypeNames[static_cast<std::size_t>(t)]; }

std::string_view name(RegClass c) {
  switch (c) {
    case RegClass::None: return "no register";
    case RegClass::Pred: return "predicate";
    case RegClass::R16: return "16-bit register";
    case RegClass::R32: return "32-bit register";
    case RegClass::R64: return "64-bit register";
    case RegClass::Mask: return "mask";
  }
  return "";
}

Type parse_type(std::string_view word) {
  for (int i = 1; i < kTypeCount; ++i) {
    if (kTypeNames[static_cast<std::size_t>(i)] == word) return static_cast<Type>(i);
  }
  return Type::None;
}

}  // namespace warpsim
