#!/bin/sh
# Deploys the current code and settings without an interruption (docs/upgrade.md). The new web processes
# answer before the old ones end; `docker compose up` would end them all at once.
set -eu
cd "$(dirname "$0")/.."
SECONDS_TO_BEGIN=120

answers() {
  [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]
}

if docker compose config | grep --quiet 'pull_policy: never'; then
  docker compose build migrate
else
  docker compose pull migrate  # a published image: OPENRUMMY_IMAGE
fi
docker compose run --rm migrate

old=$(docker compose ps --quiet web)
docker compose up --detach --no-deps --no-recreate --scale "web=$(($(echo "$old" | wc -w) * 2))" web
new=$(docker compose ps --all --quiet web | grep --invert-match --line-regexp --fixed-strings "$old")
for process in $new; do
  until answers "$process"; do
    SECONDS_TO_BEGIN=$((SECONDS_TO_BEGIN - 1))
    if [ "$SECONDS_TO_BEGIN" -le 0 ]; then
      docker logs --tail 20 "$process"
      docker rm --force $new
      echo "The new web processes do not answer; the old ones go on." >&2
      exit 1
    fi
    sleep 1
  done
done
for process in $old; do
  docker stop "$process"
  docker rm "$process"
done

docker compose up --detach --no-deps clock worker mailer slow history coach beat
if docker compose ps --services | grep --quiet --line-regexp caddy; then
  docker compose exec -T caddy caddy reload --config /etc/caddy/Caddyfile
else
  docker compose exec -T nginx nginx -s reload
fi
