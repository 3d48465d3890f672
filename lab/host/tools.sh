# shellcheck shell=bash
# shellcheck disable=SC2154  # $here, $lab_cache and $boot_modules are setup's
# Compiles the lab's own programs for host and guest, and makes the initial RAM disk.

readonly guest_programs=(lab-supervise lab-ctl lab-capture lab-loop lab-links lab-eye uvc-camera accelerometer buttons)
flags=(-std=gnu11 -O2 -Wall -Wextra -D_GNU_SOURCE)
[ "${CI:-}" != true ] && [ "${CI:-}" != 1 ] || flags+=(-Werror)

# A digest of everything from which the tools are made: sources, kernel, busybox, this script.
tools_digest() {
  (cd "$here" && find tools guest host setup -type f -print0 | sort -z | xargs -0 sha256sum
    sha256sum "$lab_cache/kernel/stamp" "$busybox") | sha256sum | cut -c 1-16
}

# compile COMPILER PROGRAM OPTION…: compiles the program whose folder under tools/ has its name, with the shared code in tools/common.
compile() {
  local compiler=$1 program=$2
  shift 2
  "$compiler" "${flags[@]}" -I "$here/tools/common" -o "bin/$program" "$here/tools/$program"/*.c "$here"/tools/common/*.c "$@" -lm
}

# Builds the initial RAM disk: a static busybox, guest/init and, in load order, the modules that make the root file system reachable.
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
  for program in "${guest_programs[@]}"; do compile "${cross}gcc" "$program" -static || refuse "gcc could not compile lab/tools/$program; the lines above say why"; done
  # lab-film runs on the host.
  compile gcc lab-film -lturbojpeg || refuse "gcc could not compile lab/tools/lab-film; the lines above say why"
  cp "$busybox" bin/busybox
  cp -r "$here/guest" guest
  cp -r "$lab_cache/kernel/modules" modules
  ln "$lab_cache/kernel/vmlinux" vmlinux
  build_ramdisk
  date -u +%FT%TZ >stamp
}

# Removes tools of older sources that no running lab uses (each run holds a shared lock on the stamp of its tools).
remove_unused_tools() {
  local folder
  for folder in "$lab_cache"/tools-*; do
    [ "$folder" = "$1" ] && continue
    if flock --nonblock "$folder/stamp" true 2>/dev/null; then rm -rf "$folder"; fi
  done
}
