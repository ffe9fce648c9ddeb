#!/usr/bin/env bash
# Cross-validates on the data published with IrEne and holds the figures against their limits.
#   bench/compare_irene.sh DEVICE_1.jsonl [FOLDER_OF_IRENE]
# With a copy of IrEne's own program (and its Python packages) it also runs that and compares the
# time. Fails if a figure is above its limit.
set -euo pipefail
if (($# < 1 || $# > 2)); then
  echo "usage: bench/compare_irene.sh DEVICE_1.jsonl [FOLDER_OF_IRENE]" >&2
  exit 2
fi
data=$(realpath "$1")
irene=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.."
log=build/compare_irene.log
mkdir -p build
if ! { cmake --preset release && cmake --build --preset release --target jouletree; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "compare_irene: the build failed (whole log: $log)" >&2
  exit 1
fi
program=$PWD/build/release/bin/jouletree
failed=0

# check TITLE LIMITS FLAGS...: LIMITS are those of ml, module and model, - where there is none
check() {
  local title=$1 limits=$2
  shift 2
  "$program" crossvalidate "$data" --format json "$@" | python3 -c '
import json, sys
title, limits = sys.argv[1], sys.argv[2].split("/")
report = json.load(sys.stdin)
figures = [report["overall"][level] for level in ("ml", "module", "model")]
bad = [limit for figure, limit in zip(figures, limits) if limit != "-" and figure > float(limit)]
text = " / ".join(f"{figure:.2f}" for figure in figures)
wanted = " / ".join(limits)
covered = [report["intervals"]["coverage"][level] for level in ("ml", "module", "model")]
lowest = min(fold["coverage"][level] for fold in report["folds"] for level in ("ml", "module", "model"))
# Intervals promise something about models like those that were seen.
if "ledger" in title and "left out" not in title:
    bad += [share for share in covered if share < 88] + [80] * (lowest < 80)
verdict = "FAILED" if bad else "ok"
print(f"{title:36} {text:22} limit {wanted:18} {verdict:7}", end=" ")
print("intervals hold " + " / ".join(f"{share:.1f}" for share in covered) + f" %, lowest {lowest:.1f} %")
sys.exit(1 if bad else 0)' "$title" "$limits" || failed=1
}

check "ledger, all features" 0.6/2.3/1.0 --features all
check "ledger, leaves measured" 0.6/2.7/1.9 --features leaves
check "ledger, specs only" 2.0/2.9/2.2 --features specs
check "ledger, specs, family left out" -/7/7 --features specs --leave-out family
check "ledger, specs, sequence left out" -/-/- --features specs --leave-out seq
check "ledger, specs, batch left out" -/-/- --features specs --leave-out batch
check "irene as published" 0.77/11.13/7.41 --method irene --features all
check "irene, specs" -/-/- --method irene --features specs
check "neuralpower" -/-/- --method neuralpower --features specs
check "forest, specs" -/-/- --method forest --features specs
check "forest, specs, sequence left out" -/-/- --method forest --features specs --leave-out seq

seconds_of() {
  local begin end
  begin=$(date +%s.%N)
  "$@" >/dev/null 2>&1
  end=$(date +%s.%N)
  awk "BEGIN {print $end - $begin}"
}

times=$(for _ in 1 2 3 4 5; do seconds_of "$program" crossvalidate "$data" --features all; done | sort -n)
ours=$(sed -n 3p <<<"$times")
echo "ledger, all six folds with reading: median $ours s, from $(head -n 1 <<<"$times") to $(tail -n 1 <<<"$times") s"
if ! awk "BEGIN {exit !($ours < 0.5)}"; then
  echo "FAILED: the limit is 0.5 s" >&2
  failed=1
fi
if [[ -z $irene ]]; then
  echo "IrEne's own program was not run: give its folder as the second argument"
else
  folder=$(mktemp -d "${TMPDIR:-/tmp}/jouletree-irene.XXXXXX")
  trap 'rm -rf "$folder"' EXIT
  theirs=$(cd "$irene" && seconds_of python3 crossvalidate.py "$data" "$folder")
  echo "IrEne's own program: $theirs s, $(awk "BEGIN {printf \"%.0f\", $theirs / $ours}") times as long"
  if ! awk "BEGIN {exit !($theirs / $ours >= 300)}"; then
    echo "FAILED: the limit is 300 times" >&2
    failed=1
  fi
fi
exit $failed
