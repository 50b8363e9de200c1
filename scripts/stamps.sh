# Content stamps: a setup step runs again only when what it depends on has changed.
# Sourced by the setup scripts; each stamp is a file in .setup/ that holds a digest.

# digest_of FILE...: one digest of the files' names and contents; a missing file counts as such.
digest_of() {
  sha256sum -- "$@" 2>/dev/null | sha256sum | cut -d' ' -f1
}

# is_stamped NAME DIGEST: whether that step was last done for exactly this.
is_stamped() {
  [ -f ".setup/$1" ] && [ "$(cat ".setup/$1")" = "$2" ]
}

# stamp NAME DIGEST: note that the step is done.
stamp() {
  mkdir -p .setup
  printf '%s\n' "$2" >".setup/$1.new" && mv -f ".setup/$1.new" ".setup/$1"
}

# under_lock: hold .setup/lock until this script ends, so that two calls never set up at once.
under_lock() {
  mkdir -p .setup
  exec 9>.setup/lock
  if command -v flock >/dev/null && ! flock -n 9; then
    say "another setup is running in this folder, waiting for it"
    flock 9
  fi
}

say() { printf 'setup: %s\n' "$*" >&2; }

# stop WORDS: end with words about what is missing and what to do.
stop() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}
