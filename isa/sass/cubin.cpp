// See cubin.h.
#include "isa/sass/cubin.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "isa/sass/instruction.h"
#include "isa/sass/line_table.h"

namespace warpsim::sass {
namespace {

constexpr std::string_view kMagic =
    "\x7f"
    "ELF";
constexpr std::size_t kHeaderBytes = 64, kSectionBytes = 64, kSymbolBytes = 24, kRelocationBytes = 24;
constexpr std::uint8_t kElf64 = 2, kLowestFirst = 1;
constexpr std::uint16_t kCuda = 190;         // e_machine
constexpr std::uint8_t kTargetIsLowest = 7;  // versions of the ABI: where in e_flags the target is
constexpr std::uint8_t kTargetIsSecond = 8;
constexpr std::uint32_t kNoBits = 8, kSymbols = 2, kRelocations = 4, kNote = 7;  // sh_type
constexpr std::uint64_t kExecutable = 4;                                         // sh_flags
constexpr std::uint8_t kObject = 1, kFunction = 2;                               // a symbol's type
constexpr std::uint8_t kIsEntry = 0x10;                                          // in a symbol's st_other
constexpr std::uint32_t kAbsolute64 = 2;                                         // a relocation: an address of 64 bits
constexpr std::uint32_t kLowerHalf = 0x38, kUpperHalf = 0x39;                    // … into bits 32 to 63 of a word
constexpr std::uint32_t kToolNote = 2000;                                        // which tool made the file
constexpr std::uint8_t kFactOfBytes = 4, kRegisterCount = 0x2f;
constexpr std::string_view kCode = ".text.", kPtxLines = ".nv_debug_line_sass", kCudaLines = ".debug_line";
constexpr std::string_view kShared = ".nv.shared.", kConstants = ".nv.constant";
constexpr std::uint64_t kMostShared = 228 * 1024;  // of a block, on any GPU
constexpr unsigned kMostInlined = 64;              // functions within functions
constexpr std::uint64_t kMostLinesOfAWord = 8;     // of a file that is all code

struct Section {
  std::string_view name;
  std::uint32_t type = 0, info = 0;
  std::uint64_t flags = 0, size = 0;  // also of one without bytes in the file
  Bytes bytes;
};

struct Symbol {
  std::string_view name;
  bool is_function = false, is_entry = false, is_variable = false;
  CodePlace place;
  std::uint64_t size = 0;
};

Bytes part(Bytes bytes, std::uint64_t at, std::uint64_t size, bool& is_there) {
  is_there = at <= bytes.size() && size <= bytes.size() - at;
  return is_there ? bytes.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size)) : Bytes();
}

std::string_view name_at(Bytes names, std::uint64_t at) {
  return at < names.size() ? Cursor(names, static_cast<std::size_t>(at)).text() : std::string_view();
}

class CubinReader {
 public:
  explicit CubinReader(Bytes file) : file_(file) {}

  std::variant<Cubin, CubinError> read() {
    std::string error = read_head();
    if (error.empty()) error = read_sections();
    if (error.empty()) error = read_code();
    if (!error.empty()) return CubinError{error};
    read_symbols();
    read_banks();
    read_addresses();
    read_registers();
    read_compiler();
    read_lines();
    return std::move(cubin_);
  }

 private:
  std::string read_head() {
    if (!is_elf(file_)) return "it is no ELF file";
    if (file_.size() < kHeaderBytes) return "it is cut off within its header";
    if (Cursor(file_, 4).byte() != kElf64 || Cursor(file_, 5).byte() != kLowestFirst)
      return "it is an ELF file, but not one of 64 bits with the lowest byte first";
    const auto machine = Cursor(file_, 18).number<std::uint16_t>();
    if (machine != kCuda)
      return "it is an ELF file for a processor (number " + std::to_string(machine) + "), not for a GPU";
    const std::uint8_t version = Cursor(file_, 8).byte();
    const auto flags = Cursor(file_, 48).number<std::uint32_t>();
    if (version != kTargetIsLowest && version != kTargetIsSecond)
      return "it has version " + std::to_string(version) + " of NVIDIA's ELF; known are 7 and 8, of CUDA 12 and 13";
    cubin_.target = version == kTargetIsSecond ? flags >> 8 & 0xff : flags & 0xff;
    return "";
  }

  std::string read_sections() {
    const auto at = Cursor(file_, 40).number<std::uint64_t>();
    const auto bytes = Cursor(file_, 58).number<std::uint16_t>();
    const auto count = Cursor(file_, 60).number<std::uint16_t>();
    const auto names = Cursor(file_, 62).number<std::uint16_t>();
    bool is_there = false;
    const Bytes table = part(file_, at, std::uint64_t{count} * kSectionBytes, is_there);
    if (bytes != kSectionBytes || !is_there) return "its table of sections lies outside of the file";
    if (names >= count) return "its sections have no names";
    for (std::size_t k = 0; k < count; ++k) {
      Cursor row(table, k * kSectionBytes);
      Section& section = sections_.emplace_back();
      name_places_.push_back(row.number<std::uint32_t>());
      section.type = row.number<std::uint32_t>();
      section.flags = row.number<std::uint64_t>();
      row.skip(8);
      const auto begin = row.number<std::uint64_t>();
      const auto size = section.size = row.number<std::uint64_t>();
      row.skip(4);
      section.info = row.number<std::uint32_t>();
      section.bytes = part(file_, begin, section.type == kNoBits ? 0 : size, is_there);
      if (!is_there && section.type != kNoBits)
        return "section " + std::to_string(k) + " lies outside of the file, which has " + std::to_string(file_.size()) +
               " bytes";
    }
    for (std::size_t k = 0; k < count; ++k) {
      sections_[k].name = name_at(sections_[names].bytes, name_places_[k]);
      by_name_.emplace(sections_[k].name, k);  // the first of that name
      if (sections_[k].type == kRelocations) relocations_.emplace(sections_[k].info, k);
    }
    return "";
  }

  std::string read_code() {
    for (std::size_t k = 0; k < sections_.size(); ++k) {
      const Section& section = sections_[k];
      if ((section.flags & kExecutable) == 0 || !section.name.starts_with(kCode)) continue;
      if (section.bytes.size() % kWordBytes != 0)
        return "the code of " + std::string(section.name.substr(kCode.size())) + " has " +
               std::to_string(section.bytes.size()) + " bytes, which are no whole instructions of 16";
      CodeSection& code = cubin_.sections.emplace_back();
      code.name = section.name.substr(kCode.size());
      Cursor words(section.bytes);
      while (words.left() != 0) {
        CodeWord& word = code.words.emplace_back();
        word.word.low = words.number<std::uint64_t>();
        word.word.high = words.number<std::uint64_t>();
      }
      numbers_.push_back(static_cast<std::uint32_t>(k));
      const Section* const shared = by_name(std::string(kShared) + code.name);
      if (shared != nullptr && shared->size <= kMostShared)
        code.shared_bytes = static_cast<std::uint32_t>(shared->size);
    }
    return "";
  }

  // The code of a section of the file; null: it has none.
  CodeSection* code_in(std::uint32_t section) {
    const auto found = std::find(numbers_.begin(), numbers_.end(), section);
    return found == numbers_.end() ? nullptr : &cubin_.sections[static_cast<std::size_t>(found - numbers_.begin())];
  }

  void read_symbols() {
    const Section* const table = by_type(kSymbols);
    const Section* const names = by_name(".strtab");
    if (table == nullptr || names == nullptr) return;
    for (Cursor row(table->bytes); row.left() >= kSymbolBytes;) {
      Symbol symbol;
      symbol.name = name_at(names->bytes, row.number<std::uint32_t>());
      const unsigned type = row.byte() & 15;
      symbol.is_function = type == kFunction;
      symbol.is_variable = type == kObject;
      symbol.is_entry = (row.byte() & kIsEntry) != 0;
      symbol.place.section = row.number<std::uint16_t>();
      symbol.place.address = row.number<std::uint64_t>();
      symbol.size = row.number<std::uint64_t>();
      if (symbol.is_variable) variables_.emplace(symbol.place.section, symbols_.size());
      symbols_.push_back(symbol);
      CodeSection* const code = symbol.is_function ? code_in(symbol.place.section) : nullptr;
      if (code == nullptr) continue;
      code->labels.push_back({symbol.place.address, std::string(symbol.name)});
      if (symbol.is_entry && symbol.name == code->name) code->is_entry = true;
    }
    for (CodeSection& code : cubin_.sections)
      std::stable_sort(code.labels.begin(), code.labels.end(),
                       [](const CodeLabel& a, const CodeLabel& b) { return a.address < b.address; });
  }

  // .nv.constant4, .nv.constant2.KERNEL; bank 0 is the launch's.
  void read_banks() {
    for (std::size_t k = 0; k < sections_.size(); ++k) {
      const Section& section = sections_[k];
      if (!section.name.starts_with(kConstants)) continue;
      const std::string_view rest = section.name.substr(kConstants.size());
      if (rest.empty() || rest[0] < '1' || rest[0] > '9' || (rest.size() > 1 && rest[1] != '.')) continue;
      CodeBank& bank = cubin_.banks.emplace_back();
      bank.number = static_cast<std::uint8_t>(rest[0] - '0');
      bank.kernel = rest.substr(rest.size() > 1 ? 2 : 1);
      bank.bytes.assign(section.bytes.begin(), section.bytes.end());
      for_each_relocation(k, [&](std::uint64_t at, std::uint32_t type, const Symbol& symbol, std::uint64_t more) {
        const bool is_address = type == kAbsolute64 && symbol.is_variable;
        bank.references.push_back({at, is_address ? std::string(symbol.name) : "", static_cast<std::int64_t>(more)});
      });
      const auto [first, last] = variables_.equal_range(k);
      for (auto v = first; v != last; ++v) {
        const Symbol& symbol = symbols_[v->second];
        cubin_.constants.push_back({std::string(symbol.name), bank.number, symbol.place.address, symbol.size});
      }
    }
  }

  void read_addresses() {
    for (std::size_t k = 0; k < numbers_.size(); ++k)
      for_each_relocation(
          numbers_[k], [&](std::uint64_t at, std::uint32_t type, const Symbol& symbol, std::uint64_t more) {
            if ((type != kLowerHalf && type != kUpperHalf) || !symbol.is_variable || at % kWordBytes != 0) return;
            cubin_.sections[k].addresses.push_back(
                {at, std::string(symbol.name), static_cast<std::int64_t>(more), type == kUpperHalf});
          });
  }

  // What a linker would put into a section.
  template <class F>
  void for_each_relocation(std::size_t number, const F& f) {
    const auto [first, last] = relocations_.equal_range(number);
    for (auto k = first; k != last; ++k) {
      for (Cursor row(sections_[k->second].bytes); row.left() >= kRelocationBytes;) {
        const auto at = row.number<std::uint64_t>(), what = row.number<std::uint64_t>(),
                   more = row.number<std::uint64_t>();
        const std::uint64_t symbol = what >> 32;
        if (symbol < symbols_.size()) f(at, static_cast<std::uint32_t>(what), symbols_[symbol], more);
      }
    }
  }

  // .nv.info: facts, each a form, a kind, and 16 bits that are its value or, in form 4, how many bytes of it follow.
  void read_registers() {
    const Section* const facts = by_name(".nv.info");
    if (facts == nullptr) return;
    for (Cursor fact(facts->bytes); fact.left() != 0;) {
      const std::uint8_t form = fact.byte(), kind = fact.byte();
      const auto size = fact.number<std::uint16_t>();
      if (form != kFactOfBytes) continue;
      const std::size_t at = fact.at();
      fact.skip(size);
      if (kind != kRegisterCount || fact.is_short()) continue;
      Cursor value(facts->bytes, at);
      const auto symbol = value.number<std::uint32_t>(), registers = value.number<std::uint32_t>();
      if (symbol >= symbols_.size()) continue;
      CodeSection* const code = code_in(symbols_[symbol].place.section);
      if (code != nullptr && symbols_[symbol].name == code->name) code->registers = registers;
    }
  }

  // A note: the bytes of its owner's name, of what follows, and its kind; then both. ptxas's begins with two numbers
  // and where in the text behind them its name and its version are.
  void read_compiler() {
    for (const Section& section : sections_) {
      if (section.type != kNote) continue;
      Cursor note(section.bytes);
      const auto name_bytes = note.number<std::uint32_t>(), bytes = note.number<std::uint32_t>();
      if (note.number<std::uint32_t>() != kToolNote) continue;
      note.skip((std::uint64_t{name_bytes} + 3) / 4 * 4);
      bool is_there = false;
      const Bytes held = part(section.bytes, note.at(), bytes, is_there);
      if (note.is_short() || !is_there) continue;
      constexpr std::size_t kNumbers = 6 * 4, kVersion = 3 * 4;
      const auto version = Cursor(held, kVersion).number<std::uint32_t>();
      cubin_.compiler = name_at(held, std::uint64_t{version} + kNumbers);
    }
  }

  // ---- lines

  void read_lines() {
    if (const Section* const text = by_name(".nv_debug_ptx_txt"))
      for (Cursor lines(text->bytes); lines.left() != 0 && !lines.is_short();) cubin_.ptx.emplace_back(lines.text());
    if (const auto table = table_of(kPtxLines))
      for_each_word(kPtxLines, *table, [](CodeWord& word, const LineRow& row) { word.ptx_line = row.line; });
    const auto table = table_of(kCudaLines);
    if (!table) return;
    cubin_.files = table->files;
    for_each_word(kCudaLines, *table, [&rows = table->rows](CodeWord& word, const LineRow& row) {
      const LineRow* outer = &row;
      for (unsigned depth = 0; depth < kMostInlined && outer->caller != 0; ++depth) outer = &rows[outer->caller - 1];
      word.cuda = {outer->file, outer->line};
      word.inlined = outer == &row ? CudaLine{} : CudaLine{row.file, row.line};
    });
  }

  std::optional<LineTable> table_of(std::string_view name) {
    const Section* const section = by_name(name);
    if (section == nullptr) return std::nullopt;
    auto read = read_line_table(section->bytes, addresses_in(static_cast<std::size_t>(section - sections_.data())));
    if (auto* const table = std::get_if<LineTable>(&read)) return std::move(*table);
    cubin_.notes.push_back(std::string(name) + " " + std::get<std::string>(read) + "; the listing has no such lines");
    return std::nullopt;
  }

  // Addresses of code among them.
  std::map<std::size_t, CodePlace> addresses_in(std::size_t number) {
    std::map<std::size_t, CodePlace> places;
    for_each_relocation(number, [&](std::uint64_t at, std::uint32_t type, const Symbol& symbol, std::uint64_t more) {
      if (type != kAbsolute64) return;
      CodePlace place = symbol.place;
      place.address += more;
      places[static_cast<std::size_t>(at)] = place;
    });
    return places;
  }

  // Each instruction belongs to one row, or to a few that begin at one address.
  template <class Put>
  void for_each_word(std::string_view name, const LineTable& table, const Put& put) {
    std::uint64_t left = kMostLinesOfAWord * file_.size() / kWordBytes;
    for (std::size_t k = 0; k + 1 < table.rows.size(); ++k) {
      const LineRow &row = table.rows[k], &next = table.rows[k + 1];
      CodeSection* const code = row.is_end ? nullptr : code_in(row.place.section);
      if (code == nullptr || next.place.section != row.place.section) continue;
      const std::uint64_t end = std::min<std::uint64_t>(next.place.address / kWordBytes, code->words.size());
      for (std::uint64_t w = row.place.address / kWordBytes; w < end; ++w) {
        if (left-- == 0)
          return cubin_.notes.push_back(std::string(name) +
                                        " gives the same code line after line; the listing has the first of them");
        put(code->words[w], row);
      }
    }
  }

  const Section* by_name(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &sections_[found->second];
  }
  const Section* by_type(std::uint32_t type) const {
    const auto found =
        std::find_if(sections_.begin(), sections_.end(), [&](const Section& one) { return one.type == type; });
    return found == sections_.end() ? nullptr : &*found;
  }

  Bytes file_;
  std::vector<Section> sections_;
  std::vector<std::uint32_t> name_places_;
  std::map<std::string_view, std::size_t> by_name_;
  std::multimap<std::size_t, std::size_t> relocations_, variables_;  // by the section that they are of
  std::vector<std::uint32_t> numbers_;                               // of the sections that cubin_.sections are
  std::vector<Symbol> symbols_;
  Cubin cubin_;
};

}  // namespace

bool is_elf(Bytes bytes) {
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

bool is_cubin(Bytes bytes) { return is_elf(bytes) && Cursor(bytes, 18).number<std::uint16_t>() == kCuda; }

std::variant<Cubin, CubinError> read_cubin(Bytes bytes) { return CubinReader(bytes).read(); }

}  // namespace warpsim::sass
