#!/usr/bin/env bash
# Checks format and style of the code; any finding fails.
#   scripts/lint.sh                all of these:
#   scripts/lint.sh format         clang-format over all C++ files
#   scripts/lint.sh python         ruff and mypy over the Python package and the examples (as
#                                  scripts/setup-python.sh installs them; exit code 77 where they
#                                  are missing)
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
  "$bin/ruff" check --no-cache -q python examples &&
    "$bin/ruff" format --no-cache --check -q python examples &&
    "$bin/mypy" --cache-dir=build/mypy-cache --no-error-summary &&
    MYPYPATH=examples "$bin/mypy" --cache-dir=build/mypy-cache --no-error-summary \
      examples/transformers_dataset.py
}

# Files that are compiled together are checked together, which takes a fraction of the time.
check_tidy() {
  local preset=dev
  if (($# == 0)); then preset=tidy; fi
  cmake --preset "$preset" >/dev/null
  if ! scripts/tidy.py "build/$preset" "$@"; then
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
