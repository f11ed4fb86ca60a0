// What a window finds when it begins.
//
// Errors: those of json_dom.h.
// Source: traces/FORMAT.md, "Windows".
#include <utility>

#include "traces/io/reader_parts.h"

namespace warpsim {
namespace {

TraceStart::Warp read_warp(const Node& node, const TraceHead& head, const HeadIndex& index) {
  TraceStart::Warp warp;
  warp.block = static_cast<std::uint32_t>(node.member("block").number(index.blocks - 1));
  warp.warp = static_cast<std::uint32_t>(node.member("warp").number(index.warps_per_block - 1));
  warp.lanes = node.member("lanes").lanes(head.lanes);
  const Node pcs = node.member("pc");
  for (std::size_t k = 0, n = pcs.size_as(count_lanes(warp.lanes), "\"lanes\" has"); k < n; ++k) {
    warp.pc.push_back(pcs.item(k).pc(head.code.size()));
    if (warp.pc.back() < 0) pcs.item(k).fail("J006", "a lane that has come to an instruction needs its pc");
  }
  warp.exited = node.member("exited").lanes(head.lanes);
  const Node registers = node.member("registers");
  for (std::size_t k = 0, n = registers.size(); k < n; ++k)
    warp.registers.push_back(read_write(registers.item(k), head, index));
  return warp;
}

TraceStart::Shared read_shared(const Node& node, const TraceHead& head, const HeadIndex& index) {
  TraceStart::Shared out;
  out.block = static_cast<std::uint32_t>(node.member("block").number(index.blocks - 1));
  const std::string name = node.member("object").text();
  const auto found = index.shared.find(name);
  if (found == index.shared.end()) {
    node.member("object").fail("J011", "the program has no shared array \"" + name + "\"");
    return out;
  }
  out.object = found->second;
  const TraceShared& array = head.shared[static_cast<std::size_t>(out.object)];
  TraceParam as_buffer;
  as_buffer.name = array.name;
  as_buffer.type = array.type;
  as_buffer.length = array.length;
  std::vector<UndefinedElements> undefined;
  out.values = read_elements(node.member("values"), as_buffer, &undefined);
  if (!undefined.empty()) out.undefined = std::move(undefined.front().index);
  return out;
}

}  // namespace

TraceStart read_start(const Node& node, const TraceHead& head, const HeadIndex& index) {
  TraceStart start;
  start.events = node.member("events").number(~std::uint64_t{0});
  const Node warps = node.member("warps");
  for (std::size_t k = 0, n = warps.size(); k < n; ++k) start.warps.push_back(read_warp(warps.item(k), head, index));
  start.buffers = read_arrays(node.member("buffers"), head, index, &start.undefined);
  const Node shared = node.member("shared");
  for (std::size_t k = 0, n = shared.size(); k < n; ++k)
    start.shared.push_back(read_shared(shared.item(k), head, index));
  return start;
}

}  // namespace warpsim
