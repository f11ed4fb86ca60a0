#!/usr/bin/env bash
# Judges the public PTX litmus tests and compares with their expected verdicts.
#
#   tools/litmus_corpus.sh DIR [-v]     DIR: a checkout of github.com/hernanponcedeleon/Dat3M
#
# Shapes: prints a table: tests, agreements, disagreements, what was refused and why. -v: a line for each test, too.
# Errors: exit code 1 on a disagreement, 2 without DIR, 3 if something cannot be read.
# Source: the tests of DIR/litmus/PTX with the verdicts of DIR/dartagnan/src/test/resources/PTXv7_5-expected.csv.
set -euo pipefail

[[ $# -ge 1 && -d $1 ]] || { echo "usage: tools/litmus_corpus.sh DIR [-v]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
program=${WARPSIM_LITMUS:-$root/build/release/warpsim_litmus}
[[ -x $program ]] || { echo "litmus_corpus: no $program: cmake --build --preset release --target warpsim_litmus" >&2; exit 3; }
exec "$program" "${@:2}" "$1" "$1/dartagnan/src/test/resources/PTXv7_5-expected.csv"
