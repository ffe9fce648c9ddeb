#!/usr/bin/env bash
# Feeds broken files to the readers of models, tree files, predictors, tables, input data, recordings,
# settings, plans, files that are no models, and folders of profiles and studies, and requests to what
# `serve` makes of them, under the address and undefined-behaviour sanitizers.
#   scripts/fuzz.sh [SECONDS]   (default 60, for all readers together)
# What it learns stays in build/fuzz/corpus-onnx, corpus-pt2 and so on and helps the next run.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: scripts/fuzz.sh [SECONDS]" >&2
  exit 2
fi

say() { printf 'fuzz: %s\n' "$*" >&2; }

dir=build/fuzz
mkdir -p "$dir/corpus-seed" "$dir/artifacts" tests/fixtures/fuzz

others=(tree predictor table data recording settings plan foreign profile study request)
targets=(onnx_fuzzer pt2_fuzzer "${others[@]/%/_fuzzer}" make_fuzz_corpus)
if ! { cmake --preset fuzz && cmake --build --preset fuzz --target "${targets[@]}"; } \
  >"$dir/build.log" 2>&1; then
  tail -n 40 "$dir/build.log" >&2
  say "the build failed (whole log: $dir/build.log)"
  exit 1
fi
"$dir/bin/make_fuzz_corpus" "$dir/corpus-seed" >&2

# Names functions and lines in a report; the sanitizers know the tool by just this file name.
export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-14/bin/llvm-symbolizer
export UBSAN_OPTIONS=print_stacktrace=1
# Some readers want files and folders: in memory, a thousand of them a second.
if [[ -d /dev/shm && -w /dev/shm ]]; then export TMPDIR=/dev/shm; fi

started=$(mktemp "$dir/started.XXXXXX")
trap 'rm -f "$started"' EXIT

# fuzz READER SECONDS
fuzz() {
  local reader=$1 corpus=$dir/corpus-$1 log=$dir/fuzz-$1.log
  mkdir -p "$corpus"
  if "$dir/bin/${reader}_fuzzer" -max_total_time="$2" -rss_limit_mb=1024 -timeout=10 \
    -max_len=65536 -artifact_prefix="$dir/artifacts/" \
    "$corpus" "$dir/corpus-seed/$reader" tests/fixtures/fuzz >"$log" 2>&1; then
    say "$reader: $(tail -n 1 "$log"); no crash"
    return
  fi
  # The report proper, without the memory map that follows it.
  sed -n '/ERROR:\|runtime error:\|terminate called/,/^SUMMARY/p' "$log" | head -n 60 >&2
  say "the reader failed (whole log: $log). The input:"
  find "$dir/artifacts" -type f -newer "$started" -printf '  %p\n' >&2
  say "run it again: $dir/bin/${reader}_fuzzer FILE"
  say "when it is mended, move the file to tests/fixtures/fuzz/ so that it stays mended"
  exit 1
}

# Half of the time for models, and half for all others together.
each=$((seconds / (2 * ${#others[@]})))
each=$((each > 0 ? each : 1))
fuzz onnx $((seconds > 8 ? (seconds * 3 + 7) / 8 : 1))
fuzz pt2 $(((seconds + 7) / 8))
for reader in "${others[@]}"; do
  fuzz "$reader" "$each"
done
