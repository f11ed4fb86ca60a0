#!/usr/bin/env bash
# The tests of the page in a browser: `tests/web/run.sh WARPSIM FLOW_DUMP [WORD]`; with SITE=FOLDER those of the site. Fetches what
# package-lock.json names, once, into tests/web/node_modules. Exit code 77, aloud, where node, npm, chromium or the packages are missing: ctest calls that skipped.
set -uo pipefail
warpsim=$(realpath "$1") flow_dump=$(realpath "$2")
[[ -z ${SITE:-} ]] || SITE=$(realpath "$SITE")
cd "$(dirname "$0")"
shift 2
skip() { echo "skipped: $*"; exit 77; }
for tool in node npm chromium; do command -v "$tool" >/dev/null || skip "$tool is not here (tools/setup.sh test installs it)"; done
if ! cmp -s package-lock.json node_modules/.warpsim-lock.json; then
  npm ci --silent --ignore-scripts || skip "npm could not fetch what package-lock.json names"
  cp package-lock.json node_modules/.warpsim-lock.json
fi
WARPSIM=$warpsim FLOW_DUMP=$flow_dump CHROMIUM=$(command -v chromium) exec node run.mjs "$@"
