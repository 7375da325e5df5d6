#!/bin/sh
# PostgreSQL's archive_command: archive.sh %p %f. Keeps one finished part of the WAL in $BACKUPS/wal.
# Anything but 0 makes PostgreSQL keep the part and ask again, so it says 0 only when it is safe.
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
