// What one thread can do, whatever the others do: its paths, with every value that its loads could return.
//
// Shapes: an atomic is a read and the write behind it. A trace's events are in program order; `depends` are the reads
//         of the same thread that an event's address, value or being executed comes from, by their place in the trace.
//         Which values a location can hold is found by running all threads until nothing new is stored. No value comes
//         out of thin air, so that each is at the end of a chain of at most as many stores as there are.
// Units:  none.
// Errors: a text in `refused` where a program is too large or leaves an array.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/litmus/program.h"

namespace warpsim::litmus {

struct Event {
  enum class Kind : std::uint8_t { Read, Write, Fence, Barrier };
  Kind kind = Kind::Read;
  std::int32_t thread = -1;  // -1: the initial write
  std::int32_t origin = 0;
  std::int32_t location = -1;
  std::int64_t value = 0;
  Order order = Order::Weak;
  Scope scope = Scope::Sys;
  bool atomic = false;  // half of one: the read, with its write behind it, or that write
  std::uint64_t depends = 0;
  // Barriers.
  std::int64_t barrier = 0;
  std::int32_t instance = -1, arrival = 0;
  bool waits = true, within_warp = false;
  std::uint64_t members = 0;
};

struct Trace {
  std::vector<Event> events;
  std::vector<std::int64_t> registers;
};

struct Limits {
  unsigned repeats = 2;                   // of a jump backwards, on one path
  std::size_t traces = 200'000;           // of one thread
  std::uint64_t candidates = 20'000'000;  // combinations of traces and of what reads from what
};

inline constexpr const char* kTooManyEvents = "more than 64 events";

struct Traces {
  std::vector<std::vector<Trace>> by_thread;
  std::string refused;  // "": none
  bool cut = false;     // a path repeated more often than the limit says
};

Traces traces_of(const Program& program, const Limits& limits);

}  // namespace warpsim::litmus
