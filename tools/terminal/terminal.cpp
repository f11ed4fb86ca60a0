#include "tools/terminal/terminal.h"

#ifdef WARPSIM_CURSES
#include <curses.h>
#include <langinfo.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cwchar>
#include <string_view>

#include "tools/support/exit_code.h"

namespace warpsim::tools {
namespace {

constexpr int kWaitMilliseconds = 100;  // then it looks whether a signal has come
constexpr int kEscapeMilliseconds = 50;
constexpr unsigned kCrashSeconds = 2;
constexpr std::array<int, 4> kLeaving = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array<int, 5> kCrashing = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

volatile std::sig_atomic_t asked_to_leave = 0;
bool has_color = false;

// After a crash the best that can still be done is to give the screen back, if that does not hang in what has crashed.
void crash(int signal) {
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(kCrashSeconds);
  endwin();
  if (signal == SIGABRT) ::_exit(static_cast<int>(ExitCode::Internal));
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

void catch_signals() {
  asked_to_leave = 0;
  struct sigaction action = {};
  action.sa_handler = [](int signal) { asked_to_leave = signal; };
  for (const int signal : kLeaving) ::sigaction(signal, &action, nullptr);
  for (const int signal : kCrashing) std::signal(signal, crash);
}

void let_signals_go() {
  for (const int signal : kLeaving) std::signal(signal, SIG_DFL);
  for (const int signal : kCrashing) std::signal(signal, SIG_DFL);
}

// Where the locale has no hangul and no arrows, Debian's C.UTF-8 has them.
void choose_locale() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(::nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

enum Pair : short { kBarPair = 1, kHerePair, kChangedPair, kTitlePair, kArrowPair, kStopPair };

attr_t attributes(Ink ink, short& pair) {
  pair = 0;
  switch (ink) {
    case Ink::Dim: return A_DIM;
    case Ink::Bar: return A_REVERSE | A_BOLD;
    case Ink::Chosen: return A_REVERSE;
    case Ink::Here: pair = kHerePair; return A_BOLD;
    case Ink::Changed: pair = kChangedPair; return A_BOLD;
    case Ink::Title: pair = kTitlePair; return A_BOLD;
    case Ink::Arrow: pair = kArrowPair; return A_NORMAL;
    case Ink::HotArrow: pair = kChangedPair; return A_BOLD;
    case Ink::Stop: pair = kStopPair; return A_BOLD;
    default: return A_NORMAL;
  }
}

void choose_colors() {
  start_color();
  use_default_colors();
  init_pair(kHerePair, COLOR_CYAN, -1);
  init_pair(kChangedPair, COLOR_YELLOW, -1);
  init_pair(kTitlePair, COLOR_GREEN, -1);
  init_pair(kArrowPair, COLOR_BLUE, -1);
  init_pair(kStopPair, COLOR_RED, -1);
}

Key::Kind kind_of(wint_t code) {
  switch (code) {
    case KEY_LEFT: return Key::Kind::Left;
    case KEY_RIGHT: return Key::Kind::Right;
    case KEY_UP: return Key::Kind::Up;
    case KEY_DOWN: return Key::Kind::Down;
    case KEY_HOME: return Key::Kind::Home;
    case KEY_END: return Key::Kind::End;
    case KEY_PPAGE: return Key::Kind::PageUp;
    case KEY_NPAGE: return Key::Kind::PageDown;
    case KEY_ENTER: return Key::Kind::Enter;
    case KEY_BACKSPACE: return Key::Kind::Backspace;
    case KEY_DC: return Key::Kind::Delete;
    default: return Key::Kind::None;
  }
}

Key character(wint_t code) {
  switch (code) {
    case L'\n':
    case L'\r': return {Key::Kind::Enter, ""};
    case L'\t': return {Key::Kind::Tab, ""};
    case 27: return {Key::Kind::Escape, ""};
    case 8:
    case 127: return {Key::Kind::Backspace, ""};
    default: break;
  }
  if (code < 32) return {};
  std::array<char, 16> bytes{};
  std::mbstate_t state{};
  const std::size_t length = std::wcrtomb(bytes.data(), static_cast<wchar_t>(code), &state);
  if (length == static_cast<std::size_t>(-1)) return {};
  return {Key::Kind::Character, std::string(bytes.data(), length)};
}

}  // namespace

bool Terminal::is_built_in() { return true; }
int Terminal::signal() { return asked_to_leave; }

std::unique_ptr<Terminal> Terminal::open(bool color, std::string& why_not) {
  choose_locale();
  catch_signals();  // before the screen is taken: one that comes while it is being taken must give it back too
  if (newterm(nullptr, stdout, stdin) == nullptr) {
    let_signals_go();
    const char* const name = std::getenv("TERM");
    why_not = name == nullptr || *name == '\0' ? "TERM does not say what this terminal is"
                                               : "the terminal `" + std::string(name) + "` is not known here";
    return nullptr;
  }
  return std::unique_ptr<Terminal>(new Terminal(color));
}

Terminal::Terminal(bool color) {
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  set_escdelay(kEscapeMilliseconds);
  wtimeout(stdscr, kWaitMilliseconds);
  has_color = color && has_colors();
  if (has_color) choose_colors();
}

Terminal::~Terminal() {
  curs_set(1);
  endwin();
  let_signals_go();  // what came until now stands in signal(); what comes from here on ends the program by itself
}

std::size_t Terminal::width() const { return static_cast<std::size_t>(getmaxx(stdscr)); }
std::size_t Terminal::height() const { return static_cast<std::size_t>(getmaxy(stdscr)); }

void Terminal::show(const Screen& screen) {
  werase(stdscr);
  for (std::size_t y = 0; y < screen.height(); ++y)
    for (std::size_t x = 0; x < screen.width(); ++x) {
      const ScreenCell& cell = screen.at(x, y);
      if (cell.text.empty()) continue;
      short pair = 0;
      const attr_t look = attributes(cell.ink, pair);
      wattr_set(stdscr, look, has_color ? pair : 0, nullptr);
      mvwaddstr(stdscr, static_cast<int>(y), static_cast<int>(x), cell.text.c_str());
    }
  wattr_set(stdscr, A_NORMAL, 0, nullptr);
  curs_set(screen.has_cursor ? 1 : 0);
  if (screen.has_cursor) wmove(stdscr, static_cast<int>(screen.cursor_y), static_cast<int>(screen.cursor_x));
  wrefresh(stdscr);
}

Key Terminal::read() {
  for (;;) {
    if (asked_to_leave == SIGINT) {  // Ctrl-C is a key: what it leaves depends on what is being done
      asked_to_leave = 0;
      return {Key::Kind::Interrupt, ""};
    }
    if (asked_to_leave != 0) return {Key::Kind::Quit, ""};
    wint_t code = 0;
    const int got = wget_wch(stdscr, &code);
    if (got == ERR) {
      if (isatty(STDIN_FILENO) == 0) return {Key::Kind::Quit, ""};
      continue;
    }
    if (got == KEY_CODE_YES && code == KEY_RESIZE) return {};
    return got == KEY_CODE_YES ? Key{kind_of(code), ""} : character(code);
  }
}

}  // namespace warpsim::tools

#else

namespace warpsim::tools {

bool Terminal::is_built_in() { return false; }
int Terminal::signal() { return 0; }
std::unique_ptr<Terminal> Terminal::open(bool, std::string&) { return nullptr; }
Terminal::Terminal(bool) {}
Terminal::~Terminal() = default;
std::size_t Terminal::width() const { return 0; }
std::size_t Terminal::height() const { return 0; }
void Terminal::show(const Screen&) {}
Key Terminal::read() { return {Key::Kind::Quit, ""}; }

}  // namespace warpsim::tools

#endif
