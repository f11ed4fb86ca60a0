// The programs of programs/graph/ against oracles: union-find, and a recursive walk.
#include <numeric>

#include "tests/support/oracle_check.h"

namespace warpsim::testing {
namespace graph_test {

using Numbers = std::vector<std::size_t>;

// ---- connected components

std::size_t root_of(Numbers& parent, std::size_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

// Rounds of "lowest label among the neighbors, then the label of that vertex", all vertices at once, until nothing
// changes; and what union-find says.
void connected_components(const Problem& p, const Warp& w, Outputs& out) {
  const std::size_t vertices = w.at.size();
  std::vector<Numbers> neighbors(vertices);
  Numbers parent(vertices);
  std::iota(parent.begin(), parent.end(), 0);
  Numbers labels = parent;
  const std::size_t degree = p.params.at("degree");
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t k = 0; k < degree; ++k) {
      const std::uint64_t other = p.inputs.at("neighbor")[w.at[v] * degree + k];
      if (other >= vertices) continue;
      neighbors[v].push_back(other);
      const std::size_t a = root_of(parent, v), b = root_of(parent, other);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::size_t rounds = 0;
  for (bool changed = true; changed; ++rounds) {
    Numbers lowest = labels, next = labels;
    for (std::size_t v = 0; v < vertices; ++v) {
      for (const std::size_t other : neighbors[v]) lowest[v] = std::min(lowest[v], labels[other]);
    }
    for (std::size_t v = 0; v < vertices; ++v) next[v] = lowest[lowest[v]];
    changed = next != labels;
    labels = next;
  }
  for (std::size_t v = 0; v < vertices; ++v) {
    out["component"][w.at[v]] = root_of(parent, v);
    out["rounds"][w.at[v]] = rounds;
  }
}

// As many random edges as a random share of the lists holds; the other entries are empty.
void random_graph(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  const std::size_t degree = random() % 4;
  launch.params["degree"] = std::to_string(degree);
  Array& neighbor = launch.input_arrays["neighbor"] = Array{Type::S32, {}};
  for (const Warp& w : warps) {
    const std::size_t vertices = w.at.size();
    std::vector<Numbers> lists(vertices);
    for (std::size_t attempt = random() % (1 + vertices * degree); attempt > 0; --attempt) {
      const std::size_t a = random() % vertices, b = random() % vertices;
      if (lists[a].size() >= degree || lists[b].size() + (a == b) >= degree) continue;
      lists[a].push_back(b);
      lists[b].push_back(a);
    }
    for (Numbers& list : lists) {
      while (list.size() < degree) list.push_back(random() % 2 == 0 ? 0xffffffff : vertices + random() % 40);
      std::shuffle(list.begin(), list.end(), random);
      neighbor.bits.insert(neighbor.bits.end(), list.begin(), list.end());
    }
  }
}

// ---- tree traversal

// Visits a node, its children and its next siblings; returns how many nodes it visited.
std::size_t walk(const Problem& p, const Warp& w, std::uint64_t node, std::size_t depth, std::size_t& count,
                 Outputs& out) {
  std::size_t visited = 0;
  for (; node < w.at.size(); node = p.inputs.at("sibling")[w.at[node]]) {
    const std::size_t i = w.at[node];
    out["preorder"][i] = count++;
    out["depth"][i] = depth;
    out["subtree"][i] = 1 + walk(p, w, p.inputs.at("child")[i], depth + 1, count, out);
    visited += out["subtree"][i];
  }
  return visited;
}

void tree_traversal(const Problem& p, const Warp& w, Outputs& out) {
  Numbers first(w.at.size());  // the first root is no node's child or sibling
  std::iota(first.begin(), first.end(), 0);
  for (const char* link : {"child", "sibling"}) {
    for (const std::uint64_t node : p.input(w, link)) std::erase(first, node);
  }
  ASSERT_EQ(first.size(), 1U);
  std::size_t count = 0;
  walk(p, w, first[0], 0, count, out);
  ASSERT_EQ(count, w.at.size());
}

// Nodes in random order, each under a random earlier one or, now and then, a root; now flat trees, now deep ones.
void random_forest(std::mt19937& random, const std::vector<Warp>& warps, CaseOverrides& launch) {
  constexpr std::uint64_t none = 0xffffffff;
  for (const char* link : {"parent", "child", "sibling"}) launch.input_arrays[link] = Array{Type::S32, {}};
  const std::size_t reach = 1 + random() % 64;
  for (const Warp& w : warps) {
    Numbers order(w.at.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Words parent(order.size(), none), child = parent, sibling = parent, last = parent;
    std::uint64_t last_root = order[0];
    for (std::size_t k = 1; k < order.size(); ++k) {
      const std::size_t node = order[k];
      std::uint64_t& before = random() % 8 == 0 ? last_root : last[order[k - 1 - random() % std::min(k, reach)]];
      if (&before != &last_root) parent[node] = static_cast<std::uint64_t>(&before - last.data());
      (before == none ? child[parent[node]] : sibling[before]) = node;
      before = node;
    }
    for (const auto& [link, links] : {std::pair{"parent", &parent}, {"child", &child}, {"sibling", &sibling}}) {
      Words& bits = launch.input_arrays[link].bits;
      bits.insert(bits.end(), links->begin(), links->end());
    }
  }
}

const std::vector<CheckedProgram>& programs() {
  static const std::vector<CheckedProgram> all = {
      {"graph/connected_components", connected_components, {}, {}, random_graph},
      {"graph/tree_traversal", tree_traversal, {}, {}, random_forest, 2, 3, {"sibling"}},
  };
  return all;
}

class GraphTest : public ::testing::TestWithParam<CheckedProgram> {};

TEST_P(GraphTest, EveryCaseAtEveryLaneCount) { check_cases(GetParam()); }
TEST_P(GraphTest, RandomInputs) { check_random(GetParam()); }
TEST_P(GraphTest, HasItsCasesAndWords) { check_form(GetParam()); }

TEST(Graph, EveryProgramIsHere) { expect_whole_group("graph", programs()); }

INSTANTIATE_TEST_SUITE_P(All, GraphTest, ::testing::ValuesIn(programs()),
                         [](const auto& p) { return p.param.name.substr(p.param.name.find('/') + 1); });

}  // namespace graph_test
}  // namespace warpsim::testing
