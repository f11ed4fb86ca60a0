// See source_texts.h.
#include "host/device/source_texts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "isa/program/module.h"
#include "isa/text/lines.h"

namespace warpsim::host {

namespace fs = std::filesystem;

namespace {

// A file that a text names may be anything: of what is no regular file, is long, or holds no text, there is none.
std::string read_text(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || error || fs::file_size(path, error) > kMostSourceBytes || error) return "";
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return file.bad() || text.find('\0') != std::string::npos ? "" : text;
}

// As a reader would name it: below the current folder without that folder.
std::string shown_name(const std::string& name) {
  std::error_code error;
  const std::string folder = fs::current_path(error).string() + "/";
  return !error && folder.size() > 1 && name.starts_with(folder) ? name.substr(folder.size()) : name;
}

// A place of a compiler is where a statement begins; it is shown to the end of what stands there.
void widen(SourceRange& where, std::string_view line) {
  if (where.column == 0)
    where.column = static_cast<std::uint32_t>(std::min(line.find_first_not_of(" \t"), line.size())) + 1;
  if (where.column > line.size()) return;
  std::string_view rest = line.substr(where.column - 1);
  rest = rest.substr(0, std::min(rest.find("//"), rest.find(';')));
  rest = rest.substr(0, rest.find_last_not_of(" \t{") + 1);
  where.length = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(rest.size()));
}

}  // namespace

const SharedText& SourceTexts::text_of(const std::string& name, const std::string& given) {
  const auto [at, is_new] = known_.try_emplace(name);
  if (!is_new) return at->second;
  at->second = read_text(name);
  if (at->second.empty()) at->second = read_text(fs::path(given).parent_path() / fs::path(name).filename());
  return at->second;
}

void SourceTexts::add_to(Program& program, const std::string& given) {
  if (program.sources.empty()) return;
  auto module = std::make_shared<Module>(*program.module);
  for (std::size_t k = module->texts; k < module->files.size(); ++k) {
    SourceFile& file = module->files[k];
    file.text = text_of(file.name, given);
    file.name = shown_name(fs::path(file.name).lexically_normal().string());
  }
  for (SourcePlace& place : program.sources)
    widen(place.where, line_in(module->files[place.where.file].text, place.where.line));
  program.module = std::move(module);
}

}  // namespace warpsim::host
