#include "tools/support/counts_text.h"

#include "isa/table/exactness.h"
#include "isa/text/number_text.h"
#include "tools/support/json_object.h"

namespace warpsim::tools {

namespace {

constexpr std::size_t kNameColumns = 20;

std::string line(std::string name, const std::string& value) {
  name.resize(kNameColumns, ' ');
  return "  " + name + value + "\n";
}

std::string bytes_text(const ByteCounts& bytes) {
  return std::to_string(bytes.loaded) + " loaded, " + std::to_string(bytes.stored) + " stored";
}

std::string bytes_json(const ByteCounts& bytes) {
  return JsonObject().number("loaded", bytes.loaded).number("stored", bytes.stored).str();
}

}  // namespace

std::string exactness_text(const ExactnessCounts& counts) {
  std::string text;
  for (int k = 0; k < kExactnessCount; ++k)
    text += (k == 0 ? "" : ", ") + std::to_string(counts[static_cast<std::size_t>(k)]) + " " +
            std::string(name(static_cast<Exactness>(k)));
  return text;
}

std::string exactness_json(const ExactnessCounts& counts) {
  JsonObject json;
  for (int k = 0; k < kExactnessCount; ++k)
    json.number(name(static_cast<Exactness>(k)), counts[static_cast<std::size_t>(k)]);
  return json.str();
}

std::string counts_text(const Counts& counts, const RegisterCounts& registers) {
  std::string units;
  for (int k = 0; k < kUnitCount; ++k) {
    const std::uint64_t count = counts.by_unit[static_cast<std::size_t>(k)];
    if (count == 0) continue;
    units += (units.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name(static_cast<Unit>(k)));
  }
  std::string text = "counts:\n";
  text += line("instructions", std::to_string(counts.instructions) + (units.empty() ? "" : " (" + units + ")"));
  text += line("results", exactness_text(counts.by_exactness));
  text += line("shuffles", std::to_string(counts.shuffles));
  text += line("collectives", std::to_string(counts.collectives));
  text += line("votes", std::to_string(counts.votes));
  text += line("barriers", std::to_string(counts.barriers));
  text += line("divergent branches", std::to_string(counts.divergent_branches));
  text += line("global bytes", bytes_text(counts.global));
  if (counts.local != ByteCounts{}) text += line("local bytes", bytes_text(counts.local));
  text += line("shared bytes",
               bytes_text(counts.shared) + ", " + std::to_string(counts.shared_allocated) + " allocated a block");
  text +=
      line("registers", std::to_string(registers.words) + " of 32 bits, " + counted(registers.predicates, "predicate"));
  return text;
}

std::string counts_json(const Counts& counts, const RegisterCounts& registers) {
  JsonObject units;
  for (int k = 0; k < kUnitCount; ++k)
    units.number(name(static_cast<Unit>(k)), counts.by_unit[static_cast<std::size_t>(k)]);
  return JsonObject()
      .number("instructions", counts.instructions)
      .raw("by_unit", units.str())
      .raw("by_exactness", exactness_json(counts.by_exactness))
      .number("shuffles", counts.shuffles)
      .number("collectives", counts.collectives)
      .number("votes", counts.votes)
      .number("barriers", counts.barriers)
      .number("divergent_branches", counts.divergent_branches)
      .raw("global_bytes", bytes_json(counts.global))
      .raw("local_bytes", bytes_json(counts.local))
      .raw("shared_bytes", bytes_json(counts.shared))
      .number("shared_allocated", counts.shared_allocated)
      .raw("registers", JsonObject().number("words", registers.words).number("predicates", registers.predicates).str())
      .str();
}

}  // namespace warpsim::tools
