"""The alternatives to a move, as far as they deserve a look, and the loss by a choice.

They are played out in worlds: hidden cards as a seat may imagine them.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, Literal

from games.analysis.judging import Effort, Verdict, evaluate_choice
from games.analysis.report import Step
from games.cards import CARD_BY_TEXT, Card
from games.gin.bots.expert import list_discards
from games.gin.bots.playouts import Nets, Playouts, Position
from games.gin.bots.signs import Likely, sample_hands
from games.gin.lab.analysis.reading import Situation
from games.gin.rules.melding import (
    BIT,
    arrange,
    cards_of,
    count,
    count_least,
    count_least_after_discard,
    find_best_discard,
    mask_of,
)
from games.gin.rules.melds import Groups
from games.gin.rules.state import KnockKind

Doing = Literal["pass", "closed", "open", "discard", "knock", "gin", "big_gin"]
Kind = Literal["upcard", "pick", "discard", "knock", "defend"]

# Hands that the worlds of a decision are drawn from, weighted by likelihood.
_HANDS: Final = 240
# Discards examined besides the one played.
_CANDIDATES: Final = 4


class Worlds:
    """Deals that agree with everything this place has seen: its own cards, the open pile, and the cards that the
    opponent took from there and still holds.
    """

    def __init__(self, situation: Situation, place: int, rng: random.Random) -> None:
        self.place = place
        self.rng = rng
        self.position = situation.position
        self.hidden = situation.find_hidden_from(place)
        self.hands: list[Likely] = sample_hands(
            situation.read_signs(place), self.hidden, situation.limit, rng, _HANDS
        )
        self._sums = list(accumulate(likely.weight for likely in self.hands))

    def sample_world(self) -> Position:
        (likely,) = self.rng.choices(self.hands, cum_weights=self._sums)
        world = self.position.copy()
        world.hands[1 - self.place] = likely.hand
        world.closed = list(cards_of(self.hidden & ~likely.hand))
        self.rng.shuffle(world.closed)
        return world


@dataclass(frozen=True, slots=True)
class Option:
    """`card` is discarded or put down; `groups` are the melds of a knock as they were laid."""

    doing: Doing
    card: Card | None = None
    groups: Groups = ()

    @property
    def knocks(self) -> bool:
        return self.doing in ("knock", "gin", "big_gin")

    def play_out(self, playouts: Playouts, world: Position) -> float:
        """Return the net points of the place at turn with this option. Uses up `world`."""
        place = world.turn
        return self._play_out(playouts, world, place)[place]

    def _play_out(self, playouts: Playouts, world: Position, place: int) -> Nets:
        if self.knocks:
            kind = _KINDS[self.doing]
            return playouts.score_shown(
                place, kind, self.points(world.hands[place]), self.groups, world.hands[1 - place]
            )
        ended: Nets | None = None
        if self.doing == "discard" and self.card is not None:
            ended = playouts.discard(world, self.card)
        elif self.doing == "open":
            playouts.take_open(world)
        elif self.doing == "pass":
            playouts.pass_upcard(world)
        else:
            playouts.take_closed(world)
        return playouts.play_out(world) if ended is None else ended

    def points(self, hand: int) -> int:
        """Return the deadwood of a knock as it is laid."""
        melded = sum(mask_of(group) for group in self.groups)
        down = 0 if self.card is None else BIT[self.card]
        return count(hand & ~melded & ~down)


_KINDS: Final = {"knock": KnockKind.KNOCK, "gin": KnockKind.GIN, "big_gin": KnockKind.BIG_GIN}


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision: the option chosen, and the alternatives."""

    kind: Kind
    chosen: Option
    others: tuple[Option, ...]

    @property
    def options(self) -> tuple[Option, ...]:
        return (self.chosen, *self.others)


def find_choice(situation: Situation, step: Step) -> Choice | None:
    """Return the decision in a step of the seat at turn, or None if there was none that mattered."""
    move = step.get("move") or {}
    if move.get("kind") in ("draw", "pass"):
        return _find_choice_before_draw(situation, move)
    if move.get("kind") in ("discard", "knock"):
        return _find_choice_after_draw(situation, move)
    return None


def _find_choice_before_draw(situation: Situation, move: Any) -> Choice | None:
    position = situation.position
    if position.must_draw_closed or not position.open_pile:
        return None
    other = Option("pass" if position.is_offered else "closed")
    if move.get("source") == "open":
        chosen, others = Option("open"), (other,)
    else:
        chosen, others = other, (Option("open"),)
    return Choice("upcard" if position.is_offered else "pick", chosen, others)


def _find_choice_after_draw(situation: Situation, move: Any) -> Choice | None:
    position = situation.position
    hand = position.hands[position.turn]
    bound = position.from_open and not situation.rules.may_return_open_card
    kept = BIT[position.drawn] if bound and position.drawn is not None else 0
    best = find_best_knock(situation, hand, kept)
    if move["kind"] == "knock":
        chosen = _as_laid(move, hand)
        if best is None or chosen.doing == "big_gin" or chosen.doing == best.doing == "gin":
            return None  # nothing is better
    else:
        chosen = Option("discard", CARD_BY_TEXT[move["card"]])
    others = [
        Option("discard", card)
        for card in list_discards(hand, kept, _CANDIDATES)
        if chosen != Option("discard", card)
    ]
    if best is not None and not _is_as_good(chosen, best, hand):
        others.insert(0, best)
    if best is not None and best.doing != "knock":
        others = [best]  # gin ends the deal as well as it can end
    if not others:
        return None
    return Choice("discard" if best is None else "knock", chosen, tuple(others))


def find_best_knock(situation: Situation, hand: int, kept: int) -> Option | None:
    """Return the knock of least deadwood that these eleven cards allow."""
    if situation.rules.big_gin_bonus and count_least(hand) == 0:
        return Option("big_gin", None, arrange(cards_of(hand)).groups)
    if count_least_after_discard(hand, kept) > situation.limit:
        return None
    (card,) = cards_of(find_best_discard(hand, kept))
    laid = arrange(cards_of(hand ^ BIT[card]))
    return Option("knock" if laid.deadwood else "gin", card, laid.groups)


def _as_laid(move: Any, hand: int) -> Option:
    groups = tuple(tuple(CARD_BY_TEXT[card] for card in group) for group in move["groups"])
    if move["card"] is None:
        return Option("big_gin", None, groups)
    knock = Option("knock", CARD_BY_TEXT[move["card"]], groups)
    return knock if knock.points(hand) else Option("gin", knock.card, groups)


def _is_as_good(chosen: Option, best: Option, hand: int) -> bool:
    return chosen.doing == best.doing and chosen.points(hand) <= best.points(hand)


def judge_choice(
    choice: Choice, worlds: Worlds, playouts: Playouts, effort: Effort
) -> Verdict[Option]:
    """Return the loss of the place at turn by this choice."""

    def nets(options: Sequence[Option]) -> list[float]:
        world = worlds.sample_world()
        return [option.play_out(playouts, world.copy()) for option in options]

    return evaluate_choice(choice, nets, effort)
