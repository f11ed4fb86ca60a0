// See npy.h.
#include "tools/session/npy.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // of what stands behind the header

struct NpyType {
  std::string_view descr;
  Type type;
};
constexpr std::array<NpyType, 12> kNpyTypes = {{{"<f2", Type::F16},
                                                {"<f4", Type::F32},
                                                {"<f8", Type::F64},
                                                {"|i1", Type::S8},
                                                {"<i2", Type::S16},
                                                {"<i4", Type::S32},
                                                {"<i8", Type::S64},
                                                {"|u1", Type::U8},
                                                {"<u2", Type::U16},
                                                {"<u4", Type::U32},
                                                {"<u8", Type::U64},
                                                {"|b1", Type::U8}}};

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[k]);
  return value;
}

// The header: a dictionary in Python's spelling, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  // False: it is none.
  bool read() {
    if (!take('{')) return false;
    while (!take('}')) {
      const std::optional<std::string_view> key = string();
      if (!key || !take(':') || !value(*key)) return false;
      if (!take(',') && peek() != '}') return false;
    }
    return peek() == '\0' && has_descr_ && has_order_ && has_shape_;
  }
  std::string_view descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;

 private:
  char peek() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(char c) {
    if (peek() != c || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    peek();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string_view> string() {
    const char quote = peek();
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return inside;
  }
  bool value(std::string_view key) {
    if (key == "descr") {
      has_descr_ = true;
      if (peek() == '[') return structure();
      const std::optional<std::string_view> one = string();
      descr = one.value_or("");
      return one.has_value();
    }
    if (key == "fortran_order") {
      has_order_ = true;
      fortran_order = take_word("True");
      return fortran_order || take_word("False");
    }
    has_shape_ = true;
    return key == "shape" && dimensions();
  }
  // [('x', '<f4'), …]: what it says does not matter, only where it ends.
  bool structure() {
    descr = text_.substr(0, text_.find(']') + 1);
    std::size_t depth = 0;
    do {
      depth += peek() == '[' ? 1 : 0;
      depth -= peek() == ']' ? 1 : 0;
      if (text_.empty()) return false;
      text_.remove_prefix(1);
    } while (depth != 0);
    return true;
  }
  bool dimensions() {
    if (!take('(')) return false;
    while (!take(')')) {
      const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
      const std::optional<std::uint64_t> one = parse_count(text_.substr(0, digits));
      if (!one) return false;
      shape.push_back(*one);
      text_.remove_prefix(digits);
      if (!take(',') && peek() != ')') return false;
      peek();
    }
    return true;
  }

  std::string_view text_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

std::optional<std::uint64_t> product(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t one : shape) {
    if (one != 0 && count > std::numeric_limits<std::uint64_t>::max() / one) return std::nullopt;
    count *= one;
  }
  return count;
}

NpyError unknown_type(std::string_view descr) {
  const bool is_big = descr.starts_with(">");
  return {"holds elements of type " + quoted(descr) + (is_big ? ", big endian" : ""),
          is_big ? "x.astype(x.dtype.newbyteorder('<'))"
                 : "float16 to float64, int8 to int64, uint8 to uint64 and bool are read: x.astype('float32')"};
}

std::variant<Array, NpyError> elements(const Header& header, std::string_view data) {
  const NpyType* found = nullptr;
  for (const NpyType& one : kNpyTypes)
    if (one.descr == header.descr) found = &one;
  if (found == nullptr) return unknown_type(header.descr);
  if (header.fortran_order && header.shape.size() > 1)
    return NpyError{"is in Fortran order", "numpy.ascontiguousarray(x) is in C order"};
  const std::size_t width = static_cast<std::size_t>(bits(found->type)) / 8;
  const std::optional<std::uint64_t> count = product(header.shape);
  if (!count || data.size() % width != 0 || data.size() / width != *count)
    return NpyError{"has " + counted(data.size(), "byte") + " of data, which is not what its shape says: " +
                        (count ? counted(*count, "element") + " of " + counted(width, "byte")
                               : "more elements than 64 bits can count"),
                    "write it anew with numpy.save"};
  Array made{found->type, {}};
  made.bits.reserve(*count);
  for (std::size_t at = 0; at < data.size(); at += width) made.bits.push_back(little_endian(data.substr(at, width)));
  return made;
}

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.starts_with(kMagic); }

std::variant<Array, NpyError> read_npy(std::string_view bytes) {
  const std::size_t versions = kMagic.size();
  const NpyError no_header{"has no header as NumPy writes it", "write it anew with numpy.save"};
  if (!is_npy(bytes) || bytes.size() < versions + 2) return no_header;
  const int major = static_cast<unsigned char>(bytes[versions]);
  if (major < 1 || major > 3)
    return NpyError{"is of format " + std::to_string(major) + "; 1, 2 and 3 are read", "write it anew with numpy.save"};
  const std::size_t begin = versions + 2, width = major == 1 ? 2 : 4;
  if (bytes.size() < begin + width) return no_header;
  const std::uint64_t length = little_endian(bytes.substr(begin, width));
  if (length > bytes.size() - begin - width) return no_header;
  Header header(bytes.substr(begin + width, length));
  if (!header.read()) return no_header;
  return elements(header, bytes.substr(begin + width + length));
}

Type npy_type(Type type) {
  for (const NpyType& one : kNpyTypes)
    if (one.type == type) return type;
  return integer_of(type == Type::Mask ? 64 : bits(type), false);
}

std::string write_npy(const Array& array) {
  std::string_view descr;
  for (const NpyType& one : kNpyTypes)
    if (one.type == npy_type(array.type) && descr.empty()) descr = one.descr;
  std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(array.bits.size()) + ",), }";
  const std::size_t before = kMagic.size() + 4;
  header.append(kAlignment - 1 - (before + header.size()) % kAlignment, ' ');
  header += '\n';
  std::string made(kMagic);
  made += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  made += header;
  const int width = bits(npy_type(array.type)) / 8;
  for (const std::uint64_t one : array.bits)
    for (int k = 0; k < width; ++k) made += static_cast<char>(one >> (8 * k) & 0xff);
  return made;
}

}  // namespace warpsim::tools
