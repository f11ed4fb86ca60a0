// See device_printf.h.
#include "sim/memory/device_printf.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace warpsim {
namespace {

constexpr std::size_t kMostCharacters = 64 * 1024;
constexpr std::int64_t kWidest = 4096;  // a field; more is taken as this
constexpr std::uint32_t kMostArguments = 32;

class Formatter {
 public:
  Formatter(std::string format, std::uint64_t arguments, const ByteReader& read)
      : format_(std::move(format)), next_(arguments), read_(read) {}

  Printed run() {
    while (at_ < format_.size()) {
      if (format_[at_] != '%') out_.text += format_[at_++];
      else conversion();
    }
    return std::move(out_);
  }

 private:
  void conversion() {
    const std::size_t begin = at_++;
    std::string spec = "%";
    while (at_ < format_.size() && std::string_view("-+ #0").find(format_[at_]) != std::string_view::npos)
      spec += format_[at_++];
    number(spec);
    if (at_ < format_.size() && format_[at_] == '.') {
      spec += format_[at_++];
      number(spec);
    }
    int longs = 0, shorts = 0;
    for (; at_ < format_.size() && std::string_view("hlqjztL").find(format_[at_]) != std::string_view::npos; ++at_) {
      if (format_[at_] == 'h') ++shorts;
      else ++longs;
    }
    const char letter = at_ < format_.size() ? format_[at_++] : '\0';
    const std::size_t before = out_.text.size();
    const bool is_known = write(spec, letter, longs > 0, shorts);
    if (is_known && !lacks_argument_) return;
    out_.text.resize(before);
    out_.text += format_.substr(begin, at_ - begin);
    lacks_argument_ = false;
  }

  // Digits, or * for an argument. A negative width is the flag - and the width; a negative precision is none.
  void number(std::string& spec) {
    if (at_ < format_.size() && format_[at_] == '*') {
      ++at_;
      std::int64_t given = static_cast<std::int32_t>(argument(4));
      const bool is_precision = spec.ends_with('.');
      if (given < 0 && is_precision) return spec.pop_back();
      if (given < 0) spec += '-';
      given = std::min(given < 0 ? -given : given, kWidest);
      spec += std::to_string(given);
      return;
    }
    std::int64_t value = 0;
    bool any = false;
    for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_, any = true)
      value = std::min(value * 10 + (format_[at_] - '0'), kWidest);
    if (any) spec += std::to_string(value);
  }

  bool write(const std::string& spec, char letter, bool is_long, int shorts) {
    switch (letter) {
      case '%': out_.text += '%'; return true;
      case 'd':
      case 'i': return put(spec + "lld", signed_argument(is_long, shorts)), true;
      case 'u':
      case 'o':
      case 'x':
      case 'X': return put(spec + "ll" + letter, unsigned_argument(is_long, shorts)), true;
      case 'c': return put(spec + "c", static_cast<int>(argument(4) & 0xff)), true;
      case 's': return put(spec + "s", device_string(argument(8), read_).c_str()), true;
      case 'p': return put(spec + "s", pointer_text(argument(8)).c_str()), true;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': return put(spec + letter, __builtin_bit_cast(double, argument(8))), true;
      default: return false;
    }
  }

  long long signed_argument(bool is_long, int shorts) {
    if (is_long) return static_cast<long long>(argument(8));
    const std::int32_t value = static_cast<std::int32_t>(argument(4));
    return shorts == 0 ? value : shorts == 1 ? static_cast<std::int16_t>(value) : static_cast<std::int8_t>(value);
  }
  unsigned long long unsigned_argument(bool is_long, int shorts) {
    if (is_long) return argument(8);
    const std::uint64_t value = argument(4);
    return shorts == 0 ? value : shorts == 1 ? value & 0xffff : value & 0xff;
  }
  static std::string pointer_text(std::uint64_t value) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
    return value == 0 ? "(nil)" : text.data();
  }

  std::uint64_t argument(unsigned size) {
    if (out_.arguments == kMostArguments) {
      lacks_argument_ = true;
      return 0;
    }
    next_ = (next_ + size - 1) / size * size;
    std::uint64_t value = 0;
    for (unsigned k = 0; k < size; ++k)
      value |= std::to_integer<std::uint64_t>(read_(next_ + k).value_or(std::byte{0})) << (8 * k);
    next_ += size;
    ++out_.arguments;
    return value;
  }

  // The specification is made here of known parts, so that the type of the value is right.
  template <class Value>
  void put(const std::string& spec, Value value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (size < 0) return;
    std::string text(static_cast<std::size_t>(size) + 1, '\0');
    std::snprintf(text.data(), text.size(), spec.c_str(), value);
#pragma GCC diagnostic pop
    text.pop_back();
    out_.text += text;
  }

  const std::string format_;
  std::size_t at_ = 0;
  std::uint64_t next_;
  const ByteReader& read_;
  bool lacks_argument_ = false;
  Printed out_;
};

}  // namespace

std::string device_string(std::uint64_t address, const ByteReader& read) {
  std::string text;
  if (address == 0) return "(null)";
  while (text.size() < kMostCharacters) {
    const std::optional<std::byte> one = read(address + text.size());
    if (!one || *one == std::byte{0}) break;
    text += std::to_integer<char>(*one);
  }
  return text;
}

Printed device_printf(std::uint64_t format, std::uint64_t arguments, const ByteReader& read) {
  if (format == 0) return {"", kNoFormat};
  return Formatter(device_string(format, read), arguments, read).run();
}

}  // namespace warpsim
