// JSON text → document, and the checked cursor.
//
// Shapes: see json_dom.h. The document is built from nlohmann's SAX events, because only they report a fault without an
//         exception. JSON leaves open which of two members of one name counts: that is a fault here.
// Errors: see json_dom.h.
#include "traces/io/json_dom.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "isa/text/number_text.h"

namespace warpsim {
namespace {

constexpr int kNumberOverflow = 406;        // nlohmann's
constexpr std::size_t kLongestNumber = 40;  // of a message

class Builder {
 public:
  Json root;
  bool too_deep = false;
  bool too_large = false;       // a number
  std::size_t error_bytes = 0;  // read when the fault was found
  std::string error_expected;
  std::optional<std::string> twice;  // a member that is there twice
  std::string twice_pointer;         // of the object

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    key_ = std::move(name);
    if (!open_.back().has(key_)) return true;
    twice = key_;
    for (std::size_t k = 0; k + 1 < open_.size(); ++k) {
      const Json& one = *open_[k].json;
      twice_pointer += '/' + (one.is_array() ? std::to_string(one.size() - 1)
                                             : Node::escaped(one.get_ref<const Json::object_t&>().back().first));
    }
    return false;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& fault) {
    error_bytes = position;
    too_large = fault.id == kNumberOverflow;
    const std::string what = fault.what();
    const std::size_t expected = what.rfind("; expected ");
    if (expected != std::string::npos) error_expected = what.substr(expected + 2);
    return false;
  }

 private:
  // A container that has not ended. Of many members the names are looked up: a hostile object has millions.
  struct Open {
    Json* json;
    std::unordered_set<std::string> names;

    bool has(const std::string& name) {
      constexpr std::size_t kFew = 32;
      const Json::object_t::Container& members = json->get_ref<Json::object_t&>();
      if (members.size() < kFew)
        return std::any_of(members.begin(), members.end(), [&](const auto& member) { return member.first == name; });
      if (names.empty())
        for (const auto& member : members) names.insert(member.first);
      return !names.insert(name).second;
    }
  };

  // Places a value where the parser is; the pointer stays good until the value that holds it gets another.
  template <class Value>
  Json* place(Value&& value) {
    if (open_.empty()) {
      root = std::forward<Value>(value);
      return &root;
    }
    Json& parent = *open_.back().json;
    if (parent.is_array()) {
      parent.push_back(std::forward<Value>(value));
      return &parent.back();
    }
    // Not operator[]: it looks for the name first, which takes forever in a hostile object.
    Json::object_t::Container& members = parent.get_ref<Json::object_t&>();
    members.emplace_back(std::move(key_), std::forward<Value>(value));
    return &members.back().second;
  }
  template <class Value>
  bool add(Value&& value) {
    place(Json(std::forward<Value>(value)));
    return true;
  }
  bool open(Json container) {
    if (open_.size() >= static_cast<std::size_t>(kMaxJsonDepth)) {
      too_deep = true;
      return false;
    }
    open_.push_back({place(std::move(container)), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Open> open_;
  std::string key_;
};

// Line and column of the byte at `offset`.
void place_at(JsonError& error, std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  error.line = 1;
  std::size_t line_start = 0;
  for (std::size_t k = 0; k < offset; ++k) {
    if (text[k] != '\n') continue;
    ++error.line;
    line_start = k + 1;
  }
  error.column = static_cast<std::uint32_t>(offset - line_start + 1);
}

// The string, number or word that ends at `last`, else that one character.
std::string_view token_at(std::string_view text, std::size_t last) {
  std::size_t first = last;
  const auto in_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
           c == '.' || c == '_';
  };
  if (text[last] == '"') {
    const std::size_t opening = last == 0 ? std::string_view::npos : text.find_last_of("\"\n", last - 1);
    if (opening != std::string_view::npos && text[opening] == '"') first = opening;
  } else if (in_word(text[last])) {
    while (first > 0 && in_word(text[first - 1])) --first;
  }
  return text.substr(first, last - first + 1);
}

bool only_blanks(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

JsonError nested_too_deep() {
  JsonError error;
  error.code = "J002";
  error.message = "the JSON text nests deeper than " + std::to_string(kMaxJsonDepth) + " brackets";
  return error;
}

bool JsonDepth::is_too_deep(std::string_view text) {
  for (const char c : text) {
    if (in_string_) {
      in_string_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '[' || c == '{') {
      if (++depth_ > kMaxJsonDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth_;
    }
  }
  return depth_ > kMaxJsonDepth;
}

std::variant<Json, JsonError> parse_json(std::string_view text) {
  Builder builder;
  const std::size_t nul = text.find('\0');  // where nlohmann's parser takes the text to end
  const bool is_json = Json::sax_parse(text.begin(), text.end(), &builder);
  if (is_json && nul == std::string_view::npos) return std::move(builder.root);
  JsonError error;
  if (is_json) {
    error.code = "J001";
    error.message = "this is no JSON: a NUL byte is out of place";
    place_at(error, text, nul);
    return error;
  }
  if (builder.too_deep) return nested_too_deep();
  if (builder.twice) {
    error.code = "J016";
    error.message = "the member " + shortened(*builder.twice) + " appears twice";
    error.hint = "JSON leaves open which of the two counts: leave one out";
    error.pointer = builder.twice_pointer;
    return error;
  }
  if (only_blanks(text)) {
    error.code = "J003";
    error.message = "there is no JSON text here: it is empty";
    return error;
  }
  const std::size_t at = builder.error_bytes == 0 ? 0 : builder.error_bytes - 1;
  place_at(error, text, at);
  if (at >= text.size()) {
    error.code = "J003";
    error.message = "the JSON text ends too early";
    error.hint = "was the file cut off?";
    return error;
  }
  if (builder.too_large) {
    error.code = "J006";
    error.message =
        "the number " + std::string(token_at(text, at).substr(0, kLongestNumber)) + " is larger than any 64-bit float";
    error.hint = "infinity is written \"Infinity\"";
    return error;
  }
  error.code = "J001";
  error.message = "this is no JSON: " + shortened(token_at(text, at)) + " is out of place";
  if (!builder.error_expected.empty()) error.message += ", " + builder.error_expected;
  return error;
}

// ---- the cursor

Node::Node(const Json& json, Reading& reading, std::string pointer)
    : json_(&json), reading_(&reading), pointer_(std::move(pointer)) {}

namespace {
const Json& nothing() {
  static const Json null;
  return null;
}
}  // namespace

std::string Node::escaped(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
  return out;
}

void Node::fail(std::string code, std::string message, std::string hint) const {
  if (reading_->failed()) return;
  reading_->error = JsonError{std::move(code), std::move(message), std::move(hint), pointer_, reading_->line, 0};
}

bool Node::want(bool condition, std::string_view expected) const {
  if (condition) return true;
  fail("J004", "expected " + std::string(expected) + ", found " + describe(*json_));
  return false;
}

bool Node::has(std::string_view name) const {
  return json_->is_object() && json_->find(std::string(name)) != json_->end();
}

Node Node::member(std::string_view name) const {
  if (!want(json_->is_object(), "an object")) return {nothing(), *reading_, pointer_};
  const auto found = json_->find(std::string(name));
  if (found == json_->end()) {
    fail("J005", "the member \"" + std::string(name) + "\" is missing");
    return {nothing(), *reading_, pointer_};
  }
  return {*found, *reading_, pointer_ + "/" + std::string(name)};
}

std::size_t Node::size() const {
  return want(json_->is_array(), "an array") && !reading_->failed() ? json_->size() : 0;
}

std::size_t Node::size_as(std::size_t count, std::string_view as) const {
  const std::size_t here = size();
  if (reading_->failed()) return 0;
  if (here == count) return here;
  fail("J010", "this holds " + std::to_string(here) + (here == 1 ? " value" : " values") + ", but " + std::string(as) +
                   " " + std::to_string(count));
  return 0;
}

std::size_t Node::size_of_some() const {
  const std::size_t count = size();
  if (count == 0) fail("J010", "this list is empty: leave it out");
  return count;
}

std::uint64_t Node::number_from_1(std::uint64_t max) const {
  const std::uint64_t out = number(max);
  if (out == 0) fail("J006", "expected a number from 1");
  return out;
}

Node Node::item(std::size_t k) const { return {(*json_)[k], *reading_, pointer_ + "/" + std::to_string(k)}; }

std::uint64_t Node::number(std::uint64_t max) const {
  const bool fits = json_->is_number_unsigned() && json_->get<std::uint64_t>() <= max;
  if (fits) return json_->get<std::uint64_t>();
  const std::string expected = max == std::numeric_limits<std::uint64_t>::max()
                                   ? "a whole number that is not negative"
                                   : "a whole number from 0 to " + std::to_string(max);
  fail(json_->is_number() ? "J006" : "J004", "expected " + expected + ", found " + describe(*json_));
  return 0;
}

std::int64_t Node::integer() const {
  const bool too_large = json_->is_number_unsigned() && json_->get<std::uint64_t>() >> 63 != 0;
  if (!want(json_->is_number_integer() && !too_large, "a whole number")) return 0;
  return json_->get<std::int64_t>();
}

std::string Node::text() const {
  return want(json_->is_string(), "a string") ? json_->get_ref<const std::string&>() : std::string();
}

bool Node::truth() const { return want(json_->is_boolean(), "true or false") && json_->get<bool>(); }

Type Node::type() const {
  const std::string word = text();
  const Type found = parse_type(word);
  if (found == Type::None && !word.empty())
    fail("J006", "there is no type " + shortened(word), "types are f32, u32, pred, mask …");
  return found;
}

LaneMask Node::lanes(unsigned lane_count) const {
  std::uint64_t mask = 0;
  const auto is_mask = [&mask](const std::string& text) {
    const bool has_digits = text.size() == 10 || text.size() == 18;  // 0x and 8, or 16 of a warp of 64
    return has_digits && text.find_first_of("ABCDEF") == std::string::npos && read_hex(text, mask);
  };
  if (!want(json_->is_string() && is_mask(json_->get_ref<const std::string&>()),
            "a set of lanes such as \"0x0000ffff\""))
    return 0;
  if ((mask & ~full_mask(lane_count)) == 0) return mask;
  fail("J006", "this names lane " + std::to_string(std::bit_width(mask) - 1) + ", but a warp has " +
                   counted(lane_count, "lane"));
  return 0;
}

std::uint64_t Node::address() const {
  std::uint64_t word = 0;
  want(json_->is_string() && read_hex(json_->get_ref<const std::string&>(), word),
       "an address such as \"0x100000010\"");
  return reading_->failed() ? 0 : word;
}

std::int32_t Node::pc(std::size_t count) const {
  if (json_->is_null()) return -1;
  if (count == 0) {
    fail("J006", "expected null: there is nothing to point at");
    return -1;
  }
  return static_cast<std::int32_t>(number(count - 1));
}

std::uint64_t Node::value(Type type, unsigned lanes, bool& undefined) const {
  std::uint64_t bits = 0;
  const ValueRead read = read_value(*json_, type, lanes, bits);
  undefined = read == ValueRead::Undefined;
  if (read == ValueRead::Refused) fail("J004", refusal(*json_, type, lanes));
  return bits;
}

}  // namespace warpsim
