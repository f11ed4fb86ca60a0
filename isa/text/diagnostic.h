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
#include <vector>

#include "isa/text/source.h"

namespace warpsim {

struct Diagnostic {
  enum class Severity : std::uint8_t { Error, Warning, Note };
  Severity severity = Severity::Error;
  std::string code;     // "A012"
  std::string message;  // one sentence, no full stop
  std::string hint;     // what to try; may be ""
  SourceRange where;
};

struct Diagnostics {
  std::string file;
  SharedText text;                 // the whole source, for drawing lines
  std::vector<SourceFile> others;  // of places whose `file` is 1, 2 …
  std::vector<Diagnostic> list;

  void error(std::string code, SourceRange where, std::string message, std::string hint = "");
  void warning(std::string code, SourceRange where, std::string message, std::string hint = "");
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
