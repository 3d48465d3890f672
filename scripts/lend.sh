# lend_libraries ROOT SWIFT: to be sourced. Copies into ROOT/opt/lent the libraries of this machine that the toolchain SWIFT needs and that the Debian in ROOT has under
# another name (testing has libxml2.so.16 where swift.org's toolchain needs libxml2.so.2), and those that the copies need. Programs in ROOT find them by
# LD_LIBRARY_PATH=/opt/lent. As root.
lend_libraries() {
  local root=$1 swift=$2 missing name
  rm -rf "$root/opt/lent"
  mkdir -p "$root/opt/lent" "$root$swift"
  while missing=$(unshare --mount bash -euc 'mount --bind "$1" "$0$1"; LD_LIBRARY_PATH=/opt/lent chroot "$0" bash -c "ldd $1/bin/{swift-build,swift-frontend,clang,lld} /opt/lent/* 2>/dev/null || true"' "$root" "$swift" |
    sed -n 's/^\t\(.*\) => not found/\1/p' | sort -u) && [ -n "$missing" ]; do
    for name in $missing; do cp -L "$(ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }')" "$root/opt/lent/"; done
  done
}
