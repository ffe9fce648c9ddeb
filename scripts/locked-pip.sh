#!/usr/bin/env bash
# Installs what python/locked*.txt names, if every file has one of the hashes there. Only wheels: to
# build from sources pip would fetch tools that nothing checks.
#   scripts/locked-pip.sh LOG PYTHON ARGUMENT…    further arguments are those of 'pip install'
# Exit code 1: pip failed, as LOG tells. 3: a file is another one; pip has installed nothing then.
set -euo pipefail

log=$1
python=$2
shift 2

if "$python" -m pip --disable-pip-version-check install --retries 3 --require-hashes \
  --only-binary :all: "$@" </dev/null >"$log" 2>&1; then
  exit 0
fi
if ! grep -q 'DO NOT MATCH THE HASHES' "$log"; then exit 1; fi
sed -n '/DO NOT MATCH THE HASHES/,$p' "$log" | sed '1d' >&2
echo "locked-pip: a package is not the file that this repository names, so nothing was installed (see" \
  "above). Somebody may have changed it on its way or in the registry; try another network, and report" \
  "it if that does not help." >&2
exit 3
