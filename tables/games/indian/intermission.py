"""Between two deals of a match: coming back, sharing the prize, the break (R8.2, R8.4, R8.6)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tables.games.base import Instant
from tables.games.indian import events
from tables.games.indian.deciding import decided
from tables.games.indian.events import Events
from tables.games.indian.match import Match, Membership, Question, Stage, end_match
from tables.games.indian.moves import AnswerSplit, MatchMove, OfferSplit, Rejoin
from tables.games.indian.refusals import Refusal, illegal
from tables.games.indian.split import Survivor, drops_left, few_enough, split_parts


def open_rejoin(match: Match, now: Instant) -> tuple[Match, Events] | None:
    """R8.2: players eliminated in this deal are asked, if nobody left in is too far ahead."""
    limit = match.rules.rejoin_score
    seats = tuple(
        standing.seat
        for standing in match.standings
        if standing.membership is Membership.ELIMINATED and standing.out_in == match.number
    )
    highest = max(standing.score for standing in match.survivors)
    if limit is None or not seats or highest > limit:
        return None
    due_at = now + match.rules.rejoin_seconds * 1000
    question = Question(waiting=seats, score=highest + 1)
    asking = replace(match, stage=Stage.REJOIN, question=question, due_at=due_at)
    return asking, (events.rejoin_open(seats, highest + 1, due_at),)


def begin_break(match: Match, now: Instant) -> tuple[Match, Events]:
    """The next deal is coming, unless those left have nothing to play for (R8.6)."""
    if _has_auto_split(match):
        return _share_equally(match)
    due_at = now + match.rules.break_seconds * 1000
    tie_breaker = match.rules.deals is not None and match.number >= match.rules.deals
    waiting = replace(
        match, stage=Stage.BETWEEN, question=None, due_at=due_at, tie_breaker=tie_breaker
    )
    return waiting, (events.deal_due(due_at, tie_breaker=tie_breaker),)


def parts_of_split(match: Match) -> dict[int, int] | None:
    """How the prize would be split among those left; None where that is not possible."""
    survivors = match.survivors
    if not match.rules.split or not few_enough(began=len(match.standings), left=len(survivors)):
        return None
    scores = [Survivor(standing.seat, standing.score) for standing in survivors]
    return split_parts(scores, match.rules, entries=match.fees_charged)


def check_rejoin(match: Match, seat: int, _move: Rejoin) -> Refusal | None:
    return _check_asked(match, Stage.REJOIN, seat)


def rejoin(match: Match, seat: int, move: Rejoin, now: Instant) -> tuple[Match, Events]:
    score = match.question.score if match.question else None
    if move.accept and score is not None:
        match = match.with_standings(
            standing.back_at(score) for standing in match.standings if standing.seat == seat
        )
        event = events.rejoined(seat, score)
    else:
        event = events.rejoin_declined(seat)
    match, later = _answered(match, seat, now)
    return match, (event, *later)


def check_offer(match: Match, seat: int, _move: OfferSplit) -> Refusal | None:
    standing = match.standing(seat)
    may_ask = match.stage is Stage.BETWEEN and match.may_offer
    if not may_ask or standing is None or not standing.is_in:
        return Refusal.SPLIT_NOT_POSSIBLE
    return None if parts_of_split(match) else Refusal.SPLIT_NOT_POSSIBLE


def offer_split(match: Match, seat: int, _move: OfferSplit, now: Instant) -> tuple[Match, Events]:
    due_at = now + match.rules.split_seconds * 1000
    others = tuple(standing.seat for standing in match.survivors if standing.seat != seat)
    question = Question(waiting=others, asker=seat)
    offered = replace(match, stage=Stage.SPLIT, question=question, due_at=due_at, may_offer=False)
    return offered, (events.split_offered(seat, parts_of_split(match) or {}, due_at),)


def propose_split(match: Match, now: Instant) -> tuple[Match, Events] | None:
    """R8.4: the same question to everybody left, without a player who asks."""
    parts = parts_of_split(match)
    if match.stage is not Stage.BETWEEN or not match.may_offer or parts is None:
        return None
    due_at = now + match.rules.split_seconds * 1000
    question = Question(waiting=tuple(standing.seat for standing in match.survivors))
    offered = replace(match, stage=Stage.SPLIT, question=question, due_at=due_at, may_offer=False)
    return offered, (events.split_open(parts, due_at),)


def check_answer(match: Match, seat: int, _move: AnswerSplit) -> Refusal | None:
    return _check_asked(match, Stage.SPLIT, seat)


def answer_split(match: Match, seat: int, move: AnswerSplit, now: Instant) -> tuple[Match, Events]:
    event = events.split_answered(seat, accept=move.accept)
    match, later = _answered(match, seat, now) if move.accept else _end_offer(match, now)
    return match, (event, *later)


def expire_intermission(match: Match, now: Instant) -> tuple[Match, Events]:
    """Silence is a refusal. The end of a break begins a deal, which is not done here."""
    if match.stage is Stage.SPLIT:
        return _end_offer(match, now)
    return begin_break(match, now)


def leave_match(match: Match, seat: int, now: Instant) -> tuple[Match, Events]:
    """Give up every place in the match; the deal is left separately, if one is running."""
    before = match
    gone = [s.out(Membership.LEFT, match.number) for s in match.standings if s.seat == seat]
    match = match.with_standings(gone)
    later: Events = ()
    if match.stage is not Stage.DEAL:
        survived = match.survivors != before.survivors
        match, later = _without_survivor(match, now) if survived else _without(match, seat, now)
    return match, (events.left(seat), *later)


def _without_survivor(match: Match, now: Instant) -> tuple[Match, Events]:
    """R5.4, R5.5: the match may be decided now, and nobody shares a prize with who has gone."""
    if winners := decided(match):
        return end_match(match, dict.fromkeys(winners, 1))
    if match.stage is Stage.SPLIT:
        return _end_offer(match, now)
    if match.stage is Stage.BETWEEN and _has_auto_split(match):
        return _share_equally(match)
    return match, ()


def _without(match: Match, seat: int, now: Instant) -> tuple[Match, Events]:
    """R5.4: somebody who is out is asked about coming back at most."""
    is_asked = match.question is not None and seat in match.question.waiting
    return _answered(match, seat, now) if is_asked else (match, ())


def _check_asked(match: Match, stage: Stage, seat: int) -> Refusal | None:
    is_asked = match.stage is stage and match.question and seat in match.question.waiting
    return None if is_asked else Refusal.NOT_ASKED


def _answered(match: Match, seat: int, now: Instant) -> tuple[Match, Events]:
    """With the last answer the question is closed."""
    asked = match.question or Question(waiting=())
    waiting = tuple(other for other in asked.waiting if other != seat)
    if waiting:
        return replace(match, question=replace(asked, waiting=waiting)), ()
    if match.stage is not Stage.SPLIT:
        return begin_break(match, now)
    match, over = end_match(match, parts_of_split(match) or {})
    return match, (events.split_closed(agreed=True), *over)


def _end_offer(match: Match, now: Instant) -> tuple[Match, Events]:
    match, later = begin_break(match, now)
    return match, (events.split_closed(agreed=False), *later)


def _has_auto_split(match: Match) -> bool:
    """R8.6: nobody left can drop any more."""
    return parts_of_split(match) is not None and all(
        drops_left(standing.score, match.rules) == 0 for standing in match.survivors
    )


def _share_equally(match: Match) -> tuple[Match, Events]:
    """R8.6; the odd units go to the lower score, then the lower seat (R8.5)."""
    ordered = sorted(match.survivors, key=lambda standing: (standing.score, standing.seat))
    return end_match(match, {standing.seat: 1 for standing in ordered})


class _MatchRule(NamedTuple):
    check: Callable[[Match, int, Any], Refusal | None]
    apply: Callable[[Match, int, Any, Instant], tuple[Match, Events]]


_RULES: Final[Mapping[type[MatchMove], _MatchRule]] = {
    Rejoin: _MatchRule(check_rejoin, rejoin),
    OfferSplit: _MatchRule(check_offer, offer_split),
    AnswerSplit: _MatchRule(check_answer, answer_split),
}
_CANDIDATES: Final[tuple[MatchMove, ...]] = (
    Rejoin(accept=True),
    Rejoin(accept=False),
    OfferSplit(),
    AnswerSplit(accept=True),
    AnswerSplit(accept=False),
)


def legal_between(match: Match, seat: int) -> tuple[MatchMove, ...]:
    return tuple(
        move for move in _CANDIDATES if _RULES[type(move)].check(match, seat, move) is None
    )


def play_between(match: Match, seat: int, move: MatchMove, now: Instant) -> tuple[Match, Events]:
    rule = _RULES[type(move)]
    refusal = rule.check(match, seat, move)
    if refusal is None and match.due_at is not None and now >= match.due_at:
        refusal = Refusal.TIME_IS_UP
    if refusal is not None:
        raise illegal(refusal)
    return rule.apply(match, seat, move, now)
