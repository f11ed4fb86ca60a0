// What an expression may ask at one moment of a History, of one warp.
//
// Shapes: registers as they are now; `old` is the same. Lanes are those given.
// Errors: none: what is not there is Missing.
#pragma once

#include "traces/replay/dataflow.h"
#include "traces/replay/history.h"
#include "traces/template/phase_expression.h"

namespace warpsim::tools {

class MomentView : public TemplateView {
 public:
  MomentView(const History& history, std::uint32_t block, std::uint32_t warp, LaneMask lanes)
      : history_(history), block_(block), warp_(warp), lanes_(lanes) {}

  unsigned warp_size() const override { return history_.head().lanes; }
  Dim3 grid() const override { return history_.head().grid; }
  Dim3 block() const override { return history_.head().block; }
  std::uint32_t block_index() const override { return block_; }
  std::uint32_t warp_index() const override { return warp_; }
  LaneMask lanes() const override { return lanes_; }
  TemplateValue reg(std::string_view name, unsigned lane, bool) const override {
    const std::int32_t reg = warpsim::find_register(history_.head(), name);
    return reg < 0 || lane >= history_.head().lanes ? TemplateValue{} : history_.value(block_, warp_, reg, lane);
  }
  TemplateValue param(std::string_view name) const override {
    for (const TraceParam& param : history_.head().params)
      if (param.name == name && !param.is_buffer()) return TemplateValue::of(param.type, param.bits);
    return {};
  }
  TemplateValue element(std::string_view buffer, std::int64_t index) const override {
    return history_.memory().element(buffer, index, block_);
  }

 private:
  const History& history_;
  std::uint32_t block_, warp_;
  LaneMask lanes_;
};

}  // namespace warpsim::tools
