// The lines that a Mojo GPU Puzzle prints.
//
// Shapes: WARP_SIZE, SIZE (SIZE_2 where there are several blocks), each output, what was expected, the other scalar
//         parameters, the verdict.
// Units:  SIZE counts elements.
// Errors: none.
// Source: the expected outputs of Mojo GPU Puzzles 25 and 26.
#include <algorithm>
#include <cstdio>

#include "traces/text/text_renderer.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

const Array* find_array(const std::vector<std::pair<std::string, Array>>& list, std::string_view name) {
  for (const auto& [key, array] : list) {
    if (key == name) return &array;
  }
  return nullptr;
}

bool is_undefined(const UndefinedElements* list, std::size_t index) {
  return list != nullptr && std::binary_search(list->index.begin(), list->index.end(), index);
}

std::string size_text(const RunFacts& facts) {
  for (const RunFacts::Scalar& param : facts.params) {
    if (param.name == "size") return element_value(param.type, param.bits);
  }
  return facts.outputs.empty() ? "0" : std::to_string(facts.outputs[0].second.bits.size());
}

// "output[3] is 4.0, expected 5.0 (2 of 32 differ)"
std::string first_difference(const RunFacts& facts, Language language) {
  for (const auto& [name, expected] : facts.expected) {
    const Array* actual = find_array(facts.outputs, name);
    if (actual == nullptr) return say(language, Phrase::NotWritten, {name});
    if (actual->bits.size() != expected.bits.size())
      return say(language, Phrase::WrongLength,
                 {name, std::to_string(actual->bits.size()), std::to_string(expected.bits.size())});
    const UndefinedElements* undefined = find_undefined(facts.undefined, name);
    std::size_t first = expected.bits.size(), count = 0;
    for (std::size_t k = 0; k < expected.bits.size(); ++k) {
      if (actual->bits[k] == expected.bits[k] && !is_undefined(undefined, k)) continue;
      first = std::min(first, k);
      ++count;
    }
    if (count == 0) continue;
    const std::string value = is_undefined(undefined, first) ? say(language, Phrase::IsUndefined)
                                                             : element_value(actual->type, actual->bits[first]);
    return say(language, Phrase::Differs,
               {name, std::to_string(first), value, element_value(expected.type, expected.bits[first]),
                std::to_string(count), std::to_string(expected.bits.size())});
  }
  return say(language, Phrase::NotClean);
}

}  // namespace

const UndefinedElements* find_undefined(const std::vector<UndefinedElements>& list, std::string_view name) {
  for (const UndefinedElements& one : list) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

std::string element_value(Type type, std::uint64_t bits) {
  if (!is_untyped(type)) return format_value(type, bits);
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", warpsim::bits(type) / 4, static_cast<unsigned long long>(bits));
  return text;
}

std::string array_text(const Array& array, const UndefinedElements* undefined) {
  std::string text = "[";
  for (std::size_t k = 0; k < array.bits.size(); ++k) {
    if (k != 0) text += ", ";
    text += is_undefined(undefined, k) ? "?" : element_value(array.type, array.bits[k]);
  }
  return text + "]";
}

RunFacts run_facts(const TraceHead& head, const TraceOutcome& outcome, const Translations* translations) {
  RunFacts facts;
  facts.title = head.title.empty() ? head.program : head.title;
  if (translations != nullptr) facts.title = std::string(translations->of(facts.title));
  facts.lanes = head.lanes;
  facts.blocks = head.grid.count();
  for (const TraceParam& param : head.params) {
    if (!param.is_buffer()) facts.params.push_back({param.name, param.type, param.bits});
  }
  facts.outputs = outcome.outputs;
  facts.expected = outcome.expected;
  facts.undefined = outcome.undefined;
  facts.passed = outcome.passed;
  return facts;
}

std::string render_verdict(const RunFacts& facts, Language language) {
  if (!facts.passed) return "";
  if (*facts.passed) return say(language, Phrase::Passed, {facts.title});
  return say(language, Phrase::Failed, {facts.title, first_difference(facts, language)});
}

std::string render_run(const RunFacts& facts, bool ascii, Language language) {
  std::string out = "WARP_SIZE:  " + std::to_string(facts.lanes) + "\n";
  out += (facts.blocks > 1 ? "SIZE_2:  " : "SIZE:  ") + size_text(facts) + "\n";
  for (const auto& [name, array] : facts.outputs)
    out += name + ": " + array_text(array, find_undefined(facts.undefined, name)) + "\n";
  for (const auto& [name, array] : facts.expected)
    out += (facts.expected.size() == 1 ? "expected: " : "expected " + name + ": ") + array_text(array) + "\n";
  for (const RunFacts::Scalar& param : facts.params) {
    if (param.name != "size") out += param.name + ": " + element_value(param.type, param.bits) + "\n";
  }
  const std::string verdict = render_verdict(facts, language);
  if (!verdict.empty()) out += verdict + "\n";
  return ascii ? to_ascii(out) : out;
}

}  // namespace warpsim
