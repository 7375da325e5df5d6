"""The expert's decisions, based on the expected points of its hand and on sampled hands of the opponent.

The hands are sampled once for each decision. They determine the value of a knock, with lay-offs and undercuts, and what
the opponent may do next.
"""

import random
from functools import cached_property
from typing import Final, NamedTuple

from games.cards import CARDS, Card
from games.gin.bots.closeness import count_fitting, count_pairs
from games.gin.bots.likelihood import estimate_likelihoods
from games.gin.bots.playouts import choose_discard
from games.gin.bots.signs import GinSigns, draw_hands
from games.gin.bots.threats import Opponent
from games.gin.bots.weights import WORTH
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
from games.gin.rules.melds import POINTS
from games.gin.rules.ruleset import GinRules
from games.gin.rules.scoring import score
from games.gin.rules.state import KnockKind

# Points charged for taking a card that everybody sees.
_SHOWING: Final = 0.5
# Sampled hands, discards examined for each draw, and the step between examined draws.
_HANDS: Final = 200
_DISCARDS: Final = 2
_STRIDE: Final = 2
# Own turns, cards known to be the opponent's, and cards of the closed deck beyond which nothing changes.
_LATEST, _MOST_HELD, _MOST_CLOSED = 15, 5, 31
# Points for each unit of the network's output.
_POINTS: Final = 20
# The most deadwood with which a knock is rarely undercut.
_LOW: Final = 5


class GinKnowledge(NamedTuple):
    """The knowledge of a player who has to decide. Hands are masks.

    `limit` is the most deadwood with which the player may knock. `hidden` is the mask of the cards that the player has
    not seen, and `signs` is what the opponent has done. `open_card` is the card that may be taken from the open pile.
    `kept` is the mask of cards that may not be discarded. `turn` is the number of the player's turns.
    """

    rules: GinRules
    limit: int
    hand: int
    hidden: int
    signs: GinSigns
    turn: int
    closed_count: int
    open_card: int | None = None
    kept: int = 0


class Expert:
    def __init__(self, known: GinKnowledge, rng: random.Random) -> None:
        self.known = known
        self.rng = rng
        self.hidden = [BIT[card] for card in cards_of(known.hidden)]
        self._draws: dict[int, list[float]] = {}

    def wants(self) -> bool:
        """Return whether taking the open card leads to more expected net points than a draw from the closed deck.

        The result is False if there is no open card.
        """
        known = self.known
        if known.open_card is None:
            return False
        bit = BIT[known.open_card]
        opened = self.estimate_best_after(known.hand | bit, bit) - _SHOWING
        tried = self.hidden[::_STRIDE]
        if not tried:
            return False
        likely = self.opponent.closed
        closed = sum(
            [likely[card] * self.estimate_best_after(known.hand | card, 0) for card in tried]
        )
        return opened * sum([likely[card] for card in tried]) > closed

    def estimate_best_after(self, eleven: int, kept: int) -> float:
        """Return the expected net points of holding these eleven cards if the most promising discard or knock follows.

        `kept` is the mask of cards that may not be discarded.
        """
        worth = max(
            [
                self.estimate_worth(eleven ^ BIT[card], card)
                for card in list_discards(eleven, kept, _DISCARDS)
            ]
        )
        points = count_least_after_discard(eleven, kept)
        if points <= self.known.limit:
            worth = max(worth, self.knock_worths[points])
        return worth

    def part(self) -> tuple[int, bool]:
        """Return the card to discard, and whether to knock with this discard."""
        known = self.known
        worth, discard = max(
            (self.estimate_worth(known.hand ^ BIT[card], card), card)
            for card in cards_of(known.hand & ~known.kept)
        )
        points = count_least_after_discard(known.hand, known.kept)
        if points <= known.limit:
            card = find_best_discard(known.hand, known.kept).bit_length() - 1
            if not points or self.estimate_knock(card, points) >= worth:
                return card, True
        return discard, False

    def estimate_knock(self, card: int, points: int) -> float:
        """Return the expected net points of a knock with this discard, against the sampled hands.

        `points` is the deadwood of the knock.
        """
        melds = arrange(cards_of(self.known.hand ^ BIT[card])).groups
        return sum(
            [
                likely.weight * self._net(points, count_least_defended(likely.hand, melds))
                for likely in self.opponent.hands
            ]
        )

    def estimate_worth(self, ten: int, discard: int) -> float:
        """Return the expected net points of keeping these ten cards after this discard."""
        return _POINTS * WORTH.compute(self.list_terms(ten, discard))

    def list_terms(self, ten: int, discard: int) -> list[float]:
        """Return the inputs of the network `WORTH`, which estimates the net points of ten cards after a discard.

        They describe the ten cards, their next draws, and the opponent's replies to the discard.
        """
        known, opponent = self.known, self.opponent
        now = count_least(ten)
        may_knock = now <= known.limit
        reply = opponent.reply(discard)
        nets = [
            (threat.chance, -self._net(threat.points, threat.answer(ten, now)))
            for threat in reply.threats
        ]
        return [
            now / 20,
            *self._list_terms_of_loose(ten),
            min(known.turn, _LATEST) / 10,
            min(known.signs.held.bit_count(), _MOST_HELD) / 4,
            float(may_knock),
            float(now <= _LOW),
            min(known.closed_count, _MOST_CLOSED) / 30,
            opponent.deadwood / 30,
            opponent.estimate_chance(known.limit),
            reply.knocks,
            sum([chance * net for chance, net in nets]) / 10,
            sum([chance for chance, net in nets if net > 0]),
            reply.saved / 10,
            reply.taken,
            self.knock_worths[now] / 20 if may_knock else 0.0,
            opponent.estimate_chance(now) if may_knock else 0.0,
            max(0, now - known.limit) / 20,
            *self._list_terms_of_draws(ten, now),
            sum([threat.chance for threat in reply.threats if not threat.points]) * 3,
            0.0 if may_knock else opponent.estimate_chance(now - 1),
            0.0 if may_knock else self.knock_worths[known.limit] / 20,
        ]

    def _list_terms_of_loose(self, ten: int) -> list[float]:
        """Return the network's inputs for the loose cards.

        They are the number of unseen cards that are close to a loose card, summed over the loose cards, how close the
        loose cards are to each other (`count_pairs`), the number of loose cards, and the points of the highest one.
        """
        loose = find_loose(ten)
        cards = cards_of(loose)
        fitting = count_fitting(cards, self.known.hidden)
        return [
            fitting / max(1, len(self.hidden)),
            count_pairs(cards, loose) / 4,
            len(cards) / 10,
            max([POINTS[card] for card in cards], default=0) / 10,
        ]

    def _list_terms_of_draws(self, ten: int, now: int) -> list[float]:
        """Return the network's inputs for the next closed card and the opponent's next discard.

        For each of these two cards they are the deadwood that it saves on average, the chances that it allows a knock
        or gin, and the expected gain from such knocks.
        """
        if ten in self._draws:
            return self._draws[ten]
        limit, closed, thrown = self.known.limit, self.opponent.closed, self.opponent.thrown
        saved = knocks = gins = saved_open = knocks_open = gins_open = worth = worth_open = 0.0
        for card in self.hidden:
            if card & ten:
                continue  # it has been drawn
            after = count_least_after_discard(ten | card)
            drawn, offered = closed[card], thrown[card]
            saved += drawn * (now - after)
            saved_open += offered * (now - after)
            if after <= limit:
                knocks += drawn
                knocks_open += offered
                worth += drawn * self.knock_worths[after]
                worth_open += offered * self.knock_worths[after]
                if not after:
                    gins += drawn
                    gins_open += offered
        found = [saved / 5, knocks, gins * 3, saved_open / 5, knocks_open, gins_open * 3]
        self._draws[ten] = [*found, worth / 10, worth_open / 10]
        return self._draws[ten]

    @cached_property
    def opponent(self) -> Opponent:
        known = self.known
        hands = draw_hands(known.signs, known.hidden, self.rng, _HANDS)
        sampled = estimate_likelihoods(hands, known.signs, known.limit)
        return Opponent(sampled, known.hidden, known.limit, self.rng)

    @cached_property
    def knock_worths(self) -> list[float]:
        """The expected net points of a knock if nothing is laid off on it. The index is the deadwood of the knock."""
        return [
            sum(
                [
                    likely.weight * self._net(points, likely.deadwood)
                    for likely in self.opponent.hands
                ]
            )
            for points in range(self.known.limit + 1)
        ]

    def _net(self, points: int, left: int) -> float:
        kind = KnockKind.KNOCK if points else KnockKind.GIN
        scores, _how, count = score(kind, points, left, self.known.rules)
        return float(count if scores else -count)


def list_discards(hand: int, kept: int, count: int) -> list[Card]:
    """Return the `count` discards that leave the least deadwood, and the discard that playouts would choose.

    `kept` is the mask of cards that may not be discarded. No discard is listed twice.
    """
    ordered = sorted(cards_of(hand & ~kept), key=lambda card: count_least(hand ^ BIT[card]))
    other = CARDS[choose_discard(hand, kept)]
    return list(dict.fromkeys((*ordered[:count], other)))
