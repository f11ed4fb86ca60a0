#!/usr/bin/env bash
# From a fresh clone to a picture: sets up, builds, runs one puzzle at 8 lanes, draws it, and writes its trace.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/setup.sh build
options=()
[[ -f build/release/CMakeCache.txt ]] || options=(-DWARPSIM_TESTS=OFF -DWARPSIM_BENCH=OFF)
log=$(mktemp)
echo "quickstart: building build/release/warpsim (some minutes on two cores)"
if ! { cmake --preset release ${options[@]+"${options[@]}"} && cmake --build --preset release --target warpsim; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "quickstart: the build failed: its last words are above, the rest is in $log" >&2
  exit 1
fi
rm -f "$log"

program=p26/butterfly_parallel_max
trace=build/butterfly_parallel_max.json
echo
build/release/warpsim trace $program --case worked --format text
build/release/warpsim trace $program --case worked -o $trace
cat <<END

The trace is in $trace. Go on with:
  build/release/warpsim list                    the programs
  build/release/warpsim show $program
  build/release/warpsim p26 --parallel-max      as in Mojo GPU Puzzle 26, at 32 lanes
  build/release/warpsim help
  tools/test.sh                                 every test
END
