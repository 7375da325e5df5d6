"""The pot of a match with an entry fee, and everybody's share if it were split now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.core import Status
from games.engine.shares import divide
from tables.models import Table
from wallet import money

View = dict[str, Any]
NO_POT: Final[View] = {"pot": None, "split": None}


@dataclass(frozen=True, slots=True)
class Pot:
    """All entry fees, the house's share of them, and what is left to be won (R8.7)."""

    gross: int
    rake: int

    @property
    def net(self) -> int:
        return self.gross - self.rake


def pot_of(row: Table, entries: Mapping[int, int]) -> Pot:
    gross = row.entry_fee * sum(entries.values())
    return Pot(gross, money.rake(gross, bps=row.rake_bps, cap=row.rake_cap))


def pot_view(row: Table, status: Status) -> View:
    """`pot` and `split` of the table's view; null where no entry fee is played for."""
    if not row.entry_fee:
        return NO_POT
    if row.settlement is not None:
        # The match is over, and the next one may have another service fee.
        return {
            "pot": {key: row.settlement[key] for key in ("gross", "rake", "net")},
            "split": None,
        }
    pot = pot_of(row, status.fees)
    return {
        "pot": {"gross": pot.gross, "rake": pot.rake, "net": pot.net},
        "split": _split(pot, status.shares_offered),
    }


def _split(pot: Pot, shares: Mapping[int, int] | None) -> list[View] | None:
    """R8.5, by seat; None where nobody may agree on it now."""
    if shares is None:
        return None
    amounts = divide(pot.net, shares)
    return [{"seat": seat, "amount": amounts[seat]} for seat in sorted(amounts)]
