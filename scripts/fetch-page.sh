#!/usr/bin/env bash
# Puts the npm packages that the page of `jouletree report` is made with into web/node_modules, each only if it has the
# hash that web/package-lock.json names. The build then makes the page from web/ by itself.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
web="${root}/web"
stamp="${web}/node_modules/.complete"
wanted=$(sha256sum <"${web}/package-lock.json")

if [[ -f ${stamp} && $(<"${stamp}") == "${wanted}" ]]; then
  exit 0
fi

fail() {
  echo "fetch-page: $*" >&2
  exit 3
}

command -v npm >/dev/null || fail "npm is not installed. Install it (Debian: apt install npm)."
command -v node >/dev/null || fail "Node.js is not installed. Install it (Debian: apt install nodejs)."

# Beside the target, so that the final rename stays on one file system.
temp=$(mktemp -d "${web}/node_modules.XXXXXX")
trap 'rm -rf "${temp}"' EXIT
cp "${web}/package.json" "${web}/package-lock.json" "${temp}/"
echo "fetching the packages of web/" >&2
(cd "${temp}" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >npm.log 2>&1) || {
  cat "${temp}/npm.log" >&2
  if grep -q EINTEGRITY "${temp}/npm.log"; then
    fail "a package is not the file that web/package-lock.json names, so none was installed (see above)." \
      "Somebody may have changed it on its way or in the registry; try another network, and report it" \
      "if that does not help."
  fi
  fail "npm could not fetch the packages of web/ (see above)."
}
(cd "${temp}" && node node_modules/esbuild/bin/esbuild --version >/dev/null) ||
  fail "there is no esbuild for $(uname -s) on $(uname -m)."
printf '%s\n' "${wanted}" >"${temp}/node_modules/.complete"
# A rename cannot replace a folder that is not empty, so an outdated copy steps aside first.
if [[ -e "${web}/node_modules" ]]; then
  mv "${web}/node_modules" "${temp}/old"
fi
mv -T "${temp}/node_modules" "${web}/node_modules"
