// What crosses lanes: shuffles, votes, matches, reductions.
#include "sim/code/collective.h"
#include "sim/code/row_meaning.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/lane_loops.h"

namespace warpsim::sass {
namespace exchange_code {
namespace {

void write_all(const Exec& x, std::uint32_t destination, std::uint32_t value) {
  Row* const d = x.row(destination);
  lift::each_lane<kLanes>([=](unsigned l) __attribute__((always_inline)) { d[l] = value; });
}
void write_acting(const Exec& x, std::uint32_t destination, std::uint32_t value) {
  each_word(
      x, destination, [=](unsigned) __attribute__((always_inline)) { return value; });
}

bool build_shuffle(CodeBuilder& b) {
  b.take_integers();
  b.op.run = lane_code().shuffle[b.bits(58, 2)];
  b.op.is_alone = true;
  b.op.pd = b.written_predicate(81);
  return true;
}

enum class Vote : std::uint8_t { All, Any, Equal };
template <Vote V>
void vote(Exec& x, const CodeOp& op) {
  const Lanes truth = x.read(op.p) & x.mask;
  const bool is_true = V == Vote::Any   ? kernels::Any::of(truth, x.mask)
                       : V == Vote::All ? kernels::All::of(truth, x.mask)
                                        : kernels::Uni::of(truth, x.mask);
  if (op.value != 0) {
    write_all(x, op.d, truth);
    if (op.pd != kNowhere) x.warp.predicates[op.pd] = is_true ? kAllLanes : 0;
    return;
  }
  write_acting(x, op.d, truth);
  x.write(op.pd, is_true ? kAllLanes : 0);
}
bool build_vote(CodeBuilder& b) {
  constexpr RunFn kVotes[] = {vote<Vote::All>, vote<Vote::Any>, vote<Vote::Equal>};
  const auto which = static_cast<std::size_t>(b.bits(72, 2));
  if (which >= std::size(kVotes)) return false;
  const bool uniform = b.insn.name == "VOTEU";
  b.op.d = b.destination();
  b.op.p = b.predicate(87);
  b.op.pd = b.written_predicate(81, uniform);
  b.op.value = uniform ? 1 : 0;
  b.op.run = kVotes[which];
  b.op.is_alone = true;
  return true;
}

// The lanes whose value is alike.
void match(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  const bool is_wide = op.value != 0, wants_all = op.value2 != 0;
  const auto value = [&](unsigned l) { return is_wide ? pair_at(a, l) : a[l]; };
  alignas(64) std::uint32_t result[kLanes];
  unsigned different = 0;
  for (Lanes left = x.mask; left != 0;) {
    const std::uint64_t first = value(first_of(left));
    Lanes same = 0;
    for_lanes(left, [&](unsigned l) { same |= static_cast<Lanes>(value(l) == first) << l; });
    for_lanes(same, [&](unsigned l) { result[l] = same; });
    left &= ~same;
    ++different;
  }
  x.step.values = static_cast<std::uint8_t>(different);
  const bool all_same = different == 1;
  Row* const d = x.row(op.d);
  for_lanes(x.mask, [&](unsigned l) { d[l] = wants_all && !all_same ? 0 : result[l]; });
  x.write(op.pd, all_same ? kAllLanes : 0);
}
bool build_match(CodeBuilder& b) {
  b.take_integers();
  b.op.value = b.has("U64") ? 1 : 0;
  b.op.value2 = b.has("ALL") ? 1 : 0;
  if (b.has("ALL")) b.op.pd = b.written_predicate(81);
  b.op.run = match;
  return true;
}

void reduce(Exec& x, const CodeOp& op) {
  const Combine combine = combine_of(op.row, op.type);
  const Row* const a = x.row(op.a);
  const unsigned first = first_of(x.mask);
  std::uint64_t result = a[first];
  for_lanes(x.mask & (x.mask - 1), [&](unsigned l) { result = combine(result, a[l]); });
  write_all(x, op.d, static_cast<std::uint32_t>(result));
}
bool build_reduction(CodeBuilder& b) {
  constexpr Op kOps[] = {Op::ReduxAnd, Op::ReduxOr, Op::ReduxXor, Op::ReduxAdd, Op::ReduxMin, Op::ReduxMax};
  const auto which = static_cast<std::size_t>(b.bits(78, 3));
  if (which >= std::size(kOps)) return false;
  b.take_integers();
  b.op.row = kOps[which];
  b.op.type = which < 3 ? Type::B32 : b.has("S32") ? Type::S32 : Type::U32;
  b.op.run = reduce;
  b.op.is_alone = true;
  return combine_of(b.op.row, b.op.type) != nullptr;
}

}  // namespace
}  // namespace exchange_code

std::vector<CodeMeaning> exchange_meanings() {
  using namespace exchange_code;
  return {{"SHFL", build_shuffle},
          {"VOTE", build_vote},
          {"VOTEU", build_vote},
          {"MATCH", build_match},
          {"REDUX", build_reduction}};
}

}  // namespace warpsim::sass
