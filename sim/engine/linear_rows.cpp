// See linear_rows.h.
#include "sim/engine/linear_rows.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>

#include "sim/engine/frame.h"

namespace warpsim::engine {

namespace {

bool is_number(Type type) { return (bits(type) == 32 || bits(type) == 64) && !is_float(type) && !is_pair(type); }

// Times what the program says literally; none: it is not so.
std::optional<Linear> product(const std::optional<Linear>& a, const std::optional<Linear>& b, std::int64_t literal,
                              bool wide) {
  if (!a || !b) return std::nullopt;
  if (a->step == 0 && b->step == 0) return Linear{wide, 0};
  if (b->step != 0 || literal == 0) return std::nullopt;
  return times(*a, static_cast<std::uint64_t>(literal), wide);
}

bool is_element_a_result(const DecodedInsn& d) { return d.lift == Lift::Load || d.lift == Lift::Unpack; }

}  // namespace

bool is_direct(const DecodedInsn& d) {
  return (!d.watched || d.is_easily_heard) && d.access.move != nullptr && (bits(d.type) >= 32 || d.elements == 0) &&
         is_in_place(d);
}

std::uint32_t bytes_of_access(const DecodedInsn& d) {
  return static_cast<std::uint32_t>(bytes(d.type)) * std::max<std::uint32_t>(d.elements, 1);
}
std::uint32_t row_of_element(const DecodedInsn& d, unsigned element) {
  if (d.elements != 0) return d.element[element];
  return d.lift == Lift::Load ? d.dst : d.a;
}

bool is_in_place(const DecodedInsn& d) {
  if (d.index == kNoOffset || d.object >= 0) return false;
  if (d.space == AddressSpace::Shared) return !d.index_wide && d.base == 0 && d.scale == 1;
  return (d.space == AddressSpace::Global || d.space == AddressSpace::Generic) && d.index_wide && d.scale == 1;
}

namespace {

constexpr std::int64_t kWordBytes = 4;

bool may_be_of_group(const DecodedInsn& d) {
  return d.lift == Lift::Load && !d.watched && is_direct(d) && d.index_wide && d.elements == 0 && bits(d.type) == 32 &&
         d.dst != kNoOffset && d.guard == kNoOffset;
}

bool is_plain(const DecodedInsn& d) {
  return d.mods.memory.semantics == Semantics::None || d.mods.memory.semantics == Semantics::Weak;
}
bool is_plain_load(const DecodedInsn& d) { return d.lift == Lift::Load && is_plain(d); }

// Whether what a load finds is the same before and behind it.
bool keeps_memory(const DecodedInsn& d) {
  switch (d.lift) {
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam:
    case Lift::Pack:
    case Lift::Unpack: return true;
    default: return is_plain_load(d);
  }
}

}  // namespace

std::vector<LoadGroup> load_groups(const std::vector<DecodedInsn>& insns, std::int32_t begin, std::int32_t end) {
  std::vector<LoadGroup> open, found;
  const auto insn = [&](std::int32_t pc) -> const DecodedInsn& { return insns[static_cast<std::size_t>(pc)]; };
  const auto close = [&](auto&& is_over) {
    for (LoadGroup& one : open) {
      if (!is_over(insn(one.pcs.front()))) continue;
      if (one.pcs.size() == 3) one.pcs.pop_back();
      if (one.pcs.size() > 1) found.push_back(one);
      one.pcs.clear();
    }
    std::erase_if(open, [](const LoadGroup& one) { return one.pcs.empty(); });
  };
  const auto is_next = [&](const LoadGroup& group, const DecodedInsn& d) {
    const DecodedInsn& first = insn(group.pcs.front());
    const auto behind = static_cast<std::int64_t>(group.pcs.size()) * kWordBytes;
    return group.pcs.size() < 4 && d.index == first.index && d.space == first.space &&
           d.beyond_index() - first.beyond_index() == static_cast<std::uint64_t>(behind);
  };
  for (std::int32_t pc = begin; pc < end; ++pc) {
    const DecodedInsn& d = insn(pc);
    if (!keeps_memory(d)) close([](const DecodedInsn&) { return true; });
    if (may_be_of_group(d) && is_plain_load(d)) {
      const auto of = std::find_if(open.begin(), open.end(), [&](const LoadGroup& one) { return is_next(one, d); });
      if (of != open.end()) of->pcs.push_back(pc);
      else open.push_back({{pc}});
    }
    for (const std::uint32_t row : rows_written_by(d))
      close([&](const DecodedInsn& first) { return first.index == row; });
  }
  close([](const DecodedInsn&) { return true; });
  unsigned rows = 0;
  for (LoadGroup& one : found) {
    one.row = rows;
    rows += static_cast<unsigned>(one.pcs.size()) - 1;
  }
  std::erase_if(found, [](const LoadGroup& one) { return one.row + one.pcs.size() - 1 > kMostFetched; });
  return found;
}

namespace {

bool is_product_of_size(const DecodedInsn& d) {
  return d.lift == Lift::Lane && d.op == Op::MulWide && bits(d.type) == 32 && d.guard == kNoOffset && !d.watched &&
         d.dst != kNoOffset && !d.is_in_place && (d.literal == 4 || d.literal == 8 || d.literal == 16);
}
bool is_plain_sum(const DecodedInsn& d) {
  return d.lift == Lift::Lane && d.op == Op::Add && bits(d.type) == 64 && is_number(d.type) && d.mods == Mods{} &&
         d.guard == kNoOffset && !d.watched && d.dst != kNoOffset && !d.is_in_place;
}
bool is_own_access(const DecodedInsn& d) {
  return (d.lift == Lift::Load || d.lift == Lift::Store) && !d.watched && d.guard == kNoOffset && is_direct(d) &&
         bits(d.type) >= 32;
}
bool is_access_of(const DecodedInsn& d, std::int64_t size) {
  return is_own_access(d) && d.index_wide && bytes_of_access(d) == size;
}

// Those whose index this product multiplies.
class IndexedBy {
 public:
  IndexedBy(const std::vector<DecodedInsn>& insns, std::int32_t product) : insns_(insns), product_(product) {
    found_[product].product = product;
    rows_[insn(product).dst] = product;
  }
  template <class IsBase, class IsLive>
  std::map<std::int32_t, IndexedAccess> find(std::int32_t end, IsBase&& is_base, IsLive&& is_live) {
    for (std::int32_t pc = product_ + 1; pc < end && take(pc, is_base);) ++pc;
    const bool is_alive = std::any_of(rows_.begin(), rows_.end(), [&](auto& r) { return is_live(last_ + 1, r.first); });
    if (last_ == 0 || is_alive || !is_right_) return {};
    std::erase_if(found_, [this](const auto& one) { return one.first > last_; });
    for (auto& [pc, one] : found_) one.last = last_;
    return std::move(found_);
  }

 private:
  const DecodedInsn& insn(std::int32_t pc) const { return insns_[static_cast<std::size_t>(pc)]; }
  // False: none follows.
  template <class IsBase>
  bool take(std::int32_t pc, IsBase& is_base) {
    const DecodedInsn &d = insn(pc), &product = insn(product_);
    if (is_plain_sum(d) && ((d.a == product.dst && is_base(d.b)) || (d.b == product.dst && is_base(d.a)))) {
      if (rows_.contains(d.dst)) return false;
      found_[pc].product = product_;
      rows_[d.dst] = pc;
      return true;
    }
    std::size_t reads = 0;
    for (const std::uint32_t row : rows_read_by(d)) reads += rows_.contains(row) ? 1 : 0;
    if (reads != 0) {
      const bool is_by_sum = rows_.contains(d.index) && rows_[d.index] != product_;
      is_right_ = is_right_ && reads == 1 && is_by_sum && is_access_of(d, product.literal);
      if (!is_right_) return false;
      const std::int32_t sum = rows_[d.index];
      const std::uint32_t base = insn(sum).a == product.dst ? insn(sum).b : insn(sum).a;
      found_[pc] = {product_, sum, 0, product.a, base, is_signed(product.type)};
      last_ = pc;
    }
    const std::vector<std::uint32_t> written = rows_written_by(d);
    return is_own_access(d) && std::none_of(written.begin(), written.end(),
                                            [&](std::uint32_t row) { return row == product.a || rows_.contains(row); });
  }

  const std::vector<DecodedInsn>& insns_;
  std::int32_t product_, last_ = 0;
  bool is_right_ = true;
  std::map<std::uint32_t, std::int32_t> rows_;  // of the product and of sums: what computes them
  std::map<std::int32_t, IndexedAccess> found_;
};

}  // namespace

std::map<std::int32_t, IndexedAccess> indexed_accesses(
    const std::vector<DecodedInsn>& insns, std::int32_t begin, std::int32_t end,
    const std::function<bool(std::uint32_t row)>& is_base,
    const std::function<bool(std::int32_t pc, std::uint32_t row)>& is_live) {
  std::map<std::int32_t, IndexedAccess> all;
  for (std::int32_t pc = begin; pc < end; ++pc)
    if (is_product_of_size(insns[static_cast<std::size_t>(pc)]))
      all.merge(IndexedBy(insns, pc).find(end, is_base, is_live));
  return all;
}

std::vector<std::uint32_t> rows_written_by(const DecodedInsn& d) {
  std::vector<std::uint32_t> rows;
  if (d.dst != kNoOffset) rows.push_back(d.dst);
  for (unsigned e = 0; is_element_a_result(d) && e < d.elements; ++e)
    if (d.element[e] != kNoOffset) rows.push_back(d.element[e]);
  return rows;
}

std::vector<std::uint32_t> rows_read_by(const DecodedInsn& d) {
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : {d.a, d.b, d.c, d.d, d.index, d.member_mask})
    if (row != kNoOffset) rows.push_back(row);
  for (unsigned e = 0; !is_element_a_result(d) && e < d.elements; ++e)
    if (d.element[e] != kNoOffset) rows.push_back(d.element[e]);
  return rows;
}

LinearFacts::LinearFacts(const Code& code, bool knows_lanes)
    : register_bytes_(static_cast<std::uint32_t>(code.register_bytes)), knows_lanes_(knows_lanes) {
  for (const SpecialRow& one : code.specials) {
    std::optional<Linear>& known = specials_[one.offset];
    if (one.step) known = Linear{one.wide, *one.step};
    // Where those count, a warp's first one is a multiple of its lanes.
    const bool counts_lanes = one.special == Special::LaneId || one.special == Special::TidX;
    if (known && known->step == 1 && counts_lanes) known->zeros = static_cast<unsigned>(std::countr_zero(code.lanes));
  }
}

std::optional<Linear> LinearFacts::of(std::uint32_t row, bool wide, const LinearRows& known) const {
  if (row == kNoOffset) return std::nullopt;
  if (row < register_bytes_) {
    const auto found = known.find(row);
    return found != known.end() && found->second.wide == wide ? std::optional(found->second) : std::nullopt;
  }
  const auto special = specials_.find(row);
  if (special == specials_.end()) return Linear{wide, 0};
  std::optional<Linear> found = special->second;
  if (found) found->wide = wide;
  return found;
}

bool LinearFacts::widens(const DecodedInsn& d) {
  if (d.op == Op::MulWide || d.op == Op::MadWide) return bits(d.type) == 32;
  return d.op == Op::Cvt && bits(d.type) == 64 && bits(d.type2) == 32;
}

std::optional<Linear> LinearFacts::result(const DecodedInsn& d, const LinearRows& known) const {
  if (d.guard != kNoOffset || d.reads_clock || d.is_in_place) return std::nullopt;
  switch (d.lift) {
    case Lift::LoadParam:
      return d.dst != kNoOffset && bits(d.type) >= 32 ? of(d.a, bits(d.type) == 64, known) : std::nullopt;
    case Lift::Lane: return d.dst != kNoOffset && !d.watched ? computed(d, known) : std::nullopt;
    case Lift::Load: {
      // Of a generic address each lane might mean its own local memory.
      const std::optional<Linear> address = of(d.index, d.index_wide, known);
      if (bits(d.type) < 32 || !address || address->step != 0 || !is_direct(d)) return std::nullopt;
      if (d.space == AddressSpace::Generic) return std::nullopt;
      return Linear{bits(d.type) == 64, 0};
    }
    default: return std::nullopt;
  }
}

std::optional<Linear> LinearFacts::computed(const DecodedInsn& d, const LinearRows& known) const {
  const bool wide = bits(d.type) == 64;
  if (d.op == Op::CvtaGlobal || d.op == Op::CvtaToGlobal || d.op == Op::CvtaConst || d.op == Op::CvtaToConst)
    return of(d.a, true, known);
  if (d.op == Op::Mov) return bits(d.type) >= 32 ? of(d.a, wide, known) : std::nullopt;
  if (!is_number(d.type) || d.mods != Mods{}) return std::nullopt;
  if (widens(d) || d.op == Op::Cvt) return widened(d, known);
  const std::optional<Linear> a = of(d.a, wide, known);
  const std::optional<Linear> b = of(d.b, wide && d.op != Op::Shl && d.op != Op::Shr, known);
  if (!a) return std::nullopt;
  switch (d.op) {
    case Op::Add:
    case Op::Sub: return b ? std::optional(sum(*a, *b, d.op == Op::Sub)) : std::nullopt;
    case Op::MulLo: return product(a, b, d.literal, wide);
    case Op::MadLo: {
      const std::optional<Linear> of_both = product(a, b, d.literal, wide), c = of(d.c, wide, known);
      return of_both && c ? std::optional(sum(*of_both, *c, false)) : std::nullopt;
    }
    case Op::Shl:
      if (d.literal <= 0 || d.literal >= bits(d.type)) return std::nullopt;
      return times(*a, std::uint64_t{1} << d.literal, wide);
    case Op::Shr:
      if (d.literal <= 0 || d.literal >= bits(d.type)) return std::nullopt;
      return a->step == 0 || knows_lanes_ ? shifted_right(*a, d.literal) : std::nullopt;
    case Op::Not:  // 1 less than the negative, in all lanes
    case Op::Neg: return sum({wide, 0}, *a, true);
    case Op::And:
    case Op::Or:
    case Op::Xor:
      if (b && b->step == 0 && a->step != 0 && knows_lanes_) return with_bits(d.op, *a, d.literal);
      [[fallthrough]];
    case Op::Min:
    case Op::Max: return b && a->step == 0 && b->step == 0 ? a : std::nullopt;
    default: return std::nullopt;
  }
}

// Where 32 and 64 bits meet.
std::optional<Linear> LinearFacts::widened(const DecodedInsn& d, const LinearRows& known) const {
  // Of lanes that do not count, code asks whether the highest one wraps, and no other.
  const auto may_wrap = [](const std::optional<Linear>& one) { return one && one->lanes && one->lowest() < 0; };
  if (d.op == Op::Cvt) {
    if (!is_number(d.type2)) return std::nullopt;
    const std::optional<Linear> a = of(d.a, bits(d.type2) == 64, known);
    if (may_wrap(a)) return std::nullopt;
    return a ? std::optional(times(*a, 1, bits(d.type) == 64)) : std::nullopt;
  }
  const std::optional<Linear> of_both = product(of(d.a, false, known), of(d.b, false, known), d.literal, true);
  if (may_wrap(of(d.a, false, known))) return std::nullopt;
  if (!of_both || d.op == Op::MulWide) return of_both;
  const std::optional<Linear> c = of(d.c, true, known);
  return c ? std::optional(sum(*of_both, *c, false)) : std::nullopt;
}

void LinearFacts::pass(const DecodedInsn& d, LinearRows& known) const {
  if (d.is_in_place) return;
  const std::optional<Linear> found = result(d, known);
  for (const std::uint32_t row : rows_written_by(d)) {
    known.erase(row);
    if (found) known[row] = *found;
  }
}

// Where the lanes' addresses need not be looked at.
bool LinearFacts::goes_together(const DecodedInsn& d, const LinearRows& known) const {
  const std::optional<Linear> address = of(d.index, d.index_wide, known);
  if (!address || d.guard != kNoOffset || !is_direct(d)) return false;
  const bool is_load = d.lift == Lift::Load, is_part = bits(d.type) < 32;
  if (is_load && result(d, known)) return true;
  return address->step == bytes(d.type) && d.elements == 0 && (is_load ? d.dst : d.a) != kNoOffset &&
         !(d.watched && is_part && !(is_load && d.space == AddressSpace::Global));
}

bool LinearFacts::goes_apart(const DecodedInsn& d, const LinearRows& known) const {
  constexpr std::int64_t kFarthest = 1 << 20;
  const std::optional<Linear> address = of(d.index, d.index_wide, known);
  if (!knows_lanes_ || !address || d.guard != kNoOffset || d.watched || !is_direct(d) || bits(d.type) < 32)
    return false;
  const std::vector<std::uint32_t> values =
      d.lift == Lift::Load ? rows_written_by(d) : std::vector{row_of_element(d, 0)};
  if (values.empty() || values[0] == kNoOffset || address->lowest() < 0 || address->highest() > kFarthest) return false;
  std::int64_t bits_set = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) bits_set |= address->beyond(lane);
  return (bits_set & (bytes_of_access(d) - 1)) == 0;
}

namespace {

bool is_order(Op op) { return op == Op::SetpLt || op == Op::SetpLe || op == Op::SetpGt || op == Op::SetpGe; }
bool is_plain_compare(const DecodedInsn& d) {
  return is_number(d.type) && d.dst != kNoOffset && !d.watched && d.guard == kNoOffset &&
         (is_order(d.op) || d.op == Op::SetpEq || d.op == Op::SetpNe);
}

}  // namespace

bool LinearFacts::is_of_one_truth(const DecodedInsn& d, const LinearRows& known) const {
  if (!is_plain_compare(d)) return false;
  const bool wide = bits(d.type) == 64;
  const std::optional<Linear> a = of(d.a, wide, known), b = of(d.b, wide, known);
  return a && b && a->step == 0 && b->step == 0;
}

std::optional<std::int32_t> LinearFacts::counted_up(const DecodedInsn& d, const LinearRows& known) const {
  constexpr std::int64_t kLastLane = 31, kMost = std::numeric_limits<std::int32_t>::max() / kLastLane;
  if (!is_plain_compare(d) || !is_order(d.op)) return std::nullopt;
  const bool wide = bits(d.type) == 64;
  const std::optional<Linear> a = of(d.a, wide, known), b = of(d.b, wide, known);
  if (!a || !b || b->step != 0 || a->step <= 0 || a->step > kMost) return std::nullopt;
  return static_cast<std::int32_t>(a->step * kLastLane);
}

// ---- before the run

namespace {

std::vector<std::size_t> successors(const std::vector<DecodedInsn>& insns, std::size_t pc) {
  const DecodedInsn& d = insns[pc];
  std::vector<std::size_t> next;
  const bool is_branch = d.lift == Lift::Branch;
  if (is_branch && d.target >= 0) next.push_back(static_cast<std::size_t>(d.target));
  if ((!is_branch || d.guard != kNoOffset) && pc + 1 < insns.size()) next.push_back(pc + 1);
  return next;
}

// Of two ways to come somewhere; false: nothing has changed.
bool meet(KnownRows& at, const KnownRows& with) {
  const std::size_t linear = at.linear.size(), stale = at.stale.size();
  std::erase_if(at.linear, [&](const auto& one) {
    const auto other = with.linear.find(one.first);
    return other == with.linear.end() || other->second != one.second;
  });
  bool has_less_zeros = false;
  for (auto& [row, one] : at.linear) {
    const unsigned zeros = with.linear.at(row).zeros;
    has_less_zeros = has_less_zeros || zeros < one.zeros;
    one.zeros = std::min(one.zeros, zeros);
  }
  at.stale.insert(with.stale.begin(), with.stale.end());
  return at.linear.size() != linear || at.stale.size() != stale || has_less_zeros;
}

}  // namespace

// What an instruction makes shorter of what is known of its operands.
enum class LinearFacts::Use : std::uint8_t { Nothing, OfResult, OfAddress, OfTruth };

LinearFacts::Use LinearFacts::use_of(const DecodedInsn& d, const LinearRows& known) const {
  if (d.lift == Lift::Load || d.lift == Lift::Store)
    return goes_together(d, known) || goes_apart(d, known) ? Use::OfAddress : Use::Nothing;
  if (is_of_one_truth(d, known) || counted_up(d, known)) return Use::OfTruth;
  return result(d, known) ? Use::OfResult : Use::Nothing;
}

// From what is known where a piece begins to what is known behind it. uses: by pc.
void LinearFacts::pass_piece(const Pieces& of, std::size_t begin, KnownRows& now, std::vector<Use>* uses) const {
  for (std::size_t pc = begin; pc < of.end_of(begin); ++pc) {
    const DecodedInsn& d = of.insns[pc];
    if (uses != nullptr) (*uses)[pc] = use_of(d, now.linear);
    pass(d, now.linear);
    for (const std::uint32_t row : rows_written_by(d)) {
      if (now.linear.contains(row)) now.stale.insert(row);
      else now.stale.erase(row);
    }
    if (!of.in_code[pc]) now.stale.clear();
  }
}

std::vector<KnownRows> LinearFacts::flow(const Pieces& of, const IsLive& is_live) const {
  std::vector<KnownRows> known(of.insns.size());
  std::vector<bool> is_reached(of.insns.size());
  std::deque<std::size_t> to_do;
  const auto arrive = [&](std::size_t pc, KnownRows with) {
    std::erase_if(with.linear, [&](const auto& one) { return !is_live(static_cast<std::int32_t>(pc), one.first); });
    if (is_reached[pc] && !meet(known[pc], with)) return;
    if (!is_reached[pc]) known[pc] = std::move(with);
    is_reached[pc] = true;
    to_do.push_back(pc);
  };
  if (!of.insns.empty()) arrive(0, {});
  while (!to_do.empty()) {
    const std::size_t begin = to_do.front();
    to_do.pop_front();
    KnownRows now = known[begin];
    pass_piece(of, begin, now, nullptr);
    for (const std::size_t next : successors(of.insns, of.end_of(begin) - 1)) arrive(next, now);
  }
  const std::vector<Rows> needed = needs(of, known);
  for (std::size_t pc = 0; pc < of.insns.size(); ++pc) {
    std::erase_if(known[pc].linear, [&](const auto& one) { return !needed[pc].contains(one.first); });
    std::erase_if(known[pc].stale, [&](std::uint32_t row) { return !known[pc].linear.contains(row); });
  }
  return known;
}

// From what is needed behind an instruction to what is needed before it.
void LinearFacts::pass_back(const DecodedInsn& d, Use use, Rows& needed) const {
  const std::vector<std::uint32_t> written = rows_written_by(d);
  const bool is_needed = std::any_of(written.begin(), written.end(), [&](auto row) { return needed.contains(row); });
  for (const std::uint32_t row : written) needed.erase(row);
  const auto add = [&](std::uint32_t row) {
    if (row < register_bytes_) needed.insert(row);  // kNoOffset is not
  };
  if (use == Use::OfAddress) add(d.index);
  if (use != Use::OfTruth && (use != Use::OfResult || !is_needed)) return;
  for (const std::uint32_t row : {d.a, d.b, d.c}) add(row);
}

// Where each piece begins: of which rows something shorter follows, before the code is left.
std::vector<LinearFacts::Rows> LinearFacts::needs(const Pieces& of, const std::vector<KnownRows>& known) const {
  std::vector<Use> uses(of.insns.size(), Use::Nothing);
  for (std::size_t begin = 0; begin < of.insns.size(); begin = of.end_of(begin)) {
    KnownRows now = known[begin];
    pass_piece(of, begin, now, &uses);
  }
  std::vector<Rows> needed(of.insns.size());
  for (bool is_settled = false; !is_settled;) {
    is_settled = true;
    for (std::size_t end = of.insns.size(); end != 0;) {
      std::size_t begin = end - 1;
      while (!of.begins[begin]) --begin;
      Rows now;
      for (const std::size_t next : successors(of.insns, end - 1)) now.insert(needed[next].begin(), needed[next].end());
      for (std::size_t pc = end; pc-- != begin && of.in_code[pc];) pass_back(of.insns[pc], uses[pc], now);
      end = begin;
      if (!of.in_code[begin] || now == needed[begin]) continue;
      needed[begin] = std::move(now);
      is_settled = false;
    }
  }
  return needed;
}

}  // namespace warpsim::engine
