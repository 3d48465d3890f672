# shellcheck shell=bash
# shellcheck disable=SC2034  # read by those that source this
# What every host-side part of the lab shares: the cache folder, and the way the lab says that it cannot run.

lab_cache=${SWIFTWING_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/swiftwing/lab}
lab_films=$lab_cache/films  # the same for every architecture

# Exit status for "the lab itself cannot run here", so that a test can report a skip with the reason.
readonly lab_unavailable=125

# One sentence for a person, then the status that means "the lab cannot run here".
refuse() {
  printf 'lab: cannot run: %s\n' "$*" >&2
  exit "$lab_unavailable"
}

# A mistake in how the lab was asked, as opposed to a lab that cannot run.
usage_error() {
  printf 'lab: %s; see lab/README.md\n' "$*" >&2
  exit 2
}
