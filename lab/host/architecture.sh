# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # read by those that source this, after host/terms.sh
# The differences between the architectures that the lab boots. This machine cannot run programs of a foreign architecture, which therefore
# has Debian's programs and libraries of its own (host/system.sh), a cross compiler and a separate cache folder.

# Debian's name of this machine's architecture; the kernel's name if the lab does not support it.
native_architecture() {
  case $(uname -m) in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    *) uname -m ;;
  esac
}

# choose_architecture NAME: sets the variables of an architecture for the rest of the lab.
choose_architecture() {
  architecture=${1%-16k} kernel_name=linux-image-$1 foreign=no cross=
  case $1 in
    amd64)
      emulator=qemu-system-x86_64 emulator_package=qemu-system-x86 triplet=x86_64-linux-gnu kernel_architecture=x86
      machine_options=(-machine q35 -cpu Nehalem)
      machine_words="console=ttyS0 no_timer_check random.trust_cpu=on" ;;
    arm64)
      # The emulated processor is that of the Raspberry Pi 4.
      emulator=qemu-system-aarch64 emulator_package=qemu-system-arm triplet=aarch64-linux-gnu kernel_architecture=arm64
      machine_options=(-machine virt,gic-version=3 -cpu cortex-a72)
      machine_words="console=ttyAMA0" ;;
    arm64-16k)
      # Memory pages of 16 kB, as on Apple's processors and by default on the Raspberry Pi 5. The processor of the Pi 4 has no such pages.
      emulator=qemu-system-aarch64 emulator_package=qemu-system-arm triplet=aarch64-linux-gnu kernel_architecture=arm64
      machine_options=(-machine virt,gic-version=3 -cpu max,pauth-impdef=on)
      machine_words="console=ttyAMA0" ;;
    *) usage_error "no architecture is called '$1'; there are amd64, arm64 and arm64-16k" ;;
  esac
  [ "$1" != "$(native_architecture)" ] || return 0
  [ "$(native_architecture) $architecture" = "amd64 arm64" ] || refuse "on another processor the lab boots only arm64, and only on x86-64; this machine is $(uname -m)"
  foreign=yes cross=$triplet- lab_system=$lab_cache/$architecture/system lab_cache=$lab_cache/$1
}

# target_apt PROGRAM ARGUMENT…: runs a program of apt for the lab's architecture with this machine's package sources, or with those of unstable
# for a kernel with pages of 16 kB, which only unstable has.
target_apt() {
  if [ $foreign = no ]; then "$@"; return; fi
  case $kernel_name in *-16k) [ -s "$lab_cache/apt/sources.list" ] || { mkdir -p "$lab_cache/apt" && unstable_source >"$lab_cache/apt/sources.list"; } ;; esac
  foreign_apt "$lab_cache/apt" "$@"
}

# unstable_source: prints the package source of unstable at the address from which this machine gets Debian's packages.
unstable_source() {
  { sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
    awk '/\/debian\/*$/ && !found { found = $0 }
      END { print "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] " (found ? found : "http://deb.debian.org/debian") " unstable main" }'
}

# foreign_apt FOLDER PROGRAM ARGUMENT…: runs a program of apt that knows only the foreign architecture, keeps its data in FOLDER and sees
# nothing as installed. Its package sources are FOLDER/sources.list, or this machine's if that file is missing.
foreign_apt() {
  local folder=$1 program=$2 options=()
  shift 2
  mkdir -p "$folder/lists/partial" "$folder/archives/partial"
  : >>"$folder/status"
  options=(-o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o APT::Sandbox::User=root -o APT::Install-Recommends=0
    -o "Dir::State::status=$folder/status" -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder" -o "Dir::Cache::archives=$folder/archives")
  [ ! -e "$folder/sources.list" ] || options+=(-o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/nowhere)
  "$program" "${options[@]}" "$@"
}
