// What warpsim says about a program or a run, as data: which message, and what stands in it.
//
// Shapes: a tree. A row of messages.def has a part for each of its {0}, {1} …; a part is a message in its turn. A Text
//         has no parts: a name, a number, code, or what a file brought. Sentences are joined by "; ".
// Units:  none.
// Errors: a message without as many parts as its row has is our own bug.
// Source: isa/text/messages.def has the words, messages_cuda.def those of CUDA; Korean is made by
// traces/words/fault_text.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpsim {

enum class MessageId : std::uint16_t {
  Text,
  Sentences,
#define MESSAGE(Name, english, korean) Name,
#include "isa/text/messages.def"
#undef MESSAGE
};

struct Message {
  MessageId id = MessageId::Text;
  std::string text;  // of a Text
  std::vector<Message> parts;

  Message() = default;
  Message(std::string words) : text(std::move(words)) {}
  Message(std::string_view words) : text(words) {}
  Message(const char* words) : text(words) {}
  template <class N, std::enable_if_t<std::is_integral_v<N>, int> = 0>
  Message(N number) : text(std::to_string(number)) {}
  Message(MessageId row, std::vector<Message> of = {}) : id(row), parts(std::move(of)) {}

  bool empty() const { return id == MessageId::Text && text.empty(); }
};

// One more sentence behind those that it has.
void add_sentence(Message& message, Message next);

std::string english(const Message& message);
// The same for those who wrote CUDA C++.
std::string in_cuda(const Message& message);

struct MessageRow {
  MessageId id;
  std::string_view english, korean;
  std::string_view cuda = english;  // in CUDA's words: isa/text/messages_cuda.def
};
std::span<const MessageRow> all_messages();   // in the table's order
const MessageRow& message_row(MessageId id);  // neither of Text nor of Sentences

inline constexpr std::string_view kBetweenSentences = "; ";

// Writes a pattern; `put(out, inside)` writes what stands for {inside}.
template <class Put>
void fill_pattern(std::string& out, std::string_view pattern, Put&& put) {
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    const std::size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
    if (close == std::string_view::npos) break;
    out += pattern.substr(0, open);
    put(out, pattern.substr(open + 1, close - open - 1));
    pattern.remove_prefix(close + 1);
  }
  out += pattern;
}

// Appends a message in one language: `words` is its column. What is in braces and no part's number is a marker, which
// `mark` appends; a column without markers needs none.
using AppendMarker = void (*)(std::string& out, std::string_view marker);
void append_message(std::string& out, const Message& message, std::string_view MessageRow::*words,
                    AppendMarker mark = nullptr);

}  // namespace warpsim
