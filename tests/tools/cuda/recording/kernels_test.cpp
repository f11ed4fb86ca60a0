// The hand-written CUDA kernels belong to the programs: one file each, with an entry of the program's name and the
// program's parameters. What they compute is compared where there is a GPU; here their files and their PTX are read.
#include "tools/cuda/recording/kernels.h"
#include "isa/ptx_writer/ptx_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "programs/embedded.h"
#include "tests/support/program_run.h"

namespace warpsim::testing {
namespace {

namespace fs = std::filesystem;

// "p26/butterfly_parallel_max" for every file FOLDER/GROUP/NAME.EXTENSION.
std::set<std::string> files_of(const std::string& folder, const std::string& extension) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(fs::path(WARPSIM_SOURCE_DIR) / folder)) {
    const std::string group = entry.path().parent_path().filename().string();
    if (entry.path().extension() != extension || group == "litmus") continue;  // those run as the PTX that is printed
    names.insert(group + "/" + entry.path().stem().string());
  }
  return names;
}

std::string missing_from(const std::set<std::string>& have, const std::set<std::string>& wanted) {
  std::string missing;
  for (const std::string& name : wanted) {
    if (have.count(name) == 0) missing += "  " + name + "\n";
  }
  return missing;
}

std::vector<int> parameter_bytes(const Lesson& program) {
  std::vector<int> sizes;
  for (const Param& param : program.params)
    sizes.push_back(param.is_buffer() ? 8 : param.type == Type::Mask ? 4 : bytes(param.type));
  return sizes;
}

// Of each entry of a PTX module, the sizes of its parameters: `.param .u64 .ptr .align 1 NAME` is 8,
// `.param .align 2 .b8 NAME[2]` is 2.
std::map<std::string, std::vector<int>> entries_of(const std::string& ptx) {
  static const std::regex entry(R"(\.entry\s+(\w+)\s*\(([^)]*)\))");
  static const std::regex param(R"(\.param[^,]*?\.[busf](8|16|32|64)\b[^,\[]*(?:\[(\d+)\])?)");
  std::map<std::string, std::vector<int>> entries;
  for (std::sregex_iterator found(ptx.begin(), ptx.end(), entry), end; found != end; ++found) {
    const std::string list = (*found)[2];
    std::vector<int>& sizes = entries[(*found)[1]];
    for (std::sregex_iterator one(list.begin(), list.end(), param); one != end; ++one) {
      const int count = (*one)[2].matched ? std::stoi((*one)[2]) : 1;
      sizes.push_back(std::stoi((*one)[1]) / 8 * count);
    }
  }
  return entries;
}

TEST(CudaKernels, EveryProgramHasOneAndEveryOneAProgram) {
  const std::set<std::string> kernels = files_of("tools/cuda/kernels", ".cu");
  std::set<std::string> programs = files_of("programs", ".warp");
  for (const EmbeddedProgram& one : embedded_programs())
    if (shows_mistakes(one.group)) programs.erase(std::string(one.group) + "/" + std::string(one.name));
  EXPECT_FALSE(programs.empty());
  EXPECT_EQ(missing_from(kernels, programs), "") << "programs without a file in tools/cuda/kernels";
  EXPECT_EQ(missing_from(programs, kernels), "") << "files in tools/cuda/kernels without a program";
}

TEST(CudaKernels, TheEntryIsNamedAfterTheProgram) {
  EXPECT_EQ(ptx_entry("p26/butterfly_parallel_max"), "p26_butterfly_parallel_max");
  std::string wrong;
  for (const std::string& name : files_of("tools/cuda/kernels", ".cu")) {
    const std::string text = source_text("tools/cuda/kernels/" + name + ".cu");
    const bool declared = text.find("__global__ void " + ptx_entry(name) + "(") != std::string::npos;
    if (!declared || text.find("extern \"C\"") == std::string::npos) wrong += "  " + name + "\n";
  }
  EXPECT_EQ(wrong, "") << "kernels without extern \"C\" __global__ void GROUP_NAME(";
}

TEST(CudaKernels, TheEntriesTakeTheProgramsParameters) {
  if (cuda_modules().empty()) GTEST_SKIP() << "built without nvcc";
  std::map<std::string, std::vector<int>> entries;
  for (const CudaModule& module : cuda_modules()) entries.merge(entries_of(std::string(module.ptx)));
  std::string wrong;
  for (const std::string& name : files_of("tools/cuda/kernels", ".cu")) {
    const Assembled assembled = assemble_program(name);
    ASSERT_TRUE(assembled.lesson()) << assembled.diagnostics.render();
    const auto entry = entries.find(ptx_entry(name));
    if (entry == entries.end()) wrong += "  " + name + " has no entry\n";
    if (entry != entries.end() && entry->second != parameter_bytes(*assembled.lesson()))
      wrong += "  " + name + " takes others\n";
  }
  EXPECT_EQ(wrong, "");
  EXPECT_EQ(entries.size(), files_of("tools/cuda/kernels", ".cu").size());
}

}  // namespace
}  // namespace warpsim::testing
