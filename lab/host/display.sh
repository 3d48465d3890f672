# shellcheck shell=bash
# shellcheck disable=SC2154  # $lab_cache is setup's; the functions of host/kernel.sh are there
# vkms, a display that needs no screen. No Debian package contains it, so it is compiled from Debian's source of the same kernel.

# headers_need RELEASE KIND: the package that a kernel's headers need; KIND is headers or kbuild. Its name differs between Debian releases.
headers_need() { target_apt apt-cache depends "linux-headers-$1" | sed -nE "s/^ +Depends: (linux-$2-[^: ]+).*/\\1/p"; }

# The packages, with versions, from which a module for the kernel in the cache is compiled: the image, the source and the headers.
display_packages() {
  local image=$1 version=$2 release=${1#linux-image-}
  printf "%s=$version\n" "$image" "linux-source-$(echo "$release" | cut -d . -f 1-2)" "linux-headers-$release" "$(headers_need "$release" headers)"
}

# Compiles vkms out of tree. Paths in Debian's headers are replaced by those of the unpacked tree. Leaves out types for BPF, for which newer
# kernels need a further program (pahole).
compile_vkms() {
  local release=$1 series=$2
  tar --extract --file "tree/usr/src/linux-source-$series.tar.xz" --strip-components 4 "linux-source-$series/drivers/gpu/drm/vkms"
  sed -i "s|/usr/src/|$PWD/tree/usr/src/|g" "tree/usr/src/linux-headers-$release/Makefile"
  make -s -C "tree/usr/src/linux-headers-$release" ARCH="$kernel_architecture" CROSS_COMPILE="$cross" M="$PWD/vkms" CONFIG_DRM_VKMS=m CONFIG_DEBUG_INFO_BTF_MODULES= modules >make.log 2>&1 || {
    tail -n 5 make.log | sed 's/^/lab: make: /' >&2
    refuse "vkms could not be compiled; the lines above say why"
  }
}

# Fills the current folder with modules/, which has vkms and its dependencies in load order, and a stamp.
build_display() {
  local image version release series package programs
  read -r image version < <(sed -n 's/^package \(linux-image-[^_]*\)_\([^_]*\)_.*/\1 \2/p' "$lab_cache/kernel/stamp")
  release=${image#linux-image-}
  series=$(echo "$release" | cut -d . -f 1-2)
  command -v make >/dev/null || refuse "missing packages; install them with: apt-get install make"
  echo "lab: fetching the source of $image (about 230 MB, once) and compiling vkms" >&2
  for package in $(display_packages "$image" "$version"); do download_package "$package"; done
  for package in $(kernel_parts "$image"_*.deb); do download_package "$package"; done
  # The programs that make a module run here. The archive may have only a newer version of them, because the image is signed later; that does as well.
  programs=$(headers_need "$release" kbuild)
  ! apt-get download --print-uris "$programs=$version" >/dev/null 2>&1 || programs=$programs=$version
  download_package "$programs" native
  for package in *.deb; do
    dpkg-deb --extract "$package" tree
    rm "$package"
  done
  if [ -d tree/usr/lib/modules ] && [ ! -e tree/lib ]; then ln -s usr/lib tree/lib; fi
  compile_vkms "$release" "$series"
  install -D vkms/vkms.ko "tree/lib/modules/$release/extra/vkms.ko"
  depmod --basedir "$PWD/tree" "$release"
  collect_modules "$PWD/tree" "$release" modules vkms
  rm -rf tree vkms apt.log make.log
  { grep '^package ' "$lab_cache/kernel/stamp"; date -u +'built %FT%TZ'; sha256sum modules/*; } >stamp
}
