# shellcheck shell=bash
# The viewfinder in the background, and what it says of itself. Sourced by the scenarios; they run inside the lab.
. "$(dirname "$0")/../tests/checks.sh"
swiftwing=${SWIFTWING:-bin/swiftwing}
log=$(mktemp)

# view SOURCE: starts it and waits for its first picture.
view() {
  "$swiftwing" view --json --size 320x180 --source "$1" >"$log" 2>&1 &
  viewer=$!
  await firstPicture 1 || true
}

end_view() {
  kill -INT "$viewer" 2>/dev/null
  wait "$viewer" 2>/dev/null || true
}

# await PATTERN COUNT [SECONDS]: until so many lines match.
await() {
  local end=$((SECONDS + ${3:-10}))
  until [ "$(grep -c "$1" "$log")" -ge "$2" ]; do
    ((SECONDS < end)) || return 1
    kill -0 "$viewer" 2>/dev/null || return 1
    sleep 0.02
  done
}

# The time of the latest state so named, s.
when() { grep "\"state\":\"$1" "$log" | tail -n 1 | sed 's/.*"time":\([0-9]*\).*/\1/' | awk '{ printf "%.3f", $1 / 1e9 }'; }
# The time in what lab-ctl printed, s.
at() { sed -n 's/.* at \([0-9.]*\).*/\1/p' <<<"$1" | tail -n 1; }
# milliseconds FROM TO
milliseconds() { awk "BEGIN { printf \"%.0f\", ($2 - $1) * 1000 }"; }

# shows DESCRIPTION SOURCE [FRAMES]: the viewfinder shows so many pictures and ends well.
shows() {
  local said
  said=$(timeout 30 "$swiftwing" view --json --size 320x180 --source "$2" --frames "${3:-5}" 2>&1)
  match "$1" "firstPicture" "$([ $? = 0 ] && echo "$said" || echo "status $? $said")"
}

# recovers REQUIREMENT REASON FAULT… -- REMEDY…: after the fault the session says why it has no picture; after the remedy
# (":" for none) it runs again by itself.
recovers() {
  local requirement=$1 reason=$2 fault=() lost back before
  shift 2
  while [ "$1" != -- ]; do fault+=("$1"); shift; done
  shift
  before=$(grep -c '"state":"interrupted' "$log")
  lost=$("${fault[@]}")
  if ! await '"state":"interrupted' $((before + 1)); then
    echo "not ok $requirement ${fault[*]}: no interruption (${lost} $(tail -n 2 "$log" | tr '\n' ' '))"
    return
  fi
  match "$requirement ${fault[*]}: interrupted ($reason), seen after $(milliseconds "$(at "$lost")" "$(when interrupted)") ms" \
    "\\($reason\\)" "$(grep '"state":"interrupted' "$log" | tail -n 1)"
  back=$("$@")
  local running
  running=$(awk '/"state":"running"/ { n++ } /"state":"interrupted/ { n = 0 } END { print n + 0 }' "$log")
  if [ "$running" -gt 0 ] || await '"state":"running"' $(($(grep -c '"state":"running"' "$log") + 1)); then
    local from
    from=$(at "$back")
    echo "ok INT-2 ${fault[*]}: runs again $(milliseconds "${from:-$(when interrupted)}" "$(when running)") ms after $([ -n "$from" ] && echo "the cause is gone" || echo "the interruption")"
  else
    echo "not ok INT-2 ${fault[*]}: did not run again ($(tail -n 3 "$log" | tr '\n' ' '))"
  fi
}
