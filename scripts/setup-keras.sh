#!/usr/bin/env bash
# Makes .deps/keras: an environment of its own for Keras with its three back ends, in the versions of
# python/requirements-keras.txt, with the hashes of python/locked-keras.txt. PyTorch and what the other
# tests use come from .deps/python, which scripts/setup-python.sh makes. Says nothing and takes no time
# where all is there. Where TensorFlow cannot be had this is not an error: tests that need it are then
# listed as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup-keras: %s\n' "$*" >&2; }

target=.deps/keras
shared=.deps/python
[[ -x $shared/bin/python ]] || {
  say "there is no $shared; run scripts/setup-python.sh first"
  exit 3
}
stamp=$(cat python/locked-keras.txt)
if [[ -f $target/stamp && $(<"$target/stamp") == "$stamp" ]]; then exit 0; fi

log=$(mktemp "${TMPDIR:-/tmp}/jouletree-keras.XXXXXX")
made=
trap 'rm -f "$log"; [[ -z $made ]] || rm -rf "$target"' EXIT
rm -f "$target/stamp"
if [[ ! -x $target/bin/python ]]; then
  made=yes
  "$shared/bin/python" -m venv --without-pip "$target"
fi
purelib='import sysconfig; print(sysconfig.get_path("purelib"))'
folder=$("$target/bin/python" -c "$purelib")
(cd "$("$shared/bin/python" -c "$purelib")" && pwd) >"$folder/shared_with_tests.pth"

say "installing the packages of python/locked-keras.txt"
code=0
scripts/locked-pip.sh "$log" "$shared/bin/python" --no-deps --upgrade --target "$folder" \
  --requirement=python/locked-keras.txt || code=$?
case $code in
  0)
    printf '%s\n' "$stamp" >"$target/stamp"
    made=
    ;;
  3) exit 3 ;;
  *)
    tail -n 3 "$log" >&2
    say "TensorFlow could not be installed; tests that need it will be skipped"
    ;;
esac
