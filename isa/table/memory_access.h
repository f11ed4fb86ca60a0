// What an instruction does to memory: where, how, and with which of PTX's qualifiers.
//
// Shapes: an AddressSpace is a column of the table and an AccessKind follows from a row's lift and form; the qualifiers
//         are written on one instruction. Memory is in order here, so no qualifier changes a result: they are kept for
//         the text and for PTX. The enumerations hold what PTX has; which of it a row takes, its modifiers say.
// Units:  none.
// Errors: none; the parse functions return None for a word that is no such qualifier.
// Source: PTX ISA 9.0, chapter 5.1 "State Spaces", chapter 8 "Memory Consistency Model", and section 9.7.9.1 "Cache
//         Operators".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpsim {

// Generic: an address says by itself which space it is in (isa/kernels/windows.h).
enum class AddressSpace : std::uint8_t { None, Global, Shared, Local, Constant, Param, Generic };
// A reduction is an atomic that returns nothing.
enum class AccessKind : std::uint8_t { None, Load, Store, Atomic, Reduction };

enum class Semantics : std::uint8_t { None, Weak, Volatile, Mmio, Relaxed, Acquire, Release, AcqRel };
enum class Scope : std::uint8_t { None, Cta, Cluster, Gpu, Sys };
enum class CacheOperator : std::uint8_t { None, Ca, Cg, Cs, Lu, Cv, Wb, Wt };

// How long the caches should keep what is accessed, and how much more to fetch: one bit a word of kHintWords.
using HintSet = std::uint16_t;
inline constexpr std::array<std::string_view, 11> kHintWords = {
    "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate",
    "L2::evict_normal", "L2::evict_first",     "L2::evict_last",  "L2::64B",        "L2::128B",
    "L2::256B"};                                                                    // as PTX orders them
inline constexpr HintSet kL1Hints = 0x1f, kL2Hints = 0xe0, kPrefetchHints = 0x700;  // at most one word of each
inline constexpr std::string_view kCachePolicyWord = "L2::cache_hint";  // it says that one more operand is a policy

struct MemoryQualifiers {
  Semantics semantics = Semantics::None;
  Scope scope = Scope::None;
  CacheOperator cache = CacheOperator::None;
  bool non_coherent = false;  // .nc
  // Another space than the row's: what a module of PTX reads by ld.local, ld.const or a generic ld is the row ld.global
  // with that space. None: the row's.
  AddressSpace space = AddressSpace::None;
  HintSet hints = 0;
  bool operator==(const MemoryQualifiers&) const = default;
};

// As PTX writes them, without the dot: "global", "acq_rel", "gpu", "cg". None is "", and so is Generic.
std::string_view name(AddressSpace space);
std::string_view name(Semantics semantics);
std::string_view name(Scope scope);
std::string_view name(CacheOperator cache);
Semantics parse_semantics(std::string_view word);
Scope parse_scope(std::string_view word);
CacheOperator parse_cache(std::string_view word);
HintSet parse_hint(std::string_view word);  // 0: it is none

// ".relaxed.gpu": what stands between an opcode's first word and its space. Empty if nothing is written.
std::string leading_words(const MemoryQualifiers& qualifiers);
// ".cg.nc.L2::128B": what stands behind the space.
std::string cache_words(const MemoryQualifiers& qualifiers);

// A reduction returns nothing that an acquire could order, so PTX gives it `.relaxed` and `.release` alone: the same
// access as PTX writes it.
constexpr Semantics as_reduction(Semantics semantics) {
  if (semantics == Semantics::Acquire) return Semantics::Relaxed;
  return semantics == Semantics::AcqRel ? Semantics::Release : semantics;
}

}  // namespace warpsim
