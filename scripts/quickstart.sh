#!/usr/bin/env bash
# From a fresh clone to a first result: installs what building and profiling need, builds the
# program, makes a small BERT, and measures where its time and energy go. The view goes to stdout, all
# talk to stderr.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'quickstart: %s\n' "$*" >&2; }

bin=build/release/bin
out=build/demo
log=build/quickstart.log

scripts/setup.sh profile

say "building"
mkdir -p "$out"
if ! { cmake --preset release &&
  cmake --build --preset release --target jouletree jouletree-worker jouletree_onnxruntime; } \
  >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  say "the build failed (whole log: $log)"
  exit 1
fi

model=$out/bert-l4-h256.onnx
sizes=(--dim batch=1 --dim sequence=128)
"$bin/jouletree" zoo build bert-l4-h256 -o "$model" >&2
"$bin/jouletree" inspect "$model" "${sizes[@]}" --format jsonl >"$out/counted.jsonl"
say "profiling $model, half a minute"
"$bin/jouletree" profile "$model" "${sizes[@]}" --budget 30s -o "$out/profile" --replace

say "the same as files:"
printf '  %s\n' "$out/profile/tree.jsonl  the tree with time and energy, one model per line" \
  "$out/profile/layers.csv  one row per layer" \
  "$out/profile/trace.json  kernels and power, for ui.perfetto.dev" \
  "$out/counted.jsonl       the tree of the file itself, counted without running it" >&2
say "again: $bin/jouletree show $out/profile"
say "now try your own: $bin/jouletree profile MODEL.onnx"
