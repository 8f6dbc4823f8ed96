# What all steps of deploy/install use: lines for a person, commands that change something, files.
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of deploy/install

step=start
changes=0
scratch=$(mktemp -d)
interrupted=''
if [ -e "$notes/unfinished" ]; then interrupted=yes; fi

say() { printf '  %-10s %s\n' "$step" "$*"; }

# Say what is changed now. A run that does not come to its end leaves a note, so that the next one restarts all.
did() {
  changes=$((changes + 1))
  say "$@"
  if [ -z "$dry" ] && [ -z "$remove" ]; then
    mkdir -p "$notes"
    : >"$notes/unfinished"
  fi
}

finish() { [ -n "$dry" ] || rm -f "$notes/unfinished"; }

changed_since() { [ "$changes" -ne "$1" ] || [ -n "$interrupted" ]; }

as_before_since() { [ "$changes" -ne "$1" ] || say "as before"; }

fail() {
  printf '\n%s\n' "$@" >&2
  exit 1
}

on_exit() {
  local code=$?
  if [ -e "$scratch/packages" ]; then note_packages; fi
  rm -rf "$scratch"
  if [ "$code" -ne 0 ] && [ "$step" != start ]; then
    echo "It stopped at \"$step\". Mend that and run the same command again: it goes on from there." >&2
  fi
}
trap on_exit EXIT

# Run a command that changes something: quietly, unless it fails.
act() {
  [ -z "$dry" ] || return 0
  if ! "$@" >"$scratch/output" 2>&1 </dev/null; then
    tail -n 25 "$scratch/output" >&2
    fail "This failed: $*"
  fi
}

# Have the file $1, with mode $2 and group $3, hold what standard input says.
put() {
  cat >"$scratch/file"
  [ -s "$scratch/file" ] || fail "There is nothing to write to $1."
  if cmp -s "$scratch/file" "$1"; then return; fi
  did "writing $1"
  act install -D --owner=root --group="$3" --mode="$2" "$scratch/file" "$1"
}

add_line() { echo "$1" >>"$2"; }

remember() {
  if [ -n "$dry" ] || [ "$(remembered "$1")" = "$2" ]; then return; fi
  mkdir -p "$notes"
  echo "$2" >"$notes/$1"
}

remembered() { cat "$notes/$1" 2>/dev/null || true; }

setting() { if [ -r "$settings" ]; then sed -n "s/^$1=//p" "$settings" | tail -n 1; fi; }

as_pbem() { runuser -u pbem -- env -C "$data" PBEM_ENV_FILE="$settings" "$@"; }

# A file of deploy, with the names and ports of this machine.
for_here() {
  sed -e "s/mail\.example\.org/$domain/g; s/games\.example\.org/$domain/g" \
    -e "s|127\.0\.0\.1:8000|$web_listen|g; s|127\.0\.0\.1:2526|$lmtp_listen|g" "$1"
}

# Have the service $1 start with the machine, and run with what was changed since there were $2 changes,
# by a reload where it can, or as $3 says.
run_with_changes() {
  systemctl is-enabled --quiet "$1" 2>/dev/null || act systemctl enable "$1"
  if ! systemctl is-active --quiet "$1"; then
    did "starting $1"
    act systemctl restart "$1"
  elif changed_since "$2"; then
    act systemctl "${3:-reload-or-restart}" "$1"
  else
    say "as before"
  fi
}
