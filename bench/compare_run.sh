#!/usr/bin/env bash
# Compares a CPU-bound command with itself under 'jouletree run', in turns.
#   bench/compare_run.sh [ROUNDS]
# Each round counts for as long in both ways and takes turns in which comes first. Compared is the CPU
# time that the command itself needs: waiting for other programs of a shared machine is not in it, but
# being slowed down (caches, locks, page tables) is. Elapsed times are shown beside it.
# Fails if the median of the ratios is above 1.005.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-15}
log=build/compare_run.log
mkdir -p build
if ! { cmake --preset release && cmake --build --preset release --target jouletree; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "compare_run: the build failed (whole log: $log)" >&2
  exit 1
fi
program=$PWD/build/release/bin/jouletree
folder=$(mktemp -d "${TMPDIR:-/tmp}/jouletree-run.XXXXXX")
trap 'rm -rf "$folder"' EXIT

# Works for about a second and writes its own CPU and elapsed time.
cat >"$folder/work.py" <<'PYTHON'
import sys
import time

begin_cpu, begin = time.process_time(), time.perf_counter()
total = 0
for i in range(12_000_000):
    total += i * i
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(f"{time.process_time() - begin_cpu} {time.perf_counter() - begin}\n")
PYTHON

alone() { /usr/bin/python3 "$folder/work.py" "$folder/alone"; }
measured() {
  rm -rf "$folder/out"
  "$program" run -q -o "$folder/out" -- /usr/bin/python3 "$folder/work.py" "$folder/measured" 2>/dev/null
}

for ((round = 1; round <= rounds; ++round)); do
  if ((round % 2)); then
    alone
    measured
  else
    measured
    alone
  fi
  read -r alone_cpu alone_elapsed <"$folder/alone"
  read -r measured_cpu measured_elapsed <"$folder/measured"
  awk "BEGIN {printf \"alone %.3f s CPU, %.3f s; measured %.3f s CPU, %.3f s; elapsed ratio %.4f, CPU ratio %.4f\n\",
    $alone_cpu, $alone_elapsed, $measured_cpu, $measured_elapsed,
    $measured_elapsed / $alone_elapsed, $measured_cpu / $alone_cpu}"
done | tee "$folder/ratios"
awk '{print $NF}' "$folder/ratios" | sort -n | awk '
  {ratio[NR] = $1}
  END {median = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
       printf "median CPU ratio %.4f, from %.4f to %.4f\n", median, ratio[1], ratio[NR]
       exit median > 1.005}'
