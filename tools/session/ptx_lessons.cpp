// See ptx_lessons.h.
#include "tools/session/ptx_lessons.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "host/device/source_texts.h"
#include "isa/assembly/assembler.h"
#include "isa/ptx/ptx_fusing.h"
#include "isa/ptx/ptx_lesson.h"
#include "isa/ptx/ptx_modules.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "isa/ptx/ptx_summary.h"
#include "isa/text/number_text.h"
#include "tools/session/cuda_source.h"
#include "tools/session/foreign_file.h"
#include "tools/session/npy.h"
#include "tools/session/overrides.h"
#include "tools/support/files.h"
#include "tools/support/output.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

bool is_named(const ptx::Function& entry, std::string_view wanted) {
  return entry.name.text == wanted || ptx::demangled(entry.name.text) == wanted ||
         ptx::short_name(entry.name.text) == wanted;
}

std::vector<const ptx::Function*> entries_of(const ptx::Module& module) {
  std::vector<const ptx::Function*> entries;
  for (const ptx::Function& one : module.functions)
    if (one.is_entry && one.has_body) entries.push_back(&one);
  return entries;
}

std::vector<std::string> names_of(const std::vector<const ptx::Function*>& entries) {
  std::vector<std::string> names;
  for (const ptx::Function* one : entries) names.push_back(ptx::short_name(one->name.text));
  return names;
}

// Those that --kernel names, or all.
std::vector<const ptx::Function*> chosen(Session& session, const ptx::Module& module, const std::string& path) {
  std::vector<const ptx::Function*> entries = entries_of(module);
  const std::string& wanted = session.options.kernel;
  const std::vector<std::string> names = names_of(entries);
  if (entries.empty())
    session.reply.fail(ExitCode::BadInput, "file", input_name(path) + " has no kernel: no .entry that has a body");
  if (wanted.empty() || entries.empty()) return entries;
  std::erase_if(entries, [&](const ptx::Function* one) { return !is_named(*one, wanted); });
  if (entries.empty())
    session.reply.fail(ExitCode::Usage, "usage", input_name(path) + " has no kernel " + in_ticks(wanted),
                       hint_for(nearest(wanted, names), "it has " + join(names)));
  return entries;
}

// ---- descriptions

struct Buffer {
  std::string name, type, length;
};

// "x=@x.npy" → its parts, type and length as the file has them; none if it is no such file. What is wrong with one is
// said where it is read again (overrides.h).
std::optional<Buffer> buffer_of_file(const std::string& word) {
  const std::size_t at = word.find("=@");
  if (at == std::string::npos || word.find(':') < at) return std::nullopt;
  std::string bytes, error;
  const bool is_there = read_file(word.substr(at + 2), bytes, error);
  if (is_there && !is_npy(bytes)) return std::nullopt;
  const auto read = read_npy(bytes);
  const auto* array = std::get_if<Array>(&read);
  if (array == nullptr) return Buffer{word.substr(0, at), "b8", "1"};
  return Buffer{word.substr(0, at), std::string(name(array->type)), std::to_string(array->bits.size())};
}

// "x:f32[1000]=WHAT" → its parts; none if no type is said.
std::optional<Buffer> typed_buffer(const std::string& word) {
  const std::size_t colon = word.find(':'), equals = word.find('=');
  if (colon == std::string::npos || colon > equals) return std::nullopt;
  const std::string type = word.substr(colon + 1, equals == std::string::npos ? equals : equals - colon - 1);
  const std::size_t open = type.find('[');
  if (open == std::string::npos || type.back() != ']') return std::nullopt;
  return Buffer{word.substr(0, colon), type.substr(0, open), type.substr(open + 1, type.size() - open - 2)};
}

// Which of the kernel's parameters are addresses, as far as the module says.
std::vector<bool> pointers_of(const Program& program, const ptx::Function& entry, std::size_t buffers) {
  std::vector<bool> pointers;
  bool is_said = false;
  for (const ptx::Declaration& one : entry.parameters) is_said = is_said || one.is_pointer;
  std::size_t wide = 0;
  for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
    const Param& param = program.params[k];
    const bool could_be = param.value_bytes == 0 && bits(param.type) == 64 && !is_float(param.type);
    pointers.push_back(is_said ? entry.parameters[k].is_pointer : could_be);
    wide += could_be ? 1 : 0;
  }
  if (is_said || wide <= buffers) return pointers;
  // Of more numbers of 64 bits than there are buffers the first ones: a text says more than a guess.
  for (std::size_t k = 0, taken = 0; k < pointers.size(); ++k)
    if (pointers[k] && ++taken > buffers) pointers[k] = false;
  return pointers;
}

std::string type_word(Type type) { return std::string(name(is_untyped(type) ? integer_of(bits(type), false) : type)); }

std::string parameters_text(const Program& program, const ptx::Function& entry) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
    const std::uint32_t size = program.params[k].value_bytes;
    all.push_back(size != 0 ? ".b8[" + std::to_string(size) + "]" : "." + type_word(program.params[k].type));
  }
  return all.empty() ? "none" : join(all);
}

// What --input and --param describe, each kind in its order.
struct Words {
  std::vector<Buffer> buffers;  // but those in structures
  std::vector<std::string> scalars, structures;
};

// "s { inout x: f32[1000], param n: s32 }"; what stands in it is taken from the buffers.
std::string structure_text(const std::string& word, Words& words) {
  std::string text = word.substr(0, word.find('=')) + " {";
  for (const StructureMember& one : structure_members(word).value_or(std::vector<StructureMember>{})) {
    if (text.back() != '{') text += ",";
    if (!one.type.empty()) {
      text += " param " + one.name + ": " + one.type;
      continue;
    }
    const auto found = std::find_if(words.buffers.begin(), words.buffers.end(),
                                    [&one](const Buffer& buffer) { return buffer.name == one.name; });
    if (found == words.buffers.end()) {
      text += " inout " + one.name + ": u8[1]";  // as a member it is said to have no values
      continue;
    }
    text += " inout " + found->name + ": " + found->type + "[" + found->length + "]";
    words.buffers.erase(found);
  }
  return text + " }";
}

Words words_of(const Session& session) {
  Words words;
  for (const std::string& word : session.options.inputs)
    if (std::optional<Buffer> one = typed_buffer(word)) words.buffers.push_back(std::move(*one));
    else if ((one = buffer_of_file(word))) words.buffers.push_back(std::move(*one));
  for (const std::string& word : session.options.params)
    if (structure_members(word)) words.structures.push_back(structure_text(word, words));
    else words.scalars.push_back(word.substr(0, word.find_first_of(":=")));
  return words;
}

std::string are_given(const Words& words) {
  return counted(words.buffers.size(), "buffer") + " and " + counted(words.scalars.size(), "number") +
         (words.structures.empty() ? "" : " and " + counted(words.structures.size(), "structure"));
}

// The kernel's line as the command line describes it. None, and a message, where the numbers do not fit.
std::optional<std::string> kernel_line(Session& session, const Program& program, const ptx::Function& entry) {
  const Words words = words_of(session);
  const std::vector<bool> pointers = pointers_of(program, entry, words.buffers.size());
  std::size_t wanted = 0, structures = 0;
  for (std::size_t k = 0; k < pointers.size(); ++k) {
    wanted += pointers[k] ? 1 : 0;
    structures += program.params[k].value_bytes != 0 ? 1 : 0;
  }
  const std::size_t numbers = pointers.size() - wanted - structures;
  if (words.buffers.size() != wanted || words.scalars.size() != numbers || words.structures.size() != structures) {
    // What may be an address is called one here.
    const std::vector<bool> likely = pointers_of(program, entry, pointers.size());
    const auto addresses = static_cast<std::size_t>(std::count(likely.begin(), likely.end(), true));
    session.reply.fail(ExitCode::Usage, "usage",
                       ptx::short_name(entry.name.text) + " takes " + counted(pointers.size(), "parameter") + " (" +
                           parameters_text(program, entry) + "): " + std::to_string(addresses) +
                           (addresses == 1 ? " address and " : " addresses and ") +
                           counted(pointers.size() - addresses - structures, "number") +
                           (structures == 0 ? "" : " and " + counted(structures, "structure")) + "; given are " +
                           are_given(words),
                       std::string("--input x:f32[1000]=random:1 for each address, --param n=1000 for each number, ") +
                           (structures == 0 ? "" : "--param 's={x, n:s32=3}' for each structure with its members, ") +
                           "in the kernel's order; or describe them in a .launch file beside it");
    return std::nullopt;
  }
  std::string line = ".kernel k (";
  for (std::size_t k = 0, buffer = 0, scalar = 0, structure = 0; k < pointers.size(); ++k) {
    if (k != 0) line += ", ";
    if (pointers[k]) {
      const Buffer& one = words.buffers[buffer++];
      line += "inout " + one.name + ": " + one.type + "[" + one.length + "]";
    } else if (program.params[k].value_bytes != 0) {
      line += words.structures[structure++];
    } else {
      line += "param " + words.scalars[scalar++] + ": " + type_word(program.params[k].type);
    }
  }
  return line + ")\n";
}

struct Described {
  std::vector<Lesson> lessons;
  std::vector<ptx::Structure> structures;
  bool ok = true;
};

Described assembled(Session& session, std::string text, const std::string& file) {
  ptx::Descriptions descriptions = ptx::with_bodies(std::move(text));
  Assembled made = assemble(descriptions.text, file);
  session.reply.fail(ExitCode::BadInput, made.diagnostics);
  return {std::move(made.lessons), std::move(descriptions.structures), !made.diagnostics.has_errors()};
}

std::string launch_file(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".launch").string();
}

// The descriptions in the file beside it, if there is one.
Described launches_of(Session& session, const std::string& path) {
  const std::string file = launch_file(path);
  if (path == "-" || !is_file(file)) return {};
  std::string text, error;
  if (!read_file(file, text, error)) {
    session.reply.fail(ExitCode::BadInput, "file", error);
    return {{}, {}, false};
  }
  return assembled(session, std::move(text), file);
}

std::optional<Lesson> lesson_of(Session& session, Program program, const ptx::Function& entry,
                                const Described& launches) {
  const auto found = std::find_if(launches.lessons.begin(), launches.lessons.end(),
                                  [&](const Lesson& one) { return is_named(entry, one.name); });
  Diagnostics diagnostics;
  if (found != launches.lessons.end()) {
    diagnostics.file = found->source().name;
    diagnostics.text = found->source().text;
    std::optional<Lesson> lesson = ptx::described(std::move(program), *found, diagnostics, launches.structures);
    session.reply.fail(ExitCode::BadInput, diagnostics);
    const std::string folder = std::filesystem::path(diagnostics.file).parent_path().string();
    if (lesson && !read_case_files(session, *lesson, folder)) return std::nullopt;
    return lesson;
  }
  const std::optional<std::string> line = kernel_line(session, program, entry);
  if (!line) return std::nullopt;
  diagnostics.file = "the command line";
  diagnostics.text = *line;
  const Described made = assembled(session, *line, diagnostics.file);
  if (!made.ok || made.lessons.empty()) return std::nullopt;
  std::optional<Lesson> lesson = ptx::described(std::move(program), made.lessons.front(), diagnostics, made.structures);
  session.reply.fail(ExitCode::Usage, diagnostics);
  return lesson;
}

// By lines of the text, those of the source that .loc says: "saxpy.cu:3".
std::map<std::uint32_t, std::string> source_lines(const ptx::Module& module, const ptx::Function& function) {
  std::map<std::uint32_t, std::string> names;
  std::string last;
  for (const ptx::Statement& one : function.body) {
    if (const auto* place = std::get_if<ptx::Location>(&one)) {
      const auto file = module.files.find(place->file);
      last = file == module.files.end() || place->line == 0
                 ? ""
                 : std::filesystem::path(file->second).filename().string() + ":" + std::to_string(place->line);
    } else if (const auto* instruction = std::get_if<ptx::Instruction>(&one); instruction != nullptr && !last.empty()) {
      names[instruction->where.line] = last;
    }
  }
  return names;
}

// Says what rounds otherwise where ptxas compiles the text as it does by default.
void note_fused(Session& session, const ptx::ReadModule& read, const std::vector<const ptx::Function*>& entries) {
  constexpr std::size_t kMostLines = 8;
  Diagnostics diagnostics = read.diagnostics;
  std::size_t count = 0;
  SourceRange first;
  std::string lines;
  for (const ptx::Function& one : read.module.functions) {
    if (one.is_entry && std::find(entries.begin(), entries.end(), &one) == entries.end()) continue;
    const std::vector<ptx::FusedPair> pairs = ptx::fused_pairs(one);
    const std::map<std::uint32_t, std::string> names =
        pairs.empty() ? std::map<std::uint32_t, std::string>{} : source_lines(read.module, one);
    for (const ptx::FusedPair& pair : pairs) {
      if (count++ == 0) first = pair.sum;
      if (count > kMostLines) continue;
      const auto name = names.find(pair.sum.line);
      lines += count == 1 ? "" : ", ";
      lines += name != names.end()  ? name->second
               : pair.sum.file == 0 ? std::to_string(pair.sum.line)
                                    : diagnostics.file_of(pair.sum) + ":" + std::to_string(pair.sum.line);
    }
  }
  if (count == 0) return;
  const std::string where = (count == 1 ? " (line " : " (lines ") + lines + (count > kMostLines ? " ..." : "") + ")";
  diagnostics.list.push_back({Diagnostic::Severity::Note, "P040",
                              "ptxas fuses " + counted(count, "sum") + where +
                                  " with a product unless it is told -fmad=false; here each is rounded by itself",
                              "--contract fuses them here, too", first});
  session.reply.fail(ExitCode::Ok, diagnostics);
}

// One text as a module. None, and messages, if it is none.
std::optional<ptx::ReadModule> read_one(Session& session, const PtxText& ptx, std::uint32_t number) {
  ptx::ReadModule read = ptx::read_module(ptx.text, ptx.name, number);
  if (session.options.contract && !read.diagnostics.has_errors())
    read = ptx::read_module(ptx::with_fused_pairs(read.module), ptx.name, number);
  if (!read.diagnostics.has_errors()) return read;
  session.reply.fail(read.diagnostics.is_only_unsupported() ? ExitCode::Unsupported : ExitCode::BadInput,
                     read.diagnostics);
  return std::nullopt;
}

void say_which(Session& session, const std::string& path, const std::vector<const ptx::Function*>& entries) {
  const std::vector<std::string> names = names_of(entries);
  session.reply.fail(ExitCode::Usage, "usage",
                     input_name(path) + " holds " + counted(entries.size(), "kernel") + ": " + join(names),
                     "say which: --kernel " + names.front());
}

std::optional<Program> program_of(Session& session, const ptx::ReadModule& read, const ptx::Function& entry,
                                  const std::string& path) {
  Diagnostics diagnostics = read.diagnostics;
  std::optional<Program> program = ptx::make_program(read.module, entry, diagnostics);
  session.reply.fail(program ? ExitCode::Ok : ExitCode::BadInput, diagnostics);
  if (program) host::SourceTexts().add_to(*program, path);
  return program;
}

}  // namespace

std::optional<std::vector<StructureMember>> structure_members(std::string_view word) {
  const std::size_t begin = word.find("={");
  if (begin == std::string_view::npos || word.back() != '}') return std::nullopt;
  std::vector<StructureMember> members;
  std::string one;
  int depth = 0;
  for (const char c : word.substr(begin + 2)) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != '}' && (c != ',' || depth > 0)) {
      if (c != ' ') one += c;
      continue;
    }
    const std::size_t colon = one.find(':'), equals = one.find('=');
    if (colon < equals) members.push_back({one.substr(0, colon), one.substr(colon + 1, equals - colon - 1), ""});
    else members.push_back({one, "", ""});
    if (equals != std::string::npos) members.back().value = one.substr(equals + 1);
    one.clear();
  }
  return members;
}

bool is_ptx_source(std::string_view language) { return language == kPtx || language == kCuda; }

std::optional<PtxText> read_as_ptx(Session& session, const std::string& path, std::string_view language,
                                   std::string text) {
  if (language == kPtx) return PtxText{input_name(path), std::move(text)};
  if (path == "-") {
    session.reply.fail(ExitCode::Unsupported, "unsupported", "CUDA C++ on standard input is not supported",
                       "give the .cu file's name");
    return std::nullopt;
  }
  std::optional<std::string> compiled = compiled_to_ptx(session, path);
  if (!compiled) return std::nullopt;
  return PtxText{std::filesystem::path(path).replace_extension(".ptx").string(), std::move(*compiled)};
}

std::optional<PtxText> ptx_of_file(Session& session, const std::string& path) {
  std::string text, error;
  if (path == "-" || !is_file(path) || !read_file(path, text, error)) return std::nullopt;
  const std::optional<ForeignFile> foreign = foreign_file(path, text);
  if (!foreign || !is_ptx_source(foreign->language)) return std::nullopt;
  return read_as_ptx(session, path, foreign->language, std::move(text));
}

std::optional<ptx::ReadModule> read_ptx(Session& session, const PtxText& ptx) {
  std::vector<ptx::ReadModule> modules;
  std::optional<ptx::ReadModule> one = read_one(session, ptx, 0);
  if (!one) return std::nullopt;
  modules.push_back(std::move(*one));
  for (const std::string& other : session.options.links) {
    std::string text, error;
    if (!read_file(other, text, error)) {
      session.reply.fail(ExitCode::BadInput, "file", error, "--link names a further file of PTX or CUDA C++");
      return std::nullopt;
    }
    const std::optional<ForeignFile> foreign = foreign_file(other, text);
    const std::optional<PtxText> more =
        read_as_ptx(session, other, foreign && foreign->language == kCuda ? kCuda : kPtx, std::move(text));
    if (!more) return std::nullopt;
    one = read_one(session, *more, static_cast<std::uint32_t>(modules.size()));
    if (!one) return std::nullopt;
    modules.push_back(std::move(*one));
  }
  ptx::ReadModule linked = ptx::link(std::move(modules));
  if (!linked.diagnostics.has_errors()) return linked;
  session.reply.fail(ExitCode::BadInput, linked.diagnostics);
  return std::nullopt;
}

std::optional<PtxEntry> load_ptx_entry(Session& session, const std::string& path, const PtxText& ptx) {
  const std::optional<ptx::ReadModule> read = read_ptx(session, ptx);
  if (!read) return std::nullopt;
  const std::vector<const ptx::Function*> entries = chosen(session, read->module, path);
  if (entries.size() != 1) {
    if (entries.size() > 1) say_which(session, path, entries);
    return std::nullopt;
  }
  std::optional<Program> program = program_of(session, *read, *entries.front(), path);
  if (!program) return std::nullopt;
  return PtxEntry{std::string(entries.front()->name.text), std::move(*program)};
}

std::vector<Lesson> load_ptx(Session& session, const std::string& path, const PtxText& ptx) {
  const std::optional<ptx::ReadModule> read = read_ptx(session, ptx);
  if (!read) return {};
  const Described launches = launches_of(session, path);
  if (!launches.ok) return {};
  const std::vector<const ptx::Function*> entries = chosen(session, read->module, path);
  if (entries.size() > 1 && launches.lessons.empty()) return say_which(session, path, entries), std::vector<Lesson>{};
  if (!session.options.contract && session.options.verb != "crosscheck") note_fused(session, *read, entries);
  std::vector<Lesson> lessons;
  for (const ptx::Function* entry : entries) {
    std::optional<Program> program = program_of(session, *read, *entry, path);
    if (!program) return {};
    std::optional<Lesson> lesson = lesson_of(session, std::move(*program), *entry, launches);
    if (!lesson) return {};
    lesson->name = ptx::short_name(entry->name.text);
    lessons.push_back(std::move(*lesson));
  }
  return lessons;
}

}  // namespace warpsim::tools
