// See numbered_lines.h.
#include "tools/debugger/numbered_lines.h"

#include <algorithm>
#include <set>

#include "tools/debugger/stepper_words.h"
#include "traces/model/source_lines.h"

namespace warpsim::tools {

NumberedLines::NumberedLines(const TraceHead& head) : head_(head), before_(head.sources.size(), 0) {
  std::set<std::uint32_t> shown;
  for (const TraceInsn& insn : head.code)
    if (const TraceSourcePlace* const place = warpsim::place_of(head, insn)) shown.insert(place->source);
  std::uint32_t before = 0;
  for (const std::uint32_t source : shown) {
    before_[source] = before;
    files_.push_back(
        {head.sources[source].file, before, lines_of(head.sources[source].text), static_cast<std::int32_t>(source)});
    // Where the text is not at hand there still are the lines that something was made of.
    std::size_t count = files_.back().lines.size();
    for (const TraceSourcePlace& place : head.places)
      if (place.source == source) count = std::max<std::size_t>(count, place.line);
    files_.back().lines.resize(count);
    before += static_cast<std::uint32_t>(count);
  }
  files_.push_back({head.file, before, lines_of(head.text), -1});
}

std::uint32_t NumberedLines::of(const TraceInsn& insn) const {
  if (const TraceSourcePlace* const place = warpsim::place_of(head_, insn)) return of(*place);
  return in_text(insn);
}

std::uint32_t NumberedLines::in_text(const TraceInsn& insn) const {
  return insn.line == 0 ? 0 : files_.back().before + insn.line;
}

const NumberedLines::File& NumberedLines::file_of(std::uint32_t line) const {
  const auto behind =
      std::find_if(files_.begin() + 1, files_.end(), [line](const File& one) { return line <= one.before; });
  return *(behind - 1);
}

std::uint32_t NumberedLines::in_file(std::uint32_t line) const { return line - std::min(line, file_of(line).before); }

std::uint32_t NumberedLines::last_beside(std::uint32_t line) const {
  const File& file = file_of(line);
  return file.before + static_cast<std::uint32_t>(file.lines.size());
}

std::string NumberedLines::name(std::uint32_t line) const {
  const std::string number = std::to_string(in_file(line));
  return has_sources() ? file_of(line).name + ":" + number : number;
}

std::string_view NumberedLines::text(std::uint32_t line) const {
  const File& file = file_of(line);
  return line <= file.before || line - file.before > file.lines.size() ? "" : file.lines[line - file.before - 1];
}

std::uint32_t NumberedLines::find(std::string_view file, std::uint64_t number, std::uint32_t near) const {
  const auto is_named = [file](const File& one) {
    return one.name == file || (one.name.size() > file.size() && one.name.ends_with(file) &&
                                one.name[one.name.size() - file.size() - 1] == '/');
  };
  const auto named = file.empty() ? files_.end() : std::find_if(files_.begin(), files_.end(), is_named);
  if (!file.empty() && named == files_.end()) return 0;
  const File& in = file.empty() ? file_of(std::max(near, 1U)) : *named;
  return number == 0 || number > in.lines.size() + (in.lines.empty() ? UINT32_MAX : 0)
             ? 0
             : in.before + static_cast<std::uint32_t>(number);
}

}  // namespace warpsim::tools
