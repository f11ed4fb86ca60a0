// The kinds of dependence that are tried, from the simplest; see closed_form.h.
#include "traces/explain/closed_form.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "isa/cases/case.h"

namespace warpsim::wrong {
namespace {

constexpr std::size_t kMostOutputs = 512, kMostInputs = 1024;

enum class Fold : std::uint8_t { Copy, Sum, Product, Min, Max, And, Or, Xor, Dot };

MessageId words_of(Fold fold) {
  switch (fold) {
    case Fold::Copy: return MessageId::ValueIsThat;
    case Fold::Sum: return MessageId::ValueIsSum;
    case Fold::Product: return MessageId::ValueIsProduct;
    case Fold::Min: return MessageId::ValueIsSmallest;
    case Fold::Max: return MessageId::ValueIsLargest;
    case Fold::And: return MessageId::ValueIsAnd;
    case Fold::Or: return MessageId::ValueIsOr;
    case Fold::Xor: return MessageId::ValueIsXor;
    case Fold::Dot: break;
  }
  return MessageId::ValueIsDot;
}

using Indices = std::vector<std::size_t>;
// The inputs that element k would depend on, if any; nothing if there is no such element.
struct Pattern {
  unsigned rank = 0;  // lower: simpler
  std::function<std::optional<Indices>(std::size_t k)> at;
};

Indices range(std::size_t from, std::size_t to) {
  Indices list;
  for (std::size_t k = from; k < to; ++k) list.push_back(k);
  return list;
}

struct Sizes {
  std::size_t in = 0, out = 0, warp = 32, block = 32;
};

// One element each.
std::vector<Pattern> copies(const Sizes& s) {
  std::vector<Pattern> list;
  const auto add = [&](unsigned rank, auto index) {
    list.push_back({rank, [index, in = s.in](std::size_t k) -> std::optional<Indices> {
                      const std::size_t at = index(k);
                      return at < in ? std::optional(Indices{at}) : std::nullopt;
                    }});
  };
  add(0, [](std::size_t k) { return k; });
  for (std::size_t d = 1; d < s.warp; d *= 2) add(1, [d](std::size_t k) { return k ^ d; });
  for (const std::size_t part : {s.in, s.block, s.warp})
    add(1, [part](std::size_t k) { return k / part * part + (part - 1 - k % part); });
  for (const std::size_t part : {s.in, s.block, s.warp}) {
    add(1, [part](std::size_t k) { return k / part * part; });
    add(1, [part](std::size_t k) { return k / part * part + part - 1; });
    for (std::size_t d = 1; d < std::min<std::size_t>(s.warp, 17); ++d) {
      // Past the end a lane keeps its own, as by a shuffle, or goes round.
      add(1, [part, d](std::size_t k) { return k % part + d < part ? k + d : k; });
      add(1, [part, d](std::size_t k) { return k % part >= d ? k - d : k; });
      add(1, [part, d](std::size_t k) { return k / part * part + (k % part + d) % part; });
      add(1, [part, d](std::size_t k) { return k / part * part + (k % part + part - d) % part; });
    }
  }
  return list;
}

// Several each.
std::vector<Pattern> groups(const Sizes& s) {
  std::vector<Pattern> list;
  const std::size_t in = s.in;
  const auto add = [&](unsigned rank, auto first, auto last) {
    list.push_back({rank, [first, last, in](std::size_t k) -> std::optional<Indices> {
                      const std::size_t from = first(k), to = last(k);
                      return from <= to && to <= in ? std::optional(range(from, to)) : std::nullopt;
                    }});
  };
  if (s.out != 0 && s.out < in && in % s.out == 0)
    add(
        2, [n = in / s.out](std::size_t k) { return k * n; }, [n = in / s.out](std::size_t k) { return (k + 1) * n; });
  for (const std::size_t part : {in, s.block, s.warp}) {
    const auto begin = [part](std::size_t k) { return k / part * part; };
    const auto end = [part, in](std::size_t k) { return std::min(k / part * part + part, in); };
    add(2, begin, end);
    add(3, begin, [](std::size_t k) { return k + 1; });
    add(3, begin, [](std::size_t k) { return k; });
    add(
        3, [](std::size_t k) { return k; }, end);
    add(
        3, [](std::size_t k) { return k + 1; }, end);
  }
  for (std::size_t r = 1; r <= 4; ++r)
    add(
        4, [r](std::size_t k) { return k - std::min(k, r); },
        [r, in](std::size_t k) { return std::min(k + r + 1, in); });
  return list;
}

// ---- the arithmetic of an output's type

class Arithmetic {
 public:
  explicit Arithmetic(Type type) : type_(type), real_(is_float(type)), width_(static_cast<unsigned>(bits(type))) {}
  static bool knows(Type type) {
    return type == Type::F32 || type == Type::F64 || (!is_float(type) && !is_pair(type) && bits(type) >= 8);
  }
  bool takes(Type input) const { return knows(input) && (real_ || !is_float(input)); }
  bool is_real() const { return real_; }

  double real_of(Type type, std::uint64_t value) const {
    if (type == Type::F32) return __builtin_bit_cast(float, static_cast<std::uint32_t>(value));
    if (type == Type::F64) return __builtin_bit_cast(double, value);
    return is_signed(type) ? static_cast<double>(extended(type, value)) : static_cast<double>(value);
  }
  static std::int64_t extended(Type type, std::uint64_t value) {
    const unsigned rest = 64 - static_cast<unsigned>(bits(type));
    return is_signed(type) ? static_cast<std::int64_t>(value << rest) >> rest : static_cast<std::int64_t>(value);
  }
  double rounded(double value) const {
    return type_ == Type::F32 ? static_cast<double>(static_cast<float>(value)) : value;
  }
  // Sums of floats may have been added in another order.
  bool is_equal(double value, std::uint64_t expected) const {
    const double want = real_of(type_, expected);
    if (std::isnan(want) || std::isnan(value)) return false;
    return std::fabs(value - want) <= (type_ == Type::F32 ? 1e-5 : 1e-12) * std::max(std::fabs(value), std::fabs(want));
  }
  bool is_equal(std::int64_t value, std::uint64_t expected) const {
    const std::uint64_t all = width_ >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width_) - 1;
    return ((static_cast<std::uint64_t>(value) ^ expected) & all) == 0;
  }
  template <class T>
  static T combined(Fold fold, T a, T b) {
    if (fold == Fold::Min) return std::min(a, b);
    if (fold == Fold::Max) return std::max(a, b);
    if constexpr (std::is_same_v<T, std::int64_t>) {
      const std::uint64_t x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
      switch (fold) {
        case Fold::Sum:
        case Fold::Dot: return static_cast<T>(x + y);
        case Fold::Product: return static_cast<T>(x * y);
        case Fold::And: return static_cast<T>(x & y);
        case Fold::Or: return static_cast<T>(x | y);
        default: return static_cast<T>(x ^ y);
      }
    } else {
      return fold == Fold::Product ? a * b : a + b;
    }
  }

 private:
  Type type_;
  bool real_;
  unsigned width_;
};

// ---- the search

struct Source {
  std::int32_t param = -1;
  const Array* array = nullptr;
};

class Search {
 public:
  Search(const Array& expected, std::size_t element, const Sizes& sizes)
      : expected_(expected), element_(element), sizes_(sizes), arithmetic_(expected.type) {
    order_ = {element};  // what is wrong decides most quickly
    for (std::size_t k = 0; k < expected.bits.size(); ++k)
      if (k != element) order_.push_back(k);
  }

  void try_one(const Source& a) {
    sizes_.in = a.array->bits.size();
    for (const Pattern& pattern : copies(sizes_)) consider(Fold::Copy, pattern, {a});
    const std::vector<Pattern> of_several = groups(sizes_);
    for (const Fold fold : {Fold::Sum, Fold::Max, Fold::Min, Fold::Product, Fold::And, Fold::Or, Fold::Xor})
      if (!arithmetic_.is_real() || fold <= Fold::Max)
        for (const Pattern& pattern : of_several) consider(fold, pattern, {a});
  }
  void try_two(const Source& a, const Source& b) {
    sizes_.in = std::min(a.array->bits.size(), b.array->bits.size());
    const Pattern same = copies(sizes_).front();
    for (const Fold fold : {Fold::Sum, Fold::Product}) consider(fold, same, {a, b});
    for (const Pattern& pattern : groups(sizes_))
      if (pattern.rank == 2) consider(Fold::Dot, pattern, {a, b});
  }

  struct Fit {
    unsigned rank;
    Fold fold;
    Inputs from;
  };
  const std::vector<Fit>& fits() const { return fits_; }

 private:
  void consider(Fold fold, const Pattern& pattern, const std::vector<Source>& sources) {
    for (const std::size_t k : order_) {
      const std::optional<Indices> list = pattern.at(k);
      if (!list || !is_expected(fold, *list, sources, k)) return;
    }
    Fit fit{pattern.rank, fold, {}};
    const std::optional<Indices> list = pattern.at(element_);
    for (const Source& one : sources)
      for (const std::size_t index : *list) fit.from.insert({one.param, static_cast<std::int64_t>(index)});
    if (!fit.from.empty()) fits_.push_back(std::move(fit));
  }

  bool is_expected(Fold fold, const Indices& list, const std::vector<Source>& sources, std::size_t k) const {
    return arithmetic_.is_real() ? is_expected<double>(fold, list, sources, k)
                                 : is_expected<std::int64_t>(fold, list, sources, k);
  }
  template <class T>
  bool is_expected(Fold fold, const Indices& list, const std::vector<Source>& sources, std::size_t k) const {
    if (list.empty())  // before the first: 0 of a sum, 1 of a product
      return (fold == Fold::Sum || fold == Fold::Product || fold == Fold::Or || fold == Fold::Xor) &&
             arithmetic_.is_equal(static_cast<T>(fold == Fold::Product ? 1 : 0), expected_.bits[k]);
    std::optional<T> all;
    const auto take = [&](T value) { all = all ? rounded(Arithmetic::combined(fold, *all, value)) : value; };
    for (const std::size_t index : list) {
      if (fold == Fold::Dot)
        take(rounded(
            Arithmetic::combined(Fold::Product, value_of<T>(sources[0], index), value_of<T>(sources[1], index))));
      else
        for (const Source& one : sources) take(value_of<T>(one, index));
    }
    return arithmetic_.is_equal(*all, expected_.bits[k]);
  }
  template <class T>
  T rounded(T value) const {
    if constexpr (std::is_same_v<T, double>) return arithmetic_.rounded(value);
    else return value;
  }
  template <class T>
  T value_of(const Source& source, std::size_t index) const {
    const Type type = source.array->type;
    if constexpr (std::is_same_v<T, double>) return arithmetic_.real_of(type, source.array->bits[index]);
    else return Arithmetic::extended(type, source.array->bits[index]);
  }

  const Array& expected_;
  std::size_t element_;
  Sizes sizes_;
  Arithmetic arithmetic_;
  Indices order_;
  std::vector<Fit> fits_;
};

std::vector<Source> sources_of(const Trace& trace) {
  std::vector<Source> list;
  for (std::size_t p = 0; p < trace.head.params.size(); ++p)
    for (const auto& [name, array] : trace.head.inputs)
      if (name == trace.head.params[p].name && trace.head.params[p].kind != TraceParam::Kind::Out)
        list.push_back({static_cast<std::int32_t>(p), &array});
  return list;
}

// In an output that is an input in another order, an element of which there is one.
std::optional<Inputs> reordered(const Source& source, const Array& expected, std::size_t element) {
  if (source.array->type != expected.type || source.array->bits.size() != expected.bits.size()) return std::nullopt;
  std::vector<std::uint64_t> have = source.array->bits, want = expected.bits;
  std::sort(have.begin(), have.end());
  std::sort(want.begin(), want.end());
  const auto [first, last] = std::equal_range(have.begin(), have.end(), expected.bits[element]);
  if (have != want || last - first != 1) return std::nullopt;
  const auto at = std::find(source.array->bits.begin(), source.array->bits.end(), expected.bits[element]);
  return Inputs{{source.param, at - source.array->bits.begin()}};
}

}  // namespace

std::optional<ClosedForm> closed_form_of(const Trace& trace, const Array& expected, std::size_t element,
                                         const Inputs& computed_from) {
  if (!Arithmetic::knows(expected.type) || expected.bits.size() > kMostOutputs || element >= expected.bits.size())
    return std::nullopt;
  const std::uint64_t threads = trace.head.block.count();
  Search search(expected, element, {0, expected.bits.size(), trace.head.lanes, static_cast<std::size_t>(threads)});
  std::vector<Source> sources = sources_of(trace);
  std::erase_if(sources, [&](const Source& one) {
    return !Arithmetic(expected.type).takes(one.array->type) || one.array->bits.empty() ||
           one.array->bits.size() > kMostInputs;
  });
  for (const Source& a : sources) search.try_one(a);
  for (std::size_t a = 0; a < sources.size(); ++a)
    for (std::size_t b = a + 1; b < sources.size(); ++b) search.try_two(sources[a], sources[b]);
  // Who combines several inputs does not mean one.
  const bool several = computed_from.size() > 1 && std::any_of(search.fits().begin(), search.fits().end(),
                                                               [](const auto& fit) { return fit.fold != Fold::Copy; });
  const Search::Fit* best = nullptr;
  for (const Search::Fit& fit : search.fits())
    if ((fit.fold != Fold::Copy || !several) && (best == nullptr || fit.rank < best->rank)) best = &fit;
  const auto found = [&](MessageId words, const Inputs& from) {
    return ClosedForm{from, {words, {format_value(expected.type, expected.bits[element]), names_of(trace.head, from)}}};
  };
  if (best == nullptr) {
    for (const Source& one : sources)
      if (const std::optional<Inputs> from = reordered(one, expected, element))
        return found(MessageId::ValueIsThat, *from);
    return std::nullopt;
  }
  for (const Search::Fit& fit : search.fits())
    if (fit.rank == best->rank && fit.from != best->from && (fit.fold != Fold::Copy || !several)) return std::nullopt;
  return found(best->from.size() == 1 ? MessageId::ValueIsThat : words_of(best->fold), best->from);
}

Inputs all_inputs(const Trace& trace) {
  Inputs all;
  for (const Source& one : sources_of(trace))
    for (std::size_t k = 0; k < one.array->bits.size(); ++k) all.insert({one.param, static_cast<std::int64_t>(k)});
  return all;
}

std::string names_of(const TraceHead& head, const Inputs& inputs) {
  std::string text;
  for (auto at = inputs.begin(); at != inputs.end();) {
    const std::int32_t param = at->param;
    std::vector<std::size_t> numbers;
    for (; at != inputs.end() && at->param == param; ++at) numbers.push_back(static_cast<std::size_t>(at->index));
    text += (text.empty() ? "" : ", ") + head.params[static_cast<std::size_t>(param)].name + "[" +
            number_list(numbers, 6) + "]";
  }
  return text;
}

}  // namespace warpsim::wrong
