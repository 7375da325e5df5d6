"""One deal, turn by turn (R3 to R6)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from games.indian.rules.ruleset import RuleSet
from tests.games.model import cards as deck
from tests.games.model import melds
from tests.games.model.counting import count_least

Move = dict[str, Any]
Event = dict[str, Any]


class Refused(Exception):  # noqa: N818 - says what it is
    """The model's refusal of a move."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def require(condition: object, code: str) -> None:
    if not condition:
        raise Refused(code)


@dataclass
class Player:
    seat: int
    groups: list[list[str]]
    extra_ms: int
    status: str = "playing"
    how: str | None = None
    points: int | None = None
    rev: int = 0
    turns: int = 0
    missed: int = 0
    has_drawn: bool = False
    # R4.7: the game arranges this hand. There are several best arrangements, so the model copies the game's.
    is_laid_by_game: bool = False
    least: int = 0

    @property
    def hand(self) -> list[str]:
        return [card for group in self.groups for card in group]

    def lose(self, card: str) -> None:
        left = [[one for one in group if one != card] for group in self.groups]
        self.groups = [group for group in left if group]


@dataclass
class Deal:
    rules: RuleSet
    order: list[int]
    seed: bytes
    now: int
    drops: bool
    toss: list[tuple[int, str]] | None = None
    phase: str = "turn"
    at: int = 0
    turn_number: int = 0
    due_at: int = 0
    drawn: str | None = None
    drawn_from_open: bool = False
    finish: str | None = None
    declaration: dict[str, Any] | None = None
    ending: str | None = None
    winners: list[int] = field(default_factory=list)
    discards: list[tuple[int, str]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    reshuffles: int = 0

    def __post_init__(self) -> None:
        packs = self.rules.packs_for_two if len(self.order) == 2 else self.rules.packs
        cards = deck.shuffle(deck.packs_of(packs), self.seed, "deal")
        hands = deck.HAND * len(self.order)
        self.players = [
            Player(
                seat,
                deck.sort_groups(cards[place : hands : len(self.order)]),
                self.rules.extra_seconds * 1000,
            )
            for place, seat in enumerate(self.order)
        ]
        self.open, self.turned_up = [cards[hands]], cards[hands + 1]
        self.closed = cards[hands + 2 :]
        self.wild = deck.wild_rank(self.turned_up)
        self.started_at = self.now
        self.tell(
            "dealt",
            order=list(self.order),
            dealer=self.order[-1],
            wild=self.turned_up,
            open=self.open[0],
        )
        self.begin_turn(0, self.now)

    # State.

    def tell(self, kind: str, **data: Any) -> None:
        self.events.append({"kind": kind, **data})

    def player(self, seat: int) -> Player | None:
        return next((one for one in self.players if one.seat == seat), None)

    @property
    def mover(self) -> Player:
        return self.players[self.at]

    @property
    def playing(self) -> list[Player]:
        return [one for one in self.players if one.status == "playing"]

    @property
    def deadline(self) -> int | None:
        if self.phase == "over":
            return None
        return self.due_at + (0 if self.phase == "show" else self.mover.extra_ms)

    @property
    def acting(self) -> list[int]:
        if self.phase == "over":
            return []
        return [one.seat for one in self.playing] if self.phase == "show" else [self.mover.seat]

    @property
    def open_drawable(self) -> bool:
        """R4.4: an open joker may be drawn only as the first card of the deal."""
        if not self.open:
            return False
        first = self.turn_number == 1 and not self.discards
        return first or not deck.is_joker(self.open[-1], self.wild)

    def drop_points(self, player: Player) -> int | None:
        if not self.drops or player.status != "playing":
            return None
        return self.rules.middle_drop if player.has_drawn else self.rules.first_drop

    # Turns.

    def begin_turn(self, at: int, now: int) -> None:
        player = self.players[at]
        is_late = now >= self.started_at + self.rules.max_minutes * 60_000
        if player.turns >= self.rules.max_turns or is_late:
            self.count_all()
            return
        if not self.closed:
            self.reshuffle()
        self.at, self.phase = at, "turn"
        player.turns += 1
        self.turn_number += 1
        self.drawn, self.drawn_from_open = None, False
        self.due_at = now + self.rules.turn_seconds * 1000
        self.tell("turn", seat=player.seat, due_at=self.due_at)

    def reshuffle(self) -> None:
        """R4.6: shuffle the open pile, without its top card, into a new closed deck."""
        self.reshuffles += 1
        under, self.open = self.open[:-1], self.open[-1:]
        self.closed = deck.shuffle(under, self.seed, f"reshuffle:{self.reshuffles}")[::-1]
        self.tell("reshuffled", count=len(self.closed))

    def begin_next_turn(self, now: int) -> None:
        if self.end_with_one():
            return
        size = len(self.players)
        places = [(self.at + step) % size for step in range(1, size + 1)]
        self.begin_turn(next(p for p in places if self.players[p].status == "playing"), now)

    def put_away(self, card: str) -> None:
        self.open.append(card)
        self.discards.append((self.mover.seat, card))
        self.tell("discarded", seat=self.mover.seat, card=card)

    def put_back_drawn(self) -> None:
        if self.phase == "turn" and self.drawn is not None:
            self.mover.lose(self.drawn)
            self.put_away(self.drawn)
            self.drawn, self.drawn_from_open = None, False

    def charge(self, now: int) -> None:
        """R4.9: deduct the time beyond the turn's limit from the player's extra time."""
        self.mover.extra_ms -= max(0, now - self.due_at)

    # Moves.

    def play(self, player: Player, move: Move, now: int) -> None:
        kind = move["kind"]
        if kind == "arrange":
            self.arrange(player, move)
        elif kind == "show":
            self.show(player, move, now)
        else:
            {
                "draw": self.draw,
                "discard": self.discard,
                "finish": self.put_finish,
                "drop": self.drop,
                "declare": self.declare,
            }[kind](player, move, now)

    def check_turn(self, player: Player, phase: str) -> None:
        require(self.phase == phase and self.mover is player, "not_your_turn")

    def check_time(self, now: int) -> None:
        assert self.deadline is not None
        require(now < self.deadline, "time_is_up")

    def check_step(self, player: Player, *, after_draw: bool) -> None:
        self.check_turn(player, "turn")
        require((self.drawn is not None) == after_draw, "wrong_step")

    def draw(self, player: Player, move: Move, now: int) -> None:
        self.check_step(player, after_draw=False)
        from_open = move["source"] == "open"
        if from_open:
            require(self.open, "open_pile_empty")
            require(self.open_drawable, "joker_not_drawable")
        self.check_time(now)
        card = self.open.pop() if from_open else self.closed.pop(0)
        self.drawn, self.drawn_from_open, player.has_drawn = card, from_open, True
        # R6.4: a drawn card is a group by itself.
        player.groups = [*player.groups, [card]]
        told = {"card": card} if from_open else {}
        self.tell("drawn", seat=player.seat, source=move["source"], **told)

    def discard(self, player: Player, move: Move, now: int) -> None:
        self.check_step(player, after_draw=True)
        card = move["card"]
        require(card in player.hand, "card_not_held")
        returns = self.drawn_from_open and card == self.drawn
        require(not returns or self.rules.may_return_open_card, "may_not_return_open_card")
        self.check_time(now)
        player.lose(card)
        self.charge(now)
        player.missed = 0
        self.drawn = None
        self.put_away(card)
        self.begin_next_turn(now)

    def put_finish(self, player: Player, move: Move, now: int) -> None:
        """R3.2: put a card aside to finish, and wait for the declaration."""
        self.check_step(player, after_draw=True)
        require(move["card"] in player.hand, "card_not_held")
        self.check_time(now)
        player.lose(move["card"])
        self.charge(now)
        self.finish, self.drawn, self.drawn_from_open = move["card"], None, False
        self.phase = "declare"
        self.due_at = now + self.rules.declare_seconds * 1000
        self.tell("finished", seat=player.seat, card=move["card"])

    def drop(self, player: Player, _move: Move, now: int) -> None:
        self.check_step(player, after_draw=False)
        require(self.drop_points(player) is not None, "drop_not_allowed")
        self.check_time(now)
        self.drop_out(player, "dropped")
        self.begin_next_turn(now)

    def drop_out(self, player: Player, status: str, *, is_missed: bool = False) -> None:
        has_drawn = player.has_drawn or is_missed
        points = self.rules.middle_drop if has_drawn else self.rules.first_drop
        player.how = "middle_drop" if has_drawn else "first_drop"
        if not self.drops or points is None:
            player.how, points = "full_count", self.rules.max_points
        player.status, player.points = status, points
        self.tell("dropped", seat=player.seat, points=points, how=player.how)

    def arrange(self, player: Player, move: Move) -> None:
        self.check_hand(player, move)
        if move["rev"] > player.rev:
            player.groups, player.rev = move["groups"], move["rev"]

    def check_hand(self, player: Player, move: Move) -> None:
        laid = [card for group in move["groups"] for card in group]
        require(Counter(laid) == Counter(player.hand), "groups_not_your_hand")

    # Declaring and showing.

    def declare(self, player: Player, move: Move, now: int) -> None:
        require(self.phase != "turn" or self.mover is not player, "wrong_step")
        self.check_turn(player, "declare")
        self.check_hand(player, move)
        self.check_time(now)
        self.charge(now)
        player.missed = 0
        player.groups = move["groups"]
        verdict = melds.judge(player.groups, self.wild, self.rules)
        self.tell_declared(player, verdict, has_laid=True)
        if verdict.reason is not None:
            self.declare_wrong(player, now)
            return
        player.status, player.points, player.how = "won", 0, "won"
        self.phase, self.due_at = "show", now + self.rules.show_seconds * 1000

    def tell_declared(
        self, player: Player, verdict: melds.Verdict, *, has_laid: bool = False
    ) -> None:
        told = {
            "seat": player.seat,
            "valid": verdict.reason is None,
            "reason": verdict.reason,
            "failed_group": verdict.failed_group,
        }
        self.declaration = {**told, "groups": player.groups if has_laid else []}
        self.tell("declared", **told)

    def declare_wrong(self, player: Player, now: int) -> None:
        """R3.4: charge the player for a wrong declaration."""
        assert self.finish is not None
        player.status = player.how = "wrong"
        player.points = self.rules.wrong_declaration_points
        if self.rules.wrong_declaration_counts == "hand":
            cards = sum(deck.value(card, self.wild) for card in player.hand)
            player.points = min(cards, self.rules.max_points)
        card, self.finish = self.finish, None
        self.put_away(card)
        if self.rules.wrong_declaration_ends_deal and len(self.playing) > 1:
            self.end("wrong", [one.seat for one in self.playing])
        else:
            self.begin_next_turn(now)

    def show(self, player: Player, move: Move, now: int) -> None:
        require(self.phase == "show", "wrong_step")
        self.check_hand(player, move)
        self.check_time(now)
        player.groups = move["groups"]
        self.count_shown(player, "shown")
        self.end_show()

    def count_shown(self, player: Player, how: str) -> None:
        """R3.6, R6.4: count the player's hand by its groups."""
        player.status, player.how = "lost", how
        if melds.judge(player.groups, self.wild, self.rules).reason is None:
            player.points = self.rules.second_valid_points
        else:
            player.points = melds.points_of(player.groups, self.wild, self.rules)
        self.tell("shown", seat=player.seat, points=player.points)

    def end_show(self) -> None:
        if not self.playing:
            assert self.declaration is not None
            self.end("declared", [self.declaration["seat"]])

    # Leaving and clocks.

    def leave(self, player: Player, now: int) -> None:
        """R5.3: take a player who is still in the deal out of it."""
        if self.phase == "show":
            self.count_shown(player, "saved")
            self.end_show()
        elif self.phase == "declare" and self.mover is player:
            self.tell_declared(player, melds.Verdict("left_before_declaring"))
            self.declare_wrong(player, now)
        elif self.mover is player:
            self.put_back_drawn()
            self.drop_out(player, "left")
            self.begin_next_turn(now)
        else:
            self.drop_out(player, "left")
            self.end_with_one()

    def expire(self, now: int) -> None:
        if self.phase == "show":
            for player in self.playing:
                self.count_shown(player, "saved")
            self.end_show()
            return
        player = self.mover
        player.extra_ms = 0
        if self.phase == "declare":
            self.tell_declared(player, melds.Verdict("not_declared_in_time"))
            self.declare_wrong(player, now)
        else:
            player.missed += 1
            self.tell("missed_turn", seat=player.seat, missed=player.missed)
            self.put_back_drawn()
            if player.missed >= self.rules.max_missed_turns:
                self.drop_out(player, "dropped", is_missed=True)
            self.begin_next_turn(now)

    # Endings.

    def end_with_one(self) -> bool:
        """R4.8: end the deal if only one player is left. Return whether it ended."""
        if len(self.playing) > 1:
            return False
        self.end("last_player", [one.seat for one in self.playing])
        return True

    def count_all(self) -> None:
        """R4.7: end the deal by counting every hand at its best."""
        playing = self.playing
        for player in playing:
            player.points = player.least = count_least(player.hand, self.wild, self.rules)
            player.how, player.is_laid_by_game = "best", True
        least = min(player.points or 0 for player in playing)
        self.end("limit", [one.seat for one in playing if one.points == least])

    def end(self, ending: str, winners: list[int]) -> None:
        self.phase, self.ending, self.winners = "over", ending, winners
        for player in self.players:
            if player.seat in winners:
                player.status, player.points = "won", 0
                player.how = "won"
            elif player.status == "playing":
                player.status = "lost"
        points = {str(one.seat): one.points for one in self.players}
        self.tell("deal_over", winners=list(winners), points=points)
