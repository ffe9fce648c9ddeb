#!/usr/bin/env bash
# The Python package beside its peers: counts, the time that counting takes, and what a measuring window costs. The peers
# (thop, fvcore, Zeus, CodeCarbon) are installed from PyPI into an environment of their own, .deps/peers, which takes PyTorch and
# transformers from .deps/python. Uses the package of build/release, or of the preset in PRESET.
#   bench/compare_python.sh [counts|speed|windows]… [--rounds N]
set -euo pipefail
cd "$(dirname "$0")/.."

peers=.deps/peers
preset=${PRESET:-release}
wanted=(zeus==0.16.0 codecarbon==3.3.2 fvcore==0.1.5.post20221221)
# Asks for torch, which would be fetched with CUDA.
wanted_alone=(thop==0.1.1.post2209072238)
stamp="${wanted[*]} ${wanted_alone[*]}"
scripts/setup-python.sh >&2
if [[ ! -f $peers/stamp || $(<"$peers/stamp") != "$stamp" ]]; then
  .deps/python/bin/python -m venv "$peers"
  "$peers/bin/pip" install -q "${wanted[@]}" >&2
  "$peers/bin/pip" install -q --no-deps "${wanted_alone[@]}" >&2
  .deps/python/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
    >"$("$peers/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/torch_of_tests.pth"
  printf '%s' "$stamp" >"$peers/stamp"
fi
cmake --preset "$preset" -DJOULETREE_PYTHON=ON >/dev/null
cmake --build --preset "$preset" --target jouletree_python >&2
PYTHONPATH=build/$preset/python:python/tests "$peers/bin/python" bench/compare_python.py "$@"
