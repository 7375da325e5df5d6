"""Deals played to their end by a fixed policy, without the engine, to find the value of a decision.

A deal is a few lists of integers, changed in place. The policy follows those rules of the `hard` bot that are quick to
compute. It takes an open card if the card lowers the hand's count by more than it costs to show it to the others. It
discards the card that has many points and weak links to the rest of the hand. It finishes when it can, and never drops.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from games.cards import CARDS, FACES
from games.indian.bots.links import LINKS
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.solver.arrangement import Arrangement, arrange
from games.indian.rules.solver.meldsearch import Best, find_best_melds
from games.indian.rules.solver.tally import deck, points_of

# Points that an open card must save to be worth revealing, and the weight of a link between two cards
# relative to a point; see games/indian/bots/choose.py.
_LEAST_GAIN: Final = 1
_KIN_WEIGHT: Final = 2
# Size of the cache of melds by hand: playouts from one position begin alike.
_KEPT_HANDS: Final = 20_000

# Net points of every place at the table: losers pay theirs to the winners.
Nets = list[float]


@dataclass(slots=True)
class IndianPosition:
    """A running deal with all cards known. It changes as it is played.

    Cards are numbers (`Card`), the top card of a pile comes last, and a `place` is a player's index in the order of
    play.
    """

    hands: list[list[int]]
    closed: list[int]
    open_pile: list[int]
    # Places still in the deal; points lost by the others.
    playing: list[bool]
    lost: list[int]
    turns: list[int]
    turn: int = 0
    # Whether nobody has drawn yet: then a joker may be taken from the open pile (R4.4).
    is_first_turn: bool = False
    # The fourteenth card of the current place.
    drawn: int | None = None
    from_open: bool = False

    def copy(self) -> "IndianPosition":
        return IndianPosition(
            hands=[hand[:] for hand in self.hands],
            closed=self.closed[:],
            open_pile=self.open_pile[:],
            playing=self.playing[:],
            lost=self.lost[:],
            turns=self.turns[:],
            turn=self.turn,
            is_first_turn=self.is_first_turn,
            drawn=self.drawn,
            from_open=self.from_open,
        )


@dataclass(slots=True)
class Hands:
    """Computes the least counts of hands for one wild rank and rule set, and caches the results."""

    wild: int | None
    rules: RuleSet
    tallies: list[int] = field(init=False)
    points: list[int] = field(init=False)
    _thirteen: dict[int, int] = field(default_factory=dict)
    _fourteen: dict[int, Best | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tallies, self.points = deck(self.wild)

    def is_joker(self, card: int) -> bool:
        return self.points[card] < 0

    def count_least(self, hand: Sequence[int]) -> int:
        """Return the least count of thirteen cards, in points, without the limit of `max_points`."""
        tally = sum(map(self.tallies.__getitem__, hand))
        known = self._thirteen.get(tally)
        if known is None:
            best = find_best_melds(tally, self.wild, self.rules, discards=False)
            known = points_of(tally) - (best[0] if best else 0)
            if len(self._thirteen) >= _KEPT_HANDS:
                self._thirteen.clear()
            self._thirteen[tally] = known
        return known

    def find_best_of_fourteen(self, hand: Sequence[int]) -> tuple[int, Best | None]:
        """Return the least count of fourteen cards after the best discard, and the melds that leave this count.

        The melds are None if no meld saves any points.
        """
        tally = sum(map(self.tallies.__getitem__, hand))
        if tally in self._fourteen:
            best = self._fourteen[tally]
        else:
            best = find_best_melds(tally, self.wild, self.rules, discards=True)
            if len(self._fourteen) >= _KEPT_HANDS:
                self._fourteen.clear()
            self._fourteen[tally] = best
        if best is None:
            return points_of(tally) - max(self.points[card] for card in hand), None
        return points_of(tally) - best[0], best

    def find_best_of_thirteen(self, hand: Sequence[int]) -> Best | None:
        """Return the melds with which thirteen cards have their least count, or None if no meld saves any points."""
        tally = sum(map(self.tallies.__getitem__, hand))
        return find_best_melds(tally, self.wild, self.rules, discards=False)

    def arrange(self, hand: Sequence[int]) -> Arrangement:
        """Return thirteen cards arranged for their least count."""
        return arrange([CARDS[card] for card in hand], self.wild, self.rules)


class IndianQuickPolicy:
    """The policy that every player follows in a playout, after the decision that is judged."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands

    def wants(self, position: IndianPosition, card: int) -> bool:
        """Return whether the current player takes this card from the open pile."""
        hands = self.hands
        if hands.is_joker(card):
            return True
        hand = position.hands[position.turn]
        links = LINKS[card % FACES]
        if not any(links[held % FACES] for held in hand) and not any(map(hands.is_joker, hand)):
            return False
        points, best = hands.find_best_of_fourteen([*hand, card])
        if best is None or hands.count_least(hand) - points <= _LEAST_GAIN:
            return False
        # A card that only counts less than the card discarded for it does not help.
        return any(card % FACES in meld for meld, _ in best[1])

    def discard(self, position: IndianPosition) -> tuple[int, bool]:
        """Return the card that the current player discards, and whether the player finishes with it instead."""
        hands, hand = self.hands, position.hands[position.turn]
        points, best = hands.find_best_of_fourteen(hand)
        kept = position.drawn if position.from_open else None
        loose = list_loose_cards(hand, best)
        thrown = [card for card in loose if not hands.is_joker(card) and card != kept]
        if best is not None and best[2] and points == 0 and len(thrown) <= 1:
            return (thrown or hand)[0], True
        if not thrown:
            thrown = [card for card in hand if not hands.is_joker(card) and card != kept]
        if not thrown:
            return [card for card in hand if card != kept][0], False  # noqa: RUF015 - not empty
        naturals = [card % FACES for card in hand if not hands.is_joker(card)]
        return min(thrown, key=lambda card: self.price(card, naturals)), False

    def price(self, card: int, naturals: Sequence[int]) -> int:
        links = LINKS[card % FACES]
        return _KIN_WEIGHT * sum(map(links.__getitem__, naturals)) - self.hands.points[card]


def list_loose_cards(hand: Sequence[int], best: Best | None) -> list[int]:
    """Return the cards of the hand that lie in no meld of `best`, or the whole hand without melds.

    Jokers are loose here even if a meld needs them to stand for other cards.
    """
    if best is None:
        return list(hand)
    loose = list(hand)
    faces = [card % FACES for card in hand]
    for meld, _ in best[1]:
        for face in meld:
            place = faces.index(face)
            del faces[place], loose[place]
    return loose


@dataclass(slots=True)
class IndianPlayouts:
    """Plays positions to the end of the deal, with the same policy for every player."""

    rules: RuleSet
    hands: Hands
    policy: IndianQuickPolicy
    rng: random.Random

    def play_out(self, position: IndianPosition) -> Nets:
        """Play the deal to its end and return the net points by place. Uses up `position`.

        The current player goes on with a draw, or with a discard if a card has been drawn.
        """
        while True:
            if position.drawn is None:
                if sum(position.playing) == 1:
                    return self.score_end(position, [position.playing.index(True)])
                self.draw(position)
            card, finishes = self.policy.discard(position)
            if finishes:
                return self.score_win(position)
            nets = self.discard(position, card)
            if nets is not None:
                return nets

    def draw(self, position: IndianPosition) -> None:
        if position.open_pile:
            card = position.open_pile[-1]
            drawable = position.is_first_turn or not self.hands.is_joker(card)
            if drawable and self.policy.wants(position, card):
                self.take_open(position)
                return
        self.take_closed(position)

    def take_open(self, position: IndianPosition) -> None:
        self._hold(position, position.open_pile.pop(), from_open=True)

    def take_closed(self, position: IndianPosition) -> None:
        self._hold(position, position.closed.pop(), from_open=False)

    def _hold(self, position: IndianPosition, card: int, *, from_open: bool) -> None:
        position.hands[position.turn].append(card)
        position.drawn, position.from_open = card, from_open
        position.is_first_turn = False

    def discard(self, position: IndianPosition, card: int) -> Nets | None:
        """Discard a card for the current player. Returns the net points if this ends the deal (R4.7), else None."""
        position.hands[position.turn].remove(card)
        position.open_pile.append(card)
        position.drawn = None
        return self.pass_turn(position)

    def pass_turn(self, position: IndianPosition) -> Nets | None:
        places = len(position.playing)
        turn = (position.turn + 1) % places
        while not position.playing[turn]:
            turn = (turn + 1) % places
        position.turn = turn
        if position.turns[turn] >= self.rules.max_turns:
            return self.score_at_limit(position)
        position.turns[turn] += 1
        if not position.closed:  # R4.6
            position.closed = position.open_pile[:-1]
            self.rng.shuffle(position.closed)
            del position.open_pile[:-1]
        return None

    def go_out(self, position: IndianPosition, points: int) -> Nets | None:
        """Take the current player, who loses `points`, out of the deal (R4.8).

        Returns the net points by place if this ends the deal, else None.
        """
        position.playing[position.turn] = False
        position.lost[position.turn] = points
        if sum(position.playing) == 1:
            return self.score_end(position, [position.playing.index(True)])
        position.drawn = None
        return self.pass_turn(position)

    def score_win(self, position: IndianPosition) -> Nets:
        """Return the net points by place after a valid declaration by the current player."""
        return self.score_end(position, [position.turn])

    def score_at_limit(self, position: IndianPosition) -> Nets:
        counts = {
            place: self.count(position.hands[place])
            for place, playing in enumerate(position.playing)
            if playing
        }
        least = min(counts.values())
        return self.score_end(position, [place for place in counts if counts[place] == least])

    def score_end(self, position: IndianPosition, winners: Sequence[int]) -> Nets:
        nets = [0.0] * len(position.hands)
        for place, playing in enumerate(position.playing):
            if place not in winners:
                hand = position.hands[place]
                lost = self.count(hand) if playing else position.lost[place]
                nets[place] = -float(lost)
        pot = -sum(nets)
        for place in winners:
            nets[place] = pot / len(winners)
        return nets

    def count(self, hand: Sequence[int]) -> int:
        """Return the points that a hand of thirteen cards costs a player who did not win (R6.2).

        They are the least count, at most `max_points`. A hand that could have been declared costs `second_valid_points`
        (R3.6).
        """
        return (
            min(self.hands.count_least(hand), self.rules.max_points)
            or self.rules.second_valid_points
        )


def make_playouts(rules: RuleSet, wild: int | None, rng: random.Random) -> IndianPlayouts:
    hands = Hands(wild, rules)
    return IndianPlayouts(rules, hands, IndianQuickPolicy(hands), rng)
