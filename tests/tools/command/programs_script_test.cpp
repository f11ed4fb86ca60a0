// tools/programs.sh, with a compiler that copies: the programs of the collection are scripts of the shell.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/tools/command/one_file_case.h"

namespace warpsim {
namespace {

OneFileCase run_programs(const std::string& names) {
  OneFileCase one;
  one.files = {
      {"nvcc",
       "#!/usr/bin/env bash\nwhile [[ $1 != -include ]]; do shift; done\nif grep -q broken \"$3\"; then echo "
       "an error >&2; exit 1; fi\n(cat \"$3\"; sed -n 's/#define/# size/p' \"$2\") >\"$5\"\nchmod +x \"$5\"\n"},
      {"warpsim", "#!/usr/bin/env bash\nexec \"${@: -1}\"\n"},
      {"CUDA/common.mk", ""},
      {"CUDA/GEMM/gemm.cu", "#!/bin/sh\ngrep -c '^# size' \"$0\"\necho Beyond Error Threshold of 1: 0\n"},
      {"CUDA/ATAX/atax.cu", "#!/bin/sh\necho Beyond Error Threshold of 1: 10\n"},
      {"CUDA/BICG/bicg.cu", "#!/bin/sh\necho 'warpsim: cudaMalloc3D is not supported' >&2\n"},
      {"CUDA/LU/lu.cu", "#!/bin/sh\nkill -SEGV $$\n"},
      {"CUDA/ADI/adi.cu", "broken"},
  };
  one.command = "chmod +x nvcc warpsim && NVCC=$PWD/nvcc WARPSIM=$PWD/warpsim OUT=made " WARPSIM_SOURCE_DIR
                "/tools/programs.sh . " +
                names + " | sed -E 's/ +[0-9.]+ s//; s/ +$//'; echo ${PIPESTATUS[0]}; cat made/GEMM.said";

  return run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
}

TEST(ProgramsScript, JudgesByWhatIsPrinted) {
  const OneFileCase made = run_programs("GEMM ATAX BICG LU ADI");
  EXPECT_NE(made.out.find("GEMM                              right\n"), std::string::npos) << made.out << made.err;
  EXPECT_NE(made.out.find("ATAX                              wrong text"), std::string::npos) << made.out;
  EXPECT_NE(made.out.find("BICG                              refused  warpsim: cudaMalloc3D is not"), std::string::npos)
      << made.out;
  EXPECT_NE(made.out.find("LU                                crashed  signal 11\n"), std::string::npos);
  EXPECT_NE(made.out.find("ADI                               does not compile  an error\n"), std::string::npos);
  EXPECT_NE(made.out.find("    1   20.0 %  right\n"), std::string::npos) << made.out;
  EXPECT_NE(made.out.find("\n1\n"), std::string::npos) << "the exit code of the script";
}

TEST(ProgramsScript, SizesAndNames) {
  const OneFileCase right = run_programs("GEMM");
  EXPECT_NE(right.out.find("\n0\n4\nBeyond"), std::string::npos) << "exit code 0, and four sizes" << right.out;
  EXPECT_NE(run_programs("NoSuchProgram").err.find("none of these names is in "), std::string::npos);
}

}  // namespace
}  // namespace warpsim
