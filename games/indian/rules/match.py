"""The state of a match: one deal or several, and the standing of each player (R7, R8, R9).

`reckoning` enters a finished deal, `intermission` runs the time between two deals.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from games.engine import state
from games.engine.base import Result
from games.engine.codec import Stored, Value, replace
from games.engine.state import Stage
from games.engine.step import Step
from games.engine.version_1 import HEAD, Version1
from games.indian.rules.deal import Deal
from games.indian.rules.ruleset import RULES, RuleSet


class Membership(StrEnum):
    """A player's membership in the match."""

    IN = "in"
    ELIMINATED = "eliminated"
    LEFT = "left"


class Standing(Value):
    seat: int
    membership: Membership = Membership.IN
    score: int = 0
    chips: int = 0
    deals_won: int = 0
    entries: int = 1
    # The deal in which the player went out of the match.
    out_in: int | None = None
    # R10.4: the points of tie-breakers for a qualifying place, the earlier ones in front.
    tie_points: int = 0

    @property
    def is_in(self) -> bool:
        return self.membership is Membership.IN

    def out(self, membership: Membership, deal_number: int) -> "Standing":
        """Return the standing of a player eliminated now. An earlier elimination stays (R8.8)."""
        out_in = deal_number if self.is_in else self.out_in
        return replace(self, membership=membership, out_in=out_in)

    def back_at(self, score: int) -> "Standing":
        """Return the standing of a player who has paid to rejoin (R8.2)."""
        return replace(
            self, membership=Membership.IN, out_in=None, score=score, entries=self.entries + 1
        )


def merit(standing: Standing, rules: RuleSet) -> tuple[int, ...]:
    """Return the sort key of the ranking. Less is better."""
    if rules.is_event_pool:  # R10.13
        return (standing.score,)
    return (-standing.chips, -standing.deals_won, standing.score, standing.tie_points)


class Asked(StrEnum):
    """The subject of a question between two deals."""

    REJOIN = "rejoin"
    SPLIT = "split"


class Question(Value):
    """A question between two deals, and the seats whose answers are missing."""

    about: Asked
    waiting: tuple[int, ...]
    # R8.2: the score at which an eliminated player comes back.
    score: int | None = None
    # R8.4: the player who offers to split the prize; None: the table does.
    asker: int | None = None


class Match(state.Course, kw_only=True):
    rules: RuleSet
    deal: Deal
    # All players of the match, in the order of play of this deal; the first to move leads (R4.1).
    standings: tuple[Standing, ...]
    tie_breaker: bool = False
    question: Question | None = None
    # R8.4: one offer in each break.
    may_offer: bool = True
    # The winners and their parts of the prize; odd units are given away in this order.
    parts: tuple[tuple[int, int], ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(standing.seat for standing in self.standings)

    @property
    def staying(self) -> tuple[int, ...]:
        gone = Membership.LEFT
        return tuple(s.seat for s in self.standings if s.membership is not gone)

    @property
    def acting(self) -> tuple[int, ...]:
        return super().acting if self.question is None else self.question.waiting

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(sorted(seat for seat, _ in self.parts))

    @property
    def leaders(self) -> tuple[Standing, ...]:
        most = max(standing.chips for standing in self.survivors)
        return tuple(standing for standing in self.survivors if standing.chips == most)

    @property
    def by_merit(self) -> tuple[Standing, ...]:
        """The survivors, ranked by chips, deals won, fewer points, and tie-breakers (R10.4)."""
        return tuple(sorted(self.survivors, key=lambda standing: merit(standing, self.rules)))

    @property
    def contenders(self) -> tuple[Standing, ...]:
        """The survivors whom a tie-breaker has to separate; at most one if there is none (R9.2)."""
        places = self.rules.qualifiers
        if places is None:
            return self.leaders
        keys = [merit(standing, self.rules) for standing in self.by_merit]
        if places >= len(keys) or keys[places - 1] != keys[places]:
            return ()
        return tuple(
            standing for standing in self.survivors if merit(standing, self.rules) == keys[places]
        )

    @property
    def deal_rules(self) -> RuleSet:
        return self.rules.without_drops() if self.tie_breaker else self.rules

    @property
    def survivors(self) -> tuple[Standing, ...]:
        return tuple(standing for standing in self.standings if standing.is_in)

    def standing(self, seat: int) -> Standing | None:
        for standing in self.standings:
            if standing.seat == seat:
                return standing
        return None

    def with_standings(self, changed: Iterable[Standing]) -> "Match":
        by_seat = {standing.seat: standing for standing in changed}
        return replace(self, standings=tuple(by_seat.get(s.seat, s) for s in self.standings))


def in_order(match: Match, order: Sequence[int]) -> tuple[Standing, ...]:
    """Return the standings in order of play. Players who sit out this deal come last."""
    places = {seat: place for place, seat in enumerate(order)}
    return tuple(sorted(match.standings, key=lambda s: places.get(s.seat, len(places))))


def rotated(match: Match) -> tuple[Standing, ...]:
    """Return the standings in the next order: the first player of this deal deals next, so comes last (R4.1)."""
    seats = [standing.seat for standing in match.standings]
    after = seats.index(match.deal.order[0]) + 1
    return (*match.standings[after:], *match.standings[:after])


def end_match(step: Step, parts: Mapping[int, int]) -> None:
    step.match = replace(
        step.match, stage=Stage.OVER, due_at=None, question=None, parts=tuple(parts.items())
    )
    step.tell("match_over", winners=step.match.winners)


def decided(match: Match) -> tuple[int, ...]:
    """Return the winners, or no seat while there is something left to play for (R5.5, R9.2, R10.4).

    A pool of a tournament ends as soon as no more are in than go on (R10.13).
    """
    rules = match.rules
    if rules.deals == 1 and rules.qualifiers is None:
        return match.deal.winners
    if not match.survivors:  # R5.5: the last players went out in this deal
        return match.deal.winners
    places = rules.qualifiers if rules.is_event_pool else None
    if len(match.survivors) <= (places or 1):
        return best_of(match)
    if rules.deals is None or match.number < rules.deals:
        return ()
    if rules.qualifiers is None:
        leaders = tuple(standing.seat for standing in match.leaders)
        return leaders if len(leaders) == 1 else ()
    return () if match.contenders else best_of(match)


def best_of(match: Match) -> tuple[int, ...]:
    """Return the seats in the lead; several if nothing separates them."""
    rules, best = match.rules, merit(match.by_merit[0], match.rules)
    return tuple(s.seat for s in match.survivors if merit(s, rules) == best)


def result_of(match: Match) -> Result:
    chips = {s.seat: s.chips for s in match.standings} if match.rules.chips_per_deal else {}
    return Result(
        winners=match.winners,
        points={standing.seat: standing.score for standing in match.standings},
        ranks=_ranks(match),
        scores=chips,
        shares=dict(match.parts),
        next_order=tuple(
            standing.seat
            for standing in rotated(match)
            if standing.membership is not Membership.LEFT
        ),
    )


def _ranks(match: Match) -> dict[int, int]:
    """Rank winners first, then by survival, chips and score. Equals share a rank (R8.8, R10.4, R10.13)."""

    def place(standing: Standing) -> tuple[float, ...]:
        stayed = float("inf") if standing.out_in is None else standing.out_in
        if match.rules.qualifiers is not None:
            return -stayed, *merit(standing, match.rules)
        return -stayed, -standing.chips, standing.score

    winners = match.winners
    places = {s.seat: place(s) for s in match.standings if s.seat not in winners}
    behind = {
        seat: 1 + len(winners) + sum(other < own for other in places.values())
        for seat, own in places.items()
    }
    return dict.fromkeys(winners, 1) | behind


# --- Stored matches.

# The fields of version 1, in their order.
_FIELDS: Final = {
    "Match": "rules deal standings number stage due_at tie_breaker question may_offer parts",
    "Deal": (
        "seed players wild closed open_pile started_at due_at toss discards phase turn turn_number"
        " drawn drawn_from_open finish declaration ending restocks"
    ),
    "Player": "seat groups extra_ms rev status missed turns has_drawn points how",
    "Standing": "seat membership score chips deals_won entries out_in tie_points",
    "Question": "waiting score asker about",
    "Declaration": "seat groups reason failed_group",
}


def _amend(values: dict[str, Any]) -> None:
    seed, players, *rest = values["deal"]
    values["deal"] = [seed, [_player(*text.split()) for text in players], *rest]
    values["standings"] = [_standing(*text.split()) for text in values["standings"]]
    if values["question"] is not None:
        values["question"] = [*values["question"], values["stage"]]
        values["stage"] = "asking"


def _player(seat: str, groups: str, *words: str) -> list[Any]:
    extra_ms, rev, status, missed, turns, has_drawn, points, how = words
    numbers = (int(missed), int(turns), has_drawn == "1", _number(points))
    return [int(seat), groups, int(extra_ms), int(rev), status, *numbers, _word(how)]


def _standing(seat: str, membership: str, *words: str) -> list[Any]:
    """Read a standing. Old states leave its tie points out where there were none."""
    score, chips, deals_won, entries, out_in, tie_points, *_ = map(_number, (*words, "0"))
    return [int(seat), membership, score, chips, deals_won, entries, out_in, tie_points]


def _word(word: str) -> str | None:
    return None if word == "-" else word


def _number(word: str) -> int | None:
    return None if word == "-" else int(word)


# States as bytes.
STORED: Final = Stored(
    Match,
    version=2,
    earlier={HEAD: Version1(Match, fields=_FIELDS, rules=RULES.parse_older, amend=_amend).load},
)
