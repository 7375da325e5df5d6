"""A match of several contracts: totals, who has left or is gone, and who has won (C2, C16 to C19)."""

from collections.abc import Sequence
from dataclasses import replace

from tables.games.base import Instant, InvalidRules, Result
from tables.games.contract.deal import deal_cards
from tables.games.contract.rulesets import SEATS, ContractRules
from tables.games.rummy.deal import toss_for_order
from tables.games.rummy.events import Events, left
from tables.games.rummy.match import (
    Match,
    Stage,
    end_match,
    line_of,
    ranked,
    rotated,
    sheet_json,
    wait_for_next_deal,
)

__all__ = ["Match", "Stage"]


def start_match(
    rules: ContractRules, seats: Sequence[int], *, toss: bool, seed: bytes, now: Instant
) -> tuple[Match, Events]:
    if len(seats) not in SEATS or len(set(seats)) != len(seats):
        raise InvalidRules("Two to five players, each on a seat of their own.")
    order, tossed = toss_for_order(seats, seed=seed) if toss else (tuple(seats), None)
    deal, happened = deal_cards(rules, order, number=1, toss=tossed, seed=seed, now=now)
    return Match(rules=rules, deal=deal, seats=order), happened


def next_deal(match: Match, *, seed: bytes, now: Instant) -> tuple[Match, Events]:
    number = match.number + 1
    deal, happened = deal_cards(
        match.rules, rotated(match), number=number, toss=None, seed=seed, now=now
    )
    return replace(match, deal=deal, number=number, stage=Stage.DEAL, due_at=None), happened


def conclude_deal(match: Match, now: Instant) -> tuple[Match, Events]:
    """Enter the deal that has just ended, and see whether the match goes on."""
    line = line_of(match)
    # C19: a deal that somebody is not in any more costs a fixed number.
    away = tuple(
        (seat, match.rules.leave_points) for seat in match.left if seat not in match.deal.order
    )
    line = replace(line, points=(*line.points, *away))
    gone = tuple(
        player.seat
        for player in match.deal.players
        if player.was_absent and not player.has_played and player.seat not in match.left
    )
    match = replace(match, sheet=(*match.sheet, line), left=(*match.left, *gone))
    told = tuple(left(seat, gone=True) for seat in gone)
    winners = decided(match)
    match, later = end_match(match, winners) if winners else wait_for_next_deal(match, now)
    return match, (*told, *later)


def decided(match: Match) -> tuple[int, ...]:
    """C16 to C19: the winners; nobody as long as there is something left to play for."""
    if match.rules.per_point:
        return match.sheet[-1].winners
    if len(match.staying) < 2 or match.number >= match.rules.deals:
        return leaders(match)
    return ()


def leaders(match: Match) -> tuple[int, ...]:
    """C16: who wins if the match ends now: the lowest total; equal ones share.

    If nobody is left, all totals count. Where some have to go on (`qualifiers`), one alone is
    first: of equals who has won more deals, then who came first in the first order of play.
    """
    totals = match.lost
    pool = match.staying or match.seats
    lowest = min(totals[seat] for seat in pool)
    equal = tuple(seat for seat in pool if totals[seat] == lowest)
    if match.rules.qualifiers is None:
        return equal
    merits = _merits(match)
    return (min(equal, key=merits.__getitem__),)


def _merits(match: Match) -> dict[int, tuple[float, ...]]:
    totals = match.lost
    if match.rules.qualifiers is None:
        return {seat: (total,) for seat, total in totals.items()}
    return {
        seat: (totals[seat], -match.deals_won(seat), place)
        for place, seat in enumerate(match.seats)
    }


def result_of(match: Match) -> Result | None:
    if match.stage is not Stage.OVER:
        return None
    totals = match.lost
    # More is better.
    scores = {} if match.rules.per_point else {seat: -total for seat, total in totals.items()}
    return Result(
        winners=tuple(sorted(match.winners)),
        points=totals,
        ranks=ranked(match, _merits(match)),
        scores=scores,
        shares=dict.fromkeys(match.winners, 1),
        next_order=rotated(match),
        facts={"sheet": sheet_json(match.sheet)},
    )
