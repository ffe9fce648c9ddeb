#!/usr/bin/env bash
# What must hold before a change lands: format, build, tests, a minute of fuzzing. Under half an hour on
# a fresh machine with two cores; what takes longer and rarely breaks is in scripts/test-long.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'test: %s\n' "$*" >&2; }

# step NAME COMMAND…: runs it, tells how long it took, and ends the script if it fails.
step() {
  local name=$1 started=$SECONDS
  shift
  say "$name ..."
  if ! "$@"; then
    list_skipped
    say "FAILED: $name (after $((SECONDS - started)) s)"
    exit 1
  fi
  say "$name: $((SECONDS - started)) s"
}

build() { cmake --preset check >/dev/null && cmake --build --preset check; }

results=build/check/ctest.log
outputs=build/check/Testing/Temporary/LastTest.log

run_ctest() { ctest --preset check -j "$(nproc)" --label-exclude long | tee "$results"; }

# Names each test that did not run, with the reason that it printed. CTest knows of whole programs;
# what Google Test and pytest skip inside one stands only in its output.
list_skipped() {
  if [[ ! -f $results || ! -f $outputs ]]; then return; fi
  local skipped
  skipped=$(awk '
    function report(name, reason) { print "  " name (reason == "" ? "" : ": " reason) }
    FNR == NR {
      if (sub(/^.* Test +#[0-9]+: /, "") && sub(/ \.*\*\*\*(Skipped|Not Run).*/, "")) absent[$0] = 1
      next
    }
    / Testing: /         { name = substr($0, index($0, " Testing: ") + 10); reason = last = "" }
    /^\[  SKIPPED \].*ms/ { report($4, reason); delete absent[name]; inside = 0 }
    /^\[ DISABLED \]/     { report($4, "disabled") }
    /^SKIPPED \[[0-9]+\]/  { report(name, substr($0, index($0, "]") + 2)); delete absent[name] }
    inside               { reason = reason (reason == "" ? "" : " ") $0 }
    /: Skipped$/         { reason = ""; inside = 1 }
    /^<end of output>/   { if (name in absent) report(name, last) }
                         { last = $0 ~ /^--+$/ ? "" : $0 }
  ' "$results" "$outputs")
  if [[ -n $skipped ]]; then
    say "************ SKIPPED TESTS: these checked nothing ************"
    printf '%s\n' "$skipped" >&2
  fi
}

rm -f "$results" "$outputs"
step "set-up" scripts/setup.sh
step "format" scripts/lint.sh format
step "build" build
step "test models" tests/models/prepare.sh --short
step "tests" run_ctest
step "fuzzing" scripts/fuzz.sh 60
list_skipped
say "all passed in $SECONDS s"
