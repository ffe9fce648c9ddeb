#!/usr/bin/env bash
# Builds a release and makes a Debian package of it. The package's path goes to stdout, all talk to
# stderr. scripts/check-package.sh tries the package on a clean system.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'package: %s\n' "$*" >&2; }

build=build/release
log=build/package.log

scripts/setup.sh package

say "building"
mkdir -p build
rm -f "$build"/*.deb
if ! { cmake --preset release && cmake --build --preset release &&
  cpack --config "$build/CPackConfig.cmake" -B "$build"; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  say "it failed (whole log: $log)"
  exit 1
fi
rm -rf "$build/_CPack_Packages"
printf '%s\n' "$build"/*.deb
