"""The course of a match of Indian rummy: the engine's hooks."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.base import Instant, InvalidRules, Result
from games.engine.codec import replace
from games.engine.core import Core, Outcome
from games.engine.moves import Leave, Move
from games.engine.refusals import NOT_IN_DEAL, Refusal
from games.engine.state import Stage
from games.engine.step import Step
from games.engine.wording import gettext_noop as _
from games.indian.rules import intermission, moves
from games.indian.rules import match as matches
from games.indian.rules.deal import Deal, Phase, Status, deal_cards
from games.indian.rules.match import Match, Standing
from games.indian.rules.reckoning import enter_deal
from games.indian.rules.ruleset import SEATS, RuleSet

ALREADY_SHOWN: Final = Refusal("already_shown", _("You have shown your cards already."))
ALREADY_LEFT: Final = Refusal("already_left", _("You have left already."))


class Indian(Core):
    seats = SEATS
    match_type = Match
    moves = moves.MOVES

    # --- A deal.

    def deal(self, rules: RuleSet, order: Sequence[int], *, number: int, seed: bytes) -> Deal:
        return deal_cards(rules, order, seed)

    def dealt(self, deal: Deal, rules: RuleSet) -> Mapping[str, Any]:
        return {"wild": deal.wild, "open": deal.open_pile[0]}

    def expire_deal(self, step: Step) -> None:
        """Handle an expired turn (R4.9), declaration (R3.5) or showdown (R6.4)."""
        if step.deal.phase is Phase.DECLARE:
            moves.declare_too_late(step)
        elif step.deal.phase is Phase.SHOW:
            moves.count_the_rest(step)
        else:
            super().expire_deal(step)

    def miss_turn(self, step: Step) -> None:
        moves.miss_turn(step)

    def miss_too_many(self, step: Step) -> None:
        moves.miss_too_many(step)

    def leave_deal(self, step: Step) -> None:
        moves.leave_deal(step)

    def refusal_outside(self, step: Step, kind: type[Move]) -> Refusal:
        if kind is Leave:
            return NOT_IN_DEAL if step.match.standing(step.seat) is None else ALREADY_LEFT
        has_shown = step.player is not None and step.player.status in (Status.WON, Status.LOST)
        return ALREADY_SHOWN if has_shown else NOT_IN_DEAL

    def legal(self, match: Match, seat: int) -> tuple[Any, ...]:
        """Return the legal moves; each card's discard comes just before its finish."""
        legal = super().legal(match, seat)
        player = match.deal.player(seat)
        if player is None or match.deal.drawn is None:
            return legal
        places = {card: place for place, card in enumerate(player.hand)}
        return tuple(
            sorted(legal, key=lambda move: places.get(getattr(move, "card", None), len(places)))
        )

    def deferrable(self, match: Match, seat: int) -> tuple[Any, ...]:
        """Return a drop until the deal is over for this seat, if the deal's rules have drops."""
        player = match.deal.player(seat) if match.stage is Stage.DEAL else None
        rules = match.deal_rules
        may_drop = rules.first_drop is not None or rules.middle_drop is not None
        return (moves.Drop(),) if player is not None and player.is_playing and may_drop else ()

    # --- A match.

    def match(self, rules: RuleSet, deal: Deal) -> Match:
        chips = rules.chips_per_deal * (rules.deals or 0)
        stacks = dict(enumerate(rules.stacks)) or dict.fromkeys(deal.order, chips)
        if not stacks.keys() >= set(deal.order):
            raise InvalidRules("Every seat of a table has a stack.")
        standings = tuple(Standing(seat, chips=stacks[seat]) for seat in deal.order)
        return Match(rules=rules, deal=deal, standings=standings)

    def enter_deal(self, step: Step) -> None:
        enter_deal(step)

    def decided(self, match: Match) -> tuple[int, ...]:
        return matches.decided(match)

    def leaders(self, match: Match) -> tuple[int, ...]:
        return matches.best_of(match)

    def end_match(self, step: Step, winners: tuple[int, ...]) -> None:
        matches.end_match(step, dict.fromkeys(winners, 1))

    def result(self, match: Match) -> Result:
        return matches.result_of(match)

    def fees(self, match: Match) -> Mapping[int, int]:
        return {standing.seat: standing.entries for standing in match.standings}

    def deal_next(self, step: Step) -> None:
        """Deal to the survivors, or to the players whom a tie-breaker has to separate (R9.2)."""
        match = replace(
            step.match,
            standings=matches.rotated(step.match),
            number=step.match.number + 1,
            stage=Stage.DEAL,
            due_at=None,
            may_offer=True,
        )
        players = match.contenders if match.tie_breaker else match.survivors
        order, tossed = tuple(standing.seat for standing in players), None
        if match.rules.tosses_every_deal:
            order, tossed = self.toss(sorted(order), seed=step.seed)
            match = replace(match, standings=matches.in_order(match, order))
        deal = self.deal(match.rules, order, number=match.number, seed=step.seed)
        step.match, step.deal = match, replace(deal, toss=tossed)
        self.begin_deal(step)

    # --- Between two deals.

    def begin_break(self, step: Step) -> None:
        if not intermission.open_rejoin(step):
            intermission.begin_break(step)

    def expire_question(self, step: Step) -> None:
        intermission.expire_question(step)

    def leave_match(self, step: Step) -> None:
        intermission.leave_match(step)

    def proposes(self, match: Match) -> bool:
        return intermission.may_offer_split(match)

    def propose(self, match: Match, *, now: Instant) -> Outcome | None:
        """Offer a split of the prize on behalf of the table, once in each break (R8.4)."""
        if not self.proposes(match):
            return None
        step = Step(match, now=now)
        intermission.propose_split(step)
        return self._outcome(step)

    def shares_offered(self, match: Match) -> Mapping[int, int] | None:
        return intermission.parts_on_offer(match)


CORE: Final = Indian()
