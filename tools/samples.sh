#!/usr/bin/env bash
# Kernels of a checkout of github.com/NVIDIA/cuda-samples on data of our own (tests/samples): what they leave in every
# buffer compared with what an H200 left.
#
#   tools/samples.sh DIR [OUT] [NAME...]     DIR: the checkout
#                                            OUT: where the PTX is kept, for the next time; "" or left out: nowhere
#                                            NAME: of tests/samples/list.txt; all if left out
#   RECORD=FOLDER tools/samples.sh DIR       on a GPU: writes there what it did (packed: tests/data/h200_samples.tar.xz)
#   WRITTEN=FOLDER tools/samples.sh DIR      compares the kernels as `warpsim ptx` writes them, there
#
# Shapes: list.txt has lines `NAME FILE ENTRY`: of the PTX of DIR/FILE the kernel ENTRY is kept, the others are cut.
#         constants.txt has lines `NAME SYMBOL WORD...`: what the sample's host code copies to a constant becomes the
#         variable's initial value, in words of 32 bits.
# Errors: exit code 1 if something differs or does not compile, 2 usage, 3 without nvcc or warpsim.
set -euo pipefail

[[ $# -ge 1 && -d $1 ]] || { echo "usage: tools/samples.sh DIR [OUT] [NAME...]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
samples=$root/tests/samples
DIR=$(cd "$1" && pwd); shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
OUT=$scratch/ptx
if [[ $# -ge 1 ]]; then OUT=${1:-$OUT}; shift; fi
mkdir -p "$OUT" && OUT=$(cd "$OUT" && pwd)
WARPSIM=${WARPSIM:-$root/build/release/warpsim}
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[[ -x $WARPSIM ]] || { echo "samples: no $WARPSIM: cmake --build --preset release --target warpsim" >&2; exit 3; }
[[ -x $NVCC ]] || { echo "samples: no nvcc" >&2; exit 3; }
wanted=" $* "

# Keeps of all kernels of a text the one that is called `entry`; functions and variables stay.
one_kernel='
  function depth_of(line,  opened) {
    sub(/\/\/.*/, "", line); gsub(/"[^"]*"/, "", line)
    opened = gsub(/{/, "", line)
    if (opened) begun = 1
    return opened - gsub(/}/, "", line)
  }
  !skipping && /^[ \t.a-z]*\.entry[ \t]/ && !/^[ \t]*\/\// {
    name = $0; sub(/^.*\.entry[ \t]+/, "", name); sub(/[^A-Za-z0-9_$].*/, "", name)
    if (name != entry) { skipping = 1; begun = depth = 0 }
  }
  skipping { depth += depth_of($0); if (begun && depth == 0) skipping = 0; next }
  { print }'
with_constant='
  !done && $0 ~ "^\\.const .*[ \t]" symbol "(\\[[0-9]+\\])?;" {
    done = 1
    count = split(words, word, " ")
    size = $0; sub(/^[^\[]*\[?/, "", size); sub(/\].*/, "", size)
    match($0, /\.align [0-9]+/)
    printf ".const %s .b32 %s[%d] = {", substr($0, RSTART, RLENGTH), symbol, size + 0 ? size / 4 : count
    for (k = 1; k <= count; ++k) printf "%s%s", k == 1 ? "" : ", ", word[k]
    print "};"
    next
  }
  { print }
  END { exit !done }'

failed=0
made=()
while read -r name file entry; do
  [[ $wanted == "  " || $wanted == *" $name "* ]] || continue
  ptx=$OUT/$name.ptx
  if [[ ! -e $ptx ]]; then
    whole=$scratch/${file//\//__}.ptx
    [[ -e $whole ]] || NVCC=$NVCC "$root/tools/nvcc_ptx.sh" "$DIR" "$file" "$whole" ||
      { echo "samples: $file does not compile" >&2; failed=1; continue; }
    awk -v entry="$entry" "$one_kernel" "$whole" >"$scratch/one"
    grep -q "\.entry $entry(" "$scratch/one" || { echo "samples: $file has no kernel $entry" >&2; failed=1; continue; }
    while read -r of symbol words; do
      [[ $of == "$name" ]] || continue
      awk -v symbol="$symbol" -v words="$words" "$with_constant" "$scratch/one" >"$scratch/next" ||
        { echo "samples: $file has no constant $symbol" >&2; failed=1; }
      mv "$scratch/next" "$scratch/one"
    done <"$samples/constants.txt"
    mv "$scratch/one" "$ptx"
  fi
  cp "$samples/$name.launch" "$OUT/$name.launch"
  if [[ -n ${WRITTEN:-} ]]; then
    mkdir -p "$WRITTEN"
    "$WARPSIM" ptx "$ptx" -o "$WRITTEN/$name.ptx" || { failed=1; continue; }
    cp "$samples/$name.launch" "$WRITTEN/$name.launch"
    ptx=$WRITTEN/$name.ptx
  fi
  made+=("$ptx")
done <"$samples/list.txt"
[[ ${#made[@]} -ne 0 ]] || { echo "samples: nothing to run" >&2; exit 1; }

if [[ -n ${RECORD:-} ]]; then
  "$WARPSIM" crosscheck "${made[@]}" --record "$RECORD" || failed=1
else
  tar -C "$scratch" -xJf "$root/tests/data/h200_samples.tar.xz"
  "$WARPSIM" crosscheck "${made[@]}" --against "$scratch/h200_samples" || failed=1
fi
exit $failed
