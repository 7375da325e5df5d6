# Sourced by bin/run and bin/test: finds Python, makes .venv and installs the pinned requirements.
# Sets $python to the interpreter of .venv. Nothing is installed again while the pins stay the same.

fail() {
  echo "openrummy: $1" >&2
  exit 1
}

find_python() {
  for candidate in python3 python3.13 python3.12 python3.11 python; do
    if command -v "$candidate" >/dev/null 2>&1 &&
      "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      command -v "$candidate"
      return
    fi
  done
}

# prepare FILE...: the requirement files that .venv must hold.
prepare() {
  python=$root/.venv/bin/python
  if is_prepared "$@"; then
    return
  fi
  local base
  base=$(find_python)
  [ -n "$base" ] || fail "Python 3.11 or newer is needed and was not found; install it and run this again."
  if ! works "$python"; then
    echo "openrummy: making a virtual environment in .venv"
    "$base" -m venv --clear "$root/.venv" >/dev/null 2>&1 ||
      fail "$base cannot make a virtual environment; install its venv module (Debian: apt install python3-venv)."
  fi
  echo "openrummy: installing the pinned requirements (about a minute, once)"
  local arguments=() file
  for file in "$@"; do arguments+=(-r "$file"); done
  "$python" -m pip install --quiet --disable-pip-version-check --require-hashes "${arguments[@]}" ||
    fail "the requirements could not be installed; see the lines above."
  for file in "$@"; do cksum <"$file" >"$(mark_of "$file")"; done
}

works() {
  [ -x "$1" ] && "$1" -c '' 2>/dev/null
}

# What was last installed of a requirement file.
mark_of() {
  echo "$root/.venv/installed-$(basename "$1" .txt)"
}

is_prepared() {
  local file
  works "$root/.venv/bin/python" || return 1
  for file in "$@"; do
    [ "$(cat "$(mark_of "$file")" 2>/dev/null)" = "$(cksum <"$file")" ] || return 1
  done
}
