#!/bin/sh
# PostgreSQL's archive_command: archive.sh %p %f. Stores a finished WAL segment in $BACKUPS/wal. After any
# exit status but 0 PostgreSQL keeps the segment and retries, so 0 means that it is safe.
set -eu
kept=$BACKUPS/wal/$2.gz
if [ -e "$kept" ]; then
  gzip -dc "$kept" | cmp -s "$1" - # the same once more, after a crash; never another in its place
  exit
fi
gzip -c "$1" >"$kept.part"
sync "$kept.part"
mv "$kept.part" "$kept"
sync "$BACKUPS/wal"
