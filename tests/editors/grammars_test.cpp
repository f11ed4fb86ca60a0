// The editors' grammars: their lists of words are those of the assembler and of its tables.
//
// Shapes: in a grammar, a line that holds the list's name stands before the line with the list, as an alternation.
// Errors: WARPSIM_REBASE=1 writes the lists anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/table/op.h"
#include "isa/table/special.h"
#include "isa/table/type.h"

namespace warpsim {
namespace editors_test {

namespace fs = std::filesystem;

const fs::path kEditors = fs::path(WARPSIM_SOURCE_DIR) / "editors";

using Words = std::vector<std::string>;

// Up to the first dot of each mnemonic, and the two words of PTX that stand for another of them.
Words opcodes() {
  std::set<std::string> words = {"barrier", "ret"};
  for (const OpInfo& row : assembly_ops()) words.emplace(row.mnemonic.substr(0, row.mnemonic.find('.')));
  return {words.begin(), words.end()};
}

Words special_registers() {
  Words words;
  for (const SpecialInfo& special : all_specials()) words.emplace_back(special.name.substr(1));
  return words;
}

Words types() {
  Words words;
  for (int k = 1; k < kTypeCount; ++k) words.emplace_back(name(static_cast<Type>(k)));
  return words;
}

// As the assembler lists them where it finds another.
Words directives() {
  const Assembled wrong = assemble(".zzzzzzzzzzzzzz\n", "a.warp", "");
  Words words;
  for (const Diagnostic& one : wrong.diagnostics.list) {
    if (one.code != "A010") continue;
    for (std::size_t at = one.hint.find('.'); at != std::string::npos; at = one.hint.find('.', at + 1))
      words.push_back(
          one.hint.substr(at + 1, one.hint.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 1) - at - 1));
  }
  return words;
}

// How a grammar writes an alternation.
struct Grammar {
  fs::path file;
  std::string before_name, open, bar, close, dot;
};
const std::vector<Grammar>& grammars() {
  static const std::vector<Grammar> all = {
      {kEditors / "vscode/syntaxes/warp.tmLanguage.json", "\"comment\": \"", "(?:", "|", ")", "\\\\."},
      {kEditors / "vim/syntax/warp.vim", "\" ", "\\%(", "\\|", "\\)", "\\."}};
  return all;
}

std::string alternation(const Grammar& grammar, const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    text += text.empty() ? "" : grammar.bar;
    for (const char c : word) text += c == '.' ? grammar.dot : std::string(1, c);
  }
  return text;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void expect_list(const Grammar& grammar, const std::string& list, const Words& words) {
  std::string text = read(grammar.file);
  const std::size_t heading = text.find(grammar.before_name + list);
  ASSERT_NE(heading, std::string::npos) << grammar.file << " has no list of " << list;
  const std::size_t begin = text.find(grammar.open, text.find('\n', heading)) + grammar.open.size();
  const std::size_t end = text.find(grammar.close, begin);
  const std::string expected = alternation(grammar, words);
  if (std::getenv("WARPSIM_REBASE") != nullptr) {
    text.replace(begin, end - begin, expected);
    std::ofstream(grammar.file, std::ios::binary) << text;
  } else {
    EXPECT_EQ(text.substr(begin, end - begin), expected) << grammar.file << ": " << list;
  }
}

TEST(Editors, ListsAreThoseOfTheAssembler) {
  EXPECT_GE(directives().size(), 17u);
  EXPECT_GE(opcodes().size(), 70u);
  for (const Grammar& grammar : grammars()) {
    expect_list(grammar, "opcodes", opcodes());
    expect_list(grammar, "special registers", special_registers());
    expect_list(grammar, "types", types());
    expect_list(grammar, "directives", directives());
  }
}

TEST(Editors, TheTwoWordsBesideTheTableAssemble) {
  const Assembled both = assemble(".kernel k\n barrier.cta.sync 0\n ret\n", "a.warp", "");
  EXPECT_FALSE(both.diagnostics.has_errors()) << both.diagnostics.render();
}

TEST(Editors, ThePackageForVsCodeNamesItsFiles) {
  const nlohmann::json package = nlohmann::json::parse(read(kEditors / "vscode/package.json"));
  const nlohmann::json& contributes = package["contributes"];
  const fs::path grammar = kEditors / "vscode" / contributes["grammars"][0]["path"].get<std::string>();
  EXPECT_EQ(nlohmann::json::parse(read(grammar))["scopeName"], contributes["grammars"][0]["scopeName"]);
  EXPECT_EQ(contributes["languages"][0]["extensions"][0], ".warp");
  const fs::path configuration = contributes["languages"][0]["configuration"].get<std::string>();
  EXPECT_FALSE(nlohmann::json::parse(read(kEditors / "vscode" / configuration)).empty());
}

// What vim makes of a program: the group of each word that is asked for. Without vim there is nothing to ask.
TEST(Editors, VimColoursAProgram) {
  if (std::system("vim --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no vim";
  const fs::path folder = fs::path(WARPSIM_BINARY_DIR) / "editors";
  fs::create_directories(folder);
  std::ofstream(folder / "a.warp") << ".title \"A text\"  // why\n"
                                      ".kernel k (in a: f32[size], param size: u32 = 4)\n"
                                      "again:  @!%p shfl.bfly.b32 %x|%p, %tid.x, 0x1f\n"
                                      "        addc.u32 %min, %min, 2.5\n"
                                      ".case test\n"
                                      "    expect out = min(i, 3)\n";
  std::ofstream script(folder / "ask.vim");
  script << "set runtimepath^=" << (kEditors / "vim").string() << "\nfiletype plugin on\nsyntax on\nedit "
         << (folder / "a.warp").string() << "\nlet asked = []\n";
  const std::vector<std::pair<std::string, std::string>> asked = {
      {"title", "warpDirective"}, {"text", "warpString"},  {"why", "warpComment"},  {"in a", "warpParameter"},
      {"f32", "warpType"},        {"again", "warpLabel"},  {"shfl", "warpOpcode"},  {"b32", "warpOpcode"},
      {"%x", "warpRegister"},     {"%tid", "warpSpecial"}, {"0x1f", "warpNumber"},  {"addc", "warpOpcode"},
      {"%min", "warpRegister"},   {"2.5", "warpNumber"},   {"expect", "warpField"}, {"min(", ""}};
  for (const auto& [word, group] : asked)
    script << "call cursor(1, 1)\ncall search('\\V" << word
           << "', 'c')\ncall add(asked, synIDattr(synID(line('.'), col('.'), 1), 'name'))\n";
  script << "call writefile(asked, '" << (folder / "groups").string() << "')\nqall!\n";
  script.close();
  const std::string command =
      "vim -N -u NONE -i NONE -n -es -S '" + (folder / "ask.vim").string() + "' </dev/null >/dev/null 2>&1";
  fs::remove(folder / "groups");
  static_cast<void>(std::system(command.c_str()));
  std::ifstream groups(folder / "groups");
  for (const auto& [word, group] : asked) {
    std::string got;
    EXPECT_TRUE(std::getline(groups, got)) << word;
    EXPECT_EQ(got, group) << word;
  }
}

}  // namespace editors_test
}  // namespace warpsim
