#!/usr/bin/env bash
# Makes sure that what building needs is there: `tools/setup.sh build`, `tools/setup.sh test` for the tests as well, or
# `tools/setup.sh site` for the site.
#
# Installs Debian's or Ubuntu's packages when it may (root, or sudo without a password); otherwise it says exactly what is
# missing and stops with 1. Prints nothing when nothing is missing.
set -euo pipefail

# package  how to see that it is there: a command, a file, a C++ header in <…>, a runtime of clang
for_building='
cmake               cmake
ninja-build         ninja
g++                 g++
nlohmann-json3-dev  <nlohmann/json.hpp>
libspdlog-dev       <spdlog/version.h>
libcli11-dev        <CLI/CLI.hpp>
zlib1g-dev          <zlib.h>
libzstd-dev         <zstd.h>
liblz4-dev          <lz4.h>
libxbyak-dev        <xbyak/xbyak.h>
'
# The command is built without them, too: then `warpsim tui`, `warpsim view --serve` and `warpsim export --to png` say that
# they cannot, `warpsim step` does not edit lines, and `warpsim exec` names the host's calls by symbol and offset alone.
optional='
libncurses-dev      <ncurses.h>
libedit-dev         <editline/readline.h>
libevent-dev        <event2/http.h>
libdw-dev           <elfutils/libdwfl.h>
librsvg2-bin        rsvg-convert
'
for_testing='
clang               clang++
libclang-rt-dev     runtime:asan
clang-format        clang-format
clang-tidy          clang-tidy
git                 git
libgtest-dev        <gtest/gtest.h>
libbenchmark-dev    <benchmark/benchmark.h>
liblzma-dev         <lzma.h>
parallel            parallel
pkg-config          pkg-config
xz-utils            xz
python3-jsonschema  python3:jsonschema
python3-pyte        python3:pyte
protobuf-compiler   protoc
nodejs              node
npm                 npm
chromium            chromium
ffmpeg              ffmpeg
fonts-noto-cjk      /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc
'
# Debian has it, and with it the site is tested in a second engine; elsewhere those tests are skipped, aloud.
for_testing_on_debian='
firefox-esr         firefox-esr
'

for_site='
cmake               cmake
ninja-build         ninja
g++                 g++
nlohmann-json3-dev  <nlohmann/json.hpp>
emscripten          em++
nodejs              node
npm                 npm
'

is_there() {
  case $1 in
    "<"*) command -v g++ >/dev/null && g++ -std=c++20 -fsyntax-only -x c++ - <<<"#if !__has_include($1)
#error
#endif" 2>/dev/null ;;
    /*) [[ -e $1 ]] ;;
    runtime:*) [[ -e $(clang++ -print-file-name="libclang_rt.${1#runtime:}-$(uname -m).so" 2>/dev/null) ]] ;;
    python3:*) command -v python3 >/dev/null && PATH=/usr/bin:$PATH python3 -c "import ${1#python3:}" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing=()
look() {
  missing=()
  local package probe
  while read -r package probe; do
    [[ -z $package ]] || is_there "$probe" || missing+=("$package")
  done <<<"$1"
}

wanted=$for_building$optional
[[ ${1:-build} != test ]] || wanted+=$for_testing
[[ ${1:-build} != test ]] || ! grep -qsx 'ID=debian' /etc/os-release || wanted+=$for_testing_on_debian
[[ ${1:-build} != site ]] || wanted=$for_site
look "$wanted"
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then as_root=(sudo); else as_root=(no); fi
fi
if ! command -v apt-get >/dev/null || [[ ${as_root[*]:-} == no ]]; then
  all_missing=${missing[*]}
  look "${wanted/"$optional"/}"
  if [[ ${#missing[@]} -eq 0 ]]; then
    echo "setup: goes on without $all_missing, which only \`warpsim tui\`, \`step\`, \`view --serve\` and \`export --to png\` use" >&2
    exit 0
  fi
  {
    echo "setup: this machine lacks: $all_missing (the names of Debian's and Ubuntu's packages)"
    if command -v apt-get >/dev/null; then
      echo "setup: install them with: sudo apt-get install $all_missing"
    else
      echo "setup: there is no apt-get here: install what your system calls them, then start again"
    fi
  } >&2
  exit 1
fi

echo "setup: installing ${missing[*]}"
log=$(mktemp)
if ! { ${as_root[@]+"${as_root[@]}"} apt-get update &&
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
  >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "setup: apt-get could not install ${missing[*]}: its last words are above, the rest is in $log" >&2
  exit 1
fi
rm -f "$log"
look "$wanted"
[[ ${#missing[@]} -eq 0 ]] || { echo "setup: installed, but still not found: ${missing[*]}" >&2; exit 1; }
