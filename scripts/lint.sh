#!/usr/bin/env bash
# Checks format and style of the code; any finding fails.
#   scripts/lint.sh                all of these:
#   scripts/lint.sh format         clang-format over all C++ files
#   scripts/lint.sh python         ruff and mypy over the Python package (as scripts/setup-python.sh
#                                  installs them; exit code 77 where they are missing)
#   scripts/lint.sh tidy [FILE…]   clang-tidy over all that is compiled (and the headers that it
#                                  includes), or over these files
set -euo pipefail
cd "$(dirname "$0")/.."

check_format() {
  local folders=()
  for folder in src include tests bench examples python; do
    if [[ -d $folder ]]; then folders+=("$folder"); fi
  done
  if ! find "${folders[@]}" \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
    xargs -0 -r clang-format-14 --dry-run --Werror; then
    echo "lint: mend the format with: clang-format-14 -i FILE" >&2
    return 1
  fi
}

check_python() {
  local bin=.deps/python/bin
  if [[ ! -x $bin/ruff || ! -x $bin/mypy ]]; then
    echo "lint: ruff or mypy is missing; run scripts/setup-python.sh" >&2
    return 77
  fi
  "$bin/ruff" check --no-cache -q python && "$bin/ruff" format --no-cache --check -q python &&
    "$bin/mypy" --cache-dir=build/mypy-cache --no-error-summary
}

# Prints a file's findings in one piece, because several files are checked at the same time.
tidy_file() {
  local findings off=-bugprone-suspicious-include  # The files of a room are included in one.
  # Following every path through Google Test's macros takes most of the time and finds nothing; the
  # sanitizers run the tests.
  if [[ $2 == *_test.cpp || $2 == */tests/* ]]; then off+=',-clang-analyzer-*'; fi
  if ! findings=$(clang-tidy-14 --quiet -p "$1" --checks="$off" \
    --extra-arg=-Wno-unknown-warning-option "$2" 2>&1); then
    printf '%s\n' "$findings" | grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated|^Suppressed'
    return 1
  fi
}
export -f tidy_file

# Files that are compiled together are checked together, which takes a fraction of the time.
check_tidy() {
  local preset=dev files=("$@")
  if ((${#files[@]} == 0)); then preset=tidy; fi
  cmake --preset "$preset" >/dev/null
  if ((${#files[@]} == 0)); then
    mapfile -t files < <(sed -nE 's/^ *"file": "(.*\.c(pp|xx))",?$/\1/p' build/tidy/compile_commands.json |
      grep -vE '/\.deps/|/cmake_pch\.' | sort -u)
  fi
  # shellcheck disable=SC2016  # the inner shell expands $1 and $2
  if ! printf '%s\0' "${files[@]}" |
    xargs -0 -P "$(nproc)" -n 1 bash -c 'tidy_file "$1" "$2"' tidy_file "build/$preset"; then
    echo "lint: clang-tidy found the above" >&2
    return 1
  fi
}

case "${1:-all}" in
  all)
    check_format
    check_python
    check_tidy
    ;;
  format) check_format ;;
  python) check_python ;;
  tidy)
    shift
    check_tidy "$@"
    ;;
  *)
    echo "usage: scripts/lint.sh [format | python | tidy [FILE...]]" >&2
    exit 2
    ;;
esac
