#!/bin/sh
# Puts the code that lies here into service without a pause (docs/operations.md). The new web
# processes answer before the old ones go; `docker compose up` would end them all at once.
set -eu
cd "$(dirname "$0")/.."

docker compose build migrate
docker compose run --rm migrate

old=$(docker compose ps --quiet web)
wanted=$(($(echo "$old" | wc -w) * 2))
docker compose up --detach --no-deps --no-recreate --scale "web=$wanted" web
until [ "$(docker inspect --format '{{.State.Health.Status}}' $(docker compose ps --quiet web) |
  grep -c '^healthy$')" = "$wanted" ]; do
  sleep 1
done
for process in $old; do
  docker stop "$process"
  docker rm "$process"
done

docker compose up --detach --no-deps clock worker beat
docker compose exec -T nginx nginx -s reload
