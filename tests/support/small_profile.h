// A timing profile with numbers that are easy to distinguish, for tests of the clock.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/timing/profile.h"

namespace warpsim::testing {

// Numbers of pipes and classes.
enum SmallPipe : std::uint8_t { kAluPipe, kMulPipe, kPortPipe, kBankPipe, kBarrierPipe };
enum SmallClass : std::uint8_t { kAlu, kMul, kShuffle, kShared, kMemory, kBranch, kBarrier, kRest, kSmallClasses };

inline TimingProfile small_profile() {
  TimingProfile p;
  p.name = "small";
  p.pipes = {{"alu", false}, {"mul", false}, {"port", false}, {"bank", true}, {"barrier", true}};
  p.sm.sms = 2;
  p.branch = {7, 11, 3, 2, 5};  // taken, parted, joined, passed, other_side
  p.barrier = {12};
  p.global = {32, {128, 1024, 30}, {128, 65'536, 200}, 600};
  p.address = {kAlu, 0, 0};
  const auto add = [&](const char* name, std::vector<std::uint8_t> pipes, double interval, unsigned latency) {
    TimingClass c;
    c.name = name;
    c.pipes = std::move(pipes);
    c.interval = interval;
    c.latency.assign(kSmallClasses, latency);
    c.guard_latency = latency;
    p.classes.push_back(c);
    return &p.classes.back();
  };
  TimingClass* c = add("alu", {kAluPipe}, 1, 4);
  c->latency[kMul] = 6;
  c->guard_latency = 9;
  add("mul", {kMulPipe}, 2, 5);
  c = add("shuffle", {kPortPipe}, 4, 20);
  c->sm_pipe = kBankPipe;
  c->sm_interval = 1;
  c->is_variable = true;
  c = add("shared", {kPortPipe}, 4, 23);
  c->sm_pipe = kBankPipe;
  c->sm_interval = 1;
  c->per_way = 2;
  c->interval_per_way = 3;
  c->is_variable = true;
  c = add("memory", {kPortPipe}, 4, 30);
  c->per_line = 1.5;
  c->is_variable = true;
  c = add("branch", {}, 1, 1);
  c->issue = 5;
  c = add("barrier", {}, 1, 1);
  c->sm_pipe = kBarrierPipe;
  c->sm_interval = 2;
  add("rest", {}, 1, 1);
  const auto rule = [&](std::vector<std::string> units, SmallClass cls) {
    p.rules.push_back({std::move(units), {}, {}, {}, -1, cls});
  };
  rule({"alu", "conv"}, kAlu);
  rule({"fma", "fp64", "sfu"}, kMul);
  rule({"shfl", "vote"}, kShuffle);
  rule({"shared"}, kShared);
  rule({"mem"}, kMemory);
  rule({"branch"}, kBranch);
  rule({"barrier"}, kBarrier);
  rule({"special"}, kRest);
  return p;
}

}  // namespace warpsim::testing
