"""Playouts: deals played to the end by a fixed policy, without the engine, to value a decision.

A deal is a few masks and lists, changed in place. The policies are quick. They take an open card that makes a meld or
allows a knock, and they discard the loose card with the most points and the fewest neighbours. One policy knocks as
soon as it can. The policy against which losses are measured knocks late only with low deadwood.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from games.cards import Card
from games.gin.bots.closeness import APART, CLOSE
from games.gin.rules.defence import count_least_defended
from games.gin.rules.melding import (
    BIT,
    arrange,
    cards_of,
    count_least,
    count_least_after_discard,
    find_best_discard,
    find_loose,
)
from games.gin.rules.melds import POINTS, Groups
from games.gin.rules.ruleset import GinRules
from games.gin.rules.scoring import score
from games.gin.rules.state import KnockKind, factor, knock_limit

# Net points of both places: one wins what the other loses.
Nets = tuple[float, float]
_DEAD: Final[Nets] = (0.0, 0.0)


@dataclass(slots=True)
class GinPosition:
    """A running deal with all cards known.

    Hands are masks as in `melding`, piles are card numbers with the top card last. A `place` is a player's index in the
    order of play: 0 is the starter, 1 the dealer.
    """

    hands: list[int]
    closed: list[int]
    open_pile: list[int]
    # Turns begun by each place.
    turns: list[int]
    turn: int = 0
    # Whether the upcard is still offered (G4), and whether both have just passed.
    is_offered: bool = False
    must_draw_closed: bool = False
    # The eleventh card of the current place.
    drawn: int | None = None
    from_open: bool = False

    def copy(self) -> "GinPosition":
        return GinPosition(
            hands=self.hands[:],
            closed=self.closed[:],
            open_pile=self.open_pile[:],
            turns=self.turns[:],
            turn=self.turn,
            is_offered=self.is_offered,
            must_draw_closed=self.must_draw_closed,
            drawn=self.drawn,
            from_open=self.from_open,
        )


class Policy(Protocol):
    """The policy by which both players play on after the decision that is judged."""

    def wants(self, position: GinPosition, card: int) -> bool:
        """Return whether the current player takes this card from the open pile."""

    def part(self, position: GinPosition, kept: int) -> tuple[int, bool]:
        """Return the card that the current player discards, and whether to knock with this discard.

        It must not be one of the cards in the mask `kept`.
        """


class GinQuickPolicy:
    def __init__(self, limit: int) -> None:
        self.limit = limit

    def choose_limit(self, _turn: int) -> float:
        """Return the most deadwood with which to knock in this turn."""
        return self.limit

    def wants(self, position: GinPosition, card: int) -> bool:
        hand, bit = position.hands[position.turn], BIT[card]
        now = count_least(hand)
        if count_least(hand | bit) < now + POINTS[card]:
            return True
        return (
            count_least_after_discard(hand | bit, bit)
            <= self.choose_limit(position.turns[position.turn])
            < now
        )

    def part(self, position: GinPosition, kept: int) -> tuple[int, bool]:
        hand = position.hands[position.turn]
        if count_least_after_discard(hand, kept) <= self.choose_limit(
            position.turns[position.turn]
        ):
            return find_best_discard(hand, kept).bit_length() - 1, True
        return choose_discard(hand, kept), False


# Share of the knock limit at which to knock, by own turns. Found by duels of 1,000 deals and more, each
# improving on the one before until neither gained much.
_LIMIT_SHARES: Final = (1.0,) * 6 + (0.8,) * 2 + (0.2,)


class PatientPolicy(GinQuickPolicy):
    """The policy against which losses are measured. Late in a deal it knocks only with low deadwood."""

    def choose_limit(self, turn: int) -> float:
        return self.limit * _LIMIT_SHARES[min(turn, len(_LIMIT_SHARES) - 1)]


def choose_discard(hand: int, kept: int) -> int:
    """Return the card to discard: a loose one with many points and few close cards in the hand (`closeness`).

    `kept` is the mask of cards that may not be discarded.
    """
    loose = find_loose(hand) & ~kept
    if not loose:
        return find_best_discard(hand, kept).bit_length() - 1
    best, least_worth = 0, 1_000.0
    while loose:
        bit = loose & -loose
        loose ^= bit
        card = bit.bit_length() - 1
        close = (hand & CLOSE[card]).bit_count() * _CLOSE_WEIGHT
        worth = close + (hand & APART[card]).bit_count() * _APART_WEIGHT - POINTS[card]
        if worth <= least_worth:
            best, least_worth = card, worth
    return best


# Extra points of deadwood that a card may count for each card that it goes with.
_CLOSE_WEIGHT: Final = 3.0
_APART_WEIGHT: Final = 1.5


class GinPlayouts:
    """Plays positions of one deal to their end."""

    def __init__(self, rules: GinRules, upcard: Card, policy: Policy | None = None) -> None:
        self.rules = rules
        self.limit = knock_limit(upcard, rules)
        self.factor = factor(upcard, rules)
        self.policy: Policy = PatientPolicy(self.limit) if policy is None else policy

    def play_out(self, position: GinPosition) -> Nets:
        """Play the deal to its end and return the net points of both players. Uses up `position`.

        The deal continues with a draw, or with a discard if a card has been drawn.
        """
        while True:
            if position.drawn is None and not self.draw(position):
                continue
            ended = self.part(position, *self.policy.part(position, self.get_kept(position)))
            if ended is not None:
                return ended

    def get_kept(self, position: GinPosition) -> int:
        """Return the card that may not be discarded, as a mask (G5). It is 0 if there is none."""
        if position.from_open and position.drawn is not None:
            return 0 if self.rules.may_return_open_card else BIT[position.drawn]
        return 0

    def draw(self, position: GinPosition) -> bool:
        """Draw a card. Returns False if the current player has passed the upcard instead (G4)."""
        if position.open_pile and not position.must_draw_closed:
            if self.policy.wants(position, position.open_pile[-1]):
                self.take_open(position)
                return True
            if position.is_offered:
                self.pass_upcard(position)
                return False
        self.take_closed(position)
        return True

    def pass_upcard(self, position: GinPosition) -> None:
        """Pass the upcard (G4)."""
        if position.turn == 1:
            position.is_offered, position.must_draw_closed = False, True
        position.turn = 1 - position.turn
        position.turns[position.turn] += 1

    def take_open(self, position: GinPosition) -> None:
        self._hold(position, position.open_pile.pop(), from_open=True)

    def take_closed(self, position: GinPosition) -> None:
        self._hold(position, position.closed.pop(), from_open=False)

    def _hold(self, position: GinPosition, card: int, *, from_open: bool) -> None:
        position.hands[position.turn] |= BIT[card]
        position.drawn, position.from_open = card, from_open
        position.is_offered = position.must_draw_closed = False

    def part(self, position: GinPosition, card: int, knocks: bool) -> Nets | None:  # noqa: FBT001
        """Discard the card, or knock with it. Return the net points of both players if the deal ends, else None."""
        if knocks:
            return self.score_knock(position, card)
        return self.discard(position, card)

    def discard(self, position: GinPosition, card: int) -> Nets | None:
        turn = position.turn
        position.hands[turn] ^= BIT[card]
        position.open_pile.append(card)
        position.drawn, position.from_open = None, False
        position.turn = following = 1 - turn
        if (
            len(position.closed) <= self.rules.wall
            or position.turns[following] >= self.rules.max_turns
        ):
            return _DEAD  # G12
        position.turns[following] += 1
        return None

    def score_knock(self, position: GinPosition, card: int) -> Nets:
        """Return the net points of both players after a knock, if both leave the least deadwood possible (G8 to G11).

        `card` is the discard of the current player, who knocks. Big gin is declared instead if it is possible and pays
        more.
        """
        turn = position.turn
        hand = position.hands[turn]
        if self.rules.big_gin_bonus > self.rules.gin_bonus and count_least(hand) == 0:
            return self.score_shown(turn, KnockKind.BIG_GIN, 0, (), position.hands[1 - turn])
        rest = hand ^ BIT[card]
        points = count_least(rest)
        if points == 0:
            return self.score_shown(turn, KnockKind.GIN, 0, (), position.hands[1 - turn])
        melds = arrange(cards_of(rest)).groups
        return self.score_shown(turn, KnockKind.KNOCK, points, melds, position.hands[1 - turn])

    def score_shown(
        self, turn: int, kind: KnockKind, points: int, melds: Groups, other: int
    ) -> Nets:
        """Return the net points of both players after this knock by the player at place `turn`.

        `points` is the deadwood of the knock. The opponent, whose hand is `other`, answers with the least possible
        deadwood.
        """
        left = count_least_defended(other, melds) if kind is KnockKind.KNOCK else count_least(other)
        scores, _how, count = score(kind, points, left, self.rules)
        net = float(count * self.factor)
        won = turn if scores else 1 - turn
        return (net, -net) if won == 0 else (-net, net)
