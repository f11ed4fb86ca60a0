// Memory by address, and instructions by number: x/8xw &input, x/3i $pc, disassemble.
//
// Units:  addresses in bytes, of the device's global memory or of the selected block's shared memory; instructions by
//         their number in the program.
// Source: gdb's manual, "Examining Memory".
#include <algorithm>
#include <charconv>

#include "isa/text/number_text.h"
#include "isa/text/word.h"
#include "tools/debugger/stepper.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"
#include "traces/model/instruction_texts.h"
#include "traces/replay/phase_view.h"

namespace warpsim::tools {
namespace {

constexpr std::string_view kSizes = "bhwg";
constexpr unsigned kBytesOfRow = 16, kMostOfRow = 8;

// 16, 0x10
std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (!text.starts_with("0x")) return parse_count(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (text.size() == 2 || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::uint64_t mask_of(unsigned bytes) { return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1; }

}  // namespace

// ---- which address is meant

// The array that holds a byte; a plain number may mean either memory.
std::optional<Stepper::Place> Stepper::place_of(const Address& address) const {
  const auto holds = [&](std::uint64_t base, Type type, std::uint64_t length) {
    return address.at >= base && address.at - base < length * static_cast<std::uint64_t>(bytes(type));
  };
  for (const TraceParam& one : head().params)
    if (!address.is_shared && one.is_buffer() && holds(one.address, one.type, one.length))
      return Place{one.name, one.type, one.address, one.length * static_cast<std::uint64_t>(bytes(one.type)), false};
  for (std::size_t k = 0; k < head().shared.size(); ++k) {
    const TraceShared& one = head().shared[k];
    const std::uint64_t base = history_.memory().shared_base(k);
    if (holds(base, one.type, one.length))
      return Place{one.name, one.type, base, one.length * static_cast<std::uint64_t>(bytes(one.type)), true};
  }
  return std::nullopt;
}

// "input", "input[3]"
std::optional<Stepper::Address> Stepper::address_of(std::string_view text) {
  const std::size_t bracket = std::min(text.find('['), text.size());
  const std::string_view name = text.substr(0, bracket);
  std::uint64_t index = 0;
  if (bracket < text.size()) {
    const std::optional<Element> element = read_element(text);
    if (!element) return std::nullopt;
    index = static_cast<std::uint64_t>(element->index);
  }
  for (const TraceParam& one : head().params)
    if (one.is_buffer() && one.name == name)
      return Address{false, one.address + index * static_cast<std::uint64_t>(bytes(one.type))};
  for (std::size_t k = 0; k < head().shared.size(); ++k)
    if (head().shared[k].name == name)
      return Address{
          true, history_.memory().shared_base(k) + index * static_cast<std::uint64_t>(bytes(head().shared[k].type))};
  refuse("Only arrays have an address: \"$1\" is none.", "배열에만 주소가 있습니다: \"$1\"{은/는} 배열이 아닙니다.",
         {std::string(text)});
  return std::nullopt;
}

// A register that holds one: of a lane, or of all lanes alike.
std::optional<Stepper::Address> Stepper::address_in(std::string_view text) {
  std::optional<unsigned> of_lane;
  const std::optional<std::int32_t> reg = parse_register(text, of_lane);
  if (!reg) return std::nullopt;
  if (!of_lane) of_lane = lane();
  const unsigned first = of_lane.value_or(first_lane(threads()));
  const TemplateValue value = history_.value(block_, warp_, *reg, first);
  bool same = value.kind == TemplateValue::Kind::Bits;
  for_each_lane(of_lane ? LaneMask{0} : threads(), [&](unsigned one) {
    const TemplateValue other = history_.value(block_, warp_, *reg, one);
    same = same && other.kind == value.kind && other.bits == value.bits;
  });
  if (same) return Address{false, value.bits};
  refuse("x wants one address: x/8xw $1#0 takes that of lane 0.",
         "x에는 주소 하나를 씁니다. x/8xw $1#0은 Lane 0의 주소를 씁니다.",
         {std::string(text.substr(0, text.find_first_of("#@[")))});
  return std::nullopt;
}

// 0x10000000, &input[3], input + 3, %pointer#0, @shared 0x20.
std::optional<Stepper::Address> Stepper::read_address(std::string_view written) {
  const std::string own = in_own_words(written);
  std::string_view text = own;
  if (text.starts_with("(@")) text = text.substr(1);
  bool is_shared = false;
  for (const std::string_view space : {"@shared", "@global"}) {  // cuda-gdb's, with or without a type: (@shared int*)0
    if (!text.starts_with(space)) continue;
    is_shared = space == "@shared";
    const std::size_t closing = own.front() == '(' ? text.find(')') : space.size() - 1;
    text = trimmed(text.substr(std::min(closing, text.size() - 1) + 1));
  }
  std::uint64_t by = 0;
  if (const std::size_t plus = text.rfind('+'); plus != std::string_view::npos && text.back() != ']') {
    const std::optional<std::uint64_t> more = parse_number(trimmed(text.substr(plus + 1)));
    text = trimmed(text.substr(0, plus));
    if (!more || text.empty()) {
      refuse("No address: \"$1\". x/8xw &input, x/8xw input[8], x/8xw 0x10000000.",
             "주소가 아닙니다: \"$1\". x/8xw &input, x/8xw input[8], x/8xw 0x10000000.", {std::string(written)});
      return std::nullopt;
    }
    by = *more;
  }
  if (const std::optional<std::uint64_t> number = parse_number(text)) return Address{is_shared, *number + by};
  const bool is_named = text.starts_with("&") || elements_of(text.substr(0, text.find('['))).has_value();
  if (text.starts_with("&")) text = trimmed(text.substr(1));
  if (is_named) {
    std::optional<Address> address = address_of(text);
    if (address) address->at += by * static_cast<std::uint64_t>(bytes(about(text.substr(0, text.find('['))).type));
    return address;
  }
  std::optional<Address> address = address_in(text);
  if (address) address->at += by, address->is_shared = is_shared;
  return address;
}

void Stepper::print_address(std::string_view text) {
  const std::optional<Address> address = address_of(trimmed(text.substr(1)));
  if (!address) return;
  say(std::string(text) + " = " + hexadecimal_text(address->at) +
      (address->is_shared ? text_of("   (in shared memory)", "   (공유 메모리)") : ""));
}

// ---- memory

// As `x` shows a unit of memory: as the letter says, else as the array's element, else in hexadecimal.
std::string Stepper::word_text(std::uint64_t bits, unsigned size, Type type) const {
  const char letter = format_.empty() ? '\0' : format_.back();
  const bool is_element = size == static_cast<unsigned>(bytes(type));
  if (letter == '\0' && is_element) return value_text(TemplateValue::of(type, bits));
  if (letter == 'f') {
    if (is_element && is_float(type)) return value_text(TemplateValue::of(type, bits));
    if (size >= 4) return value_text(TemplateValue::of(size == 4 ? Type::F32 : Type::F64, bits));
  }
  const Type whole = size == 1 ? Type::U8 : size == 2 ? Type::U16 : size == 4 ? Type::U32 : Type::U64;
  if (letter != '\0' && std::string_view("duotc").find(letter) != std::string_view::npos)
    return formatted(TemplateValue::of(whole, bits));
  std::string digits = hex_digits(bits, 1);
  return "0x" + std::string(2 * size - std::min<std::size_t>(digits.size(), 2 * size), '0') + digits;
}

// Rows of units, each with its address and the element there; to the end of the array and no further.
void Stepper::dump(const Address& from, std::uint64_t count, unsigned size) {
  const std::optional<Place> place = place_of(from);
  if (!place) {
    std::string arrays;
    for (const TraceParam& one : head().params)
      if (one.is_buffer()) arrays += (arrays.empty() ? "" : ", ") + one.name + " " + hexadecimal_text(one.address);
    return refuse("There is no array at $1. Arrays: $2; `info args` and `info shared` list them.",
                  "$1에는 배열이 없습니다. 배열: $2. `info args`와 `info shared`로 볼 수 있습니다.",
                  {hexadecimal_text(from.at), arrays});
  }
  const Elements all = *elements_of(place->array);
  const std::uint64_t width = static_cast<std::uint64_t>(bytes(place->type)), begin = from.at - place->base;
  const std::uint64_t shown = std::min<std::uint64_t>(count, (place->size_bytes - begin) / size);
  std::vector<std::string> labels, cells;
  std::size_t label_columns = 0, cell_columns = 0;
  const unsigned in_row = std::min(kMostOfRow, kBytesOfRow / size);
  for (std::uint64_t k = 0; k < shown; ++k) {
    const std::uint64_t at = begin + k * size;
    std::uint64_t bits = 0;
    bool is_defined = true;
    for (std::uint64_t b = 0; b < size; ++b) {
      const TemplateValue& element = all.values[(at + b) / width];
      is_defined = is_defined && element.kind == TemplateValue::Kind::Bits;
      bits |= (element.bits >> (8 * ((at + b) % width)) & 0xFF) << (8 * b);
    }
    cells.push_back(is_defined ? word_text(bits & mask_of(size), size, place->type)
                               : value_text(TemplateValue::undefined()));
    cell_columns = std::max(cell_columns, columns_of(cells.back()));
    if (k % in_row != 0) continue;
    labels.push_back(hexadecimal_text(place->base + at) + " <" + place->array +
                     (at % width == 0 ? "[" + std::to_string(at / width) + "]" : "+" + std::to_string(at)) + ">:");
    label_columns = std::max(label_columns, columns_of(labels.back()));
  }
  for (std::size_t row = 0; row < labels.size(); ++row) {
    std::string line = fitted(labels[row], label_columns, "");
    for (std::size_t k = row * in_row; k < std::min<std::size_t>(cells.size(), (row + 1) * in_row); ++k)
      line += "  " + std::string(cell_columns - columns_of(cells[k]), ' ') + cells[k];
    say(line, label_columns + 2);
  }
  examined_address_ = Address{place->is_shared, from.at + shown * size};
  if (shown < count)
    report("$1 ends there: it has $2 elements.", "$1{은/는} 거기서 끝납니다. 원소는 $2개입니다.",
           {place->array, std::to_string(all.values.size())});
}

void Stepper::examine_memory(std::string_view rest, std::uint64_t count, char size) {
  const std::optional<Address> from = rest.empty() ? examined_address_ : read_address(rest);
  if (!from) {
    if (answer_.ok)
      refuse("x wants an array or an address: x/8xw &input, x/8xw 0x10000000.",
             "x에는 배열이나 주소를 씁니다: x/8xw &input, x/8xw 0x10000000.");
    return;
  }
  const std::optional<Place> place = place_of(*from);
  const unsigned of_element = place ? static_cast<unsigned>(bytes(place->type)) : 4;
  dump(*from, count, size == '\0' ? of_element : 1U << kSizes.find(size));
}

// x/4x input[8]; without an array it goes on behind the last one.
void Stepper::examine_elements(std::string_view rest, std::uint64_t count) {
  const std::size_t bracket = std::min(rest.find('['), rest.size());
  std::string name(rest.substr(0, bracket));
  std::uint64_t from = 0;
  if (rest.empty()) {
    name = examined_;
    from = examined_from_;
  } else if (bracket != rest.size()) {
    const std::optional<std::uint64_t> index =
        rest.back() == ']' ? parse_count(rest.substr(bracket + 1, rest.size() - bracket - 2)) : std::nullopt;
    if (!index)
      return refuse("x wants an element of an array: x/4 input[8].", "x에는 배열의 원소를 씁니다: x/4 input[8].");
    from = *index;
  }
  const std::optional<Elements> all = elements_of(name);
  if (!all)
    return refuse("x wants an element of an array, or an address: x/4 input[8], x/8xw &input, x/3i $pc.",
                  "x에는 배열의 원소나 주소를 씁니다: x/4 input[8], x/8xw &input, x/3i $pc.");
  if (from >= all->values.size())
    return refuse("$1 has $2 elements.", "$1의 원소는 $2개입니다.", {name, std::to_string(all->values.size())});
  examined_ = name;
  examined_from_ = static_cast<std::size_t>(std::min<std::uint64_t>(all->values.size() - from, count) + from);
  print_elements(*all, static_cast<std::size_t>(from), examined_from_);
  if (examined_from_ - from < count)
    report("$1 has $2 elements.", "$1의 원소는 $2개입니다.", {name, std::to_string(all->values.size())});
}

// x/NFS WHAT: how many, in which form, of how many bytes.
void Stepper::examine(std::string_view rest) {
  const std::string spelled = format_;
  if (rest.empty() && format_.empty()) format_ = examined_format_;
  const std::size_t digits = std::min(format_.find_first_not_of("0123456789"), format_.size());
  const std::optional<std::uint64_t> count = digits == 0 ? 1 : parse_count(format_.substr(0, digits));
  format_.erase(0, digits);
  const std::string letters = format_;
  char size = '\0';
  if (const std::size_t at = format_.find_first_of(kSizes); at != std::string::npos) {
    size = format_[at];
    format_.erase(at, 1);
  }
  const bool of_instructions = format_ == "i";
  if (!of_instructions && !is_format_known()) return;
  if (!count || *count == 0) return refuse("x/N wants a number from 1.", "x/N의 N은 1 이상의 수입니다.");
  const std::string_view name = rest.substr(0, rest.find('['));
  const bool has_name = elements_of(name).has_value() && (name.size() == rest.size() || rest.ends_with(']'));
  const bool of_elements =
      size == '\0' && (rest.empty() ? !examined_address_ : has_name || name.empty() || is_word(name));
  if (of_instructions) examine_instructions(rest, *count);
  else if (of_elements) examine_elements(rest, *count);
  else examine_memory(rest, *count, size);
  if (answer_.ok && !of_instructions) examined_pc_.reset();
  if (answer_.ok && (of_instructions || of_elements)) examined_address_.reset();
  if (answer_.ok) examined_format_ = letters;
  format_ = spelled;  // for Enter
}

// ---- instructions

void Stepper::show_instructions(std::size_t from, std::size_t to) {
  constexpr std::size_t kLineColumns = 10;
  const std::optional<std::size_t> next = next_event();
  for (std::size_t k = from; k < to; ++k) {
    const TraceInsn& insn = head().code[k];
    const bool is_next = next && history_.trace().events[*next].pc == insn.pc;
    const std::string left =
        (is_next                          ? "=>"
         : breakpoint_at(lines_.of(insn)) ? " b"
                                          : "  ") +
        right_aligned(std::to_string(insn.pc), 4) + "  " +
        fitted(line_words(insn.pc), std::max(kLineColumns, columns_of(line_words(insn.pc)) + 1), "");
    say(left + insn.text, columns_of(left));
  }
}

// "$pc", "$pc+2", "7"; without, on behind the last one.
void Stepper::examine_instructions(std::string_view rest, std::uint64_t count) {
  std::uint64_t from = examined_pc_.value_or(0);
  if (rest.starts_with("$pc") || (rest.empty() && !examined_pc_)) {
    const std::optional<std::size_t> next = next_event();
    if (!next) return refuse("This warp comes to no instruction any more.", "이 Warp에는 더 실행할 명령이 없습니다.");
    from = static_cast<std::uint64_t>(history_.trace().events[*next].pc);
    rest.remove_prefix(std::min<std::size_t>(3, rest.size()));
    rest = trimmed(rest);
    if (rest.starts_with("+")) {
      const std::optional<std::uint64_t> by = parse_number(trimmed(rest.substr(1)));
      if (by) rest = "";
      from += by.value_or(0);
    }
  } else if (const std::optional<std::uint64_t> number = parse_number(rest)) {
    from = *number;
    rest = "";
  }
  if (!rest.empty() || from >= head().code.size())
    return refuse("x/i wants the number of an instruction, from 0 to $1, or $pc.",
                  "x/i에는 0부터 $1까지의 명령 번호나 $pc를 씁니다.", {std::to_string(head().code.size() - 1)});
  const std::size_t to = static_cast<std::size_t>(from + std::min<std::uint64_t>(count, head().code.size() - from));
  show_instructions(static_cast<std::size_t>(from), to);
  examined_pc_ = to;
}

void Stepper::disassemble(std::string_view rest) {
  if (format_.find_first_not_of("msr") != std::string::npos)
    return refuse("disassemble takes no format: /$1.", "disassemble 뒤에는 형식을 쓰지 않습니다: /$1.", {format_});
  const std::size_t count = head().code.size(), comma = std::min(rest.find(','), rest.size());
  const std::optional<std::uint64_t> first = rest.empty() ? 0 : parse_number(trimmed(rest.substr(0, comma)));
  const std::optional<std::uint64_t> last =
      comma < rest.size() ? parse_number(trimmed(rest.substr(comma + 1))) : std::optional<std::uint64_t>(count - 1);
  if (!first || !last || *first > *last || *first >= count)
    return refuse("disassemble wants numbers of instructions, from 0 to $1: disassemble, disassemble 4,9.",
                  "disassemble에는 0부터 $1까지의 명령 번호를 씁니다: disassemble, disassemble 4,9.",
                  {std::to_string(count - 1)});
  show_instructions(static_cast<std::size_t>(*first),
                    static_cast<std::size_t>(std::min<std::uint64_t>(*last, count - 1) + 1));
}

}  // namespace warpsim::tools
