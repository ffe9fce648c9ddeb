#!/usr/bin/env bash
# Installs the Debian package on a clean, minimal Debian in a folder, uses it, and removes it again.
#   scripts/check-package.sh [PACKAGE.deb]   (default: what scripts/package.sh made)
# Needs root, debootstrap and the network. CLEAN_ROOT=FILE.tar takes an unpacked minimal Debian from
# there instead of making one.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'check-package: %s\n' "$*" >&2; }

# Exit code 3, as in the program itself: this machine lacks something.
lack() {
  say "$@"
  exit 3
}

if (($# > 0)); then
  package=$1
else
  package=$(find build/release -maxdepth 1 -name 'jouletree_*.deb' -print -quit 2>/dev/null || :)
  if [[ -z $package ]]; then
    say "there is no package yet; make it with scripts/package.sh"
    exit 2
  fi
fi
if [[ ! -f $package ]]; then
  say "there is no file $package"
  exit 2
fi

if ((EUID != 0)); then lack "a clean root can be made and entered by root only; run this as root."; fi
if [[ -z ${CLEAN_ROOT:-} ]] && ! command -v debootstrap >/dev/null; then
  lack "debootstrap is not installed (Debian: apt install debootstrap)."
fi

root=$(mktemp -d "${TMPDIR:-/tmp}/jouletree-root.XXXXXX")
log=$root.log
cleanup() {
  # A folder with something of this machine mounted in it must not be deleted.
  if mountpoint -q "$root/proc" && ! umount "$root/proc"; then
    say "cannot unmount $root/proc; left as it is"
    return
  fi
  rm -rf "$root"
}
trap cleanup EXIT

say "making a clean Debian"
if [[ -n ${CLEAN_ROOT:-} ]]; then
  tar -C "$root" -xf "$CLEAN_ROOT"
elif ! debootstrap --variant=minbase bookworm "$root" >"$log" 2>&1; then
  tail -n 15 "$log" >&2
  lack "debootstrap failed (whole log: $log)"
fi
chmod 755 "$root"
# The way to the network is the one thing it takes from this machine.
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
  if [[ -f $file ]]; then install -D -m 644 "$file" "$root$file"; fi
done
mkdir -p "$root/proc"
mount -t proc proc "$root/proc" || lack "proc cannot be mounted here"
cp "$package" "$root/root/jouletree.deb"

cat >"$root/root/check.sh" <<'CHECK'
set -euo pipefail
cd /root
export DEBIAN_FRONTEND=noninteractive
apt-get -q -y update
apt-get -q -y install --no-install-recommends ./jouletree.deb
dpkg --verify jouletree
if ldd /usr/bin/jouletree | grep 'not found'; then exit 1; fi
jouletree --version
jouletree zoo build bert-l2-h128 --set layers=1 -o model.onnx
jouletree inspect model.onnx --depth 0
zcat /usr/share/man/man1/jouletree.1.gz | grep -q '^\.SH NAME'
bash -c 'source /usr/share/bash-completion/completions/jouletree
  COMP_WORDS=(jouletree ins) COMP_CWORD=1
  _jouletree
  [[ ${COMPREPLY[0]} == inspect ]]'
apt-get -q -y remove jouletree
if [[ -e /usr/bin/jouletree || -e /usr/include/jouletree || -e /usr/lib/jouletree ]]; then
  echo "files are left behind"
  exit 1
fi
CHECK

say "installing $package in it"
if ! chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  bash -x /root/check.sh </dev/null >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  say "FAILED (whole log: $log)"
  exit 1
fi
sed -n '/^+ jouletree --version/,/^+ zcat/p' "$log" >&2
rm -f "$log"
say "the package installs, runs and goes away again"
