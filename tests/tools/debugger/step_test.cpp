// `warpsim step`: scripts, people at a terminal, and every program forwards and backwards.
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/every_program.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace {

struct Ran {
  std::string out;
  int code = -1;
};

// With `input` on standard input; standard error comes with the output.
Ran step(const std::string& words, const std::string& input = "") {
  const std::string file = ::testing::TempDir() + "step_" + std::to_string(::getpid()) + ".txt";
  std::ofstream(file) << input;
  const std::string command = std::string(WARPSIM_BINARY) + " step " + words + " 2>&1 <" + file;
  Ran ran;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 65536> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) ran.out.append(buffer.data(), got);
  ran.code = WEXITSTATUS(::pclose(pipe));
  std::remove(file.c_str());
  return ran;
}

const std::string kButterfly = "p26/butterfly_parallel_max --lanes 8 --case worked";

// Data has no columns: a sentence wider than 80 stays one line. What was typed is repeated up to a limit.
TEST(Step, JsonIsNotWrappedAndEchoesAreCut) {
  const Ran ran = step("p26/butterfly_parallel_max --lanes 8 --json --cmd shuffle");
  const nlohmann::json answer = nlohmann::json::parse(ran.out.substr(0, ran.out.find('\n')));
  const std::string text = answer["text"], sentence = answer["sentence"];
  EXPECT_EQ(text.substr(0, text.find('\n')), sentence);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
  for (const char* form : {"", " --json"}) {
    const Ran wrong = step(kButterfly + form, std::string(100'000, 'z') + "\n");
    EXPECT_EQ(wrong.code, 2);
    EXPECT_LT(wrong.out.size(), 2000U);
  }
}

TEST(Step, BreakpointsAndBack) {
  const Ran ran = step(kButterfly + " --cmd 'break 30; continue; print %max_val#3; step; print %other; rcontinue'");
  EXPECT_EQ(ran.out,
            "Breakpoint 1 at line 33.\n"
            "Breakpoint 1, line 33\n"
            "Cycle 8: mov(WARP_SZ / 2): every active lane gets offset = 4; 8 lanes active\n"
            "33\tshfl.bfly.b32 %other|%there, %max_val, %offset, %last_lane\n"
            "%max_val#3 = 6\n"
            "Cycle 9: shuffle_xor(max_val, 4): lane 0 receives 8 from lane 4; 8 lanes active\n"
            "34\t@%there max.f32 %max_val, %max_val, %other\n"
            "%other\n"
            "  #0 8     #1 10    #2 12    #3 1000  #4 0     #5 2     #6 4     #7 6\n"
            "Breakpoint 1, line 33\n"
            "Cycle 8: mov(WARP_SZ / 2): every active lane gets offset = 4; 8 lanes active\n"
            "33\tshfl.bfly.b32 %other|%there, %max_val, %offset, %last_lane\n");
  EXPECT_EQ(ran.code, 0);
}

// 000: after Step 1 lane 0 holds 8, after Step 2 it holds 12, after Step 3 it holds 1000.
TEST(Step, ConditionsAndWatchpoints) {
  EXPECT_EQ(step(kButterfly + " --cmd 'b 33 if %max_val#0 == 12; c; p %max_val#0; p %offset#0'").out,
            "Breakpoint 1 at line 33.\n"
            "Breakpoint 1, line 33 if %max_val#0 == 12\n"
            "Cycle 18: all 8 lanes go to line 33; 8 lanes active\n"
            "33\tshfl.bfly.b32 %other|%there, %max_val, %offset, %last_lane\n"
            "%max_val#0 = 12\n"
            "%offset#0 = 1\n");
  EXPECT_NE(step(kButterfly + " --cmd 'b 33 if all(%max_val > 5000); c'").out.find("The run has ended."),
            std::string::npos);
  const Ran watched = step(kButterfly + " --ascii --cmd 'goto 7; watch %max_val#0; c; c; c; rc'");
  for (const char* change : {"#0: 0 -> 8\n", "#0: 8 -> 12\n", "#0: 12 -> 1000\n", "#0: 1000 -> 12\n"})
    EXPECT_NE(watched.out.find(std::string("Watchpoint 1: %max_val") + change), std::string::npos) << watched.out;
}

TEST(Step, WhyGoesBackToTheInputs) {
  EXPECT_EQ(step(kButterfly + " --cmd 'goto 10; why %max_val#1'")
                .out.substr(step(kButterfly + " --cmd 'goto 10'").out.size()),
            "%max_val#1 = 10   cycle 10, max(max_val, other)\n"
            "  %max_val#1 = 2   cycle 7, ld.global(input[gtid])\n"
            "    input[1], an input\n"
            "  %other#1 = 10   cycle 9, shuffle_xor(max_val, 4)\n"
            "    %max_val#5 = 10   cycle 7, ld.global(input[gtid])\n"
            "      input[5], an input\n"
            "Inputs that reached it: 1, 5\n");
  const Ran json = step(kButterfly + " --json --cmd 'goto 25; why %max_val#1'");
  const nlohmann::json why =
      nlohmann::json::parse(json.out.substr(json.out.find('\n') + 1, json.out.find("\n{\"ok") - json.out.find('\n')));
  ASSERT_EQ(why["contributions"].size(), 8U);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(why["contributions"][k]["index"], k);
  EXPECT_EQ(why["slice"][0]["lane"], 1);
}

TEST(Step, Network) {
  EXPECT_NE(step(kButterfly + " --cmd 'goto 9; network'")
                .out.find("Cycle 9: shuffle_xor(max_val, 4)\n"
                          "  4 → 0: 8     5 → 1: 10    6 → 2: 12    7 → 3: 1000  0 → 4: 0     1 → 5: 2\n"
                          "  2 → 6: 4     3 → 7: 6\n"),
            std::string::npos);
}

TEST(Step, ScriptsStopAtTheFirstMistake) {
  const Ran unknown = step(kButterfly, "# a remark\nstep 2\n\nstpe\nstep\n");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.out.find("line 4, \"stpe\": Undefined command: \"stpe\". Did you mean \"step\"?"),
            std::string::npos)
      << unknown.out;
  EXPECT_EQ(unknown.out.find("Cycle 3"), std::string::npos);
  EXPECT_EQ(step(kButterfly + " --cmd 'print %max_vol'").code, 2);
  EXPECT_NE(step(kButterfly + " --cmd 'print %max_vol'").out.find("Did you mean \"%max_val\"?"), std::string::npos);
  EXPECT_NE(step(kButterfly + " --cmd 'print %max_val#8'").out.find("a lane, from 0 to 7"), std::string::npos);
  EXPECT_NE(step(kButterfly + " --cmd re")
                .out.find("Ambiguous command \"re\": rstep, rstepi, rnext, rfinish, rcontinue, rshuffle."),
            std::string::npos);
  EXPECT_NE(step(kButterfly + " --cmd ste").out.find("Ambiguous command"), std::string::npos);
  EXPECT_EQ(step(kButterfly, "step").code, 0);
  EXPECT_EQ(step(kButterfly, "quit\nstpe\n").code, 0);
}

TEST(Step, AScriptThatComesToATrapEndsWith4) {
  const std::string file = ::testing::TempDir() + "trap_" + std::to_string(::getpid()) + ".warp";
  std::ofstream(file) << ".kernel t (in input: u32[4])\n        mov.u32 %a, 1\n        ld.global.u32 %v, input[99]\n"
                         "        exit\n.case test\n    input = i\n";
  EXPECT_EQ(step(file + " --lanes 4 --cmd step").code, 0);
  const Ran trapped = step(file + " --lanes 4 --cmd continue");
  EXPECT_EQ(trapped.code, 4);
  EXPECT_NE(trapped.out.find("The run has trapped: WS0601 out-of-bounds"), std::string::npos) << trapped.out;
  EXPECT_EQ(step(file + " --lanes 4 --cmd 'continue; rstep'").code, 4);  // it came there
  EXPECT_EQ(step(file + " --lanes 4 --cmd 'continue; quit'").code, 4);
  EXPECT_EQ(step(file + " --lanes 4 --cmd 'continue; stpe'").code, 2);
  std::remove(file.c_str());
}

// Every program's lanes, masks and registers at each event are the same stepping forwards and backwards.
TEST(Step, AllProgramsForwardsAndBackwards) {
  const std::vector<std::string> names = testing::all_program_names();
  for (std::size_t n = 0; n < names.size(); n += testing::kSanitized ? 6 : 1) {
    const std::string& name = names[n];
    SCOPED_TRACE(name);
    const Assembled assembled = testing::assemble_program(name);
    const Case& one = assembled.lesson()->cases.at(0);
    const unsigned lanes = testing::about_8_lanes(*assembled.lesson(), one);
    const Trace trace = testing::program_trace(name, one.name, lanes);
    const std::size_t events = trace.events.size();
    const std::string look = "block 0\nlanes\ninfo registers\nmasks\n";
    std::string script = look;
    for (std::size_t k = 0; k < events; ++k) script += "stepi\n" + look;
    for (std::size_t k = 0; k < events; ++k) script += "rstepi\n" + look;
    const Ran ran = step(name + " --json --case " + one.name + " --lanes " + std::to_string(lanes), script);
    ASSERT_EQ(ran.code, 0);
    std::vector<std::string> seen(2 * events + 1);
    std::size_t moment = 0;
    for (std::size_t at = 0; at < ran.out.size();) {
      const std::size_t end = ran.out.find('\n', at);
      const nlohmann::json answer = nlohmann::json::parse(ran.out.substr(at, end - at));
      at = end + 1;
      const std::string command = answer.value("command", "");
      if (command == "stepi" || command == "rstepi") ++moment;
      if (command == "lanes" || command == "masks" || command == "info registers")
        seen.at(moment) += answer["text"].get<std::string>();
    }
    ASSERT_EQ(moment, 2 * events);
    EXPECT_NE(seen.front(), seen.at(events));
    for (std::size_t k = 0; k < events; ++k) ASSERT_EQ(seen.at(k), seen.at(2 * events - k)) << "event " << k;
  }
}

// A person: a terminal of 80 columns.
class Person {
 public:
  explicit Person(const std::vector<std::string>& words) {
    child_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (child_ != 0) return;
    ::setenv("TERM", "dumb", 1);
    std::vector<char*> arguments = {const_cast<char*>(WARPSIM_BINARY), const_cast<char*>("step")};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(WARPSIM_BINARY, arguments.data());
    ::_exit(127);
  }
  ~Person() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    ::close(terminal_);
  }

  void type(const std::string& keys) {
    ASSERT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  // What has come on the screen since the last time, up to and with `text`.
  std::string until(const std::string& text) {
    while (screen_.find(text) == std::string::npos) {
      std::array<char, 4096> buffer{};
      pollfd wanted{terminal_, POLLIN, 0};
      const bool came =
          ::poll(&wanted, 1, 60'000) == 1;  // not a measure: a stepper that hangs fails and is not waited for
      const ssize_t got = came ? ::read(terminal_, buffer.data(), buffer.size()) : 0;
      if (got <= 0) {
        ADD_FAILURE() << "waited for " << text << ", saw " << screen_;
        return screen_;
      }
      screen_.append(buffer.data(), static_cast<std::size_t>(got));
    }
    const std::size_t end = screen_.find(text) + text.size();
    std::string seen = screen_.substr(0, end);
    screen_.erase(0, end);
    return seen;
  }
  int leave() {
    while (read_more()) {
    }
    int status = 0;
    if (::waitpid(child_, &status, hangs_ ? WNOHANG : 0) != child_) {
      ADD_FAILURE() << "it did not end, saw " << screen_;
      return -1;
    }
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  bool read_more() {
    pollfd wanted{terminal_, POLLIN, 0};
    hangs_ = ::poll(&wanted, 1, 60'000) != 1;  // no measure: what says nothing for a minute says nothing any more
    std::array<char, 4096> buffer{};
    const ssize_t got = hangs_ ? 0 : ::read(terminal_, buffer.data(), buffer.size());
    if (got > 0) screen_.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  int terminal_ = -1;
  pid_t child_ = -1;
  bool hangs_ = false;
  std::string screen_;
};

TEST(Step, AtATerminal) {
  Person person({"p26/butterfly_parallel_max", "--lanes", "8", "--case", "worked"});
  person.until("(warpsim) ");
  person.type("step\r");
  person.until("Cycle 1: ");
  person.until("(warpsim) ");
  person.type("\r");  // Enter repeats
  person.until("Cycle 2: ");
  person.until("(warpsim) ");
  person.type("rs\r");
  person.until("Cycle 1: ");
  person.until("(warpsim) ");
  person.type("fop\r");  // a person may try again
  person.until("Undefined command: \"fop\".");
  person.until("(warpsim) ");
  person.type("gibberish\x03");  // Ctrl-C
  person.until("Quit");
  person.until("(warpsim) ");
  person.type("break 37\r");
  person.until("Breakpoint 1 at line 37.");
  person.until("(warpsim) ");
  person.type("commands\r");
  person.until("closes the list.");
  person.until("> ");  // what is typed is kept, not run
  person.type("print sum(%offset)\r");
  person.until("> ");
  person.type("end\r");
  person.until("(warpsim) ");
  person.type("continue\r");
  person.until("sum(%offset) = 16");
  person.until("(warpsim) ");
  person.type("goto 9\r");
  person.until("Cycle 9: shuffle_xor(max_val, 4)");
  person.until("(warpsim) ");
#ifdef WARPSIM_EDITS_LINES
  person.type("wh\t\t");
  person.until("where");
  person.until("why");
  person.type("y %max_v\t#1\r");
#else
  person.type("why %max_val#1\r");
#endif
  person.until("Inputs that reached it: 1");
  person.until("(warpsim) ");
  person.type("\x04");  // Ctrl-D
  EXPECT_EQ(person.leave(), 0);
}

}  // namespace
}  // namespace warpsim
