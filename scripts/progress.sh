# To be sourced: how far a step is that says nothing itself. On a terminal a line that moves every second, elsewhere a line a minute, both on standard error.
progress_began=$EPOCHSECONDS progress_said=$EPOCHSECONDS

# 3,725 seconds are 62 min.
duration() { if (($1 < 100)); then echo "$1 s"; else echo "$(($1 / 60)) min"; fi; }

# progress WHAT [STEP]: STEP is what SwiftPM says of a step, "[312/1204] Compiling Imagery".
progress() {
  local line=$1 seconds=$((EPOCHSECONDS - progress_began)) name=
  if [[ ${2:-} =~ ^\[([0-9]+)/([0-9]+)\]\ *(.*) ]]; then
    line+=": ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps," name=": ${BASH_REMATCH[3]}"
  else
    line+=":"
  fi
  if [ -t 2 ]; then
    line="$line $seconds s$name"
    printf '\r\e[K%s' "${line:0:$((${COLUMNS:-80} - 1))}" >&2
  elif ((EPOCHSECONDS - progress_said >= 60)); then
    progress_said=$EPOCHSECONDS
    echo "$line $(duration $seconds)" >&2
  fi
}

# Before something else is said.
end_progress() {
  progress_said=$EPOCHSECONDS
  [ ! -t 2 ] || printf '\r\e[K' >&2
}

# beside WHAT COMMAND…: runs COMMAND, and tells how long it takes meanwhile.
beside() {
  local what=$1 ticker status=0
  shift
  progress_began=$EPOCHSECONDS progress_said=$EPOCHSECONDS
  (while sleep 1; do progress "$what"; done) &
  ticker=$!
  "$@" || status=$?
  kill $ticker 2>/dev/null
  wait $ticker 2>/dev/null || true
  end_progress
  return $status
}
