// The words of spaces and qualifiers.
#include "isa/table/memory_access.h"

#include <cstddef>

namespace warpsim {

std::string_view name(AddressSpace space) {
  switch (space) {
    case AddressSpace::None: return "";
    case AddressSpace::Global: return "global";
    case AddressSpace::Shared: return "shared";
    case AddressSpace::Local: return "local";
    case AddressSpace::Constant: return "const";
    case AddressSpace::Param: return "param";
    case AddressSpace::Generic: return "";
  }
  return "";
}

std::string_view name(Semantics semantics) {
  switch (semantics) {
    case Semantics::None: return "";
    case Semantics::Weak: return "weak";
    case Semantics::Volatile: return "volatile";
    case Semantics::Mmio: return "mmio";
    case Semantics::Relaxed: return "relaxed";
    case Semantics::Acquire: return "acquire";
    case Semantics::Release: return "release";
    case Semantics::AcqRel: return "acq_rel";
  }
  return "";
}

std::string_view name(Scope scope) {
  switch (scope) {
    case Scope::None: return "";
    case Scope::Cta: return "cta";
    case Scope::Cluster: return "cluster";
    case Scope::Gpu: return "gpu";
    case Scope::Sys: return "sys";
  }
  return "";
}

std::string_view name(CacheOperator cache) {
  switch (cache) {
    case CacheOperator::None: return "";
    case CacheOperator::Ca: return "ca";
    case CacheOperator::Cg: return "cg";
    case CacheOperator::Cs: return "cs";
    case CacheOperator::Lu: return "lu";
    case CacheOperator::Cv: return "cv";
    case CacheOperator::Wb: return "wb";
    case CacheOperator::Wt: return "wt";
  }
  return "";
}

Semantics parse_semantics(std::string_view word) {
  for (Semantics s = Semantics::Weak; s <= Semantics::AcqRel; s = static_cast<Semantics>(static_cast<int>(s) + 1))
    if (name(s) == word) return s;
  return Semantics::None;
}

Scope parse_scope(std::string_view word) {
  for (Scope s = Scope::Cta; s <= Scope::Sys; s = static_cast<Scope>(static_cast<int>(s) + 1))
    if (name(s) == word) return s;
  return Scope::None;
}

CacheOperator parse_cache(std::string_view word) {
  for (CacheOperator c = CacheOperator::Ca; c <= CacheOperator::Wt;
       c = static_cast<CacheOperator>(static_cast<int>(c) + 1))
    if (name(c) == word) return c;
  return CacheOperator::None;
}

HintSet parse_hint(std::string_view word) {
  for (std::size_t k = 0; k < kHintWords.size(); ++k)
    if (kHintWords[k] == word) return static_cast<HintSet>(1U << k);
  return 0;
}

std::string cache_words(const MemoryQualifiers& qualifiers) {
  std::string text;
  if (qualifiers.cache != CacheOperator::None) text += "." + std::string(name(qualifiers.cache));
  if (qualifiers.non_coherent) text += ".nc";
  for (std::size_t k = 0; k < kHintWords.size(); ++k)
    if ((qualifiers.hints >> k & 1) != 0) text += "." + std::string(kHintWords[k]);
  return text;
}

std::string leading_words(const MemoryQualifiers& qualifiers) {
  std::string text;
  if (qualifiers.semantics != Semantics::None) text += "." + std::string(name(qualifiers.semantics));
  if (qualifiers.scope != Scope::None) text += "." + std::string(name(qualifiers.scope));
  return text;
}

}  // namespace warpsim
