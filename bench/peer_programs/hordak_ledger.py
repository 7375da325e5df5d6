"""Transfers in the ledger of django-hordak, on a database of its own."""

import itertools
import time
from importlib import import_module

import dj_database_url  # type: ignore[import-not-found]
import django
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from moneyed import Money  # type: ignore[import-not-found]

from bench.peer_programs import answer


def begin(url: str, accounts: int) -> None:
    """Create the tables and the accounts."""
    settings.configure(
        DATABASES={"default": dj_database_url.parse(url)},
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "mptt", "hordak"],
        SECRET_KEY="only for a benchmark",  # noqa: S106
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        USE_TZ=True,
        CURRENCIES=["EUR"],
    )
    django.setup()
    call_command("migrate", verbosity=0)
    models = import_module("hordak.models")

    for number in range(accounts):
        models.Account.objects.create(
            name=str(number), code=str(number), type=models.AccountType.asset, currencies=["EUR"]
        )


def post(seconds: float) -> tuple[int, float]:
    """Post transfers of one unit for some seconds. Return their number and this process's processor time."""
    accounts = [*import_module("hordak.models").Account.objects.order_by("pk")]
    pairs = zip(itertools.cycle(accounts), itertools.cycle(accounts[3:]))
    done, until, began = 0, time.monotonic() + seconds, time.process_time()
    while time.monotonic() < until:
        source, destination = next(pairs)
        with transaction.atomic():
            source.transfer_to(destination, Money(1, "EUR"))
        done += 1
    return done, time.process_time() - began


if __name__ == "__main__":
    answer(begin=begin, post=post)
