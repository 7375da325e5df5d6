"""Runs one command on the data of `bin/run`, whether or not `bin/run` is running.

`python -m config.run.embedded.beside COMMAND ARGUMENT...`

The command may use `python manage.py`, and PostgreSQL's client programs (`pg_dump`, `psql`) in the version of the
data, which sign in as superuser. If the servers are stopped, they run for as long as the command does.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from config.run.embedded.place import EmbeddedFolders, find_postgres_programs
from config.run.embedded.postgres import Postgres
from config.run.embedded.servers import SERVER_ERRORS, load_secrets
from config.run.embedded.valkey import Valkey

ROOT = Path(__file__).resolve().parents[3]


@contextmanager
def run_beside(var: Path) -> Iterator[dict[str, str]]:
    """Run the servers of this folder, and yield the environment for a command. Raises SERVER_ERRORS."""
    secret, place = load_secrets(var / "secrets.json"), EmbeddedFolders.under(var)
    postgres, valkey = Postgres(place, secret.passwords), Valkey(place)
    with ExitStack() as at_the_end:
        for server in (postgres, valkey):
            if server.is_gone():
                at_the_end.callback(server.stop)
                server.start()
        postgres.make_roles()
        programs, python = find_postgres_programs(), Path(sys.executable).parent
        yield {
            **os.environ,
            "PATH": os.pathsep.join([str(programs), str(python), os.environ.get("PATH", "")]),
            "PGHOST": str(place.sockets),
            "PGUSER": "postgres",
            "PGPASSWORD": secret.passwords.superuser,
            "DATABASE_URL": postgres.application_url,
            "DATABASE_OWNER_URL": postgres.owner_url,
            "REDIS_URL": valkey.url,
            "SECRET_KEY": secret.key,
            "DJANGO_SETTINGS_MODULE": "config.settings.local",
            "OPENRUMMY_VAR": str(var),
        }


def main(command: list[str]) -> int:
    if os.environ.get("DATABASE_URL"):
        sys.stderr.write(
            "openrummy: DATABASE_URL is set: the data is in that server, whose own programs are to be used "
            "(docs/restore.md).\n"
        )
        return 2
    try:
        with run_beside(Path(os.environ.get("OPENRUMMY_VAR", ROOT / "var"))) as environment:
            return subprocess.run(command, check=False, env=environment).returncode  # noqa: S603 - the caller's own
    except FileNotFoundError as error:
        sys.stderr.write(f"openrummy: there is no {error.filename}\n")
    except SERVER_ERRORS as error:
        sys.stderr.write(f"openrummy: {error}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
