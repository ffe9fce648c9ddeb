#!/usr/bin/env bash
# What a measuring window costs, beside Zeus and CodeCarbon, which are installed into an environment of
# their own (.deps/peers). Uses the package of build/check.
#   bench/compare_measure.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."

peers=.deps/peers
wanted=(zeus==0.16.0 codecarbon==3.3.2)
if [[ ! -f $peers/stamp || $(<"$peers/stamp") != "${wanted[*]}" ]]; then
  /usr/bin/python3 -m venv "$peers"
  "$peers/bin/pip" install -q "${wanted[@]}" >&2
  printf '%s' "${wanted[*]}" >"$peers/stamp"
fi
cmake --preset check >/dev/null
cmake --build --preset check --target jouletree_python >&2
PYTHONPATH=build/check/python "$peers/bin/python" bench/compare_measure.py "$@"
