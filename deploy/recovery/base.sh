#!/bin/sh
# A base backup into $BACKUPS/base while everything runs: base.sh [how many are kept, 7 if not said].
# Older ones go, with the WAL that none of the others needs. libpq's variables say from which server.
set -eu
keep=${1:-7}
unfinished=$BACKUPS/base/unfinished
rm -rf "$unfinished"
pg_basebackup --no-password --pgdata "$unfinished" --wal-method none --checkpoint fast
# Called by its end: to no moment before that can it be brought.
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
