"""One deal: what it consists of, how it begins and who is at turn.

What changes it is in `turns` (laying, drawing) and `exits` (time that runs out, leaving).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tables.games.base import Instant
from tables.games.cards import PRINTED_JOKER, Card, full_deck
from tables.games.rummikub import events
from tables.games.rummikub.events import Events
from tables.games.rummikub.melds import DECK, Melds, cards_of, count
from tables.games.rummikub.rulesets import RummikubRules
from tables.games.shuffle import shuffled

# K13: after so many turns in a row that ended by time the next one is short.
_MISSED_BEFORE_AWAY = 2


class Phase(StrEnum):
    TURN = "turn"
    OVER = "over"


class Status(StrEnum):
    PLAYING = "playing"
    OUT = "out"
    WON = "won"
    LOST = "lost"


class How(StrEnum):
    """How a deal ended."""

    LAID_OUT = "laid_out"  # K14: a rack is empty
    BLOCKED = "blocked"  # K14: the pool is empty and all have passed
    LIMIT = "limit"  # K17
    LAST_PLAYER = "last_player"  # K13


@dataclass(frozen=True, slots=True)
class Player:
    seat: int
    rack: tuple[Card, ...]
    has_opened: bool = False  # K7
    status: Status = Status.PLAYING
    # K12: the table that the player is building in this turn, and its revision.
    draft: Melds | None = None
    rev: int = 0
    missed: int = 0
    turns: int = 0
    # From the pool, at the end of the last turn.
    drawn: tuple[Card, ...] = ()
    # K15: what the deal has cost, once it is over.
    lost: int = 0

    @property
    def is_playing(self) -> bool:
        return self.status is Status.PLAYING

    def points(self, rules: RummikubRules) -> int:
        return count(self.rack, rules.joker_points)


@dataclass(frozen=True, slots=True)
class Laid:
    """What the last lay brought, for the others to see (K18)."""

    seat: int
    from_rack: tuple[Card, ...]
    moved: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Deal:
    seed: bytes
    # In order of play; the first began.
    players: tuple[Player, ...]
    table: Melds
    # The next tile to draw comes last.
    pool: tuple[Card, ...]
    started_at: Instant
    due_at: Instant
    toss: tuple[Card, ...] | None = None
    phase: Phase = Phase.TURN
    turn: int = 0  # index into players
    turn_number: int = 1
    # K14: turns in a row with nothing laid and nothing to draw.
    passes: int = 0
    last_lay: Laid | None = None
    how: How | None = None

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players)

    @property
    def at_turn(self) -> Player:
        return self.players[self.turn]

    @property
    def playing(self) -> tuple[Player, ...]:
        return tuple(player for player in self.players if player.is_playing)

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players if player.status is Status.WON)

    @property
    def deadline(self) -> Instant | None:
        """K12: there is no extra time."""
        return None if self.phase is Phase.OVER else self.due_at

    def is_late(self, now: Instant) -> bool:
        return self.phase is not Phase.OVER and now >= self.due_at

    def player(self, seat: int) -> Player | None:
        for player in self.players:
            if player.seat == seat:
                return player
        return None

    def with_player(self, changed: Player) -> "Deal":
        return replace(
            self,
            players=tuple(
                changed if player.seat == changed.seat else player for player in self.players
            ),
        )

    def cards(self) -> Iterator[Card]:
        """Every tile of the deal."""
        yield from self.pool
        yield from cards_of(self.table)
        for player in self.players:
            yield from player.rack


def toss_for_order(
    seats: Sequence[int], *, seed: bytes
) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """K2: one tile each, the highest begins and the others follow as they sit; the order of play,
    and the tiles in that order. Equal numbers go black, red, orange, blue."""
    tiles = [card for card in full_deck(1) if card.face != PRINTED_JOKER]
    drawn = shuffled(tiles, seed=seed, label="toss")[: len(seats)]
    place = drawn.index(min(drawn, key=lambda card: (-card.rank, card.suit)))
    return (*seats[place:], *seats[:place]), (*drawn[place:], *drawn[:place])


def deal_cards(
    rules: RummikubRules,
    order: Sequence[int],
    *,
    toss: tuple[Card, ...] | None,
    seed: bytes,
    now: Instant,
) -> tuple[Deal, Events]:
    """K3: one tile at a time in order of play; the rest is the pool."""
    deck = shuffled(DECK, seed=seed, label="deal")
    on_racks = len(order) * rules.rack_size
    players = tuple(
        Player(
            seat=seat,
            rack=tuple(sorted(deck[place : on_racks : len(order)])),
            turns=int(place == 0),
        )
        for place, seat in enumerate(order)
    )
    deal = Deal(
        seed=seed,
        players=players,
        table=(),
        # Drawn from the end of the tuple: the next tile is its last.
        pool=deck[: on_racks - 1 : -1],
        started_at=now,
        due_at=now + turn_ms(rules, players[0]),
        toss=toss,
    )
    begun = [events.dealt(order), events.turn(order[0], deal.due_at)]
    if toss is not None:
        begun.insert(0, events.toss(dict(zip(order, toss, strict=True))))
    return deal, tuple(begun)


def turn_ms(rules: RummikubRules, player: Player) -> int:
    """K12; K13: who has been silent twice is not waited for as long."""
    is_away = player.missed >= _MISSED_BEFORE_AWAY
    return 1000 * min(rules.turn_seconds, rules.away_seconds if is_away else rules.turn_seconds)
