// Messages about bad input: where, what, what was expected, what to try.
//
// Shapes: a Diagnostic is one message; render() draws it as compilers do: `file:line:col: error[A012]: …`, the line,
//         a caret.
// Units:  line and column from 1, columns in bytes; the caret is placed by displayed width (UTF-8).
// Errors: this is the error type for bad input. Codes are stable: A… assembler, V… verifier, C… cases, P… PTX, J… JSON,
// L…
//         launch, S… suppressions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/text/source.h"

namespace warpsim {

// A change of the text after which this is right. Each of several is one for itself.
struct Fix {
  SourceRange where;  // what goes; length 0: nothing does, the text comes before it
  std::string text;
  bool operator==(const Fix&) const = default;
};

// What to try, in words, and as changes of the text where it is sure what they are. A fix stands in the words, too.
struct Hint {
  Hint(const char* words) : text(words) {}
  Hint(std::string words, std::vector<Fix> changes = {}) : text(std::move(words)), fixes(std::move(changes)) {}
  std::string text;
  std::vector<Fix> fixes;
};
// "did you mean WORD?", and WORD in the place of what is there; nothing if WORD is "".
Hint did_you_mean(SourceRange where, const std::string& word);
Hint write_instead(SourceRange where, const std::string& words);  // "write WORDS"
Hint leave_out(SourceRange where);                                // "leave it out"

struct Diagnostic {
  enum class Severity : std::uint8_t { Error, Warning, Note };
  Severity severity = Severity::Error;
  std::string code;     // "A012"
  std::string message;  // one sentence, no full stop
  std::string hint;     // what to try; may be ""
  SourceRange where;
  std::vector<Fix> fixes = {};
};

struct Diagnostics {
  std::string file;
  SharedText text;                 // the whole source, for drawing lines
  std::vector<SourceFile> others;  // of places whose `file` is 1, 2 …
  std::vector<Diagnostic> list;

  void error(std::string code, SourceRange where, std::string message, Hint hint = "");
  void warning(std::string code, SourceRange where, std::string message, Hint hint = "");
  const std::string& file_of(const SourceRange& where) const;
  const std::string& text_of(const SourceRange& where) const;
  bool has_errors() const;
  // Errors, and all of them about what PTX has and warpsim has not.
  bool is_only_unsupported() const;
  std::string render() const;  // all, in order of place
  std::string render(const Diagnostic& one) const;
};

// The candidate nearest to `word` by edit distance, or "" if none is near: for "did you mean".
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// `word` as messages quote it: shortened, and in printable ASCII whatever it holds.
std::string quoted(std::string_view word);

}  // namespace warpsim
