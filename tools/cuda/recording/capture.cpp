#include "tools/cuda/recording/capture.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "tools/support/json_object.h"
#include "traces/io/json_values.h"

namespace warpsim::tools {
namespace {

using Json = nlohmann::ordered_json;

class Hash {
 public:
  void byte(std::uint64_t b) { state_ = (state_ ^ (b & 0xff)) * 1099511628211U; }
  void word(std::uint64_t w) {
    for (int k = 0; k < 8; ++k) byte(w >> 8 * k);
  }
  std::string text() const {
    std::array<char, 20> out{};
    std::snprintf(out.data(), out.size(), "%016llx", static_cast<unsigned long long>(state_));
    return out.data();
  }

 private:
  std::uint64_t state_ = 1469598103934665603U;
};

std::string texts_json(const std::map<std::string, std::string>& texts) {
  JsonObject json;
  for (const auto& [name, text] : texts) json.text(name, text);
  return json.str();
}

// {"output": {"type": "f32", "values": […]}}
std::string arrays_json(const Arrays& arrays) {
  JsonObject json;
  for (const auto& [name, array] : arrays)
    json.raw(name, JsonObject().text("type", warpsim::name(array.type)).raw("values", array_to_json(array)).str());
  return json.str();
}

// Reads members and keeps the first fault.
struct Reader {
  std::string fault;

  const Json* member(const Json& json, const char* name, Json::value_t type) {
    const auto found = json.is_object() ? json.find(name) : json.end();
    if (!json.is_object() || found == json.end() || found->type() != type) {
      if (fault.empty()) fault = std::string("there is no member \"") + name + "\" of the kind it should be";
      return nullptr;
    }
    return &*found;
  }
  std::string text(const Json& json, const char* name) {
    const Json* found = member(json, name, Json::value_t::string);
    return found == nullptr ? "" : found->get<std::string>();
  }
  Arrays arrays(const Json& json, const char* name) {
    Arrays out;
    const Json* found = member(json, name, Json::value_t::object);
    if (found == nullptr) return out;
    for (const auto& [buffer, content] : found->items()) {
      const Type type = parse_type(text(content, "type"));
      const Json* values = member(content, "values", Json::value_t::array);
      if (values == nullptr) return out;
      auto read = array_from_json(values->dump(), type);
      if (const JsonError* error = std::get_if<JsonError>(&read)) {
        if (fault.empty()) fault = buffer + ": " + error->message;
        return out;
      }
      out.emplace_back(buffer, std::get<Array>(std::move(read)));
    }
    return out;
  }
  std::map<std::string, std::string> texts(const Json& json, const char* name) {
    std::map<std::string, std::string> out;
    if (const Json* found = member(json, name, Json::value_t::object))
      for (const auto& [key, value] : found->items())
        if (value.is_string()) out[key] = value.get<std::string>();
    return out;
  }
  CapturedRun run(const Json& json) {
    CapturedRun one;
    one.case_name = text(json, "case");
    if (const Json* lanes = member(json, "lanes", Json::value_t::number_unsigned)) one.lanes = lanes->get<unsigned>();
    one.rules = texts(json, "inputs");
    one.inputs_hash = text(json, "inputs_hash");
    one.outputs = arrays(json, "outputs");
    if (json.contains("hashes")) one.hashes = texts(json, "hashes");
    if (!json.contains("kernel")) return one;
    one.has_kernel = true;
    if (!json["kernel"].is_string()) one.kernel_outputs = arrays(json, "kernel");
    return one;
  }
};

}  // namespace

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 16> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%d", std::gmtime(&now));
  return date.data();
}

std::string hash_of(std::string_view text) {
  Hash hash;
  for (const char c : text) hash.byte(static_cast<unsigned char>(c));
  return hash.text();
}

std::string hash_of(const Array& array) {
  Hash hash;
  hash.word(array.bits.size());
  for (const std::uint64_t bits : array.bits) hash.word(bits);
  return hash.text();
}

std::string inputs_hash(const Program& program, const Arguments& arguments) {
  Hash hash;
  for (const Param& p : program.params) {
    if (p.is_buffer()) {
      const auto found = arguments.buffers.find(p.name);
      if (found == arguments.buffers.end()) continue;
      hash.word(found->second.bits.size());
      for (const std::uint64_t bits : found->second.bits) hash.word(bits);
    } else if (const auto found = arguments.scalars.find(p.name); found != arguments.scalars.end()) {
      hash.word(found->second);
    }
  }
  return hash.text();
}

std::map<std::string, std::string> input_rules(const Program& program, const Case& one) {
  std::map<std::string, std::string> rules;
  for (const CaseField& field : one.fields)
    if (program.find_param(field.key) >= 0) rules[field.key] = field.value;
  return rules;
}

std::string to_json(const Capture& capture) {
  std::string text = "{\"format\": \"warpsim-capture\", \"version\": \"1.0\", \"program\": ";
  append_json_string(text, capture.program);
  text += ", \"runs\": [";
  for (std::size_t k = 0; k < capture.runs.size(); ++k) {
    const CapturedRun& run = capture.runs[k];
    JsonObject json;
    json.text("case", run.case_name).number("lanes", run.lanes).raw("inputs", texts_json(run.rules));
    json.text("inputs_hash", run.inputs_hash).raw("outputs", arrays_json(run.outputs));
    if (!run.hashes.empty()) json.raw("hashes", texts_json(run.hashes));
    if (run.has_kernel && run.kernel_outputs.empty()) json.text("kernel", "the same");
    if (!run.kernel_outputs.empty()) json.raw("kernel", arrays_json(run.kernel_outputs));
    text += (k == 0 ? "\n" : ",\n") + json.str();
  }
  return text + "\n]}\n";
}

std::string to_json(const CaptureDevice& device) {
  std::vector<std::string> hashes;
  std::string ptx = "{";
  for (const auto& [run, hash] : device.ptx) {
    ptx += ptx.size() == 1 ? "\n  " : ",\n  ";
    append_json_string(ptx, run);
    ptx += ": \"" + hash + "\"";
  }
  return JsonObject()
             .text("device", device.device)
             .number("target", device.target)
             .text("driver", device.driver)
             .text("date", device.date)
             .raw("ptx", ptx + "\n}")
             .str() +
         "\n";
}

std::variant<Capture, std::string> read_capture(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::string("it is no JSON");
  Reader reader;
  if (reader.text(json, "format") != "warpsim-capture") return std::string("it is no capture of warpsim");
  if (const std::string version = reader.text(json, "version"); version.substr(0, 2) != "1.")
    return "its version is " + version + ", this warpsim reads 1.x";
  Capture capture;
  capture.program = reader.text(json, "program");
  if (const Json* runs = reader.member(json, "runs", Json::value_t::array))
    for (const Json& one : *runs) capture.runs.push_back(reader.run(one));
  if (!reader.fault.empty()) return reader.fault;
  return capture;
}

}  // namespace warpsim::tools
