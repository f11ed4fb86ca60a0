// tools/corpus.sh, with a compiler that only copies: the files of CUDA C++ hold PTX.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/tools/command/one_file_case.h"

namespace warpsim {
namespace {

const std::string kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string kernel(const std::string& body) { return kHead + ".entry k() { " + body + " ret; }\n"; }

OneFileCase run_corpus(std::string command) {
  OneFileCase one;
  one.files = {
      {"nvcc",
       "#!/usr/bin/env bash\nall=\" $* \"\nwhile [[ $1 != -o ]]; do shift; done\nif grep -q broken \"$3\"; then exit "
       "1; fi\nif grep -q launches \"$3\" && [[ $all != *' "
       "-rdc=true '* ]]; then echo it requires separate compilation mode >&2; exit 1; fi\ncp "
       "\"$3\" "
       "\"$2\"\n"},
      {"whole.cu", kernel("")},
      {"later.cu", kernel("tex.1d.v4.f32.s32 {%a,%b,%c,%d}, [t, {%x}]; tex.1d.v4.f32.s32 {%a,%b,%c,%d}, [t, {%x}];")},
      {"other.cu", kernel("madd.s32 %a, %b; wgmma.fence.sync.aligned;")},
      {"without.cu", kHead},
      {"unread.cu", kernel("add.s32 %a, , %b;")},
      {"no.cu", "broken"},
      // Of two that are linked each has what the other one names.
      {"linked/a.cu",
       kHead + ".extern .entry b();\n.visible .entry a() { .reg .b64 %x; mov.u64 %x, b; ret; } // launches\n"},
      {"linked/b.cu", kHead + ".visible .entry b() { ret; }\n"},
  };
  one.command = "chmod +x nvcc && NVCC=$PWD/nvcc WARPSIM=$(command -v warpsim) " + std::move(command);
  return run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
}

TEST(CorpusScript, CountsFilesByWhatStopsThem) {
  const OneFileCase made = run_corpus(WARPSIM_SOURCE_DIR "/tools/corpus.sh .");
  EXPECT_EQ(made.out,
            "files                                       8\n"
            "not compiled by nvcc                        1\n"
            "with kernels                                6\n"
            "  read                                      5   83.3 %\n"
            "  executable throughout                     3   50.0 %\n"
            "  refused by what comes later alone         1   16.7 %\n"
            "  refused by something else                 1   16.7 %\n"
            "  not read                                  1   16.7 %\n"
            "  ./unread.said\n"
            "  crashes                                   0    0.0 %\n"
            "\n"
            "files  stopped by\n"
            "    1  madd.s32: an instruction, or a form of one, that warpsim does not have\n"
            "    1  tex.1d.v4.f32.s32: textures and surfaces\n"
            "    1  wgmma.fence.sync.aligned: matrices across a warp\n");
  EXPECT_EQ(made.err, "");
  EXPECT_EQ(made.exit_code, 0);
}

TEST(CorpusScript, KeepsWhatWasCompiledAndReportsCrashes) {
  const OneFileCase made = run_corpus(
      WARPSIM_SOURCE_DIR "/tools/corpus.sh . kept >first && printf 'exit 1' >nvcc && NVCC=$PWD/nvcc " WARPSIM_SOURCE_DIR
                         "/tools/corpus.sh . kept >second && cmp first second && printf '#!/bin/sh\\nkill -SEGV $$' "
                         ">crash && chmod +x crash && "
                         "NVCC=$PWD/nvcc WARPSIM=$PWD/crash " WARPSIM_SOURCE_DIR "/tools/corpus.sh . kept");
  EXPECT_NE(made.out.find("crashes                                   7"), std::string::npos) << made.out << made.err;
  EXPECT_EQ(made.exit_code, 1);
  EXPECT_EQ(run_corpus(WARPSIM_SOURCE_DIR "/tools/corpus.sh").exit_code, 2);
}

// The rest of it needs a checkout of tinygrad.
TEST(TinygradScript, SaysHowItIsCalled) {
  OneFileCase one;
  one.command = WARPSIM_SOURCE_DIR "/tools/tinygrad.sh .";
  const OneFileCase made = run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
  EXPECT_EQ(made.err, "usage: tools/tinygrad.sh [--mock] DIR [OUT] [TEST...]\n");
  EXPECT_EQ(made.exit_code, 2);
}

}  // namespace
}  // namespace warpsim
