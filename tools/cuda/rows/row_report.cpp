#include "tools/cuda/rows/row_report.h"

#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "tools/support/json_object.h"

namespace warpsim::rows {
namespace {

using tools::JsonObject;

std::string hex(std::uint64_t value) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%llx", static_cast<unsigned long long>(value));
  return text.data();
}
std::string hex(const std::vector<std::uint64_t>& values, const char* between) {
  std::string text;
  for (const std::uint64_t value : values) text += (text.empty() ? "" : between) + hex(value);
  return text;
}
std::string json_of(const std::vector<std::uint64_t>& values) {
  std::vector<std::string> items;
  for (const std::uint64_t value : values) items.push_back("\"" + hex(value) + "\"");
  return tools::json_list(items);
}

constexpr std::array<std::string_view, 3> kPatterns = {"mixed", "every", "fractions"};

bool is_refused(const JobResult& result) { return !result.witness_refuses.empty() || !result.machine_refuses.empty(); }
bool is_refused_by_one(const JobResult& result) {
  return result.witness_refuses.empty() != result.machine_refuses.empty();
}

// PTX's own names for halves and pairs in moves, loads and stores are b16 and b32; the table has theirs too.
bool is_own_name(const Job& job) {
  const Type t = job.instruction.type;
  const Lift lift = job.instruction.row->lift;
  const bool moves = lift == Lift::Load || lift == Lift::Store || has_trait(*job.instruction.row, kCopies | kSelects);
  return moves && (contains(kHalfFloat, t) || is_pair(t));
}

}  // namespace

std::string class_of(const Instruction& i) {
  switch (i.row->lift) {
    case Lift::Shuffle: return "shuffle";
    case Lift::Vote: return "vote";
    case Lift::Match: return "match";
    case Lift::Redux: return "redux";
    case Lift::BarrierReduce: return "bar.red";
    case Lift::Atomic: return i.row->space == AddressSpace::Shared ? "atomic, shared" : "atomic, global";
    case Lift::Load: return "load";
    case Lift::Store: return "store";
    case Lift::Pack:
    case Lift::Unpack: return "pack";
    default: break;
  }
  if (i.row->form == Form::DAcvt) return "cvt";
  const std::string unit(name(unit_of(*i.row, i.type)));
  if (is_pair(i.type)) return unit + ", pairs";
  return is_float(i.type) ? unit + ", " + std::string(name(i.type)) : unit + ", integer";
}

std::string job_name(const Job& job) {
  const std::string name = line_name(job.instruction);
  return job.signature.constant == Signature::kNoConstant ? name : name + " 0x" + hex(job.constant);
}

std::string json_line(const Job& job, const JobResult& result) {
  JsonObject json;
  json.text("opcode", line_name(job.instruction)).text("class", class_of(job.instruction));
  json.text("pattern", kPatterns[static_cast<std::size_t>(job.draw.pattern)]);
  if (job.signature.constant != Signature::kNoConstant) json.number("constant", job.constant);
  json.number("tuples", result.compared).number("differing", result.differing);
  if (result.first) {
    json.raw("first", JsonObject()
                          .number("index", result.first->index)
                          .raw("operands", json_of(result.first->operands))
                          .raw("witness", json_of(result.first->witness))
                          .raw("machine", json_of(result.first->machine))
                          .str());
  }
  if (is_refused(result)) {
    JsonObject refused;
    if (!result.witness_refuses.empty()) refused.text("witness", result.witness_refuses);
    if (!result.machine_refuses.empty()) refused.text("machine", result.machine_refuses);
    json.raw("refused", refused.str());
  }
  return json.str();
}

std::string text_line(const Job& job, const JobResult& result) {
  if (is_refused_by_one(result) && !is_own_name(job)) {
    return job_name(job) + ": only the " + (result.witness_refuses.empty() ? "machine" : "witness") +
           " refuses it: " + result.witness_refuses + result.machine_refuses;
  }
  if (!result.first) return "";
  return job_name(job) + ": " + std::to_string(result.differing) + " of " + std::to_string(result.compared) +
         " differ, first " + std::to_string(result.first->index) + ": " + hex(result.first->operands, " ") +
         " -> witness " + hex(result.first->witness, " ") + ", machine " + hex(result.first->machine, " ");
}

void Totals::add(const Job& job, const JobResult& result) {
  if (!text_line(job, result).empty()) ++findings_;
  if (is_refused(result)) {
    refused_.insert(line_name(job.instruction));
    return;
  }
  Class& c = classes_[class_of(job.instruction)];
  c.opcodes.insert(line_name(job.instruction));
  c.tuples += result.compared;
  c.differing += result.differing;
}

std::string Totals::table() const {
  std::string text = "| class | opcodes | tuples | differing |\n|---|---:|---:|---:|\n";
  Class all;
  std::size_t opcodes = 0;
  const auto add = [&text](const std::string& name, std::size_t count, const Class& c) {
    text += "| " + name + " | " + std::to_string(count) + " | " + std::to_string(c.tuples) + " | " +
            std::to_string(c.differing) + " |\n";
  };
  for (const auto& [name, c] : classes_) {
    add(name, c.opcodes.size(), c);
    opcodes += c.opcodes.size();
    all.tuples += c.tuples;
    all.differing += c.differing;
  }
  add("all", opcodes, all);
  return text + std::to_string(refused_.size()) + " opcodes are not in PTX\n";
}

std::string Totals::json(const std::string& witness, std::uint64_t seed, const std::string& stopped) const {
  JsonObject json, classes;
  for (const auto& [name, c] : classes_) {
    classes.raw(name, JsonObject()
                          .number("opcodes", c.opcodes.size())
                          .number("tuples", c.tuples)
                          .number("differing", c.differing)
                          .str());
  }
  json.text("witness", witness).number("seed", seed).raw("classes", classes.str());
  if (!stopped.empty()) json.text("stopped", stopped);
  return json.str();
}

}  // namespace warpsim::rows
