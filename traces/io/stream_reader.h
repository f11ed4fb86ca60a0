// JSON text → the records of a trace, one after another: of NDJSON one line is held at a time, so a trace of any length
// is read in bounded memory.
//
// Shapes: feed() takes the text in pieces of any size, cut anywhere; the consumer gets the head, each event and the
//         outcome as soon as each is whole and checked. A text that is one document is gathered, and handed on by
//         finish().
// Units:  bytes.
// Errors: the first fault is kept, with the text of its line, and later text is ignored: those of reader.h, and J009
//         NDJSON without its outcome, J012 a record after the outcome, J014 a record or a document that is too large.
// Source: traces/FORMAT.md.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "traces/io/json_values.h"
#include "traces/model/trace.h"

namespace warpsim {

class StreamReader {
 public:
  explicit StreamReader(TraceConsumer consumer, std::size_t max_record_bytes = std::size_t{1} << 30);
  // Called at each fault; true continues with the next event, where that is possible: not after a fault of the head,
  // and not in a document that is no JSON. error() then is the last one.
  void on_fault(std::function<bool(const JsonError&)> handler);
  ~StreamReader();
  StreamReader(const StreamReader&) = delete;
  StreamReader& operator=(const StreamReader&) = delete;

  bool feed(std::string_view text);  // false after a fault
  bool finish();                     // the text has ended
  const std::optional<JsonError>& error() const;
  // The text in which error() is: the whole document, or of NDJSON the one line, after as many empty ones as stand
  // before it.
  std::string error_text() const;
  bool is_ndjson() const;  // known once the consumer has the head

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpsim
