# The process that reaper.ts starts. It reads commands, one a line, until the process that sends them has ended. Then it
# ends the watched process groups, and removes the watched containers and paths. It is written for the shell because
# that takes 1 MB of memory, and Node 70 MB.
trap '' INT TERM HUP
set -f
newline='
'
watched=
containers=
paths=

# Sets `start` to the start time of a process, as start-time.ts finds it; to nothing if there is no such process.
find_start() {
  start=
  if read -r stat < "/proc/$1/stat"; then
    # The program's name is in brackets and may contain spaces.
    set -- ${stat##*) }
    [ "$1" = Z ] || start=${20}
  elif [ ! -d /proc/self ] && kill -0 "$1"; then
    start=unknown
  fi
}

# Sends the signal to the watched process groups. Those that do not receive it are not watched any more.
signal_groups() {
  all=$watched
  watched=
  for group in $all; do
    find_start "${group%=*}"
    # While a group has members, the system does not reuse the pid of its leader. So a process with this pid and another
    # start time is not the watched one.
    [ -z "$start" ] || [ "$start" = "${group#*=}" ] || continue
    kill "-$1" "-${group%=*}" && watched="$watched $group"
  done
}

# Errors are ignored: a missing container was never created or is already removed.
remove_containers() {
  printf %s "$containers" | while read -r name docker; do "$docker" rm --force --volumes "$name" < /dev/null; done
}

read_commands() {
  while read -r command rest; do
    case $command in
      watch)
        find_start "$rest"
        watched="$watched $rest=$start"
        ;;
      forget)
        all=$watched
        watched=
        for group in $all; do [ "${group%=*}" = "$rest" ] || watched="$watched $group"; done
        ;;
      watch-container) containers="$containers$rest$newline" ;;
      forget-container)
        containers=$(printf %s "$containers" | while read -r name docker; do
          [ "$name" = "$rest" ] || echo "$name $docker"
        done)${containers:+$newline}
        ;;
      remove) paths="$paths$rest$newline" ;;
    esac
  done
}

end_all() {
  signal_groups TERM
  tries=0
  while [ -n "$watched" ] && [ $tries -lt 60 ]; do
    tries=$((tries + 1))
    sleep 0.05
    signal_groups 0
  done
  signal_groups KILL
  remove_containers
  # The engine may still have been creating a container when its client ended, so containers are removed a second time.
  if [ -n "$containers" ]; then
    sleep 2
    remove_containers
  fi
  printf %s "$paths" | while read -r path; do rm -rf -- "$path" || { sleep 1 && rm -rf -- "$path"; }; done
}

# On one line, so that the shell has read the whole file before it begins: an update may replace the file meanwhile.
read_commands; end_all; exit
