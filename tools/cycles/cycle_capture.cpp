#include "tools/cycles/cycle_capture.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "tools/support/json_object.h"

namespace warpsim::tools {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view kFormat = "warpsim-cycles", kFormatVersion = "1.0";

// Reads members and keeps the first fault, with the last place that was set.
struct Reader {
  std::string place, fault;

  std::string text(const Json& json, const char* name) {
    const Json* const found = member(json, name);
    if (found != nullptr && found->is_string()) return found->get<std::string>();
    refuse(found, "text", name);
    return "";
  }
  std::uint64_t number(const Json& json, const char* name) {
    const Json* const found = member(json, name);
    if (found != nullptr && found->is_number_unsigned()) return found->get<std::uint64_t>();
    refuse(found, "whole number", name);
    return 0;
  }

 private:
  static const Json* member(const Json& json, const char* name) {
    const auto found = json.is_object() ? json.find(name) : json.end();
    return !json.is_object() || found == json.end() ? nullptr : &*found;
  }
  void refuse(const Json* found, const std::string& expected, const char* name) {
    if (!fault.empty()) return;
    fault = place + "\"" + name + "\" should be a " + expected + ", ";
    fault += found == nullptr ? "but is missing" : "not " + found->dump(-1, ' ', false, Json::error_handler_t::replace);
  }
};

// "it is no JSON from line 2, column 61 on", with what it was read as far as there.
std::optional<Json> parsed(std::string_view text, std::string& why) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::string_view read = text.substr(0, std::max<std::size_t>(error.byte, 1) - 1);
    const std::size_t line = 1 + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'));
    const std::size_t column = read.size() - (read.rfind('\n') + 1) + 1;  // npos + 1 is 0
    why = "it is no JSON from line " + std::to_string(line) + ", column " + std::to_string(column) + " on";
    return std::nullopt;
  }
}

CapturedCycles read_kernel(const Json& row, Reader& reader) {
  CapturedCycles kernel;
  kernel.name = reader.text(row, "name");
  if (!kernel.name.empty()) reader.place += "(" + kernel.name + ") ";
  kernel.warps = static_cast<unsigned>(reader.number(row, "warps"));
  kernel.median = reader.number(row, "cycles");
  kernel.least = reader.number(row, "least");
  kernel.most = reader.number(row, "most");
  kernel.ptx = reader.text(row, "ptx");
  kernel.code = reader.text(row, "code");
  return kernel;
}

}  // namespace

void set_cycles(CapturedCycles& kernel, std::vector<std::uint64_t> cycles) {
  if (cycles.empty()) return;
  std::sort(cycles.begin(), cycles.end());
  kernel.least = cycles.front();
  kernel.median = cycles[cycles.size() / 2];
  kernel.most = cycles.back();
}

std::string to_json(const CycleCapture& capture) {
  JsonObject head;
  head.text("format", kFormat).text("version", kFormatVersion).text("device", capture.device);
  head.number("target", capture.target).text("driver", capture.driver).text("date", capture.date);
  head.text("command", capture.command).number("launches", capture.launches);
  std::string text = head.str();
  text.pop_back();
  text += ", \"kernels\": [";
  const char* before = "\n";
  for (const auto& [name, kernel] : capture.kernels) {
    JsonObject row;
    row.text("name", name).number("warps", kernel.warps).number("cycles", kernel.median);
    row.number("least", kernel.least).number("most", kernel.most).text("ptx", kernel.ptx).text("code", kernel.code);
    text += std::exchange(before, ",\n") + row.str();
  }
  return text + "\n]}\n";
}

std::variant<CycleCapture, std::string> read_cycle_capture(std::string_view text) {
  std::string why;
  const std::optional<Json> read = parsed(text, why);
  if (!read) return why;
  const Json& json = *read;
  Reader reader;
  if (const std::string format = reader.text(json, "format"); format != kFormat)
    return "it is no capture of cycles: " +
           (reader.fault.empty() ? "its \"format\" is \"" + format + "\", not \"" + std::string(kFormat) + "\""
                                 : reader.fault);
  CycleCapture capture;
  const std::string version = reader.text(json, "version");
  if (!reader.fault.empty()) return reader.fault;
  if (version.substr(0, version.find('.')) != kFormatVersion.substr(0, kFormatVersion.find('.')))
    return "it has version " + version + ", and " + std::string(kFormatVersion) + " can be read";
  capture.device = reader.text(json, "device");
  capture.target = static_cast<unsigned>(reader.number(json, "target"));
  capture.driver = reader.text(json, "driver");
  capture.date = reader.text(json, "date");
  capture.command = reader.text(json, "command");
  capture.launches = static_cast<unsigned>(reader.number(json, "launches"));
  if (!json.contains("kernels") || !json["kernels"].is_array()) return std::string("there is no list \"kernels\"");
  for (std::size_t k = 0; k < json["kernels"].size() && reader.fault.empty(); ++k) {
    reader.place = "kernels[" + std::to_string(k) + "] ";
    CapturedCycles kernel = read_kernel(json["kernels"][k], reader);
    capture.kernels[kernel.name] = std::move(kernel);
  }
  if (!reader.fault.empty()) return reader.fault;
  return capture;
}

}  // namespace warpsim::tools
