// Where the lanes of a warp go in machine code is where they go in the interpreter, however branches and loops lie
// within each other, and whatever stands between a comparison and the branch that asks for it.
//
// Shapes: programs of nested conditions and loops, each of which other lanes leave at other times, or several at once;
// comparisons,
//         some of them guarded, and what is computed between are drawn. Lanes are independent, so that groups wait for
//         each other at many places.
// Errors: a difference prints the seed and the program.
// Source: the interpreter, which asks Divergence (sim/machine) after each branch.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/random.h"
#include "tests/support/block_runs.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace branches_test {

constexpr std::uint64_t kPrograms = testing::kSanitized ? 20 : 300;
constexpr std::uint32_t kThreads = 128, kWords = 4, kDoubles = 2;

class Program {
 public:
  explicit Program(std::uint64_t seed) : draw_(seed) {}

  std::string text() {
    std::string all =
        ".kernel k (in x: u32[], in y: u64[], out o: u32[], out p: u64[])\n"
        "  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x\n";
    for (std::uint32_t k = 0; k < kWords; ++k) all += place(k, kWords) + "  ld.global.u32 %r" + number(k) + ", x[%i]\n";
    for (std::uint32_t k = 0; k < kDoubles; ++k)
      all += place(k, kDoubles) + "  ld.global.u64 %u, y[%i]\n  mov.b64 %f" + number(k) + ", %u\n";
    for (std::uint32_t k = 0; k < 3; ++k)
      all += "  setp.lt.u32 %p" + number(k) + ", %r" + number(k) + ", %r" + number(k + 1) + "\n";
    all += body(0) + body(0);
    for (std::uint32_t k = 0; k < 3; ++k) all += "  @%p" + number(k) + " add.u32 %r" + number(k) + ", %r3, 1\n";
    for (std::uint32_t k = 0; k < kWords; ++k) all += place(k, kWords) + "  st.global.u32 o[%i], %r" + number(k) + "\n";
    for (std::uint32_t k = 0; k < kDoubles; ++k)
      all += place(k, kDoubles) + "  mov.b64 %u, %f" + number(k) + "\n  st.global.u64 p[%i], %u\n";
    return all + "  exit\n";
  }

 private:
  static std::string number(std::uint64_t n) { return std::to_string(n); }
  static std::string place(std::uint32_t k, std::uint32_t of) {
    return "  mad.lo.u32 %i, %gid, " + number(of) + ", " + number(k) + "\n";
  }
  std::string word() { return "%r" + number(draw_.next() % kWords); }
  std::string twice() { return "%f" + number(draw_.next() % kDoubles); }
  std::string predicate() { return "%p" + number(draw_.next() % 3); }

  std::string computation() {
    switch (draw_.next() % 8) {
      case 0: return "  div.u32 " + word() + ", " + word() + ", 3\n";
      case 1: return "  add.f64 " + twice() + ", " + twice() + ", " + twice() + "\n";
      case 2: return "  mul.f64 " + twice() + ", " + twice() + ", " + twice() + "\n";
      case 3: return "  @" + predicate() + " xor.b32 " + word() + ", " + word() + ", 5\n";
      case 4: return "  and.pred " + predicate() + ", " + predicate() + ", " + predicate() + "\n";
      case 5: return "  selp.u32 " + word() + ", " + word() + ", " + word() + ", " + predicate() + "\n";
      case 6: return "  rem.u32 " + word() + ", " + word() + ", 7\n";
      default: return "  add.u32 " + word() + ", " + word() + ", " + word() + "\n";
    }
  }

  // The comparison of `p`, what is computed behind it, and once in a while another one of some lanes.
  std::string comparison(const std::string& p) {
    constexpr std::array<const char*, 4> kHow{"lt", "ne", "ge", "eq"};
    const auto compare = [&] {
      return std::string("setp.") + kHow.at(draw_.next() % kHow.size()) + ".u32 " + p + ", " + word() + ", " + word() +
             "\n";
    };
    std::string all = "  and.b32 " + word() + ", " + word() + ", 3\n  " + compare();
    if (draw_.next() % 3 == 0) all += "  @" + predicate() + " " + compare();
    for (std::uint64_t left = draw_.next() % 3; left != 0; --left) all += computation();
    return all;
  }

  std::string body(std::uint32_t depth) {
    std::string all;
    for (std::uint64_t left = 1 + draw_.next() % 3; left != 0; --left) {
      const std::string label = "b" + number(labels_++), p = predicate();
      switch (depth == 0 ? draw_.next() % 4 : depth < 3 ? draw_.next() % 5 : 3 + draw_.next() % 2) {
        case 0: all += comparison(p) + "  @" + p + " bra " + label + "\n" + within(label, depth) + label + ":\n"; break;
        case 1:
          all += comparison(p) + "  @!" + p + " bra " + label + "\n" + within("e" + label, depth) + "  bra e" + label +
                 "\n" + label + ":\n" + within("e" + label, depth) + "e" + label + ":\n";
          break;
        case 2: {  // so many rounds as two bits of a word say, and one
          const std::string n = "%n" + number(depth);
          all += "  and.b32 " + n + ", " + word() + ", 3\n" + label + ":\n" + within("e" + label, depth) +
                 "  sub.u32 " + n + ", " + n + ", 1\n  setp.ge.s32 " + p + ", " + n + ", 0\n" +
                 (draw_.next() % 2 == 0 ? computation() : "") + "  setp.ge.s32 %again, " + n + ", 0\n  @%again bra " +
                 label + "\ne" + label + ":\n";
          break;
        }
        case 4:  // out of any that it is in
          all += comparison(p) + "  @" + p + " bra " + ends_.at(draw_.next() % ends_.size()) + "\n" + computation();
          break;
        default: all += computation() + computation();
      }
    }
    return all;
  }

  // What lies before this label, and may go there.
  std::string within(const std::string& end, std::uint32_t depth) {
    ends_.push_back(end);
    std::string all = body(depth + 1);
    ends_.pop_back();
    return all;
  }

  SplitMix draw_;
  std::uint32_t labels_ = 0;
  std::vector<std::string> ends_;  // of what is being written
};

TEST(BranchesOfMachineCode, GoWhereTheInterpreterGoes) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed) {
    const std::string text = Program(seed).text();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    SplitMix draw(seed + 1000);
    LaunchConfig config;
    config.block.x = kThreads / 2;
    config.grid.x = 2;
    config.schedule = kBlocksSchedule;
    config.reconvergence = seed % 4 == 0 ? Reconvergence::Stack : Reconvergence::Independent;
    config.keeps_state = false;
    Arguments arguments;
    std::vector<std::uint64_t> words, doubles;
    constexpr std::array<std::uint64_t, 4> kSome{0x3ff0000000000000, 0x7ff8000000000123, 0xbfe0000000000000, 0};
    for (std::uint32_t k = 0; k < kThreads * kWords; ++k) words.push_back(draw.next() % 16);
    for (std::uint32_t k = 0; k < kThreads * kDoubles; ++k) doubles.push_back(kSome.at(draw.next() % kSome.size()));
    arguments.buffers["x"] = {Type::U32, words};
    arguments.buffers["y"] = {Type::U64, doubles};
    arguments.buffers["o"] = {Type::U32, std::vector<std::uint64_t>(words.size())};
    arguments.buffers["p"] = {Type::U64, std::vector<std::uint64_t>(doubles.size())};
    testing::expect_engines_alike(testing::program_of(text), config, arguments);
  }
}

}  // namespace branches_test
}  // namespace warpsim
