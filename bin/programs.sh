# Sourced by bin/checks: programs of the tests that are no Python packages. What this machine has not is loaded from
# Debian's archive and unpacked with its libraries in var/programs, which bin/test has on the PATH: nothing is
# installed or started, and no rights are needed.

# The browser and the fonts of the golden pictures (Latin and Devanagari), both proxies, the checker of alarms.
programs() {
  local program missing=()
  for program in chromium chromium-headless-shell nginx caddy promtool openssl; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null 2>&1 || missing+=("$program")
  done
  # Both browsers read files of a package that is installed with either.
  [[ " ${missing[*]-}" != *" chromium"* ]] || missing+=(chromium-common)
  has_fonts /usr/share/fonts || has_fonts var/programs/root/usr/share/fonts ||
    missing+=(fonts-dejavu-core fonts-dejavu-extra fonts-lohit-deva)
  if [ ${#missing[@]} -gt 0 ]; then
    step "loading from Debian's archive: ${missing[*]}"
    strictly load_programs "${missing[@]}" >var/programs.log 2>&1 ||
      skipped programs "${missing[*]} could not be loaded (var/programs.log says why)"
  fi
  strictly load_pgbouncer >var/pgbouncer.log 2>&1 || true # run_pooled says so
}

# Bash ignores the failures of commands in a function whose own failure is handled, but not those of another shell.
strictly() { # function, arguments
  bash -euo pipefail -c '. bin/programs.sh; "$@"' bash "$@"
}

has_fonts() { # folder; tests/e2e/fonts.conf names both
  [ -f "$1/truetype/dejavu/DejaVuMathTeXGyre.ttf" ] && [ -f "$1/truetype/lohit-devanagari/Lohit-Devanagari.ttf" ]
}

load_programs() { # packages
  local folder=$PWD/var/programs options archive libraries program
  rm -rf "$folder/lists" "$folder/archives" # of a load that was cut off
  mkdir -p "$folder/lists/partial" "$folder/archives/partial" "$folder/root" "$folder/bin"
  options=(-o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder" -o "APT::Sandbox::User=$(id --user --name)"
    -o Debug::NoLocking=1 -o Acquire::Languages=none)
  apt-get "${options[@]}" update
  if [ -z "$(apt-cache "${options[@]}" pkgnames promtool)" ]; then
    set -- "${@/#promtool/prometheus}" # which has it up to Debian 12
  fi
  apt-get "${options[@]}" install --reinstall --download-only --yes --no-install-recommends "$@"
  for archive in "$folder"/archives/*.deb; do
    dpkg-deb --extract "$archive" "$folder/root"
  done
  rm -rf "$folder/lists" "$folder/archives" "$folder"/*.bin
  libraries=$(find "$folder/root" -name '*.so*' -printf '%h\n' | sort --unique | paste --serial --delimiters=:)
  for program in lib/chromium/chromium lib/chromium/chromium-headless-shell sbin/nginx bin/caddy bin/promtool bin/openssl; do
    [ ! -x "$folder/root/usr/$program" ] || printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' \
      "$libraries" "$folder/root/usr/$program" >"$folder/bin/${program##*/}"
  done
  chmod +x "$folder"/bin/*
}

# Debian 12 has PgBouncer 1.18, which forgets prepared statements. Debian 13's is unpacked with its
# libraries; apt checks the signatures. Tests call it as var/pgbouncer/pgbouncer (tests/pooler.py).
load_pgbouncer() {
  local folder=$PWD/var/pgbouncer mirror options archive
  [ ! -x "$folder/pgbouncer" ] || return 0
  rm -rf "$folder"
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/usr"
  mirror=$(apt-get --print-uris update | sed --quiet "s|^'\(.*/debian/\)dists/.*|\1|p" | sort | head --lines 1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$folder/apt/sources"
  options=(-o "Dir::Etc::SourceList=$folder/apt/sources" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$folder/apt/lists"
    -o Dir::State::Status=/dev/null -o "Dir::Cache=$folder/apt" -o "APT::Sandbox::User=$(id --user --name)"
    -o Acquire::Languages=none)
  apt-get "${options[@]}" update
  (
    cd "$folder/apt"
    apt-get "${options[@]}" download pgbouncer libc6 libcares2 libevent-2.1-7t64 libssl3t64
    for archive in *.deb; do dpkg-deb --extract "$archive" ..; done
  )
  rm -rf "$folder/apt"
  cat >"$folder/unfinished" <<'END'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
for loader in "$here"/usr/lib/*/ld-linux-*; do
  exec "$loader" --library-path "${loader%/*}" "$here/usr/sbin/pgbouncer" "$@"
done
END
  chmod +x "$folder/unfinished"
  "$folder/unfinished" --version
  mv "$folder/unfinished" "$folder/pgbouncer"
}
