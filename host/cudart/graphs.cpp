// See graphs.h.
#include "host/cudart/graphs.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace warpsim::cudart {

GraphNode* Graph::add(Work work, std::vector<GraphNode*> behind) {
  auto node = std::make_unique<GraphNode>();
  node->graph = this;
  node->work = std::move(work);
  node->behind = std::move(behind);
  return nodes.emplace_back(std::move(node)).get();
}

void Graph::remove(GraphNode* node) {
  for (const auto& other : nodes) std::erase(other->behind, node);
  std::erase_if(nodes, [node](const auto& one) { return one.get() == node; });
}

std::vector<GraphNode*> Graph::order() const {
  std::vector<GraphNode*> order;
  std::set<const GraphNode*> done;
  const auto is_done = [&](const GraphNode* node) { return done.contains(node); };
  while (order.size() < nodes.size()) {
    const auto next = std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) {
      return !is_done(node.get()) && std::all_of(node->behind.begin(), node->behind.end(), is_done);
    });
    if (next == nodes.end()) return {};
    done.insert(next->get());
    order.push_back(next->get());
  }
  return order;
}

bool Graph::leads_to(const std::vector<GraphNode*>& nodes, const std::vector<GraphNode*>& ends) {
  std::set<const GraphNode*> before;
  std::vector<const GraphNode*> next(ends.begin(), ends.end());
  while (!next.empty()) {
    const GraphNode* const node = next.back();
    next.pop_back();
    if (before.insert(node).second) next.insert(next.end(), node->behind.begin(), node->behind.end());
  }
  return std::all_of(nodes.begin(), nodes.end(), [&](const GraphNode* node) { return before.contains(node); });
}

std::vector<std::size_t> Graph::places_behind(const GraphNode& node, const std::vector<GraphNode*>& order) {
  std::vector<std::size_t> places;
  for (const GraphNode* const before : node.behind)
    places.push_back(static_cast<std::size_t>(std::find(order.begin(), order.end(), before) - order.begin()));
  return places;
}

std::shared_ptr<Graph> Graph::clone() const {
  auto made = std::make_shared<Graph>();
  std::map<const GraphNode*, GraphNode*> clones;
  for (const auto& node : nodes) {
    GraphNode* const copy = made->add(node->work, {});
    copy->original = node.get();
    clones[node.get()] = copy;
  }
  for (const auto& node : nodes)
    for (const GraphNode* const before : node->behind) clones[node.get()]->behind.push_back(clones[before]);
  return made;
}

bool Graph::has_memory() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
    return std::holds_alternative<AllocateWork>(node->work) || std::holds_alternative<FreeWork>(node->work);
  });
}

GraphExec::Step* GraphExec::find(const GraphNode* node) {
  const auto found = std::find_if(steps.begin(), steps.end(), [node](const Step& step) { return step.node == node; });
  return found == steps.end() ? nullptr : &*found;
}

cudaGraphNodeType type_of(const Work& work) {
  static constexpr cudaGraphNodeType kTypes[] = {
      cudaGraphNodeTypeKernel,   cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,     cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeGraph,
      cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree,     cudaGraphNodeTypeEmpty};
  const auto* const event = std::get_if<EventWork>(&work);
  return event != nullptr && !event->records ? cudaGraphNodeTypeWaitEvent : kTypes[work.index()];
}

}  // namespace warpsim::cudart
