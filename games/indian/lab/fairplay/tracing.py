"""The sums of a match for every two of its players, and the discards behind them (docs/fair-play.md)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.analysis.report import Step, written
from games.cards import CARD_BY_TEXT, FACES
from games.engine.base import DEAL_ENDS
from games.engine.game import Delivery, PairSums
from games.indian.bots.playouts import Hands
from games.indian.lab.analysis.reading import Situation, at_the_beginning, situations
from games.indian.lab.fairplay.losses import Losses, weights_of_hands
from games.indian.rules.ruleset import HAND_SIZE

# More than this says no more of the intention.
MOST: Final = 15
# Points of one's own count that a discard may cost and still be an alternative.
CHEAP: Final = 5


def usefulness(hands: Hands, hand: Sequence[int], card: int) -> int:
    """Return the points by which the card lowers the least count of thirteen cards, at most `MOST`."""
    return min(MOST, hands.least(hand) - hands.best_of_fourteen([*hand, card])[0])


def counts_without(hands: Hands, hand: Sequence[int], kept: int | None) -> dict[int, int]:
    """Return, for each discard of fourteen cards, one of each face, the least count of the rest.

    Jokers, which nobody discards, and cards that may not be discarded (R4.5) are left out.
    """
    by_face = {card % FACES: card for card in hand if card != kept and not hands.is_joker(card)}
    return {
        card: hands.least([other for other in hand if other != card]) for card in by_face.values()
    }


def alternatives(counts: dict[int, int], thrown: int) -> list[int]:
    """Return the other discards that would have cost little."""
    if not counts:
        return []
    most = min(counts.values()) + CHEAP
    return [
        card for card, count in counts.items() if count <= most and card % FACES != thrown % FACES
    ]


def beyond_alternatives(
    hands: Hands, hand: Sequence[int], thrown: int, others: Sequence[int]
) -> float:
    """Return how much more useful to this hand the discard was than the mean alternative."""
    usual = sum(usefulness(hands, hand, card) for card in others) / len(others)
    return usefulness(hands, hand, thrown) - usual


# Raised when the same match would give other sums.
VERSION: Final = 1
# Two others at least, or nobody tells whom a card was for.
_OPPONENTS: Final = 2
# How often a discard is drawn by its usefulness, up to so many points: counted in 400 matches of bots.
_PICKS: Final = ((0, 0.1), (1, 0.15), (5, 0.73), (8, 0.84), (14, 0.96), (MOST, 0.99))

Pair = tuple[int, int]


@dataclass
class _Sums:
    """The running sums of one pair. `labels` are by the possible next player."""

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
    """A discard, with seats by their places. `beyond` is by opponent, empty without alternatives."""

    step: int
    card: int
    giver: int
    taker: int
    hand: tuple[int, ...]
    taker_hand: tuple[int, ...]
    usefulness: int
    beyond: Mapping[int, float]


class IndianFairPlay:
    """The fair play of 13-card Indian rummy, `Game.fair_play`."""

    version: int = VERSION

    def sums(self, records: Sequence[Mapping[str, Any]]) -> dict[Pair, PairSums]:
        """See `games.engine.game.FairPlay`."""
        sums: defaultdict[Pair, _Sums] = defaultdict(_Sums)
        for record in records:
            _Reading(record, sums).read()
        return _finished(sums)

    def deliveries(self, record: Mapping[str, Any], giver: int, taker: int) -> list[Delivery]:
        """See `games.engine.game.FairPlay`."""
        reading = _Reading(record, defaultdict(_Sums))
        reading.read()
        return [
            _delivery(thrown, was_taken)
            for thrown, was_taken in reading.deliveries
            if (thrown.giver, thrown.taker) == (giver, taker)
        ]


class _Reading:
    """The reading of one deal, move by move. Only the players' own moves count."""

    def __init__(self, record: Mapping[str, Any], sums: defaultdict[Pair, _Sums]) -> None:
        self.record = record
        self.sums = sums
        self.order: Sequence[int] = record["order"]
        begun = at_the_beginning(record)
        self.hands = Hands(begun.wild, begun.rules)
        self.begun = begun
        self.deliveries: list[tuple[_Thrown, bool]] = []
        self._thrown: _Thrown | None = None

    def read(self) -> None:
        for giver in self.order:
            for taker in self.order:
                if giver != taker:
                    self.sums[giver, taker]
        for number, step, situation in situations(self.record):
            kind = (step.get("move") or {}).get("kind")
            if kind == "discard" and situation.position.drawn is not None:
                self._discard(number, step, situation)
            elif kind == "draw":
                self._draw(step, situation)
            elif kind in ("drop", "leave", "declare"):
                self._out(step, situation)
            self._end(step)

    # --- Moves.

    def _discard(self, number: int, step: Step, situation: Situation) -> None:
        position = situation.position
        place, hand = position.turn, position.hands[position.turn]
        card = CARD_BY_TEXT[step["move"]["card"]]
        kept = None
        if position.from_open and not situation.rules.may_return_open_card:
            kept = position.drawn
        counts = counts_without(self.hands, hand, kept)
        self._lost(place, Losses(situation, self.hands, place).of_discard(card, counts), situation)
        opponents = _after(place, position.playing)
        if not opponents:
            return
        others = alternatives(counts, card)
        beyond = (
            {
                self.order[other]: beyond_alternatives(
                    self.hands, position.hands[other], card, others
                )
                for other in opponents
            }
            if others and len(opponents) >= _OPPONENTS
            else {}
        )
        taker_hand = position.hands[opponents[0]]
        self._thrown = _Thrown(
            step=number,
            card=card,
            giver=self.order[place],
            taker=self.order[opponents[0]],
            hand=tuple(hand),
            taker_hand=tuple(taker_hand),
            usefulness=usefulness(self.hands, taker_hand, card),
            beyond=_beside_each_other(beyond),
        )
        labels = self.sums[self._thrown.giver, self._thrown.taker].labels
        for label, worth in self._thrown.beyond.items():
            labels[label] += worth

    def _draw(self, step: Step, situation: Situation) -> None:
        thrown, self._thrown = self._thrown, None
        seat = self.order[situation.position.turn]
        if thrown is None or thrown.taker != seat or self.hands.is_joker(thrown.card):
            return
        was_taken = step["move"]["source"] == "open"
        pair = self.sums[thrown.giver, seat]
        pair.offered += 1
        pair.picked += was_taken
        pair.picks_due += _chance_to_pick(thrown.usefulness)
        self.deliveries.append((thrown, was_taken))

    def _out(self, step: Step, situation: Situation) -> None:
        for event in step["events"]:
            if event["kind"] == "dropped":
                place = self.order.index(event["seat"])
                if len(situation.position.hands[place]) == HAND_SIZE:
                    losses = Losses(situation, self.hands, place)
                    self._lost(place, losses.of_drop(event["points"]), situation)
            elif event["kind"] == "declared" and not event["valid"]:
                place = situation.position.turn
                points = situation.cost_of_wrong(situation.position.hands[place])
                self._lost(place, float(points), situation)

    def _lost(self, place: int, loss: float, situation: Situation) -> None:
        for other in _after(place, situation.position.playing):
            pair = self.sums[self.order[place], self.order[other]]
            pair.loss += loss
            pair.decisions += 1

    # --- The end.

    def _end(self, step: Step) -> None:
        for event in step["events"]:
            if event["kind"] == DEAL_ENDS:
                self._settle(event["winners"], {int(k): v for k, v in event["points"].items()})

    def _settle(self, winners: Sequence[int], points: Mapping[int, int]) -> None:
        weights = dict(zip(self.order, weights_of_hands(self.begun, self.hands), strict=True))
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


def _chance_to_pick(points: int) -> float:
    chances = [chance for most, chance in _PICKS if points <= most]
    return chances[0]


def _after(place: int, playing: Sequence[bool]) -> list[int]:
    """Return the other places still in play, the next one first."""
    count = len(playing)
    later = ((place + more) % count for more in range(1, count))
    return [other for other in later if playing[other]]


def _beside_each_other(beyond: Mapping[int, float]) -> dict[int, float]:
    """Return each opponent's value less the mean of the others. They add up to zero."""
    total, others = sum(beyond.values()), len(beyond) - 1
    return {seat: worth - (total - worth) / others for seat, worth in beyond.items()}


def _finished(sums: Mapping[Pair, _Sums]) -> dict[Pair, PairSums]:
    fed = {pair: made.labels.get(pair[1], 0.0) for pair, made in sums.items()}
    finished = {}
    for (giver, taker), made in sums.items():
        spared = sum(fed[giver, other] for other in _takers(sums, giver) if other != taker)
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


def _takers(sums: Mapping[Pair, _Sums], giver: int) -> Iterator[int]:
    return (taker for one, taker in sums if one == giver)


def _delivery(thrown: _Thrown, was_taken: bool) -> Delivery:  # noqa: FBT001 - one of a pair
    return Delivery(
        step=thrown.step,
        card=written(thrown.card),
        giver_hand=_sorted(thrown.hand),
        taker_hand=_sorted(thrown.taker_hand),
        usefulness=thrown.usefulness,
        beyond=round(thrown.beyond.get(thrown.taker, 0.0), 2),
        was_taken=was_taken,
    )


def _sorted(hand: Sequence[int]) -> tuple[str, ...]:
    """Sort by suit, each from its ace on; printed jokers last."""
    return tuple(written(card) for card in sorted(hand, key=lambda card: card % FACES))


FAIR_PLAY: Final = IndianFairPlay()
