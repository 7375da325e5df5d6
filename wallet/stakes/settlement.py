"""The payments of a finished match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wallet import money
from wallet.ledger.chart import Line, Reason, pot, rake, seat
from wallet.ledger.posting import post_in_transaction, refusals
from wallet.money import Currency


@dataclass(frozen=True, slots=True)
class PointsSettlement:
    """`gross` is what the losers paid, `net` what the winners got, `shares` each winner's part."""

    gross: int
    rake: int
    net: int
    shares: Mapping[int, int]  # by the id of the winner's seat


def settle_points(  # noqa: PLR0913 - the facts of a settlement, all by name
    *,
    match_id: int,
    table_id: int,
    currency: Currency,
    winner_seat_ids: Sequence[int],
    losses: Mapping[int, int],
    rake_bps: int,
    rake_cap: int | None,
    key: str,
) -> PointsSettlement:
    """The losers' seats pay `losses` (R7.2), the winners share them less the rake (R4.7).

    Several winners get equal parts, the odd units go to the first ones. A repeated key changes
    nothing and answers the same. Seats hold at least what a deal can cost, so a refusal is a bug:
    it is raised without a savepoint and ends the caller's transaction.
    """
    if (
        not winner_seat_ids
        or set(winner_seat_ids) & set(losses)
        or any(amount < 0 for amount in losses.values())
    ):
        raise ValueError("only losers pay, and they pay no negative amount")
    gross = sum(losses.values())
    fee = money.rake(gross, bps=rake_bps, cap=rake_cap)
    parts = money.split_evenly(gross - fee, len(winner_seat_ids))
    shares = dict(zip(winner_seat_ids, parts, strict=True))
    settlement = PointsSettlement(gross=gross, rake=fee, net=gross - fee, shares=shares)
    the_pot = pot(match_id, currency)
    payers = [(seat_id, losses[seat_id]) for seat_id in sorted(losses) if losses[seat_id]]
    lines = [
        Line(seat(seat_id, currency), the_pot, amount, Reason.STAKE) for seat_id, amount in payers
    ]
    lines += [
        Line(the_pot, seat(winner, currency), share, Reason.WINNINGS)
        for winner, share in shares.items()
        if share
    ]
    if fee:
        lines.append(Line(the_pot, rake(table_id, currency), fee, Reason.RAKE))
    if lines:
        with refusals(savepoint=False):
            post_in_transaction(key=key, lines=lines, subject=f"match:{match_id}")
    return settlement
