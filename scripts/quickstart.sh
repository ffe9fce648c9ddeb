#!/usr/bin/env bash
# From a fresh clone to a first result: installs the build tools, builds the program, makes a small
# BERT and takes it apart. The table goes to stdout, all talk to stderr.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'quickstart: %s\n' "$*" >&2; }

bin=build/release/bin
out=build/demo
log=build/quickstart.log

scripts/setup.sh build

say "building"
mkdir -p "$out"
if ! { cmake --preset release && cmake --build --preset release --target jouletree; } \
  >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  say "the build failed (whole log: $log)"
  exit 1
fi

model=$out/bert-l4-h256.onnx
sizes=(--dim batch=1 --dim sequence=128)
"$bin/jouletree" zoo build bert-l4-h256 -o "$model" >&2
"$bin/jouletree" inspect "$model" "${sizes[@]}"
"$bin/jouletree" inspect "$model" "${sizes[@]}" --format jsonl >"$out/tree.jsonl"
"$bin/jouletree" inspect "$model" "${sizes[@]}" --format csv >"$out/layers.csv"
"$bin/jouletree" inspect "$model" "${sizes[@]}" --format json >"$out/summary.json"

say "the same as files:"
printf '  %s\n' "$out/tree.jsonl   the tree, one model per line" \
  "$out/layers.csv   one row per layer" \
  "$out/summary.json totals with units and provenance" >&2
say "now try your own: $bin/jouletree inspect MODEL.onnx"
