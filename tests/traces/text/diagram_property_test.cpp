// No diagram is a string: for random inputs, sizes and lane counts every diagram of the ten puzzles is built a second
// time here, from plain loops over arrays that know the sources' algorithms and neither the machine nor the
// templates, and compared token by token.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/program_run.h"
#include "traces/text/text_renderer.h"

namespace warpsim::testing {
namespace diagram_property_test {

using Floats = std::vector<float>;
using Lines = std::vector<std::string>;

// The shortest decimal that reads back as the same float.
std::string plain(float value) {
  char text[64];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
  return std::string(text, end.ptr);
}
std::string decimal(float value) {
  const std::string text = plain(value);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}
std::string num(std::size_t n) { return std::to_string(n); }
std::string lane_of(std::size_t lane) { return "Lane " + num(lane) + ": "; }
std::string at(const std::string& buffer, std::size_t index) { return buffer + "[" + num(index) + "]"; }

struct WarpInput {
  std::size_t lanes = 8, n = 8;  // n living lanes
  Floats in;
  float pivot = 5;
};

std::string join(const Lines& items, const std::string& separator) {
  std::string text;
  for (std::size_t k = 0; k < items.size(); ++k) text += (k == 0 ? "" : separator) + items[k];
  return text;
}
std::string list(const Floats& values, bool with_decimal = false) {
  Lines items;
  for (const float value : values) items.push_back(with_decimal ? decimal(value) : plain(value));
  return "[" + join(items, ", ") + "]";
}
std::string first_eight(const Floats& values, bool with_decimal = false) {
  Lines items;
  for (std::size_t k = 0; k < values.size() && k < 8; ++k)
    items.push_back(with_decimal ? decimal(values[k]) : plain(values[k]));
  if (values.size() > 8) items.push_back("...");
  return "[" + join(items, ", ") + "]";
}
// The first `head` and the last `tail` of the lanes' lines.
std::string elided(const Lines& lines, std::size_t head, std::size_t tail, const std::string& dots = "...") {
  Lines shown;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (lines.size() <= head + tail || k < head || k + tail >= lines.size()) shown.push_back(lines[k]);
    else if (k == head) shown.push_back(dots);
  }
  return join(shown, "\n") + "\n";
}
std::string two_columns(const Lines& items, const std::string& comma) {
  std::string text;
  for (std::size_t k = 0; k < items.size(); ++k)
    text += items[k] + (k % 2 == 0 && k + 1 < items.size() ? comma + "  " : "\n");
  return text;
}
Lines for_lanes(const WarpInput& s, const std::function<std::string(std::size_t)>& line) {
  Lines lines;
  for (std::size_t lane = 0; lane < s.n; ++lane) lines.push_back(line(lane));
  return lines;
}
std::string range(std::size_t from, std::size_t to) {
  if (from == to) return num(from);
  return num(from) + (to == from + 1 ? ", " : "-") + num(to);
}
std::string lane_range(std::size_t from, std::size_t to) { return (from == to ? "Lane " : "Lanes ") + range(from, to); }
std::string exchange(std::size_t offset, std::size_t lanes) {
  static const std::map<std::size_t, std::string> words = {
      {2, "Halves"}, {4, "Quarters"}, {8, "Eighths"}, {16, "Sixteenths"}, {32, "Thirty-seconds"}};
  return offset == 1 ? "Pairs" : words.at(lanes / offset);
}
std::string load_lines(const WarpInput& s, std::size_t head, std::size_t tail) {
  return elided(
      for_lanes(s,
                [&](std::size_t l) { return lane_of(l) + "current_val = " + at("input", l) + " = " + plain(s.in[l]); }),
      head, tail);
}

std::string pair_swap(const WarpInput& s) {
  const auto partner = [&](std::size_t l) { return (l ^ 1) < s.n ? l ^ 1 : l; };
  std::string text = "Cycle 1: All lanes load their values simultaneously\n" + load_lines(s, 4, 1);
  text += "Cycle 2: shuffle_xor(current_val, 1) executes on all lanes\n";
  text += elided(for_lanes(s,
                           [&](std::size_t l) {
                             if (partner(l) == l)
                               return lane_of(l) + "receives undefined (no Lane " + num(l ^ 1) + ") → swapped_val = ?";
                             return lane_of(l) + "receives from Lane " + num(l ^ 1) + " (" + num(l) +
                                    "⊕1=" + num(l ^ 1) + ") → swapped_val = " + plain(s.in[l ^ 1]);
                           }),
                 4, 2);
  text += "Cycle 3: Store results\n";
  return text +
         elided(for_lanes(
                    s, [&](std::size_t l) { return lane_of(l) + at("output", l) + " = " + plain(s.in[partner(l)]); }),
                4, 0);
}

std::string parallel_max(const WarpInput& s) {
  Floats v = s.in;
  std::string text = "Initial state:\n";
  text += two_columns(for_lanes(s, [&](std::size_t l) { return lane_of(l) + "max_val = " + plain(v[l]); }), ",");
  std::size_t step = 0;
  for (std::size_t offset = s.lanes / 2; offset > 0; offset /= 2) {
    text += "Step " + num(++step) + ": shuffle_xor(max_val, " + num(offset) + ") - " + exchange(offset, s.lanes) +
            " exchange\n";
    Floats next = v;
    text += two_columns(for_lanes(s,
                                  [&](std::size_t l) {
                                    const std::size_t p = l ^ offset;
                                    if (p >= s.n) return lane_of(l) + "no lane " + num(p) + ", keeps " + plain(v[l]);
                                    next[l] = std::max(v[l], v[p]);
                                    return "Lane " + num(l) + "↔" + num(p) + ": max(" + plain(v[l]) + "," +
                                           plain(v[p]) + ")=" + plain(next[l]);
                                  }),
                        ",");
    v = next;
  }
  const float largest = *std::max_element(s.in.begin(), s.in.end());
  if (s.n < s.lanes) {
    text += "Ragged warp: lane 0 has heard of every lane and tells the others\n";
    for (std::size_t l = 0; l < s.n; ++l)
      text += lane_of(l) + plain(v[l]) + " → " + plain(largest) + (l % 4 != 3 && l + 1 < s.n ? ",\n" : "\n");
  }
  return text + "Final result: All lanes have max_val = " + plain(largest) + "\n";
}

std::string conditional_max(const WarpInput& s) {
  Floats v = s.in, m = s.in;
  std::string text = "Initial state:\n";
  for (std::size_t l = 0; l < s.n; ++l)
    text += lane_of(l) + "current_val=" + plain(v[l]) + ", min_val=" + plain(m[l]) + "\n";
  std::size_t step = 0;
  for (std::size_t offset = s.lanes / 2; offset > 0; offset /= 2) {
    text += "Step " + num(++step) + ": shuffle_xor(current_val, " + num(offset) + ") and shuffle_xor(min_val, " +
            num(offset) + ") - " + exchange(offset, s.lanes) + " exchange\n";
    const Floats v0 = v, m0 = m;
    for (std::size_t l = 0; l < s.n; ++l) {
      const std::size_t p = l ^ offset;
      if (p >= s.n) {
        text += lane_of(l) + "no lane " + num(p) + ", keeps current_val=" + plain(v0[l]) + ", min_val=" + plain(m0[l]) +
                "\n";
        continue;
      }
      v[l] = std::max(v0[l], v0[p]);
      m[l] = std::min(m0[l], m0[p]);
      text += "Lane " + num(l) + "↔" + num(p) + ": max_neighbor=" + plain(v0[p]) + ", min_neighbor=" + plain(m0[p]) +
              " → current_val=max(" + plain(v0[l]) + "," + plain(v0[p]) + ")=" + plain(v[l]) + ", min_val=min(" +
              plain(m0[l]) + "," + plain(m0[p]) + ")=" + plain(m[l]) + "\n";
    }
  }
  const std::string largest = plain(*std::max_element(s.in.begin(), s.in.end())),
                    smallest = plain(*std::min_element(s.in.begin(), s.in.end()));
  if (s.n < s.lanes) {
    text += "Ragged warp: lane 0 has heard of every lane and tells the others\n";
    for (std::size_t l = 0; l < s.n; ++l)
      text += lane_of(l) + "current_val=" + plain(v[l]) + " → " + largest + ", min_val=" + plain(m[l]) + " → " +
              smallest + "\n";
  }
  return text + "Final result: All lanes have current_val=" + largest + " (global max) and min_val=" + smallest +
         " (global min)\n";
}

std::string prefix_sum(const WarpInput& s) {
  Floats sums;
  float sum = 0;
  for (const float value : s.in) sums.push_back(sum += value);
  std::string text = "Input: " + first_eight(s.in) + "\nCycle 1: All lanes load their values simultaneously\n";
  text += elided(for_lanes(s, [&](std::size_t l) { return lane_of(l) + "current_val = " + plain(s.in[l]); }), 4, 1);
  text += "Cycle 2: prefix_sum[exclusive=False] executes (hardware-accelerated)\n";
  text += elided(for_lanes(s,
                           [&](std::size_t l) {
                             std::string line =
                                 lane_of(l) + "scan_result = " + plain(sums[l]) + " (sum of elements 0 to " + num(l);
                             Lines terms;
                             for (std::size_t k = 0; k <= l; ++k) terms.push_back(plain(s.in[k]));
                             return line + (l >= 1 && l <= 3 ? ": " + join(terms, "+") : "") + ")";
                           }),
                 4, 1);
  text += "Cycle 3: Store results\n";
  return text +
         elided(for_lanes(s, [&](std::size_t l) { return lane_of(l) + at("output", l) + " = " + plain(sums[l]); }), 4,
                0);
}

std::string partition(const WarpInput& s) {
  const auto left = [&](std::size_t l) { return s.in[l] < s.pivot; };
  Floats left_pos(s.n), right_pos(s.n), predicate(s.n);
  std::size_t total = 0;
  for (std::size_t l = 0; l < s.n; ++l) {
    left_pos[l] = static_cast<float>(total);
    right_pos[l] = static_cast<float>(l - total);
    predicate[l] = left(l) ? 1.0F : 0.0F;
    total += left(l) ? 1 : 0;
  }
  std::string text = "Initial state:\n";
  text += two_columns(for_lanes(s,
                                [&](std::size_t l) {
                                  return lane_of(l) + "current_val=" + plain(s.in[l]) + (left(l) ? " (< " : " (>= ") +
                                         plain(s.pivot) + ")";
                                }),
                      "");
  text += "Phase 1: Create predicates\n";
  for (std::size_t l = 0; l < s.n; ++l)
    text += lane_of(l) + "predicate_left=" + (left(l) ? "1.0" : "0.0") +
            ", predicate_right=" + (left(l) ? "0.0" : "1.0") + "\n";
  text += "Phase 2: Exclusive prefix sum for positions\nwarp_left_pos: " + list(left_pos) +
          "\nwarp_right_pos: " + list(right_pos) + "\n";
  text += "Phase 3: Butterfly reduction for left total\nInitial: " + list(predicate) +
          "\nAfter reduction: all lanes have warp_left_total = " + num(total) + "\n";
  text += "Phase 4: Write to output positions\n";
  Floats output(s.n);
  for (std::size_t l = 0; l < s.n; ++l) {
    const std::size_t slot = static_cast<std::size_t>(left(l) ? left_pos[l] : static_cast<float>(total) + right_pos[l]);
    output[slot] = s.in[l];
    text += lane_of(l) + "current_val=" + plain(s.in[l]);
    if (left(l)) text += " < pivot → " + at("output", slot);
    else text += " >= pivot → output[" + num(total) + "+" + plain(right_pos[l]) + "] = " + at("output", slot);
    text += " = " + plain(s.in[l]) + "\n";
  }
  return text + "Final result: " + list(output) + " (< pivot | >= pivot)\n";
}

std::string neighbor_difference(const WarpInput& s) {
  std::string text = "Cycle 1: All lanes load their values simultaneously\n" + load_lines(s, 3, 1);
  text += "Cycle 2: shuffle_down(current_val, 1) executes on all lanes\n";
  text += elided(for_lanes(s,
                           [&](std::size_t l) {
                             if (l + 1 == s.n)
                               return lane_of(l) + "receives undefined (no Lane " + num(s.n) + ") → next_val = ?";
                             return lane_of(l) + "receives current_val from Lane " + num(l + 1) +
                                    " → next_val = " + plain(s.in[l + 1]);
                           }),
                 3, 2);
  text += "Cycle 3: Difference computation (lanes " + (s.n == 1 ? "none" : range(0, s.n - 2)) + " only)\n";
  return text + elided(for_lanes(s,
                                 [&](std::size_t l) {
                                   if (l + 1 == s.n) return lane_of(l) + at("output", l) + " = 0 (boundary condition)";
                                   return lane_of(l) + at("output", l) + " = " + plain(s.in[l + 1]) + " - " +
                                          plain(s.in[l]) + " = " + plain(s.in[l + 1] - s.in[l]);
                                 }),
                       3, 1);
}

std::string moving_average(const WarpInput& s) {
  std::string text = "Initial state (Block 0, elements 0-" + num(s.n - 1) + "):\n" + load_lines(s, 3, 1);
  const auto shuffled = [&](std::size_t offset, const std::string& name) {
    return for_lanes(s, [&](std::size_t l) {
      if (l + offset >= s.n) return lane_of(l) + name + " = undefined";
      return lane_of(l) + name + " = " + at("input", l + offset) + " = " + plain(s.in[l + offset]);
    });
  };
  text += "First shuffle: shuffle_down(current_val, 1)\n" + elided(shuffled(1, "next_val"), 3, 2);
  text += "Second shuffle: shuffle_down(current_val, 2)\n" + elided(shuffled(2, "next_next_val"), 3, 3);
  text += "Computation phase:\n";
  if (s.n > 2) text += lane_range(0, s.n - 3) + ": Full 3-point average → (current + next + next_next) / 3\n";
  if (s.n > 1) text += lane_range(s.n - 2, s.n - 2) + ": 2-point average → (current + next) / 2\n";
  return text + lane_range(s.n - 1, s.n - 1) + ": 1-point average → current (passthrough)\n";
}

float first_sum(const WarpInput& s) {
  float sum = 0;
  for (std::size_t k = 0; k < std::min<std::size_t>(4, s.n); ++k) sum += s.in[k];
  return sum;
}
Lines first_four(const WarpInput& s, bool names) {
  Lines terms;
  for (std::size_t k = 0; k < std::min<std::size_t>(4, s.n); ++k)
    terms.push_back(names ? at("input", k) : plain(s.in[k]));
  return terms;
}

std::string basic_broadcast(const WarpInput& s) {
  const float sum = first_sum(s);
  std::string text = "Cycle 1: Lane-specific computation\n";
  text += elided(for_lanes(s,
                           [&](std::size_t l) {
                             if (l > 0) return lane_of(l) + "broadcast_value remains 0.0 (not lane 0)";
                             return lane_of(l) + "Computes sum of " + join(first_four(s, true), " + ") + " = " +
                                    join(first_four(s, false), "+") + " = " + plain(sum);
                           }),
                 3, 1);
  text += "Cycle 2: broadcast(broadcast_value) executes\n";
  text += elided(for_lanes(s,
                           [&](std::size_t l) {
                             return lane_of(l) + (l == 0 ? "Keeps its value" : "Receives lane 0's value") +
                                    " → broadcast_value = " + decimal(sum);
                           }),
                 3, 1);
  text += "Cycle 3: Individual computation with broadcast value\n";
  return text + elided(for_lanes(s,
                                 [&](std::size_t l) {
                                   return lane_of(l) + at("output", l) + " = " + decimal(sum) + " + " + at("input", l) +
                                          " = " + decimal(sum) + " + " + decimal(s.in[l]) + " = " +
                                          decimal(sum + s.in[l]);
                                 }),
                       3, 1);
}

std::string conditional_broadcast(const WarpInput& s) {
  const std::size_t count = std::min({std::size_t{8}, s.lanes, s.n});
  float best = s.in[0];
  std::string text = "Input data: " + first_eight(s.in, true) + "\nStep 1: Lane 0 finds maximum of first " +
                     num(count) + " elements\nLane 0 analysis:\n";
  text += "Start with input[0] = " + decimal(best) + "\n";
  for (std::size_t k = 1; k < count; ++k) {
    const bool larger = s.in[k] > best;
    best = larger ? s.in[k] : best;
    text += "Compare with " + at("input", k) + " = " + decimal(s.in[k]) + (larger ? " → update to " : " → keep ") +
            decimal(best) + "\n";
  }
  const float half = best / 2;
  text += "Final decision_value = " + decimal(best) + "\nStep 2: Broadcast decision_value = " + decimal(best) +
          " to all lanes\n";
  text += "All lanes now have: decision_value = " + decimal(best) + ", threshold = " + decimal(half) +
          "\nStep 3: Conditional execution per lane\n";
  bool repeats = true;
  for (std::size_t l = 0; l < s.n; ++l) repeats = repeats && s.in[l] == s.in[l % 8];
  return text + elided(for_lanes(s,
                                 [&](std::size_t l) {
                                   const bool big = s.in[l] >= half;
                                   const std::string own = decimal(s.in[l]);
                                   return lane_of(l) + at("input", l) + " = " + own + (big ? " >= " : " < ") +
                                          decimal(half) + " → " + at("output", l) + " = " + own +
                                          (big ? " * 2.0 = " : " / 2.0 = ") + decimal(big ? s.in[l] * 2 : s.in[l] / 2);
                                 }),
                       8, 0, repeats ? "...pattern repeats for remaining lanes" : "...");
}

std::string coordination(const WarpInput& s) {
  const float sum = first_sum(s), scale = sum / 4;
  std::string text = "Input data: " + first_eight(s.in) + "\nPhase 1: Lane 0 computes scaling factor\n";
  text += "Lane 0 computes: (" + join(first_four(s, true), " + ") + ") / 4\n= (" + join(first_four(s, false), " + ") +
          ") / 4 = " + plain(sum) + " / 4 = " + decimal(scale) + "\n";
  if (s.n > 1) text += "Other lanes: scale_factor remains 0.0\n";
  text += "Phase 2: Broadcast scale_factor = " + decimal(scale) +
          " to all lanes\nAll lanes now have: scale_factor = " + decimal(scale) + "\n";
  text += "Phase 3: Shuffle operations for neighbor access\n";
  text += elided(for_lanes(s,
                           [&](std::size_t l) {
                             if (l + 1 == s.n)
                               return lane_of(l) + "current_val = " + at("input", l) + ", next_val = undefined";
                             return lane_of(l) + "current_val = " + at("input", l) + " = " + plain(s.in[l]) +
                                    ", next_val = shuffle_down(" + plain(s.in[l]) + ", 1) = " + at("input", l + 1) +
                                    " = " + plain(s.in[l + 1]);
                           }),
                 4, 1);
  text += "Phase 4: Combined computation with broadcast scaling\n";
  return text +
         elided(for_lanes(s,
                          [&](std::size_t l) {
                            const std::string front = lane_of(l) + at("output", l) + " = ";
                            if (l + 1 == s.n)
                              return front + plain(s.in[l]) + " * " + decimal(scale) + " = " + decimal(s.in[l] * scale);
                            const float both = s.in[l] + s.in[l + 1];
                            return front + "(" + plain(s.in[l]) + " + " + plain(s.in[l + 1]) + ") * " + decimal(scale) +
                                   " = " + plain(both) + " * " + decimal(scale) + " = " + decimal(both * scale);
                          }),
                4, 1);
}

Lines tokens_of(const std::string& text) {
  std::istringstream stream(text);
  Lines tokens;
  for (std::string token; stream >> token;) tokens.push_back(token);
  return tokens;
}

struct Puzzle {
  std::string name;
  std::string (*draw)(const WarpInput&);
};
std::ostream& operator<<(std::ostream& out, const Puzzle& puzzle) { return out << puzzle.name; }

class DiagramProperty : public ::testing::TestWithParam<Puzzle> {};

TEST_P(DiagramProperty, EveryNumberIsTheRuns) {
  const Assembled assembled = assemble_program(GetParam().name);
  ASSERT_TRUE(assembled.program) << assembled.diagnostics.render();
  ASSERT_NE(assembled.program->find_case("test"), nullptr);
  Case one = *assembled.program->find_case("test");
  std::erase_if(one.fields, [](const CaseField& field) { return field.key == "expect output"; });
  std::mt19937 random(20240607);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int round = 0; round < 60; ++round) {
    WarpInput s;
    s.lanes = std::size_t{2} << below(6);
    s.n = below(3) == 0 ? 1 + below(static_cast<std::uint32_t>(s.lanes)) : s.lanes;
    const std::uint32_t period = below(4) == 0 ? 8 : 1000;  // now and then a pattern that repeats
    Floats pattern;
    for (std::uint32_t k = 0; k < period; ++k) pattern.push_back(static_cast<float>(below(800)) / 4.0F - 60.0F);
    for (std::size_t k = 0; k < s.n; ++k) s.in.push_back(pattern[k % period]);
    s.pivot = static_cast<float>(below(100)) / 4.0F;
    SCOPED_TRACE("round " + std::to_string(round) + ": " + std::to_string(s.n) + " of " + std::to_string(s.lanes) +
                 " lanes");

    CaseOverrides overrides;
    overrides.lanes = static_cast<unsigned>(s.lanes);
    overrides.grid = Dim3{1, 1, 1};
    overrides.params["size"] = std::to_string(s.n);
    if (assembled.program->find_param("pivot") >= 0) overrides.params["pivot"] = decimal(s.pivot);
    Array input{Type::F32, {}};
    for (const float value : s.in) input.bits.push_back(std::bit_cast<std::uint32_t>(value));
    overrides.input_arrays["input"] = input;
    const RecordedRun run = record_run(*assembled.program, one, overrides);
    ASSERT_EQ(run.error, "");

    TextOptions options;
    options.header = options.cycles = options.pictures = false;
    const std::string drawn = render_text(run.trace, options);
    const Lines actual = tokens_of(drawn), expected = tokens_of(GetParam().draw(s));
    const std::size_t length = std::min(actual.size(), expected.size());
    const auto differ =
        std::mismatch(actual.begin(), actual.begin() + static_cast<std::ptrdiff_t>(length), expected.begin());
    const std::size_t k = static_cast<std::size_t>(differ.first - actual.begin());
    ASSERT_TRUE(k == length && actual.size() == expected.size())
        << "token " << k << " is \"" << (k < actual.size() ? actual[k] : "(the end)") << "\", the reference says \""
        << (k < expected.size() ? expected[k] : "(the end)") << "\" in\n"
        << drawn;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ten, DiagramProperty,
    ::testing::Values(Puzzle{"p25/neighbor_difference", neighbor_difference},
                      Puzzle{"p25/moving_average_3", moving_average}, Puzzle{"p25/basic_broadcast", basic_broadcast},
                      Puzzle{"p25/conditional_broadcast", conditional_broadcast},
                      Puzzle{"p25/broadcast_shuffle_coordination", coordination},
                      Puzzle{"p26/butterfly_pair_swap", pair_swap}, Puzzle{"p26/butterfly_parallel_max", parallel_max},
                      Puzzle{"p26/butterfly_conditional_max", conditional_max},
                      Puzzle{"p26/warp_inclusive_prefix_sum", prefix_sum}, Puzzle{"p26/warp_partition", partition}),
    [](const auto& puzzle) { return puzzle.param.name.substr(puzzle.param.name.find('/') + 1); });

}  // namespace diagram_property_test
}  // namespace warpsim::testing
