// What the C++ says of where values came from, for the page's tests: one JSON line for each lane that an event of a
// trace wrote: [event, lane, register, "0..7", [[event, lane, register], …]].
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <variant>

#include "traces/io/reader.h"
#include "traces/replay/dataflow.h"

int main(int count, char** words) {
  using namespace warpsim;
  std::ifstream file(count > 1 ? words[1] : "");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::variant<Trace, JsonError> read = read_trace(text);
  if (!std::holds_alternative<Trace>(read)) return 3;
  const Trace& trace = std::get<Trace>(read);
  const Dataflow flow(trace);
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    for (const TraceWrite& write : trace.events[k].writes) {
      for_each_lane(write.lanes, [&](unsigned lane) {
        const FlowValue value{k, lane, write.reg, 0};
        std::cout << '[' << k << ", " << lane << ", " << write.reg << ", \""
                  << element_ranges(trace.head, flow.contributions(value)) << "\", [";
        const char* comma = "";
        for (const FlowValue& one : flow.slice(value)) {
          std::cout << comma << '[' << one.event << ", " << one.lane << ", " << one.reg << ']';
          comma = ", ";
        }
        std::cout << "]]\n";
      });
    }
  }
  return 0;
}
