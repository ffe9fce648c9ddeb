#!/usr/bin/env bash
# Makes .deps/python: a virtual environment with what the Python package is built and tested with, in
# the versions of python/requirements-{build,models,test,torch}.txt. Needs Debian's python3-venv and python3-dev and the network;
# says nothing and takes no time where all is there. Without torch the rest is installed all the same:
# tests that need it are then listed as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup-python: %s\n' "$*" >&2; }

# Exit code 3, as in the program itself: this machine lacks something.
fail() {
  say "$@"
  exit 3
}

target=.deps/python
stamp=$(cat python/requirements-{build,models,test,torch}.txt)
if [[ -f $target/stamp && $(<"$target/stamp") == "$stamp" ]]; then exit 0; fi

# Debian's own, which its headers belong to.
python=${JOULETREE_PYTHON:-/usr/bin/python3}
[[ -x $python ]] || python=$(command -v python3) || fail "there is no python3; install it."
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
  fail "Python cannot make virtual environments (Debian: apt install python3-venv)."

mkdir -p .deps
log=$(mktemp "${TMPDIR:-/tmp}/jouletree-python.XXXXXX")
[[ -x $target/bin/python ]] || "$python" -m venv "$target"
pip=("$target/bin/python" -m pip --disable-pip-version-check install --retries 3)

# install WHAT: the versions of one file.
install() {
  say "installing python/requirements-$1.txt"
  "${pip[@]}" -r "python/requirements-$1.txt" </dev/null >"$log" 2>&1
}

has_torch=yes
if ! install torch; then
  has_torch=
  tail -n 3 "$log" >&2
  say "torch could not be installed; tests that need it will be skipped"
fi
for what in build test; do
  install "$what" || {
    tail -n 15 "$log" >&2
    fail "pip failed (whole log: $log). Check the network, then start again."
  }
done
if [[ -n $has_torch ]] && ! install models; then
  has_torch=
  tail -n 3 "$log" >&2
  say "models for the tests could not be installed; tests that need them will be skipped"
fi
rm -f "$log"
# Whoever lacks something is asked for it again next time.
if [[ -n $has_torch ]]; then printf '%s\n' "$stamp" >"$target/stamp"; fi
