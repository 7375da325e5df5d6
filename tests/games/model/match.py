"""The model's match: deals, breaks and questions until it is won (R5.4 to R10.4)."""

from fractions import Fraction
from typing import Any

from games.indian.rules.ruleset import RuleSet
from tests.games.model import cards as deck
from tests.games.model import ranks
from tests.games.model.deal import Deal, Event, Move, Player, Refused, require
from tests.games.model.ranks import Member

_IN_DEAL = ("draw", "discard", "finish", "drop", "declare", "show", "arrange")


class ModelMatch:
    def __init__(
        self, rules: RuleSet, seats: tuple[int, ...], seed: bytes, now: int, *, toss: bool
    ) -> None:
        self.rules = rules
        self.events: list[Event] = []
        drawn = deck.toss(seats, seed) if toss else None
        order = [seat for seat, _ in drawn] if drawn else list(seats)
        chips = rules.chips_per_deal * (rules.deals or 0)
        # All players who began the match, in order of play.
        brought = rules.stacks or (chips,) * (max(order) + 1)
        self.members = {seat: Member(seat, brought[seat]) for seat in order}
        self.number, self.tie_breaker = 0, False
        self.due_at: int | None = None
        self.waiting: list[int] = []
        self.rejoin_score: int | None = None
        self.asker: int | None = None
        self.may_offer = True
        self.winners: list[int] = []
        self.parts: dict[int, Fraction] = {}
        if drawn:
            told = [{"seat": seat, "card": card} for seat, card in drawn]
            self.tell("toss", cards=told)
        self.begin_deal(order, seed, now, drawn)

    # State.

    def tell(self, kind: str, **data: Any) -> None:
        self.events.append({"kind": kind, **data})

    @property
    def staying(self) -> list[Member]:
        return [one for one in self.members.values() if one.is_in]

    @property
    def is_waiting(self) -> bool:
        return self.stage in ("between", "rejoin", "split")

    @property
    def deadline(self) -> int | None:
        return self.due_at if self.is_waiting else self.deal.deadline

    @property
    def acting(self) -> list[int]:
        if self.stage == "deal":
            return self.deal.acting
        return list(self.waiting)

    def split_parts(self) -> dict[int, Fraction] | None:
        """R8.4, R8.5: return the shares of a split by seat, or None if no split is possible."""
        began, left = len(self.members), len(self.staying)
        allowed = left in (2, 3) if began > 3 else (began, left) == (3, 2)
        if self.rules.split_began == "any":
            allowed = left in (2, 3)
        if not self.rules.split or not allowed:
            return None
        sharers = [
            ranks.Sharer(one.seat, one.score, ranks.count_drops_left(one.score, self.rules))
            for one in self.staying
        ]
        entries = sum(one.entries for one in self.members.values())
        return ranks.divide_shares(sharers, entries, self.rules.split_rest)

    @property
    def may_offer_split(self) -> bool:
        return self.stage == "between" and self.may_offer and self.split_parts() is not None

    # Deals.

    def begin_deal(
        self, order: list[int], seed: bytes, now: int, drawn: list[tuple[int, str]] | None = None
    ) -> None:
        self.number += 1
        self.stage, self.due_at = "deal", None
        self.deal = Deal(self.rules, list(order), seed, now, not self.tie_breaker, drawn)
        self.go_on_after_step(now)

    def go_on_after_step(self, now: int) -> None:
        self.events += self.deal.events
        self.deal.events = []
        if self.deal.phase == "over" and self.stage == "deal":
            self.count_deal()
            self.end_or_go_on(now)

    def count_deal(self) -> None:
        """R8.1, R9.1, R10.4: add the deal's points to the scores, and move the chips won."""
        deal, points = self.deal, {one.seat: one.points or 0 for one in self.deal.players}
        if self.tie_breaker and self.rules.qualifiers is not None:
            for seat, count in points.items():
                self.members[seat].ties += (count,)
            return
        for seat, count in points.items():
            member = self.members[seat]
            member.score += count
            member.deals_won += seat in deal.winners
        if self.rules.chips_per_deal:
            stake = self.rules.point_chips
            won = stake * sum(points.values())
            for seat, count in points.items():
                self.members[seat].chips -= stake * count
            for place, seat in enumerate(deal.winners):
                share, odd = divmod(won, len(deal.winners))
                self.members[seat].chips += share + (place < odd)

    def eliminate(self) -> list[int]:
        if self.rules.elimination_score is None:
            return []
        out = [one.seat for one in self.staying if ranks.is_out(one.score, self.rules)]
        for seat in out:
            self.members[seat].membership = "eliminated"
            self.members[seat].last_deal = self.number
        if out:
            self.tell("eliminated", seats=out)
        return out

    def end_or_go_on(self, now: int) -> None:
        out = self.eliminate()
        if self.is_decided():
            self.end()
        elif out and self.may_rejoin():
            self.ask_rejoin(out, now)
        else:
            self.begin_break(now)

    def is_decided(self) -> bool:
        """Return whether the match is decided, now that a deal is over."""
        most = 1 if self.rules.elimination_score is None else self.rules.qualifiers or 1
        if len(self.staying) <= most:  # R10.13
            return True
        if self.rules.deals is None or self.number < self.rules.deals:
            return False
        if not self.rules.chips_per_deal:
            return True
        return not ranks.list_undecided(list(self.members.values()), self.rules)

    # Breaks and questions.

    def begin_break(self, now: int) -> None:
        self.waiting, self.asker, self.rejoin_score = [], None, None
        if self.is_settled_by_split():
            return
        self.stage = "between"
        self.due_at = now + self.rules.break_seconds * 1000
        self.tie_breaker = self.rules.deals is not None and self.number >= self.rules.deals
        self.tell("deal_due", due_at=self.due_at, tie_breaker=self.tie_breaker)

    def is_settled_by_split(self) -> bool:
        """R8.6: end the match by an automatic split if no player has a drop left. Return whether it ended."""
        parts = self.split_parts() if self.rules.equal_split == "forced" else None
        if parts is None or any(
            ranks.count_drops_left(one.score, self.rules) for one in self.staying
        ):
            return False
        self.end(parts)
        return True

    def may_rejoin(self) -> bool:
        most = self.rules.rejoin_score
        return most is not None and max(one.score for one in self.staying) <= most

    def ask_rejoin(self, out: list[int], now: int) -> None:
        """R8.2: ask the players who are out whether they rejoin."""
        self.stage, self.waiting = "rejoin", out
        self.rejoin_score = max(one.score for one in self.staying) + 1
        self.due_at = now + self.rules.rejoin_seconds * 1000
        self.tell("rejoin_open", seats=out, score=self.rejoin_score, due_at=self.due_at)

    def play_rejoin(self, seat: int, move: Move, now: int) -> None:
        require(self.stage == "rejoin" and seat in self.waiting, "not_asked")
        self.check_time(now)
        self.waiting = [one for one in self.waiting if one != seat]
        if move["accept"]:
            member = self.members[seat]
            assert self.rejoin_score is not None
            member.membership, member.score = "in", self.rejoin_score
            member.entries += 1
            member.last_deal = None
            self.tell("rejoined", seat=seat, score=self.rejoin_score)
        else:
            self.tell("rejoin_declined", seat=seat)
        self.go_on_after_answer(now)

    def go_on_after_answer(self, now: int) -> None:
        if not self.waiting:
            self.may_offer = True
            self.begin_break(now)

    def check_time(self, now: int) -> None:
        assert self.due_at is not None
        require(now < self.due_at, "time_is_up")

    def play_offer_split(self, seat: int, _move: Move, now: int) -> None:
        asks = seat in self.members and self.members[seat].is_in
        require(asks and self.may_offer_split, "split_not_possible")
        self.check_time(now)
        self.ask_split(seat, now)

    def ask_split(self, asker: int | None, now: int) -> None:
        parts = self.split_parts()
        assert parts is not None
        self.stage, self.asker, self.may_offer = "split", asker, False
        self.parts = parts
        self.waiting = [one.seat for one in self.staying if one.seat != asker]
        self.due_at = now + self.rules.split_seconds * 1000
        kind = "split_open" if asker is None else "split_offered"
        told = {} if asker is None else {"seat": asker}
        self.tell(
            kind, **told, parts={str(s): part for s, part in parts.items()}, due_at=self.due_at
        )

    def play_answer_split(self, seat: int, move: Move, now: int) -> None:
        require(self.stage == "split" and seat in self.waiting, "not_asked")
        self.check_time(now)
        self.tell("split_answered", seat=seat, accept=move["accept"])
        self.waiting = [one for one in self.waiting if one != seat]
        if not move["accept"]:
            self.close_split(now)
        elif not self.waiting:
            self.tell("split_closed", agreed=True)
            self.end(self.parts)

    def close_split(self, now: int) -> None:
        self.tell("split_closed", agreed=False)
        self.waiting, self.asker, self.parts = [], None, {}
        self.begin_break(now)

    # Moves and clocks.

    def play(self, seat: int, move: Move, now: int) -> None:
        if move["kind"] == "leave":
            self.leave(seat, now)
        elif move["kind"] in _IN_DEAL:
            self.play_in_deal(seat, move, now)
        else:
            require(self.stage != "over", "match_over")
            {
                "rejoin": self.play_rejoin,
                "offer_split": self.play_offer_split,
                "answer_split": self.play_answer_split,
            }[move["kind"]](seat, move, now)

    def play_in_deal(self, seat: int, move: Move, now: int) -> None:
        require(self.stage != "over", "match_over")
        require(self.stage == "deal", "deal_over")
        self.deal.play(self.find_player_in_deal(seat), move, now)
        self.go_on_after_step(now)

    def find_player_in_deal(self, seat: int) -> Player:
        player = self.deal.player(seat)
        if player is None:
            raise Refused("not_in_deal")
        require(player.how not in ("won", "shown", "saved"), "already_shown")
        require(player.status == "playing", "not_in_deal")
        return player

    def leave(self, seat: int, now: int) -> None:
        """R5.4: take a player out of the match."""
        require(seat in self.members, "not_in_deal")
        require(self.stage != "over", "match_over")
        member = self.members[seat]
        require(member.membership != "left", "already_left")
        was_in, member.membership = member.is_in, "left"
        if was_in:
            member.last_deal = self.number
        self.tell("left", seat=seat)
        if self.stage == "deal":
            player = self.deal.player(seat)
            if player is not None and player.status == "playing":
                self.deal.leave(player, now)
            self.go_on_after_step(now)
        elif was_in or seat in self.waiting:
            self.leave_between(seat, now)

    def leave_between(self, seat: int, now: int) -> None:
        self.waiting = [one for one in self.waiting if one != seat]
        if self.is_decided():
            self.end()
        elif self.stage == "rejoin":
            self.go_on_after_answer(now)
        elif self.stage == "split":
            self.close_split(now)
        else:
            self.is_settled_by_split()

    def expire(self, now: int, seed: bytes) -> None:
        deadline = self.deadline
        if deadline is None or now < deadline:
            return
        if self.stage == "deal":
            self.deal.expire(now)
            self.go_on_after_step(now)
        elif self.stage == "rejoin":
            self.waiting = []
            self.go_on_after_answer(now)
        elif self.stage == "split":
            self.close_split(now)
        else:
            self.may_offer = True
            self.turn_circle()
            playing = self.list_next_players()
            self.begin_deal([seat for seat in self.members if seat in playing], seed, now)

    def list_next_players(self) -> list[int]:
        if self.tie_breaker:
            return ranks.list_undecided(list(self.members.values()), self.rules)
        return [one.seat for one in self.staying]

    def rotate_seats(self) -> list[int]:
        """R4.1: return the next order of play. The first player deals next and plays last; seats that are out stay."""
        circle = list(self.members)
        after = circle.index(self.deal.order[0]) + 1
        return circle[after:] + circle[:after]

    def turn_circle(self) -> None:
        self.members = {seat: self.members[seat] for seat in self.rotate_seats()}

    def propose(self, now: int) -> bool:
        if not self.may_offer_split:
            return False
        self.ask_split(None, now)
        return True

    def conclude(self) -> bool:
        if self.stage != "between":
            return False
        self.end()
        return True

    def postpone(self, by_ms: int) -> None:
        if self.due_at is not None:
            self.due_at += by_ms
        self.deal.due_at += by_ms
        self.deal.started_at += by_ms

    # Endings.

    def end(self, parts: dict[int, Fraction] | None = None) -> None:
        self.stage, self.due_at, self.waiting = "over", None, []
        self.asker, self.rejoin_score = None, None
        if parts is not None:
            self.winners = sorted(parts)
        elif self.rules.deals == 1 and not self.rules.chips_per_deal:
            self.winners = sorted(self.deal.winners)
        else:
            members = list(self.members.values())
            self.winners = sorted(ranks.find_leaders(members, self.rules) or self.deal.winners)
        share = Fraction(1, len(self.winners))
        equal = {seat: share for seat in self.members if seat in self.winners}
        self.parts = equal if parts is None else parts
        self.tell("match_over", winners=list(self.winners))

    def rank_seats(self) -> dict[int, int]:
        return ranks.rank_members(list(self.members.values()), self.winners, self.rules)

    def find_order_of_next_match(self) -> list[int]:
        return [seat for seat in self.rotate_seats() if self.members[seat].membership != "left"]
