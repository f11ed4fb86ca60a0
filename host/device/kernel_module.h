// PTX on a device: its variables in the device's memory, and its kernels, ready to be launched.
//
// Shapes: one text, or several that are linked by symbol. A kernel becomes a program when it is first asked for.
//         Variables of a module exist once, whichever kernels name them; they keep what launches leave there.
// Units:  bytes.
// Errors: load() gives a Failure with all of the reader's messages, program_of() one with those about the kernel.
// Source: PTX ISA 9.0, chapter 5; linking: isa/ptx/ptx_modules.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "host/device/failure.h"
#include "host/device/source_texts.h"
#include "isa/program/program.h"
#include "isa/ptx/ptx_reader.h"
#include "isa/sass/cubin.h"
#include "isa/text/source.h"
#include "sim/calm/calm.h"
#include "sim/launch/launch.h"
#include "sim/memory/device_memory.h"

namespace warpsim::host {

struct PtxSource {
  std::string name;  // what messages call it
  SharedText text;
};

// Something in device memory that has a name.
struct Symbol {
  std::uint64_t address = 0, size_bytes = 0;
};

class KernelModule {
 public:
  // `memory` must outlive the module.
  [[nodiscard]] static std::variant<std::unique_ptr<KernelModule>, Failure> load(DeviceMemory& memory,
                                                                                 std::vector<PtxSource> sources);
  KernelModule(const KernelModule&) = delete;
  KernelModule& operator=(const KernelModule&) = delete;
  ~KernelModule();  // frees its variables

  class Kernel {
   public:
    const std::string& symbol() const { return symbol_; }  // "_Z5saxpyifPf"
    const std::string& name() const { return name_; }      // "saxpy"
    KernelModule& module() const { return module_; }
    // What a launch passes, in order.
    std::size_t parameter_count() const { return sizes_.size(); }
    std::uint64_t parameter_bytes(std::size_t k) const { return sizes_[k]; }
    std::uint64_t parameter_offset(std::size_t k) const { return offsets_[k]; }
    // What a checker may take to be calm, as far as its launches so far have shown (Checker::take_as_calm).
    const Calm& calm() const { return calm_; }
    void set_calm(Calm calm) { calm_ = calm; }
    const LaunchHistory& history() const { return history_; }  // of its launches
    void set_history(const LaunchHistory& history) { history_ = history; }

   private:
    friend class KernelModule;
    Kernel(KernelModule& module, std::size_t function) : module_(module), function_(function) {}
    KernelModule& module_;
    std::size_t function_;
    std::string symbol_, name_;
    std::vector<std::uint64_t> sizes_, offsets_;
    std::unique_ptr<const Program> program_;
    Calm calm_;
    LaunchHistory history_;
  };

  std::size_t kernel_count() const { return kernels_.size(); }
  Kernel& kernel(std::size_t k) { return *kernels_[k]; }
  Kernel* find_kernel(std::string_view name);  // its symbol, else its name if only one kernel has it; null: none
  // A variable by its name in PTX; of several texts the first that has one.
  std::optional<Symbol> find_symbol(std::string_view name) const;

  std::uint64_t constant_bytes() const;  // of its variables among the constants

  // The program of a kernel, with all that it names in memory.
  std::variant<const Program*, Failure> program_of(Kernel& kernel);
  // Those of all kernels.
  std::optional<Failure> prepare();
  // Its machine code, beside the PTX; else why there is none.
  void set_code(std::vector<sass::Cubin> cubins, std::string why_none);
  struct Code {
    const sass::Cubin* cubin = nullptr;  // null: there is none for this kernel
    const sass::CodeSection* section = nullptr;
  };
  Code code_of(const Kernel& kernel) const;
  const std::string& why_no_code() const { return why_no_code_; }
  // What is called and has no definition here; "": nothing. Of kernels that have their programs.
  std::string undefined_function() const;
  // What a launch passes, and where the variables are. `params` point to the values.
  Binding bind(const Kernel& kernel, std::span<const void* const> params) const;

 private:
  explicit KernelModule(DeviceMemory& memory) : memory_(memory) {}
  std::optional<Failure> place_named_variables();
  std::optional<Failure> place_variables(const Program& program);
  bool is_managed(const Param& variable) const;                           // the host sees it, too
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // of a declaration: file, line, column
  static Place place_of(const Param& variable);

  DeviceMemory& memory_;
  ptx::ReadModule read_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::map<Place, Symbol> variables_;
  SourceTexts source_texts_;
  std::vector<sass::Cubin> cubins_;
  std::string why_no_code_ = "there is no machine code";
};

}  // namespace warpsim::host
