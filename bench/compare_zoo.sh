#!/usr/bin/env bash
# Compares building GPT-2 with writing as many random bytes to the same disk, in turns.
#   bench/compare_zoo.sh [ROUNDS]
# Fails if the median of the ratios is above 3.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5}
log=build/compare_zoo.log
mkdir -p build
if ! { cmake --preset release && cmake --build --preset release --target jouletree; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "compare_zoo: the build failed (whole log: $log)" >&2
  exit 1
fi
program=$PWD/build/release/bin/jouletree
folder=$(mktemp -d "${TMPDIR:-/tmp}/jouletree-zoo.XXXXXX")
trap 'rm -rf "$folder" "$folder.ratios"' EXIT

seconds_of() {
  sync
  local begin end
  begin=$(date +%s.%N)
  "$@" >/dev/null
  end=$(date +%s.%N)
  awk "BEGIN {print $end - $begin}"
}

for ((round = 1; round <= rounds; ++round)); do
  random=$(seconds_of dd if=/dev/urandom of="$folder/random" bs=1M count=475 status=none)
  zoo=$(seconds_of "$program" zoo build gpt2 -o "$folder/gpt2.onnx")
  rm -f "$folder"/*
  awk "BEGIN {printf \"random bytes %.2f s, zoo %.2f s, ratio %.2f\n\", $random, $zoo, $zoo / $random}"
done | tee "$folder.ratios"
awk '{print $NF}' "$folder.ratios" | sort -n | awk '
  {ratio[NR] = $1}
  END {median = ratio[int((NR + 1) / 2)]; printf "median ratio %.2f, from %.2f to %.2f\n", median, ratio[1], ratio[NR]
       exit median > 3}'
