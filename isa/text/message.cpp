#include "isa/text/message.h"

#include <array>
#include <iterator>

#include "isa/text/check.h"

namespace warpsim {
namespace {

constexpr std::size_t kFirstRow = static_cast<std::size_t>(MessageId::Sentences) + 1;

constexpr std::size_t kRowCount = 0
#define MESSAGE(Name, english, korean) +1
#include "isa/text/messages.def"
#undef MESSAGE
    ;

constexpr auto kMessages = [] {
  std::array<MessageRow, kRowCount> rows = {{
#define MESSAGE(Name, english, korean) {MessageId::Name, english, korean, english},
#include "isa/text/messages.def"
#undef MESSAGE
  }};
#define IN_CUDA(Name, words) rows[static_cast<std::size_t>(MessageId::Name) - kFirstRow].cuda = words;
#include "isa/text/messages_cuda.def"
#undef IN_CUDA
  return rows;
}();

// The part that stands at {inside}; null if that is no number.
const Message* part_at(const Message& message, std::string_view inside) {
  if (inside.size() != 1 || inside[0] < '0' || inside[0] > '9') return nullptr;
  const auto number = static_cast<std::size_t>(inside[0] - '0');
  WARPSIM_CHECK(number < message.parts.size());
  return &message.parts[number];
}

}  // namespace

void add_sentence(Message& message, Message next) {
  if (message.empty()) {
    message = std::move(next);
    return;
  }
  if (message.id != MessageId::Sentences) {
    Message several(MessageId::Sentences);
    several.parts.push_back(std::move(message));
    message = std::move(several);
  }
  message.parts.push_back(std::move(next));
}

std::string english(const Message& message) {
  std::string out;
  append_message(out, message, &MessageRow::english);
  return out;
}

std::string in_cuda(const Message& message) {
  std::string out;
  append_message(out, message, &MessageRow::cuda);
  return out;
}

std::span<const MessageRow> all_messages() { return kMessages; }

const MessageRow& message_row(MessageId id) {
  const std::size_t number = static_cast<std::size_t>(id) - kFirstRow;
  WARPSIM_CHECK(number < std::size(kMessages));
  return kMessages[number];
}

void append_message(std::string& out, const Message& message, std::string_view MessageRow::*words, AppendMarker mark) {
  if (message.id == MessageId::Text) {
    out += message.text;
    return;
  }
  if (message.id == MessageId::Sentences) {
    for (std::size_t k = 0; k < message.parts.size(); ++k) {
      out += k == 0 ? std::string_view{} : kBetweenSentences;
      append_message(out, message.parts[k], words, mark);
    }
    return;
  }
  fill_pattern(out, message_row(message.id).*words, [&](std::string& text, std::string_view inside) {
    if (const Message* const part = part_at(message, inside)) {
      append_message(text, *part, words, mark);
    } else {
      WARPSIM_CHECK(mark != nullptr);
      mark(text, inside);
    }
  });
}

}  // namespace warpsim
