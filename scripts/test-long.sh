#!/usr/bin/env bash
# What takes too long for scripts/test.sh and rarely breaks; run it before a release.
#   scripts/test-long.sh              every step below, about three hours on two cores
#   scripts/test-long.sh STEP…        only these: models alone odr tidy asan tsan kill fuzz
# models the tests of models that are too large for every day
# alone  every file compiled by itself, with all warnings as errors (test.sh compiles them together)
# odr    the program linked so that the linker finds types which two files define differently
# tidy   clang-tidy over all sources, tests and benchmarks
# asan   all tests under the address and undefined-behaviour sanitizers
# tsan   the tests of what uses threads under the thread sanitizer
# kill   commands killed while they write: at random moments, and at each of their system calls
# fuzz   an hour of fuzzing (FUZZ_SECONDS changes that)
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'test-long: %s\n' "$*" >&2; }

all_steps=(models alone odr tidy asan tsan kill fuzz)

# A real one for the campaigns that run on it. Where it cannot be installed, their test is skipped.
install_slurm() {
  if command -v slurmctld >/dev/null || ((EUID != 0)); then return; fi
  DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends slurm-wlm munge \
    >/dev/null 2>&1 || say "Slurm could not be installed"
}

models() {
  scripts/build-with-progress.sh check build/check.log || return
  tests/models/prepare.sh || return
  install_slurm
  ctest --preset check -j "$(nproc)" --label-regex long
}

alone() { scripts/build-with-progress.sh alone build/alone.log; }

odr() { scripts/build-with-progress.sh odr build/odr.log jouletree; }

tidy() { scripts/lint.sh tidy; }

asan() {
  scripts/build-with-progress.sh asan build/asan.log || return
  # The sanitizers are linked into our programs, not into the interpreters and engines that load
  # them. Google Test's programs and the golden texts reach all of our code.
  LSAN_OPTIONS="suppressions=$PWD/tests/sanitizers/leaks.supp:print_suppressions=0" \
    ctest --preset asan -j "$(nproc)" -R '^[A-Z][A-Za-z]*\.|^golden_|^differential_operators$'
}

tsan() {
  scripts/build-with-progress.sh tsan build/tsan.log meters_tests recording_tests unit_tests || return
  ctest --preset tsan -j "$(nproc)" -R '^(Beside|OtherCore|BuildTree|OnnxReader|QuickMemory|Session|Sampler|SampleRing|MachineWatch|Crossvalid|Predictor|WorkerProcess)'
}

# Exit code 77: nothing can be traced here, for the reason that it prints.
trace_kills() {
  local code=0
  tests/kill/system_calls_test.py build/release/bin/jouletree build/check/golden-models/runs.jsonl ||
    code=$?
  ((code == 0 || code == 77))
}

kill_tests() {
  scripts/build-with-progress.sh release build/release.log jouletree jouletree_worker \
    jouletree_onnxruntime || return
  scripts/build-with-progress.sh check build/check.log make_golden_models || return
  build/check/bin/make_golden_models build/check/golden-models || return
  tests/kill/kill_test.py build/release/bin/jouletree build/check/golden-models/runs.jsonl || return
  trace_kills || return
  scripts/build-with-progress.sh release build/release.log jouletree_sqlite || return
  tests/campaign/kill_test.py build/release/bin/jouletree --count 100
}

fuzz() { scripts/fuzz.sh "${FUZZ_SECONDS:-3600}"; }

run_step() {
  case "$1" in
    kill) kill_tests ;;
    *) "$1" ;;
  esac
}

steps=("$@")
if ((${#steps[@]} == 0)); then steps=("${all_steps[@]}"); fi
for step in "${steps[@]}"; do
  if [[ " ${all_steps[*]} " != *" $step "* ]]; then
    say "there is no step $step; the steps are: ${all_steps[*]}"
    exit 2
  fi
done

scripts/setup.sh
failed=()
for step in "${steps[@]}"; do
  started=$SECONDS
  say "$step ..."
  if run_step "$step"; then
    say "$step: passed in $((SECONDS - started)) s"
  else
    say "$step: FAILED after $((SECONDS - started)) s"
    failed+=("$step")
  fi
done
if ((${#failed[@]} > 0)); then
  say "FAILED: ${failed[*]}"
  exit 1
fi
say "all passed in $SECONDS s"
