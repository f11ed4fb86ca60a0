// Atomics of the lanes of a warp that all go to one piece of memory, where nothing watches them.
//
// Shapes: addresses by lane; `bytes` is where the bytes of address `first` are. The lanes take effect in rising order:
//         each sees what the one before has left.
// Units:  bytes.
// Errors: none: that the bytes are there, and aligned, is for the caller to know.
// Source: PTX ISA 9.0, "atom", "red"; sim/README.md, "Atomics".
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/code/decode.h"

namespace warpsim {

// Types of 32 and 64 bits. `shared_by_threads`: other threads of the host may change the same memory, by atomics. `op`:
// the row, which of a generic access to shared memory is not the instruction's own.
void change_lanes(std::byte* registers, const DecodedInsn& insn, Op op, std::byte* bytes, std::uint64_t first,
                  const std::uint64_t* address, LaneMask active, bool shared_by_threads);

// One atomic operation on the host's memory, which is aligned; what was there before. Other threads may do the same.
template <class Word, class F>
Word change_atomically(std::byte* at, const F& changed) {
  auto* const word = reinterpret_cast<Aliased<Word>*>(at);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, static_cast<Word>(changed(old)), true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

template <unsigned Bytes>
using WordOf = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

// One load or store of memory that other threads may access meanwhile.
template <unsigned Bytes>
std::uint64_t load_shared(const std::byte* at) {
  return __atomic_load_n(reinterpret_cast<const Aliased<WordOf<Bytes>>*>(at), __ATOMIC_RELAXED);
}
template <unsigned Bytes>
void store_shared(std::byte* at, std::uint64_t value) {
  __atomic_store_n(reinterpret_cast<Aliased<WordOf<Bytes>>*>(at), static_cast<WordOf<Bytes>>(value), __ATOMIC_RELAXED);
}

}  // namespace warpsim
