# shellcheck shell=bash
# shellcheck disable=SC2154  # $here, $lab_system and $architecture are setup's; the functions of host/architecture.sh are there
# What programs of a foreign architecture run with: the /usr of a Debian unstable, whose Swift they are compiled with (scripts/prove-arm64),
# unpacked of its packages and never installed.

# What it is made of.
system_packages() { sed 's/#.*//' "$here/../scripts/packages" "$here/system-$architecture" | xargs; }
system_digest() { system_packages | sha256sum | cut -c 1-16; }

# Fills the current folder with usr/ and a stamp.
build_system() {
  local apt=$PWD/apt package
  echo "lab: fetching Debian unstable's programs for $architecture (about 400 MB, once)" >&2
  mkdir -p "$apt" usr/bin usr/lib usr/sbin
  for package in bin lib sbin; do ln -s "usr/$package" "$package"; done
  unstable_source >"$apt/sources.list"
  # Words, not one word.
  # shellcheck disable=SC2046
  { foreign_apt "$apt" apt-get update && foreign_apt "$apt" apt-get --yes --download-only install $(system_packages); } >apt.log 2>&1 || {
    tail -n 5 apt.log | sed 's/^/lab: apt: /' >&2
    refuse "the packages of $architecture could not be fetched; the lines above say why"
  }
  for package in "$apt"/archives/*.deb; do dpkg-deb --extract "$package" .; done
  # What Debian's packages link to only when they are installed.
  [ -e usr/bin/awk ] || ln -s busybox usr/bin/awk
  # Where the compiler's package has it.
  ln -s ../libexec/swift/lib/swift usr/lib/swift
  rm -rf apt apt.log
  { system_digest; date -u +'built %FT%TZ'; } >stamp
}
