#!/usr/bin/env bash
# Configures and builds a preset and tells how far it is: a line that moves on a terminal, a line
# every fifth elsewhere. The compiler's own words go to a log, and to stderr where it fails.
#   scripts/build-with-progress.sh PRESET LOG [TARGET…]
# WHAT names what is built, where several parts are built one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1 log=$2
shift 2
targets=()
if (($# > 0)); then targets=(--target "$@"); fi

what=${WHAT:-build}
say() { printf '%s: %s\n' "$what" "$*" >&2; }

# Reads what Ninja prints ("[12/40] Building …") and tells how much of it is done.
show_progress() {
  local line done total share told=-1 started=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    if [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then continue; fi
    done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    share=$((100 * done / total))
    if [[ -t 2 ]]; then
      printf '\r%s: %3d %% (%d of %d steps, %d s)' "$what" "$share" "$done" "$total" \
        $((SECONDS - started)) >&2
    elif ((share / 20 > told)); then
      told=$((share / 20))
      say "$share % ($done of $total steps, $((SECONDS - started)) s)"
    fi
  done
  if [[ -t 2 && -n ${done:-} ]]; then printf "\n" >&2; fi
}

# Without a run of the preprocessor for each file that the cache does not hold yet.
export CCACHE_DEPEND=1
mkdir -p "$(dirname "$log")"
: >"$log"
if ! { cmake --preset "$preset" && cmake --build --preset "$preset" "${targets[@]}"; } 2>&1 |
  show_progress; then
  tail -n 40 "$log" >&2
  say "the build failed (whole log: $log)"
  exit 1
fi
