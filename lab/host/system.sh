# shellcheck shell=bash
# shellcheck disable=SC2154  # $here, $lab_system and $architecture are setup's; the functions of host/architecture.sh are there
# The system for programs of a foreign architecture: the /usr of Debian unstable, with whose Swift they are compiled (scripts/prove-arm64). It is
# unpacked from Debian's packages, which are never installed.

# The packages of the system.
system_packages() { sed 's/#.*//' "$here/../scripts/packages" "$here/system-$architecture" | xargs; }
system_digest() { system_packages | sha256sum | cut -c 1-16; }

# Fills the current folder with usr/ and a stamp.
build_system() {
  local apt=$PWD/apt package
  echo "lab: fetching Debian unstable's programs for $architecture (about 400 MB, once)" >&2
  mkdir -p "$apt" usr/bin usr/lib usr/sbin
  for package in bin lib sbin; do ln -s "usr/$package" "$package"; done
  unstable_source >"$apt/sources.list"
  # Unquoted, because each package is a word.
  # shellcheck disable=SC2046
  { foreign_apt "$apt" apt-get update && foreign_apt "$apt" apt-get --yes --download-only install $(system_packages); } >apt.log 2>&1 || {
    tail -n 5 apt.log | sed 's/^/lab: apt: /' >&2
    refuse "the packages of $architecture could not be fetched; the lines above say why"
  }
  for package in "$apt"/archives/*.deb; do dpkg-deb --extract "$package" .; done
  # A link that Debian's package makes only when it is installed.
  [ -e usr/bin/awk ] || ln -s busybox usr/bin/awk
  # The compiler's package has Swift's libraries at usr/lib/swift.
  ln -s ../libexec/swift/lib/swift usr/lib/swift
  rm -rf apt apt.log
  { system_digest; date -u +'built %FT%TZ'; } >stamp
}
