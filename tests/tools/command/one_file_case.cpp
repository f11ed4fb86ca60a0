// One-file cases; see one_file_case.h.
#include "tests/tools/command/one_file_case.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace warpsim {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// Sections end with a line feed, so a text that does not is marked by a line of its own.
std::string section(const std::string& name, const std::string& text) {
  if (text.empty()) return "";
  return "--- " + name + "\n" + text + (text.back() == '\n' ? "" : "\n(no newline at the end)\n");
}

std::string without_mark(const std::string& text) {
  const std::string mark = "\n(no newline at the end)\n";
  const bool marked = text.size() >= mark.size() && text.compare(text.size() - mark.size(), mark.size(), mark) == 0;
  return marked ? text.substr(0, text.size() - mark.size()) : text;
}

}  // namespace

ParsedCase parse_case(const std::string& text) {
  ParsedCase parsed;
  OneFileCase& one = parsed.one;
  std::string ignored;
  std::string* target = &ignored;
  std::istringstream lines(text);
  bool has_exit = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("--- ", 0) != 0) {
      if (target != &ignored) *target += line + "\n";
      else if (line.rfind("$ ", 0) == 0) one.command = line.substr(2);
      else if (line.rfind("#", 0) == 0) one.comment += line + "\n";
      else if (!line.empty()) parsed.error = "outside every section: " + line;
      continue;
    }
    const std::string name = line.substr(4);
    if (name == "stdin") target = &one.in;
    else if (name == "stdout") target = &one.out;
    else if (name == "stderr") target = &one.err;
    else if (name.rfind("file ", 0) == 0) target = &one.files.emplace_back(name.substr(5), "").second;
    else if (name.rfind("exit ", 0) == 0)
      has_exit = true, one.exit_code = std::atoi(name.c_str() + 5), target = &ignored;
    else parsed.error = "no such section: " + line;
  }
  for (std::string* part : {&one.in, &one.out, &one.err}) *part = without_mark(*part);
  for (auto& [name, contents] : one.files) contents = without_mark(contents);
  if (one.command.empty()) parsed.error = "there is no line `$ command`";
  if (one.comment.empty()) parsed.error = "there is no line `# what this shows`";
  if (!has_exit && parsed.error.empty()) parsed.error = "there is no line `--- exit CODE`";
  return parsed;
}

std::string to_text(const OneFileCase& one) {
  std::string text = one.comment + "$ " + one.command + "\n";
  for (const auto& [name, contents] : one.files) text += section("file " + name, contents);
  return text + section("stdin", one.in) + section("stdout", one.out) + section("stderr", one.err) + "--- exit " +
         std::to_string(one.exit_code) + "\n";
}

OneFileCase run_case(const OneFileCase& one, const std::string& binary_folder) {
  std::string pattern = (fs::temp_directory_path() / "warpsim-case-XXXXXX").string();
  const fs::path outside = ::mkdtemp(pattern.data());  // what the runner needs lies beside the command's own folder
  const fs::path inside = outside / "work";
  fs::create_directories(inside);
  for (const auto& [name, contents] : one.files) write(inside / name, contents);
  write(outside / "in", one.in);
  write(outside / "command.sh", one.command + "\n");
  const std::string run =
      "cd '" + inside.string() + "' && env -u NO_COLOR PATH='" + binary_folder +
      "':\"$PATH\" LANG=C.UTF-8 timeout 600 bash -o pipefail ../command.sh < ../in > ../out 2> ../err";
  const int status = std::system(run.c_str());
  OneFileCase result = one;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read(outside / "out");
  result.err = read(outside / "err");
  fs::remove_all(outside);
  return result;
}

}  // namespace warpsim
