# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # read by setup and host/tools.sh; $lab_cache is theirs
# Gets Debian's stock kernel, downloaded but not installed: the uncompressed image and the few modules that the lab loads.

# Loaded by the initial RAM disk before the root file system is there.
readonly boot_modules=(virtio_pci 9p 9pnet_virtio overlay virtio_console virtio_rng)
# Loaded by the session when a device asks for them.
readonly device_modules=(vivid uvcvideo vhci-hcd uhid hid-sensor-hub hid-sensor-accel-3d hid-generic evdev virtio_net)

# The package on which linux-image-amd64 or linux-image-arm64 depends at present, such as linux-image-6.1.0-56-amd64.
kernel_package() {
  target_apt apt-cache depends "$kernel_name" 2>/dev/null | sed -n 's/^ *Depends: *\(linux-image-[0-9][^ ]*\)$/\1/p' | head -n 1
}

# download_package PACKAGE [native]: downloads a package into the current folder, for the lab's architecture or, with `native`, for this
# machine's. apt checks its digest against the signed index.
download_package() {
  local package=$1 apt=(target_apt apt-get)
  [ "${2:-}" != native ] || apt=(apt-get)
  "${apt[@]}" download "$package" >apt.log 2>&1 || {
    sed 's/^/lab: apt: /' apt.log >&2
    refuse "apt-get could not download $package; check the network and /etc/apt/sources.list, run 'apt-get update', try again"
  }
}

# read_u32 FILE OFFSET: a 32-bit little-endian number of the file.
read_u32() { od -A n -t u4 -j "$2" -N 4 "$1" | tr -d ' '; }

# extract_vmlinux IMAGE OUT: writes the kernel image without its decompressor, which boots three seconds sooner.
extract_vmlinux() {
  case $architecture in
    amd64) extract_x86 "$@" ;;
    arm64) extract_arm "$@" ;;
  esac
}

# Layout: Documentation/arch/x86/boot.rst, setup_sects at 0x1f1, payload_offset 0x248, payload_length 0x24c.
extract_x86() {
  local image=$1 sectors start length
  sectors=$(od -A n -t u1 -j $((0x1f1)) -N 1 "$image" | tr -d ' ')
  [ "$sectors" -gt 0 ] || sectors=4
  start=$(((sectors + 1) * 512 + $(read_u32 "$image" $((0x248)))))
  length=$(($(read_u32 "$image" $((0x24c))) - 4))  # the last four bytes are the unpacked size, not data
  unpack_payload "$image" "$start" "$length" "$2"
}

# The header of an image that unpacks itself names the place of its payload (drivers/firmware/efi/libstub/zboot-header.S); any other image can be started as it is.
extract_arm() {
  local image=$1
  if [ "$(dd if="$image" bs=1 skip=4 count=4 status=none | tr -d '\0')" = zimg ]; then
    unpack_payload "$image" "$(read_u32 "$image" 8)" "$(read_u32 "$image" 12)" "$2"
  else
    cp "$image" "$2"
  fi
}

# unpack_payload IMAGE START LENGTH OUT
unpack_payload() {
  local image=$1 start=$2 length=$3 out=$4 magic
  dd if="$image" of=payload skip="$start" count="$length" iflag=skip_bytes,count_bytes bs=64K status=none
  magic=$(od -A n -t x1 -N 4 payload | tr -d ' ')
  case $magic in
    fd377a58) xz -dc <payload >"$out" ;;
    28b52ffd) zstd -dqc <payload >"$out" ;;
    1f8b*) gzip -dc <payload >"$out" ;;
    *) refuse "the kernel image $image is packed in a way unknown to the lab (magic $magic); teach unpack_payload of lab/host/kernel.sh" ;;
  esac
  rm payload
}

# module_name FILE: the name of a module file, without the ending of its compression.
module_name() { basename "${1%.ko*}.ko"; }

# unpack_module FILE FOLDER: writes a module file as the guest loads it, uncompressed and without debug sections.
unpack_module() {
  local file=$1 folder=$2 name
  name=$(module_name "$file")
  case $file in
    *.xz) xz -dc "$file" >"$folder/$name" ;;
    *.zst) zstd -dqc "$file" >"$folder/$name" ;;
    *) cp "$file" "$folder/$name" ;;
  esac
  "${cross}objcopy" --strip-debug "$folder/$name"
}

# Collects the requested modules and their dependencies, and writes for each module a list of files in load order, MODULE.order.
collect_modules() {
  local tree=$1 release=$2 folder=$3 module file
  shift 3
  mkdir -p "$folder"
  for module in "$@"; do
    modprobe --dirname "$tree" --set-version "$release" --show-depends "$module" |
      awk '$1 == "insmod" { print $2 }' >files
    while read -r file; do
      [ -e "$folder/$(module_name "$file")" ] || unpack_module "$file" "$folder"
      module_name "$file"
    done <files >"$folder/$module.order"
    rm files
  done
}

# Since Linux 7.2 the one package is split into several, and the image lies beside the modules.
kernel_parts() { dpkg-deb --field "$1" Depends | grep -o "linux-\(binary\|modules\|base\)-$release\b" || true; }

# Fills the current folder with vmlinux, modules/ and the stamp of the kernel package.
build_kernel() {
  local package=$1 release=${1#linux-image-} archive free part image
  free=$(df --output=avail -k . | tail -n 1)
  [ "$free" -ge 700000 ] || refuse "unpacking the kernel takes 700 MB for a moment, and $lab_cache has $((free / 1000)) MB; set SWIFTWING_LAB_CACHE to a roomier folder"
  echo "lab: fetching $package (about 70 MB, once)" >&2
  download_package "$package"
  archive=$(echo "$package"_*.deb)
  for part in $(kernel_parts "$archive"); do download_package "$part"; done
  for part in *.deb; do dpkg-deb --extract "$part" tree 2>unpack.log || { tail -n 1 unpack.log >&2; return 1; }; done
  if [ -d tree/usr/lib/modules ] && [ ! -e tree/lib ]; then ln -s usr/lib tree/lib; fi
  depmod --basedir "$PWD/tree" "$release"
  image=tree/boot/vmlinuz-$release
  [ -s "$image" ] || image=tree/lib/modules/$release/vmlinuz
  extract_vmlinux "$image" vmlinux
  collect_modules "$PWD/tree" "$release" modules "${boot_modules[@]}" "${device_modules[@]}"
  { echo "package $archive"; echo "built $(date -u +%FT%TZ)"; sha256sum "$archive" vmlinux modules/*; } >stamp
  rm -rf tree ./*.deb apt.log unpack.log
}
