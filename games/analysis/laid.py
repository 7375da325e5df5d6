"""Deals with melds on the table: the knowledge of a seat, and worlds sampled from it.

The experts of basic rummy and Contract Rummy value their moves in such worlds, and the analyses of finished deals judge
moves in them. A game provides fast playouts.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypeVar

from games.analysis.judging import Nets as NetsOf
from games.analysis.judging import Option
from games.cards import CARD_BY_TEXT
from games.engine.laid import Meld, cards_of_texts, find_certain_cards, read_melds

# Net points of every place at the table: losers pay theirs to the winners.
Nets = list[float]
# Cap on the draws counted as improvements of another player's hand; earlier ones say little about it.
_MOST_DRAWS: Final = 3
# Stands for "no limit" of buys.
UNLIMITED: Final = 1_000


@dataclass(slots=True)
class LaidPosition:
    """A running deal. The top card of a pile comes last, and a `place` is a player's index in the order of play."""

    hands: list[list[int]]
    closed: list[int]
    open_pile: list[int]
    melds: list[Meld]
    playing: list[bool]
    # Points lost by the places that are out.
    lost: list[int]
    # Turns begun by each place; whether it had laid something before this turn.
    turns: list[int]
    has_laid: list[bool]
    turn: int = 0
    drawn: int | None = None
    from_open: bool = False
    # Melds laid in this turn.
    laid: int = 0
    restocks: int = 0
    # Cards that each place may still buy (Contract Rummy).
    buys: list[int] = field(default_factory=list)


StateT = TypeVar("StateT")


class Playouts(Protocol[StateT]):
    """Plays deals of one game to their end. A `StateT` is a position in a form that the game can play fast."""

    def state(self, position: LaidPosition) -> StateT: ...

    def copy(self, state: StateT) -> StateT: ...

    def play_out(self, state: StateT, option: Option, place: int) -> Nets:
        """Return the net points of all players after the player at `place` takes this option. Uses up `state`."""

    def split_hand(
        self, hand: list[int], certain: int, size: int, *, has_laid: bool
    ) -> tuple[list[int], list[int]]:
        """Return the cards of `hand` that a player with a hand of this size would keep, and the rest.

        The first `certain` cards are always kept.
        """


@dataclass(slots=True)
class Known:
    """What one player knows of a deal.

    `position` has the player's own hand and, in the other hands, only the cards known to be there. `hidden` are the
    cards that the player does not see. `recycled` are hidden cards that have been in the open pile before a reshuffle.
    `sizes` are the sizes of all hands.
    """

    position: LaidPosition
    place: int
    sizes: Sequence[int]
    hidden: Sequence[int]
    recycled: frozenset[int]

    def sample_world(self, rng: random.Random, playouts: Playouts[Any]) -> LaidPosition:
        """Return a random world that agrees with this knowledge.

        Each player is assumed to have kept the better of the cards they drew. After a reshuffle the closed deck
        consists of cards seen in the open pile, and the other hidden cards lie in hands.
        """
        known = self.position
        hidden = list(self.hidden)
        rng.shuffle(hidden)
        if self.recycled:
            # Cards known to be in hands come last, because hands are dealt from there.
            hidden.sort(key=lambda card: card not in self.recycled)
        hands = [hand[:] for hand in known.hands]
        missing = [size - len(hand) for size, hand in zip(self.sizes, hands, strict=True)]
        draws = 0 if self.recycled else min(_MOST_DRAWS, (len(hidden) - sum(missing)) // len(hands))
        spare: list[int] = []
        for place, hand in enumerate(hands):
            if not missing[place]:
                continue
            certain, more = len(hand), min(draws, known.turns[place])
            hand += [hidden.pop() for _ in range(missing[place] + more)]
            if more:
                hands[place], rest = playouts.split_hand(
                    hand, certain, self.sizes[place], has_laid=known.has_laid[place]
                )
                spare += rest
        hidden += spare
        rng.shuffle(hidden)
        return replace(known, hands=hands, closed=hidden)

    def nets(self, playouts: Playouts[Any], rng: random.Random) -> NetsOf[Option]:
        """Return a function that plays options out and returns the net points of each for the player.

        Each call plays all its options in one newly sampled world.
        """

        def nets(options: Sequence[Option]) -> list[float]:
            state = playouts.state(self.sample_world(rng, playouts))
            nets = [
                playouts.play_out(playouts.copy(state), option, self.place) for option in options
            ]
            return [net[self.place] for net in nets]

        return nets


def build_known(
    position: LaidPosition,
    place: int,
    certain: Sequence[Sequence[int]],
    deck: Sequence[int],
    thrown: set[int],
) -> Known:
    """Return what the player at `place` knows in this position.

    `certain` has, for each hand, the cards that everybody has seen. `thrown` are all cards that have lain in the open
    pile.
    """
    sizes = [len(hand) for hand in position.hands]
    hands = [
        list(position.hands[other] if other == place else certain[other])
        for other in range(len(sizes))
    ]
    return _make_known(replace(position, hands=hands), place, sizes, deck, thrown)


def read_known(view: Mapping[str, Any], seat: int, deck: Callable[[int], Sequence[int]]) -> Known:
    """Return the knowledge of a seat from its view. `deck` returns the cards for a number of players."""
    public, own = view["public"], view["you"]
    order: Sequence[int] = public["order"]
    places, place = len(order), order.index(seat)
    players = [public["players"][str(other)] for other in order]
    number, drawn = public["turn_number"], own["drawn"]
    position = LaidPosition(
        hands=[
            list(cards_of_texts(own["hand"]))
            if other == seat
            else sorted(find_certain_cards(public, other))
            for other in order
        ],
        closed=[],
        open_pile=list(cards_of_texts(public["open_pile"])),
        melds=list(read_melds(public)),
        playing=[player["status"] in ("playing", "absent") for player in players],
        lost=[player["points"] or 0 for player in players],
        # Count as if nobody had left.
        turns=[(number + places - 1 - at) // places for at in range(places)],
        # Melds laid in this turn do not count.
        has_laid=[
            player["has_laid"] and not (other == public["turn"] and public["laid"])
            for other, player in zip(order, players, strict=True)
        ],
        turn=order.index(public["turn"]),
        drawn=None if drawn is None else CARD_BY_TEXT[drawn],
        from_open=own["from_open"],
        laid=public["laid"],
        restocks=public["restocks"],
        buys=[
            UNLIMITED if player.get("buys_left", 0) is None else player.get("buys_left", 0)
            for player in players
        ],
    )
    thrown: set[int] = {CARD_BY_TEXT[card] for _, card in public["discards"]}
    return _make_known(
        position, place, [player["cards"] for player in players], deck(places), thrown
    )


def _make_known(
    position: LaidPosition, place: int, sizes: Sequence[int], deck: Sequence[int], thrown: set[int]
) -> Known:
    seen = {*position.open_pile, *(card for meld in position.melds for card in meld.cards)}
    seen.update(card for hand in position.hands for card in hand)
    hidden = [card for card in deck if card not in seen]
    recycled = frozenset(thrown.intersection(hidden)) if position.restocks else frozenset[int]()
    return Known(position, place, sizes, hidden, recycled)
