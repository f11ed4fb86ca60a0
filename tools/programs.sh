#!/usr/bin/env bash
# Whole programs of a public collection under `warpsim exec`: compiled for a shared libcudart, run on the CPU, and judged
# by the text that they print themselves.
#
#   tools/programs.sh DIR [NAME...]     DIR: a checkout of github.com/NVIDIA/cuda-samples, sgrauerg/polybenchGpu or
#                                       yuhc/gpu-rodinia. The programs run in its folders, and some write files there
#                                       NAME: of the collection's list in tests/clients; all if left out
#   OUT=FOLDER                          keeps the compiled programs for the next time, NAME.said and NAME.complained:
#                                       what they wrote to standard output and error; left out: nowhere
#   LIMIT=SECONDS                       of the processor's time that each may take: 60 if left out
#   OPTIONS='--check on'             of `warpsim exec`: `--check off` if left out
#
# Shapes: a line a program: name, verdict, seconds, and what shows why; then how many there are of each verdict.
#           right             it printed what the list says, and ended with exit code 0
#           refused           it did not, and warpsim said that something is not supported
#           wrong text        it did not, and warpsim refused nothing
#           crashed, too slow, does not compile
#         The list's lines: `NAME not reached: REASON`, which is neither compiled nor run unless it is named, or
#           NAME [ARGUMENT...] [with: WORD...] [before: COMMAND] [after: COMMAND] prints: REGEX
#         with: sources and options for nvcc, of cuda-samples besides what add_executable in CMakeLists.txt names
#         before, after: commands of bash in the program's folder, that make its input and look at its output; they and
#         the arguments see OUT, and the commands NVCC
#         prints: what the program or the command after it must print (grep -E)
# Errors: exit code 1 if a program that the list expects to be right is not, or is in no folder, 2 usage, 3 without nvcc
#         or the runtime.
set -euo pipefail

[[ $# -ge 1 && -d $1 ]] || { echo "usage: tools/programs.sh DIR [NAME...]" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
DIR=$(cd "$1" && pwd); shift
if [[ -d $DIR/Samples ]]; then collection=cuda_samples
elif [[ -e $DIR/CUDA/common.mk ]]; then collection=polybench_gpu
elif [[ -d $DIR/cuda/backprop ]]; then collection=rodinia
else echo "programs: $DIR is none of the collections of tests/clients" >&2; exit 2; fi
list=$root/tests/clients/$collection.txt
WARPSIM=${WARPSIM:-$root/build/release/warpsim}
NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
LIMIT=${LIMIT:-60}
read -ra exec_options <<<"${OPTIONS:---check off}"
[[ -x $WARPSIM ]] || { echo "programs: no $WARPSIM: cmake --build --preset release" >&2; exit 3; }
[[ -x $NVCC ]] || { echo "programs: no nvcc" >&2; exit 3; }
if [[ -n ${OUT:-} ]]; then mkdir -p "$OUT" && OUT=$(cd "$OUT" && pwd); else OUT=$(mktemp -d) && trap 'rm -rf "$OUT"' EXIT; fi
export OUT NVCC

# Where a program is; empty: nowhere.
folder_of() {
  case $collection in
    cuda_samples) find "$DIR/Samples" -type d -name "$1" -exec test -e '{}/CMakeLists.txt' \; -print -quit ;;
    polybench_gpu) [[ ! -d $DIR/CUDA/$1 ]] || echo "$DIR/CUDA/$1" ;;
    rodinia) [[ ! -d $DIR/cuda/$1 ]] || echo "$DIR/cuda/$1" ;;
  esac
}

# The words for nvcc that all programs of a collection need, and those that a folder's own build file has: its sources,
# and options. Objects are linked on the device (-rdc=true) where kernels launch kernels or the files share device code.
words_of() {
  local folder=$1 name=$2 text
  # CUDA 13 no longer has the names of CUDA 4 for these two.
  local old=(-DcudaThreadSynchronize=cudaDeviceSynchronize -DcudaThreadExit=cudaDeviceReset)
  case $collection in
    cuda_samples)
      text=$(grep -v '^ *#' "$folder/CMakeLists.txt" | tr '\n' ' ')
      grep -oE 'add_executable\([^)]*\)' <<<"$text" | head -1 | sed -E 's/^add_executable\(\S+//; s/\)$//'
      echo "-std=c++17 --extended-lambda -I$DIR/Common -I. -Iinc"
      if grep -qE 'OpenMP::|-fopenmp' <<<"$text"; then echo '-Xcompiler -fopenmp'; fi
      if [[ $name == cdp* || $name == graphConditionalNodes || ${RDC:-} == 1 ]]; then echo '-rdc=true -lcudadevrt'; fi ;;
    polybench_gpu) (cd "$folder" && echo "${old[*]}" -include "$OUT/$name.h" ./*.cu) ;;
    rodinia) echo "${old[*]}" ;;
  esac
}

compile() {
  local folder=$1 name=$2 words
  mkdir -p "$(dirname "$OUT/$name")"
  # Sizes with names as short as N are for what comes behind the system's headers alone.
  {
    printf '#include <%s>\n' cuda.h math.h stdarg.h stdio.h stdlib.h string.h sys/time.h time.h unistd.h
    tr ' ' '\n' <<<"$3" | sed -nE 's/^-D([A-Z]+)=([0-9]+)$/#define \1 \2/p'
  } >"$OUT/$name.h"
  read -ra words < <(words_of "$folder" "$name" | tr '\n' ' '; [[ $collection == polybench_gpu ]] || echo "$3")
  (cd "$folder" && "$NVCC" -arch=sm_90 -lineinfo -cudart shared -w "${words[@]}" -o "$OUT/$name.part" \
    >"$OUT/$name.log" 2>&1) || return 1
  mv "$OUT/$name.part" "$OUT/$name" && rm "$OUT/$name.log"
}

# Of a program that has run: its verdict, and what shows why.
judge() {
  local code=$1 regex=$2 said=$OUT/$3.said complained=$OUT/$3.complained refused
  refused=$(grep -m1 -E "$refusals" "$complained" || true)
  if ((code == 0)) && [[ -z $refused ]] && grep -qE -- "$regex" "$said"; then echo right
  elif ((code == 124 || code == 137 || code == 152)); then echo "too slow|over $LIMIT s"
  elif [[ -n $refused ]]; then echo "refused|$refused"
  elif ((code > 128)); then echo "crashed|signal $((code - 128))"
  else echo "wrong text|exit code $code: $(cat "$complained" "$said" | grep -m1 -iE 'error|fail|mismatch|waiv' || true)"
  fi
}
# What warpsim says, of its runtime and of its kernels.
refusals=' is not supported|: the program has no PTX|cannot be read: '

# `field KEY LINE`: what stands in it behind "KEY: ", as far as the next key.
field() {
  local rest=" ${2%% prints: *}"
  [[ $rest == *" $1: "* ]] || return 0
  rest=${rest#*" $1: "}
  rest=${rest%% after: *} rest=${rest%% before: *}
  echo "${rest%% with: *}"
}

# Runs it, and the commands before and after. A program that waits is ended, too.
run() {
  local folder=$1 name=$2 line=$3 arguments
  read -ra arguments <<<"${line%%@(with|before|after|prints|not reached):*}"
  cd "$folder"
  bash -euc "$(field before "$line")" || return 1
  (ulimit -t "$LIMIT" && exec timeout -k 5 $((10 * LIMIT)) "$WARPSIM" exec "${exec_options[@]}" "$OUT/$name" \
    "${arguments[@]//\$OUT/$OUT}") || return
  bash -euc "$(field after "$line")"
}

shopt -s extglob
declare -A count=()
failed=0 found=0
while read -r name line; do
  [[ -n $name && $name != '#'* ]] || continue
  if [[ $# -ne 0 ]]; then [[ " $* " == *" $name "* ]] || continue
  elif [[ $line == 'not reached:'* ]]; then continue; fi
  found=$((found + 1)) verdict='' why='' took=0
  folder=$(folder_of "$name")
  if [[ -z $folder ]]; then verdict='no such folder'
  elif [[ ! -x $OUT/$name ]] && ! compile "$folder" "$name" "$(field with "$line")"; then
    verdict='does not compile' why=$(grep -m1 -iE 'error|undefined' "$OUT/$name.log" || true)
  else
    regex=${line#*prints: }
    if [[ $line == 'not reached:'* ]]; then regex='[Pp]ass(ed)?|PASS(ED)?'; fi
    began=$EPOCHREALTIME code=0
    (run "$folder" "$name" "$line") >"$OUT/$name.said" 2>"$OUT/$name.complained" </dev/null || code=$?
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
