"""The state of a deal, and how it begins. `moves` and `ending` change it."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from games.cards import FACES, Card, full_deck
from games.engine import piles
from games.engine.base import Instant, InvalidRules
from games.engine.codec import Value, replace
from games.engine.piles import dealt
from games.indian.rules.declaration import Groups
from games.indian.rules.melds import is_joker, wild_rank
from games.indian.rules.ruleset import HAND_SIZE, RuleSet


class Phase(StrEnum):
    TURN = "turn"
    DECLARE = "declare"
    SHOW = "show"
    OVER = "over"


class Status(StrEnum):
    """A player's standing in the deal."""

    PLAYING = "playing"
    DROPPED = "dropped"
    WRONG = "wrong"
    LEFT = "left"
    WON = "won"
    LOST = "lost"


class How(StrEnum):
    """The origin of a player's points."""

    FIRST_DROP = "first_drop"
    MIDDLE_DROP = "middle_drop"
    FULL_COUNT = "full_count"
    WRONG = "wrong"
    SHOWN = "shown"
    SAVED = "saved"
    BEST = "best"
    WON = "won"


class Ending(StrEnum):
    DECLARED = "declared"
    LAST_PLAYER = "last_player"
    LIMIT = "limit"
    WRONG = "wrong"


class Player(piles.Player, kw_only=True):
    status: Status = Status.PLAYING
    has_drawn: bool = False
    points: int | None = None
    how: How | None = None

    @property
    def is_playing(self) -> bool:
        return self.status is Status.PLAYING

    def out(self, status: Status, points: int, how: How) -> "Player":
        return replace(self, status=status, points=points, how=how)


class Declaration(Value):
    """The latest declaration of the deal. `reason` says why it was wrong."""

    seat: int
    groups: Groups
    reason: str | None = None
    failed_group: int | None = None


class Deal(piles.Deal, kw_only=True):
    players: tuple[Player, ...]
    wild: Card
    phase: Phase = Phase.TURN
    finish: Card | None = None
    declaration: Declaration | None = None
    ending: Ending | None = None
    restocks: int = 0

    @property
    def acting(self) -> tuple[int, ...]:
        if self.phase is Phase.SHOW:
            return tuple(player.seat for player in self.playing)
        return super().acting

    @property
    def deadline(self) -> Instant | None:
        """The end of the clock. A turn and its declaration have the player's extra time (R4.9)."""
        if self.phase is Phase.DECLARE:
            declarer: Player = self.at_turn
            return self.due_at + declarer.extra_ms
        return super().deadline

    @property
    def wild_rank(self) -> int | None:
        return wild_rank(self.wild)

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players if player.status is Status.WON)

    @property
    def open_drawable(self) -> bool:
        """R4.4: a joker can be drawn only as the very first open card, by the first player."""
        if not self.open_pile:
            return False
        return self.turn_number == 1 or not is_joker(self.open_pile[-1], self.wild_rank)

    def cards(self) -> Iterator[Card]:
        yield self.wild
        yield from super().cards()
        if self.finish is not None:
            yield self.finish


def deal_cards(rules: RuleSet, order: Sequence[int], seed: bytes) -> Deal:
    """Deal thirteen cards each, then the open card, the wild joker's indicator and the rest (R4.2)."""
    packs = rules.packs_at(len(order))
    if packs * FACES < len(order) * HAND_SIZE + 3:
        raise InvalidRules(f"{packs} packs are too few for {len(order)} players.")
    fields = dealt(Player, rules, full_deck(packs), order, HAND_SIZE, seed=seed)
    *rest, indicator = fields["closed"]
    return Deal(**{**fields, "closed": tuple(rest), "wild": indicator})
