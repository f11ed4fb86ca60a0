// docs/ptx_instructions.md: every form that it names is read, and it says of each what this version does with it.
//
// Errors: WARPSIM_REBASE=1 writes the last two columns anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "tests/support/scalar_eval.h"
#include "tests/support/vectors.h"

namespace warpsim::ptx {
namespace instructions_test {

const std::string kPage = WARPSIM_SOURCE_DIR "/docs/ptx_instructions.md";

// A form in a kernel that declares what forms name.
std::string module_with(const std::string& form) {
  return ".version 9.0\n.target sm_100\n.address_size 64\n.global .align 16 .b8 g[64];\n.const .b32 c = 1;\n"
         ".shared .align 16 .b8 s[64];\n.func f() { ret; }\n.entry k(.param .u32 a) {\n"
         ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %q<9>; .reg .f32 %f<9>;\n"
         ".reg .f64 %fd<9>; .local .align 16 .b8 l[64];\nP: .callprototype _ ();\nT: .branchtargets L;\nL:\n" +
         form + (form.starts_with("{") ? "" : ";") + "\nret; }\n";
}

// Rows that no line of the captures covers, with the reason.
const std::map<std::string, std::string>& reasons() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> made;
    std::istringstream file(tests::read_file(tests::data_path("rows_without_vectors.txt")).value_or(""));
    std::string reason;
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("// ")) reason = line.substr(3);
      else if (!line.empty()) made[line] = reason;
    return made;
  }();
  return all;
}

struct Said {
  std::string opcode, because;     // of a form that is refused
  std::set<std::string> evidence;  // of one that is not
};

Said said_of(const std::string& form) {
  Said said;
  const ReadModule read = read_module(module_with(form), "k.ptx");
  EXPECT_EQ(read.diagnostics.render(), "") << form;
  if (read.diagnostics.has_errors()) return said;
  Diagnostics diagnostics;
  diagnostics.text = read.module.text;
  const std::optional<Program> program = make_program(read.module, read.module.functions.back(), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << form << "\n" << diagnostics.render();
  if (!program) return said;
  if (!program->unsupported.empty()) return {program->unsupported[0].text, program->unsupported[0].because, {}};
  EXPECT_EQ(diagnostics.render(), "") << form;
  // The form's own rows: without the ret behind it, and the end of the body.
  const std::size_t begin = static_cast<std::size_t>(program->entry()), end = program->code.size() - 2;
  for (std::size_t pc = begin; pc < end; ++pc) {
    const Insn& insn = program->code[pc];
    if (static_cast<int>(insn.op) >= kAssemblyOpCount) {
      said.evidence.insert("programs: tests/sim/machine/ptx_runs_test.cpp");
      continue;
    }
    const auto reason = reasons().find(tests::opcode_text({insn.op, insn.type, insn.type2, {}}));
    said.evidence.insert(reason == reasons().end() ? "H200" : reason->second);
  }
  return said;
}

std::vector<std::string> split(const std::string& text, const std::string& by) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t at = text.find(by, from);
    parts.push_back(text.substr(from, at - from));
    if (at == std::string::npos) return parts;
    from = at + by.size();
  }
}

std::vector<std::string> forms_of(const std::string& cell) {
  std::vector<std::string> forms;
  for (std::string form : split(cell, "<br>")) {
    form = form.substr(1, form.size() - 2);
    if (const std::size_t bar = form.find("\\|"); bar != std::string::npos) form.erase(bar, 1);
    forms.push_back(form);
  }
  return forms;
}

std::string joined(const std::set<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : "; ") + one;
  return text;
}

// The row as it should be.
std::string row_of(const std::string& name, const std::string& cell) {
  std::set<std::string> evidence, because;
  std::vector<std::string> refused;
  const std::vector<std::string> forms = forms_of(cell);
  for (const std::string& form : forms) {
    const Said said = said_of(form);
    evidence.insert(said.evidence.begin(), said.evidence.end());
    if (said.opcode.empty()) continue;
    refused.push_back("`" + said.opcode + "`");
    because.insert(said.because);
  }
  std::string here = refused.empty() ? "yes" : refused.size() == forms.size() ? "no: " + joined(because) : "not ";
  if (here == "not ")
    for (const std::string& one : refused) here += (one == refused.front() ? "" : ", ") + one;
  return "| " + name + " | " + cell + " | " + here + " | " + joined(evidence) + " |";
}

TEST(PtxInstructions, ThePageSaysWhatTheReaderDoes) {
  const std::string page = tests::read_file(kPage).value_or("");
  std::string now;
  int rows = 0;
  for (const std::string& line : split(page, "\n")) {
    if (!now.empty()) now += "\n";
    const std::vector<std::string> cells = split(line, " | ");
    const bool is_row = cells.size() >= 3 && cells[1].starts_with("`");
    rows += is_row ? 1 : 0;
    now += is_row ? row_of(cells[0].substr(2), cells[1]) : line;
  }
  EXPECT_GT(rows, 150);
  if (std::getenv("WARPSIM_REBASE") != nullptr) std::ofstream(kPage, std::ios::binary) << now;
  EXPECT_EQ(tests::read_file(kPage).value_or(""), now) << "WARPSIM_REBASE=1 writes it anew; read the difference";
}

// No row of the table is missing there; what is warpsim's own is no PTX.
TEST(PtxInstructions, ThePageNamesEveryInstructionOfTheTable) {
  std::set<std::string> named;
  for (const std::string& line : split(tests::read_file(kPage).value_or(""), "\n"))
    if (const std::vector<std::string> cells = split(line, " | "); cells.size() >= 3 && cells[1].starts_with("`"))
      for (const std::string& form : forms_of(cells[1])) {
        const std::string opcode = form.substr(form.starts_with("@") ? form.find(' ') + 1 : 0);
        named.insert(opcode.substr(0, opcode.find_first_of(". ")));
      }
  for (int op = 0; op < kOpCount; ++op) {
    const std::string mnemonic(info(static_cast<Op>(op)).mnemonic);
    const std::string word = mnemonic.substr(0, mnemonic.find('.'));
    const Form form = info(static_cast<Op>(op)).form;
    if (form >= Form::Printf && form <= Form::Free) continue;  // calls of what the driver does
    if (word == "broadcast" || word == "reduce" || word == "scan") continue;
    EXPECT_EQ(named.count(word), 1U) << mnemonic;
  }
}

}  // namespace instructions_test
}  // namespace warpsim::ptx
