"""One match after another, with what happened in them counted."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.indian.rules.ruleset import PRESETS, RuleSet, rules_changes
from tests.games.driving import seed_of
from tests.games.indian.scenes import NOW
from tests.games.model import happenings, players
from tests.games.model.agreeing import Disagreement
from tests.games.model.comparison import Pair
from tests.games.values import replace

SEATS = range(2, 7)
PRESET_MATCHES = [(name, seats) for name in PRESETS for seats in SEATS]


@dataclass
class Played:
    """What a match came to."""

    name: str
    seats: int
    rules: str
    steps: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    disagreement: str | None = None


def rules_of(number: int, rng: random.Random) -> tuple[RuleSet, int]:
    """First every preset with every number of players, then also rules made up."""
    if number < len(PRESET_MATCHES) or rng.random() < 0.2:
        name, seats = PRESET_MATCHES[number % len(PRESET_MATCHES)]
        return PRESETS[name], seats
    seats = rng.choice(SEATS)
    if rng.random() < 0.6:
        return _tournament(seats, rng), seats
    family = rng.choice(["pool", "pool", ""])
    return _varied(PRESETS[rng.choice([name for name in PRESETS if family in name])], rng), seats


def _tournament(seats: int, rng: random.Random) -> RuleSet:
    """R10.4, R10.11."""
    base = PRESETS[rng.choice(["deals2", "deals3", "deals6", "junglee-deals2"])]
    deals = rng.choice([1, 1, 2, 3])
    return replace(
        base,
        deals=deals,
        qualifiers=rng.randrange(1, seats) if deals == 1 or rng.random() < 0.8 else None,
        max_turns=rng.choice([1, 2, 3, 25]),
        # Counts that are capped are often equal.
        max_points=rng.choice([20, 80]),
        point_chips=rng.choice([1, 1, 3]),
        stacks=rng.choice([(), tuple(rng.choice([240, 300]) for _seat in range(6))]),
    )


def _varied(base: RuleSet, rng: random.Random) -> RuleSet:
    # Of its own, so that these choices move no other one.
    more = random.Random(repr(rng.getstate()))
    return replace(
        base,
        max_turns=rng.choice([1, 2, 4, 25]),
        max_minutes=rng.choice([1, 3, 30]),
        max_missed_turns=rng.choice([1, 2, 3]),
        may_return_open_card=rng.random() < 0.3,
        elimination_inclusive=rng.random() < 0.5,
        lone_pure_sequence=rng.choice(["free", "counted"]),
        max_set_size=rng.choice([None, 4]),
        joker_only_melds=more.choice(["sequence", "set", "none"]),
        wrong_declaration_counts=more.choice(["fixed", "hand"]),
        break_seconds=rng.choice([1, 8]),
        extra_seconds=rng.choice([0, 10, 60]),
        **_of_pool(base, rng, more),
    )


def _of_pool(base: RuleSet, rng: random.Random, more: random.Random) -> Mapping[str, Any]:
    """Everybody may come back until late, so that questions come often."""
    if base.elimination_score is None:
        return {}
    return {
        "rejoin_score": rng.choice([base.rejoin_score, base.elimination_score - 2, None]),
        "split_began": more.choice(["more", "more", "any"]),
        "split_rest": more.choice([0, 1, 2]),
        "equal_split": more.choice(["forced", "forced", "agreed"]),
    }


def play_match(seed: int, number: int) -> Played:
    rng = random.Random(f"{seed}/{number}")
    rules, count = rules_of(number, rng)
    seats = tuple(rng.sample(range(6), count))
    toss = rng.random() < 0.8
    if toss:
        seats = tuple(sorted(seats))
    played = Played(rules.name, count, f"{rules_changes(rules)}, seats {seats}")
    log: list[str] = []
    try:
        pair = Pair(rules, seats, seed_of(number), NOW, toss=toss)
        table = Table(pair, players.Temper.of(seats, rng), rng, number, log, played)
        while pair.model.stage != "over":
            table.step()
    except Disagreement as found:
        told = [f"match {number} of seed {seed}: {played.rules}", *log[-12:], str(found)[:1500]]
        played.disagreement = "\n  ".join(told)
    except Exception as error:
        error.add_note(f"match {number} of seed {seed}: {played.rules}, {log[-12:]}")
        raise
    return played


@dataclass
class Table:
    pair: Pair
    temper: players.Temper
    rng: random.Random
    number: int
    log: list[str]
    played: Played

    @property
    def seed(self) -> bytes:
        return seed_of(self.number, self.pair.model.number)

    def step(self) -> None:
        self.played.steps += 1
        before = happenings.standing(self.pair.model)
        what = self.act()
        self.played.happened.update(happenings.since(before, what, self.pair))

    def note(self, what: str) -> None:
        self.log.append(f"  {self.pair.now - NOW} ms: {what}")

    def act(self) -> str:
        rng, temper, model = self.rng, self.temper, self.pair.model
        if rng.random() < temper.illegal:
            return self.try_anything()
        if rng.random() < temper.postpone:
            self.note("postponed")
            self.pair.postpone(rng.randrange(1, 100_000))
            return "postponed"
        if rng.random() < temper.leave[model.deal.phase if model.stage == "deal" else model.stage]:
            return self.play(*self.leaver())
        if model.stage == "between":
            return self.act_in_break()
        return self.act_in_turn()

    def leaver(self) -> tuple[int, dict[str, Any]]:
        """Anybody who has not left; there is somebody as long as the match is not over."""
        there = [s for s, one in self.pair.model.members.items() if one.membership != "left"]
        acting = [seat for seat in self.pair.model.acting if seat in there]
        inside = [one.seat for one in self.pair.model.staying]
        out = [seat for seat in there if seat not in inside]
        seats = self.rng.choice([acting, inside, out, there])
        return self.rng.choice(seats or there), {"kind": "leave"}

    def act_in_break(self) -> str:
        rng, model = self.rng, self.pair.model
        chance = rng.random()
        if model.may_offer_split and chance < 0.4:
            self.pass_time(1_000)
            seat = rng.choice(model.staying).seat
            return self.play(seat, {"kind": "offer_split"})
        if chance < (0.6 if model.may_offer_split else 0.1):
            self.note("the table asks")
            return "proposed" if self.pair.propose() else "not proposed"
        if model.rules.qualifiers and rng.random() < self.temper.conclude:
            self.note("concluded")
            self.pair.conclude()
            return "concluded"
        return self.expire()

    def act_in_turn(self) -> str:
        rng, model, temper = self.rng, self.pair.model, self.temper
        is_slow = model.is_waiting or temper.styles[model.acting[0]] == "slow"
        if rng.random() < (0.25 if is_slow else 0.03):
            if rng.random() < 0.5:
                return self.expire()
            self.pass_time(rng.choice([20_000, 44_000, 90_000]))
        else:
            self.pass_time(rng.choice([0, 500, 5_000]))
        if model.stage == "deal" and rng.random() < 0.05:
            arranger = rng.choice(model.deal.playing).seat
            self.pair.compare_best(arranger)
            return self.play(arranger, players.arrangement(self.pair, arranger, rng))
        return self.play(*players.chosen_move(self.pair, temper, rng, self.played.steps))

    def play(self, seat: int, move: dict[str, Any]) -> str:
        self.note(f"{seat} {move}")
        self.pair.play(seat, move, self.seed)
        return str(move["kind"])

    def pass_time(self, most_ms: int) -> None:
        """Time passes, but the deadline does not."""
        deadline = self.pair.model.deadline
        assert deadline is not None
        self.pair.now = max(
            self.pair.now, min(self.pair.now + self.rng.randrange(most_ms + 1), deadline - 1)
        )

    def expire(self) -> str:
        deadline = self.pair.model.deadline
        assert deadline is not None
        if self.rng.random() < 0.1 and deadline - 1 >= self.pair.now:
            self.pair.now = deadline - 1
            self.note("just before the deadline")
            self.pair.expire(self.seed)
            return "nothing"
        self.pair.now = max(self.pair.now, deadline + self.rng.choice([0, 0, 700]))
        self.note("the time is up")
        self.pair.expire(self.seed)
        return "expired"

    def try_anything(self) -> str:
        """A move by anybody, at times one that comes too late."""
        rng, pair = self.rng, self.pair
        seat = rng.choice([*range(6), *pair.model.acting * 3])
        move = players.any_move(pair, seat, rng)
        now, deadline = pair.now, pair.model.deadline
        assert deadline is not None
        if rng.random() < 0.2:
            pair.now = max(now, deadline + rng.choice([-1, 0, 5]))
        self.note(f"{seat} tries {move}")
        code = pair.refuse(seat, move, self.seed)
        pair.now = now
        return f"refused: {code}" if code else "nothing"
