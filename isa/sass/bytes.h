// Numbers in bytes that nobody vouches for, lowest byte first.
//
// Shapes: a Cursor reads on from where it is, within its bytes alone.
// Units:  bytes.
// Errors: a number that is not all there is 0, and from then on is_short() is true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace warpsim::sass {

using Bytes = std::span<const std::byte>;

class Cursor {
 public:
  explicit Cursor(Bytes bytes, std::size_t at = 0) : bytes_(bytes), at_(at), is_short_(at > bytes.size()) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return is_short_ ? 0 : bytes_.size() - at_; }
  bool is_short() const { return is_short_; }

  template <class T>
  T number() {
    T value = 0;
    if (!has(sizeof(T))) return value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint8_t byte() { return number<std::uint8_t>(); }
  // DWARF's numbers of any length; of what is longer than 64 bits the lowest.
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !is_short_; shift += 7) {
      const std::uint64_t next = byte();
      if (shift < 64) value |= (next & 0x7f) << shift;
      if ((next & 0x80) == 0) break;
    }
    return value;
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !is_short_;) {
      const std::uint64_t next = byte();
      if (shift < 64) value |= (next & 0x7f) << shift;
      shift += 7;
      if ((next & 0x80) != 0) continue;
      if ((next & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
      break;
    }
    return static_cast<std::int64_t>(value);
  }
  // Up to a zero, which is read as well.
  std::string_view text() {
    const char* const from = reinterpret_cast<const char*>(bytes_.data()) + at_;
    const void* const end = left() == 0 ? nullptr : std::memchr(from, 0, left());
    if (end == nullptr) return fail(), std::string_view();
    const auto size = static_cast<std::size_t>(static_cast<const char*>(end) - from);
    at_ += size + 1;
    return {from, size};
  }
  void skip(std::uint64_t bytes) {
    if (has(bytes)) at_ += static_cast<std::size_t>(bytes);
  }

 private:
  bool has(std::uint64_t bytes) {
    if (bytes > left()) fail();
    return !is_short_;
  }
  void fail() { is_short_ = true; }

  Bytes bytes_;
  std::size_t at_;
  bool is_short_;
};

}  // namespace warpsim::sass
