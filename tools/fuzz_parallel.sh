#!/usr/bin/env bash
# Fuzzes in several processes at once, with GNU parallel, and prints one result: the same as that of one process.
#
#   tools/fuzz_parallel.sh 16 --count 1000000 --backend cuda      16 shards; all else is for `warpsim fuzz`
#   WARPSIM=path/to/warpsim                                       the command, default build/release/warpsim
#
# Exit code: that of `warpsim fuzz`. A program that differs is written by its shard into the current folder.
set -uo pipefail

warpsim=${WARPSIM:-$(dirname "$0")/../build/release/warpsim}
shards=${1:-}
[[ $shards =~ ^[1-9][0-9]*$ ]] || { echo "usage: tools/fuzz_parallel.sh SHARDS [options of \`warpsim fuzz\`]" >&2; exit 2; }
shift
command -v parallel >/dev/null || { echo "fuzz_parallel: GNU parallel is not installed (Debian: parallel)" >&2; exit 2; }

json=()
options=()
for word in "$@"; do
  if [[ $word == --json ]]; then json=(--json); else options+=("$word"); fi
done
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# Of every shard the answer and, where it is neither 0 nor 1, the exit code.
one_shard() {
  local results=$1 shard=$2 code=0; shift 2
  "$@" --shard "$shard" --json >"$results/${shard%/*}.json" || code=$?
  [[ $code -le 1 ]] || { cat "$results/${shard%/*}.json" >&2; echo "$code" >>"$results/code"; }
}
export -f one_shard
seq -f "%.0f/$shards" 0 $((shards - 1)) |
  SHELL=$(command -v bash) parallel --will-cite --quote -j "$shards" \
    one_shard "$results" {} "$warpsim" fuzz ${options[@]+"${options[@]}"} || exit 70
[[ ! -e $results/code ]] || exit "$(sort -n "$results/code" | tail -n 1)"
"$warpsim" fuzz --merge ${json[@]+"${json[@]}"} "$results"/*.json
