#!/usr/bin/env bash
# tinygrad's tests of its operators on warpsim, through tinygrad's own PTX: tests/tinygrad/ops.py says how.
#
#   tools/tinygrad.sh DIR [OUT] [TEST...]     DIR: a checkout of github.com/tinygrad/tinygrad
#                                             OUT: where the PTX is kept; "" or left out: nowhere
#                                             TEST: test_add, say; all if left out
#   tools/tinygrad.sh --mock DIR [MODULE...]  its own tests on its mock GPU with libwarpsim: tests/tinygrad/mock.py
#
# Errors: exit code 1 if something is not read, not executable but for matrices, or differs; 2 without DIR, 3 without
#         python3 and its numpy, or warpsim.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
script=ops.py modules=numpy
if [[ ${1:-} == --mock ]]; then shift; script=mock.py modules="numpy, torch, hypothesis"; fi
[[ $# -ge 1 && -d $1/tinygrad ]] || { echo "usage: tools/tinygrad.sh [--mock] DIR [OUT] [TEST...]" >&2; exit 2; }
for python in ${PYTHON:-python3 /usr/bin/python3}; do
  if "$python" -c "import $modules, sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; then exec "$python" "$root/tests/tinygrad/$script" "$@"; fi
done
echo "tinygrad: no python3 of version 3.11 with $modules: apt-get install python3-numpy, for --mock also python3-torch python3-hypothesis" >&2
exit 3
