# shellcheck shell=bash
# shellcheck disable=SC2154  # $here, $lab_cache and $boot_modules are setup's
# The lab's own programs, compiled for host and guest, and the initial RAM disk.

readonly guest_programs=(lab-supervise lab-ctl lab-capture lab-loop lab-links lab-eye uvc-camera accelerometer buttons)
flags=(-std=gnu11 -O2 -Wall -Wextra -D_GNU_SOURCE)
[ "${CI:-}" != true ] && [ "${CI:-}" != 1 ] || flags+=(-Werror)

# The identity of everything the tools are made from: sources, kernel, busybox, this script.
tools_digest() {
  (cd "$here" && find tools guest host setup -type f -print0 | sort -z | xargs -0 sha256sum
    sha256sum "$lab_cache/kernel/stamp" "$busybox") | sha256sum | cut -c 1-16
}

# compile COMPILER PROGRAM OPTION…: each program is the folder of its name under tools/, with what they share in tools/common.
compile() {
  local compiler=$1 program=$2
  shift 2
  "$compiler" "${flags[@]}" -I "$here/tools/common" -o "bin/$program" "$here/tools/$program"/*.c "$here"/tools/common/*.c "$@" -lm
}

# A RAM disk of a static busybox, guest/init and the modules that make the root file system reachable, in load order.
build_ramdisk() {
  local modules=$lab_cache/kernel/modules module
  mkdir -p ramdisk/{bin,proc,sys,dev,modules,lower,upper,root}
  cp "$busybox" ramdisk/bin/busybox
  for module in "${boot_modules[@]}"; do cat "$modules/$module.order"; done | awk '!seen[$0]++' >ramdisk/modules/order
  while read -r module; do cp "$modules/$module" ramdisk/modules/; done <ramdisk/modules/order
  install -m 755 "$here/guest/init" ramdisk/init
  (cd ramdisk && find . | cpio -o -H newc --quiet) >ramdisk.cpio
  rm -rf ramdisk
}

# Fills the current folder with bin/, ramdisk.cpio, guest/, modules/ and vmlinux.
build_tools() {
  local program
  echo "lab: compiling the guest tools" >&2
  mkdir bin
  for program in "${guest_programs[@]}"; do compile "${cross}gcc" "$program" -static || refuse "gcc could not compile $program"; done
  # It runs on the host.
  compile gcc lab-film -lturbojpeg || refuse "gcc could not compile lab-film"
  cp "$busybox" bin/busybox
  cp -r "$here/guest" guest
  cp -r "$lab_cache/kernel/modules" modules
  ln "$lab_cache/kernel/vmlinux" vmlinux
  build_ramdisk
  date -u +%FT%TZ >stamp
}

# Tools of older sources that no running lab holds (a run keeps a shared lock on the stamp of its own).
remove_unused_tools() {
  local folder
  for folder in "$lab_cache"/tools-*; do
    [ "$folder" = "$1" ] && continue
    if flock --nonblock "$folder/stamp" true 2>/dev/null; then rm -rf "$folder"; fi
  done
}
