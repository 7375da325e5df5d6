#!/bin/sh
# Makes a base backup in $BACKUPS/base of a running server: base.sh [number of backups to keep, 7 by
# default]. Older ones are deleted, with WAL that no other backup needs. libpq's variables choose the
# server.
set -eu
keep=${1:-7}
unfinished=$BACKUPS/base/unfinished
rm -rf "$unfinished"
pg_basebackup --no-password --pgdata "$unfinished" --wal-method none --checkpoint fast
# Named by its end: recovery to an earlier moment is impossible.
name=$(date -u +%Y%m%dT%H%M%SZ)
mv "$unfinished" "$BACKUPS/base/$name"
sync "$BACKUPS/base"

ls -d "$BACKUPS"/base/*Z | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  rm -rf "$old"
done
oldest=$(ls -d "$BACKUPS"/base/*Z | sort | head -n 1)
needed=$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")
pg_archivecleanup -x .gz "$BACKUPS/wal" "$needed"
echo "$BACKUPS/base/$name"
