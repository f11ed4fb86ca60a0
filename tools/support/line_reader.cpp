// Reading lines; see line_reader.h.
#include "tools/support/line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#ifdef WARPSIM_LIBEDIT
#include <editline/readline.h>
#endif

namespace warpsim::tools {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

int input = STDIN_FILENO;

// Reads what is there, at least one byte; waits for it. 0: the end of the input, -1: Ctrl-C, also one that came before
// the wait. SIGINT is blocked everywhere else and the input does not block: one between the prompt and the wait would
// be noted by nobody, and one between the wait and the read takes the bytes away that the read was to have.
ssize_t read_some(char* buffer, std::size_t size) {
  sigset_t none;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &none);
  sigdelset(&none, SIGINT);
  pollfd wanted{input, POLLIN, 0};
  while (interrupted == 0) {
    if (::ppoll(&wanted, 1, nullptr, &none) < 0 && errno == EINTR) continue;
    const ssize_t got = ::read(input, buffer, size);
    if (got >= 0) return got;
    if (errno != EAGAIN && errno != EINTR) return 0;
  }
  interrupted = 0;
  return -1;
}

void block_interrupt(int how) {
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  ::pthread_sigmask(how, &interrupt, nullptr);
}

#ifdef WARPSIM_LIBEDIT
LineReader::Completion completion_of;
char kBreaks[] = " \t(),[]";  // between words, for libedit

// libedit asks for the words one by one, and frees them. What it takes for a word may begin elsewhere than ours.
char* next_word(const char*, int asked_before) {
  static std::vector<std::string> words;
  if (asked_before == 0) {
    const std::size_t end = static_cast<std::size_t>(rl_point);
    std::size_t from = 0, theirs = end;
    while (theirs > 0 && std::strchr(kBreaks, rl_line_buffer[theirs - 1]) == nullptr) --theirs;
    words = completion_of(std::string_view(rl_line_buffer, end), from);
    rl_completion_append_character = from == 0 ? ' ' : '\0';  // behind a command; behind a name may come # or [
    for (std::string& word : words) {
      if (from < theirs) word.erase(0, theirs - from);
      else word.insert(0, rl_line_buffer + theirs, from - theirs);
    }
    std::reverse(words.begin(), words.end());
  }
  if (words.empty()) return nullptr;
  char* word = ::strdup(words.back().c_str());
  words.pop_back();
  return word;
}

char** fitting_words(const char* text, int, int) {
  rl_attempted_completion_over = 1;  // no names of files
  return completion_of ? ::rl_completion_matches(text, next_word) : nullptr;
}

bool given_up = false;  // the line that is being edited, by Ctrl-C

// A character; libedit takes it as it comes, so UTF-8 is put together here.
int next_key(FILE*) {
  char key = 0;
  const ssize_t got = read_some(&key, 1);
  if (got < 0) given_up = true;
  if (got != 1) return EOF;
  const unsigned first = static_cast<unsigned char>(key);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
  unsigned character = more == 0 ? first : first & (0x3FU >> more);
  for (int k = 0; k < more && read_some(&key, 1) == 1; ++k)
    character = character << 6 | (static_cast<unsigned char>(key) & 0x3FU);
  return static_cast<int>(character);
}
#endif

}  // namespace

LineReader::LineReader() : terminal_(::isatty(STDIN_FILENO) != 0) {
  if (!terminal_) return;
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  const int own =
      ::open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);  // the shell's keeps its mode
  if (own >= 0) input = own;
  block_interrupt(SIG_BLOCK);
#ifdef WARPSIM_LIBEDIT
  rl_getc_function = next_key;
  rl_attempted_completion_function = fitting_words;
  rl_completer_word_break_characters = kBreaks;
  std::setlocale(LC_CTYPE, "C.UTF-8");  // what is typed is UTF-8, like all else here
  ::rl_initialize();
#endif
}

LineReader::~LineReader() {
  if (!terminal_) return;
  if (input != STDIN_FILENO) ::close(std::exchange(input, STDIN_FILENO));
  std::signal(SIGINT, SIG_DFL);
  block_interrupt(SIG_UNBLOCK);
}

std::optional<std::string> LineReader::read(const std::string& prompt) {
#ifdef WARPSIM_LIBEDIT
  if (terminal_ && ::isatty(STDOUT_FILENO) != 0) {
    given_up = false;
    ::rl_prep_terminal(1);  // libedit does so behind the prompt: a Ctrl-D between the two would become a NUL
    char* typed = ::readline(prompt.c_str());
    if (given_up) {
      std::free(typed);
      std::fputs("Quit\n", stdout);
      return "#";  // a remark: nothing is repeated
    }
    if (typed == nullptr) return std::nullopt;
    std::string line(typed);
    std::free(typed);
    if (!line.empty()) ::add_history(line.c_str());
    return line;
  }
#endif
  return read_plain(prompt);
}

#ifdef WARPSIM_LIBEDIT
void LineReader::set_completion(Completion completion) { completion_of = std::move(completion); }
#else
void LineReader::set_completion(Completion) {}
#endif

std::optional<std::string> LineReader::read_plain(const std::string& prompt) {
  if (terminal_) std::fputs(prompt.c_str(), stdout);
  std::fflush(stdout);
  while (pending_.find('\n') == std::string::npos) {
    std::array<char, 4096> buffer{};
    const ssize_t got = read_some(buffer.data(), buffer.size());
    if (got < 0) {
      pending_.clear();
      std::fputs("Quit\n", stdout);
      return "#";
    }
    if (got == 0) {
      if (pending_.empty()) return std::nullopt;
      std::string rest;
      rest.swap(pending_);
      return rest;
    }
    pending_.append(buffer.data(), static_cast<std::size_t>(got));
  }
  const std::size_t end = pending_.find('\n');
  std::string line = pending_.substr(0, end);
  pending_.erase(0, end + 1);
  return line;
}

}  // namespace warpsim::tools
