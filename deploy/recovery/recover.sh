#!/bin/sh
# Prepares a data folder that PostgreSQL recovers to a moment when it starts, from the newest base backup
# before it: recover.sh DATA '2026-11-21 17:53:01' (UTC, unless it names a zone). DATA must be empty or
# missing; nothing else is changed.
set -eu
data=$1
if [ -n "$(ls -A "$data" 2>/dev/null)" ]; then
  echo "$data is not empty. Name a folder that is, and keep this one until all is well." >&2
  exit 1
fi
moment=$(date -u -d "$2" '+%Y-%m-%d %H:%M:%S.%6N+00')
latest=$(date -u -d "$2" +%Y%m%dT%H%M%SZ)
base=$(find "$BACKUPS/base" -maxdepth 1 -name '*Z' -printf '%f\n' | sort | awk -v latest="$latest" '$0 < latest' | tail -n 1)
if [ -z "$base" ]; then
  echo "No base backup in $BACKUPS/base is older than $moment." >&2
  exit 1
fi
mkdir -p "$data"
chmod 700 "$data"
cp -R "$BACKUPS/base/$base/." "$data/"
cat >>"$data/postgresql.auto.conf" <<END
restore_command = 'test -e "$BACKUPS/wal/%f.gz" && gzip -dc "$BACKUPS/wal/%f.gz" >"%p"'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
END
: >"$data/recovery.signal"
echo "$base in $data: PostgreSQL brings it to $moment when it starts."
