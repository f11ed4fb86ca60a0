#include "tools/cuda/rows/row_operands.h"

#include <algorithm>
#include <array>

#include "tools/cuda/rows/row_kernels.h"
#include "tools/cuda/rows/row_values.h"

namespace warpsim::rows {
namespace {

constexpr std::uint64_t kWidths = 6;  // 1, 2, 4 … 32
constexpr std::uint64_t kSystematicWarps = kWidths * 64;

std::uint64_t all_bits(Type t) { return bits(t) >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits(t)) - 1; }
int fraction_bits(Type t) { return t == Type::F16 ? 10 : t == Type::BF16 ? 7 : t == Type::F32 ? 23 : 52; }

// A subnormal, or an infinity or a NaN with any payload; of an integer a few bits at either end.
std::uint64_t extreme(Type t, Random& random) {
  const std::uint64_t r = random.next(), all = all_bits(t);
  if (is_pair(t)) return extreme(element(t), random) | extreme(element(t), random) << 16;
  if (!is_float(t)) return (r & 1 ? r >> 8 & 0xff : ~(r >> 8 & 0xff)) & all;
  const std::uint64_t fraction = (std::uint64_t{1} << fraction_bits(t)) - 1, sign = all ^ all >> 1;
  const std::uint64_t payload = random.next() >> (r >> 8 & 31) & fraction;
  return payload | (r & 1 ? all >> 1 & ~fraction : 0) | (r & 2 ? sign : 0);
}

class Mixed {
 public:
  explicit Mixed(const Signature& s) : types_(s.operands) {
    for (const Type t : types_) specials_.push_back(special_values(t));
  }
  std::uint64_t value(std::size_t k, unsigned kind, std::uint64_t first_operand, Random& random) const {
    const Type t = types_[k];
    const std::uint64_t all = all_bits(t);
    if (t == Type::Pred) return random.next() >> 63;
    if (kind < 4) return special(k, random);
    if (kind == 4) return (special(k, random) + random.next() % 7 - 3) & all;
    if (kind < 7) return random.next() & all;
    if (kind < 9 && k > 0 && bits(types_[0]) == bits(t)) {
      const std::uint64_t r = random.next(), near = r & 4 ? first_operand : first_operand + (r >> 8) % 7 - 3;
      return (near ^ (r & 2 ? all ^ all >> 1 : 0)) & all;
    }
    if (kind == 9) return extreme(t, random);
    return random_value(t, random) & all;
  }

 private:
  std::uint64_t special(std::size_t k, Random& random) const {
    return specials_[k][random.next() % specials_[k].size()];
  }

  std::vector<Type> types_;
  std::vector<std::vector<std::uint64_t>> specials_;
};

Random random_of(std::uint64_t seed, std::uint64_t index) { return Random(Random(seed + index).next()); }

void fill_mixed(const Signature& s, std::uint64_t seed, std::uint64_t first, std::size_t count, Columns& operands) {
  const Mixed mixed(s);
  const Type t = s.operands[0];
  const bool halves = s.operands.size() == 1 && t != Type::Pred && (bits(t) <= 16 || is_pair(t));
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint64_t index = first + n;
    Random random = random_of(seed, index);
    const std::uint64_t kinds = random.next();
    for (std::size_t k = 0; k < s.operands.size(); ++k)
      operands[k][n] = mixed.value(k, kinds >> (4 * k) & 15, operands[0][n], random);
    if (halves && index < kHalves) operands[0][n] = every_half(t, index) & all_bits(t);
  }
}

void fill_every(const Signature& s, std::uint64_t seed, std::uint64_t first, std::size_t count, Columns& operands) {
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint64_t index = first + n;
    if (s.operands.size() == 2) {
      operands[0][n] = index & 0xffff;
      operands[1][n] = index >> 16 & 0xffff;
    } else {
      const bool wide = bits(s.operands[0]) == 64;
      operands[0][n] = wide ? index << 32 | (random_of(seed, index).next() & 0xffffffffU) : index & 0xffffffffU;
    }
  }
}

// All fractions of b; the exponents, the signs and all of a change from one turn to the next.
void fill_fractions(const Signature& s, std::uint64_t seed, std::uint64_t first, std::size_t count, Columns& operands) {
  const Mixed mixed(s);
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint64_t index = first + n, fraction = index & 0x7fffff;
    Random random = random_of(seed, index >> 23);
    operands[0][n] = mixed.value(0, static_cast<unsigned>(random.next() & 15), 0, random);
    operands[1][n] = (random_value(Type::F32, random) & 0xff800000U) | fraction;
  }
}

// How many of a group's threads hold true: all, none, one, all but one, or some.
std::uint64_t truths(Random& random) {
  const std::uint64_t r = random.next(), one = std::uint64_t{1} << (r >> 8 & 63);
  switch (r & 7) {
    case 0: return 0;
    case 1: return ~std::uint64_t{0};
    case 2: return one;
    case 3: return ~one;
    case 4: return random.next() & random.next() & random.next();
    default: return random.next();
  }
}

std::uint32_t members(Random& random) {
  const std::uint64_t r = random.next();
  const std::uint32_t one = 1U << (r >> 8 & 31), some = static_cast<std::uint32_t>(random.next()) | one;
  switch (r & 7) {
    case 0:
    case 1: return ~0U;
    case 2: return one;
    case 3: return (some & static_cast<std::uint32_t>(random.next())) | one;
    default: return some;
  }
}

void fill_barrier(std::uint64_t seed, std::uint64_t first, std::size_t count, Columns& operands) {
  for (std::size_t n = 0; n < count; n += kBarrierThreads) {
    Random random = random_of(seed, (first + n) / kBarrierThreads);
    const std::uint64_t truth = truths(random);
    for (std::size_t t = 0; t < kBarrierThreads && n + t < count; ++t) operands[0][n + t] = truth >> t & 1;
  }
}

// b and c of a warp's lanes: first every width and every b, then anything that fits in 13 bits, or in 32.
void fill_shuffle(const Instruction& i, std::uint64_t warp, Random& random, std::size_t n, Columns& operands) {
  const std::uint64_t turn = warp % kSystematicWarps, r = random.next();
  const bool systematic = warp < 16 * kSystematicWarps, own_b = !systematic && (r & 1) != 0, own_c = (r & 6) == 6;
  std::uint64_t b = turn / kWidths, c = shuffle_clamp(mode_of(i), 1U << turn % kWidths, kLanes);
  if (!systematic) b = random.next() >> 32, c = random.next() & 0x1f1f;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (own_b) b = random.next() >> (r & 8 ? 32 : 58);
    if (!systematic && own_c) c = random.next() >> 32;
    operands[1][n + lane] = b;
    operands[2][n + lane] = c;
  }
  if (systematic && warp < kSystematicWarps) {
    for (unsigned lane = 0; lane < kLanes; ++lane) operands[3][n + lane] = 0xffffffffU;
  }
}

void fill_network(const Instruction& i, const Signature& s, std::uint64_t seed, std::uint64_t first, std::size_t count,
                  Columns& operands) {
  const Mixed mixed(s);
  const Type t = s.operands[0];
  for (std::size_t n = 0; n < count; n += kLanes) {
    const std::uint64_t warp = (first + n) / kLanes;
    Random random = random_of(seed, warp);
    const std::uint64_t truth = truths(random), r = random.next(), mask = members(random);
    // A few different values, so that some match; or as many as there are lanes.
    std::array<std::uint64_t, 32> values{};
    const std::uint64_t different = r & 1 ? 32 : 1 + (r >> 8) % 4;
    for (std::size_t k = 0; k < different; ++k) values[k] = mixed.value(0, r >> (16 + k % 12 * 4) & 15, 0, random);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t which = different == 32 ? lane : random.next() % different;
      operands[0][n + lane] = t == Type::Pred ? truth >> lane & 1 : values[which];
      operands.back()[n + lane] = mask;
    }
    if (i.row->lift == Lift::Shuffle) fill_shuffle(i, warp, random, n, operands);
  }
}

}  // namespace

std::uint64_t opcode_seed(const Instruction& i, std::uint64_t seed) {
  std::uint64_t mixed = Random(seed).next();
  for (const char letter : line_name(i)) mixed = Random(mixed ^ static_cast<unsigned char>(letter)).next();
  return mixed;
}

ShuffleMode mode_of(const Instruction& i) { return shuffle_mode(i.row->traits); }

std::uint64_t every_count(const Signature& s) {
  const auto all = [&](std::size_t count, int width) {
    return s.operands.size() == count &&
           std::all_of(s.operands.begin(), s.operands.end(), [&](Type t) { return bits(t) == width; });
  };
  return all(1, 32) || all(1, 64) || all(2, 16) ? std::uint64_t{1} << 32 : 0;
}

bool has_fractions(const Instruction& i, const Signature& s) {
  return is_lanewise(i.row->lift) && s.operands == std::vector<Type>{Type::F32, Type::F32};
}

void fill_operands(const Instruction& i, const Signature& s, const Draw& draw, std::uint64_t first, std::size_t count,
                   Columns& operands) {
  operands.resize(s.operands.size());
  for (std::vector<std::uint64_t>& column : operands) column.resize(count);
  if (draw.pattern == Pattern::Every) fill_every(s, draw.seed, first, count, operands);
  else if (draw.pattern == Pattern::Fractions) fill_fractions(s, draw.seed, first, count, operands);
  else if (is_network(i)) fill_network(i, s, draw.seed, first, count, operands);
  else if (i.row->lift == Lift::BarrierReduce) fill_barrier(draw.seed, first, count, operands);
  else fill_mixed(s, draw.seed, first, count, operands);
}

}  // namespace warpsim::rows
