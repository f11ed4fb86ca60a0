// Vectors whose elements begin where a line of the host's cache does: what code accesses by vectors of 64 bytes is then
// mostly one line.
//
// Units:  bytes.
// Errors: std::bad_alloc.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace warpsim {

inline constexpr std::size_t kHostLineBytes = 64;

template <class T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <class U>
  explicit(false) LineAllocator(const LineAllocator<U>& /*other*/) {}
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kHostLineBytes}));
  }
  void deallocate(T* elements, std::size_t /*count*/) {
    ::operator delete (elements, std::align_val_t{kHostLineBytes});
  }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

}  // namespace warpsim
