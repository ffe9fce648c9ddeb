#!/usr/bin/env bash
# Makes .deps/keras: an environment of its own for Keras with its three back ends, in the versions of
# python/requirements-keras.txt. PyTorch and what the other tests use come from .deps/python, which
# scripts/setup-python.sh makes. Says nothing and takes no time where all is there. Where TensorFlow cannot
# be had this is not an error: tests that need it are then listed as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup-keras: %s\n' "$*" >&2; }

target=.deps/keras
shared=.deps/python
[[ -x $shared/bin/python ]] || {
  say "there is no $shared; run scripts/setup-python.sh first"
  exit 3
}
stamp=$(cat python/requirements-keras.txt)
if [[ -f $target/stamp && $(<"$target/stamp") == "$stamp" ]]; then exit 0; fi

log=$(mktemp "${TMPDIR:-/tmp}/jouletree-keras.XXXXXX")
trap 'rm -f "$log"' EXIT
rm -f "$target/stamp"
[[ -x $target/bin/python ]] || "$shared/bin/python" -m venv --without-pip "$target"
purelib='import sysconfig; print(sysconfig.get_path("purelib"))'
folder=$("$target/bin/python" -c "$purelib")
(cd "$("$shared/bin/python" -c "$purelib")" && pwd) >"$folder/shared_with_tests.pth"

say "installing python/requirements-keras.txt"
if "$shared/bin/python" -m pip --disable-pip-version-check install --retries 3 --no-deps --upgrade \
  --target "$folder" -r python/requirements-keras.txt </dev/null >"$log" 2>&1; then
  printf '%s\n' "$stamp" >"$target/stamp"
else
  tail -n 3 "$log" >&2
  say "TensorFlow could not be installed; tests that need it will be skipped"
fi
