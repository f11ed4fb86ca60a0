// The control-flow graph against hand-drawn programs, and its post-dominators against their definition.
//
// Source: the definition that is checked: d post-dominates b if, with d taken out, no path leads from b to an exit.
#include "isa/program/cfg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace warpsim {
namespace {

enum class Line : std::uint8_t { Plain, Bra, GuardedBra, Exit, GuardedExit };

struct CfgCode {
  Program program;
  CfgCode& add(Line line, std::int32_t target = 0) {
    Insn insn;
    insn.op = line == Line::Plain ? Op::Mov : line == Line::Exit || line == Line::GuardedExit ? Op::Exit : Op::Bra;
    if (line == Line::GuardedBra || line == Line::GuardedExit) insn.guard.reg = 0;
    if (insn.op == Op::Bra) {
      Operand label;
      label.kind = Operand::Kind::Label;
      label.target = target;
      insn.operands.push_back(label);
    }
    program.code.push_back(insn);
    return *this;
  }
};

Cfg cfg_of(const CfgCode& code) { return build_cfg(code.program); }

using Blocks = std::vector<std::int32_t>;

TEST(Cfg, StraightLineIsOneBlock) {
  const Cfg cfg = cfg_of(CfgCode().add(Line::Plain).add(Line::Plain).add(Line::Exit));
  ASSERT_EQ(cfg.blocks.size(), 1U);
  EXPECT_EQ(cfg.blocks[0].first, 0);
  EXPECT_EQ(cfg.blocks[0].last, 2);
  EXPECT_EQ(cfg.blocks[0].successors, Blocks{kExit});
  EXPECT_EQ(cfg.blocks[0].ipdom, kExit);
}

TEST(Cfg, EmptyProgramHasNoBlocks) {
  const Cfg cfg = build_cfg(Program{});
  EXPECT_TRUE(cfg.blocks.empty());
  EXPECT_TRUE(cfg.block_of.empty());
}

TEST(Cfg, IfElseConvergesAfterBoth) {
  const Cfg cfg = cfg_of(CfgCode()
                             .add(Line::GuardedBra, 3)  // 0
                             .add(Line::Plain)          // 1  else
                             .add(Line::Bra, 4)         // 2
                             .add(Line::Plain)          // 3  then
                             .add(Line::Plain)          // 4  join
                             .add(Line::Exit));         // 5
  ASSERT_EQ(cfg.blocks.size(), 4U);
  EXPECT_EQ(cfg.blocks[0].successors, (Blocks{1, 2}));
  EXPECT_EQ(cfg.blocks[3].predecessors, (Blocks{1, 2}));
  EXPECT_EQ(cfg.reconvergence_pc(0), 4);
  EXPECT_EQ(cfg.reconvergence_pc(2), 4);
  EXPECT_EQ(cfg.reconvergence_pc(5), kExit);
}

TEST(Cfg, LoopConvergesAfterItsBackEdge) {
  const Cfg cfg =
      cfg_of(CfgCode().add(Line::Plain).add(Line::Plain).add(Line::GuardedBra, 1).add(Line::Plain).add(Line::Exit));
  EXPECT_EQ(cfg.block_of, (Blocks{0, 1, 1, 2, 2}));
  EXPECT_EQ(cfg.reconvergence_pc(2), 3);
}

TEST(Cfg, EarlyExitMeansNoReconvergence) {
  const Cfg cfg = cfg_of(CfgCode().add(Line::GuardedExit).add(Line::Plain).add(Line::Exit));
  ASSERT_EQ(cfg.blocks.size(), 2U);
  const std::set<std::int32_t> successors(cfg.blocks[0].successors.begin(), cfg.blocks[0].successors.end());
  EXPECT_EQ(successors, (std::set<std::int32_t>{kExit, 1}));
  EXPECT_EQ(cfg.reconvergence_pc(0), kExit);
}

TEST(Cfg, AnExitOnOneSideOfAnIfHidesTheJoin) {
  const Cfg cfg = cfg_of(CfgCode().add(Line::GuardedBra, 2).add(Line::Exit).add(Line::Plain).add(Line::Exit));
  EXPECT_EQ(cfg.reconvergence_pc(0), kExit);
}

TEST(Cfg, InfiniteLoopHasNoReconvergence) {
  const Cfg cfg = cfg_of(CfgCode().add(Line::Plain).add(Line::GuardedBra, 0).add(Line::Bra, 0).add(Line::Exit));
  EXPECT_EQ(cfg.reconvergence_pc(1), kExit);
  EXPECT_EQ(cfg.reconvergence_pc(2), kExit);
}

TEST(Cfg, ALoopThatNeverEndsDoesNotMoveTheJoinOfOthers) {
  const Cfg cfg = cfg_of(
      CfgCode().add(Line::GuardedBra, 3).add(Line::GuardedBra, 4).add(Line::Plain).add(Line::Bra, 3).add(Line::Exit));
  EXPECT_EQ(cfg.reconvergence_pc(1), 4);  // 3 spins for ever: every path to an exit passes 4
}

TEST(Cfg, LabelAfterTheLastInstructionIsAnExit) {
  const Cfg cfg = cfg_of(CfgCode().add(Line::GuardedBra, 2).add(Line::Plain));
  EXPECT_EQ(cfg.blocks[1].successors, Blocks{kExit});
  EXPECT_EQ(cfg.reconvergence_pc(0), kExit);
}

TEST(Cfg, BranchToTheNextLineHasOneSuccessor) {
  const Cfg cfg = cfg_of(CfgCode().add(Line::GuardedBra, 1).add(Line::Exit));
  EXPECT_EQ(cfg.blocks[0].successors, Blocks{1});
  EXPECT_EQ(cfg.blocks[1].predecessors, Blocks{0});
  EXPECT_EQ(cfg.reconvergence_pc(0), 1);
}

// ---- the definition, instruction by instruction: no blocks, no iteration to a fixed point

class Naive {
 public:
  explicit Naive(const Program& program) : size_(static_cast<int>(program.code.size())) {
    for (int pc = 0; pc < size_; ++pc) {
      const Insn& insn = program.code[static_cast<std::size_t>(pc)];
      std::vector<int>& to = edges_.emplace_back();
      if (insn.op == Op::Mov || insn.guard.reg >= 0) to.push_back(pc + 1);
      if (insn.op == Op::Exit) to.push_back(size_);
      if (insn.op == Op::Bra) to.push_back(insn.operands[0].target);
    }
  }

  // True if some path leads from `from` to the exit without passing `without`.
  bool reaches_exit(int from, int without) const {
    std::vector<bool> seen(static_cast<std::size_t>(size_) + 1, false);
    std::vector<int> work{from};
    while (!work.empty()) {
      const int pc = work.back();
      work.pop_back();
      if (pc == without || seen[static_cast<std::size_t>(pc)]) continue;
      if (pc == size_) return true;
      seen[static_cast<std::size_t>(pc)] = true;
      for (const int to : edges_[static_cast<std::size_t>(pc)]) work.push_back(to);
    }
    return false;
  }

  // The strict post-dominator of `pc` that all its other strict post-dominators post-dominate.
  int immediate(int pc) const {
    if (!reaches_exit(pc, -1)) return kExit;
    std::vector<int> strict;
    for (int d = 0; d < size_; ++d) {
      if (d != pc && !reaches_exit(pc, d)) strict.push_back(d);
    }
    for (const int d : strict) {
      const bool nearest_of_all =
          std::all_of(strict.begin(), strict.end(), [&](int other) { return other == d || !reaches_exit(d, other); });
      if (nearest_of_all) return d;
    }
    return kExit;
  }

 private:
  int size_;
  std::vector<std::vector<int>> edges_;
};

Program random_program(std::mt19937& random) {
  CfgCode code;
  const int size = 1 + static_cast<int>(random() % 24);
  for (int pc = 0; pc < size; ++pc) {
    const std::int32_t target = static_cast<std::int32_t>(random() % static_cast<unsigned>(size));
    switch (random() % 10) {
      case 0: code.add(Line::Exit); break;
      case 1: code.add(Line::GuardedExit); break;
      case 2:
      case 3: code.add(Line::Bra, target); break;
      case 4:
      case 5:
      case 6: code.add(Line::GuardedBra, target); break;
      default: code.add(Line::Plain); break;
    }
  }
  return code.program;
}

TEST(Cfg, PostDominatorsOfRandomGraphsFollowTheDefinition) {
  std::mt19937 random(20070);
  for (int round = 0; round < 3000; ++round) {
    const Program program = random_program(random);
    const Cfg cfg = build_cfg(program);
    const Naive naive(program);
    for (const BasicBlock& block : cfg.blocks) {
      const std::int32_t ipdom = block.ipdom == kExit ? kExit : cfg.blocks[static_cast<std::size_t>(block.ipdom)].first;
      ASSERT_EQ(ipdom, naive.immediate(block.last)) << "round " << round << ", pc " << block.last;
    }
  }
}

// ---- reconvergence: as if early exits were loops that never end

// The pc of the exit that counts: the unguarded one, or the run past the end, that most instructions can reach.
int main_exit(const Program& program) {
  const int size = static_cast<int>(program.code.size());
  int best = -1, most = 0;
  for (int pc = 0; pc < size; ++pc) {
    const Insn& insn = program.code[static_cast<std::size_t>(pc)];
    const bool leaves = insn.guard.reg < 0 && (insn.op == Op::Exit || (insn.op == Op::Mov && pc + 1 == size));
    if (!leaves) continue;
    Program only = program;  // every other exit spins
    for (int other = 0; other < size; ++other) {
      Insn& o = only.code[static_cast<std::size_t>(other)];
      if (other == pc || o.op != Op::Exit) continue;
      if (o.guard.reg >= 0) {
        o.op = Op::Mov;
        o.guard.reg = -1;
        continue;
      }
      o.op = Op::Bra;
      o.operands.assign(1, Operand{});
      o.operands[0].kind = Operand::Kind::Label;
      o.operands[0].target = other;
    }
    int reaching = 0;
    for (int from = 0; from < size; ++from) reaching += Naive(only).reaches_exit(from, -1) ? 1 : 0;
    if (reaching >= most) {
      best = pc;
      most = reaching;
    }
  }
  return best;
}

TEST(Cfg, LanesThatStayConvergeAsIfEarlyExitsWereNotThere) {
  std::mt19937 random(915);
  int met_in_spite_of_an_exit = 0;
  for (int round = 0; round < 3000; ++round) {
    const Program program = random_program(random);
    // Guarded branches after the last line would be exits of their own; the machine's verifier refuses them.
    if (program.code.back().op != Op::Exit || program.code.back().guard.reg >= 0) continue;
    const Cfg cfg = build_cfg(program);
    const int main = main_exit(program);
    Program stays = program;
    for (int pc = 0; pc < static_cast<int>(stays.code.size()); ++pc) {
      Insn& insn = stays.code[static_cast<std::size_t>(pc)];
      if (insn.op != Op::Exit || pc == main) continue;
      if (insn.guard.reg >= 0) {
        insn.op = Op::Mov;
        insn.guard.reg = -1;
        continue;
      }
      insn.op = Op::Bra;
      insn.operands.assign(1, Operand{});
      insn.operands[0].kind = Operand::Kind::Label;
      insn.operands[0].target = pc;
    }
    const Naive strict(program), relaxed(stays);
    for (const BasicBlock& block : cfg.blocks) {
      if (program.code[static_cast<std::size_t>(block.last)].op != Op::Bra) continue;
      int expected = strict.immediate(block.last);
      const bool all_may_stay = std::all_of(block.successors.begin(), block.successors.end(), [&](std::int32_t s) {
        return relaxed.reaches_exit(cfg.blocks[static_cast<std::size_t>(s)].first, -1);
      });
      if (expected == kExit && all_may_stay) {
        expected = relaxed.immediate(block.last);
        met_in_spite_of_an_exit += expected != kExit ? 1 : 0;
      }
      ASSERT_EQ(cfg.reconvergence_pc(block.last), expected) << "round " << round << ", pc " << block.last;
    }
  }
  EXPECT_GT(met_in_spite_of_an_exit, 20);
}

TEST(Cfg, EdgesOfRandomGraphsAgreeInBothDirections) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const Program program = random_program(random);
    const Cfg cfg = build_cfg(program);
    std::multiset<std::pair<int, int>> forward, backward;
    std::int32_t next = 0;
    for (int b = 0; b < static_cast<int>(cfg.blocks.size()); ++b) {
      const BasicBlock& block = cfg.blocks[static_cast<std::size_t>(b)];
      EXPECT_EQ(block.first, next);
      next = block.last + 1;
      for (std::int32_t pc = block.first; pc <= block.last; ++pc) {
        EXPECT_EQ(cfg.block_of[static_cast<std::size_t>(pc)], b);
        EXPECT_TRUE(pc == block.last || program.code[static_cast<std::size_t>(pc)].op == Op::Mov);
      }
      for (const int s : block.successors)
        if (s != kExit) forward.emplace(b, s);
      for (const int p : block.predecessors) backward.emplace(p, b);
    }
    EXPECT_EQ(next, static_cast<std::int32_t>(program.code.size()));
    EXPECT_EQ(forward, backward);
  }
}

TEST(Cfg, AVeryLongChainOfBranchesNeedsNoRecursion) {
  CfgCode code;
  const std::int32_t size = 100000;
  for (std::int32_t pc = 0; pc + 1 < size; ++pc) code.add(Line::GuardedBra, pc + 1);
  code.add(Line::Exit);
  EXPECT_EQ(build_cfg(code.program).reconvergence_pc(0), 1);
}

}  // namespace
}  // namespace warpsim
