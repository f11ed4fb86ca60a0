// Blocks, edges, and immediate post-dominators by the Cooper-Harvey-Kennedy iteration.
//
// Shapes: inside this file the virtual exit is node blocks.size(), so that it can be an index.
// Units:  pcs count instructions.
// Errors: none. Running past the last instruction, and a label after it, count as exits. Paths that never reach an exit
//         constrain nothing: a block post-dominates another if it lies on every path that does reach one.
// Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001), figure 3, on the reversed graph.
#include "isa/program/cfg.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "isa/program/program_facts.h"

namespace warpsim {
namespace {

std::int32_t target_of(const Insn& insn) {
  for (const Operand& operand : insn.operands) {
    if (operand.kind == Operand::Kind::Label) return operand.target;
  }
  return kExit;
}

bool ends_block(const Insn& insn) { return is_jump(info(insn.op).lift) || insn.op == Op::Exit; }

// Where control may go on, apart from the next instruction. A function comes back to every call that it may be the
// target of: which of them is known only as it runs.
class Jumps {
 public:
  explicit Jumps(const Program& program) : program_(program) {
    for (std::size_t pc = 0; pc < program.code.size() && !program.routines.empty(); ++pc) {
      const Insn& insn = program.code[pc];
      if (info(insn.op).lift != Lift::Call) continue;
      const std::int32_t back = static_cast<std::int32_t>(pc) + 1;
      if (insn.op == Op::CallPointer) after_pointers_.push_back(back);
      else after_calls_[target_of(insn)].push_back(back);
    }
  }

  template <class F>
  void for_each_target(std::int32_t pc, F f) const {
    const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
    switch (info(insn.op).lift) {
      case Lift::Branch: return f(target_of(insn));
      case Lift::Call:
        if (insn.op == Op::Call) return f(target_of(insn));
        for (const Routine& one : program_.routines)
          if (!one.is_kernel) f(one.first);
        return;
      case Lift::Return:
        if (const Routine* const from = program_.routine_at(pc); from != nullptr) {
          if (const auto calls = after_calls_.find(from->first); calls != after_calls_.end())
            for (const std::int32_t to : calls->second) f(to);
        }
        for (const std::int32_t to : after_pointers_) f(to);
        return;
      case Lift::Dispatch:
        for (const Operand& o : insn.operands)
          if (o.kind == Operand::Kind::Table)
            for (const std::int32_t to : program_.tables[static_cast<std::size_t>(o.target)]) f(to);
        return;
      default:
        if (insn.op == Op::Exit) f(kExit);
    }
  }

 private:
  const Program& program_;
  std::map<std::int32_t, std::vector<std::int32_t>> after_calls_;  // by the target's first pc
  std::vector<std::int32_t> after_pointers_;
};

// The pcs that can follow `pc`, kExit among them where the lane is done. Not taken comes before taken.
std::vector<std::int32_t> next_pcs(const Program& program, const Jumps& jumps, std::int32_t pc) {
  const std::int32_t size = static_cast<std::int32_t>(program.code.size());
  const Insn& insn = program.code[static_cast<std::size_t>(pc)];
  std::vector<std::int32_t> next;
  const auto add = [&](std::int32_t to) {
    if (to < 0 || to >= size) to = kExit;
    if (std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
  };
  if (!ends_block(insn) || insn.guard.reg >= 0) add(pc + 1);
  if (ends_block(insn)) jumps.for_each_target(pc, add);
  if (next.empty()) next.push_back(kExit);  // of a function that nobody calls
  return next;
}

std::vector<bool> find_leaders(const Program& program, const Jumps& jumps) {
  std::vector<bool> leader(program.code.size() + 1, false);
  leader[0] = true;
  for (const Routine& routine : program.routines) leader[static_cast<std::size_t>(routine.first)] = true;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    if (!ends_block(program.code[pc])) continue;
    leader[pc + 1] = true;
    jumps.for_each_target(static_cast<std::int32_t>(pc), [&](std::int32_t target) {
      if (target >= 0 && target < static_cast<std::int32_t>(program.code.size()))
        leader[static_cast<std::size_t>(target)] = true;
    });
  }
  return leader;
}

// The nodes from which the exit can be reached, in post-order of a walk from the exit against the edges: the exit last.
std::vector<std::int32_t> post_order(const std::vector<std::vector<std::int32_t>>& predecessors,
                                     std::int32_t exit_node) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(predecessors.size(), false);
  std::vector<std::pair<std::int32_t, std::size_t>> stack{{exit_node, 0}};  // node, next edge: no recursion
  seen[static_cast<std::size_t>(exit_node)] = true;
  while (!stack.empty()) {
    auto& [node, edge] = stack.back();
    const std::vector<std::int32_t>& edges = predecessors[static_cast<std::size_t>(node)];
    if (edge == edges.size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const std::int32_t to = edges[edge++];
    if (seen[static_cast<std::size_t>(to)]) continue;
    seen[static_cast<std::size_t>(to)] = true;
    stack.emplace_back(to, 0);
  }
  return order;
}

class PostDominators {
 public:
  explicit PostDominators(const std::vector<BasicBlock>& blocks)
      : blocks_(blocks),
        exit_(static_cast<std::int32_t>(blocks.size())),
        number_(blocks.size() + 1, -1),
        ipdom_(blocks.size() + 1, kNone) {
    std::vector<std::vector<std::int32_t>> predecessors(blocks.size() + 1);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (const std::int32_t s : blocks[b].successors)
        predecessors[at(node(s))].push_back(static_cast<std::int32_t>(b));
    }
    order_ = post_order(predecessors, exit_);
    for (std::size_t i = 0; i < order_.size(); ++i) number_[at(order_[i])] = static_cast<std::int32_t>(i);
    iterate();
  }

  bool reaches_exit(std::int32_t successor) const { return successor != kExit && number_[at(successor)] >= 0; }
  std::int32_t of(std::size_t block) const {
    const std::int32_t found = ipdom_[block];
    return found == kNone || found == exit_ ? kExit : found;
  }

 private:
  static constexpr std::int32_t kNone = -2;
  static std::size_t at(std::int32_t node) { return static_cast<std::size_t>(node); }
  std::int32_t node(std::int32_t successor) const { return successor == kExit ? exit_ : successor; }

  std::int32_t intersect(std::int32_t a, std::int32_t b) const {
    while (a != b) {
      while (number_[at(a)] < number_[at(b)]) a = ipdom_[at(a)];
      while (number_[at(b)] < number_[at(a)]) b = ipdom_[at(b)];
    }
    return a;
  }

  std::int32_t common_of_successors(const BasicBlock& block) const {
    std::int32_t common = kNone;
    for (const std::int32_t s : block.successors) {
      const std::int32_t to = node(s);
      if (ipdom_[at(to)] == kNone) continue;  // not yet visited, or cannot reach the exit
      common = common == kNone ? to : intersect(common, to);
    }
    return common;
  }

  void iterate() {
    ipdom_[at(exit_)] = exit_;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto it = order_.rbegin() + 1; it != order_.rend(); ++it) {  // reverse post-order, without the exit
        const std::int32_t common = common_of_successors(blocks_[at(*it)]);
        if (ipdom_[at(*it)] == common) continue;
        ipdom_[at(*it)] = common;
        changed = true;
      }
    }
  }

  const std::vector<BasicBlock>& blocks_;
  std::int32_t exit_;
  std::vector<std::int32_t> order_;   // post-order
  std::vector<std::int32_t> number_;  // by node: its place in order_, -1 if it cannot reach the exit
  std::vector<std::int32_t> ipdom_;   // by node
};

// How many instructions can reach the end of `to`.
std::size_t count_reaching(const std::vector<BasicBlock>& blocks, std::size_t to) {
  std::vector<bool> seen(blocks.size(), false);
  std::vector<std::size_t> todo{to};
  seen[to] = true;
  std::size_t count = 0;
  while (!todo.empty()) {
    const BasicBlock& block = blocks[todo.back()];
    todo.pop_back();
    count += static_cast<std::size_t>(block.last - block.first + 1);
    for (const std::int32_t p : block.predecessors) {
      if (seen[static_cast<std::size_t>(p)]) continue;
      seen[static_cast<std::size_t>(p)] = true;
      todo.push_back(static_cast<std::size_t>(p));
    }
  }
  return count;
}

// The same blocks with the one exit that most instructions can reach, the last if several; early exits lead nowhere.
std::vector<BasicBlock> without_early_exits(std::vector<BasicBlock> blocks) {
  std::size_t main = blocks.size(), most = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].successors != std::vector<std::int32_t>{kExit}) continue;
    const std::size_t reaching = count_reaching(blocks, b);
    if (reaching >= most) {
      main = b;
      most = reaching;
    }
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::vector<std::int32_t>& s = blocks[b].successors;
    if (b != main) s.erase(std::remove(s.begin(), s.end(), kExit), s.end());
  }
  return blocks;
}

}  // namespace

std::int32_t Cfg::reconvergence_pc(std::int32_t pc) const {
  const BasicBlock& block = blocks[static_cast<std::size_t>(block_of[static_cast<std::size_t>(pc)])];
  return block.reconverges_at == kExit ? kExit : blocks[static_cast<std::size_t>(block.reconverges_at)].first;
}

Cfg build_cfg(const Program& program) {
  if (program.facts) return program.facts->cfg;
  Cfg cfg;
  cfg.block_of.resize(program.code.size());
  const Jumps jumps(program);
  const std::vector<bool> leader = find_leaders(program, jumps);
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    if (leader[pc]) cfg.blocks.emplace_back().first = static_cast<std::int32_t>(pc);
    cfg.blocks.back().last = static_cast<std::int32_t>(pc);
    cfg.block_of[pc] = static_cast<std::int32_t>(cfg.blocks.size()) - 1;
  }
  for (std::size_t b = 0; b < cfg.blocks.size(); ++b) {
    for (const std::int32_t pc : next_pcs(program, jumps, cfg.blocks[b].last)) {
      const std::int32_t to = pc == kExit ? kExit : cfg.block_of[static_cast<std::size_t>(pc)];
      cfg.blocks[b].successors.push_back(to);
      if (to != kExit) cfg.blocks[static_cast<std::size_t>(to)].predecessors.push_back(static_cast<std::int32_t>(b));
    }
  }
  const PostDominators post_dominators(cfg.blocks);
  const std::vector<BasicBlock> one_exit = without_early_exits(cfg.blocks);
  const PostDominators among_those_that_stay(one_exit);
  for (std::size_t b = 0; b < cfg.blocks.size(); ++b) {
    const std::int32_t ipdom = post_dominators.of(b);
    cfg.blocks[b].ipdom = ipdom;
    const std::vector<std::int32_t>& next = cfg.blocks[b].successors;
    const bool all_may_stay =
        std::all_of(next.begin(), next.end(), [&](std::int32_t s) { return among_those_that_stay.reaches_exit(s); });
    cfg.blocks[b].reconverges_at = ipdom == kExit && all_may_stay ? among_those_that_stay.of(b) : ipdom;
  }
  return cfg;
}

}  // namespace warpsim
