"""The alternatives to a move that are worth comparing, and their results in a world."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from games.analysis.judging import Choice, Option
from games.analysis.moments import Moment
from games.analysis.situations import Move
from games.cards import CARD_BY_TEXT
from games.gin.bots.expert import list_discards
from games.gin.bots.playouts import GinPlayouts, GinPosition, Nets
from games.gin.bots.signs import Likely, sample_hands
from games.gin.lab.analysis.reading import GinSituation
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

# Hands that the worlds of a decision are drawn from, weighted by likelihood.
_HANDS: Final = 240
# Discards examined besides the one played.
_CANDIDATES: Final = 4

_KINDS: Final = {"knock": KnockKind.KNOCK, "gin": KnockKind.GIN, "big_gin": KnockKind.BIG_GIN}


@dataclass(frozen=True, slots=True)
class GinOption(Option):
    """An option of a decision.

    `doing` is "open", "closed", "pass", "discard", "knock", "gin" or "big_gin". `card` is the card discarded, also if
    the option is a knock. `groups` are the melds of a knock as they were laid.
    """

    groups: Groups = ()

    @property
    def knocks(self) -> bool:
        return self.doing in _KINDS

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return self.doing, -1 if self.card is None else self.card, len(self.groups)

    def points(self, hand: int) -> int:
        """Return the deadwood of this knock from `hand`, with the melds as they were laid."""
        melded = sum(mask_of(group) for group in self.groups)
        down = 0 if self.card is None else BIT[self.card]
        return count(hand & ~melded & ~down)


class GinMoment(Moment):
    """A player who has to decide, and the hands that the opponent may hold.

    The hands are sampled at random and weighted by the cards that the opponent took, discarded and refused.
    """

    @cached_property
    def hidden(self) -> int:
        hidden: int = self.situation.find_hidden_from(self.place)
        return hidden

    @cached_property
    def hands(self) -> list[Likely]:
        signs, limit = self.situation.read_signs(self.place), self.situation.limit
        return sample_hands(signs, self.hidden, limit, self.rng, _HANDS)

    @cached_property
    def _sums(self) -> list[float]:
        return list(accumulate(likely.weight for likely in self.hands))

    def sample_world(self) -> GinPosition:
        (likely,) = self.rng.choices(self.hands, cum_weights=self._sums)
        world: GinPosition = self.situation.position.copy()
        world.hands[1 - self.place] = likely.hand
        world.closed = list(cards_of(self.hidden & ~likely.hand))
        self.rng.shuffle(world.closed)
        return world

    def play_option(self, option: GinOption, world: GinPosition) -> Sequence[float] | None:
        if option.knocks:
            points, other = option.points(world.hands[self.place]), world.hands[1 - self.place]
            nets: Nets = self.playouts.score_shown(
                self.place, _KINDS[option.doing], points, option.groups, other
            )
            return nets
        if option.doing == "pass":
            self.playouts.pass_upcard(world)
            return None
        return super().play_option(option, world)


def find_choice(
    situation: GinSituation,
    move: Move,
    playouts: GinPlayouts,
) -> Choice[GinOption] | None:
    """Return the choice that the player made with this move, or None if there was nothing to choose.

    The result is also None for a knock that no option can beat: big gin, or gin if big gin was not possible.
    """
    match move["kind"]:
        case "draw" | "pass":
            return _find_choice_before_draw(situation, move)
        case "discard" | "knock":
            return _find_choice_after_draw(situation, move)
    return None


def _find_choice_before_draw(situation: GinSituation, move: Move) -> Choice[GinOption] | None:
    position = situation.position
    if position.must_draw_closed or not position.open_pile:
        return None
    other = GinOption("pass" if position.is_offered else "closed")
    if move.get("source") == "open":
        chosen, others = GinOption("open"), (other,)
    else:
        chosen, others = other, (GinOption("open"),)
    return Choice("upcard" if position.is_offered else "pick", chosen, others)


def _find_choice_after_draw(situation: GinSituation, move: Move) -> Choice[GinOption] | None:
    position = situation.position
    hand = position.hands[position.turn]
    best = find_best_knock(situation)
    if move["kind"] == "knock":
        chosen = _as_laid(move, hand)
        if best is None or chosen.doing == "big_gin" or chosen.doing == best.doing == "gin":
            return None  # nothing is better
    else:
        chosen = GinOption("discard", CARD_BY_TEXT[move["card"]])
    others = [
        GinOption("discard", card)
        for card in list_discards(hand, situation.kept, _CANDIDATES)
        if chosen != GinOption("discard", card)
    ]
    if best is not None and not _is_as_good(chosen, best, hand):
        others.insert(0, best)
    if best is not None and best.doing != "knock":
        others = [best]  # gin is the best possible end of the deal
    return Choice("discard" if best is None else "knock", chosen, tuple(others))


def find_best_knock(situation: GinSituation) -> GinOption | None:
    """Return the knock with the least deadwood that the current player can make, or None."""
    hand, kept = situation.position.hands[situation.position.turn], situation.kept
    if situation.rules.big_gin_bonus and count_least(hand) == 0:
        return GinOption("big_gin", None, arrange(cards_of(hand)).groups)
    if count_least_after_discard(hand, kept) > situation.limit:
        return None
    (card,) = cards_of(find_best_discard(hand, kept))
    laid = arrange(cards_of(hand ^ BIT[card]))
    return GinOption("knock" if laid.deadwood else "gin", card, laid.groups)


def _as_laid(move: Move, hand: int) -> GinOption:
    groups = tuple(tuple(CARD_BY_TEXT[card] for card in group) for group in move["groups"])
    if move["card"] is None:
        return GinOption("big_gin", None, groups)
    knock = GinOption("knock", CARD_BY_TEXT[move["card"]], groups)
    return knock if knock.points(hand) else GinOption("gin", knock.card, groups)


def _is_as_good(chosen: GinOption, best: GinOption, hand: int) -> bool:
    return chosen.doing == best.doing and chosen.points(hand) <= best.points(hand)
