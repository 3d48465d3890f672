# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # the arrays are read by run, $lab and $lab_cache are its
# Turns the names of the requested cameras into lines of the guest's plan.

plan=()          # lines for the guest, in order
vivid_lines=()   # lines for vivid cameras, after the one load of the module
next_node=0      # the number the next /dev/video node gets
vivid_count=0
uvc_count=0
declare -A vivid_parameters=()

plan_line() { plan+=("$(printf '%q ' "$@")"); }
vivid_line() { vivid_lines+=("$(printf '%q ' "$@")"); }

# Adds a value to a module parameter that has one value for each vivid camera.
vivid_parameter() { vivid_parameters[$1]+=${vivid_parameters[$1]:+,}$2; }

# vivid_device NODE_TYPES INPUT_TYPE MULTIPLANAR: adds an instance of the driver; sets $name and $node.
# Parameters: Documentation/admin-guide/media/vivid.rst (input type 0 webcam, 3 HDMI; output type 1 HDMI; multiplanar 1 no, 2 yes).
vivid_device() {
  name=vivid$vivid_count
  node=$next_node
  vivid_count=$((vivid_count + 1))
  next_node=$((next_node + 1))
  vivid_parameter node_types "$1"
  vivid_parameter num_inputs 1
  vivid_parameter input_types "$2"
  vivid_parameter num_outputs 1
  vivid_parameter output_types 1
  vivid_parameter multiplanar "$3"
  vivid_parameter vid_cap_nr "$node"
}

# The DV timings of a name.
timings_of() {
  case $1 in
    hdmi-720p30) echo 1280x720p30 ;;
    hdmi-720p60 | 720p60) echo 1280x720p60 ;;
    480p60) echo 640x480p60 ;;
    hdmi-1080p30 | 1080p30) echo 1920x1080p30 ;;
    hdmi-12mp) echo 4096x2160p30 ;;
    *) return 1 ;;
  esac
}

vivid_camera() {
  local name node timings facts
  case $1 in
    '' | multiplanar)
      vivid_device 0x1 0 "$([ "$1" = multiplanar ] && echo 2 || echo 1)"
      vivid_parameter vid_out_nr -1
      vivid_line device "$name" kind=vivid input=webcam "node=/dev/video$node"
      return ;;
  esac
  timings=$(timings_of "$1") || usage_error "no camera is called vivid:$1"
  vivid_device 0x1 3 1
  vivid_parameter vid_out_nr -1
  facts=("node=/dev/video$node" "timings=$timings")
  [ "$1" != hdmi-12mp ] || facts+=(size=4000x3000)
  vivid_line device "$name" kind=vivid input=hdmi "${facts[@]}"
  vivid_line control "$name" setup
}

vivid_loop_camera() {
  local name node timings
  timings=$(timings_of "${1:-720p60}") || usage_error "no camera is called vivid-loop:$1"
  vivid_device 0x101 3 1
  vivid_parameter vid_out_nr "$next_node"
  vivid_line device "$name" kind=vivid input=hdmi "node=/dev/video$node" "output=/dev/video$next_node" "timings=$timings"
  next_node=$((next_node + 1))
  vivid_line control "$name" setup
}

# A film is written to a temporary file and then renamed, so that it is never incomplete.
make_film() {
  if "$lab/bin/lab-film" "$1.new" "${@:2}"; then mv "$1.new" "$1"; else rm -f "$1.new"; return 1; fi
}

# film_of FOLDER: the path of the frames of a USB camera. They are made once for each corpus folder and kept in the cache.
film_of() {
  local folder=$1 source films=$lab_films name
  if [ -n "$folder" ]; then
    [ -d "$folder" ] || refuse "there is no corpus folder $folder; name one with corpus=FOLDER"
    source=$(readlink -f "$folder/frames" 2>/dev/null)
    [ -d "$source" ] || source=$(readlink -f "$folder")
    name=$(cd "$source" && { sha256sum "$lab/bin/lab-film"; pwd; stat -c '%n %s %Y' -- *; } | sha256sum | cut -c 1-16)
  else
    name=generated-$(sha256sum "$lab/bin/lab-film" | cut -c 1-16)
  fi
  mkdir -p "$films"
  find "$films" -type f \( -mtime +14 -o -name "*.new" -mmin +60 \) -delete  # films nobody has played for two weeks
  if [ ! -s "$films/$name" ]; then
    (
      flock 8
      [ -s "$films/$name" ] || make_film "$films/$name" ${source:+"$source"}
    ) 8>"$films/lock" || refuse "no camera could be made from ${source:-generated frames}; the lines above say why"
  fi
  touch "$films/$name"
  echo "$films/$name"
}

uvc_camera() {
  local option corpus='' serial options=() film number=$uvc_count
  serial=$(printf 'LAB%04d' "$number")
  IFS=, read -ra words <<<"$1"
  for option in "${words[@]}"; do
    case $option in
      mjpeg | yuyv | bulk) options+=("--$option") ;;
      corpus=?*) corpus=${option#*=} ;;
      serial=?*) serial=${option#*=} ;;
      *) usage_error "a uvc camera has no option '$option'" ;;
    esac
  done
  [ "$uvc_count" -lt 8 ] || usage_error "the virtual USB controller has ports for eight cameras"
  [[ $serial =~ ^[A-Za-z0-9_-]{1,32}$ ]] || usage_error "a serial is 1 to 32 letters, digits, '-' or '_', not '$serial'"
  film=$(film_of "$corpus") || exit
  uvc_count=$((uvc_count + 1))
  next_node=$((next_node + 2))
  plan_line uvc "uvc$number" "$number" "$serial" "$film" "${options[@]}"
}

# add_camera NAME: adds a camera to the plan; lab/README.md lists the names.
add_camera() {
  local kind=${1%%:*} rest=
  [[ $1 = *:* ]] && rest=${1#*:}
  if [ "$kind" = uvc ] || [[ $kind = uvc,* ]]; then
    [ "$kind" = uvc ] || rest=${1#uvc,}
    uvc_camera "$rest"
    return
  fi
  case $kind in
    vivid) vivid_camera "$rest" ;;
    vivid-loop) vivid_loop_camera "$rest" ;;
    *) usage_error "no camera is called '$1'" ;;
  esac
  [ "$vivid_count" -gt 1 ] || plan+=(VIVID)
}

# Prints the plan's device lines. One load of vivid makes all vivid cameras, at the place of the first of them.
print_plan() {
  local line key parameters=("n_devs=$vivid_count")
  for key in "${!vivid_parameters[@]}"; do parameters+=("$key=${vivid_parameters[$key]}"); done
  for line in "${plan[@]}"; do
    if [ "$line" = VIVID ]; then
      printf 'load vivid %s\n' "${parameters[*]}"
      printf '%s\n' "${vivid_lines[@]}"
    else
      printf '%s\n' "$line"
    fi
  done
}
