"""A match: one deal, or a race to a score; its order of dealing and who has won (B2, B11, B13)."""

from collections.abc import Sequence
from dataclasses import replace

from tables.games.base import Instant, InvalidRules, Result
from tables.games.basic.deal import deal_cards
from tables.games.basic.rulesets import SEATS, BasicRules
from tables.games.rummy.deal import toss_for_order
from tables.games.rummy.events import Events
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
from tables.games.shares import divide

__all__ = ["Match", "Stage"]


def start_match(
    rules: BasicRules, seats: Sequence[int], *, toss: bool, seed: bytes, now: Instant
) -> tuple[Match, Events]:
    if len(seats) not in SEATS or len(set(seats)) != len(seats):
        raise InvalidRules("Two to six players, each on a seat of their own.")
    order, tossed = toss_for_order(seats, seed=seed) if toss else (tuple(seats), None)
    deal, happened = deal_cards(rules, order, toss=tossed, seed=seed, now=now)
    return Match(rules=rules, deal=deal, seats=order), happened


def next_deal(match: Match, *, seed: bytes, now: Instant) -> tuple[Match, Events]:
    order = next_order(match)
    deal, happened = deal_cards(match.rules, order, toss=None, seed=seed, now=now)
    following = replace(match, deal=deal, number=match.number + 1, stage=Stage.DEAL, due_at=None)
    return following, happened


def next_order(match: Match) -> tuple[int, ...]:
    """B2: of two the winner deals next; of more, and after a shared deal, the deal passes on."""
    order, winners = match.deal.order, match.deal.winners
    if len(order) == 2 and len(winners) == 1:
        losers = tuple(seat for seat in order if seat not in winners)
        return tuple(seat for seat in (*losers, *winners) if seat not in match.left)
    return rotated(match)


def scores_of(match: Match) -> dict[int, int]:
    """B13: what the others lost, credited to who won the deal; equal winners share it."""
    scores = dict.fromkeys(match.seats, 0)
    for line in match.sheet:
        gain = sum(points for _, points in line.points)
        for seat, points in divide(gain, dict.fromkeys(line.winners, 1)).items():
            scores[seat] += points
    return scores


def conclude_deal(match: Match, now: Instant) -> tuple[Match, Events]:
    """Enter the deal that has just ended, and see whether the match goes on."""
    match = replace(match, sheet=(*match.sheet, line_of(match)))
    winners = decided(match)
    return end_match(match, winners) if winners else wait_for_next_deal(match, now)


def decided(match: Match) -> tuple[int, ...]:
    """B13, B15: the winners; nobody as long as there is something left to play for."""
    rules, staying = match.rules, match.staying
    if rules.is_per_point:
        return match.sheet[-1].winners
    if len(staying) == 1:
        return staying
    scores = scores_of(match)
    ahead = leaders(match)
    has_target = scores[ahead[0]] >= rules.target
    has_all_deals = rules.deals is not None and len(match.sheet) >= rules.deals
    if has_target or has_all_deals:
        return ahead if len(ahead) == 1 else ()
    return ()


def leaders(match: Match) -> tuple[int, ...]:
    """Who wins if the match ends now: the highest score; equal ones share.

    Where some have to go on (`qualifiers`), one alone is first: of equals who has won more deals,
    then who has lost fewer points, then who came first in the first order of play.
    """
    scores = scores_of(match)
    best = max(scores[seat] for seat in match.staying)
    equal = tuple(seat for seat in match.staying if scores[seat] == best)
    if match.rules.qualifiers is None:
        return equal
    merits = _merits(match)
    return (min(equal, key=merits.__getitem__),)


def _merits(match: Match) -> dict[int, tuple[float, ...]]:
    scores = scores_of(match)
    if match.rules.is_per_point:
        return {seat: (lost,) for seat, lost in match.lost.items()}
    if match.rules.qualifiers is None:
        return {seat: (-scores[seat],) for seat in match.seats}
    lost = match.lost
    return {
        seat: (-scores[seat], -match.deals_won(seat), lost[seat], place)
        for place, seat in enumerate(match.seats)
    }


def result_of(match: Match) -> Result | None:
    if match.stage is not Stage.OVER:
        return None
    return Result(
        winners=tuple(sorted(match.winners)),
        points=match.lost,
        ranks=ranked(match, _merits(match)),
        scores={} if match.rules.is_per_point else scores_of(match),
        shares=dict.fromkeys(match.winners, 1),
        next_order=next_order(match),
        facts={"sheet": sheet_json(match.sheet)},
    )
