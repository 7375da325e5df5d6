"""Whole matches by docs/rules-basic.md: turns, the clock, leaving, counting, races (B1 to B16)."""

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from games.basic.rules.ruleset import BasicRules
from tests.games.basic.model.melds import count, find_least_loose, grow, kind_of, sort_meld, value
from tests.games.model import cards as deck
from tests.games.model import course

PACK = deck.packs_of(1)[:-1]  # B1
MISSING = ("card_not_held", "groups_not_your_hand")


@dataclass
class Seat:
    seat: int
    hand: list[str]
    extra_ms: int
    status: str = "playing"
    rev: int = 0
    missed: int = 0
    turns: int = 0
    laid_in: int | None = None
    taken: list[str] = field(default_factory=list)
    points: int | None = None


class Deal(course.Deal):
    """The hands of all players, and the limits at the end of a turn (B3, B7, B8)."""

    def __init__(self, rules: BasicRules, order: list[int], seed: bytes, now: int) -> None:
        size, cards = rules.hand_sizes[len(order) - 2], deck.shuffle(PACK, seed, "deal")
        hands, extra = course.deal_in_turn(cards, order, size), rules.extra_seconds * 1000
        super().__init__(rules, [Seat(*one, extra) for one in zip(order, hands, strict=True)], now)
        [upcard, *self.closed] = cards[size * len(order) :]
        self.seed, self.size, self.open_pile = seed, size, [upcard]
        self.discards: list[list[Any]] = []
        self.melds: list[dict[str, Any]] = []
        self.laid, self.restocks = 0, 0
        self.drawn: str | None = None
        self.from_open = False

    @property
    def deadline(self) -> int:
        """B14: the turn, and the stock of the player at turn beyond it."""
        due: int = self.due_at + self.at_turn.extra_ms
        return due

    @property
    def kept(self) -> str | None:
        """B7: what may not be discarded in this turn."""
        is_bound = self.from_open and not self.rules.may_return_open_card
        return self.drawn if is_bound else None

    def cap(self, points: int) -> int:
        """B12."""
        cap = self.rules.max_points
        return points if cap is None else min(points, cap)

    def can_end(self, rest: list[str], lying: list[dict[str, Any]]) -> bool:
        """B7, B8: a card may be discarded, or the last one can be laid."""
        must_discard = self.rules.must_discard_last
        if not rest:
            return not must_discard
        if set(rest) - {self.kept}:
            return True
        return not must_discard and any(grow(meld, rest, self.rules) for meld in lying)


class ModelMatch(course.ModelMatch):
    def draw_toss(self, seats: tuple[int, ...], seed: bytes) -> tuple[list[int], Any]:
        """B2: the highest first, the lowest deals; of equal ranks the later suit is lower."""
        drawn = course.draw_for_seats(PACK, seats, seed)

        def height(seat: int) -> tuple[int, int]:
            return deck.RANKS.index(drawn[seat][0]), -"SHDC".index(drawn[seat][1])

        order = sorted(seats, key=height, reverse=True)
        return order, [{"seat": seat, "card": drawn[seat]} for seat in order]

    def deal_cards(self, order: list[int], seed: bytes, now: int) -> dict[str, Any]:
        self.deal = Deal(self.rules, order, seed, now)
        # What the game threw for somebody silent: several cards may be as dear as any.
        self.thrown: str | None = None
        return {"open": self.deal.open_pile[0], "hand_size": self.deal.size}

    # Moves (B5 to B9).

    def find_objections(self, one: Any, move: dict[str, Any], now: int) -> list[str]:
        kind = move["kind"]
        if kind == "arrange":
            same = sorted(chain(*move["groups"])) == sorted(one.hand)
            return [] if same or move["rev"] <= one.rev else ["groups_not_your_hand"]
        if one is not self.deal.at_turn:
            return ["not_your_turn"]
        codes = list(getattr(self, f"_check_{kind}")(one, move))
        if now >= self.deal.deadline:
            codes.append("time_is_up")
        if (self.deal.drawn is None) != (kind == "draw"):
            codes.append("wrong_step")
        return codes

    def _check_draw(self, _one: Seat, move: dict[str, Any]) -> list[str]:
        has_none = move["source"] == "open" and not self.deal.open_pile
        return ["open_pile_empty"] if has_none else []

    def _check_meld(self, one: Seat, move: dict[str, Any]) -> list[str]:
        rules, deal, groups = self.rules, self.deal, move["groups"]
        codes = _check_held(one, list(chain(*groups)))
        if rules.melds_a_turn is not None and deal.laid + len(groups) > rules.melds_a_turn:
            codes.append("too_many_melds")
        if not all(kind_of(group, rules) for group in groups):
            codes.append("not_a_meld")
        if codes:
            return codes
        rest = [card for card in one.hand if card not in set(chain(*groups))]
        new = [{"kind": kind_of(group, rules), "cards": group} for group in groups]
        return [] if deal.can_end(rest, [*deal.melds, *new]) else ["must_keep_a_discard"]

    def _check_lay_off(self, one: Seat, move: dict[str, Any]) -> list[str]:
        deal, cards = self.deal, move["cards"]
        codes = _check_held(one, cards)
        if move["meld"] >= len(deal.melds):
            return [*codes, "no_such_meld"]
        meld = deal.melds[move["meld"]]
        if not grow(meld, cards, self.rules):
            codes.append("does_not_fit")
        if codes:
            return codes
        rest = [card for card in one.hand if card not in cards]
        longer = {**meld, "cards": sort_meld([*meld["cards"], *cards], meld["kind"], self.rules)}
        lying = [longer if other is meld else other for other in deal.melds]
        return [] if deal.can_end(rest, lying) else ["must_keep_a_discard"]

    def _check_discard(self, one: Seat, move: dict[str, Any]) -> list[str]:
        if move["card"] not in one.hand:
            return ["card_not_held"]
        return ["may_not_return_open_card"] if move["card"] == self.deal.kept else []

    def _arrange(self, one: Seat, move: dict[str, Any], _now: int) -> None:
        one.rev = max(one.rev, move["rev"])

    def _draw(self, one: Seat, move: dict[str, Any], _now: int) -> None:
        deal, from_open = self.deal, move["source"] == "open"
        card = deal.open_pile.pop() if from_open else deal.closed.pop(0)
        if from_open:
            one.taken.append(card)
        told = {"card": card} if from_open else {}
        self.tell("drawn", seat=one.seat, source=move["source"], **told)
        deal.drawn, deal.from_open = card, from_open
        one.hand.append(card)

    def _meld(self, one: Seat, move: dict[str, Any], now: int) -> None:
        first, new = len(self.deal.melds), []
        for group in move["groups"]:
            kind = str(kind_of(group, self.rules))
            cards = sort_meld(group, kind, self.rules)
            new.append({"kind": kind, "cards": cards, "by": [one.seat] * len(cards)})
        self.deal.melds += new
        self.deal.laid += len(new)
        self.tell("melded", seat=one.seat, first=first, melds=[dict(meld) for meld in new])
        self._end_laying(one, list(chain(*move["groups"])), now)

    def _lay_off(self, one: Seat, move: dict[str, Any], now: int) -> None:
        meld = self.deal.melds[move["meld"]]
        by = dict(zip(meld["cards"], meld["by"], strict=True))
        by |= dict.fromkeys(move["cards"], one.seat)
        cards = sort_meld([*meld["cards"], *move["cards"]], meld["kind"], self.rules)
        self.deal.melds[move["meld"]] = {**meld, "cards": cards, "by": [by[card] for card in cards]}
        self.tell("laid_off", seat=one.seat, meld=move["meld"], cards=move["cards"])
        self._end_laying(one, move["cards"], now)

    def _end_laying(self, one: Seat, cards: list[str], now: int) -> None:
        one.hand = [card for card in one.hand if card not in cards]
        one.laid_in = self.deal.turn_number if one.laid_in is None else one.laid_in
        if not one.hand:
            self._end_out(one, now)

    def _discard(self, one: Seat, move: dict[str, Any], now: int) -> None:
        one.extra_ms = max(0, one.extra_ms - max(0, now - self.deal.due_at))
        one.missed = 0
        self._throw(one, move["card"])
        self._end_turn(one, now)

    def _throw(self, one: Seat, card: str) -> None:
        one.hand.remove(card)
        self.deal.open_pile.append(card)
        self.deal.discards.append([one.seat, card])
        self.deal.drawn, self.deal.from_open = None, False
        self.tell("discarded", seat=one.seat, card=card)

    def _end_turn(self, one: Seat, now: int) -> None:
        if one.hand:
            self._pass(now)
        else:
            self._end_out(one, now)

    def _pass(self, now: int) -> None:
        """B10, B11: the next turn begins, or none does any more."""
        deal = self.deal
        if deal.is_at_limit(now):
            self._end_lowest("limit", now)
        elif not deal.closed and not self._restock():
            self._end_lowest("blocked", now)
        else:
            deal.laid, deal.drawn, deal.from_open = 0, None, False
            self.begin_turn(now)

    def _restock(self) -> bool:
        deal, how = self.deal, self.rules.restock
        below = deal.open_pile[:-1]
        if not below or how == "block" or deal.restocks == self.rules.max_restocks:
            return False
        deal.restocks += 1
        if how == "shuffle":
            # The game takes the last of the shuffled cards first.
            shuffled = deck.shuffle(below, deal.seed, f"reshuffle:{deal.restocks}")
            deal.closed = shuffled[::-1]
        else:
            deal.closed = below
        deal.open_pile = deal.open_pile[-1:]
        self.tell("reshuffled" if how == "shuffle" else "turned_over", count=len(below))
        return True

    # Time and leaving (B14, B15).

    def run_out(self, one: Any, now: int, **left_open: Any) -> None:
        self.thrown = left_open["thrown"]
        one.extra_ms = 0
        one.missed += 1
        self.tell("missed_turn", seat=one.seat, missed=one.missed)
        if one.missed >= self.rules.max_missed_turns:
            self._give_back(one)
            if not one.hand:
                self._end_out(one, now)
                return
            one.status, one.points = "dropped", self.deal.cap(count(one.hand))
            self.tell("dropped", seat=one.seat, points=one.points)
            self._go_on(one, now)
            return
        if self.deal.drawn is None:
            self._draw(one, {"source": "closed"}, now)
        if card := self._play_silent(one):
            self._throw(one, card)
        self._end_turn(one, now)

    def _play_silent(self, one: Seat) -> str | None:
        """The card drawn, or the dearest in no meld, or the dearest of all; which of several the
        game may choose."""
        allowed = [card for card in one.hand if card != self.deal.kept]
        if not allowed:
            return None
        if self.deal.drawn in allowed:
            return str(self.deal.drawn)
        for loose in find_least_loose(one.hand, self.rules):
            among = [card for card in allowed if card in loose] or allowed
            dearest = max(map(value, among))
            if self.thrown in among and value(self.thrown or "") == dearest:
                return self.thrown
        return allowed[0]

    def _give_back(self, one: Seat) -> None:
        if self.deal.drawn in one.hand:
            self._throw(one, self.deal.drawn)

    def _go_on(self, one: Seat, now: int) -> None:
        if len(self.deal.playing) == 1:
            self._end({self.deal.playing[0].seat: 0}, self.deal.playing, "last_player", now)
        elif one is self.deal.at_turn:
            self._pass(now)

    def leave_deal(self, one: Any, now: int) -> None:
        if one is self.deal.at_turn:
            self._give_back(one)
        one.status = "left"
        one.points = self.deal.cap(max(count(one.hand), self.rules.leave_points))
        self._go_on(one, now)

    # The end (B11 to B13).

    def _end_out(self, one: Seat, now: int) -> None:
        is_first = one.laid_in == self.deal.turn_number and self.rules.rummy_factor > 1
        factor = self.rules.rummy_factor if is_first else 1
        lost = {s.seat: self.deal.cap(count(s.hand) * factor) for s in self.deal.playing}
        self._end(lost, [one], "rummy" if is_first else "out", now)

    def _end_lowest(self, how: str, now: int) -> None:
        counts = {one.seat: count(one.hand) for one in self.deal.playing}
        least = min(counts.values())
        winners = [one for one in self.deal.playing if counts[one.seat] == least]
        lost = {seat: self.deal.cap(held - least) for seat, held in counts.items()}
        self._end(lost, winners, how, now)

    def _end(self, lost: dict[int, int], winners: list[Seat], how: str, now: int) -> None:
        deal = self.deal
        for one in deal.seats:
            if one.seat in lost:
                one.points = lost[one.seat]
                one.status = "won" if one in winners else "lost"
        deal.how, deal.drawn, deal.from_open = how, None, False
        points = {str(one.seat): one.points or 0 for one in deal.seats}
        seats = [one.seat for one in winners]
        self.tell("deal_over", winners=seats, points=points, how=how)
        self.enter({"dealer": deal.seats[-1].seat, "winners": seats, "points": points}, now)

    @property
    def scores(self) -> dict[int, int]:
        scores = dict.fromkeys(self.members, 0)
        for line in self.sheet:
            won, number = sum(line["points"].values()), len(line["winners"])
            for place, seat in enumerate(line["winners"]):
                scores[seat] += won // number + (place < won % number)
        return scores

    @property
    def lost(self) -> dict[int, int]:
        lines = [line["points"] for line in self.sheet]
        return {seat: sum(one.get(str(seat), 0) for one in lines) for seat in self.members}

    def find_winners(self, winners: list[int]) -> list[int]:
        """B13."""
        rules = self.rules
        if rules.target is None:
            return winners
        if len(self.staying) == 1:
            return self.staying
        best = max(self.scores[seat] for seat in self.staying)
        ahead = [seat for seat in self.staying if self.scores[seat] == best]
        if rules.qualifiers is not None:
            ahead = sorted(ahead, key=self._merit)[:1]
        all_played = rules.deals is not None and len(self.sheet) >= rules.deals
        return ahead if (best >= rules.target or all_played) and len(ahead) == 1 else []

    def _merit(self, seat: int) -> tuple[int, ...]:
        won = sum(seat in line["winners"] for line in self.sheet)
        return -won, self.lost[seat], self.members.index(seat)

    def find_next_order(self) -> list[int]:
        """B2: of two the winner deals; otherwise the deal goes round."""
        order = [one.seat for one in self.deal.seats]
        winners = self.sheet[-1]["winners"] if self.deal.how else []
        if len(order) == 2 and len(winners) == 1:
            following = sorted(order, key=lambda seat: seat in winners)
            return [seat for seat in following if seat not in self.left]
        return super().find_next_order()


def _check_held(one: Seat, cards: list[str]) -> list[str]:
    if not cards:
        return ["nothing_laid"]
    return [] if len(set(cards)) == len(cards) and set(cards) <= set(one.hand) else [*MISSING]
