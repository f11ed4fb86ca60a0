// The Korean of the programs: complete, in use, with every placeholder, in columns, and the same numbers as the
// English.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "isa/program/expand.h"
#include "programs/embedded.h"
#include "tests/support/program_run.h"
#include "traces/sentence/notes.h"
#include "traces/sentence/phase_titles.h"
#include "traces/text/text_renderer.h"
#include "traces/words/korean.h"

namespace warpsim::testing {
namespace korean_test {

const Translations& korean() {
  static const Translations texts = [] {
    JsonError fault;
    std::optional<Translations> read = Translations::read(embedded_korean(), fault);
    EXPECT_TRUE(read) << fault.message << fault.pointer;
    return read ? *read : Translations();
  }();
  return texts;
}

// A program's texts that are drawn: the title first, then phase by phase.
struct ProgramTexts {
  std::string name, title;
  std::vector<std::vector<std::string>> phases;
  std::set<std::string> identifiers;  // that a text may name: registers, parameters, buffers
};

std::vector<std::string> texts_of(const Phase& phase) {
  std::vector<std::string> texts = {phase.title, parse_line_options(phase.options).dots};
  for (const DrawLine& line : phase.lines) {
    texts.push_back(line.text);
    texts.push_back(parse_line_options(line.options).dots);
  }
  return texts;
}

const std::vector<ProgramTexts>& programs() {
  static const std::vector<ProgramTexts> all = [] {
    std::vector<ProgramTexts> list;
    for (const EmbeddedProgram& one : embedded_programs()) {
      if (shows_mistakes(one.group)) continue;
      const std::string name = std::string(one.group) + "/" + std::string(one.name);
      const Assembled assembled = assemble_program(name);
      EXPECT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
      if (!assembled.lesson()) continue;
      const Lesson& program = *assembled.lesson();
      ProgramTexts& texts = list.emplace_back();
      texts.name = name;
      texts.title = program.title;
      const Lesson expanded = expand_collectives(program, 32);  // some titles are others then
      for (const std::vector<Phase>* phases : {&program.phases, &program.pictures, &expanded.phases})
        for (const Phase& phase : *phases) texts.phases.push_back(texts_of(phase));
      for (const Register& reg : program.registers) texts.identifiers.insert(reg.name.substr(1));
      for (const Param& param : program.params) texts.identifiers.insert(param.name);
      for (const Object& array : program.objects) texts.identifiers.insert(array.name);
    }
    return list;
  }();
  return all;
}

// What is outside of placeholders; the texts inside {each …}, {cells …} and {loads …} are outside, too.
std::string literal(const std::string& text) {
  static const std::regex repeated(R"(\{(each|loads)( '[^']*')? |\{cells [0-9]+ )");
  std::string out;
  std::vector<bool> hidden;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool inside = std::find(hidden.begin(), hidden.end(), true) != hidden.end();
    std::smatch match;
    const std::string rest = text.substr(k);
    if (text[k] == '{') {
      const bool opens = std::regex_search(rest, match, repeated, std::regex_constants::match_continuous);
      hidden.push_back(!opens);
      if (opens) k += static_cast<std::size_t>(match.length()) - 1;
      out += ' ';
    } else if (text[k] == '}' && !hidden.empty()) {
      hidden.pop_back();
    } else if (!inside) {
      out += text[k];
    }
  }
  return out;
}

// Placeholders as written, without particles, sorted.
std::vector<std::string> placeholders(const std::string& text) {
  std::vector<std::string> found;
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '{') open.push_back(k);
    if (text[k] != '}' || open.empty()) continue;
    const std::string inside = text.substr(open.back() + 1, k - open.back() - 1);
    // What a repeated text says is its translation's business; its inner placeholders are counted by themselves.
    const bool repeated =
        inside.rfind("each ", 0) == 0 || inside.rfind("cells ", 0) == 0 || inside.rfind("loads ", 0) == 0;
    if (!is_particle_marker(inside)) found.push_back(repeated ? inside.substr(0, inside.find(' ')) : inside);
    open.pop_back();
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The English words of a text that a Korean one would not keep: not identifiers, calls, elements of buffers, signs of
// mathematics, nor the words that the Korean edition of the puzzles keeps.
std::vector<std::string> english_words(const std::string& text, const std::set<std::string>& identifiers) {
  static const std::set<std::string> kept = {"Lane",      "Warp",      "XOR",      "xor",       "mod",      "idx",
                                             "up",        "down",      "bfly",     "scan",      "FFT",      "shuffle",
                                             "Shuffle",   "Butterfly", "Blelloch", "Hillis",    "Steele",   "inclusive",
                                             "exclusive", "prefix",    "sum",      "butterfly", "broadcast"};
  static const std::regex code(R"([A-Za-z_][A-Za-z_0-9.]*(\([^()]*\)|(?=[(\[]))|[A-Za-z]*_[A-Za-z_]*|%[A-Za-z.]+)"),
      word("[A-Za-z]{2,}");
  const std::string plain = std::regex_replace(literal(text), code, "");
  std::vector<std::string> words;
  for (std::sregex_iterator at(plain.begin(), plain.end(), word), end; at != end; ++at)
    if (kept.count(at->str()) == 0 && identifiers.count(at->str()) == 0) words.push_back(at->str());
  return words;
}

TEST(KoreanPrograms, EveryTextWithAWordIsTranslated) {
  for (const ProgramTexts& program : programs()) {
    std::vector<std::string> texts = {program.title};
    for (const std::vector<std::string>& phase : program.phases) texts.insert(texts.end(), phase.begin(), phase.end());
    for (const std::string& text : texts) {
      if (korean().has(text)) continue;
      const std::vector<std::string> words = english_words(text, program.identifiers);
      EXPECT_TRUE(words.empty()) << program.name << ": programs/ko.json lacks \"" << text << "\" (" << words[0] << ")";
    }
  }
}

TEST(KoreanPrograms, EveryTranslationIsUsed) {
  std::set<std::string> used;
  for (const ProgramTexts& program : programs()) {
    used.insert(program.title);
    for (const std::vector<std::string>& phase : program.phases) used.insert(phase.begin(), phase.end());
  }
  for (const auto& [english, translated] : korean().texts()) {
    EXPECT_TRUE(used.count(english) != 0) << "no program has \"" << english << "\"";
    EXPECT_NE(english, translated) << "says nothing";
  }
}

TEST(KoreanPrograms, EveryPlaceholderIsKept) {
  for (const auto& [english, translated] : korean().texts()) {
    EXPECT_EQ(placeholders(english), placeholders(translated)) << english;
    EXPECT_EQ(Template(translated, Language::Korean).error(), "") << translated;
  }
}

// Labels that are filled up with blanks to one width in English are so in Korean.
TEST(KoreanPrograms, LabelsStayInColumns) {
  static const std::regex label(R"(^[^{}]*:( +)(?=[\{\[]))");
  for (const ProgramTexts& program : programs()) {
    std::map<std::size_t, std::vector<std::string>> columns;  // by the English width
    std::set<std::size_t> filled;
    for (const std::vector<std::string>& phase : program.phases) {
      for (auto at = phase.begin() + 1; at != phase.end(); ++at) {  // after the title
        const std::string& text = *at;
        std::smatch match;
        if (!std::regex_search(text, match, label)) continue;
        const std::size_t width = text_width(match.str());
        columns[width].push_back(text);
        if (match.length(1) > 1) filled.insert(width);
      }
    }
    for (const std::size_t width : filled) {
      std::set<std::size_t> widths;
      std::string lines;
      for (const std::string& text : columns[width]) {
        std::smatch match;
        const std::string translated(korean().of(text));
        ASSERT_TRUE(std::regex_search(translated, match, label)) << translated;
        widths.insert(text_width(match.str()));
        lines += translated + "\n";
      }
      EXPECT_EQ(widths.size(), 1U) << program.name << "\n" << lines;
    }
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// In any order: a Korean sentence turns around. Korean writes the halves of an exchange as fractions.
std::vector<std::string> numbers_of(std::string line) {
  static const std::pair<const char*, const char*> fractions[] = {
      {"Quarters", "1/4"}, {"Eighths", "1/8"}, {"Sixteenths", "1/16"}, {"Thirty-seconds", "1/32"}};
  for (const auto& [word, fraction] : fractions) {
    const std::size_t at = line.find(word);
    if (at != std::string::npos) line.replace(at, std::string(word).size(), fraction);
  }
  std::vector<std::string> found;
  for (std::size_t at = line.find_first_of("0123456789"); at != std::string::npos;) {
    std::size_t end = at;
    while (end < line.size() && (std::isdigit(static_cast<unsigned char>(line[end])) != 0 || line[end] == '.')) ++end;
    found.push_back(line.substr(at, end - at));
    while (found.back().back() == '.') found.back().pop_back();  // the end of a sentence
    at = line.find_first_of("0123456789", end);
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(KoreanPrograms, TheSameNumbersLineByLine) {
  for (const ProgramTexts& program : programs()) {
    const Assembled assembled = assemble_program(program.name);
    ASSERT_TRUE(assembled.lesson());
    for (const Case& one : assembled.lesson()->cases) {
      CaseOverrides overrides;
      if (one.find("lanes") == nullptr) overrides.lanes = 8;
      const RecordedRun run = record_run(*assembled.lesson(), one, overrides);
      if (!run.error.empty()) continue;  // a program that 8 lanes cannot run
      TextOptions options;
      options.header = false;
      options.cycles = false;  // its titles are cut to the terminal's width
      const std::vector<std::string> english = lines_of(render_text(run.trace, options));
      options.language = Language::Korean;
      options.translations = &korean();
      const std::vector<std::string> translated = lines_of(render_text(run.trace, options));
      ASSERT_EQ(english.size(), translated.size()) << program.name << " " << one.name;
      for (std::size_t k = 0; k < english.size(); ++k)
        ASSERT_EQ(numbers_of(english[k]), numbers_of(translated[k])) << program.name << " " << one.name << "\n"
                                                                     << english[k] << "\n"
                                                                     << translated[k];
    }
  }
}

// Filled again from the trace, a title is what the recorder wrote: with English for English, all of them.
TEST(KoreanPrograms, TitlesAreFilledAsInTheTrace) {
  for (const ProgramTexts& program : programs()) {
    const Assembled assembled = assemble_program(program.name);
    ASSERT_TRUE(assembled.lesson());
    CaseOverrides overrides;
    const Case& one = assembled.lesson()->cases.front();
    if (one.find("lanes") == nullptr) overrides.lanes = 8;
    const RecordedRun run = record_run(*assembled.lesson(), one, overrides);
    if (!run.error.empty()) continue;
    std::string same;
    std::set<std::string> seen;
    for (const TracePhase& phase : run.trace.head.phases) {
      if (!seen.insert(phase.title).second) continue;
      same += same.empty() ? "{" : ", ";
      append_json_string(same, phase.title);
      same += ": ";
      append_json_string(same, phase.title);
    }
    JsonError fault;
    const std::optional<Translations> english = Translations::read(same.empty() ? "{}" : same + "}", fault);
    ASSERT_TRUE(english) << fault.message;
    std::size_t phases = 0;
    for (const TraceEvent& event : run.trace.events) phases += event.phase ? 1 : 0;
    const auto titles = phase_titles(run.trace, Language::English, *english);
    EXPECT_EQ(titles.size(), phases) << program.name;
    for (const auto& [event, title] : titles)
      EXPECT_EQ(title, run.trace.events[event].phase->title) << program.name << " event " << event;
    const nlohmann::json notes = nlohmann::json::parse(notes_json(run.trace, &korean()));
    for (const auto& [event, title] : phase_titles(run.trace, Language::Korean, korean()))
      EXPECT_EQ(notes["titles"]["ko"][std::to_string(event)], title);
  }
}

}  // namespace korean_test
}  // namespace warpsim::testing
