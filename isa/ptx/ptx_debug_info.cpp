// See ptx_debug_info.h.
#include "isa/ptx/ptx_debug_info.h"

#include <algorithm>
#include <optional>

namespace warpsim::ptx {
namespace {

enum Tag : std::uint64_t { kParameter = 0x05, kVariable = 0x34 };
enum Attribute : std::uint64_t { kLocation = 0x02, kName = 0x03, kLowPc = 0x11, kHighPc = 0x12, kOrigin = 0x31 };

// Bytes in their order. Behind the end there are zeros, and the reader says that it is there.
class Bytes {
 public:
  explicit Bytes(const Section& section, std::size_t at = 0) : section_(section), at_(at) {}
  std::size_t at() const { return at_; }
  bool is_at_end() const { return at_ >= section_.bytes.size(); }
  void skip(std::uint64_t count) {
    at_ += std::min<std::uint64_t>(count, section_.bytes.size() - std::min(at_, section_.bytes.size()));
  }
  std::uint64_t number(std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < width; ++k) value |= std::uint64_t{byte()} << (8 * k);
    return value;
  }
  std::uint64_t leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t next = byte();
      if (shift < 64) value |= std::uint64_t{next & 0x7FU} << shift;
      if ((next & 0x80U) == 0) return value;
    }
  }
  std::string text() {
    std::string out;
    for (std::uint8_t next = byte(); next != 0; next = byte()) out += static_cast<char>(next);
    return out;
  }
  std::string_view reference() const {  // of the word that comes next; "": it is a number
    const auto found = section_.references.find(at_);
    return found == section_.references.end() ? std::string_view() : found->second;
  }

 private:
  std::uint8_t byte() { return is_at_end() ? 0 : section_.bytes[at_++]; }
  const Section& section_;
  std::size_t at_;
};

struct Abbreviation {
  std::uint64_t tag = 0;
  bool has_children = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> attributes;  // and their forms
};
using Abbreviations = std::map<std::uint64_t, Abbreviation>;

Abbreviations read_abbreviations(const Section& section, std::size_t from) {
  Abbreviations all;
  Bytes bytes(section, from);
  while (!bytes.is_at_end()) {
    const std::uint64_t code = bytes.leb();
    if (code == 0) break;
    Abbreviation& one = all[code];
    one.tag = bytes.leb();
    one.has_children = bytes.number(1) != 0;
    while (!bytes.is_at_end()) {
      const std::uint64_t attribute = bytes.leb(), form = bytes.leb();
      if (attribute == 0 && form == 0) break;
      one.attributes.emplace_back(attribute, form);
    }
  }
  return all;
}

// "%r8" of a location that is one register.
std::string register_in(Bytes bytes, std::uint64_t length) {
  constexpr std::uint64_t kRegx = 0x90;
  if (length < 2 || bytes.number(1) != kRegx) return "";
  std::string name;
  for (std::uint64_t packed = bytes.leb(); packed != 0; packed >>= 8)
    name.insert(name.begin(), static_cast<char>(packed & 0xFF));
  return name.starts_with('%') ? name : "";
}

// One entry of the tree, as far as it matters here.
struct Entry {
  std::uint64_t tag = 0;
  std::string name, register_name;
  std::optional<std::size_t> locations, origin;  // in .debug_loc; in .debug_info
  std::string_view first, end;
};

class Reader {
 public:
  explicit Reader(const Module& module) : module_(module) {}

  std::vector<DebugVariable> run() {
    const Section* const info = section(".debug_info");
    const Section* const abbreviations = section(".debug_abbrev");
    if (info == nullptr || abbreviations == nullptr) return {};
    Bytes bytes(*info);
    while (!bytes.is_at_end()) {
      const std::size_t unit = bytes.at();
      const std::uint64_t length = bytes.number(4);
      version_ = bytes.number(2);
      const std::size_t offset = place(bytes, 4);
      address_bytes_ = bytes.number(1);
      // The next unit begins where this one says, but never at what was read.
      const std::uint64_t end = std::max<std::uint64_t>(bytes.at() + 1, unit + 4 + length);
      if (version_ >= 2 && version_ <= 4) entries(bytes, unit, end, read_abbreviations(*abbreviations, offset));
      if (bytes.at() < end) bytes.skip(end - bytes.at());
    }
    return std::move(found_);
  }

 private:
  const Section* section(std::string_view name) const {
    const auto found = module_.sections.find(name);
    return found == module_.sections.end() ? nullptr : &found->second;
  }
  // The offset that a word means in the section that it refers to, by a label in it or as a number.
  std::size_t place(Bytes& bytes, std::size_t width) const {
    const std::string_view label = bytes.reference();
    const std::uint64_t number = bytes.number(width);
    for (const auto& [name, one] : module_.sections)
      if (const auto found = one.labels.find(label); found != one.labels.end()) return found->second;
    return static_cast<std::size_t>(number);
  }

  void entries(Bytes& bytes, std::size_t unit, std::uint64_t end, const Abbreviations& abbreviations) {
    std::vector<std::pair<std::string_view, std::string_view>> scopes{{"", ""}};
    std::map<std::size_t, std::string> names;  // by the place of the entry
    while (!bytes.is_at_end() && bytes.at() < end) {
      const std::size_t at = bytes.at();
      const std::uint64_t code = bytes.leb();
      if (code == 0) {
        if (scopes.size() > 1) scopes.pop_back();
        continue;
      }
      const auto known = abbreviations.find(code);
      if (known == abbreviations.end()) return;
      Entry entry;
      entry.tag = known->second.tag;
      for (const auto& [attribute, form] : known->second.attributes)
        if (!read(bytes, unit, attribute, form, entry)) return;
      if (!entry.name.empty()) names[at] = entry.name;
      if (entry.name.empty() && entry.origin)
        if (const auto origin = names.find(*entry.origin); origin != names.end()) entry.name = origin->second;
      add(entry, scopes.back());
      if (!known->second.has_children) continue;
      scopes.push_back(entry.first.empty() ? scopes.back() : std::pair(entry.first, entry.end));
    }
  }

  void add(const Entry& entry, const std::pair<std::string_view, std::string_view>& scope) {
    if ((entry.tag != kVariable && entry.tag != kParameter) || entry.name.empty()) return;
    if (!entry.register_name.empty() && !scope.first.empty())
      found_.push_back({entry.name, entry.register_name, scope.first, scope.second});
    const Section* const list = section(".debug_loc");
    if (!entry.locations || list == nullptr) return;
    Bytes bytes(*list, *entry.locations);
    while (!bytes.is_at_end()) {
      const std::string_view first = bytes.reference();
      bytes.skip(address_bytes_);
      const std::string_view last = bytes.reference();
      bytes.skip(address_bytes_);
      if (first.empty() || last.empty()) return;
      const std::uint64_t length = bytes.number(2);
      const std::string name = register_in(bytes, length);
      if (!name.empty()) found_.push_back({entry.name, name, first, last});
      bytes.skip(length);
    }
  }

  // False where the form is not known, and with it how long it is.
  bool read(Bytes& bytes, std::size_t unit, std::uint64_t attribute, std::uint64_t form, Entry& entry) {
    switch (form) {
      case 0x01: return label(bytes, attribute, entry);  // address
      case 0x03: return block(bytes, bytes.number(2), attribute, entry);
      case 0x04: return block(bytes, bytes.number(4), attribute, entry);
      case 0x09:
      case 0x18: return block(bytes, bytes.leb(), attribute, entry);  // block, expression
      case 0x0A: return block(bytes, bytes.number(1), attribute, entry);
      case 0x08: {  // a string
        std::string text = bytes.text();
        if (attribute == kName) entry.name = std::move(text);
        return true;
      }
      case 0x0E: {  // in .debug_str
        const std::string_view where = bytes.reference();
        bytes.skip(4);
        const auto known = module_.strings.find(where);
        if (attribute == kName && known != module_.strings.end()) entry.name = known->second;
        return true;
      }
      case 0x06:
      case 0x17: {  // four bytes, or an offset in another section
        const std::size_t offset = place(bytes, 4);
        if (attribute == kLocation) entry.locations = offset;
        return true;
      }
      case 0x13: {  // another entry of the unit
        const std::size_t offset = static_cast<std::size_t>(bytes.number(4));
        if (attribute == kOrigin) entry.origin = unit + offset;
        return true;
      }
      case 0x0B:
      case 0x0C:
      case 0x11: bytes.skip(1); return true;
      case 0x05:
      case 0x12: bytes.skip(2); return true;
      case 0x07:
      case 0x14: bytes.skip(8); return true;
      case 0x0D:
      case 0x0F:
      case 0x15: static_cast<void>(bytes.leb()); return true;
      case 0x19: return true;  // a flag that needs no byte
      default: return false;
    }
  }
  bool label(Bytes& bytes, std::uint64_t attribute, Entry& entry) const {
    const std::string_view name = bytes.reference();
    bytes.skip(address_bytes_);
    if (attribute == kLowPc) entry.first = name;
    if (attribute == kHighPc) entry.end = name;
    return true;
  }
  static bool block(Bytes& bytes, std::uint64_t length, std::uint64_t attribute, Entry& entry) {
    if (attribute == kLocation) entry.register_name = register_in(bytes, length);
    bytes.skip(length);
    return true;
  }

  const Module& module_;
  std::uint64_t version_ = 0, address_bytes_ = 8;
  std::vector<DebugVariable> found_;
};

}  // namespace

std::vector<DebugVariable> debug_variables(const Module& module) { return Reader(module).run(); }

}  // namespace warpsim::ptx
