#!/usr/bin/env bash
# Puts ONNX Runtime into .deps/onnxruntime/{lib,include}. Debian 12 has no package of it, so the
# library and the headers come from two pinned npm packages; the C API is backward compatible,
# so headers of an older API version work with the newer library.
set -euo pipefail

runtime_version=1.30.0
headers_version=1.3.1
library_package="onnxruntime-node@${runtime_version}"
headers_package="@siteed/sherpa-onnx.rn@${headers_version}"
# Of just these versions, as 'npm view PACKAGE dist.integrity' prints them.
library_integrity=sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==
headers_integrity=sha512-dez/tSd+2JzEOw67OHuHc0tIKI84UPvJYv4OiYBVhpwwvdOgEm1dHlXMx/DQYAjvdP3dQ7vC0++YDMtjwQqD1w==

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target="${root}/.deps/onnxruntime"
stamp="library ${library_package}
headers ${headers_package}"

if [[ -f "${target}/stamp" && "$(<"${target}/stamp")" == "${stamp}" ]]; then
  exit 0
fi

fail() {
  echo "fetch-onnxruntime: $*" >&2
  exit 3
}

command -v npm >/dev/null ||
  fail "npm is not installed. Install it (Debian: apt install npm)," \
    "or set ONNXRUNTIME_ROOT to an ONNX Runtime you have."

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) arch=x64 ;;
  Linux-aarch64) arch=arm64 ;;
  *)
    fail "no pinned ONNX Runtime for $(uname -s) on $(uname -m)." \
      "Set ONNXRUNTIME_ROOT to one you have."
    ;;
esac

mkdir -p "${root}/.deps"
# Beside the target, so that the final rename stays on one file system.
temp=$(mktemp -d "${root}/.deps/onnxruntime.XXXXXX")
trap 'rm -rf "${temp}"' EXIT

# Unpacks the files of package $1, whose integrity is $2, into $3/package.
unpack() {
  "${root}/scripts/npm-package.sh" "$1" "$2" "$3"
  tar -xzf "$3/package.tgz" -C "$3"
}

unpack "${library_package}" "${library_integrity}" "${temp}/library"
unpack "${headers_package}" "${headers_integrity}" "${temp}/headers"

library="${temp}/library/package/bin/napi-v6/linux/${arch}/libonnxruntime.so.1"
headers="${temp}/headers/package/prebuilt/include/onnxruntime"
[[ -f "${library}" ]] || fail "${library_package} holds no Linux library for ${arch}."
[[ -f "${headers}/onnxruntime_cxx_api.h" ]] || fail "${headers_package} holds no C++ headers."

mkdir -p "${temp}/new/lib" "${temp}/new/include"
mv "${library}" "${temp}/new/lib/"
ln -s libonnxruntime.so.1 "${temp}/new/lib/libonnxruntime.so"
mv "${headers}"/* "${temp}/new/include/"
printf '%s\n' "${stamp}" >"${temp}/new/stamp"

# A rename cannot replace a folder that is not empty, so an outdated copy steps aside first.
if [[ -e "${target}" ]]; then
  mv "${target}" "${temp}/old"
fi
mv -T "${temp}/new" "${target}"
echo "ONNX Runtime ${runtime_version} is in .deps/onnxruntime" >&2
