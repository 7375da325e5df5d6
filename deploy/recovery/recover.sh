#!/bin/sh
# Prepares a data folder that PostgreSQL recovers to a moment when it starts, from the newest base backup
# before it: recover.sh DATA '2026-11-21 17:53:01' [ASIDE] (UTC, unless the moment names a zone). DATA must be
# empty or missing. With ASIDE, which must not exist yet, what DATA holds is moved there, once its WAL is archived.
# No server may run in either folder.
# The history that leads to the moment is the latest one; TIMELINE=1 chooses an earlier one.
set -eu
data=$1
aside=${3:-}

fail() {
  echo "recover: $1" >&2
  exit 1
}

# A server that is shutting down still writes to the path that it was started with, wherever its folder was moved.
# /proc shows its working directory, where postmaster.pid names that path in the second line.
refuse_running_server() {
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" = postgres ] || continue
    if [ "$(sed -n 2p "$process/cwd/postmaster.pid" 2>/dev/null)" = "$data" ]; then
      fail "a PostgreSQL server still runs in $data (process ${process#/proc/}). Stop it and wait until it has ended. Nothing was changed."
    fi
  done
}

# Moves the folder of a stopped server away. What its archiver has left behind is archived first.
set_aside() {
  [ ! -e "$aside" ] || fail "$aside exists already. Name another folder, or delete it if nobody misses it. Nothing was changed."
  for ready in "$data"/pg_wal/archive_status/*.ready; do
    [ -e "$ready" ] || continue
    segment=$(basename "$ready" .ready)
    "$(dirname "$0")/archive.sh" "$data/pg_wal/$segment" "$segment" ||
      fail "$data/pg_wal/$segment could not be archived in $BACKUPS/wal. $data stays where it is."
    mv "$ready" "${ready%.ready}.done"
  done
  mv "$data" "$aside"
}

refuse_running_server
moment=$(date -u -d "$2" '+%Y-%m-%d %H:%M:%S.%6N+00')
latest=$(date -u -d "$2" +%Y%m%dT%H%M%SZ)
base=$(find "$BACKUPS/base" -maxdepth 1 -name '*Z' -printf '%f\n' | sort | awk -v latest="$latest" '$0 < latest' | tail -n 1)
[ -n "$base" ] || fail "no base backup in $BACKUPS/base is older than $moment. Nothing was changed."
if [ -n "$(ls -A "$data" 2>/dev/null)" ]; then
  [ -n "$aside" ] || fail "$data is not empty. Name a folder that is, and keep this one until all is well."
  set_aside
fi
mkdir -p "$data"
chmod 700 "$data"
cp -R "$BACKUPS/base/$base/." "$data/"
if [ -n "$aside" ]; then
  # A server that crashed has not finished its last segment, so no archive has it. PostgreSQL reads the archive first.
  find "$aside/pg_wal" -maxdepth 1 -type f -name '[0-9A-F]*' ! -name '*.*' -exec cp {} "$data/pg_wal/" \;
fi
cat >>"$data/postgresql.auto.conf" <<END
restore_command = 'test -e "$BACKUPS/wal/%f.gz" && gzip -dc "$BACKUPS/wal/%f.gz" >"%p"'
recovery_target_time = '$moment'
recovery_target_timeline = '${TIMELINE:-latest}'
recovery_target_action = 'promote'
END
: >"$data/recovery.signal"
echo "$base in $data: PostgreSQL brings it to $moment when it starts."
