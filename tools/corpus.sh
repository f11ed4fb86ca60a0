#!/usr/bin/env bash
# Compiles the CUDA C++ files of a checkout to PTX and says how much of it warpsim reads and executes.
#
#   tools/corpus.sh DIR [OUT]     DIR: a checkout, of github.com/NVIDIA/cuda-samples say
#                                 OUT: where the PTX is kept, for the next time; a temporary folder if left out
#
# Shapes: prints a table: files, those that nvcc compiles, those with kernels, and of these: read, executable throughout,
#         refused by textures, matrices, bulk copies and clusters alone, or by something else. Then what refuses files: each instruction with the number of files that it stops. Below OUT a file
#         PATH.ptx stands for PATH.cu, PATH.error for what nvcc does not compile and PATH.said for what warpsim said.
# Errors: exit code 1 if a file crashes warpsim or takes over 60 seconds, 2 without DIR, 3 without nvcc or warpsim.
set -euo pipefail

[[ $# -ge 1 && $# -le 2 && -d $1 ]] || { echo "usage: tools/corpus.sh DIR [OUT]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
DIR=$(cd "$1" && pwd)
WARPSIM=${WARPSIM:-$root/build/release/warpsim}
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[[ -x $WARPSIM ]] || { echo "corpus: no $WARPSIM: cmake --build --preset release --target warpsim" >&2; exit 3; }
[[ -x $NVCC ]] || { echo "corpus: no nvcc" >&2; exit 3; }
if [[ $# -eq 2 ]]; then mkdir -p "$2" && OUT=$(cd "$2" && pwd); else OUT=$(mktemp -d) && trap 'rm -rf "$OUT"' EXIT; fi
export DIR OUT WARPSIM NVCC root

# One file: PATH.ptx or PATH.error. What launches kernels from kernels is compiled for linking: then there is PATH.rdc.
compile() {
  local made=$OUT/${1%.cu}
  mkdir -p "$(dirname "$made")"
  [[ ! -e $made.ptx && ! -e $made.error ]] || return 0
  if ! "$root/tools/nvcc_ptx.sh" "$DIR" "$1" "$made.part" >"$made.log" 2>&1; then
    if ! grep -q 'separate compilation mode' "$made.log" ||
      ! "$root/tools/nvcc_ptx.sh" "$DIR" "$1" "$made.part" -rdc=true >"$made.log" 2>&1; then
      mv "$made.log" "$made.error" && rm -f "$made.part"
      return 0
    fi
    touch "$made.rdc"
  fi
  mv "$made.part" "$made.ptx" && rm "$made.log"
}
# PATH.said, whose last line is warpsim's exit code. What is compiled for linking is linked to the files beside it.
look() {
  local made=$OUT/${1%.cu} code=0 other links=()
  [[ -e $made.ptx ]] || return 0
  if [[ -e $made.rdc ]]; then
    for other in "$(dirname "$made")"/*.ptx; do [[ $other == "$made.ptx" ]] || links+=(--link "$other"); done
  fi
  timeout 60 "$WARPSIM" kernels "$made.ptx" "${links[@]}" >"$made.said" 2>&1 || code=$?
  printf '\nexit code %s\n' "$code" >>"$made.said"
}
export -f compile look
# The inner shell expands $1.
# shellcheck disable=SC2016
for task in compile look; do
  (cd "$DIR" && find . -name '*.cu' -printf '%P\0' | sort -z) | xargs -0 -P "$(nproc)" -I{} bash -c "$task"' "$1"' "$task" {}
done

cd "$OUT"
files=$(cd "$DIR" && find . -name '*.cu' | wc -l)
find . -name '*.said' -exec awk -v files="$files" '
  FNR == 1 { name = FILENAME; said[name] = "" }
  /^no kernel: / { kernels[name] = "none" }
  /^  not supported: / {
    sub(/^  not supported: /, ""); instruction = $0; sub(/, line [0-9]+( of [^:]*)?: .*/, "", instruction)
    because = $0; sub(/^.*, line [0-9]+( of [^:]*)?: /, "", because)
    refused[name] = 1
    if (because !~ /^(textures and surfaces|matrices across a warp|bulk and tensor copies|clusters of several blocks|asynchronous stores)$/) other[name] = 1
    if (!seen[name, instruction, because]++) ++stopped[instruction "\t" because]
  }
  /^exit code / { code[name] = $3 }
  function share(n) { return sprintf("%5d  %5.1f %%", n, of ? 100 * n / of : 0) }
  END {
    for (name in said) {
      ++compiled
      if (kernels[name] == "none") continue
      ++of
      if (code[name] >= 70) ++crashed
      else if (code[name] != 0) { ++unread; bad = bad "\n  " name }
      else if (!refused[name]) ++whole
      else if (other[name]) ++others
      else ++later
    }
    printf "files                                   %5d\nnot compiled by nvcc                    %5d\nwith kernels                            %5d\n", files, files - compiled, of
    printf "  read                                  %s\n", share(whole + later + others)
    printf "  executable throughout                 %s\n", share(whole)
    printf "  refused by what comes later alone     %s\n", share(later)
    printf "  refused by something else             %s\n", share(others)
    printf "  not read                              %s%s\n", share(unread), bad
    printf "  crashes                               %s\n\nfiles  stopped by\n", share(crashed)
    for (row in stopped) { split(row, part, "\t"); printf "%5d  %s: %s\n", stopped[row], part[1], part[2] | "sort -k1,1nr -k2" }
    close("sort -k1,1nr -k2")
    exit crashed > 0
  }' {} +
