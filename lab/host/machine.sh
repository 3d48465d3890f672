# shellcheck shell=bash
# shellcheck disable=SC2154  # $work, $lab, $shares and the settings come from run
# The virtual machine: QEMU without KVM, the host's root and /proc read-only, the run's folder and the shares writable.

machine=  # process id of QEMU's keeper, leader of a group of its own
interrupted=no

# Starts QEMU, which writes the command's output to pipes: it would reopen a plain file and overwrite the file's beginning.
start_machine() {
  local number shares_options=()
  for number in "${!shares[@]}"; do
    shares_options+=(-fsdev "local,id=share$number,path=${shares[number]//,/,,},security_model=none"
      -device "virtio-9p-pci,fsdev=share$number,mount_tag=share$number")
  done
  local network=()
  if [ -n "$forward" ]; then
    network=(-netdev "user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:$forward-10.0.2.15:$forward" -device "virtio-net-pci,netdev=net,romfile=")
  fi
  # Only /usr is of the foreign architecture; everything else of the machine is the host's.
  local system=()
  [ "$foreign" = no ] || system=(-fsdev "local,id=system,path=${lab_system//,/,,}/usr,security_model=none,readonly=on,multidevs=remap"
    -device virtio-9p-pci,fsdev=system,mount_tag=system)
  mkfifo "$work/control.in" "$work/control.out"
  exec 5> >(cat); out_copier=$!
  exec 6> >(cat >&2); err_copier=$!
  setsid setpriv --pdeathsig TERM timeout --kill-after 5 "$timeout" "$emulator" -nodefaults -no-user-config -display none -no-reboot \
    "${machine_options[@]}" -accel tcg -smp "$cpus" -m "$memory" \
    -kernel "$lab/vmlinux" -initrd "$lab/ramdisk.cpio" \
    -append "$machine_words quiet panic=-1 mitigations=off" \
    -serial "file:$work/console" \
    -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap -device virtio-9p-pci,fsdev=host,mount_tag=host \
    -fsdev local,id=run,path="${work//,/,,}",security_model=none -device virtio-9p-pci,fsdev=run,mount_tag=run \
    -fsdev local,id=outside,path=/proc,security_model=none,readonly=on,multidevs=remap -device virtio-9p-pci,fsdev=outside,mount_tag=outside \
    ${system[@]+"${system[@]}"} "${shares_options[@]}" ${network[@]+"${network[@]}"} \
    -device virtio-serial-pci \
    -chardev pipe,id=control,path="${work//,/,,}/control" -device virtserialport,chardev=control,name=control \
    -chardev file,id=out,path=/dev/fd/5 -device virtserialport,chardev=out,name=out \
    -chardev file,id=err,path=/dev/fd/6 -device virtserialport,chardev=err,name=err \
    -device virtio-rng-pci </dev/null >"$work/qemu" 2>&1 &
  machine=$!
  exec 5>&- 6>&-
}

# Passes the first ^C to the command inside. If the command does not end within ten seconds, or at a second ^C, ends the machine.
# Before the command has begun, ^C ends the machine at once.
interrupt() {
  if [ $interrupted = yes ] || [ ! -e "$work/started" ]; then
    interrupted=yes
    end_machine
    return
  fi
  interrupted=yes
  (printf 'INT\n' >"$work/control.in") 2>/dev/null &
  (sleep 10; end_machine) >/dev/null 2>&1 &
  grace=$!
}

# QEMU ends at once on a signal; if it hangs, it is killed.
end_machine() {
  kill -TERM -- "-$machine" 2>/dev/null || return 0
  (sleep 3; kill -KILL -- "-$machine") >/dev/null 2>&1 &
}

# Waits until the machine has ended; sets $machine_status.
wait_for_machine() {
  grace=
  trap interrupt INT
  trap 'end_machine; interrupted=yes' TERM HUP
  while :; do
    machine_status=0
    wait "$machine" 2>/dev/null || machine_status=$?
    kill -0 "$machine" 2>/dev/null || break
  done
  [ -z "$grace" ] || kill "$grace" 2>/dev/null || true
  wait "$out_copier" "$err_copier" 2>/dev/null || true
}

# The exit status of lab/run: that of the command, if the command was started.
report_status() {
  if [ -s "$work/status" ]; then return "$(cat "$work/status")"; fi
  if [ $interrupted = yes ]; then return 130; fi
  if [ "$machine_status" = 137 ] || [ "$machine_status" = 124 ]; then
    echo "lab: ended after the time limit of $timeout s; give --timeout SECONDS for more" >&2
    return 124
  fi
  { tail -n 5 "$work/qemu"; tail -n 5 "$work/console"; } 2>/dev/null | sed 's/^/lab: machine: /' >&2
  refuse "the virtual machine ended before the command did; its last words are above"
}
