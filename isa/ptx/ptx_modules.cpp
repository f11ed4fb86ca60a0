// See ptx_modules.h.
#include "isa/ptx/ptx_modules.h"

#include <algorithm>
#include <iterator>
#include <variant>

#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {
namespace {

// How much a declaration says: one that says more stands for the name.
int rank(const Declaration& one) {
  switch (one.linkage) {
    case Linkage::Extern: return 0;
    case Linkage::Common: return 1;
    case Linkage::Weak: return 2;
    default: return 3;
  }
}
int rank(const Function& one) { return !one.has_body ? 0 : one.linkage == Linkage::Weak ? 2 : 3; }

bool says_more(const Declaration& one, const Declaration& other) {
  if (rank(one) != rank(other)) return rank(one) > rank(other);
  return one.linkage == Linkage::Common && bytes_of(one) > bytes_of(other);
}
bool says_more(const Function& one, const Function& other) { return rank(one) > rank(other); }

bool is_global(Linkage linkage) { return linkage != Linkage::None; }

// ---- what a module brings

// Debug strings and files get names and numbers that no other module has.
void rename_debug_names(Module& module, std::uint32_t first_file) {
  std::map<std::string, std::string_view, std::less<>> renamed;
  std::map<std::string, std::string, std::less<>> strings;
  for (auto& [label, text] : module.strings) {
    const std::string& name = module.linked.emplace_back(label + "@" + std::to_string(module.number));
    renamed[label] = name;
    strings[name] = std::move(text);
  }
  module.strings = std::move(strings);
  std::map<std::uint32_t, std::string> files;
  for (auto& [number, name] : module.files) files[first_file + number] = std::move(name);
  module.files = std::move(files);
  for (Function& function : module.functions)
    for (Statement& statement : function.body) {
      auto* const location = std::get_if<Location>(&statement);
      if (location == nullptr) continue;
      location->file += first_file;
      if (location->function.empty()) continue;
      location->at_file += first_file;
      if (const auto found = renamed.find(location->function); found != renamed.end())
        location->function = found->second;
    }
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void add(ReadModule& to, ReadModule from) {
  Module &into = to.module, &module = from.module;
  rename_debug_names(module, into.files.empty() ? 0 : into.files.rbegin()->first);
  append(into.objects, module.objects);
  append(into.functions, module.functions);
  append(into.aliases, module.aliases);
  append(into.linked, module.linked);
  into.linked.push_back(module.text);
  into.files.merge(module.files);
  into.strings.merge(module.strings);
  to.diagnostics.others.push_back({from.diagnostics.file, from.diagnostics.text});
}

// ---- one definition for each name

std::string place_text(const Diagnostics& diagnostics, const SourceRange& where) {
  return diagnostics.file_of(where) + ":" + std::to_string(where.line);
}

// Of what all modules see: the one that stands for each name. What is defined twice is an error.
template <class T>
std::map<std::string_view, const T*> definitions(const std::vector<T>& all, Diagnostics& diagnostics) {
  constexpr int kStrong = 3;
  std::map<std::string_view, const T*> made;
  for (const T& one : all) {
    if (!is_global(one.linkage)) continue;
    const auto [at, is_new] = made.try_emplace(one.name.text, &one);
    if (is_new) continue;
    const T& other = *at->second;
    if (rank(one) == kStrong && rank(other) == kStrong)
      diagnostics.error("P041", one.name.where,
                        quoted(one.name.text) + " is defined here and in " + place_text(diagnostics, other.name.where),
                        "leave one of them out, or make one .weak");
    if (says_more(one, other)) at->second = &one;
  }
  return made;
}

bool is_declared_alike(const Declaration& one, const Declaration& definition) {
  const std::uint64_t size = bytes_of(one).value_or(0);
  return one.space == definition.space && (size == 0 || size == bytes_of(definition).value_or(0));
}
bool is_declared_alike(const Function& one, const Function& definition) {
  const auto same_size = [](const Declaration& x, const Declaration& y) { return bytes_of(x) == bytes_of(y); };
  const auto alike = [&](const std::vector<Declaration>& x, const std::vector<Declaration>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_size);
  };
  return one.is_entry == definition.is_entry && alike(one.results, definition.results) &&
         alike(one.parameters, definition.parameters);
}

void give_way(Declaration& one) { one.initializer.reset(); }
void give_way(Function& one) {
  one.has_body = false;
  one.body.clear();
}

// Definitions that give way become declarations. Says which declarations do not fit.
template <class T>
void keep_definitions(std::vector<T>& all, Diagnostics& diagnostics) {
  const std::map<std::string_view, const T*> made = definitions(all, diagnostics);
  for (T& one : all) {
    const T* const definition = is_global(one.linkage) ? made.at(one.name.text) : &one;
    if (definition == &one || rank(*definition) == 0) continue;
    if (rank(one) == 0 && !is_declared_alike(one, *definition))
      diagnostics.error("P042", one.name.where,
                        quoted(one.name.text) + " is declared otherwise here than it is defined in " +
                            place_text(diagnostics, definition->name.where),
                        "compile both files with the same declaration of it");
    give_way(one);
    one.linkage = Linkage::Extern;
  }
}

}  // namespace

ReadModule link(std::vector<ReadModule> modules) {
  ReadModule made = std::move(modules.front());
  if (modules.size() == 1) return made;
  for (std::size_t k = 1; k < modules.size(); ++k) add(made, std::move(modules[k]));
  keep_definitions(made.module.objects, made.diagnostics);
  keep_definitions(made.module.functions, made.diagnostics);
  return made;
}

// ---- names

Symbols::Symbols(const Module& module) : module_(module) {
  add_objects();
  add_functions();
}

void Symbols::add_objects() {
  std::map<std::string_view, const Declaration*> global;
  const auto put = [](auto& all, const auto& key, const Declaration& one) {
    const auto [at, is_new] = all.try_emplace(key, &one);
    if (!is_new && says_more(one, *at->second)) at->second = &one;
  };
  for (const Declaration& one : module_.objects)
    if (is_global(one.linkage)) put(global, one.name.text, one);
  for (const Declaration& one : module_.objects)
    put(objects_, Key{one.name.where.file, one.name.text}, is_global(one.linkage) ? *global.at(one.name.text) : one);
}

void Symbols::add_functions() {
  const std::vector<Function>& all = module_.functions;
  std::map<std::string_view, std::int32_t> global;
  const auto put = [&all](auto& names, const auto& key, std::int32_t one) {
    const auto [at, is_new] = names.try_emplace(key, one);
    if (!is_new && says_more(all[static_cast<std::size_t>(one)], all[static_cast<std::size_t>(at->second)]))
      at->second = one;
  };
  for (std::size_t k = 0; k < all.size(); ++k)
    if (is_global(all[k].linkage)) put(global, all[k].name.text, static_cast<std::int32_t>(k));
  for (std::size_t k = 0; k < all.size(); ++k)
    put(functions_, Key{all[k].name.where.file, all[k].name.text},
        is_global(all[k].linkage) ? global.at(all[k].name.text) : static_cast<std::int32_t>(k));
  for (const Alias& one : module_.aliases) {
    const std::int32_t of = function(one.of.text, one.name.where.file);
    if (of < 0) continue;
    functions_[Key{one.name.where.file, one.name.text}] = of;
    for (auto& [key, number] : functions_)  // other texts declare it
      if (key.second == one.name.text && global.count(key.second) != 0 &&
          !all[static_cast<std::size_t>(number)].has_body)
        number = of;
  }
}

const Declaration* Symbols::object(std::string_view name, std::uint32_t file) const {
  const auto found = objects_.find(Key{file, name});
  return found == objects_.end() ? nullptr : found->second;
}

std::int32_t Symbols::function(std::string_view name, std::uint32_t file) const {
  const auto found = functions_.find(Key{file, name});
  return found == functions_.end() ? -1 : found->second;
}

std::string Symbols::nearest_defined(std::string_view name) const {
  std::vector<std::string> known;
  for (const auto& [key, object] : objects_)
    if (is_definition(*object) && key.second != name) known.emplace_back(key.second);
  for (const auto& [key, number] : functions_)
    if (module_.functions[static_cast<std::size_t>(number)].has_body && key.second != name)
      known.emplace_back(key.second);
  return nearest(name, known);
}

}  // namespace warpsim::ptx
