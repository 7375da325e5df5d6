"""One deal of Rummikub: the racks, the table and the pool, and how it begins (K2, K3)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, TypeAlias

from games.cards import PRINTED_JOKER, Card, full_deck
from games.engine import moves, state
from games.engine.state import Value
from games.rummikub.rules.melds import DECK, Meld, Melds, cards_of, count
from games.rummikub.rules.ruleset import RummikubRules
from games.shuffle import shuffle

# K13: after this many missed turns in a row the player's turns are short.
_MISSED_BEFORE_AWAY = 2


class Phase(StrEnum):
    TURN = "turn"
    OVER = "over"


class RummikubStatus(StrEnum):
    PLAYING = "playing"
    OUT = "out"
    WON = "won"
    LOST = "lost"


_PLAYING: Final = RummikubStatus.PLAYING


class RummikubEnding(StrEnum):
    """How a deal ended."""

    LAID_OUT = "laid_out"  # K14: a rack is empty
    BLOCKED = "blocked"  # K14: the pool is empty and all have passed
    LIMIT = "limit"  # K17
    LAST_PLAYER = "last_player"  # K13


class Player(state.Player, kw_only=True):
    rack: tuple[Card, ...]
    has_opened: bool = False  # K7
    status: RummikubStatus = RummikubStatus.PLAYING
    # K12: the table that the player is building in this turn. `rev` is its revision.
    draft: Melds | None = None
    # From the pool, at the end of the last turn.
    drawn: tuple[Card, ...] = ()
    # K15: the points lost by the deal, once it is over.
    lost: int = 0

    @property
    def is_playing(self) -> bool:
        return self.status is _PLAYING

    def points(self, rules: RummikubRules) -> int:
        return count(self.rack, rules.joker_points)


class LastLay(Value):
    """The most recent lay, as the other players may see it (K18)."""

    seat: int
    from_rack: tuple[Card, ...]
    moved: tuple[Card, ...]
    points: int


class Deal(state.Deal[Player], kw_only=True):
    players: tuple[Player, ...]
    table: Melds = ()
    # The next tile to draw comes last.
    pool: tuple[Card, ...]
    phase: Phase = Phase.TURN
    # K14: turns in a row with nothing laid and nothing to draw.
    passes: int = 0
    last_lay: LastLay | None = None
    how: RummikubEnding | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players if player.status is RummikubStatus.WON)

    def cards(self) -> Iterator[Card]:
        """Yield every tile of the deal."""
        yield from self.pool
        yield from cards_of(self.table)
        for player in self.players:
            yield from player.rack


Step: TypeAlias = moves.Step[state.Match[RummikubRules, Deal], Deal, Player, RummikubRules]


def toss_for_order(
    seats: Sequence[int], *, seed: bytes
) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """Draw one tile for each seat: the highest begins, and the others follow in the order of their seats (K2).

    Returns the order of play, and the tiles in that order. Equal numbers are ranked black, red, orange, blue.
    """
    tiles = [card for card in full_deck(1) if card.face != PRINTED_JOKER]
    drawn = shuffle(tiles, seed=seed, label="toss")[: len(seats)]
    place = drawn.index(min(drawn, key=lambda card: (-card.rank, card.suit)))
    return (*seats[place:], *seats[:place]), (*drawn[place:], *drawn[:place])


def deal_tiles(rules: RummikubRules, order: Sequence[int], seed: bytes) -> Deal:
    """Deal one tile at a time in order of play; the rest is the pool (K3)."""
    deck = shuffle(DECK, seed=seed, label="deal")
    on_racks = len(order) * rules.rack_size
    return Deal(
        seed=seed,
        players=tuple(
            Player(seat=seat, rack=tuple(sorted(deck[place : on_racks : len(order)])))
            for place, seat in enumerate(order)
        ),
        # Drawn from the end of the tuple: the next tile is its last.
        pool=deck[: on_racks - 1 : -1],
    )


def turn_seconds(rules: RummikubRules, player: Player) -> int:
    """Return the length of this player's turn (K12). It is shorter for a player who is away (K13)."""
    is_away = player.missed >= _MISSED_BEFORE_AWAY
    return min(rules.turn_seconds, rules.away_seconds) if is_away else rules.turn_seconds


def find_moved_tiles(before: Melds, after: Melds) -> set[Card]:
    """Return the tiles that lie in another meld than before (K18).

    If a meld was divided, the tiles of its larger part are treated as not moved. Adding a tile to a meld moves none of
    its other tiles.
    """
    places = {card: place for place, new in enumerate(after) for card in new.cards}
    shared = Counter(
        (old_place, places[card])
        for old_place, old in enumerate(before)
        for card in old.cards
        if card in places
    )
    stayed: set[Card] = set()
    seen_old: set[int] = set()
    seen_new: set[int] = set()
    for old_place, new_place in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        if old_place not in seen_old and new_place not in seen_new:
            seen_old.add(old_place)
            seen_new.add(new_place)
            stayed |= _find_shared(before[old_place], after[new_place])
    return set(cards_of(before)) - stayed


def _find_shared(old: Meld, new: Meld) -> set[Card]:
    """Return the tiles that are in both melds. A joker that now stands for another tile is not among them."""
    stands = dict(zip(old.cards, old.faces, strict=True))
    return {
        card for card, face in zip(new.cards, new.faces, strict=True) if stands.get(card) == face
    }
