"""PostgreSQL and Valkey: each is named by a URL in the environment, or embedded."""

import functools
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg
import redis

from config.run.embedded.keeper import keep_alive
from config.run.embedded.place import EmbeddedFolders, PlaceError, ProgramMissingError
from config.run.embedded.postgres import Passwords, Postgres, PostgresError
from config.run.embedded.valkey import Valkey, ValkeyError


class ServerUnreachableError(Exception):
    """A server named in the environment does not answer."""


# Errors that keep the servers from running, each explained in one sentence to the operator.
SERVER_ERRORS = (
    PlaceError,
    PostgresError,
    ProgramMissingError,
    ServerUnreachableError,
    ValkeyError,
)


Server = Postgres | Valkey


def plan_servers(
    var: Path, given: Mapping[str, str], *, durable: bool = True
) -> tuple[dict[str, str], list[Server]]:
    """Return the environment variables that name both servers, and a list of the servers that must be started.

    Raises ServerUnreachableError if a server that is named in the environment does not answer.
    """
    secret = load_secrets(var / "secrets.json")
    place = functools.cache(EmbeddedFolders.under)  # only an embedded server needs folders
    environment = {"SECRET_KEY": given.get("SECRET_KEY") or secret.key}
    own: list[Server] = []
    if database := given.get("DATABASE_URL"):
        owner = given.get("DATABASE_OWNER_URL") or database
        environment |= {"DATABASE_URL": database, "DATABASE_OWNER_URL": owner}
        for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
            _try_database(name, environment[name])
    else:
        own.append(postgres := Postgres(place(var), secret.passwords, durable=durable))
        environment |= {
            "DATABASE_URL": postgres.application_url,
            "DATABASE_OWNER_URL": postgres.owner_url,
        }
    if given.get("REDIS_URL"):
        environment["REDIS_URL"] = given["REDIS_URL"]
        _try_redis(given["REDIS_URL"])
    else:
        own.append(valkey := Valkey(place(var)))
        environment["REDIS_URL"] = valkey.url
    return environment, own


@contextmanager
def run_servers(
    planned: tuple[dict[str, str], list[Server]], *, kept: bool = False
) -> Iterator[dict[str, str]]:
    """Start the planned servers, yield their environment variables, and stop the servers at the end.

    With `kept`, servers are restarted if they die.
    """
    environment, own = planned
    with ExitStack() as at_the_end:
        for server in own:
            at_the_end.callback(server.stop)
            server.start()
            if isinstance(server, Postgres):
                server.make_roles()
        if kept:
            at_the_end.enter_context(keep_alive(own))
        yield environment


def _try_database(name: str, url: str) -> None:
    if not url.startswith(("postgresql://", "postgres://")):
        raise ServerUnreachableError(
            f"{name} must look like postgresql://user:password@host:5432/name."
        )
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[-1].strip()
        raise ServerUnreachableError(f"{name} does not answer: {reason}") from error


def _try_redis(url: str) -> None:
    try:
        redis.Redis.from_url(url, socket_connect_timeout=5).ping()
    except (redis.RedisError, ValueError) as error:
        raise ServerUnreachableError(f"REDIS_URL does not answer: {error}") from error


@dataclass(frozen=True, slots=True)
class _Secrets:
    key: str
    passwords: Passwords


def load_secrets(path: Path) -> _Secrets:
    """Return this installation's secrets. They are created once, and only the installation's user can read them."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = _Secrets(secrets.token_urlsafe(48), Passwords.fresh())
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(fresh), file, indent=2)
    stored = json.loads(path.read_text())
    return _Secrets(stored["key"], Passwords(**stored["passwords"]))
