// A checker that also notes which bytes of global memory a launch touches.
//
// Shapes: one sink, so that accesses can be heard at once. Of a run that it takes to be calm it notes constants alone:
//         what else the run has touched is in CalmPages.
// Units:  as in checker.h.
// Errors: as in checker.h.
// Source: none.
#pragma once

#include <cstdint>
#include <memory>

#include "host/device/touched_bytes.h"
#include "sim/check/checker.h"

namespace warpsim::host {

class TouchingChecker : public Checker {
 public:
  explicit TouchingChecker(TouchedBytes* to) : to_(to) {}  // null: nobody asks
  void on_issue(const IssueEvent& event) override {
    insn_ = event.insn;
    Checker::on_issue(event);
  }
  void on_memory(const MemoryEvent& event) override {
    if (notes(event)) to_->add(event, insn_);
    Checker::on_memory(event);
  }
  bool hears_at_once(const AccessPlace& place, const MemoryEvent& event) override {
    if (!Checker::hears_at_once(place, event)) return false;
    if (notes(event)) to_->add(event, nullptr);  // a weak one, or an atomic
    return true;
  }
  bool hears_range(const AccessPlace& place, const RangeEvent& event) override {
    if (!Checker::hears_range(place, event)) return false;
    if (to_ != nullptr && !is_taken_as_calm()) to_->add(event);
    return true;
  }
  std::unique_ptr<EventSink> watcher_of_launched() override {
    auto made = std::make_unique<TouchingChecker>(to_);
    begin_launched(*made);
    return made;
  }

 private:
  bool notes(const MemoryEvent& event) const {
    return to_ != nullptr && (!is_taken_as_calm() || event.space == AddressSpace::Constant);
  }
  TouchedBytes* to_;
  const Insn* insn_ = nullptr;
};

}  // namespace warpsim::host
