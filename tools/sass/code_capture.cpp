// See code_capture.h.
#include "tools/sass/code_capture.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "isa/sass/instruction.h"
#include "isa/text/lines.h"
#include "isa/text/number_text.h"
#include "tools/cuda/recording/capture.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

std::string captured_code_text();  // code_capture_text.cpp.in

namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view kFormat = "warpsim-machine-code", kFormatVersion = "1.0";
constexpr std::size_t kDigits = 16;  // of half a word

bool read_digits(std::string_view text, std::uint64_t& half) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), half, 16);
  return error == std::errc() && end == text.data() + text.size();
}

std::string row_of(const std::string& name, const CapturedCode& code) {
  std::vector<std::string> words, lines, labels;
  for (const sass::CodeWord& one : code.section.words) {
    words.push_back(json_text(hex_digits(one.word.high, kDigits) + hex_digits(one.word.low, kDigits)));
    lines.push_back(std::to_string(one.ptx_line));
  }
  for (const sass::CodeLabel& label : code.section.labels)
    labels.push_back(JsonObject().number("address", label.address).text("name", label.name).str());
  return JsonObject()
      .text("name", name)
      .text("ptx", code.ptx)
      .number("registers", code.section.registers)
      .raw("labels", json_list(labels))
      .raw("lines", json_list(lines))
      .raw("words", json_list(words))
      .str();
}

// "" or what is wrong. A member of another type throws, and is caught where all are read.
std::string read_row(const Json& row, CapturedCode& code) {
  code.ptx = row.at("ptx").get<std::string>();
  code.section.is_entry = true;
  code.section.registers = row.at("registers").get<unsigned>();
  for (const Json& label : row.at("labels"))
    code.section.labels.push_back({label.at("address").get<std::uint64_t>(), label.at("name").get<std::string>()});
  code.section.name = code.section.labels.empty() ? "" : code.section.labels.front().name;
  const Json &words = row.at("words"), &lines = row.at("lines");
  if (!words.is_array() || !lines.is_array() || words.size() != lines.size())
    return "\"words\" and \"lines\" should be lists of the same length";
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string word = words[k].get<std::string>();
    sass::CodeWord& made = code.section.words.emplace_back();
    made.ptx_line = lines[k].get<std::uint32_t>();
    const std::string_view text = word;
    if (word.size() != 2 * kDigits || !read_digits(text.substr(0, kDigits), made.word.high) ||
        !read_digits(text.substr(kDigits), made.word.low))
      return "\"words\" should be texts of 32 hexadecimal digits, not \"" + word + "\"";
  }
  return "";
}

}  // namespace

std::string to_json(const CodeCapture& capture) {
  std::string text = JsonObject()
                         .text("format", kFormat)
                         .text("version", kFormatVersion)
                         .text("compiler", capture.compiler)
                         .number("target", capture.target)
                         .text("command", capture.command)
                         .str();
  text.pop_back();
  text += ", \"programs\": [";
  const char* before = "\n";
  for (const auto& [name, code] : capture.programs) text += std::exchange(before, ",\n") + row_of(name, code);
  return text + "\n]}\n";
}

std::variant<CodeCapture, std::string> read_code_capture(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.value("format", "") != kFormat) return "its \"format\" is not \"" + std::string(kFormat) + "\"";
    if (json.value("version", "").substr(0, 2) != kFormatVersion.substr(0, 2))
      return "it has version " + json.value("version", "") + ", and " + std::string(kFormatVersion) + " can be read";
    CodeCapture capture;
    capture.compiler = json.at("compiler").get<std::string>();
    capture.command = json.at("command").get<std::string>();
    capture.target = json.at("target").get<unsigned>();
    for (const Json& row : json.at("programs")) {
      const std::string name = row.at("name").get<std::string>();
      const std::string error = read_row(row, capture.programs[name]);
      if (!error.empty()) return name + ": " + error;
    }
    return capture;
  } catch (const Json::exception& error) {
    return "it is no capture of machine code: " + std::string(error.what());
  }
}

const CodeCapture& captured_code() {
  static const CodeCapture capture = [] {
    auto read = read_code_capture(captured_code_text());
    CodeCapture* const good = std::get_if<CodeCapture>(&read);
    return good == nullptr ? CodeCapture{} : std::move(*good);
  }();
  return capture;
}

const CapturedCode* captured_code_of(std::string_view ptx) {
  const std::string hash = hash_of(ptx);
  const auto& programs = captured_code().programs;
  const auto found =
      std::find_if(programs.begin(), programs.end(), [&hash](const auto& one) { return one.second.ptx == hash; });
  return found == programs.end() ? nullptr : &found->second;
}

sass::Cubin cubin_of(const CapturedCode& code, std::string_view ptx) {
  sass::Cubin cubin;
  cubin.target = captured_code().target;
  cubin.compiler = captured_code().compiler;
  cubin.sections = {code.section};
  for (const std::string_view line : lines_of(ptx)) cubin.ptx.emplace_back(line);
  return cubin;
}

}  // namespace warpsim::tools
