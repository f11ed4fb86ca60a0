// A relation over at most 64 events, as rows of bits.
//
// Shapes: row a has bit b where a is related to b.
// Units:  events count from 0.
// Errors: none.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpsim::litmus {

inline constexpr std::size_t kMaxEvents = 64;
using EventSet = std::uint64_t;
constexpr EventSet one(std::size_t event) { return EventSet{1} << event; }
constexpr bool contains(EventSet set, std::size_t event) { return (set >> event & 1) != 0; }

// Calls visit(event) for each of the set, ascending.
template <class Visit>
void for_each(EventSet set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

class Relation {
 public:
  void add(std::size_t a, std::size_t b) { rows_[a] |= one(b); }
  void remove(std::size_t a, std::size_t b) { rows_[a] &= ~one(b); }
  bool has(std::size_t a, std::size_t b) const { return contains(rows_[a], b); }
  EventSet& row(std::size_t a) { return rows_[a]; }
  EventSet row(std::size_t a) const { return rows_[a]; }
  Relation& operator|=(const Relation& other) {
    for (std::size_t a = 0; a < kMaxEvents; ++a) rows_[a] |= other.rows_[a];
    return *this;
  }
  // Of the first `count` events; Warshall's.
  void close(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t a = 0; a < count; ++a)
        if (has(a, k)) rows_[a] |= rows_[k];
  }
  // Of a relation that is closed.
  bool irreflexive(std::size_t count) const {
    for (std::size_t a = 0; a < count; ++a)
      if (has(a, a)) return false;
    return true;
  }
  bool acyclic(std::size_t count) const {
    Relation closed = *this;
    closed.close(count);
    return closed.irreflexive(count);
  }

 private:
  std::array<EventSet, kMaxEvents> rows_{};
};

}  // namespace warpsim::litmus
