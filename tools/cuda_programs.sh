#!/usr/bin/env bash
# The CUDA programs of tests/host/programs as nvcc makes them, in tests/data/cuda_programs.tar.xz: machines without nvcc
# test with those.
#
#   tools/cuda_programs.sh      NVCC=… names another nvcc; it must be CUDA 13's
#
# Shapes: each program by its path without .cu, and SOURCES: the sha256 of each source, by which the tests know that the
#         archive is of today's.
# Errors: exit code 3 without nvcc, 1 if a program does not compile.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[[ -x $nvcc ]] || { echo "tools/cuda_programs.sh: there is no nvcc" >&2; exit 3; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cd "$root/tests/host/programs"
mapfile -t sources < <(find . -name '*.cu' -printf '%P\n' | LC_ALL=C sort)
find . -name '*.cu' -printf '%P\n' -o -name '*.h' -printf '%P\n' | LC_ALL=C sort | xargs sha256sum > "$out/SOURCES"
# Line information has the whole path of a source: from a place that says nothing of this machine.
place=/tmp/programs
[[ ! -e $place ]] || { echo "tools/cuda_programs.sh: $place is in the way" >&2; exit 1; }
trap 'rm -rf "$out" "$place"' EXIT
cp -r . "$place"
cd "$place"
mkdir -p "$out/bugs" "$out/right" "$out/libraries"
# PTX alone, without warnings: the mistakes are meant. -g would make the archive four times as large. The PTX of the
# libraries is large: it is left to xz, and has no lines.
compile() {  # NAME; a line `// nvcc: OPTION...` of the source says how it is linked, where not to the shared runtime
  local options lines=(-lineinfo)
  [[ $1 != libraries/* ]] || lines=(--no-compress)
  read -ra options < <(sed -n 's|^// nvcc: ||p' "$1.cu"; echo)
  [[ ${#options[@]} -ne 0 ]] || options=(-cudart shared)
  "$nvcc" -w -std=c++17 -gencode arch=compute_90,code=compute_90 "${lines[@]}" "${options[@]}" -Xlinker -s \
    -Xlinker --build-id=none -o "$out/$1" "$1.cu"
}
export -f compile
export nvcc out
# The inner shell expands $1.
# shellcheck disable=SC2016
printf '%s\n' "${sources[@]%.cu}" | xargs -P "$(nproc)" -I NAME bash -euc 'compile "$1"' compile NAME
# Neither times nor owners: the same sources give the same archive.
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$out" -c . | xz -9e > "$root/tests/data/cuda_programs.tar.xz"
