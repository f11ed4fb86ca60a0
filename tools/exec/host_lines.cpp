// See host_lines.h.
#include "tools/exec/host_lines.h"

#ifdef WARPSIM_LIBDW
#include <elfutils/libdwfl.h>
#endif

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>

#include "host/exec/exec_report.h"
#include "isa/ptx/ptx_summary.h"

namespace warpsim::tools {

bool HostLines::is_wrapper(const std::string& place, const std::string& kernel) {
  static constexpr std::string_view kMarks[] = {"cuda_runtime.h:", "stub.c:", "/crt/", "__cudaLaunchKernel_helper",
                                                "__device_stub__"};
  const std::size_t at = kernel.empty() ? std::string::npos : place.find(kernel);
  const std::size_t behind = at == std::string::npos ? place.size() : at + kernel.size();
  if (behind < place.size() && (place[behind] == '(' || place[behind] == '<')) return true;
  if (place.starts_with("cuda")) return true;  // a template of cuda_runtime.h
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](std::string_view mark) { return place.find(mark) != std::string::npos; });
}

#ifdef WARPSIM_LIBDW

namespace {

// Below the current folder without that folder.
std::string shown(const char* file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path = fs::path(file).lexically_normal();
  const std::string here = fs::current_path(error).string() + "/";
  const std::string text = path.string();
  return !error && here.size() > 1 && text.starts_with(here) ? text.substr(here.size()) : text;
}

}  // namespace

struct HostLines::Files {
  struct Close {
    void operator()(Dwfl* dwfl) const { ::dwfl_end(dwfl); }
  };
  struct File {
    std::unique_ptr<Dwfl, Close> dwfl;
    Dwfl_Module* module = nullptr;
    Dwarf_Addr begin = 0;
  };
  std::map<std::string, File> all;

  File& of(const std::string& path) {
    const auto [at, is_new] = all.try_emplace(path);
    File& file = at->second;
    if (!is_new) return file;
    static char* debug_path = nullptr;
    static const Dwfl_Callbacks callbacks{::dwfl_build_id_find_elf, ::dwfl_standard_find_debuginfo,
                                          ::dwfl_offline_section_address, &debug_path};
    file.dwfl.reset(::dwfl_begin(&callbacks));
    if (file.dwfl == nullptr) return file;
    file.module = ::dwfl_report_offline(file.dwfl.get(), path.c_str(), path.c_str(), -1);
    ::dwfl_report_end(file.dwfl.get(), nullptr, nullptr);
    if (file.module != nullptr)
      ::dwfl_module_info(file.module, nullptr, &file.begin, nullptr, nullptr, nullptr, nullptr, nullptr);
    return file;
  }
};

std::string HostLines::place(const host::Frame& frame) {
  Files::File& file = files_->of(frame.file);
  if (file.module == nullptr) return host::name(frame);
  const Dwarf_Addr address = file.begin + frame.offset;
  const char* const symbol = ::dwfl_module_addrname(file.module, address);
  const std::string function = symbol == nullptr ? "" : ptx::demangled(symbol);
  int line = 0;
  Dwfl_Line* const row = ::dwfl_module_getsrc(file.module, address);
  const char* const source = row == nullptr ? nullptr : ::dwfl_lineinfo(row, nullptr, &line, nullptr, nullptr, nullptr);
  if (source == nullptr || line == 0) {
    host::Frame named = frame;
    if (symbol != nullptr) named.symbol = symbol;
    return host::name(named);
  }
  return (function.empty() ? "" : function + ", ") + shown(source) + ":" + std::to_string(line);
}

#else

struct HostLines::Files {};
std::string HostLines::place(const host::Frame& frame) { return host::name(frame); }

#endif

HostLines::HostLines() : files_(std::make_unique<Files>()) {}
HostLines::~HostLines() = default;

}  // namespace warpsim::tools
