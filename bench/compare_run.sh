#!/usr/bin/env bash
# Compares a CPU-bound command with itself under 'jouletree run', in turns.
#   bench/compare_run.sh [ROUNDS]
# Both do the same work, and which comes first changes from round to round. Compared is the CPU time
# that the command itself needs: waiting for other programs of a shared machine is not in it, but being
# slowed down (caches, locks, page tables) is. Elapsed times are shown beside it; on a busy machine they
# depend on where the command happens to be started. Both get the same
# environment, of another size in each round, because where the stack begins changes speed by per cents.
# Fails if the median of the ratios is above 1.005.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-31}
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

# Works for a part of a second and writes its own CPU and elapsed time.
cat >"$folder/work.py" <<'PYTHON'
import sys
import time

begin_cpu, begin = time.process_time(), time.perf_counter()
total = 0
for i in range(4_000_000):
    total += i * i
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(f"{time.process_time() - begin_cpu} {time.perf_counter() - begin}\n")
PYTHON

work() { "$@" env -i "PADDING=$padding" /usr/bin/python3 "$folder/work.py" "$folder/times"; }
alone() {
  work command
  mv "$folder/times" "$folder/alone"
}
measured() {
  rm -rf "$folder/out"
  work "$program" run -q -o "$folder/out" -- 2>/dev/null
  mv "$folder/times" "$folder/measured"
}

for ((round = 1; round <= rounds; ++round)); do
  printf -v padding '%*s' $((RANDOM % 4096)) ''
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

# Prints the median and the range of a column; its exit code tells whether the median is above the limit.
judge() {
  local name=$1 column=$2 limit=$3
  awk -v column="$column" '{print $(NF - column) + 0}' "$folder/ratios" | sort -n | awk -v name="$name" -v limit="$limit" '
    {ratio[NR] = $1}
    END {median = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
         printf "median %s ratio %.4f, from %.4f to %.4f\n", name, median, ratio[1], ratio[NR]
         exit median > limit}'
}
judge elapsed 3 1000
judge CPU 0 1.005
