"""Bots for practice tables. A bot sees what its seat sees and nothing else.

All strengths are the same bot with more or fewer skills (`SKILLS`, docs/bots.md). They arrange their hands with the
solver and never declare wrongly. `easy` judges a hand by its least count and makes errors. `medium` judges it by the
number of cards that it lacks for a declaration, and then by its count. `hard` goes by the value of a hand (`value`),
also when it decides on a first drop.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from games.cards import Card
from games.engine.base import JSON, Strength
from games.engine.moves import AnyMove
from games.engine.state import replace
from games.indian.bots.distance import get_distances, shape_of
from games.indian.bots.prospects import IndianProspect, assess_hand, list_discards
from games.indian.bots.sight import IndianSight
from games.indian.bots.taken import count_taken
from games.indian.bots.value import (
    SeatStanding,
    estimate_value,
    estimate_value_of_drawing,
    estimate_value_of_first_hand,
)
from games.indian.rules.intermission import AnswerSplit, Rejoin
from games.indian.rules.moves import Declare, Discard, Draw, Drop, Finish, Show, move_json
from games.indian.rules.ruleset import HAND_SIZE, RuleSet
from games.indian.rules.solver.arrangement import Arrangement, arrange, arrange_fourteen

_POWER: Final = 1.2
# Mean payment of a player who loses a deal.
_USUAL_LOSS: Final = 28
# Possible losses of a hand that is played, as equally likely parts of its present count.
_LOSSES: Final = (0.3, 0.8, 1.3)


def estimate_chance(own: float, others: Sequence[float]) -> float:
    """Return a player's chance, from 0 to 1, to win the prize of a pool.

    `own` is the player's room and `others` are the rooms of the other survivors (`count_room`). A player whose room is
    not above 0 has no chance.
    """
    weights = [max(0.0, room) ** _POWER for room in (own, *others)]
    total = sum(weights)
    return weights[0] / total if total else 0.0


def count_room(score: int, rules: RuleSet) -> int:
    """Return a player's room in a pool at this score: how many more points would eliminate the player."""
    return (rules.elimination_score or 0) + (not rules.elimination_inclusive) - score


def count_rooms(match: Mapping[str, Any], rules: RuleSet) -> dict[int, int]:
    """Return the room of every survivor in a pool, by seat: how many more points would eliminate the player."""
    return {
        int(seat): count_room(standing["score"], rules)
        for seat, standing in match["standings"].items()
        if standing["membership"] == "in"
    }


def is_drop_better(
    public: Mapping[str, Any], seat: int, rules: RuleSet, *, points: int, net: float, count: int
) -> bool:
    """Return whether the player has a better chance to win the pool by dropping for `points` than by playing the hand.

    `net` is the expected result of playing the hand, in net points, and `count` is the hand's least count now. A drop
    that eliminates the player is never better.
    """
    rooms = count_rooms(public["match"], rules)
    own = rooms.pop(seat)
    if own <= points:
        return False
    playing = [
        other for other in rooms if public["players"].get(str(other), {}).get("status") == "playing"
    ]
    others = list(rooms.values())
    losses = [min(rules.max_points, max(2.0, part * count)) for part in _LOSSES]
    mean = sum(losses) / len(losses)
    gain = _USUAL_LOSS * max(1, len(playing))
    wins = min(0.95, max(0.02, (net + mean) / (gain + mean)))
    hit = [left - _USUAL_LOSS if other in playing else left for other, left in rooms.items()]
    after_win = estimate_chance(own, hit)
    # One of the others wins; the rest pay.
    part = (len(playing) - 1) / max(1, len(playing))
    paying = [
        left - part * _USUAL_LOSS if other in playing else left for other, left in rooms.items()
    ]
    after_loss = sum(estimate_chance(own - lost, paying) for lost in losses) / len(losses)
    after_drop = estimate_chance(own - points, paying if len(playing) > 1 else others)
    return after_drop > wins * after_win + (1 - wins) * after_loss


# --- Between two deals.


def is_worth_rejoining(match: Mapping[str, Any], rules: RuleSet) -> bool:
    """Return whether the chance to win the prize is worth another entry fee, which is added to the prize (R8.2).

    `match` is the match in the public view.
    """
    left_in = count_rooms(match, rules).values()
    own: int = count_room(match["rejoin_score"], rules)
    entries: int = sum(standing["entries"] for standing in match["standings"].values()) + 1
    return own * entries >= own + sum(left_in)


def is_fair_split(match: Mapping[str, Any], seat: int, rules: RuleSet) -> bool:
    """Return whether the seat's share in the offered split is worth at least its chance of the whole prize (R8.4).

    `match` is the match in the public view.
    """
    parts, rooms = match["split_parts"], count_rooms(match, rules)
    own_part, own_room = parts[str(seat)], rooms[seat]
    share: bool = own_part * sum(rooms.values()) >= own_room * sum(parts.values())
    return share


class Skill(NamedTuple):
    """The skills of one strength.

    `overlooks` is the percentage of the chances to finish that the bot misses, and `errors` the percentage of its
    discards that it chooses at random. `by` says how it judges a hand: by its count, by how many cards it lacks for a
    declaration, or by its value. `drops` says whether it makes first drops.
    """

    overlooks: int = 0
    errors: int = 0
    by: Literal["count", "missing", "value"] = "value"
    drops: bool = False


SKILLS: Final[Mapping[str, Skill]] = {
    "easy": Skill(overlooks=60, errors=25, by="count"),
    "medium": Skill(overlooks=15, errors=15, by="missing"),
    "hard": Skill(drops=True),
    "expert": Skill(drops=True),
    "waiting": Skill(overlooks=100, by="count"),
}


class DiscardOption(NamedTuple):
    """A card that may be discarded.

    `left` are the prospects of the thirteen cards that remain, and `worth` is how the bot rates them: the higher, the
    better.
    """

    worth: float
    card: Card
    left: IndianProspect


# Discards within this many points are equal: one of them is chosen at random.
_ALIKE: Final = 0.3
# Points charged for taking a card that everybody sees.
_SHOWING: Final = 0.5
# Drop only if the hand is worth this many points less than a drop costs: values are estimates.
_FIRST_MARGIN: Final = 2
# One missing card outweighs every possible count of a hand.
_CARD: Final = 1000
# Counts above the cap still tell better hands from worse.
_UNCAPPED: Final = 1000


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """Return a move, in the form sent over the wire, for a seat that may act.

    `view` is `{"public": ..., "you": ..., "rules": ...}`, as the seat sees the table. `rng` makes the bot's random
    choices, for instance between equally good discards.
    """
    kind = _WaitingBot if strength == "waiting" else IndianBot
    return move_json(kind(IndianSight.of(view, seat), SKILLS[strength], rng).choose())


class IndianBot:
    def __init__(self, sight: IndianSight, skill: Skill, rng: random.Random) -> None:
        self.sight = sight
        self.skill = skill
        self.rng = rng
        self.rules = replace(sight.rules, max_points=_UNCAPPED)
        self.seats = len(sight.public["order"])

    def choose(self) -> AnyMove:
        deciding: Mapping[tuple[str, str | None], Callable[[], AnyMove]] = {
            ("turn", "draw"): self.draw,
            ("turn", "discard"): self.discard,
            ("declare", None): self.declare,
            ("show", None): self.show,
            ("rejoin", None): self.rejoin,
            ("split", None): self.answer_split,
        }
        public = self.sight.public
        return deciding[public["phase"], public["step"]]()

    def draw(self) -> AnyMove:
        sight = self.sight
        card = sight.open_card
        if card is not None and sight.is_joker(card):
            return Draw("open")
        now = assess_hand(sight.hand, sight.wild, self.rules, self.weights)
        closed = self.worth_of_drawing(now)
        opened = -math.inf
        if card is not None:
            options = self.options((*sight.hand, card), card)
            opened = max(option.worth for option in options) - self.showing
        if self.gives_up(now, max(closed, opened) - closed):
            return Drop()
        return Draw("open" if opened > closed else "closed")

    @property
    def showing(self) -> float:
        return _SHOWING if self.skill.by == "value" else 0.0

    def worth_of_drawing(self, hand: IndianProspect) -> float:
        """Return how the bot rates a draw from the closed deck with these thirteen cards, on the scale of `worth`."""
        if self.skill.by == "value":
            return estimate_value_of_drawing(hand, self.standing, self.seats)
        return self.worth(hand) + 1  # at least one point has to be gained

    def worth(self, hand: IndianProspect) -> float:
        if self.skill.by == "value":
            return estimate_value(hand, self.standing, self.seats)
        return -hand.points - (_CARD * hand.missing if self.skill.by == "missing" else 0)

    def gives_up(self, hand: IndianProspect, more: float) -> bool:
        """Return whether to drop before the first draw (R5). `more` is what the open card adds to the value."""
        points = self.drop_points()
        if points is None or self.standing.turn:
            return False
        sight = self.sight
        worth = estimate_value_of_first_hand(hand, self.standing, self.seats) + more
        if sight.rules.elimination_score is not None:
            return is_drop_better(
                sight.public, sight.seat, sight.rules, points=points, net=worth, count=hand.points
            )
        return worth < -points - _FIRST_MARGIN

    def drop_points(self) -> int | None:
        points: int | None = self.sight.me["drop_points"]
        return points if self.skill.drops else None

    def discard(self) -> AnyMove:
        sight = self.sight
        if get_distances(sight.wild).count_missing(shape_of(sight.hand, sight.wild)) == 0:
            best = self.arrange_least(sight.hand)
            if best.declarable and best.discard is not None:
                if self.rng.randrange(100) >= self.skill.overlooks:
                    return Finish(best.discard)
                if best.discard in sight.discardable and not sight.is_joker(best.discard):
                    return Discard(best.discard)  # the hand that it overlooked stays complete
        return Discard(self.choose_discard())

    def choose_discard(self) -> Card:
        """Return the card to discard: a joker only if no other card may be discarded."""
        sight = self.sight
        if self.rng.randrange(100) < self.skill.errors:
            loose = [card for card in sight.discardable if not sight.is_joker(card)]
            return self.rng.choice(loose or sight.discardable)
        kept = None if sight.rules.may_return_open_card else sight.drawn_from_open
        return self.choose_option(self.options(sight.hand, kept)).card

    def choose_option(self, options: list[DiscardOption]) -> DiscardOption:
        most = max(option.worth for option in options)
        return self.rng.choice([option for option in options if option.worth >= most - _ALIKE])

    def options(self, hand: tuple[Card, ...], kept: Card | None) -> list[DiscardOption]:
        """Return the discards worth comparing, each rated by the hand that remains. `kept` may not be discarded."""
        sight = self.sight
        return [
            DiscardOption(self.worth(left), card, left)
            for card, left in list_discards(hand, sight.wild, self.rules, self.weights, kept)
        ]

    @cached_property
    def weights(self) -> Mapping[int, float] | None:
        """The number of unseen cards of each face, or None if the bot does not judge hands by value."""
        return self.sight.unseen if self.skill.by == "value" else None

    @cached_property
    def standing(self) -> SeatStanding:
        seat, public = self.sight.seat, self.sight.public
        players = public["players"].values()
        taken = count_taken(public, self.sight.rules)
        return SeatStanding(
            turn=sum(other == seat for other, _card in public["discards"]),
            opponents=sum(player["status"] == "playing" for player in players) - 1,
            pot=sum(player["points"] or 0 for player in players),
            taken=sum(cards for other, cards in taken.items() if other != seat),
        )

    def declare(self) -> AnyMove:
        return Declare(self.arrange_least(self.sight.hand).all_groups)

    def show(self) -> AnyMove:
        return Show(arrange(self.sight.hand, self.sight.wild, self.sight.rules).all_groups)

    def rejoin(self) -> AnyMove:
        sight = self.sight
        return Rejoin(accept=is_worth_rejoining(sight.public["match"], sight.rules))

    def answer_split(self) -> AnyMove:
        sight = self.sight
        return AnswerSplit(accept=is_fair_split(sight.public["match"], sight.seat, sight.rules))

    def arrange_least(self, hand: tuple[Card, ...]) -> Arrangement:
        solve = arrange if len(hand) == HAND_SIZE else arrange_fourteen
        return solve(hand, self.sight.wild, self.rules)


class _WaitingBot(IndianBot):
    """The opponent in a first lesson. It draws from the closed deck and discards the card that it has drawn.

    It never finishes, and it never takes a card that the player may want.
    """

    def draw(self) -> AnyMove:
        return Draw("closed")

    def discard(self) -> AnyMove:
        drawn = self.sight.drawn
        if drawn in self.sight.discardable and not self.sight.is_joker(drawn):
            return Discard(drawn)
        return super().discard()
