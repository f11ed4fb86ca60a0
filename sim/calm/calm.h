// What a run may take to be calm: see sim/check/checker.h.
#pragma once

namespace warpsim {

struct Calm {
  bool memory = true;
  bool lanes = true;  // with its memory: nobody uses what a shuffle has left in place
  bool reads = true;  // with its memory: it stores to no allocation that it has read, but where its program shows that
};

}  // namespace warpsim
