#!/usr/bin/env bash
# The site: `tools/site.sh` builds build/site/, static files for any web server. Installs what it needs, as tools/setup.sh does.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh site
mkdir -p build
cmake --preset web >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
cmake --build --preset web -j "$(nproc)" -- --quiet
(cd web/site && { cmp -s package-lock.json node_modules/.warpsim-lock.json ||
  { npm ci --silent --ignore-scripts && cp package-lock.json node_modules/.warpsim-lock.json; }; })
node web/site/build.mjs build/web/warpsim.wasm build/site
echo "build/site: $(du -sh build/site | cut -f1)"
