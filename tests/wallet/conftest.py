from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from tests.wallet import rawsql
from wallet.models import Entry, HoldResolution, Journal, LedgerAccount, Transfer

Snapshot = tuple[Any, ...]


@pytest.fixture
def as_owner() -> Callable[[], AbstractContextManager[None]]:
    return rawsql.as_owner


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
