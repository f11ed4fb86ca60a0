#!/usr/bin/env bash
# The tests. The last line is the verdict.
#
#   tools/test.sh          every test, in the release build
#   tools/test.sh all      also with clang under its sanitizers, clang-format and clang-tidy, and the site; what CI runs
#   tools/test.sh STEP…    only these: release, sanitize, format, tidy, site
#   WARPSIM_LONG=1         random programs and mutants by the hundred thousand (an hour or more)
#
# Measured on two cores of Debian 12, without a compiler cache, on machines of which one is twice as fast as the other:
# release 6 to 12 min for building and 4 to 16 min for its tests; all of sanitize 20 to 40 min; tidy stops
# after 90 s.
set -uo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
failed=()
skipped=()
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
if [[ -n ${WARPSIM_LONG:-} ]]; then
  export WARPSIM_FUZZ_COUNT=${WARPSIM_FUZZ_COUNT:-300000} WARPSIM_MUTANTS=${WARPSIM_MUTANTS:-300000} WARPSIM_DAMAGES=${WARPSIM_DAMAGES:-20000}
fi

say() { printf '\n== %s (%d min %02d s)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }
skip() { echo "skipped: $*"; skipped+=("$1"); }

# step NAME WHAT FUNCTION: runs it if it is wanted, and goes on after a failure, so that one run tells everything.
step() {
  local name=$1 what=$2
  [[ " ${only[*]} " == *" $name "* ]] || return 0
  say "$name: $what"
  "step_$name" || { failed+=("$name"); echo "FAILED: $name"; }
}

configure_build_test() {
  local preset=$1 log=build/$1/ctest.log; shift
  rm -f "$log"
  cmake --preset "$preset" ${launcher[@]+"${launcher[@]}"} -DWARPSIM_WERROR=ON -DWARPSIM_TESTS=ON "$@" >build/configure.log 2>&1 ||
    { cat build/configure.log; return 1; }
  cmake --build --preset "$preset" -j "$jobs" -- --quiet || return 1
  say "built; the tests"
  if ctest --preset "$preset" -j "$jobs" --output-on-failure --quiet --output-log "$log"; then
    report_counts "build/$preset"
  else
    sed -n '/\*\*\*Failed\|\*\*\*Exception\|\*\*\*Timeout\|\*\*\*Not Run/,$p' "$log" |
      grep -vE '^ *Start +[0-9]+:| Passed +[0-9.]+ sec' | tail -n 200
    return 1
  fi
}

# How many tests the processes of the last ctest run in this folder had, and which of them were skipped.
report_counts() {
  local log=$1/Testing/Temporary/LastTest.log
  awk '/^\[  PASSED  \]/ {passed += $4} /^\[  SKIPPED \]/ && $4 ~ /^[0-9]+$/ {skipped += $4}
       END {printf "%d passed, 0 failed, %d skipped\n", passed, skipped}' "$log"
  grep -E "tests passed|Total Test time" "$1/ctest.log"
  awk '/: Skipped$/ {place = $1; getline; print place, $0}' "$log" | sed "s|$PWD/||; s|^../../||" | cut -c1-140 | sort | uniq -c
  grep '(Skipped)' "$1/ctest.log" || true
}

# What needs the CUDA toolkit is left out where there is none, aloud.
step_release() {
  configure_build_test release "-DWARPSIM_BENCH=$bench" || return 1
  grep -q '^WARPSIM_NVCC:.*NOTFOUND' build/release/CMakeCache.txt && skip "nvcc is not here: the CUDA kernels are not compiled"
  grep -q '^WARPSIM_PTXAS:.*NOTFOUND' build/release/CMakeCache.txt && skip "ptxas is not here: what is written as PTX is not assembled"
  return 0
}

# part COUNT: which of so many parts of a step's tests is run, as the commit's hash has it; all where it is the only step.
part() {
  local commit
  [[ ${#only[@]} -ne 1 ]] || { echo 1/1; return; }
  commit=$(git rev-parse HEAD) || return 1
  echo "$((16#${commit:0:7} % $1 + 1))/$1"
}

# Fewer random programs: each is several times as slow here. The mutants stay thousands. With other steps only a sixth of the
# tests' files: nothing else takes as long. With clang, whose warnings are errors, too; it takes two thirds of g++'s time here.
step_sanitize() {
  local part clang=clang
  command -v clang++-14 >/dev/null && clang=clang-14
  "$clang" --version | head -n 1
  # Of another compiler CMake's cache is no use.
  grep -qs "^CMAKE_CXX_COMPILER:[A-Z]*=.*clang++" build/sanitize/CMakeCache.txt || rm -rf build/sanitize
  part=$(part 6) || return 1
  WARPSIM_FUZZ_COUNT=${WARPSIM_FUZZ_COUNT:-500} WARPSIM_MUTANTS=${WARPSIM_MUTANTS:-3000} \
    UBSAN_OPTIONS=print_stacktrace=1 configure_build_test sanitize "-DCMAKE_C_COMPILER=$clang" "-DCMAKE_CXX_COMPILER=${clang/clang/clang++}" \
    "-DWARPSIM_TESTS_PART=$part" || return 1
  [[ $part == 1/1 ]] || echo "a sixth of the tests' files, $part (tools/test.sh sanitize: all)"
}

# Releases of clang-format differ in what they make of one configuration, so only the one that formatted the files judges.
step_format() {
  local format=clang-format
  command -v clang-format-14 >/dev/null && format=clang-format-14
  "$format" --version | grep -q 'version 14\.' || { skip "clang-format 14 is not installed, $("$format" --version) is"; return 0; }
  git ls-files -z '*.cpp' '*.h' '*.cu' | xargs -0 "$format" --dry-run --Werror
}

# As many files as the time allows: first those of the last commits, then the others, from another one on each day's
# commits, so that all have their turn.
step_tidy() {
  local budget_s=${WARPSIM_TIDY_S:-90} begin=$SECONDS checked=0 bad=0 share
  local -a files changed others
  # Each file by itself, which shows headers that lack an #include: not as the other steps build them.
  cmake --preset debug -B build/tidy -DCMAKE_CXX_COMPILER=clang++ -DWARPSIM_TESTS=OFF -DWARPSIM_BENCH=OFF >build/configure.log 2>&1 ||
    { cat build/configure.log; return 1; }
  # engine_none.cpp is for other hosts: build/tidy does not compile it. Nor does it compile web/, but clang-tidy then takes the
  # command of a file that is near, which may be one of another folder for headers.
  local -a folders=('isa/*.cpp' 'sim/*.cpp' 'traces/*.cpp' 'host/*.cpp' 'tools/*.cpp' 'web/*.cpp' ':!sim/engine/engine_none.cpp')
  mapfile -t changed < <(git diff --name-only --diff-filter=d "$(git rev-list --max-count=20 HEAD | tail -n 1)" -- "${folders[@]}")
  mapfile -t others < <(comm -23 <(git ls-files "${folders[@]}" | sort) <(printf '%s\n' ${changed[@]+"${changed[@]}"} | sort))
  share=$(($(git rev-list --count HEAD) * 40 % (${#others[@]} + 1)))
  files=(${changed[@]+"${changed[@]}"} "${others[@]:share}" "${others[@]:0:share}")
  while ((checked < ${#files[@]} && SECONDS - begin < budget_s)); do
    local -a batch=("${files[@]:checked:jobs * 2}")
    printf '%s\0' "${batch[@]}" | xargs -0 -n 1 -P "$jobs" clang-tidy -p build/tidy --quiet \
      --extra-arg=-Wno-unknown-warning-option --extra-arg="-I$PWD" 2>/dev/null || bad=1
    checked=$((checked + ${#batch[@]}))
  done
  ((checked <= ${#files[@]})) || checked=${#files[@]}
  echo "clang-tidy: $checked of ${#files[@]} files, ${#changed[@]} of them changed in the last 20 commits"
  return $bad
}

# The site, and its tests in a browser, which compare it with the command: what Emscripten makes of the simulator, byte for byte.
# With other steps half of the tests.
step_site() {
  local part
  part=$(part 2) || return 1
  [[ -x build/release/warpsim && -x build/release/flow_dump ]] || { echo "the step \`release\` comes first"; return 1; }
  tools/site.sh || return 1
  SITE=build/site PART=$part tests/web/run.sh build/release/warpsim build/release/flow_dump
  local result=$?
  [[ $part == 1/1 ]] || echo "half of the site's tests, $part (tools/test.sh site: all)"
  [[ $result -ne 77 ]] || { skip "the site's tests, see above"; return 0; }
  return $result
}

bench=OFF
case "$*" in
  "") only=(release) ;;
  all) bench=ON only=(release sanitize format tidy site) ;;
  *) only=("$@") ;;
esac
for name in "${only[@]}"; do
  declare -F "step_$name" >/dev/null || { echo "test: there is no step $name" >&2; exit 2; }
done
mkdir -p build
tools/setup.sh test || { echo "FAILED: setup"; exit 1; }
step release "built with warnings as errors; every test"
step sanitize "the same under the address and undefined-behaviour sanitizers"
step format "clang-format"
step tidy "clang-tidy"
step site "the simulator as WebAssembly, and the site in a browser"

echo
[[ ${#skipped[@]} -eq 0 ]] || printf 'skipped: %s\n' "${skipped[@]}"
if [[ ${#failed[@]} -ne 0 ]]; then
  echo "FAILED: ${failed[*]} (after $((SECONDS / 60)) min $((SECONDS % 60)) s)"
  exit 1
fi
echo "PASSED: ${only[*]} (in $((SECONDS / 60)) min $((SECONDS % 60)) s)"
