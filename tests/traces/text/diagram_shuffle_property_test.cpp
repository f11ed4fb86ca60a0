// No diagram of shuffle/ is a string: for random values, operands, lane counts and numbers of living lanes each is
// built a second time here, from plain loops that know neither the machine nor the templates, and compared token by
// token.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/program_run.h"
#include "traces/text/text_renderer.h"

namespace warpsim::testing {
namespace diagram_shuffle_property_test {

using Lines = std::vector<std::string>;

struct Scene {
  std::size_t lanes = 8, n = 8;  // n living lanes
  std::vector<std::uint64_t> in, sources;
  std::uint64_t operand = 0, masks = 1;
  std::size_t low_bits() const { return operand % (lanes == 64 ? 64 : 32); }
};

std::string num(std::uint64_t n) { return std::to_string(n); }
std::string difference(std::size_t a, std::size_t b) { return a < b ? "-" + num(b - a) : num(a - b); }

// A, B … Z, AA, AB …: counted up one by one.
std::string letters(std::uint64_t n) {
  static Lines known = {"A"};
  while (known.size() <= n) {
    std::string next = known.back();
    std::size_t at = next.size();
    while (at > 0 && next[at - 1] == 'Z') next[--at] = 'A';
    if (at == 0) next = "A" + next;
    else ++next[at - 1];
    known.push_back(next);
  }
  return known[n];
}
std::string box(std::uint64_t value) { return "[" + letters(value) + "]"; }

std::string binary(std::size_t n) {
  std::string text;
  for (; n > 0 || text.size() < 4; n /= 2) text.insert(0, n % 2 == 0 ? "0" : "1");
  return text;
}

// 13 items at most: the first ones and the last `tail`.
std::string elided(const Lines& items, const std::string& end, std::size_t tail) {
  std::string text;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (items.size() <= 13 || k < 13 - tail || k + tail >= items.size()) text += items[k] + end;
    else if (k == 13 - tail) text += "..." + end;
  }
  return text;
}
std::string per_lane(const Scene& s, const std::string& end, std::size_t tail,
                     const std::function<std::string(std::size_t)>& item) {
  Lines items;
  for (std::size_t lane = 0; lane < s.n; ++lane) items.push_back(item(lane));
  return elided(items, end, tail);
}
std::string before(const Scene& s, std::size_t tail = 1) {
  return "Threads: " + per_lane(s, " ", tail, num) +
         "\nValues: " + per_lane(s, " ", tail, [&](std::size_t lane) { return box(s.in[lane]); }) + "\n";
}
std::string results(const Scene& s, const Lines& boxes, std::size_t tail = 1) {
  return "Results: " + per_lane(s, " ", tail, [&](std::size_t lane) { return boxes[lane]; }) + "\n";
}

std::string idx_broadcast(const Scene& s) {
  const std::size_t from = s.low_bits() % s.lanes;
  return before(s) + "After __shfl_sync(mask, var, " + num(s.operand) + "):\nAll threads get value from thread " +
         num(from) + "\n" + results(s, Lines(s.n, box(s.in[from])));
}

std::string idx_gather(const Scene& s) {
  Lines boxes;
  for (std::size_t lane = 0; lane < s.n; ++lane) boxes.push_back(box(s.in[s.sources[lane] % s.lanes]));
  return "Before:\n" + before(s) +
         "Sources: " + per_lane(s, " ", 1, [&](std::size_t lane) { return num(s.sources[lane]); }) +
         "\nAfter __shfl_sync(mask, var, source):\n" +
         per_lane(s, "\n", 1,
                  [&](std::size_t lane) {
                    return "Thread " + num(lane) + ": asks for lane " + num(s.sources[lane]) + " → gets " +
                           boxes[lane] + " of thread " + num(s.sources[lane] % s.lanes);
                  }) +
         results(s, boxes);
}

std::string up(const Scene& s) {
  const std::size_t d = s.low_bits();
  Lines boxes;
  for (std::size_t lane = 0; lane < s.n; ++lane) boxes.push_back(box(s.in[lane < d ? lane : lane - d]));
  return "Before:\n" + before(s) + "After __shfl_up_sync(mask, var, " + num(s.operand) + "):\nEach thread reads from " +
         num(d) + " positions above\n" +
         per_lane(s, "\n", 1,
                  [&](std::size_t lane) {
                    return "Thread " + num(lane) + ": myLane(" + num(lane) + ") - " + num(d) + " = " +
                           difference(lane, d) + (lane < d ? " (invalid) → keeps " : " → gets ") + boxes[lane];
                  }) +
         results(s, boxes);
}

std::string down(const Scene& s) {
  const std::size_t d = s.low_bits();
  Lines boxes;
  for (std::size_t lane = 0; lane < s.n; ++lane) {
    const bool past = lane + d >= s.lanes, there = lane + d < s.n;
    boxes.push_back(past ? box(s.in[lane]) : there ? box(s.in[lane + d]) : "[?]");
  }
  return "Before:\n" + before(s, 2) + "After __shfl_down_sync(mask, var, " + num(s.operand) +
         "):\nEach thread reads from " + num(d) + " positions below\n" +
         per_lane(s, "\n", 2,
                  [&](std::size_t lane) {
                    const std::size_t from = lane + d;
                    return "Thread " + num(lane) + ": myLane(" + num(lane) + ") + " + num(d) + " = " + num(from) +
                           (from >= s.lanes ? " (invalid) → keeps "
                            : from >= s.n   ? " (invalid) → undefined "
                                            : " → gets ") +
                           boxes[lane];
                  }) +
         results(s, boxes, 2);
}

bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

std::string bfly_masks(const Scene& s) {
  std::string text;
  for (std::uint64_t mask = s.operand; mask < s.operand + s.masks; ++mask) {
    const std::size_t m = mask % (s.lanes == 64 ? 64 : 32);
    Lines boxes;
    std::size_t exchanged = 0;
    for (std::size_t lane = 0; lane < s.n; ++lane) {
      const bool there = (lane ^ m) < s.n;
      boxes.push_back(box(s.in[there ? lane ^ m : lane]));
      exchanged += there ? 1 : 0;
    }
    text += "Before:\n" + before(s) + "After __shfl_xor_sync(mask, var, " + num(mask) + "):\n";
    if (m == 1) text += "Each thread XORs with 1 to find partner\n";
    text += per_lane(s, "\n", 1, [&](std::size_t lane) {
      return "Thread " + num(lane) + ": " + num(lane) + " XOR " + num(m) + " = " + num(lane ^ m) +
             ((lane ^ m) < s.n ? " → gets " : " (invalid) → keeps ") + boxes[lane];
    });
    text += results(s, boxes);
    if (exchanged < s.n) continue;
    if (m == 1) text += "Pattern: Neighbors swap with each other!\n";
    if (m != mask || m < 2) continue;
    if (is_power_of_two(m)) text += "Pattern: Pairs " + num(m) + " positions apart swap!\n";
    if (is_power_of_two(m + 1)) text += "Pattern: Groups of " + num(m + 1) + " turn around!\n";
  }
  return text;
}

std::string network(const Scene& s) {
  std::string text = "Using powers of 2 creates butterfly pattern:\n";
  for (std::uint64_t mask = s.operand; mask < s.operand + s.masks; ++mask) {
    if (!is_power_of_two(mask) || mask >= s.lanes) continue;
    std::string pairs;
    std::size_t number = 0;
    for (std::size_t lane = 0; lane < s.lanes && number < 4; ++lane) {
      if ((lane & mask) != 0) continue;
      ++number;
      if ((lane ^ mask) < s.n) pairs += (pairs.empty() ? "" : ", ") + num(lane) + "↔" + num(lane ^ mask);
    }
    if (!pairs.empty()) text += "laneMask = " + num(mask) + ": " + pairs + " (distance " + num(mask) + ")\n";
  }
  return text + "This creates a logarithmic communication pattern!\n";
}

std::string symmetry(const Scene& s) {
  const std::size_t m = s.low_bits();
  std::string text = "XOR Truth Table:\n";
  for (std::size_t lane = 0; lane < std::min<std::size_t>(s.n, 4); ++lane) {
    const bool a = lane >= 2, b = lane % 2 == 1;
    text += std::string(a ? "1" : "0") + " XOR " + (b ? "1" : "0") + " = " + (a != b ? "1" : "0") + "\n";
  }
  text += "Examples:\n";
  for (const std::size_t lane : {0U, 1U, 5U}) {
    if (lane >= s.n || (lane ^ m) >= s.n) continue;
    text += "Thread " + num(lane) + " (binary: " + binary(lane) + ") XOR " + num(m) + " (" + binary(m) + ") = Thread " +
            num(lane ^ m) + " (" + binary(lane ^ m) + ")\n";
  }
  return text + "Notice: XOR is symmetric!\nIf A XOR mask = B, then B XOR mask = A\n";
}

struct Diagram {
  std::string name, program, picture, operand;
  std::string (*draw)(const Scene&);
};
std::ostream& operator<<(std::ostream& out, const Diagram& diagram) { return out << diagram.name; }

Lines tokens_of(const std::string& text) {
  std::istringstream stream(text);
  Lines tokens;
  for (std::string token; stream >> token;) tokens.push_back(token);
  return tokens;
}

class ShuffleDiagram : public ::testing::TestWithParam<Diagram> {};

TEST_P(ShuffleDiagram, EveryNumberIsTheRuns) {
  const Diagram& diagram = GetParam();
  const Assembled assembled = assemble_program("shuffle/" + diagram.program);
  ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
  Case one = *assembled.lesson()->find_case("test");
  std::erase_if(one.fields, [](const CaseField& field) { return field.key.starts_with("expect"); });
  std::mt19937 random(20240607);
  for (int round = 0; round < 80; ++round) {
    Scene s;
    s.lanes = std::size_t{1} << random() % 7;
    s.n = random() % 3 == 0 ? 1 + random() % s.lanes : s.lanes;
    for (std::size_t k = 0; k < s.n; ++k) s.in.push_back(random() % 1000);
    for (std::size_t k = 0; k < s.n; ++k) s.sources.push_back(random() % s.n + s.lanes * (random() % 3));
    s.operand = random() % 70;
    if (diagram.program == "idx_broadcast") s.operand = s.sources[0];
    if (diagram.program == "bfly_masks") s.masks = diagram.picture.empty() ? 1 + random() % 3 : 3 + random() % 64;
    CaseOverrides overrides;
    overrides.lanes = static_cast<unsigned>(s.lanes);
    overrides.grid = Dim3{1, 1, 1};
    overrides.params["size"] = num(s.n);
    if (!diagram.operand.empty()) overrides.params[diagram.operand] = num(s.operand);
    if (diagram.program == "bfly_masks") overrides.params["masks"] = num(s.masks);
    overrides.input_arrays["input"] = Array{Type::U32, s.in};
    if (diagram.program == "idx_gather") overrides.input_arrays["source"] = Array{Type::U32, s.sources};
    SCOPED_TRACE("round " + num(static_cast<std::uint64_t>(round)) + ": " + num(s.n) + " of " + num(s.lanes) +
                 " lanes, operand " + num(s.operand));
    const RecordedRun run = record_run(*assembled.lesson(), one, overrides);
    ASSERT_EQ(run.error, "");
    TextOptions options;
    options.header = options.cycles = options.pictures = false;
    options.steps = diagram.picture.empty();
    options.picture = diagram.picture;
    const std::string drawn = render_text(run.trace, options);
    ASSERT_EQ(tokens_of(drawn), tokens_of(diagram.draw(s))) << drawn;
  }
}

INSTANTIATE_TEST_SUITE_P(Guide, ShuffleDiagram,
                         ::testing::Values(Diagram{"idx_broadcast", "idx_broadcast", "", "src", idx_broadcast},
                                           Diagram{"idx_gather", "idx_gather", "", "", idx_gather},
                                           Diagram{"up", "up", "", "delta", up},
                                           Diagram{"down", "down", "", "delta", down},
                                           Diagram{"bfly_masks", "bfly_masks", "", "first", bfly_masks},
                                           Diagram{"network", "bfly_masks", "network", "first", network},
                                           Diagram{"symmetry", "xor_twice", "symmetry", "lane_mask", symmetry}),
                         [](const auto& diagram) { return diagram.param.name; });

}  // namespace diagram_shuffle_property_test
}  // namespace warpsim::testing
