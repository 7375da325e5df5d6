"""The time between two deals: rejoining, splitting the prize, the break (R8.2, R8.4, R8.6)."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, Self

from games.engine.base import gettext_noop as _
from games.engine.moves import Move, MoveRefusal
from games.engine.state import Stage, replace, require
from games.indian.rules.scoring import count_drops_left
from games.indian.rules.state import (
    Match,
    Membership,
    Question,
    QuestionSubject,
    Step,
    find_winners,
)

NOT_ASKED: Final = MoveRefusal("not_asked", _("Nobody is waiting for your answer."))
SPLIT_NOT_POSSIBLE: Final = MoveRefusal("split_not_possible", _("The prize cannot be split now."))


class BetweenDeals(Move[Step]):
    """A move between two deals. Whether it is legal depends only on what all players see."""

    in_deal = False
    needs_turn = False
    is_public = True


class AnswerQuestion(BetweenDeals):
    """An answer to the question that the match asks between two deals."""

    about: ClassVar[QuestionSubject]
    accept: bool

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        question = step.match.question
        is_asked = question and question.about is cls.about and step.seat in question.waiting
        return None if is_asked else NOT_ASKED

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        return iter((cls(accept=True), cls(accept=False)))


class Rejoin(AnswerQuestion):
    """Rejoin after elimination, or decline to (R8.2)."""

    kind = "rejoin"
    about = QuestionSubject.REJOIN

    def apply(self, step: Step) -> None:
        match, seat = step.match, step.seat
        if self.accept:
            score = require(require(match.question).score)
            step.match = match.with_standings([require(match.get_standing(seat)).rejoin(score)])
            step.announce("rejoined", seat=seat, score=score)
        else:
            step.announce("rejoin_declined", seat=seat)
        take_answer(step)


class OfferSplit(BetweenDeals):
    """Ask the other survivors to share the prize (R8.4)."""

    kind = "offer_split"

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        standing = step.match.get_standing(step.seat)
        is_possible = standing is not None and standing.is_in and step.match.offers_split
        return None if is_possible else SPLIT_NOT_POSSIBLE

    def apply(self, step: Step) -> None:
        others = tuple(s.seat for s in step.match.survivors if s.seat != step.seat)
        parts = step.match.split
        due_at = _ask_to_split(step, others, asker=step.seat)
        step.announce("split_offered", seat=step.seat, parts=parts, due_at=due_at)


class AnswerSplit(AnswerQuestion):
    """Accept or refuse to share the prize (R8.4)."""

    kind = "answer_split"
    about = QuestionSubject.SPLIT

    def apply(self, step: Step) -> None:
        step.announce("split_answered", seat=step.seat, accept=self.accept)
        if self.accept:
            take_answer(step)
        else:
            end_offer(step)


def offer_split(step: Step) -> None:
    """Ask all survivors to share the prize, on behalf of the table (R8.4)."""
    parts = step.match.split
    due_at = _ask_to_split(step, tuple(standing.seat for standing in step.match.survivors))
    step.announce("split_open", parts=parts, due_at=due_at)


def open_rejoin(step: Step) -> bool:
    """Ask the players eliminated in this deal whether they rejoin (R8.2). Return whether any player is asked.

    Nobody is asked if the rules do not allow rejoining, or if a survivor has more than `rejoin_score` points.
    """
    match = step.match
    limit = match.rules.rejoin_score
    seats = tuple(
        standing.seat
        for standing in match.standings
        if standing.membership is Membership.ELIMINATED and standing.out_in == match.number
    )
    highest = max(standing.score for standing in match.survivors)
    if limit is None or not seats or highest > limit:
        return False
    due_at = _ask(
        step, Question(QuestionSubject.REJOIN, seats, score=highest + 1), match.rules.rejoin_seconds
    )
    step.announce("rejoin_open", seats=seats, score=highest + 1, due_at=due_at)
    return True


def begin_break(step: Step) -> None:
    """Begin the break before the next deal. If the rules force an equal split now, share the prize instead (R8.6)."""
    match = step.match
    if _has_auto_split(match):
        _share_equally(step)
        return
    due_at = step.now + match.rules.break_seconds * 1000
    tie_breaker = match.rules.deals is not None and match.number >= match.rules.deals
    step.match = replace(
        match, stage=Stage.BETWEEN, question=None, due_at=due_at, tie_breaker=tie_breaker
    )
    step.announce("deal_due", due_at=due_at, tie_breaker=tie_breaker)


def end_offer(step: Step) -> None:
    """Close a split offer that was refused, and begin the break."""
    step.announce("split_closed", agreed=False)
    begin_break(step)


def take_answer(step: Step) -> None:
    """Record that the seat has answered the question. A refusal of a split ends the offer instead (`end_offer`).

    If no answer is missing now, the break begins after a question about rejoining. After a split offer, all have
    accepted, so the match ends.
    """
    match = step.match
    question = require(match.question)
    waiting = tuple(seat for seat in question.waiting if seat != step.seat)
    if waiting:
        step.match = replace(match, question=replace(question, waiting=waiting))
    elif question.about is QuestionSubject.REJOIN:
        begin_break(step)
    else:
        step.announce("split_closed", agreed=True)
        end_match(step, match.split or {})


def expire_question(step: Step) -> None:
    """End a question whose time has run out. Missing answers count as no."""
    if require(step.match.question).about is QuestionSubject.SPLIT:
        end_offer(step)
    else:
        begin_break(step)


def leave_match(step: Step) -> None:
    """Give up the player's place in the match (R5.4).

    In a running deal, this changes only the standing: the caller takes the player out of the deal.
    """
    match, seat = step.match, step.seat
    standing = require(match.get_standing(seat))
    step.match = match.with_standings([standing.eliminate(Membership.LEFT, match.number)])
    step.announce("left", seat=seat)
    if match.stage is Stage.DEAL:
        return
    if standing.is_in:
        _go_on_without_survivor(step)
    elif match.question is not None and seat in match.question.waiting:
        take_answer(step)


def _go_on_without_survivor(step: Step) -> None:
    """Go on with the match after a survivor has left it.

    If the match is decided now, end it. Otherwise close a split offer that is open, or share the prize if the rules
    force an equal split in this break (R8.6). A player who left has no share in a prize (R5.5).
    """
    match = step.match
    if winners := find_winners(match):
        end_match(step, dict.fromkeys(winners, 1))
    elif match.question is not None and match.question.about is QuestionSubject.SPLIT:
        end_offer(step)
    elif match.stage is Stage.BETWEEN and _has_auto_split(match):
        _share_equally(step)


def _ask_to_split(step: Step, waiting: tuple[int, ...], asker: int | None = None) -> int:
    question = Question(QuestionSubject.SPLIT, waiting, asker=asker)
    due_at = _ask(step, question, step.match.rules.split_seconds)
    step.match = replace(step.match, may_offer=False)
    return due_at


def _ask(step: Step, question: Question, seconds: int) -> int:
    """Ask the question and return its deadline, in milliseconds like `step.now`. `seconds` is the time to answer."""
    due_at = step.now + seconds * 1000
    step.match = replace(step.match, stage=Stage.ASKING, question=question, due_at=due_at)
    return due_at


def _has_auto_split(match: Match) -> bool:
    """Return whether the rules force an equal split without asking, because no survivor has a drop left (R8.6)."""
    is_forced = match.rules.equal_split == "forced" and match.split is not None
    return is_forced and all(
        count_drops_left(standing.score, match.rules) == 0 for standing in match.survivors
    )


def _share_equally(step: Step) -> None:
    """Share the prize equally (R8.6). Odd units go to the players with the lower scores, then lower seats (R8.5)."""
    ordered = sorted(step.match.survivors, key=lambda standing: (standing.score, standing.seat))
    end_match(step, {standing.seat: 1 for standing in ordered})


def end_match(step: Step, parts: Mapping[int, int]) -> None:
    step.match = replace(
        step.match, stage=Stage.OVER, due_at=None, question=None, parts=tuple(parts.items())
    )
    step.announce("match_over", winners=step.match.winners)
