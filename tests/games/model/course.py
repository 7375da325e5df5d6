"""The course of a match that a score sheet decides, as the models of several games have it.

A game's model says how its deal begins, what its moves do, and how deals and matches are counted.
"""

from collections.abc import Iterable
from typing import Any

from tests.games.model import cards as deck

Event = dict[str, Any]


class Refused(Exception):  # noqa: N818 - says what it is
    """Any of these codes is right."""

    def __init__(self, *codes: str) -> None:
        super().__init__(codes)
        self.codes = codes


class Deal:
    """A deal in turns. A seat has `seat`, `status` and `turns`."""

    def __init__(self, rules: Any, seats: Iterable[Any], now: int) -> None:
        self.rules, self.seats = rules, list(seats)
        self.turn, self.turn_number = 0, 1
        self.seats[0].turns = 1
        self.started_at, self.due_at = now, now + rules.turn_seconds * 1000
        self.how: str | None = None

    @property
    def at_turn(self) -> Any:
        return self.seats[self.turn]

    @property
    def playing(self) -> list[Any]:
        return [one for one in self.seats if one.status == "playing"]

    @property
    def deadline(self) -> int:
        due: int = self.due_at
        return due

    def seat(self, seat: int) -> Any | None:
        return next((one for one in self.seats if one.seat == seat), None)

    @property
    def next_place(self) -> int:
        place = (self.turn + 1) % len(self.seats)
        while self.seats[place].status != "playing":
            place = (place + 1) % len(self.seats)
        return place

    def is_at_limit(self, now: int) -> bool:
        """Return whether the next turn would exceed the minutes or turns of a deal."""
        is_late = now >= self.started_at + self.rules.max_minutes * 60_000
        return bool(is_late or self.seats[self.next_place].turns == self.rules.max_turns)

    def begin_turn(self, now: int, seconds: int) -> None:
        self.turn, self.turn_number = self.next_place, self.turn_number + 1
        self.at_turn.turns += 1
        self.due_at = now + seconds * 1000


class ModelMatch:
    """A match: a deal, a break, the next deal. The hooks are below."""

    deal: Any

    def __init__(
        self, rules: Any, seats: tuple[int, ...], seed: bytes, now: int, *, toss: bool
    ) -> None:
        self.rules, self.events = rules, list[Event]()
        order, self.toss = list(seats), None
        if toss:
            order, self.toss = self.draw_toss(seats, seed)
            self.tell("toss", cards=self.toss)
        self.members, self.left = order, list[int]()
        self.number, self.stage = 1, "deal"
        self.due_at: int | None = None
        self.sheet: list[dict[str, Any]] = []
        self.winners: list[int] = []
        self.begin(order, seed, now)

    def begin(self, order: list[int], seed: bytes, now: int) -> None:
        dealt = self.deal_cards(order, seed, now)
        self.tell("dealt", order=order, dealer=order[-1], **dealt)
        self.tell("turn", seat=order[0], due_at=self.deal.due_at)

    def tell(self, kind: str, **fields: Any) -> None:
        self.events.append({"kind": kind, **fields})

    # Hooks.

    def draw_toss(self, seats: tuple[int, ...], seed: bytes) -> tuple[list[int], Any]:
        """Return the order of play and the cards drawn for it, in that order."""
        raise NotImplementedError

    def deal_cards(self, order: list[int], seed: bytes, now: int) -> dict[str, Any]:
        """Set `deal`. Returns what its first event tells besides."""
        raise NotImplementedError

    def find_objections(self, one: Any, move: dict[str, Any], now: int) -> list[str]:
        """Return the codes of all that speaks against a move of a player in the deal."""
        raise NotImplementedError

    def run_out(self, one: Any, now: int, **left_open: Any) -> None:
        raise NotImplementedError

    def leave_deal(self, one: Any, now: int) -> None:
        raise NotImplementedError

    def find_winners(self, winners: list[int]) -> list[int]:
        """Return the winners of the match after a deal, or none."""
        raise NotImplementedError

    # Moves and time.

    def check(self, seat: int, move: dict[str, Any], now: int) -> None:
        if self.stage == "over":
            raise Refused("match_over")
        if move["kind"] == "leave":
            if seat not in self.members or seat in self.left:
                raise Refused("not_in_deal")
            return
        if self.stage != "deal":
            raise Refused("deal_over")
        one = self.deal.seat(seat)
        if one is None or one.status != "playing":
            raise Refused("not_in_deal")
        if codes := self.find_objections(one, move, now):
            raise Refused(*codes)

    def play(self, seat: int, move: dict[str, Any], now: int) -> None:
        """Play a move, or raise `Refused` before anything has changed."""
        self.check(seat, move, now)
        one = self.deal.seat(seat)
        if move["kind"] != "leave":
            getattr(self, f"_{move['kind']}")(one, move, now)
            return
        self.left.append(seat)
        self.tell("left", seat=seat)
        if self.stage == "deal" and one is not None and one.status == "playing":
            self.leave_deal(one, now)
        elif self.stage == "between" and len(self.staying) == 1:
            self.end_match(self.staying)

    def expire(self, now: int, seed: bytes, **left_open: Any) -> None:
        """`left_open` is what the game has chosen where the rules leave it open."""
        if self.stage == "between" and self.due_at is not None and now >= self.due_at:
            order = self.find_next_order()
            self.number, self.stage, self.due_at, self.toss = self.number + 1, "deal", None, None
            self.begin(order, seed, now)
        elif self.stage == "deal" and now >= self.deal.deadline:
            self.run_out(self.deal.at_turn, now, **left_open)

    def begin_turn(self, now: int, seconds: int | None = None) -> None:
        self.deal.begin_turn(now, seconds or self.rules.turn_seconds)
        self.tell("turn", seat=self.deal.at_turn.seat, due_at=self.deal.due_at)

    def postpone(self, by_ms: int) -> None:
        self.deal.started_at += by_ms
        self.deal.due_at += by_ms
        self.due_at = None if self.due_at is None else self.due_at + by_ms

    # The end.

    @property
    def staying(self) -> list[int]:
        return [seat for seat in self.members if seat not in self.left]

    def enter(self, line: dict[str, Any], now: int) -> None:
        """Enter a deal that is over in the sheet. End the match, or wait for the next deal."""
        self.sheet.append({"deal": self.number, "how": self.deal.how, **line})
        if decided := self.find_winners(line["winners"]):
            self.end_match(decided)
        else:
            self.stage, self.due_at = "between", now + self.rules.break_seconds * 1000
            self.tell("deal_due", due_at=self.due_at)

    def end_match(self, winners: list[int]) -> None:
        self.stage, self.due_at, self.winners = "over", None, list(winners)
        self.tell("match_over", winners=list(winners))

    def find_next_order(self) -> list[int]:
        """Return the next order: the player after the first one begins."""
        order = [one.seat for one in self.deal.seats]
        return [seat for seat in order[1:] + order[:1] if seat not in self.left]


def deal_in_turn(cards: list[str], order: list[int], size: int) -> list[list[str]]:
    """Return the hands, dealt one card at a time."""
    n = len(order)
    return [cards[at : n * size : n] for at in range(n)]


def draw_for_seats(tiles: list[str], seats: tuple[int, ...], seed: bytes) -> dict[int, str]:
    return dict(zip(seats, deck.shuffle(tiles, seed, "toss"), strict=False))
