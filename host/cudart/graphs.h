// Graphs of work, captured or built, and what is made of them to be launched.
//
// Shapes: a node knows what it does and behind which nodes. An executable graph has its own copy of what each node
//         does, in an order that keeps all edges: nodes that do not depend on each other in the order of their making.
// Units:  none.
// Errors: order() is empty if the nodes wait for each other in a circle.
// Source: CUDA C++ Programming Guide 13.0, "CUDA Graphs".
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "host/cudart/cuda_types.h"
#include "host/cudart/work.h"

namespace warpsim::cudart {

struct WorkItem;

struct GraphNode {
  Graph* graph = nullptr;
  Work work;
  std::vector<GraphNode*> behind;
  GraphNode* original = nullptr;  // of a clone
  // What the getters point to.
  std::vector<void*> arguments;
};

struct Graph {
  bool is_invalid = false;  // a capture that something spoiled
  std::vector<std::unique_ptr<GraphNode>> nodes;
  GraphNode* add(Work work, std::vector<GraphNode*> behind);
  void remove(GraphNode* node);
  std::vector<GraphNode*> order() const;
  // Where in that order those stand that the node is behind.
  static std::vector<std::size_t> places_behind(const GraphNode& node, const std::vector<GraphNode*>& order);
  // Whether `ends` are behind all of these, or are these.
  static bool leads_to(const std::vector<GraphNode*>& nodes, const std::vector<GraphNode*>& ends);
  std::shared_ptr<Graph> clone() const;
  bool has_memory() const;  // nodes that allocate or free
};

struct GraphExec {
  struct Step {
    const GraphNode* node = nullptr;  // may be gone
    Work work;
    std::vector<std::size_t> behind;  // steps, all of them earlier
    bool is_enabled = true;
  };
  std::vector<Step> steps;
  unsigned long long flags = 0;
  std::shared_ptr<WorkItem> last;  // with which its last launch ends
  Step* find(const GraphNode* node);
};

cudaGraphNodeType type_of(const Work& work);

}  // namespace warpsim::cudart
