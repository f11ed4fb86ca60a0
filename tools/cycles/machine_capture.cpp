#include "tools/cycles/machine_capture.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "isa/text/lines.h"
#include "isa/text/number_text.h"
#include "tools/cuda/benchmarks/sample_jobs.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/cycle_capture.h"
#include "tools/support/base64.h"
#include "tools/support/compression.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

std::string captured_machine_code_text();  // captured_machine_code.cpp.in

namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view kMachineFormat = "warpsim-machine-cycles", kMachineVersion = "1.0";
constexpr std::size_t kDigits = 16;        // of half a word
constexpr std::size_t kLineBytes = 12000;  // of packed code

// ---- code: "HASH REGISTERS SHARED WORDS…", a line each

std::string text_of(const std::map<std::string, sass::CodeSection>& codes) {
  std::string text;
  for (const auto& [hash, code] : codes) {
    text += hash + " " + std::to_string(code.registers) + " " + std::to_string(code.shared_bytes);
    for (const sass::CodeWord& one : code.words)
      text += " " + hex_digits(one.word.high, kDigits) + hex_digits(one.word.low, kDigits);
    text += "\n";
  }
  return text;
}

template <class Number>
bool read_number(std::string_view text, Number& value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

// The text up to the next blank, which goes too.
std::string_view take_field(std::string_view& line) {
  const std::string_view field = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(line.size(), field.size() + 1));
  return field;
}

bool read_code(std::string_view line, std::map<std::string, sass::CodeSection>& codes) {
  sass::CodeSection& code = codes[std::string(take_field(line))];
  code.is_entry = true;
  bool good = read_number(take_field(line), code.registers) && read_number(take_field(line), code.shared_bytes);
  while (good && !line.empty()) {
    const std::string_view digits = take_field(line);
    sass::Word& word = code.words.emplace_back().word;
    good = digits.size() == 2 * kDigits && read_number(digits.substr(0, kDigits), word.high, 16) &&
           read_number(digits.substr(kDigits), word.low, 16);
  }
  return good && !code.words.empty();
}

std::string packed(const std::string& plain) {
  Compressor compressor(Compression::Zstd);
  std::string bytes;
  compressor.add(plain, bytes);
  compressor.finish(bytes);
  const std::string text = base64(bytes);
  std::string list = "[";
  for (std::size_t at = 0; at < text.size(); at += kLineBytes)
    list += (at == 0 ? "\n" : ",\n") + json_text(text.substr(at, kLineBytes));
  return list + "]";
}

// "" or what is wrong.
std::string unpack(const Json& lines, std::string& unpacked) {
  std::string text;
  for (const Json& line : lines) text += line.get<std::string>();
  const std::optional<std::string> bytes = unbase64(text);
  if (!bytes) return " is no text of base64";
  Decompressor decompressor([&unpacked](std::string_view piece) { return unpacked += piece, true; });
  if (!decompressor.add(*bytes) || !decompressor.finish()) return ": " + decompressor.error();
  return "";
}

std::string unpack_codes(const Json& lines, std::map<std::string, sass::CodeSection>& codes) {
  std::string unpacked;
  if (const std::string why = unpack(lines, unpacked); !why.empty()) return "\"code\"" + why;
  for (const std::string_view line : lines_of(unpacked))
    if (!line.empty() && !read_code(line, codes)) return "\"code\" has a line that is no machine code";
  return "";
}

// ---- the L2 map: "FIRST AGAIN", a line each piece

std::string text_of(const L2Map& map) {
  std::string text;
  for (std::size_t k = 0; k < map.first.size(); ++k)
    text += std::to_string(map.first[k]) + " " + std::to_string(map.again[k]) + "\n";
  return text;
}

std::string unpack_l2(const Json& lines, L2Map& map) {
  std::string unpacked;
  if (const std::string why = unpack(lines, unpacked); !why.empty()) return "\"l2\"" + why;
  for (std::string_view line : lines_of(unpacked)) {
    if (line.empty()) continue;
    if (!read_number(take_field(line), map.first.emplace_back()) || !read_number(line, map.again.emplace_back()))
      return "\"l2\" has a line that is no pair of numbers";
  }
  return "";
}

std::string row_of(const std::string& name, const MeasuredCode& kernel) {
  JsonObject row;
  row.text("name", name).number("warps", kernel.warps);
  if (kernel.place != 0) row.number("place", kernel.place);
  row.number("cycles", kernel.median).number("least", kernel.least).number("most", kernel.most);
  if (kernel.first != 0) row.number("first", kernel.first);
  return row.text("job", kernel.job).text("code", kernel.code).str();
}

MeasuredCode read_row(const Json& row) {
  MeasuredCode kernel;
  kernel.warps = row.at("warps").get<unsigned>();
  kernel.place = row.value("place", 0U);
  kernel.median = row.at("cycles").get<std::uint64_t>();
  kernel.least = row.at("least").get<std::uint64_t>();
  kernel.most = row.at("most").get<std::uint64_t>();
  kernel.first = row.value("first", std::uint64_t{0});
  kernel.job = row.at("job").get<std::string>();
  kernel.code = row.at("code").get<std::string>();
  return kernel;
}

std::string read_head(const Json& json, MachineCapture& capture) {
  if (!json.is_object() || json.value("format", "") != kMachineFormat)
    return "it is no capture of machine code's cycles: its \"format\" is not \"" + std::string(kMachineFormat) + "\"";
  const std::string version = json.value("version", "");
  if (version.substr(0, 2) != kMachineVersion.substr(0, 2))
    return "it has version " + version + ", and " + std::string(kMachineVersion) + " can be read";
  const std::pair<const char*, std::string*> texts[] = {{"device", &capture.device},
                                                        {"driver", &capture.driver},
                                                        {"compiler", &capture.compiler},
                                                        {"date", &capture.date},
                                                        {"command", &capture.command}};
  for (const auto& [name, text] : texts) *text = json.at(name).get<std::string>();
  capture.target = json.at("target").get<unsigned>();
  capture.launches = json.at("launches").get<unsigned>();
  return "";
}

}  // namespace

std::string job_hash(const MachineJob& job) {
  std::string all = job.source + " " + job.entry;
  if (job.grid.count() != 1)
    for (const std::uint32_t number : {job.grid.x, job.grid.y, job.grid.z}) all += " " + std::to_string(number);
  for (const std::uint64_t number : {std::uint64_t{job.block.x}, std::uint64_t{job.block.y}, std::uint64_t{job.block.z},
                                     std::uint64_t{job.shared_bytes}, std::uint64_t{job.cold}})
    all += " " + std::to_string(number);
  all += "\n" + job.params;
  for (const JobBuffer& buffer : job.buffers)
    all += "\n" + buffer.name + " " + std::to_string(buffer.param_offset) + " " + *buffer.before;
  return hash_of(all);
}

void set_l2(MachineCapture& capture, L2Map cycles) {
  if (cycles.again.empty()) return;
  // A line of the other half comes up to some 200 cycles later the first time. Of so much memory L2 has lost a few
  // lines since the copy, near and far ones: they come from DRAM, another 260 cycles later, as they do not for a job.
  constexpr int kMostFar = 220, kLost = 260;
  for (std::size_t k = 0; k < cycles.first.size(); ++k)
    if (cycles.first[k] > cycles.again[k] + kMostFar)
      cycles.first[k] = static_cast<std::uint16_t>(cycles.first[k] - kLost);
  const std::uint16_t nearest = *std::min_element(cycles.again.begin(), cycles.again.end());
  for (std::vector<std::uint16_t>* const all : {&cycles.first, &cycles.again})
    for (std::uint16_t& one : *all) one = static_cast<std::uint16_t>(std::max(one, nearest) - nearest);
  capture.l2 = std::move(cycles);
  for (auto& [name, kernel] : capture.kernels) kernel.place = 0;
}

std::string add_measured(MachineCapture& capture, const MachineJob& job, std::vector<std::uint64_t> cycles,
                         bool is_placed) {
  const std::string hash = hash_of(*job.code);
  if (capture.codes.count(hash) == 0 && !is_sample(job.name)) {
    const auto read = sass::read_cubin(std::as_bytes(std::span(*job.code)));
    if (const auto* const error = std::get_if<sass::CubinError>(&read)) return error->message;
    const sass::Cubin& cubin = std::get<sass::Cubin>(read);
    const auto section = std::find_if(cubin.sections.begin(), cubin.sections.end(),
                                      [&job](const auto& one) { return one.is_entry && one.name == job.entry; });
    if (section == cubin.sections.end()) return "its machine code has no kernel " + job.entry;
    capture.compiler = cubin.compiler;
    sass::CodeSection& code = capture.codes[hash];
    code.is_entry = true;
    code.registers = section->registers;
    code.shared_bytes = section->shared_bytes;
    for (const sass::CodeWord& one : section->words) code.words.emplace_back().word = one.word;
  }
  MeasuredCode& kernel = capture.kernels[job.name] = {job.warps, 0, 0, 0, 0, job_hash(job), hash};
  // Launch 0 warmed up.
  if (is_placed)
    kernel.place = 1 + static_cast<unsigned>(std::min_element(cycles.begin(), cycles.end()) - cycles.begin());
  CapturedCycles sorted;
  set_cycles(sorted, std::move(cycles));
  kernel.median = sorted.median;
  kernel.least = sorted.least;
  kernel.most = sorted.most;
  return "";
}

std::string add_first(MachineCapture& capture, const MachineJob& job, const std::vector<std::uint64_t>& cycles) {
  const auto found = capture.kernels.find(job.name);
  if (found == capture.kernels.end() || found->second.job != job_hash(job)) return "its other launches come before";
  if (found->second.code != hash_of(*job.code)) return "its machine code is another";
  found->second.first = *std::min_element(cycles.begin(), cycles.end());
  return "";
}

sass::Cubin cubin_of(const MachineCapture& capture, const MeasuredCode& kernel, const std::string& entry) {
  sass::Cubin cubin;
  cubin.target = capture.target;
  cubin.compiler = capture.compiler;
  const auto found = capture.codes.find(kernel.code);
  if (found == capture.codes.end()) return cubin;
  cubin.sections = {found->second};
  cubin.sections.front().name = entry;
  return cubin;
}

std::string to_json(const MachineCapture& capture) {
  std::string text = JsonObject()
                         .text("format", kMachineFormat)
                         .text("version", kMachineVersion)
                         .text("device", capture.device)
                         .number("target", capture.target)
                         .text("driver", capture.driver)
                         .text("compiler", capture.compiler)
                         .text("date", capture.date)
                         .text("command", capture.command)
                         .number("launches", capture.launches)
                         .raw("l2", packed(text_of(capture.l2)))
                         .raw("code", packed(text_of(capture.codes)))
                         .str();
  text.pop_back();
  text += ", \"kernels\": [";
  const char* before = "\n";
  for (const auto& [name, kernel] : capture.kernels) text += std::exchange(before, ",\n") + row_of(name, kernel);
  return text + "\n]}\n";
}

std::variant<MachineCapture, std::string> read_machine_capture(std::string_view text) {
  std::string place;
  try {
    const Json json = Json::parse(text);
    MachineCapture capture;
    if (std::string why = read_head(json, capture); !why.empty()) return why;
    if (std::string why = unpack_codes(json.at("code"), capture.codes); !why.empty()) return why;
    if (json.contains("l2"))
      if (std::string why = unpack_l2(json.at("l2"), capture.l2); !why.empty()) return why;
    for (const Json& row : json.at("kernels")) {
      const std::string name = row.at("name").get<std::string>();
      place = name + ": ";
      const MeasuredCode& kernel = capture.kernels[name] = read_row(row);
      if (capture.codes.count(kernel.code) == 0 && !is_sample(name)) return place + "there is no code " + kernel.code;
    }
    return capture;
  } catch (const Json::exception& error) {
    return "it is no capture of machine code's cycles: " + place + error.what();
  }
}

const MachineCapture& captured_machine_code() {
  static const MachineCapture capture = [] {
    auto read = read_machine_capture(captured_machine_code_text());
    MachineCapture* const good = std::get_if<MachineCapture>(&read);
    return good == nullptr ? MachineCapture{} : std::move(*good);
  }();
  return capture;
}

}  // namespace warpsim::tools
