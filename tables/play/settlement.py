"""The money of a match: entry fees as they fall due, and what its end pays."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.base import Result
from games.engine.shares import divide
from tables.models import Match, MatchStatus, Table
from tables.play.locks import LockedTable
from tables.play.pot import pot_of
from tables.refusals import Refusal
from wallet import services as wallet
from wallet.money import Currency


def charge_entries(row: Table, match: Match) -> None:
    """The entry fee of everybody who begins, from the stack that was brought for it."""
    wallet.take_entry_fees(
        match_id=match.pk,
        seat_ids=list(_sittings(match).values()),
        amount=row.entry_fee,
        currency=Currency(row.currency),
        key=f"match:{match.pk}:entries",
    )


def charge_rejoins(table: LockedTable, before: Mapping[int, int], after: Mapping[int, int]) -> None:
    """R8.2: who has come back pays once more, from the wallet; a Refusal undoes the move."""
    row = Table.objects.get(pk=table.id)
    match = row.matches.get(status=MatchStatus.RUNNING)
    for seat, entries in after.items():
        if entries > before[seat]:
            player = match.players[str(seat)]
            try:
                wallet.take_rejoin_fee(
                    match_id=match.pk,
                    user_id=None if player["bot"] else player["user"],
                    amount=row.entry_fee,
                    currency=Currency(row.currency),
                    key=f"match:{match.pk}:entry:{seat}:{entries}",
                )
            except wallet.WalletRefusal as refused:
                raise Refusal(str(refused), code=refused.code) from refused


@dataclass(frozen=True, slots=True)
class _Settled:
    """The payments of a match. `amounts` are each seat's net result."""

    gross: int
    rake: int
    net: int
    amounts: dict[int, int]


def settle_match(
    row: Table, match: Match, result: Result, entries: Mapping[int, int]
) -> dict[str, Any]:
    """Pay what the match was played for; returns what everybody is told of it."""
    settled = (
        _settle_pot(row, match, result, entries)
        if row.entry_fee
        else _settle_points(row, match, result)
    )
    return {
        "gross": settled.gross,
        "rake": settled.rake,
        "rake_bps": row.rake_bps,
        "net": settled.net,
        "winners": list(result.winners),
        "amounts": {str(seat): amount for seat, amount in settled.amounts.items()},
    }


def _settle_points(row: Table, match: Match, result: Result) -> _Settled:
    """R7.2: the winners get the losers' points times the point value, less the rake."""
    sitting_of = _sittings(match)
    losses = {
        sitting_of[seat]: points * row.point_value
        for seat, points in result.points.items()
        if seat not in result.winners and points > 0
    }
    paid = wallet.settle_points(
        match_id=match.pk,
        table_id=row.pk,
        currency=Currency(row.currency),
        winner_seat_ids=[sitting_of[seat] for seat in result.winners],
        losses=losses,
        rake_bps=row.rake_bps,
        rake_cap=row.rake_cap,
        key=f"match:{match.pk}:settle",
    )
    amounts = {
        seat: paid.shares.get(sitting, 0) - losses.get(sitting, 0)
        for seat, sitting in sitting_of.items()
    }
    return _Settled(paid.gross, paid.rake, paid.net, amounts)


def _settle_pot(row: Table, match: Match, result: Result, entries: Mapping[int, int]) -> _Settled:
    """R8.7, R9.1: entry fee times entries, less the rake, to whom the result names."""
    pot = pot_of(row, entries)
    shares = divide(pot.net, result.shares)
    sitting_of = _sittings(match)
    wallet.settle_pot(
        match_id=match.pk,
        table_id=row.pk,
        currency=Currency(row.currency),
        shares={sitting_of[seat]: share for seat, share in shares.items()},
        house_share=pot.rake,
        key=f"match:{match.pk}:settle",
    )
    amounts = {seat: shares.get(seat, 0) - row.entry_fee * entries[seat] for seat in sitting_of}
    return _Settled(pot.gross, pot.rake, pot.net, amounts)


def _sittings(match: Match) -> dict[int, int]:
    return {int(seat): player["sitting"] for seat, player in match.players.items()}
