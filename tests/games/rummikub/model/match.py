"""Whole matches by docs/rules-rummikub.md: turns, time, leaving, counting, sessions (K1 to K18)."""

from dataclasses import dataclass, field
from typing import Any

from games.rummikub.rules.ruleset import RummikubRules
from tests.games.model import cards as deck
from tests.games.model.driver import Event, Refused
from tests.games.rummikub.model.lays import JOKER, Judge, Wire, face, number

TILES = deck.packs_of(2)  # K1


@dataclass
class Seat:
    seat: int
    rack: list[str]
    opened: bool = False
    status: str = "playing"
    drawn: list[str] = field(default_factory=list)
    rev: int = 0
    draft: list[dict[str, Any]] | None = None
    missed: int = 0
    turns: int = 0
    lost: int = 0


class Deal:
    def __init__(self, rules: RummikubRules, order: list[int], seed: bytes, now: int) -> None:
        """K3: one tile at a time; the rest is the pool, its first tile next."""
        tiles, end = deck.shuffle(TILES, seed, "deal"), len(order) * rules.rack_size
        self.seats = [Seat(seat, tiles[at : end : len(order)]) for at, seat in enumerate(order)]
        self.rules, self.pool = rules, tiles[end:]
        self.turn, self.turn_number = 0, 1
        self.seats[0].turns = 1
        self.started_at, self.due_at = now, now + rules.turn_seconds * 1000
        self.how: str | None = None
        self.table: list[dict[str, Any]] = []
        self.last_lay: Event | None = None
        self.passes = 0

    @property
    def at_turn(self) -> Any:
        return self.seats[self.turn]

    @property
    def playing(self) -> list[Any]:
        return [one for one in self.seats if one.status == "playing"]

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

    def count(self, one: Seat) -> int:
        """K15."""
        return sum(
            self.rules.joker_points if face(tile) == JOKER else number(tile) for tile in one.rack
        )

    def judge(self, one: Seat, table: Wire) -> Judge:
        return Judge(self.table, table, one.rack, opened=one.opened, rules=self.rules)


class ModelMatch:
    """A match: a deal, a break, the next deal."""

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
        self.deal = Deal(self.rules, order, seed, now)
        self.tell("dealt", order=order, dealer=order[-1])
        self.tell("turn", seat=order[0], due_at=self.deal.due_at)

    def tell(self, kind: str, **fields: Any) -> None:
        self.events.append({"kind": kind, **fields})

    def draw_toss(self, seats: tuple[int, ...], seed: bytes) -> tuple[list[int], Any]:
        """K2: the highest begins; equal numbers black, red, orange, blue."""
        tiles = [tile for tile in deck.packs_of(1) if face(tile) != JOKER]
        drawn = dict(zip(seats, deck.shuffle(tiles, seed, "toss"), strict=False))
        best = min(seats, key=lambda seat: (-number(drawn[seat]), "SHDC".index(drawn[seat][1])))
        at = seats.index(best)
        order = [*seats[at:], *seats[:at]]
        return order, [{"seat": seat, "card": drawn[seat]} for seat in order]

    # Moves.

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

    def expire(self, now: int, seed: bytes) -> None:
        if self.stage == "between" and self.due_at is not None and now >= self.due_at:
            order = self.find_next_order()
            self.number, self.stage, self.due_at, self.toss = self.number + 1, "deal", None, None
            self.begin(order, seed, now)
        elif self.stage == "deal" and now >= self.deal.due_at:
            self.run_out(self.deal.at_turn, now)

    def begin_turn(self, now: int, seconds: int | None = None) -> None:
        self.deal.begin_turn(now, seconds or self.rules.turn_seconds)
        self.tell("turn", seat=self.deal.at_turn.seat, due_at=self.deal.due_at)

    def postpone(self, by_ms: int) -> None:
        self.deal.started_at += by_ms
        self.deal.due_at += by_ms
        self.due_at = None if self.due_at is None else self.due_at + by_ms

    def find_objections(self, one: Any, move: dict[str, Any], now: int) -> list[str]:
        if one is not self.deal.at_turn:
            return ["not_your_turn"]
        codes = list(getattr(self, f"_check_{move['kind']}")(one, move))
        # K12: there is no extra time.
        return [*codes, "time_is_up"] if now >= self.deal.due_at else codes

    def _check_lay(self, one: Seat, move: dict[str, Any]) -> list[str]:
        judge = self.deal.judge(one, move["table"])
        return [] if judge.is_valid else [*judge.possible]

    def _check_draw(self, _one: Seat, _move: dict[str, Any]) -> list[str]:
        return [] if self.deal.pool else ["pool_empty"]

    def _check_pass(self, _one: Seat, _move: dict[str, Any]) -> list[str]:
        return ["pool_not_empty"] if self.deal.pool else []

    def _check_arrange(self, one: Seat, move: dict[str, Any]) -> list[str]:
        if move["rev"] <= one.rev:
            return []
        there = {*one.rack, *(card for meld in self.deal.table for card in meld["cards"])}
        used = {card for meld in move["table"] or [] for card in meld["cards"]}
        return [] if used <= there else ["card_not_held"]

    def _arrange(self, one: Seat, move: dict[str, Any], _now: int) -> None:
        """K12: a newer revision wins."""
        if move["rev"] > one.rev:
            one.rev, one.draft = move["rev"], move["table"]

    def _lay(self, one: Seat, move: dict[str, Any], now: int) -> None:
        self._put_down(one, move["table"])
        if one.rack:
            self._end_turn(now)
        else:
            self._end_deal("laid_out", [one], now)

    def _put_down(self, one: Seat, table: Wire) -> None:
        judge = self.deal.judge(one, table)
        used = {card for meld in table for card in meld["cards"]}
        laid = [tile for tile in one.rack if tile in used]
        one.rack = [tile for tile in one.rack if tile not in used]
        one.missed, one.drawn = 0, []
        self.deal.table = [dict(meld) for meld in table]
        self.deal.passes = 0
        self.deal.last_lay = {"seat": one.seat, "from_rack": laid, "points": judge.points}
        self.tell("laid", **self.deal.last_lay)
        if not one.opened:
            one.opened = True
            self.tell("opened", seat=one.seat, points=judge.opening)

    def _draw(self, one: Seat, _move: dict[str, Any], now: int) -> None:
        one.missed = 0
        self._take(one, 1, "turn")
        self._end_turn(now)

    def _pass(self, one: Seat, _move: dict[str, Any], now: int) -> None:
        one.missed, one.drawn = 0, []
        self.deal.passes += 1
        self.tell("passed", seat=one.seat)
        self._end_turn(now)

    def _take(self, one: Seat, tiles: int, why: str) -> None:
        """K12: of a pool that has fewer, all of it."""
        pool = self.deal.pool
        one.drawn, self.deal.pool = pool[:tiles], pool[tiles:]
        one.rack = [*one.rack, *one.drawn]
        if one.drawn:
            self.deal.passes = 0
            self.tell("drawn", seat=one.seat, count=len(one.drawn), why=why)

    # Time (K12, K13, K17).

    def run_out(self, one: Any, now: int) -> None:
        draft = one.draft
        if draft is None or _list_together(draft) == _list_together(self.deal.table):
            self._miss(one, self.rules.overtime_tiles, "overtime", now)
        elif not self.deal.judge(one, draft).is_valid:
            self._miss(one, self.rules.invalid_tiles, "invalid", now)
        else:
            self._put_down(one, draft)
            if not one.rack:
                self._end_deal("laid_out", [one], now)
                return
            self._take(one, self.rules.overtime_tiles, "overtime")
            self._end_turn(now)

    def _miss(self, one: Seat, tiles: int, why: str, now: int) -> None:
        one.missed += 1
        self.tell("missed_turn", seat=one.seat, missed=one.missed)
        if one.missed >= self.rules.max_missed_turns:
            self.leave_deal(one, now)
            return
        could_draw = bool(self.deal.pool)
        self._take(one, tiles, why)
        self.deal.passes += not could_draw  # K14
        self._end_turn(now)

    def leave_deal(self, one: Any, now: int) -> None:
        """K13."""
        was_at_turn = one is self.deal.at_turn
        one.status, one.draft, one.drawn = "out", None, []
        self.tell("out", seat=one.seat)
        self.deal.passes = 0  # K14: the others are asked once more
        if len(self.deal.playing) == 1:
            self._end_deal("last_player", self.deal.playing, now)
        elif was_at_turn:
            self._end_turn(now)

    def _end_turn(self, now: int) -> None:
        deal = self.deal
        deal.at_turn.draft = None
        if deal.passes >= len(deal.playing):
            self._count_out("blocked", now)
        elif deal.is_at_limit(now):
            self._count_out("limit", now)
        else:
            following, seconds = deal.seats[deal.next_place], self.rules.turn_seconds
            following.draft = None
            is_away = following.missed >= 2
            self.begin_turn(now, min(seconds, self.rules.away_seconds) if is_away else seconds)

    # The end (K14 to K16).

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

    def _count_out(self, how: str, now: int) -> None:
        least = min(map(self.deal.count, self.deal.playing))
        winners = [one for one in self.deal.playing if self.deal.count(one) == least]
        self._end_deal(how, winners, now, less=least)

    def _end_deal(self, how: str, winners: list[Seat], now: int, less: int = 0) -> None:
        deal, cap = self.deal, self.rules.max_points
        deal.how = how
        for one in deal.seats:
            one.draft = None
            if one in winners:
                one.status = "won"
                continue
            lost = max(0, deal.count(one) - less)
            one.lost = lost if cap is None else min(lost, cap)
            one.status = "lost" if one.status == "playing" else one.status
        self.tell(
            "deal_over",
            winners=[one.seat for one in winners],
            points={str(one.seat): one.lost for one in deal.seats},
            how=how,
            counts={str(one.seat): deal.count(one) for one in deal.seats},
        )
        self.enter(self._line(winners), now)

    def _line(self, winners: list[Seat]) -> dict[str, Any]:
        deal = self.deal
        scores = {one.seat: -one.lost for one in deal.seats}
        won = sum(one.lost for one in deal.seats)
        for place, one in enumerate(winners):
            scores[one.seat] = won // len(winners) + (place < won % len(winners))
        return {
            "winners": [one.seat for one in winners],
            "counts": {str(one.seat): deal.count(one) for one in deal.seats},
            "scores": {str(seat): points for seat, points in scores.items()},
        }

    @property
    def totals(self) -> dict[int, int]:
        return {
            seat: sum(line["scores"].get(str(seat), 0) for line in self.sheet)
            for seat in self.members
        }

    @property
    def lost(self) -> dict[int, int]:
        lines = [line["scores"] for line in self.sheet]
        return {s: sum(max(0, -one.get(str(s), 0)) for one in lines) for s in self.members}

    def find_winners(self, winners: list[int]) -> list[int]:
        """K16."""
        if len(self.staying) > 1 and self.number < self.rules.deals:
            return []
        if self.rules.deals == 1 and self.rules.qualifiers is None:
            return winners
        merits = {seat: self._merit(seat) for seat in self.staying}
        return [seat for seat, merit in merits.items() if merit == max(merits.values())]

    def _merit(self, seat: int) -> tuple[int, ...]:
        if self.rules.qualifiers is None:
            return (self.totals[seat],)
        won = sum(seat in line["winners"] for line in self.sheet)
        held = self.sheet[-1]["counts"].get(str(seat), 0)
        place = [one.seat for one in self.deal.seats].index(seat)
        return self.totals[seat], won, -held, -place


def _list_together(table: Wire) -> set[frozenset[str]]:
    return {frozenset(meld["cards"]) for meld in table}
