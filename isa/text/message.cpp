#include "isa/text/message.h"

#include <iterator>

#include "isa/text/check.h"

namespace warpsim {
namespace {

constexpr MessageRow kMessages[] = {
#define MESSAGE(Name, english, korean) {MessageId::Name, english, korean},
#include "isa/text/messages.def"
#undef MESSAGE
};

constexpr std::size_t kFirstRow = static_cast<std::size_t>(MessageId::Sentences) + 1;

void append_english(std::string& out, const Message& message) {
  if (message.id == MessageId::Text) {
    out += message.text;
  } else if (message.id == MessageId::Sentences) {
    for (std::size_t k = 0; k < message.parts.size(); ++k) {
      out += k == 0 ? std::string_view{} : kBetweenSentences;
      append_english(out, message.parts[k]);
    }
  } else {
    fill_pattern(out, message_row(message.id).english, [&message](std::string& text, std::string_view inside) {
      append_english(text, part_at(message, inside));
    });
  }
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
  append_english(out, message);
  return out;
}

std::span<const MessageRow> all_messages() { return kMessages; }

const MessageRow& message_row(MessageId id) {
  const std::size_t number = static_cast<std::size_t>(id) - kFirstRow;
  WARPSIM_CHECK(number < std::size(kMessages));
  return kMessages[number];
}

const Message& part_at(const Message& message, std::string_view inside) {
  const std::size_t number = inside.size() == 1 ? static_cast<std::size_t>(inside[0] - '0') : message.parts.size();
  WARPSIM_CHECK(number < message.parts.size());
  return message.parts[number];
}

}  // namespace warpsim
