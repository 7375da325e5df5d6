"""Stakes: pot, entry fees, rejoins and settlement, each in the transaction of the move that moves money."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.base import Result, divide
from games.engine.core import GameStatus
from tables.models import Match, MatchStatus, Table
from tables.play.lock import LockedTable
from tables.play.seats import refuse_if_barred
from wallet import api as wallet
from wallet import money
from wallet.money import Currency

View = dict[str, Any]
NO_POT: Final[View] = {"pot": None, "split": None}


@dataclass(frozen=True, slots=True)
class Pot:
    """The entry fees, the house's share of them, and the rest for the winners (R8.7)."""

    gross: int
    rake: int

    @property
    def net(self) -> int:
        return self.gross - self.rake


def compute_pot(row: Table, entries: Mapping[int, int]) -> Pot:
    gross = row.entry_fee * sum(entries.values())
    return Pot(gross, money.rake(gross, bps=row.rake_bps, cap=row.rake_cap))


def pot_view(row: Table, status: GameStatus) -> View:
    """Return `pot` and `split` of the table's view; both are null without an entry fee."""
    if not row.entry_fee:
        return NO_POT
    if row.settlement is not None:
        # The match is over, and the next one may have another service fee.
        return {
            "pot": {key: row.settlement[key] for key in ("gross", "rake", "net")},
            "split": None,
        }
    pot = compute_pot(row, status.fees)
    return {
        "pot": {"gross": pot.gross, "rake": pot.rake, "net": pot.net},
        "split": _split(pot, status.shares_offered),
    }


def _split(pot: Pot, shares: Mapping[int, int] | None) -> list[View] | None:
    """Return each seat's amount if the pot were split now (R8.5), or None if no split is possible."""
    if shares is None:
        return None
    amounts = divide(pot.net, shares)
    return [{"seat": seat, "amount": amounts[seat]} for seat in sorted(amounts)]


def charge_entries(row: Table, match: Match) -> None:
    """Charge every starting player the entry fee, from the stack that they brought for it."""
    wallet.take_entry_fees(
        match_id=match.pk,
        seat_ids=list(_get_sittings(match).values()),
        amount=row.entry_fee,
        currency=Currency(row.currency),
        key=f"match:{match.pk}:entries",
    )


def charge_rejoins(table: LockedTable, before: Mapping[int, int], after: Mapping[int, int]) -> None:
    """Charge players who rejoin, from their wallets (R8.2). A Refusal undoes the move.

    At a free table rejoining costs nothing, but a barred player is still refused.
    """
    row = Table.objects.get(pk=table.id)
    match = row.matches.get(status=MatchStatus.RUNNING)
    for seat, entries in after.items():
        if entries > before[seat]:
            player = match.players[str(seat)]
            if row.is_free:
                if not player["bot"]:
                    refuse_if_barred(player["user"])
                continue
            wallet.take_rejoin_fee(
                match_id=match.pk,
                user_id=None if player["bot"] else player["user"],
                amount=row.entry_fee,
                currency=Currency(row.currency),
                key=f"match:{match.pk}:entry:{seat}:{entries}",
            )


@dataclass(frozen=True, slots=True)
class _Settled:
    """The payments of a match. `amounts` holds each seat's net result."""

    gross: int
    rake: int
    net: int
    amounts: dict[int, int]


def settle_match(
    row: Table, match: Match, result: Result, entries: Mapping[int, int]
) -> dict[str, Any]:
    """Pay the winners of a match. Return the settlement to announce."""
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
    """Pay the winners the losers' points times the point value, less the rake (R7.2)."""
    sitting_of = _get_sittings(match)
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
    """Pay the entry fees, less the rake, by the shares of the result (R8.7, R9.1)."""
    pot = compute_pot(row, entries)
    shares = divide(pot.net, result.shares)
    sitting_of = _get_sittings(match)
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


def _get_sittings(match: Match) -> dict[int, int]:
    return {int(seat): player["sitting"] for seat, player in match.players.items()}
