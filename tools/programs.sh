#!/usr/bin/env bash
# Whole programs of a checkout of github.com/NVIDIA/cuda-samples on warpsim's CUDA runtime: compiled for a shared
# libcudart, run on the CPU, and judged by the text that they print themselves.
#
#   tools/programs.sh DIR [NAME...]     DIR: the checkout. The programs run in its folders, and some write files there
#                                       NAME: of tests/samples_programs.txt; all if left out
#   OUT=FOLDER                          keeps the compiled programs for the next time, NAME.said and NAME.complained:
#                                       what they wrote to standard output and error; left out: nowhere
#   LIMIT=SECONDS                       how long each may run: 60 if left out
#   WARPSIM_EXEC='{"checks":true}'      with checks: left out, they are off
#
# Shapes: a line a program: name, verdict, seconds, and what shows why; then how many there are of each verdict.
#           right             it printed what the list says, and ended with exit code 0
#           refused           it did not, and warpsim said that something is not supported
#           wrong text        it did not, and warpsim refused nothing
#           crashed, too slow, does not compile
#         The list's lines: `NAME [ARGUMENT...] prints: REGEX` (grep -E) or `NAME not reached: REASON`, which is neither
#         compiled nor run unless it is named. What is compiled is what add_executable in CMakeLists.txt names.
# Errors: exit code 1 if a program that the list expects to be right is not, or is in no folder, 2 usage, 3 without nvcc
#         or the runtime.
set -euo pipefail

[[ $# -ge 1 && -d $1 ]] || { echo "usage: tools/programs.sh DIR [NAME...]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
list=$root/tests/samples_programs.txt
DIR=$(cd "$1" && pwd); shift
CUDART=${CUDART:-$root/build/release/cuda/libcudart.so.13}
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
LIMIT=${LIMIT:-60}
export WARPSIM_EXEC=${WARPSIM_EXEC:-'{"checks":false}'}
[[ -e $CUDART ]] || { echo "programs: no $CUDART: cmake --build --preset release --target cudart" >&2; exit 3; }
[[ -x $NVCC ]] || { echo "programs: no nvcc" >&2; exit 3; }
if [[ -n ${OUT:-} ]]; then mkdir -p "$OUT" && OUT=$(cd "$OUT" && pwd); else OUT=$(mktemp -d) && trap 'rm -rf "$OUT"' EXIT; fi

# A program of a folder, with the files, headers and options that its CMakeLists.txt names. Objects are linked on the
# device (-rdc=true) where kernels launch kernels or the files share device code.
compile() {
  local folder=$1 name=$2 text sources options=()
  text=$(grep -v '^ *#' "$folder/CMakeLists.txt" | tr '\n' ' ')
  read -ra sources < <(grep -oE 'add_executable\([^)]*\)' <<<"$text" | head -1 | sed -E 's/^add_executable\(\S+//; s/\)$//')
  if grep -qE 'OpenMP::|-fopenmp' <<<"$text"; then options+=(-Xcompiler -fopenmp); fi
  if [[ $name == cdp* || $name == graphConditionalNodes || ${RDC:-} == 1 ]]; then options+=(-rdc=true -lcudadevrt); fi
  (cd "$folder" && "$NVCC" -arch=sm_90 -lineinfo -cudart shared -std=c++17 --extended-lambda -w "${options[@]}" \
    -I"$DIR/Common" -I. -Iinc "${sources[@]}" -o "$OUT/$name.part" >"$OUT/$name.log" 2>&1) || return 1
  mv "$OUT/$name.part" "$OUT/$name" && rm "$OUT/$name.log"
}

# Of a program that has run: its verdict, and what shows why.
judge() {
  local code=$1 regex=$2 said=$OUT/$3.said complained=$OUT/$3.complained refused
  refused=$(grep -m1 -E "$refusals" "$complained" || true)
  if ((code == 0)) && [[ -z $refused ]] && grep -qE -- "$regex" "$said"; then echo right
  elif ((code == 124 || code == 137)); then echo "too slow|over $LIMIT s"
  elif [[ -n $refused ]]; then echo "refused|$refused"
  elif ((code > 128)); then echo "crashed|signal $((code - 128))"
  else echo "wrong text|exit code $code: $(cat "$complained" "$said" | grep -m1 -iE 'error|fail|mismatch|waiv' || true)"
  fi
}
# What warpsim says, of its runtime and of its kernels.
refusals=' is not supported|: the program has no PTX|cannot be read: '

declare -A count=()
failed=0 found=0
while read -r name line; do
  [[ -n $name && $name != '#'* ]] || continue
  if [[ $# -ne 0 ]]; then [[ " $* " == *" $name "* ]] || continue
  elif [[ $line == 'not reached:'* ]]; then continue; fi
  found=$((found + 1)) verdict='' why='' took=0
  folder=$(find "$DIR/Samples" -type d -name "$name" -exec test -e '{}/CMakeLists.txt' \; -print -quit)
  if [[ -z $folder ]]; then verdict='no such folder'
  elif [[ ! -x $OUT/$name ]] && ! compile "$folder" "$name"; then
    verdict='does not compile' why=$(grep -m1 -iE 'error|undefined' "$OUT/$name.log" || true)
  else
    read -ra arguments <<<"${line%%prints:*}"
    regex=${line#*prints: }
    if [[ $line == 'not reached:'* ]]; then arguments=() regex='[Pp]ass(ed)?|PASS(ED)?'; fi
    began=$EPOCHREALTIME code=0
    (cd "$folder" && LD_PRELOAD=$CUDART exec timeout -k 5 "$LIMIT" "$OUT/$name" "${arguments[@]}" \
      >"$OUT/$name.said" 2>"$OUT/$name.complained" </dev/null) || code=$?
    took=$(awk -v began="$began" -v ended="$EPOCHREALTIME" 'BEGIN { printf "%.1f", ended - began }')
    IFS='|' read -r verdict why < <(judge "$code" "$regex" "$name") || true
  fi
  count[$verdict]=$((${count[$verdict]:-0} + 1))
  [[ $verdict == right || $line == 'not reached:'* ]] || failed=1
  printf '%-32s  %-16s  %6s s  %s\n' "$name" "$verdict" "$took" "${why:0:140}"
done <"$list"
[[ $found -ne 0 ]] || { echo "programs: none of these names is in $list" >&2; exit 1; }
echo
for verdict in "${!count[@]}"; do
  awk -v part="${count[$verdict]}" -v of="$found" -v verdict="$verdict" \
    'BEGIN { printf "%5d  %5.1f %%  %s\n", part, 100 * part / of, verdict }'
done | sort -rn
exit $failed
