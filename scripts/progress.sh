# To be sourced: shows the progress of a step that prints nothing itself, on standard error: on a terminal in a line that changes every second, elsewhere a line a minute.
progress_began=$EPOCHSECONDS progress_said=$EPOCHSECONDS

# duration SECONDS: seconds below 100, and minutes from then on, so that 3,725 seconds are 62 min.
duration() { if (($1 < 100)); then echo "$1 s"; else echo "$(($1 / 60)) min"; fi; }

# progress WHAT [STEP]: shows the time of WHAT and its STEP, a line of SwiftPM such as "[312/1204] Compiling Imagery".
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

# Clears the line before other output.
end_progress() {
  progress_said=$EPOCHSECONDS
  [ ! -t 2 ] || printf '\r\e[K' >&2
}

# follow WHAT PROCESS LOG [show]: shows the progress of a process until it ends. LOG has its steps; with `show`, everything in LOG is printed.
follow() {
  local what=$1 process=$2 show=${4:-} step= line part= said
  exec {said}<"$3"
  while kill -0 "$process" 2>/dev/null; do
    read_on
    progress "$what" "$step"
    # Ends the sleep as soon as the process ends.
    sleep 1 &
    wait -n "$process" $! 2>/dev/null || true
  done
  read_on
  end_progress
  [ -z "$show" ] || [ -z "$part" ] || printf '%s\n' "$part"
  exec {said}<&-
}

# Reads the new lines of LOG. The last line may be incomplete.
read_on() {
  while IFS= read -r line <&$said || { part+=$line && false; }; do
    line=$part$line part=
    if [ -n "$show" ]; then
      end_progress
      printf '%s\n' "$line"
      progress_said=$EPOCHSECONDS
    elif [[ $line == \[* ]]; then
      step=$line
    fi
  done
}

# told WHAT LOG show|hide COMMAND…: runs COMMAND with its output in LOG, and prints its progress and at the end its duration.
told() {
  local what=$1 log=$2 show=${3#hide} process status=0
  shift 3
  mkdir -p "$(dirname "$log")"
  : >"$log"
  progress_began=$EPOCHSECONDS progress_said=$EPOCHSECONDS
  # Gives the command its own process group, which ^C ends as a whole.
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  process=$!
  set +m
  trap "kill -INT -- -$process 2>/dev/null; end_progress; exit 143" INT TERM HUP
  follow "$what" $process "$log" $show
  trap - INT TERM HUP
  wait $process || status=$?
  echo "$what: $(duration $((EPOCHSECONDS - progress_began)))" >&2
  return $status
}

# beside WHAT COMMAND…: runs COMMAND, and prints the elapsed time meanwhile.
beside() {
  local what=$1 ticker status=0
  shift
  progress_began=$EPOCHSECONDS progress_said=$EPOCHSECONDS
  (while sleep 1 && kill -0 $$ 2>/dev/null; do progress "$what"; done) &
  ticker=$!
  "$@" || status=$?
  kill $ticker 2>/dev/null
  wait $ticker 2>/dev/null || true
  end_progress
  return $status
}
