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
engine_log=build/quickstart-engine.log

mkdir -p "$out"
scripts/setup.sh build

# The engine is fetched while the program is built: the one waits for the network, the other for
# the processor.
scripts/setup.sh profile >"$engine_log" 2>&1 &
engine=$!
trap 'kill "$engine" 2>/dev/null || :' EXIT
say "building (about four minutes on two cores), and fetching ONNX Runtime meanwhile"
WHAT='building, first part (the program)' \
  scripts/build-with-progress.sh release "$log" jouletree jouletree_worker
if ! wait "$engine"; then
  cat "$engine_log" >&2
  say "ONNX Runtime and the packages of the page could not be fetched (see above)"
  exit 3
fi
WHAT='building, second part (the link to ONNX Runtime)' \
  scripts/build-with-progress.sh release "$log" jouletree jouletree_worker jouletree_onnxruntime

model=$out/bert-l4-h256.onnx
sizes=(--dim batch=1 --dim sequence=128)
"$bin/jouletree" zoo build bert-l4-h256 --replace -o "$model" >&2
"$bin/jouletree" inspect "$model" "${sizes[@]}" --format jsonl >"$out/counted.jsonl"
say "profiling $model, twenty seconds"
"$bin/jouletree" profile "$model" "${sizes[@]}" --budget 20s -o "$out/profile" --replace

"$bin/jouletree" report "$out/profile" "$model" "${sizes[@]}" -o "$out/report.html"
say "the same as files:"
printf '  %s\n' "$out/report.html  one page for a browser" \
  "$out/profile/tree.jsonl  the tree with time and energy, one model per line" \
  "$out/profile/layers.csv  one row per layer" \
  "$out/profile/run_trace.json  one run, kernel after kernel, for ui.perfetto.dev" \
  "$out/counted.jsonl       the tree of the file itself, counted without running it" >&2
say "again: $bin/jouletree show $out/profile"
say "now try your own: $bin/jouletree profile MODEL.onnx"
