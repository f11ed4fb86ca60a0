// The explanation of one wrong output, sentence by sentence: see wrong_answer.h.
//
// Shapes: of the first wrong element; stored_ is the last store to it.
// Errors: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/explain/closed_form.h"
#include "traces/explain/wrong_answer_parts.h"

namespace warpsim::wrong {

class Explanation {
 public:
  // The first four must outlive it.
  Explanation(const Trace& trace, const Dataflow& flow, std::int32_t param, const std::vector<std::size_t>& wrong,
              const Array& expected, const Array& got);
  // The inputs that the value was computed from.
  std::vector<InputElement> computed_from() const;
  // What is expected depends on these inputs, of those that were tried.
  RunFinding explain(const Inputs& depends_on, const Inputs& tried);

 private:
  // wrong_answer_explanation.cpp: which inputs went in
  void compare(const Inputs& depends_on, const Inputs& tried);
  void not_taken(const Inputs& missing);
  void beside(const Inputs& missing, const Inputs& extra);
  void never_came(const Inputs& never, bool first);
  void right_inputs(const Inputs& from);
  bool often(const Message& all);
  bool begins_with_constant(const Message& all);
  void as_closed_form();
  void complete_on_one_lane();
  void only_what_reached();
  void received();
  // wrong_answer_stores.cpp: who stored it
  void other_storers();
  void shifted();
  void never_stored();

  std::string names(const Inputs& inputs) const;
  std::uint64_t left_by(const Stored& stored) const;
  Message thread_named(const Thread& thread) const;
  std::string element(std::size_t index) const { return name_ + "[" + std::to_string(index) + "]"; }
  const TraceEvent& event(const Stored& stored) const { return trace_.events[stored.event]; }
  FlowValue value() const { return {stored_->event, stored_->lane, -1, stored_->element}; }
  Thread thread_at(const Stored& stored) const { return {event(stored).block, event(stored).warp, stored.lane}; }

  void say(Message sentence);
  void step(std::size_t n, LaneMask lanes, Message text);

  const Trace& trace_;
  const Dataflow& flow_;
  const std::string& name_;
  const std::vector<std::size_t>& wrong_;
  const Array& expected_;
  std::size_t first_, size_ = 0;
  std::uint64_t got_ = 0;
  std::vector<std::pair<Stored, std::size_t>> stores_;
  std::optional<Stored> stored_;
  RunFinding finding_;
};

}  // namespace warpsim::wrong
