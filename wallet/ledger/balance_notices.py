"""Telling players' pages that their balance has changed: a hint, after the commit.

The hint holds no amounts. The listener reads them from the database (config/sockets/consumers.py), so
that a late or repeated hint shows no old balance.
"""

from collections.abc import Iterable
from functools import partial

from django.db import transaction

from core.page_notices import hint_soon
from wallet.ledger.chart import AccountRef, Line
from wallet.models import AccountKind, HoldLine

BALANCE = "balance"
_OF_PLAYERS = frozenset({AccountKind.PLAYER, AccountKind.WINNINGS, AccountKind.BONUS})


def hint_accounts(*accounts: AccountRef) -> None:
    """The players among the owners; seats, pots and the house have no pages."""
    hint_players({account.owner_id for account in accounts if account.kind in _OF_PLAYERS})


def hint_lines(lines: Iterable[Line]) -> None:
    hint_accounts(*(account for line in lines for account in (line.source, line.destination)))


def hint_hold(hold_id: int) -> None:
    """The player whose money was put aside."""
    sources = HoldLine.objects.filter(hold_id=hold_id, source__kind__in=_OF_PLAYERS)
    hint_players(set(sources.values_list("source__owner_id", flat=True)))


def hint_players(user_ids: set[int]) -> None:
    """Costs a caller microseconds: a thread of its own does the sending."""
    if user_ids:
        transaction.on_commit(partial(hint_soon, user_ids, BALANCE), robust=True)
