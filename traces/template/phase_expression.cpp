// Evaluating the expressions of templates.
#include "traces/template/phase_expression.h"

#include <algorithm>
#include <utility>

#include "isa/table/special.h"
#include "traces/template/phase_arithmetic.h"

namespace warpsim {

namespace {

// The thread's coordinates, from its linear number in the block.
TemplateValue special_value(Special special, const TemplateScope& scope) {
  const TemplateView& view = scope.view;
  const auto at_least_one = [](Dim3 d) { return Dim3{std::max(d.x, 1U), std::max(d.y, 1U), std::max(d.z, 1U)}; };
  const Dim3 grid = at_least_one(view.grid()), block = at_least_one(view.block());
  const std::uint64_t thread = std::uint64_t{view.warp_index()} * view.warp_size() + scope.lane;
  const std::uint64_t warps = (block.count() + view.warp_size() - 1) / view.warp_size();
  const std::uint64_t tid_x = thread % block.x;
  const std::uint64_t cta_x = view.block_index() % grid.x;
  const LaneMask below = lane_bit(scope.lane) - 1, own = lane_bit(scope.lane), full = full_mask(view.warp_size());
  const auto count = [](std::uint64_t n) { return TemplateValue::of(Type::U32, static_cast<std::uint32_t>(n)); };
  const auto mask = [](LaneMask m) { return TemplateValue::of(Type::Mask, m); };
  switch (special) {
    case Special::LaneId: return count(scope.lane);
    case Special::WarpId: return count(view.warp_index());
    case Special::NWarpId: return count(warps);
    case Special::TidX: return count(tid_x);
    case Special::TidY: return count(thread / block.x % block.y);
    case Special::TidZ: return count(thread / block.x / block.y);
    case Special::NTidX: return count(block.x);
    case Special::NTidY: return count(block.y);
    case Special::NTidZ: return count(block.z);
    case Special::CtaIdX: return count(cta_x);
    case Special::CtaIdY: return count(view.block_index() / grid.x % grid.y);
    case Special::CtaIdZ: return count(view.block_index() / grid.x / grid.y);
    case Special::NCtaIdX: return count(grid.x);
    case Special::NCtaIdY: return count(grid.y);
    case Special::NCtaIdZ: return count(grid.z);
    case Special::LaneMaskEq: return mask(own);
    case Special::LaneMaskLe: return mask(below | own);
    case Special::LaneMaskLt: return mask(below);
    case Special::LaneMaskGe: return mask(full & ~below);
    case Special::LaneMaskGt: return mask(full & ~below & ~own);
    case Special::GTid: return count(cta_x * block.x + tid_x);
    case Special::ClusterIdX: return count(cta_x);
    case Special::ClusterIdY: return count(view.block_index() / grid.x % grid.y);
    case Special::ClusterIdZ: return count(view.block_index() / grid.x / grid.y);
    case Special::NClusterIdX: return count(grid.x);
    case Special::NClusterIdY: return count(grid.y);
    case Special::NClusterIdZ: return count(grid.z);
    default: break;  // a clock has no value that stays, and a trace does not say which machine it is of
  }
  const SpecialInfo& row = info(special);
  return row.fixed ? TemplateValue::of(row.type, *row.fixed) : TemplateValue{};
}

}  // namespace

Expression Expression::negated() const {
  Expression opposite = *this;
  if (empty()) return opposite;
  Node node;
  node.kind = Kind::Unary, node.op = '!', node.a = root_;
  opposite.nodes_.push_back(std::move(node));
  opposite.root_ = static_cast<int>(opposite.nodes_.size()) - 1;
  return opposite;
}

std::vector<std::string_view> Expression::names() const {
  std::vector<std::string_view> list;
  for (const Node& node : nodes_) {
    const bool named = node.kind == Kind::Reg || node.kind == Kind::OldReg || node.kind == Kind::Param ||
                       node.kind == Kind::Element || (node.kind == Kind::Word && !node.name.empty());
    if (named) list.push_back(node.name);
  }
  return list;
}

TemplateValue Expression::evaluate(const TemplateScope& scope) const {
  return root_ < 0 ? TemplateValue{} : evaluate(root_, scope);
}

LaneMask Expression::lanes_where(const TemplateScope& scope) const {
  if (empty()) return scope.lanes;
  LaneMask lanes = 0;
  for_each_lane(scope.lanes, [&](unsigned lane) {
    if (holds({scope.view, lane, scope.lanes, scope.access})) lanes |= lane_bit(lane);
  });
  return lanes;
}

TemplateValue Expression::word(const Node& node, const TemplateScope& scope) const {
  const auto integer = [](std::uint64_t n) { return TemplateValue::integer(static_cast<std::int64_t>(n)); };
  switch (node.word) {
    case Word::Lane: return integer(scope.lane);
    case Word::First: return integer(scope.lanes == 0 ? 0 : first_lane(scope.lanes));
    case Word::Last: return integer(scope.lanes == 0 ? 0 : 63U - static_cast<unsigned>(std::countl_zero(scope.lanes)));
    case Word::Phase: return integer(scope.view.phase_number());
    case Word::Step: return integer(scope.view.phase_step());
    case Word::Block: return integer(scope.view.block_index());
    case Word::Warp: return integer(scope.view.warp_index());
    case Word::WarpSize: return integer(scope.view.warp_size());
    case Word::From:
    case Word::Asked:
    case Word::InRange: break;
    case Word::Buffer:
    case Word::Index:
    case Word::Value: {
      std::vector<TemplateAccess> all;
      const TemplateAccess* access = scope.access;
      if (access == nullptr) {
        all = scope.view.accesses(scope.lane);
        if (all.empty()) return {};
        access = &all.back();
      }
      if (node.word == Word::Buffer) return TemplateValue::words(std::string(access->buffer));
      return node.word == Word::Index ? TemplateValue::integer(access->index) : access->value;
    }
  }
  const std::optional<TemplateSource> source = scope.view.source(node.name, scope.lane);
  if (!source) return {};
  if (node.word == Word::InRange) return TemplateValue::truth(source->in_range);
  return node.word == Word::From ? integer(source->from) : TemplateValue::integer(source->asked);
}

TemplateValue Expression::over_lanes(const Node& node, const TemplateScope& scope) const {
  unsigned count = 0;
  for_each_lane(scope.lanes, [&](unsigned lane) {
    if (evaluate(node.a, {scope.view, lane, scope.lanes, scope.access}).is_true()) ++count;
  });
  if (node.kind == Kind::Count) return TemplateValue::integer(count);
  return TemplateValue::truth(node.kind == Kind::Any ? count > 0 : count == count_lanes(scope.lanes));
}

// One of all lanes' values, in rising lane order; undefined as soon as one of them is. A NaN is neither the smallest
// nor the largest, as in PTX.
TemplateValue Expression::folded(const Node& node, const TemplateScope& scope) const {
  const char order = node.kind == Kind::Min ? '<' : '>';
  std::optional<TemplateValue> out;
  for_each_lane(scope.lanes, [&](unsigned lane) {
    const TemplateValue value = evaluate(node.a, {scope.view, lane, scope.lanes, scope.access});
    if (node.kind == Kind::Sum) {
      const bool begins_as_float = !out && is_float(value.type);
      out = begins_as_float ? value : combined('+', out.value_or(TemplateValue::integer(0)), value);
    } else if (!out || (out->kind == TemplateValue::Kind::Bits &&
                        (value.kind != TemplateValue::Kind::Bits || !combined('=', *out, *out).is_true() ||
                         combined(order, value, *out).is_true()))) {
      out = value;
    }
  });
  return out.value_or(TemplateValue{});
}

bool Expression::is_over_lanes() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.kind >= Kind::All; });
}

bool Expression::differs_by_lane(int index) const {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  switch (node.kind) {
    case Kind::Reg:
    case Kind::OldReg:
    case Kind::Special: return true;
    case Kind::Word:
      return node.word == Word::Lane || node.word == Word::From || node.word == Word::Asked ||
             node.word == Word::InRange || node.word == Word::Buffer || node.word == Word::Index ||
             node.word == Word::Value;
    case Kind::Element:
    case Kind::Unary: return differs_by_lane(node.a);
    case Kind::Binary: return differs_by_lane(node.a) || differs_by_lane(node.b);
    case Kind::At: return differs_by_lane(node.b);
    default: return false;
  }
}

TemplateValue Expression::evaluate(int index, const TemplateScope& scope) const {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  switch (node.kind) {
    case Kind::Value: return node.value;
    case Kind::Reg: return scope.view.reg(node.name, scope.lane, false);
    case Kind::OldReg: return scope.view.reg(node.name, scope.lane, true);
    case Kind::Special: return special_value(node.special, scope);
    case Kind::Word: return word(node, scope);
    case Kind::Param: return scope.view.param(node.name);
    case Kind::Element: {
      const TemplateValue at = evaluate(node.a, scope);
      if (at.kind != TemplateValue::Kind::Bits || is_float(at.type)) return TemplateValue::lacking(at.lack);
      const TemplateValue value = scope.view.element(node.name, as_integer(at));
      return value.kind == TemplateValue::Kind::Missing ? TemplateValue::lacking(TemplateValue::Lack::NoElement)
                                                        : value;
    }
    case Kind::Unary: {
      const TemplateValue value = evaluate(node.a, scope);
      if (node.op == '!') return TemplateValue::truth(!value.is_true());
      return node.op == '-' ? warpsim::negated(value) : inverted(value, scope.view.warp_size());
    }
    case Kind::Binary: return combined(node.op, evaluate(node.a, scope), evaluate(node.b, scope));
    case Kind::At: {
      const TemplateValue lane = evaluate(node.b, scope);
      if (lane.kind != TemplateValue::Kind::Bits || is_float(lane.type)) return TemplateValue::lacking(lane.lack);
      const std::int64_t number = as_integer(lane);
      if (number < 0 || number >= static_cast<std::int64_t>(scope.view.warp_size()))
        return TemplateValue::lacking(TemplateValue::Lack::NoLane);
      return evaluate(node.a, {scope.view, static_cast<unsigned>(number), scope.lanes, nullptr});
    }
    case Kind::All:
    case Kind::Any:
    case Kind::Count: return over_lanes(node, scope);
    case Kind::Sum:
    case Kind::Min:
    case Kind::Max: return folded(node, scope);
  }
  return {};
}

}  // namespace warpsim
