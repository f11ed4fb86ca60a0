// See line_table.h.
#include "isa/sass/line_table.h"

#include <array>

namespace warpsim::sass {
namespace {

enum StandardOpcode : std::uint8_t {
  kCopy = 1,
  kAdvanceAddress,
  kAdvanceLine,
  kSetFile,
  kSetColumn,
  kNegateStatement,
  kSetBlock,
  kAdvanceByMost,
  kAdvanceFixed
};
enum ExtendedOpcode : std::uint8_t { kEndSequence = 1, kSetAddress = 2, kInlinedCall = 0x90 };
constexpr std::uint32_t kLongUnit = 0xffffffff;  // DWARF of 64 bits

struct UnitHead {
  std::uint8_t least_length = 1, range = 1, first_special = 10;
  std::int8_t least_advance = 0;
  std::array<std::uint8_t, 256> operands{};  // of each standard opcode
  std::vector<std::uint32_t> files;          // the table's number of each of the unit's
};

class LineTableReader {
 public:
  LineTableReader(Bytes bytes, const std::map<std::size_t, CodePlace>& addresses)
      : bytes_(bytes), addresses_(addresses) {}

  // "" or what is wrong.
  std::string read() {
    for (std::size_t at = 0; at < bytes_.size();) {
      Cursor cursor(bytes_, at);
      const auto length = cursor.number<std::uint32_t>();
      if (length == kLongUnit) return "is DWARF of 64 bits, which is not read";
      if (cursor.is_short() || length > cursor.left()) return "is cut off";
      const std::size_t end = cursor.at() + length;
      const std::string error = read_unit(Cursor(bytes_.first(end), cursor.at()));
      if (!error.empty()) return error;
      at = end;
    }
    return "";
  }
  LineTable& table() { return table_; }

 private:
  std::string read_unit(Cursor cursor) {
    const auto version = cursor.number<std::uint16_t>();
    if (version < 2 || version > 4) return "is of DWARF " + std::to_string(version) + ", which is not read";
    const auto length = cursor.number<std::uint32_t>();
    if (cursor.is_short() || length > cursor.left()) return "is cut off";
    const std::size_t program = cursor.at() + length;
    UnitHead head;
    head.least_length = cursor.byte();
    if (version >= 4) cursor.byte();  // operations in an instruction: one
    cursor.byte();                    // whether a row begins a statement
    head.least_advance = static_cast<std::int8_t>(cursor.byte());
    head.range = cursor.byte();
    head.first_special = cursor.byte();
    if (head.range == 0) return "has special opcodes that advance no line";
    for (unsigned k = 1; k < head.first_special; ++k) head.operands[k] = cursor.byte();
    read_files(cursor, head);
    if (cursor.is_short() || cursor.at() > program) return "is cut off";
    cursor.skip(program - cursor.at());
    run(cursor, head);
    return cursor.is_short() ? "is cut off" : "";
  }

  // Folders, then files, each list with an empty name at its end.
  void read_files(Cursor& cursor, UnitHead& head) {
    std::vector<std::string> folders = {""};
    for (std::string_view name = cursor.text(); !name.empty(); name = cursor.text()) folders.emplace_back(name);
    head.files = {0};
    for (std::string_view name = cursor.text(); !name.empty(); name = cursor.text()) {
      const std::uint64_t folder = cursor.unsigned_leb();
      cursor.unsigned_leb();  // when it was changed
      cursor.unsigned_leb();  // its length
      const bool is_whole = name.front() == '/' || folder == 0 || folder >= folders.size();
      table_.files.push_back((is_whole ? "" : folders[folder] + "/") + std::string(name));
      head.files.push_back(static_cast<std::uint32_t>(table_.files.size()));
    }
  }

  void run(Cursor& cursor, const UnitHead& head) {
    const std::size_t first_row = table_.rows.size();
    row_ = LineRow();
    restart(head);
    while (cursor.left() != 0) {
      const std::uint8_t opcode = cursor.byte();
      if (opcode >= head.first_special) {
        const unsigned by = opcode - head.first_special;
        advance(head, by / head.range);
        row_.line += static_cast<std::uint32_t>(head.least_advance + static_cast<int>(by % head.range));
        table_.rows.push_back(row_);
      } else if (opcode == 0) {
        run_extended(cursor, head, first_row);
      } else {
        run_standard(cursor, head, opcode);
      }
    }
  }

  void restart(const UnitHead& head) {
    row_ = LineRow();
    row_.file = head.files.size() > 1 ? head.files[1] : 0;
    row_.line = 1;
  }
  void advance(const UnitHead& head, std::uint64_t by) { row_.place.address += by * head.least_length; }

  void run_standard(Cursor& cursor, const UnitHead& head, std::uint8_t opcode) {
    switch (opcode) {
      case kCopy: table_.rows.push_back(row_); return;
      case kAdvanceAddress: return advance(head, cursor.unsigned_leb());
      case kAdvanceLine: row_.line += static_cast<std::uint32_t>(cursor.signed_leb()); return;
      case kSetFile: {
        const std::uint64_t file = cursor.unsigned_leb();
        row_.file = file < head.files.size() ? head.files[file] : 0;
        return;
      }
      case kAdvanceByMost: return advance(head, (255u - head.first_special) / head.range);
      case kAdvanceFixed: row_.place.address += cursor.number<std::uint16_t>(); return;
      default:
        for (unsigned k = 0; k < head.operands[opcode]; ++k) cursor.unsigned_leb();
    }
  }

  void run_extended(Cursor& cursor, const UnitHead& head, std::size_t first_row) {
    const std::uint64_t length = cursor.unsigned_leb();
    const std::size_t end = cursor.at() + static_cast<std::size_t>(std::min<std::uint64_t>(length, cursor.left()));
    if (length > cursor.left()) return cursor.skip(length);  // it is short
    Cursor inside(bytes_.first(end), cursor.at());
    cursor.skip(length);
    switch (length == 0 ? 0 : inside.byte()) {
      case kEndSequence:
        row_.is_end = true;
        table_.rows.push_back(row_);
        return restart(head);
      case kSetAddress: {
        const auto found = addresses_.find(inside.at());
        row_.place = found != addresses_.end() ? found->second : CodePlace{0, inside.number<std::uint64_t>()};
        return;
      }
      case kInlinedCall: {  // a call is in a row before; it counts from 1
        const std::uint64_t caller = inside.unsigned_leb();
        const bool is_before = caller != 0 && caller <= table_.rows.size() - first_row;
        row_.caller = is_before ? static_cast<std::uint32_t>(first_row + caller) : 0;
        return;
      }
      default: return;
    }
  }

  Bytes bytes_;
  const std::map<std::size_t, CodePlace>& addresses_;
  LineTable table_;
  LineRow row_;
};

}  // namespace

std::variant<LineTable, std::string> read_line_table(Bytes bytes, const std::map<std::size_t, CodePlace>& addresses) {
  LineTableReader reader(bytes, addresses);
  std::string error = reader.read();
  if (!error.empty()) return error;
  return std::move(reader.table());
}

}  // namespace warpsim::sass
