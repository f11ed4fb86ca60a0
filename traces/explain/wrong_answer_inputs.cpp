// Which inputs a value should depend on, and which it does: see wrong_answer_parts.h.
#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>
#include <variant>

#include "traces/explain/wrong_answer_parts.h"

namespace warpsim {

Expected expected_of(const Program& program, const Case& one, const CaseOverrides& overrides) {
  return [&program, &one, &overrides](const std::string& input, const Array& values) -> ExpectedOutputs {
    CaseOverrides changed = overrides;
    changed.inputs.erase(input);
    changed.input_arrays[input] = values;
    const std::variant<PreparedCase, LaunchError> prepared = prepare_case(program, one, changed);
    const PreparedCase* const ready = std::get_if<PreparedCase>(&prepared);
    return ready == nullptr ? ExpectedOutputs{} : ready->expected;
  };
}

namespace wrong {
namespace {

constexpr std::size_t kElementsComputed = std::size_t{1} << 14;  // by all tries together, about
constexpr std::size_t kFewestTries = 64, kMostTries = 4 * kMaxChangedInputs;

// Values that a sum, a largest, a smallest, a count or a comparison would notice.
std::vector<std::uint64_t> other_values(Type type, std::uint64_t now) {
  std::vector<std::uint64_t> values;
  const auto add = [&](std::string_view text) {
    const std::variant<std::uint64_t, CaseError> value = parse_value(type, text);
    if (const std::uint64_t* const bits = std::get_if<std::uint64_t>(&value)) values.push_back(*bits);
  };
  if (type == Type::F32 || type == Type::F64) {
    for (const std::string_view text : {"1e30", "-1e30", "0.5", "NaN"}) add(text);
  } else if (is_float(type)) {
    for (const std::string_view text : {"30000", "-30000", "0.5", "NaN"}) add(text);
  } else {
    const unsigned width = static_cast<unsigned>(std::max(bits(type), 1));
    const std::uint64_t all = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    values = is_signed(type) ? std::vector<std::uint64_t>{all ^ sign, sign} : std::vector<std::uint64_t>{all, 0};
    values.push_back((now + 1) & all);
    values.push_back(now ^ 1);
  }
  values.erase(std::remove(values.begin(), values.end(), now), values.end());
  return values;
}

const Array* find(const std::vector<std::pair<std::string, Array>>& list, std::string_view name) {
  for (const auto& [one, array] : list)
    if (one == name) return &array;
  return nullptr;
}

}  // namespace

namespace {

// The inputs of the run, `likely` first, then those whose number is nearest to the output's.
std::vector<InputElement> in_order(const Trace& trace, const std::vector<InputElement>& likely, std::size_t output) {
  std::vector<InputElement> rest;
  for (std::size_t p = 0; p < trace.head.params.size(); ++p) {
    const Array* const array = find(trace.head.inputs, trace.head.params[p].name);
    if (array == nullptr || trace.head.params[p].kind == TraceParam::Kind::Out) continue;
    for (std::size_t k = 0; k < array->bits.size(); ++k)
      rest.push_back({static_cast<std::int32_t>(p), static_cast<std::int64_t>(k)});
  }
  const auto distance = [&](const InputElement& one) {
    return std::abs(one.index - static_cast<std::int64_t>(output));
  };
  std::stable_sort(rest.begin(), rest.end(),
                   [&](const InputElement& a, const InputElement& b) { return distance(a) < distance(b); });
  std::vector<InputElement> order;
  Inputs known;
  for (const std::vector<InputElement>* const list : {&likely, &std::as_const(rest)})
    for (const InputElement& one : *list)
      if (order.size() < kMaxChangedInputs && known.insert(one).second) order.push_back(one);
  return order;
}

// Of one input: its other values, one after the other, until every output has been seen to change.
struct Changing {
  InputElement input;
  const Array* array = nullptr;
  std::vector<std::uint64_t> values;
  std::size_t next = 0, changed = 0;
};

}  // namespace

Dependence dependence_of(const Trace& trace, const Expected& expected, const Elements& elements,
                         const std::vector<InputElement>& likely) {
  Dependence out;
  std::size_t computed = 1;
  for (const auto& [name, array] : trace.outcome.expected) computed += array.bits.size();
  std::size_t tries = std::clamp(kElementsComputed / computed, kFewestTries, kMostTries);
  // What is expected of the inputs as they are: of the function, too, so that like is compared with like.
  std::map<std::string, ExpectedOutputs, std::less<>> unchanged;
  const auto change = [&](Changing& one) {
    const std::string& name = trace.head.params[static_cast<std::size_t>(one.input.param)].name;
    const auto known = unchanged.find(name);
    const ExpectedOutputs& as_it_is =
        known != unchanged.end() ? known->second : unchanged[name] = expected(name, *one.array);
    Array values = *one.array;
    values.bits[static_cast<std::size_t>(one.input.index)] = one.values[one.next++];
    --tries;
    for (const auto& [output, then] : expected(name, values)) {
      const auto element = elements.find(output);
      const auto before = as_it_is.find(output);
      if (element == elements.end() || before == as_it_is.end()) continue;
      const std::vector<std::uint64_t>& was = before->second.bits;
      if (then.bits.size() != was.size() || element->second >= was.size()) continue;
      if (then.bits[element->second] == was[element->second]) continue;
      one.changed += out.on[output].insert(one.input).second ? 1 : 0;
    }
  };
  const std::vector<InputElement> order = in_order(trace, likely, elements.empty() ? 0 : elements.begin()->second);
  // As many at once as a warp has lanes: first one other value of each, then a second of those that changed nothing.
  for (std::size_t begin = 0; begin < order.size() && tries > 0; begin += trace.head.lanes) {
    std::vector<Changing> chunk;
    for (std::size_t k = begin; k < std::min<std::size_t>(order.size(), begin + trace.head.lanes); ++k) {
      const Array* const array =
          find(trace.head.inputs, trace.head.params[static_cast<std::size_t>(order[k].param)].name);
      if (array == nullptr || order[k].index < 0 || static_cast<std::size_t>(order[k].index) >= array->bits.size())
        continue;
      chunk.push_back(
          {order[k], array, other_values(array->type, array->bits[static_cast<std::size_t>(order[k].index)])});
    }
    for (bool any = true; any;) {
      any = false;
      for (Changing& one : chunk) {
        if (tries == 0 || one.changed == elements.size() || one.next == one.values.size()) continue;
        change(one);
        any = true;
      }
    }
    for (const Changing& one : chunk)
      if (one.changed == elements.size() || one.next == one.values.size()) out.tried.insert(one.input);
  }
  return out;
}

namespace {

// What each lane has heard of, by any way at all: as bits, one a wanted input.
class Hearing {
 public:
  Hearing(const Trace& trace, const std::vector<InputElement>& wanted) : wanted_(wanted) {
    for (std::size_t pc = 0; pc < trace.head.code.size(); ++pc)
      code_.push_back(flow_of(trace.head, static_cast<std::int32_t>(pc)));
  }

  void apply(const TraceEvent& event) {
    Lanes& lanes = warps_[{event.block, event.warp}];
    const InsnFlow& flow = code_[static_cast<std::size_t>(event.pc)];
    if (event.source) access(event, *event.source, lanes);
    if (event.memory) access(event, *event.memory, lanes);
    switch (flow.kind) {
      case FlowKind::Vote:
      case FlowKind::Match:
      case FlowKind::Reduce: unite(lanes, event.active, false); return;
      case FlowKind::Scan: unite(lanes, event.active, true); return;
      case FlowKind::BlockReduce: return unite_block(event.block);
      default: break;
    }
    if (!event.exchange) return;
    const Lanes before = lanes;
    std::size_t k = 0;
    for_each_lane(event.exchange->lanes, [&](unsigned lane) { lanes[lane] |= before[event.exchange->from[k++]]; });
  }
  std::uint64_t of(const TraceEvent& event, unsigned lane) { return warps_[{event.block, event.warp}][lane]; }

 private:
  using Lanes = std::array<std::uint64_t, 64>;

  static void unite(Lanes& lanes, LaneMask active, bool rising) {
    std::uint64_t all = 0;
    for_each_lane(active, [&](unsigned lane) {
      all |= lanes[lane];
      if (rising) lanes[lane] = all;
    });
    if (!rising) for_each_lane(active, [&](unsigned lane) { lanes[lane] = all; });
  }
  void unite_block(std::uint32_t block) {
    std::uint64_t all = 0;
    for (const auto& [warp, lanes] : warps_)
      if (warp.first == block)
        for (const std::uint64_t one : lanes) all |= one;
    for (auto& [warp, lanes] : warps_)
      if (warp.first == block) lanes.fill(all);
  }
  void access(const TraceEvent& event, const TraceMemory& memory, Lanes& lanes) {
    const std::uint64_t bytes = std::uint64_t{memory.bytes} * memory.elements;
    memory.for_each_turn([&](unsigned lane, std::size_t place) {
      const bool shared = memory.is_shared();
      auto& words = shared ? shared_[event.block] : global_;
      for (std::uint64_t word = memory.address[place] / 4; word <= (memory.address[place] + bytes - 1) / 4; ++word) {
        if (memory.access != TraceMemory::Access::Store) lanes[lane] |= words[word];
        if (memory.writes()) words[word] |= lanes[lane];
      }
      if (memory.access == TraceMemory::Access::Store || shared) return;
      for (std::size_t w = 0; w < wanted_.size(); ++w) {
        const bool here = wanted_[w].param == memory.object[place] && wanted_[w].index >= memory.index[place] &&
                          wanted_[w].index < memory.index[place] + static_cast<std::int64_t>(memory.elements);
        if (here) lanes[lane] |= std::uint64_t{1} << w;
      }
    });
  }

  const std::vector<InputElement>& wanted_;
  std::vector<InsnFlow> code_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Lanes> warps_;
  std::unordered_map<std::uint64_t, std::uint64_t> global_;  // by address / 4
  std::map<std::uint32_t, std::unordered_map<std::uint64_t, std::uint64_t>> shared_;
};

}  // namespace

Inputs never_heard(const Trace& trace, const Stored& at, const Inputs& wanted) {
  std::vector<InputElement> list(wanted.begin(), wanted.end());
  if (list.size() > 64) list.resize(64);
  Hearing hearing(trace, list);
  for (std::size_t n = 0; n <= at.event; ++n) hearing.apply(trace.events[n]);
  const std::uint64_t heard = hearing.of(trace.events[at.event], at.lane);
  Inputs never;
  for (std::size_t k = 0; k < list.size(); ++k)
    if ((heard >> k & 1) == 0) never.insert(list[k]);
  return never;
}

std::map<InputElement, std::uint64_t> times_in(const Trace& trace, const Dataflow& flow, const FlowValue& value) {
  std::map<InputElement, std::uint64_t> times;
  // The latest first: then mostly all ways to a value are known when its turn comes, and if not it has another.
  std::map<FlowValue, std::uint64_t> open;
  open[value] = 1;
  constexpr std::uint64_t kMany = std::uint64_t{1} << 32;
  while (!open.empty()) {
    const auto [next, ways] = *open.rbegin();
    open.erase(std::prev(open.end()));
    const std::vector<FlowSource> sources = flow.sources(next);
    const OpInfo* const row = trace.head.code[static_cast<std::size_t>(trace.events[next.event].pc)].row;
    const bool careless = row != nullptr && (has_trait(*row, kIdempotent | kSelects) || row->form == Form::PAB);
    if (sources.size() > 1 && careless) return {};
    for (const FlowSource& source : sources) {
      if (source.kind == FlowSource::Kind::Input) times[source.input] = std::min(times[source.input] + ways, kMany);
      if (source.kind == FlowSource::Kind::Value) open[source.value] = std::min(open[source.value] + ways, kMany);
    }
  }
  return times;
}

Loaders loaders_of(const Trace& trace, const Stored& at, const Inputs& inputs) {
  Loaders out;
  Inputs here, anywhere;
  const TraceEvent& store = trace.events[at.event];
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const TraceEvent& event = trace.events[n];
    const TraceMemory* const memory = event.source ? &*event.source : event.memory ? &*event.memory : nullptr;
    if (memory == nullptr || memory->access == TraceMemory::Access::Store || memory->is_shared()) continue;
    std::size_t k = 0;
    for_each_lane(memory->lanes, [&](unsigned lane) {
      for (unsigned e = 0; e < memory->elements; ++e) {
        const InputElement input{memory->object[k], memory->index[k] + static_cast<std::int64_t>(e)};
        if (inputs.count(input) == 0) continue;
        anywhere.insert(input);
        if (event.block != store.block || event.warp != store.warp || !here.insert(input).second) continue;
        out.lanes |= lane_bit(lane);
        out.events.emplace_back(n, lane);
      }
      ++k;
    });
  }
  for (const InputElement& input : inputs) {
    if (anywhere.count(input) == 0) out.by_nobody.insert(input);
    else if (here.count(input) == 0) out.elsewhere.insert(input);
  }
  return out;
}

}  // namespace wrong
}  // namespace warpsim
