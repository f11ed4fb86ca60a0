// The PTX that nvcc makes of the catalogue's kernels: tests/data/catalogue_ptx.txt.xz.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "isa/ptx/ptx_lesson.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "tests/support/vectors.h"

namespace warpsim::testing {

// By name and flags: "p26/butterfly_parallel_max -O0 -G".
inline const std::map<std::string, std::string>& catalogue_ptx() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> made;
    const std::string text =
        "\n" + tests::read_xz(std::string(WARPSIM_SOURCE_DIR) + "/tests/data/catalogue_ptx.txt.xz").value_or("");
    for (std::size_t at = text.find("\n=== "); at != std::string::npos;) {
      const std::size_t name = at + 5, line = text.find('\n', name), next = text.find("\n=== ", line);
      made[text.substr(name, line - name)] = text.substr(line + 1, next == std::string::npos ? next : next - line);
      at = next;
    }
    return made;
  }();
  return all;
}

// The text's kernel, described as `like` is.
inline std::optional<Lesson> lesson_of_ptx(const std::string& text, const Lesson& like) {
  const ptx::ReadModule read = ptx::read_module(text, "catalogue.ptx");
  EXPECT_EQ(read.diagnostics.render(), "");
  for (const ptx::Function& one : read.module.functions) {
    if (!one.is_entry) continue;
    Diagnostics diagnostics;
    diagnostics.text = text;
    std::optional<Program> made = ptx::make_program(read.module, one, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render();
    if (!made) return std::nullopt;
    return ptx::described(std::move(*made), like, diagnostics);
  }
  return std::nullopt;
}

}  // namespace warpsim::testing
