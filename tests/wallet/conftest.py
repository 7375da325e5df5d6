from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from wallet.models import Entry, HoldResolution, Journal, LedgerAccount, Transfer

Snapshot = tuple[Any, ...]


@contextmanager
def _as_owner() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"SET ROLE {settings.DATABASE_APP_ROLE}")


@pytest.fixture
def as_owner() -> Callable[[], AbstractContextManager[None]]:
    """Within it the statements run as the owner of the tables, whom only triggers can stop."""
    return _as_owner


@pytest.fixture
def ledger() -> Callable[[], Snapshot]:
    """Everything in the ledger, to be compared before and after a refusal."""

    def snapshot() -> Snapshot:
        return (
            list(LedgerAccount.objects.order_by("id").values_list()),
            list(Journal.objects.order_by("id").values_list("key")),
            list(Transfer.objects.order_by("id").values_list()),
            list(Entry.objects.order_by("account_id", "seq").values_list()),
            list(HoldResolution.objects.order_by("hold_id").values_list()),
        )

    return snapshot
