"""How the players of a finished deal helped or harmed each other with their discards (docs/fair-play.md).

The giver is the player who discards, and the taker is the next player, who may draw the discard. A game in which every
turn ends with a discard provides the value of a card to a hand, and the cost of a discard.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from games.analysis.situations import Step
from games.analysis.writing import write_card
from games.cards import CARD_BY_TEXT, FACES
from games.engine.base import DEAL_ENDS
from games.engine.game import Delivery, PairSums

# Cap on a card's usefulness: more says nothing further about the intention.
MOST: Final = 15
# A discard counts as an alternative if it costs at most this many points more than the cheapest.
CHEAP: Final = 5
# With fewer opponents nobody can tell for whom a card was meant.
_OPPONENTS: Final = 2

Pair = tuple[int, int]


@dataclass
class Sums:
    """The running sums of one pair of players, giver and taker, from which its `PairSums` are made.

    `labels` adds up `_Thrown.beyond` over the giver's discards that the taker could draw next. The keys are the seats
    of the giver's opponents. The sum of the taker is the pair's `feeding`, and the others are what it is compared with.
    """

    labels: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    loss: float = 0.0
    decisions: int = 0
    offered: int = 0
    picked: int = 0
    picks_due: float = 0.0
    paid: float = 0.0
    paid_due: float = 0.0


@dataclass(frozen=True, slots=True)
class _Thrown:
    """A discard. `giver` and `taker` are seats, and `usefulness` is how many points the card was worth to the taker.

    `beyond` has a figure for each opponent of the giver, by seat: how many points more the card was worth to the
    opponent than the giver's alternatives (`list_alternatives`) on average, less the mean of this figure over the other
    opponents. It is empty if the giver had no alternatives or too few opponents.
    """

    step: int
    card: int
    giver: int
    taker: int
    hand: tuple[int, ...]
    taker_hand: tuple[int, ...]
    usefulness: float
    beyond: Mapping[int, float]


class DealReading(ABC):
    """Reads one deal, move by move, and adds to the sums of each pair of players.

    Only moves that players made themselves are used. A game says what a card is worth to a hand, and what a discard
    costs.
    """

    # How often a discard is drawn, by its usefulness up to each number of points; counted in matches of
    # bots.
    picks: ClassVar[Sequence[tuple[int, float]]]

    def __init__(self, record: Mapping[str, Any], sums: defaultdict[Pair, Sums]) -> None:
        self.record = record
        self.sums = sums
        self.order: Sequence[int] = record["order"]
        self.begun = self.begin(record)
        self.deliveries: list[tuple[_Thrown, bool]] = []
        self._thrown: _Thrown | None = None

    @abstractmethod
    def begin(self, record: Mapping[str, Any]) -> Any:
        """Return the situation just after the cards were dealt."""

    @abstractmethod
    def prices(self, situation: Any, kept: int | None) -> Mapping[int, float]:
        """Return what each possible discard costs the current player, in points. The keys are the cards.

        The mapping contains one card of each face. It leaves out cards that no player would discard, and the card
        `kept`, which may not be discarded.
        """

    @abstractmethod
    def usefulness(self, situation: Any, place: int, card: int) -> float:
        """Return how many points a card is worth to the hand of the player at `place`, at most `MOST`."""

    @abstractmethod
    def loss(self, situation: Any, card: int, prices: Mapping[int, float]) -> float:
        """Return how many points the current player gave away by discarding this card.

        `prices` is what each possible discard costs.
        """

    def is_for_nobody(self, card: int) -> bool:
        """Return whether no player could draw this discard."""
        del card
        return False

    def read_exit(self, step: Step, situation: Any) -> None:
        """Read a move with which a player drops out of the deal."""
        del step, situation

    def weights(self) -> Sequence[float]:
        """Return the relative chance of each player to win the deal, judged by the hands dealt."""
        return [1.0] * len(self.order)

    def read(self) -> None:
        for giver in self.order:
            for taker in self.order:
                if giver != taker:
                    self.sums[giver, taker]
        for number, step, situation in self.begin(self.record).steps(self.record):
            kind = (step.get("move") or {}).get("kind")
            if kind == "discard" and situation.position.drawn is not None:
                self._discard(number, step, situation)
            elif kind in ("draw", "take"):
                self._draw(step["move"], situation)
            elif kind is not None:
                self.read_exit(step, situation)
            self._end(step)

    def record_loss(self, place: int, loss: float, situation: Any) -> None:
        """Add the loss of a decision by the player at `place` to the sums with each other player still in the deal."""
        for other in _list_others(place, situation.position.playing):
            pair = self.sums[self.order[place], self.order[other]]
            pair.loss += loss
            pair.decisions += 1

    def _discard(self, number: int, step: Step, situation: Any) -> None:
        position = situation.position
        place, hands = position.turn, position.hands
        card = CARD_BY_TEXT[step["move"]["card"]]
        is_bound = position.from_open and not situation.rules.may_return_open_card
        prices = self.prices(situation, position.drawn if is_bound else None)
        self.record_loss(place, self.loss(situation, card, prices), situation)
        opponents = _list_others(place, position.playing)
        if not opponents:
            return
        others = list_alternatives(prices, card)
        beyond = {}
        if others and len(opponents) >= _OPPONENTS:
            for other in opponents:
                usual = sum(self.usefulness(situation, other, one) for one in others) / len(others)
                beyond[self.order[other]] = self.usefulness(situation, other, card) - usual
        self._thrown = _Thrown(
            step=number,
            card=card,
            giver=self.order[place],
            taker=self.order[opponents[0]],
            hand=tuple(hands[place]),
            taker_hand=tuple(hands[opponents[0]]),
            usefulness=self.usefulness(situation, opponents[0], card),
            beyond=_subtract_means(beyond),
        )
        labels = self.sums[self._thrown.giver, self._thrown.taker].labels
        for label, worth in self._thrown.beyond.items():
            labels[label] += worth

    def _draw(self, move: Mapping[str, Any], situation: Any) -> None:
        thrown, self._thrown = self._thrown, None
        seat = self.order[situation.position.turn]
        if thrown is None or thrown.taker != seat or self.is_for_nobody(thrown.card):
            return
        was_taken = move["kind"] == "take" or move["source"] == "open"
        pair = self.sums[thrown.giver, seat]
        pair.offered += 1
        pair.picked += was_taken
        use = min(MOST, thrown.usefulness)
        pair.picks_due += [chance for most, chance in self.picks if use <= most][0]  # noqa: RUF015
        self.deliveries.append((thrown, was_taken))

    def _end(self, step: Step) -> None:
        for event in step["events"]:
            if event["kind"] == DEAL_ENDS:
                self._settle(event["winners"], {int(k): v for k, v in event["points"].items()})

    def _settle(self, winners: Sequence[int], points: Mapping[int, int]) -> None:
        weights = dict(zip(self.order, self.weights(), strict=True))
        for loser, lost in points.items():
            if loser in winners or loser not in weights:
                continue
            total = sum(weights.values()) - weights[loser]
            for other in self.order:
                if other != loser:
                    pair = self.sums[loser, other]
                    pair.paid_due += lost * weights[other] / total
                    if other in winners:
                        pair.paid += lost / len(winners)


@dataclass(frozen=True)
class DiscardFairPlay:
    """The fair-play part (`Game.fair_play`) of a game with discards."""

    reading: Callable[[Mapping[str, Any], defaultdict[Pair, Sums]], DealReading]
    # Raise it when the same match would give other sums.
    version: int = 1

    def compute_sums(self, records: Sequence[Mapping[str, Any]]) -> dict[Pair, PairSums]:
        """See `games.engine.game.FairPlay`."""
        sums: defaultdict[Pair, Sums] = defaultdict(Sums)
        for record in records:
            self.reading(record, sums).read()
        return _finish_sums(sums)

    def list_deliveries(self, record: Mapping[str, Any], giver: int, taker: int) -> list[Delivery]:
        """See `games.engine.game.FairPlay`."""
        reading = self.reading(record, defaultdict(Sums))
        reading.read()
        return [
            _make_delivery(thrown, was_taken)
            for thrown, was_taken in reading.deliveries
            if (thrown.giver, thrown.taker) == (giver, taker)
        ]


def list_alternatives(prices: Mapping[int, float], thrown: int) -> list[int]:
    """Return the possible discards that would have cost at most `CHEAP` points more than the cheapest one.

    `prices` is what each possible discard costs. Cards with the face of the card `thrown` are left out.
    """
    if not prices:
        return []
    most = min(prices.values()) + CHEAP
    return [
        card for card, price in prices.items() if price <= most and card % FACES != thrown % FACES
    ]


def _list_others(place: int, playing: Sequence[bool]) -> list[int]:
    """Return the indexes of the other players still in the deal, in the order of play after `place`."""
    count = len(playing)
    later = ((place + more) % count for more in range(1, count))
    return [other for other in later if playing[other]]


def _subtract_means(beyond: Mapping[int, float]) -> dict[int, float]:
    """Return each opponent's value less the mean of the other opponents' values. The results add up to zero."""
    total, others = sum(beyond.values()), len(beyond) - 1
    return {seat: worth - (total - worth) / others for seat, worth in beyond.items()}


def _finish_sums(sums: Mapping[Pair, Sums]) -> dict[Pair, PairSums]:
    fed = {pair: made.labels.get(pair[1], 0.0) for pair, made in sums.items()}
    finished = {}
    for (giver, taker), made in sums.items():
        spared = sum(fed[one, other] for one, other in sums if one == giver and other != taker)
        finished[giver, taker] = PairSums(
            feeding=round(fed[giver, taker], 3),
            feeding_others=tuple(
                round(worth, 3) for seat, worth in sorted(made.labels.items()) if seat != taker
            ),
            withheld=round(-spared, 3),
            loss=round(made.loss, 3),
            decisions=made.decisions,
            offered=made.offered,
            picked=made.picked,
            picks_due=round(made.picks_due, 3),
            paid=round(made.paid, 3),
            paid_due=round(made.paid_due, 3),
        )
    return finished


def _make_delivery(thrown: _Thrown, was_taken: bool) -> Delivery:  # noqa: FBT001 - one of a pair
    return Delivery(
        step=thrown.step,
        card=write_card(thrown.card),
        giver_hand=_sort_hand(thrown.hand),
        taker_hand=_sort_hand(thrown.taker_hand),
        usefulness=round(thrown.usefulness),
        beyond=round(thrown.beyond.get(thrown.taker, 0.0), 2),
        was_taken=was_taken,
    )


def _sort_hand(hand: Sequence[int]) -> tuple[str, ...]:
    """Return the hand as text, by suit from the ace up, printed jokers last."""
    return tuple(write_card(card) for card in sorted(hand, key=lambda card: card % FACES))
