# shellcheck shell=bash
# shellcheck disable=SC2034  # read by those that source this
# Shared by all parts of the lab that run on the host: the cache folder, and the way in which the lab reports that it cannot run.

lab_cache=${SWIFTWING_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/swiftwing/lab}
lab_films=$lab_cache/films  # the same for every architecture

# Exit status for "the lab itself cannot run here", with which a test reports a skip and the reason.
readonly lab_unavailable=125

# refuse REASON…: prints a sentence for a person and exits with the status for "the lab cannot run here".
refuse() {
  printf 'lab: cannot run: %s\n' "$*" >&2
  exit "$lab_unavailable"
}

# For wrong usage, as opposed to a lab that cannot run.
usage_error() {
  printf 'lab: %s; see lab/README.md\n' "$*" >&2
  exit 2
}
