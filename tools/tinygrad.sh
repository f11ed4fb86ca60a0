#!/usr/bin/env bash
# tinygrad's tests of its operators on warpsim, through tinygrad's own PTX: tests/tinygrad/ops.py says how.
#
#   tools/tinygrad.sh DIR [OUT] [TEST...]     DIR: a checkout of github.com/tinygrad/tinygrad
#                                             OUT: where the PTX is kept; "" or left out: nowhere
#                                             TEST: test_add, say; all if left out
#
# Errors: exit code 1 if something is not read, not executable but for matrices, or differs; 2 without DIR, 3 without
#         python3 and its numpy, or warpsim.
set -euo pipefail

[[ $# -ge 1 && -d $1/tinygrad ]] || { echo "usage: tools/tinygrad.sh DIR [OUT] [TEST...]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
for python in ${PYTHON:-python3 /usr/bin/python3}; do
  if "$python" -c 'import numpy, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then exec "$python" "$root/tests/tinygrad/ops.py" "$@"; fi
done
echo "tinygrad: no python3 of version 3.11 with numpy: apt-get install python3-numpy" >&2
exit 3
