# shellcheck shell=bash
# Prints the results of the lab's tests: a line "ok" or "not ok" for each, as in TAP. lab/test counts the lines.

# check DESCRIPTION COMMAND…: passes when the command succeeds.
check() {
  local description=$1
  shift
  if "$@" >/dev/null 2>&1; then echo "ok $description"; else echo "not ok $description (failed: $*)"; fi
}

# match DESCRIPTION PATTERN TEXT: passes when the text matches the extended regular expression.
match() {
  if [[ $3 =~ $2 ]]; then echo "ok $1"; else echo "not ok $1 (wanted $2, got: $3)"; fi
}

# value KEY TEXT: the value after KEY= in a line of KEY=VALUE words.
value() { sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" <<<"$2"; }

# at_least DESCRIPTION NUMBER VALUE
at_least() {
  if awk "BEGIN { exit !(${3:-0} >= $2) }"; then echo "ok $1"; else echo "not ok $1 (wanted at least $2, got: $3)"; fi
}

# start_capture ARGUMENT…: starts a capture in the background and waits for at least five frames; its lines are in $log.
start_capture() {
  log=$(mktemp)
  lab-capture --verbose "$@" >"$log" 2>&1 &
  capture=$!
  until [ "$(wc -l <"$log")" -ge 5 ]; do
    kill -0 "$capture" 2>/dev/null || break
    sleep 0.02
  done
}

# Waits until the capture in the background ends; sets $ended to its last line.
# shellcheck disable=SC2034
end_capture() {
  wait "$capture"
  ended=$(tail -n 1 "$log")
}
