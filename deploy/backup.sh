#!/bin/sh
# Backups of the database and the identity documents, with Docker and without (docs/restore.md):
#   deploy/backup.sh                   makes one in $BACKUPS/nightly and removes those of more than $BACKUP_DAYS days ago
#   deploy/backup.sh check [BACKUP]    restores one, the newest if none is named, into a database of its own and checks it
#   deploy/backup.sh settings BACKUP   names the settings that differ from those of a backup
# deploy/openrummy-backup.timer calls the first each night, and the second after it each Sunday.
set -eu
umask 077
cd "$(dirname "$0")/.."
CHECKED=openrummy_check # the database of a check; it is dropped before and after

fail() {
  echo "backup: $1" >&2
  exit 1
}

# --- Locations: a clone with .env runs in Docker, any other as docs/install-debian.md sets it up --------------------

if [ -e .env ]; then
  SETTINGS=${SETTINGS:-./.env}
  admin() { docker compose exec -T --user postgres --env PGUSER=openrummy_owner postgres "$@"; }
  dump() { docker compose exec -T postgres pg_dump -U openrummy_owner -Fc openrummy; }
  documents() { docker compose exec -T web tar -C /srv/private -cf - .; }
  documents_kilobytes() { docker compose exec -T web du -sk /srv/private; }
  manage() { docker compose exec -T --env "DATABASE_URL=$DATABASE_URL" web python manage.py "$@"; }
else
  SETTINGS=${SETTINGS:-/srv/openrummy.env}
  OWNER=${OWNER:-/srv/openrummy-owner.env}
  # PostgreSQL's superuser creates the database of a check; BACKUP_ADMIN=env leaves that to PGHOST, PGUSER
  # and the like.
  admin() { ${BACKUP_ADMIN:-runuser -u postgres --} "$@"; }
  dump() { (. "$OWNER" && exec pg_dump -Fc "$DATABASE_OWNER_URL"); }
  documents() { tar -C "$PRIVATE_FILES" -cf - .; }
  documents_kilobytes() { du -sk "$PRIVATE_FILES"; }
  manage() { python manage.py "$@"; }
fi
[ -r "$SETTINGS" ] || fail "$SETTINGS cannot be read: are you root?"
set -a
# Read .env like Docker: without quotes a value goes to the end of the line or to " #", and only $NAME and ${NAME} in it
# mean something; within double quotes a backtick is one.
eval "$(sed -n -E -e 's/\r$//; s/^export +//; /^[A-Z][A-Z0-9_]*=/!d' \
  -e "/^[^=]*='/{p;d}" -e '/^[^=]*="/{s/`|\$\(/\\&/g;p;d}' \
  -e 's/[[:space:]]+#.*$//; s/[[:space:]]+$//; s/\\/&&/g; s/\$\$/\\$/g; s/\$\(/\\$(/g; s/[`"]/\\&/g; s/=(.*)/="\1"/p' "$SETTINGS")"
set +a
case ${BACKUPS:-} in
  /*) ;;
  *) fail "set BACKUPS in $SETTINGS to a folder, on another disk if there is one" ;;
esac
nightly=$BACKUPS/nightly
days=${BACKUP_DAYS:-14}
spare=$((${BACKUP_SPARE_MB:-1024} * 1024)) # kilobytes that must remain free

# --- Fingerprints of the settings: they tell whether a value is the same without revealing it -------------------------

# Print each setting's name and a hash of its value, keyed by SECRET_KEY.
fingerprints() {
  sed -n 's/^\([A-Z][A-Z0-9_]*\)=.*/\1/p' "$SETTINGS" | sort -u | while read -r name; do
    eval "value=\${$name-}"
    hash=$(printf '%s\n%s=%s' "$SECRET_KEY" "$name" "$value" | sha256sum)
    echo "$name ${hash%% *}"
  done
}

# Print the names of the settings that differ from those of a backup, on one line.
changed_settings() {
  fingerprints | diff - "$1/settings" | sed -n 's/^[<>] \([A-Z0-9_]*\) .*/\1/p' | sort -u | paste -s -d ' ' -
}

tell_settings() {
  changed=$(changed_settings "$1")
  case " $changed " in
    "  ") echo "settings: as they were" ;;
    *" SECRET_KEY "*) echo "settings: SECRET_KEY is another one, so nothing can be said of the others" ;;
    *) echo "settings: $changed differ" ;;
  esac
}

# --- Making ----------------------------------------------------------------------------------------------------------

# Print the kilobytes that a backup will need: a quarter more than the newest one, or the size of its
# sources.
expected_size() {
  newest=$(newest_backup)
  if [ -n "$newest" ]; then
    echo $(($(du -sk "$newest" | cut -f 1) * 5 / 4))
    return
  fi
  database=$(ask "$(database_name)" 'SELECT pg_database_size(current_database()) / 1024')
  echo $((database + $(keeps_documents && documents_kilobytes | cut -f 1 || echo 0)))
}

# Print a database's answer to a statement.
ask() {
  admin psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname "$1" --command "$2"
}

database_name() {
  name=${DATABASE_URL%%\?*}
  echo "${name##*/}"
}

# Return whether this machine stores documents; object storage keeps its own (docs/settings.md).
keeps_documents() {
  [ -z "${DOCUMENTS_BUCKET:-}" ]
}

newest_backup() {
  find "$nightly" -maxdepth 1 -name '20*Z' 2>/dev/null | sort | tail -n 1
}

make() {
  mkdir -p "$nightly"
  exec 9>"$nightly/lock"
  flock --nonblock 9 || fail "another one is being made"
  needed=$(expected_size)
  free=$(df -Pk "$nightly" | awk 'NR == 2 { print $4 }')
  [ $((needed + spare)) -le "$free" ] ||
    fail "$nightly has room for $((free / 1024)) MB; $(((needed + spare) / 1024)) MB are needed. Nothing was changed"

  unfinished=$nightly/unfinished
  rm -rf "$unfinished"
  trap 'rm -rf "$unfinished"' EXIT
  mkdir "$unfinished"
  dump >"$unfinished/openrummy.dump"
  if keeps_documents; then
    documents >"$unfinished/private.tar" # after the dump, so that no document of it is missing
  fi
  fingerprints >"$unfinished/settings"
  (cd "$unfinished" && sha256sum -- * >SHA256SUMS)
  sync "$unfinished"/* "$unfinished"
  name=$(date -u +%Y-%m-%dT%H%M%SZ)
  mv "$unfinished" "$nightly/$name"
  sync "$nightly"

  before=$(date -u -d "$days days ago" +%Y-%m-%dT%H%M%SZ)
  find "$nightly" -maxdepth 1 -name '20*Z' -printf '%f\n' | awk -v before="$before" '$0 < before' |
    while read -r old; do rm -rf "${nightly:?}/$old"; done
  size=$(($(du -sk "$nightly/$name" | cut -f 1) * 1024))
  # For the administration and the alerts; rows older than a year are useless.
  ask "$(database_name)" "INSERT INTO core_backup (name, size_bytes, made_at) VALUES ('$name', $size, now());
    DELETE FROM core_backup WHERE made_at < now() - interval '400 days'"
  echo "$nightly/$name"
}

# --- Checking --------------------------------------------------------------------------------------------------------

drop_checked() {
  admin psql --no-psqlrc --quiet --dbname postgres --command 'SET client_min_messages = warning' \
    --command "DROP DATABASE IF EXISTS $CHECKED WITH (FORCE)"
}

# Run manage.py on the check's database, which is deleted afterwards.
manage_checked() {
  (
    address=${DATABASE_URL%%\?*}
    DATABASE_URL=${address%/*}/$CHECKED${DATABASE_URL#"$address"}
    manage "$@"
  )
}

check() {
  backup=${1:-$(newest_backup)}
  [ -f "$backup/openrummy.dump" ] || fail "there is no backup ${backup:-in $nightly}"
  (cd "$backup" && sha256sum --quiet --check SHA256SUMS) || fail "a file of $backup is not what it was"
  trap drop_checked EXIT
  drop_checked
  admin createdb --template template0 --encoding UTF8 --locale C.UTF-8 "$CHECKED"
  admin pg_restore --exit-on-error --dbname "$CHECKED" <"$backup/openrummy.dump" || fail "$backup cannot be restored"
  echo "restored: $(ask "$CHECKED" 'SELECT count(*) FROM accounts_user') accounts," \
    "$(ask "$CHECKED" 'SELECT count(*) FROM wallet_transfer') transfers"
  tell_documents "$backup"
  manage_checked check_backup || fail "$backup is not good"
  tell_settings "$backup"
  ask "$(database_name)" "UPDATE core_backup SET checked_at = now() WHERE name = '$(basename "$backup")'"
  echo "$backup is good."
}

tell_documents() {
  if ! [ -e "$1/private.tar" ]; then
    echo "documents: not in this backup"
    return
  fi
  kept=$(mktemp)
  tar -tf "$1/private.tar" | sed 's,^\./,,' >"$kept"
  missing=$(ask "$CHECKED" 'SELECT stored_as FROM accounts_identity_document' | grep -vxF -f "$kept" || true)
  rm "$kept"
  [ -z "$missing" ] || fail "these documents are missing in $1: $(echo "$missing" | head -n 5 | paste -s -d ' ' -)"
  echo "documents: all $(ask "$CHECKED" 'SELECT count(*) FROM accounts_identity_document')"
}

case ${1:-make} in
  make) make ;;
  check) check "${2:-}" ;;
  settings)
    [ -f "${2:-}/settings" ] || fail "there is no backup ${2:-without a name}"
    tell_settings "$2"
    ;;
  *) fail "usage: backup.sh [make | check [BACKUP] | settings BACKUP]" ;;
esac
