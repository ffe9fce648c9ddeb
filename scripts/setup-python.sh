#!/usr/bin/env bash
# Makes .deps/python: a virtual environment with what the Python package is built and tested with. The
# versions stand in python/requirements-{build,models,test,torch}.txt; python/locked.txt and
# locked-torch.txt have those of all that they need, with hashes. Needs Debian's python3-venv and
# python3-dev and the network; says nothing and takes no time where all is there. Without torch the
# rest is installed all the same: tests that need it are then listed as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup-python: %s\n' "$*" >&2; }

# Exit code 3, as in the program itself: this machine lacks something.
fail() {
  say "$@"
  exit 3
}

target=.deps/python
stamp=$(cat python/locked.txt python/locked-torch.txt)
if [[ -f $target/stamp && $(<"$target/stamp") == "$stamp" ]]; then exit 0; fi

# Debian's own, which its headers belong to.
python=${JOULETREE_PYTHON:-/usr/bin/python3}
[[ -x $python ]] || python=$(command -v python3) || fail "there is no python3; install it."
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
  fail "Python cannot make virtual environments (Debian: apt install python3-venv)."

mkdir -p .deps
log=$(mktemp "${TMPDIR:-/tmp}/jouletree-python.XXXXXX")
made=
# An environment without its packages would only look like one.
trap '[[ -z $made ]] || rm -rf "$target"' EXIT
if [[ ! -x $target/bin/python ]]; then
  made=yes
  "$python" -m venv "$target"
fi

# install FILE…: all of them or nothing.
install() {
  local code=0
  scripts/locked-pip.sh "$log" "$target/bin/python" "${@/#/--requirement=}" || code=$?
  if ((code == 3)); then exit 3; fi
  return "$code"
}

has_torch=yes
say "installing the packages of python/locked.txt and locked-torch.txt"
if ! install python/locked.txt python/locked-torch.txt; then
  has_torch=
  if ! grep -q 'No matching distribution found for torch==' "$log"; then
    tail -n 15 "$log" >&2
    fail "pip failed (whole log: $log). Check the network, then start again."
  fi
  say "pip finds no build of torch for CPUs, which has the version of python/requirements-torch.txt;" \
    "tests that need torch will be skipped. If you have its wheel, name the folder in PIP_FIND_LINKS."
  install python/locked.txt || {
    tail -n 15 "$log" >&2
    fail "pip failed (whole log: $log). Check the network, then start again."
  }
fi
rm -f "$log"
made=
# Whoever lacks something is asked for it again next time.
if [[ -n $has_torch ]]; then printf '%s\n' "$stamp" >"$target/stamp"; fi
