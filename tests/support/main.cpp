// The tests' main: GoogleTest's, and what the command heeds in the environment, such as WARPSIM_HOST=avx2.
#include <gtest/gtest.h>

#include "host/exec/environment.h"

int main(int argc, char** argv) {
  warpsim::host::heed_environment();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
