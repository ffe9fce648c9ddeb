#!/usr/bin/env bash
# Installs what JouleTree needs on Debian 12 (or a close relative) and asks nothing.
#   scripts/setup.sh         what building, packaging and testing need
#   scripts/setup.sh build   only what building needs (no PyTorch, no clang)
#   scripts/setup.sh profile what building and profiling need: with ONNX Runtime and the page of reports
#   scripts/setup.sh package what building and making the Debian package need
set -euo pipefail
cd "$(dirname "$0")/.."

build_packages=(
  ccache cmake g++ libcli11-dev libcpp-httplib-dev libeigen3-dev libfmt-dev libpq-dev libprotozero-dev
  libsimdjson-dev libsqlite3-dev libyaml-cpp-dev ninja-build nlohmann-json3-dev zlib1g-dev
)
package_packages=(dpkg-dev file)
test_packages=(
  ca-certificates chromium clang-14 clang-format-14 clang-tidy-14 libbenchmark-dev libclang-rt-14-dev
  libgmock-dev libgtest-dev libonnx-testdata libopenblas0-pthread libtorch-dev llvm-14 man-db
  postgresql-15 prometheus python3 python3-dev python3-numpy python3-onnx python3-torchvision
  python3-venv strace
)

say() { printf 'setup: %s\n' "$*" >&2; }

# Exit code 3, as in the program itself: this machine lacks something.
fail() {
  say "$@"
  exit 3
}

# Fills the array `missing` with those of the packages that dpkg does not list as installed.
find_missing() {
  local status name state
  # dpkg-query fails when it has never heard of one of them; the others are listed all the same.
  status=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || :)
  local -A installed=()
  while read -r name state; do
    if [[ $state == installed ]]; then installed[$name]=1; fi
  done <<<"$status"
  missing=()
  for name in "$@"; do
    if [[ -z ${installed[$name]:-} ]]; then missing+=("$name"); fi
  done
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

install_missing() {
  local by_hand="apt-get install --no-install-recommends ${missing[*]}"
  if ((EUID != 0)) && ! { command -v sudo && sudo -n true; } >/dev/null 2>&1; then
    fail "packages are missing and this user may not install them without a password." \
      "Run this as root, then start again: $by_hand"
  fi
  say "installing ${missing[*]}"
  local had_cluster=no
  if [[ -d /etc/postgresql/15/main ]]; then had_cluster=yes; fi
  local log apt
  log=$(mktemp "${TMPDIR:-/tmp}/jouletree-setup.XXXXXX")
  apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3)
  if ! { as_root "${apt[@]}" update &&
    as_root "${apt[@]}" install --no-install-recommends "${missing[@]}"; } \
    </dev/null >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    fail "apt-get failed (whole log: $log)." \
      "Check the network and the package sources, then start again or run as root: $by_hand"
  fi
  rm -f "$log"
  if [[ " ${missing[*]} " == *" prometheus "* ]]; then stop_prometheus; fi
  if [[ " ${missing[*]} " == *" postgresql-15 "* && $had_cluster == no ]]; then stop_postgresql; fi
}

# Debian starts a server with the package; the tests need the program only. Refused where services
# are not started anyway, as in containers.
stop_prometheus() {
  as_root update-rc.d prometheus disable >/dev/null 2>&1 || :
  as_root invoke-rc.d prometheus stop >/dev/null 2>&1 || :
}

# The same: a cluster "main", which the installation made and nobody uses.
stop_postgresql() {
  local start=/etc/postgresql/15/main/start.conf
  as_root pg_ctlcluster 15 main stop >/dev/null 2>&1 || :
  if [[ -f $start ]]; then as_root sed -i 's/^auto$/manual/' "$start" || :; fi
}

# require_version TOOL FOUND LEAST
require_version() {
  if [[ $(printf '%s\n' "$2" "$3" | sort -V | head -n 1) != "$3" ]]; then
    fail "$1 is version $2, but JouleTree needs $3 or newer." \
      "Use Debian 12 or newer, or put a newer $1 first in PATH."
  fi
}

case "${1:-all}" in
  all)
    wanted=("${build_packages[@]}" "${package_packages[@]}" "${test_packages[@]}")
    # Node.js from elsewhere serves as well, and Debian's npm would clash with it.
    if ! command -v npm >/dev/null; then wanted+=(nodejs npm); fi
    ;;
  build) wanted=("${build_packages[@]}") ;;
  profile)
    wanted=("${build_packages[@]}" ca-certificates)
    if ! command -v npm >/dev/null; then wanted+=(nodejs npm); fi
    ;;
  package)
    wanted=("${build_packages[@]}" "${package_packages[@]}" ca-certificates)
    if ! command -v npm >/dev/null; then wanted+=(nodejs npm); fi
    ;;
  *)
    echo "usage: scripts/setup.sh [build | profile | package]" >&2
    exit 2
    ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  fail "this system has no apt. Install the counterparts of these Debian packages, then build" \
    "with 'cmake --preset release': ${wanted[*]}"
fi

find_missing "${wanted[@]}"
if ((${#missing[@]} > 0)); then install_missing; fi

require_version g++ "$(g++ -dumpfullversion)" 12
cmake_version=$(cmake --version)
cmake_version=${cmake_version#cmake version }
require_version cmake "${cmake_version%%[!0-9.]*}" 3.25

case "${1:-all}" in
  all | profile) scripts/fetch-onnxruntime.sh ;;
esac
case "${1:-all}" in
  all | profile | package) scripts/fetch-page.sh ;;
esac
if [[ ${1:-all} == all ]]; then
  scripts/setup-python.sh
  scripts/setup-keras.sh
fi
