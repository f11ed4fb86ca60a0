// See listing.h.
#include "tools/sass/listing.h"

#include <algorithm>
#include <map>
#include <vector>

#include "isa/sass/decoder.h"
#include "isa/text/columns.h"
#include "isa/text/lines.h"
#include "isa/text/number_text.h"
#include "isa/text/word.h"
#include "tools/support/json_object.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

using sass::Control;
using sass::Instruction;

constexpr std::size_t kWidth = 80;
constexpr unsigned kScoreboards = 6, kOperandCaches = 4;
constexpr std::string_view kHead = "addr st y  sets   waits   instruction\n";

std::string scoreboard_text(char kind, unsigned number) {
  return number == sass::kNoScoreboard ? "--" : kind + std::to_string(number);
}

std::string control_text(const Control& control) {
  std::string waits;
  for (unsigned k = 0; k < kScoreboards; ++k)
    waits += (control.wait_mask >> k & 1) != 0 ? static_cast<char>('0' + k) : '-';
  return right_aligned(std::to_string(control.stall), 2) + (control.yields ? " y  " : " -  ") +
         scoreboard_text('w', control.write_scoreboard) + " " + scoreboard_text('r', control.read_scoreboard) + "  " +
         waits;
}

std::string stripped(std::string_view text) {
  std::string code(trimmed(text));
  std::replace(code.begin(), code.end(), '\t', ' ');
  return code;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "saxpy.cu 3: y[i] = a * x[i] + y[i];", of at most the terminal's width.
std::string source_line(const std::string& file, std::uint32_t line, const std::string& code) {
  const std::string text = file + " " + std::to_string(line) + (code.empty() ? "" : ": " + code);
  return (columns_of(text) > kWidth ? fitted(text, kWidth, "...") : text) + "\n";
}

// The sources of a cubin, a line at a time.
class Sources {
 public:
  Sources(const sass::Cubin& cubin, const SourceReader& reader) : cubin_(cubin), reader_(reader) {}

  // What stands above an instruction where its lines are others than those before.
  std::string above(const sass::CodeWord& word) {
    std::string text;
    if (word.cuda.line != 0 && word.cuda.file != 0 && (word.cuda.file != cuda_.file || word.cuda.line != cuda_.line)) {
      cuda_ = word.cuda;
      ptx_ = 0;
      const std::string& path = cubin_.files[cuda_.file - 1];
      text += source_line(base_name(path), cuda_.line, line_of(path, cuda_.line));
    }
    if (word.ptx_line != 0 && word.ptx_line != ptx_) {
      ptx_ = word.ptx_line;
      text += source_line("ptx", ptx_, ptx_ <= cubin_.ptx.size() ? stripped(cubin_.ptx[ptx_ - 1]) : "");
    }
    return text;
  }

 private:
  std::string line_of(const std::string& path, std::uint32_t line) {
    const auto [at, is_new] = texts_.try_emplace(path);
    if (is_new) {
      const std::string text = reader_(path).value_or("");
      for (const std::string_view one : lines_of(text)) at->second.push_back(stripped(one));
    }
    return line <= at->second.size() ? at->second[line - 1] : "";
  }

  const sass::Cubin& cubin_;
  const SourceReader& reader_;
  std::map<std::string, std::vector<std::string>> texts_;
  sass::CudaLine cuda_;
  std::uint32_t ptx_ = 0;
};

std::string head_of(const sass::Cubin& cubin, const sass::CodeSection& section, const std::vector<Instruction>& insns,
                    std::size_t padding) {
  std::string text = section.name + "\n" + counted(padding, "instruction") + " for sm_" + std::to_string(cubin.target);
  const auto unknown =
      std::count_if(insns.begin(), insns.end(), [](const Instruction& one) { return !one.is_whole(); });
  if (unknown != 0) text += ", " + std::to_string(unknown) + " not known";
  if (section.registers != 0) text += ", " + counted(section.registers, "register");
  if (const std::string version = compiler_version(cubin.compiler); !version.empty()) text += ", by ptxas " + version;
  return text + "\n";
}

std::string scoreboard_json(unsigned number) { return number == sass::kNoScoreboard ? "null" : std::to_string(number); }

std::string bits_json(unsigned bits, unsigned count) {
  std::vector<std::string> numbers;
  for (unsigned k = 0; k < count; ++k)
    if ((bits >> k & 1) != 0) numbers.push_back(std::to_string(k));
  return json_list(numbers);
}

void add_line(JsonObject& json, const sass::Cubin& cubin, std::string_view name, sass::CudaLine line) {
  if (line.file == 0) return;
  json.raw(name, JsonObject().text("file", cubin.files[line.file - 1]).number("line", line.line).str());
}

std::string instruction_json(const sass::Cubin& cubin, const sass::CodeWord& word, const Instruction& insn) {
  std::vector<std::string> operands;
  for (const sass::Operand& operand : insn.operands) operands.push_back(json_text(operand.text));
  const Control& control = insn.control;
  JsonObject json;
  json.number("address", insn.address)
      .text("word", hex_digits(word.word.high, 16) + hex_digits(word.word.low, 16))
      .text("text", text_of(insn))
      .boolean("known", insn.is_whole())
      .text("opcode", opcode_of(insn))
      .raw("operands", json_list(operands))
      .number("stall", control.stall)
      .boolean("yield", control.yields)
      .raw("write_scoreboard", scoreboard_json(control.write_scoreboard))
      .raw("read_scoreboard", scoreboard_json(control.read_scoreboard))
      .raw("waits", bits_json(control.wait_mask, kScoreboards))
      .raw("reuse", bits_json(control.reuse, kOperandCaches));
  if (word.ptx_line != 0) json.number("ptx_line", word.ptx_line);
  add_line(json, cubin, "cuda", word.cuda);
  add_line(json, cubin, "inlined", word.inlined);
  return json.str();
}

}  // namespace

std::string listing_of(const sass::Cubin& cubin, const sass::CodeSection& section, const SourceReader& source) {
  const std::vector<Instruction> insns = sass::decode(section);
  const std::size_t padding = sass::begin_of_padding(insns);
  std::string text = head_of(cubin, section, insns, padding) + "\n" + std::string(kHead);
  Sources sources(cubin, source);
  for (std::size_t k = 0; k < padding; ++k) {
    for (const sass::CodeLabel& label : section.labels)
      if (label.address == insns[k].address && label.name != section.name) text += label.name + ":\n";
    text += sources.above(section.words[k]);
    text += hex_digits(insns[k].address, 4) + " " + control_text(insns[k].control) + "  " + text_of(insns[k]) + "\n";
  }
  if (padding != insns.size())
    text +=
        hex_digits(padding * sass::kWordBytes, 4) + " and on: NOP, " + counted(insns.size() - padding, "time") + "\n";
  return text;
}

std::string listing_legend() {
  return "st     cycles until the warp's next instruction; y: rather another warp's then\n"
         "sets   w0: scoreboard 0 is up until the result is there; r1: scoreboard 1,\n"
         "       until the operands have been read\n"
         "waits  for these scoreboards to be down\n"
         ".reuse the operand stays at hand for the next instruction\n";
}

std::string json_of(const sass::Cubin& cubin, const sass::CodeSection& section) {
  const std::vector<Instruction> insns = sass::decode(section);
  std::vector<std::string> rows, labels;
  for (std::size_t k = 0; k < insns.size(); ++k) rows.push_back(instruction_json(cubin, section.words[k], insns[k]));
  for (const sass::CodeLabel& label : section.labels)
    labels.push_back(JsonObject().number("address", label.address).text("name", label.name).str());
  return JsonObject()
      .text("name", section.name)
      .boolean("kernel", section.is_entry)
      .number("target", cubin.target)
      .text("compiler", cubin.compiler)
      .number("registers", section.registers)
      .raw("labels", json_list(labels))
      .raw("instructions", json_list(rows))
      .str();
}

std::string compiler_version(std::string_view compiler) {
  const std::size_t at = compiler.rfind(", V");
  return at == std::string_view::npos ? "" : std::string(compiler.substr(at + 3));
}

}  // namespace warpsim::tools
