#!/usr/bin/env bash
# Compiles tools/cuda/kernels to tests/data/catalogue_ptx.txt.xz, which tests run: each kernel optimised, and as a debugger
# wants it. Needs nvcc; the tests do not. The compiler's comments and debug sections are left out: they name its own build.
set -euo pipefail
cd "$(dirname "$0")/.."
kernels=tools/cuda/kernels out=$PWD/tests/data/catalogue_ptx.txt
: >"$out"
for file in "$kernels"/*/*.cu; do
  name=${file#"$kernels"/}
  for flags in "-O3 -lineinfo" "-O0 -G"; do
    # shellcheck disable=SC2086 -- two options
    ptx=$(nvcc -ptx -std=c++17 -fmad=false -arch=compute_80 $flags -I"$kernels" "$file" -o - 2>/dev/null)
    printf '=== %s %s\n' "${name%.cu}" "$flags" >>"$out"
    grep -v '^//\|^[[:space:]]*\.file\|^$' <<<"$ptx" | sed '/^[[:space:]]*\.section/,$d' >>"$out"
  done
done
xz -9 --force "$out"
ls -l "$out.xz"
