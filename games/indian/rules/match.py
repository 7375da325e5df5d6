"""The course of a match of Indian rummy: the engine's hooks, scores and ranks."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.base import Instant, InvalidRules, Result
from games.engine.base import gettext_noop as _
from games.engine.core import Core, Outcome, ranks_of
from games.engine.moves import NOT_IN_DEAL, Leave, Move, MoveRefusal
from games.engine.state import Stage, replace, require
from games.indian.rules import intermission, moves
from games.indian.rules.ruleset import SEATS, RuleSet
from games.indian.rules.state import (
    Deal,
    IndianStatus,
    Match,
    MatchStanding,
    Membership,
    Phase,
    Step,
    deal_cards,
    find_leaders,
    find_winners,
    rate_standing,
)

ALREADY_SHOWN: Final = MoveRefusal("already_shown", _("You have shown your cards already."))
ALREADY_LEFT: Final = MoveRefusal("already_left", _("You have left already."))


class Indian(Core[Step, Match, Deal, RuleSet]):
    seats = SEATS
    match_type = Match
    moves = moves.MOVES

    # --- A deal.

    def deal(self, rules: RuleSet, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        return deal_cards(rules, order, seed)

    def describe_deal(self, deal: Deal, rules: RuleSet) -> Mapping[str, Any]:
        return {"wild": deal.wild, "open": deal.open_pile[0]}

    def expire_question(self, step: Step) -> None:
        """Act when the time to declare (R3.5), to show (R6.4) or to answer a question between two deals has run out."""
        if step.match.stage is not Stage.DEAL:
            intermission.expire_question(step)
        elif step.deal.phase is Phase.DECLARE:
            moves.declare_too_late(step)
        else:
            moves.count_the_rest(step)

    def miss_turn(self, step: Step) -> None:
        moves.miss_turn(step)

    def miss_too_many(self, step: Step) -> None:
        moves.miss_too_many(step)

    def leave_deal(self, step: Step) -> None:
        moves.leave_deal(step)

    def refusal_outside(self, step: Step, kind: type[Move[Any]]) -> MoveRefusal:
        if kind is Leave:
            return NOT_IN_DEAL if step.match.get_standing(step.seat) is None else ALREADY_LEFT
        player = step.deal.player(step.seat)
        has_shown = player is not None and player.status in (IndianStatus.WON, IndianStatus.LOST)
        return ALREADY_SHOWN if has_shown else NOT_IN_DEAL

    def list_legal(self, match: Match, seat: int) -> tuple[Any, ...]:
        """Return the legal moves of the seat. The discard of each card comes just before the finish with it."""
        step: Step = self.step_type(match, seat)
        kinds = self._open_kinds(step)
        if moves.Finish not in kinds:
            return self._list_moves(step, kinds)
        others = [kind for kind in kinds if kind not in (moves.Discard, moves.Finish)]
        return (*moves.list_partings(step), *self._list_moves(step, others))

    def list_deferrable(self, match: Match, seat: int) -> tuple[Any, ...]:
        """Return the moves that the seat may request before its turn: the drop, or none.

        There is none if the seat is not in the deal, or if the deal's rules have no drops.
        """
        player = match.deal.player(seat) if match.stage is Stage.DEAL else None
        rules = match.deal_rules
        may_drop = rules.first_drop is not None or rules.middle_drop is not None
        return (moves.Drop(),) if player is not None and player.is_playing and may_drop else ()

    # --- A match.

    def make_match(self, rules: RuleSet, deal: Deal) -> Match:
        chips = rules.chips_per_deal * (rules.deals or 0)
        stacks = dict(enumerate(rules.stacks)) or dict.fromkeys(deal.order, chips)
        if not stacks.keys() >= set(deal.order):
            raise InvalidRules("Every seat of a table has a stack.")
        standings = tuple(MatchStanding(seat, chips=stacks[seat]) for seat in deal.order)
        return Match(rules=rules, deal=deal, standings=standings)

    def enter_deal(self, step: Step) -> None:
        enter_deal(step)

    def find_winners(self, match: Match) -> tuple[int, ...]:
        return find_winners(match)

    def find_leaders(self, match: Match) -> tuple[int, ...]:
        return find_leaders(match)

    def end_match(self, step: Step, winners: tuple[int, ...]) -> None:
        intermission.end_match(step, dict.fromkeys(winners, 1))

    def result(self, match: Match) -> Result:
        return build_result(match)

    def deal_next(self, step: Step) -> None:
        """Deal to the survivors, or in a tie-breaker only to the players who are tied (R9.2)."""
        match = replace(
            step.match,
            standings=rotate_standings(step.match),
            number=step.match.number + 1,
            stage=Stage.DEAL,
            due_at=None,
            may_offer=True,
        )
        players = match.contenders if match.tie_breaker else match.survivors
        order, tossed = tuple(standing.seat for standing in players), None
        if match.rules.tosses_every_deal:
            order, tossed = self.toss(sorted(order), seed=step.seed)
            match = replace(match, standings=sort_standings(match, order))
        deal = self.deal(match.rules, order, number=match.number, seed=step.seed)
        step.match, step.deal = match, replace(deal, toss=tossed)
        self.begin_deal(step)

    # --- Between two deals.

    def begin_break(self, step: Step) -> None:
        if not intermission.open_rejoin(step):
            intermission.begin_break(step)

    def leave_match(self, step: Step) -> None:
        intermission.leave_match(step)

    def offer_split(self, match: Match, *, now: Instant) -> Outcome | None:
        """Offer a split of the prize on behalf of the table, once in each break (R8.4).

        Return None if no split may be offered.
        """
        if not match.offers_split:
            return None
        step: Step = self.step_type(match, now=now)
        intermission.offer_split(step)
        return self._make_outcome(step)


CORE: Final = Indian()


# --- The order of play, and the ranks.


def sort_standings(match: Match, order: Sequence[int]) -> tuple[MatchStanding, ...]:
    """Return the standings in order of play. Players who sit out this deal come last."""
    places = {seat: place for place, seat in enumerate(order)}
    return tuple(sorted(match.standings, key=lambda s: places.get(s.seat, len(places))))


def rotate_standings(match: Match) -> tuple[MatchStanding, ...]:
    """Return the standings in the next order of play (R4.1): the player who moved first in this deal comes last."""
    seats = [standing.seat for standing in match.standings]
    after = seats.index(match.deal.order[0]) + 1
    return (*match.standings[after:], *match.standings[:after])


def build_result(match: Match) -> Result:
    chips = {s.seat: s.chips for s in match.standings} if match.rules.chips_per_deal else {}
    return Result(
        winners=match.winners,
        points={standing.seat: standing.score for standing in match.standings},
        ranks=rank_seats(match),
        scores=chips,
        shares=dict(match.parts),
        next_order=tuple(
            standing.seat
            for standing in rotate_standings(match)
            if standing.membership is not Membership.LEFT
        ),
    )


def rank_seats(match: Match) -> dict[int, int]:
    """Return the rank of each seat: the winners, then the others by how many deals they stayed in the match.

    Players who stayed equally long are ranked by chips and by score or, if players advance from the match, as
    `rate_standing` says. Equal seats share a rank (R8.8, R10.4, R10.13).
    """

    def place(seat: int) -> tuple[float, ...]:
        standing = require(match.get_standing(seat))
        stayed = float("inf") if standing.out_in is None else standing.out_in
        if match.rules.qualifiers is not None:
            return -stayed, *rate_standing(standing, match.rules)
        return -stayed, -standing.chips, standing.score

    return ranks_of(match, place)


# --- A finished deal, entered in the match.


def enter_deal(step: Step) -> None:
    """Add the points of a finished deal to the scores, and eliminate the players who have reached the limit (R8.1)."""
    match = _score_deal(step.match)
    out = [
        standing.eliminate(Membership.ELIMINATED, match.number)
        for standing in _list_at_limit(match)
    ]
    step.match = match.with_standings(out)
    if out:
        step.announce("eliminated", seats=[standing.seat for standing in out])


def _score_deal(match: Match) -> Match:
    points = {player.seat: player.points or 0 for player in match.deal.players}
    if match.tie_breaker and match.rules.qualifiers is not None:
        return _break_tie(match, points)
    gains = _count_chip_gains(match, points) if match.rules.chips_per_deal else {}
    return match.with_standings(
        replace(
            standing,
            score=standing.score + points[standing.seat],
            chips=standing.chips + gains.get(standing.seat, 0),
            deals_won=standing.deals_won + (standing.seat in match.deal.winners),
        )
        for standing in match.standings
        if standing.seat in points
    )


def _break_tie(match: Match, points: dict[int, int]) -> Match:
    """Return the match with its standings ranked anew after a tie-breaker (R10.4).

    The tie-breaker's points rank only players who took part in it. Players whom an earlier tie-breaker has ranked keep
    that order.
    """
    merits = {one.seat: (one.tie_place, points.get(one.seat, 0)) for one in match.standings}
    places = sorted(set(merits.values()))
    return match.with_standings(
        replace(standing, tie_place=places.index(merits[standing.seat]))
        for standing in match.standings
    )


def _count_chip_gains(match: Match, points: dict[int, int]) -> dict[int, int]:
    """Return each seat's gain in chips, which is negative for losers (R9.1, R10.11).

    Winners of a shared deal share its chips. Odd chips go to the winners who moved earlier.
    """
    winners, stake = match.deal.winners, match.rules.point_chips
    share, odd = divmod(sum(points.values()) * stake, len(winners))
    gains = {seat: -count * stake for seat, count in points.items()}
    for place, seat in enumerate(winners):
        gains[seat] = share + (place < odd)
    return gains


def _list_at_limit(match: Match) -> list[MatchStanding]:
    limit = match.rules.elimination_score
    if limit is None:
        return []
    reached = limit if match.rules.elimination_inclusive else limit + 1
    return [standing for standing in match.survivors if standing.score >= reached]
