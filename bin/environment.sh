# Sourced by the other commands: finds Python, makes .venv and installs the pinned requirements.
# Sets $python to the interpreter of .venv. Nothing is installed again while the pins stay the same.
# uv does it where it is on the PATH, else pip. What they print is in .venv/install.log.

fail() {
  echo "openrummy: $1" >&2
  exit 1
}

# Which Pythons pyproject.toml allows.
is_allowed() {
  "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' >/dev/null 2>&1
}

find_python() {
  local candidate
  for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
    if command -v "$candidate" >/dev/null 2>&1 && is_allowed "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
  if command -v uv >/dev/null 2>&1; then
    echo ">=3.11,<3.15" # uv looks further, and loads one if there is none
  fi
}

# prepare NAME...: the requirement files (without .txt) that .venv must hold.
prepare() {
  python=$root/.venv/bin/python
  if is_prepared "$@"; then
    return
  fi
  works "$python" && is_allowed "$python" || make_venv
  echo "openrummy: installing the pinned requirements (about a minute, once)"
  local name
  for name in "$@"; do
    is_installed "$name" || install_pins "$name"
  done
}

make_venv() {
  local base
  base=$(find_python)
  [ -n "$base" ] || fail "Python 3.11, 3.12, 3.13 or 3.14 is needed$(found_python); install one and run this again."
  echo "openrummy: making a virtual environment in .venv"
  if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --clear --python "$base" "$root/.venv" ||
      fail "uv cannot make a virtual environment with Python $base; see the lines above."
  else
    "$base" -m venv --clear "$root/.venv" >/dev/null 2>&1 ||
      fail "$base cannot make a virtual environment; install its venv module (Debian: apt install python3-venv)."
  fi
}

found_python() {
  if command -v python3 >/dev/null 2>&1; then
    echo " ($(python3 --version 2>&1) was found)"
  fi
}

install_pins() {
  local log=$root/.venv/install.log pins=$root/$1.txt
  local options=(--require-hashes --only-binary :all: -r "$pins") installed=yes
  if command -v uv >/dev/null 2>&1; then
    uv pip install --quiet --python "$python" "${options[@]}" >>"$log" 2>&1 || installed=no
  else
    # There is no pip in an environment that uv has made.
    "$python" -m pip --version >/dev/null 2>&1 || "$python" -m ensurepip >>"$log" 2>&1 || true
    "$python" -m pip install --quiet --disable-pip-version-check "${options[@]}" >>"$log" 2>&1 || installed=no
  fi
  if [ "$installed" = yes ]; then
    cksum <"$pins" >"$(mark_of "$1")"
  elif [ "$1" = requirements-embedded ]; then
    # config/run/embedded looks on the PATH then, and says what to do where nothing is found.
    echo "openrummy: PostgreSQL and Valkey do not come as packages for $(this_machine); those of the PATH are used." >&2
  else
    tail -n 3 "$log" >&2
    fail "the requirements could not be installed for $(this_machine) ($log says why).
Where a package is missing for it, use another Python from 3.11 to 3.14, or the image (docs/operations.md)."
  fi
}

this_machine() {
  echo "$("$python" --version 2>&1) on $(uname -sm)"
}

works() {
  [ -x "$1" ] && "$1" -c '' 2>/dev/null
}

# What was last installed of a requirement file.
mark_of() {
  echo "$root/.venv/installed-$1"
}

is_installed() {
  if [ "$1" = requirements-embedded ] && [ -n "${DATABASE_URL:-}" ] && [ -n "${REDIS_URL:-}" ]; then
    return # nothing of it is wanted
  fi
  [ "$(cat "$(mark_of "$1")" 2>/dev/null)" = "$(cksum <"$root/$1.txt")" ]
}

is_prepared() {
  local name
  works "$python" || return 1
  for name in "$@"; do
    is_installed "$name" || return 1
  done
}
