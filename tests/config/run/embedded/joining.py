"""Creates players on a site that a test backs up, each with a transfer of welcome chips."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from tests.given import require
from tests.programs import ROOT

# One process creates all of a test's players. It disconnects after each request, so servers may stop.
PROGRAM = """
import sys
import django; django.setup()
from django.db import connection
from accounts.models import User
from wallet import api as wallet
for line in sys.stdin:
    for number in range(*map(int, line.split())):
        user = User.objects.create_user(f"{number}@example.com", None, player_name=f"Keeper {number}")
        wallet.grant_welcome_chips(user_id=user.pk)
    connection.close()
    print("joined", flush=True)
"""

Join = Callable[[int, int], None]


@contextmanager
def start_joining(environment: Mapping[str, str]) -> Iterator[Join]:
    """Yield a function that creates the players numbered from `first` up to but not including `last`."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**environment, "DATABASE_POOL": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        asking, answers = require(process.stdin), require(process.stdout)

        def join(first: int, last: int) -> None:
            asking.write(f"{first} {last}\n")
            asking.flush()
            assert answers.readline() == "joined\n"

        yield join
