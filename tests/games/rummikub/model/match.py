"""Whole matches by docs/rules-rummikub.md: turns, time, leaving, counting, sessions (K1 to K18)."""

from dataclasses import dataclass, field
from typing import Any

from games.rummikub.rules.ruleset import RummikubRules
from tests.games.model import cards as deck
from tests.games.model.driver import Refused
from tests.games.rummikub.model.lays import JOKER, Judge, Wire, face, number

Event = dict[str, Any]
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
        tiles = deck.shuffled(TILES, seed, "deal")
        n = len(order)
        size = rules.rack_size
        self.rules = rules
        self.seats = [Seat(seat, tiles[at : n * size : n]) for at, seat in enumerate(order)]
        self.pool = tiles[n * size :]
        self.table: list[dict[str, Any]] = []
        self.last_lay: Event | None = None
        self.turn = 0
        self.turn_number = 1
        self.seats[0].turns = 1
        self.started_at = now
        self.due_at = now + rules.turn_seconds * 1000
        self.passes = 0
        self.how: str | None = None

    @property
    def at_turn(self) -> Seat:
        return self.seats[self.turn]

    @property
    def playing(self) -> list[Seat]:
        return [one for one in self.seats if one.status == "playing"]

    def seat(self, seat: int) -> Seat | None:
        return next((one for one in self.seats if one.seat == seat), None)

    def count(self, one: Seat) -> int:
        """K15."""
        return sum(
            self.rules.joker_points if face(tile) == JOKER else number(tile) for tile in one.rack
        )

    def judge(self, one: Seat, table: Wire) -> Judge:
        return Judge(self.table, table, one.rack, opened=one.opened, rules=self.rules)


class ModelMatch:
    def __init__(
        self, rules: RummikubRules, seats: tuple[int, ...], seed: bytes, now: int, *, toss: bool
    ) -> None:
        self.rules = rules
        order, self.toss = list(seats), None
        self.events: list[Event] = []
        if toss:
            order, self.toss = _tossed(seats, seed)
            self.tell("toss", cards=self.toss)
        self.members = order
        self.left: list[int] = []
        self.number = 1
        self.stage = "deal"
        self.sheet: list[dict[str, Any]] = []
        self.winners: list[int] = []
        self.due_at: int | None = None
        self.deal = Deal(rules, order, seed, now)
        self._begin()

    def tell(self, kind: str, **fields: Any) -> None:
        self.events.append({"kind": kind, **fields})

    def _begin(self) -> None:
        order = [one.seat for one in self.deal.seats]
        self.tell("dealt", order=order, dealer=order[-1])
        self.tell("turn", seat=order[0], due_at=self.deal.due_at)

    # Moves.

    def play(self, seat: int, move: dict[str, Any], now: int) -> None:
        kind = move["kind"]
        if kind == "leave":
            self.leave(seat, now)
            return
        if self.stage == "over":
            raise Refused("match_over")
        if self.stage == "between":
            raise Refused("deal_over")
        one = self.deal.seat(seat)
        if one is None or one.status != "playing":
            raise Refused("not_in_deal")
        if one is not self.deal.at_turn:
            raise Refused("not_your_turn")
        codes = list(getattr(self, f"_why_not_{kind}")(one, move))
        if now >= self.deal.due_at:
            codes = [*codes, "time_is_up"]  # K12: there is no extra time
        if codes:
            raise Refused(*codes)
        getattr(self, f"_{kind}")(one, move, now)

    def _why_not_lay(self, one: Seat, move: dict[str, Any]) -> list[str]:
        judge = self.deal.judge(one, move["table"])
        return [] if judge.is_valid else [*judge.possible]

    def _why_not_draw(self, _one: Seat, _move: dict[str, Any]) -> list[str]:
        return [] if self.deal.pool else ["pool_empty"]

    def _why_not_pass(self, _one: Seat, _move: dict[str, Any]) -> list[str]:
        return ["pool_not_empty"] if self.deal.pool else []

    def _why_not_arrange(self, one: Seat, move: dict[str, Any]) -> list[str]:
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

    def expire(self, now: int, seed: bytes) -> None:
        if self.stage == "between" and self.due_at is not None and now >= self.due_at:
            order = self.next_order()
            self.deal = Deal(self.rules, order, seed, now)
            self.number, self.stage, self.due_at, self.toss = self.number + 1, "deal", None, None
            self._begin()
        elif self.stage == "deal" and now >= self.deal.due_at:
            self._run_out(self.deal.at_turn, now)

    def _run_out(self, one: Seat, now: int) -> None:
        draft = one.draft
        if draft is None or _together(draft) == _together(self.deal.table):
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
            self._drop_out(one, now)
            return
        could_draw = bool(self.deal.pool)
        self._take(one, tiles, why)
        self.deal.passes += not could_draw  # K14
        self._end_turn(now)

    def _drop_out(self, one: Seat, now: int) -> None:
        was_at_turn = one is self.deal.at_turn
        one.status, one.draft, one.drawn = "out", None, []
        self.tell("out", seat=one.seat)
        self.deal.passes = 0  # K14: the others are asked once more
        if len(self.deal.playing) == 1:
            self._end_deal("last_player", self.deal.playing, now)
        elif was_at_turn:
            self._end_turn(now)

    def leave(self, seat: int, now: int) -> None:
        """K13."""
        if self.stage == "over":
            raise Refused("match_over")
        if seat not in self.members or seat in self.left:
            raise Refused("not_in_deal")
        self.left.append(seat)
        self.tell("left", seat=seat)
        one = self.deal.seat(seat)
        if self.stage == "deal" and one is not None and one.status == "playing":
            self._drop_out(one, now)
        elif self.stage == "between" and len(self.staying) == 1:
            self._end_match(self.staying)

    def _end_turn(self, now: int) -> None:
        deal = self.deal
        deal.at_turn.draft = None
        if deal.passes >= len(deal.playing):
            self._count_out("blocked", now)
            return
        place = (deal.turn + 1) % len(deal.seats)
        while deal.seats[place].status != "playing":
            place = (place + 1) % len(deal.seats)
        following = deal.seats[place]
        too_late = now >= deal.started_at + self.rules.max_minutes * 60_000
        if following.turns == self.rules.max_turns or too_late:
            self._count_out("limit", now)
            return
        following.turns += 1
        following.draft = None
        seconds = self.rules.turn_seconds
        if following.missed >= 2:
            seconds = min(seconds, self.rules.away_seconds)
        deal.turn, deal.turn_number = place, deal.turn_number + 1
        deal.due_at = now + seconds * 1000
        self.tell("turn", seat=following.seat, due_at=deal.due_at)

    # The end (K14 to K16).

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
        self.sheet.append(self._line(how, winners))
        if len(self.staying) == 1 or self.number == self.rules.deals:
            self._end_match(self._decided(winners))
        else:
            self.stage, self.due_at = "between", now + self.rules.break_seconds * 1000
            self.tell("deal_due", due_at=self.due_at)

    def _line(self, how: str, winners: list[Seat]) -> dict[str, Any]:
        deal = self.deal
        scores = {one.seat: -one.lost for one in deal.seats}
        won = sum(one.lost for one in deal.seats)
        for place, one in enumerate(winners):
            scores[one.seat] = won // len(winners) + (place < won % len(winners))
        return {
            "deal": self.number,
            "how": how,
            "winners": [one.seat for one in winners],
            "counts": {str(one.seat): deal.count(one) for one in deal.seats},
            "scores": {str(seat): points for seat, points in scores.items()},
        }

    @property
    def staying(self) -> list[int]:
        return [seat for seat in self.members if seat not in self.left]

    @property
    def totals(self) -> dict[int, int]:
        return {
            seat: sum(line["scores"].get(str(seat), 0) for line in self.sheet)
            for seat in self.members
        }

    def _decided(self, winners: list[Seat]) -> list[int]:
        """K16."""
        if self.rules.deals == 1 and self.rules.qualifiers is None:
            return [one.seat for one in winners]
        merits = {seat: self._merit(seat) for seat in self.staying}
        return [seat for seat, merit in merits.items() if merit == max(merits.values())]

    def _merit(self, seat: int) -> tuple[int, ...]:
        if self.rules.qualifiers is None:
            return (self.totals[seat],)
        won = sum(seat in line["winners"] for line in self.sheet)
        held = self.sheet[-1]["counts"].get(str(seat), 0)
        place = [one.seat for one in self.deal.seats].index(seat)
        return self.totals[seat], won, -held, -place

    def _end_match(self, winners: list[int]) -> None:
        self.stage, self.due_at, self.winners = "over", None, list(winners)
        self.tell("match_over", winners=list(winners))

    def next_order(self) -> list[int]:
        """K2: the player after the one who began begins."""
        order = [one.seat for one in self.deal.seats]
        return [seat for seat in order[1:] + order[:1] if seat not in self.left]

    def postpone(self, by_ms: int) -> None:
        self.deal.started_at += by_ms
        self.deal.due_at += by_ms
        if self.due_at is not None:
            self.due_at += by_ms


def _tossed(seats: tuple[int, ...], seed: bytes) -> tuple[list[int], list[dict[str, Any]]]:
    """K2: the highest begins; equal numbers black, red, orange, blue."""
    tiles = [tile for tile in deck.packs_of(1) if face(tile) != JOKER]
    drawn = dict(zip(seats, deck.shuffled(tiles, seed, "toss"), strict=False))
    best = min(seats, key=lambda seat: (-number(drawn[seat]), "SHDC".index(drawn[seat][1])))
    at = seats.index(best)
    order = [*seats[at:], *seats[:at]]
    return order, [{"seat": seat, "card": drawn[seat]} for seat in order]


def _together(table: Wire) -> set[frozenset[str]]:
    return {frozenset(meld["cards"]) for meld in table}
