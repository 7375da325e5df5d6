"""Matches played by the game and the model in parallel, with counts of what happened in them."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.indian.rules.ruleset import PRESETS, RuleSet
from tests.games.driving import NOW, seed_of
from tests.games.model import melds, players
from tests.games.model.comparison import Disagreement, Pair
from tests.games.model.match import ModelMatch
from tests.games.values import replace

SEATS = range(2, 7)
PRESET_MATCHES = [(name, seats) for name in PRESETS for seats in SEATS]

# Each of these has to happen in the matches of a test run.
_EXPECTED = """
    arrange · concluded · declared: too_few_cards · declared: left_before_declaring ·
    declared: not_declared_in_time · declared: None · ended: declared · ended: last_player ·
    ended: limit · ended: wrong · left: between · left: declare · left: rejoin · left: show ·
    left: split · left: turn · left when out: between · left when out: rejoin ·
    left when out: split · left when out: turn · missed turns made a drop · missed_turn ·
    overtime · postponed: between · postponed: turn · rejoined · rejoin_declined ·
    expired: rejoin · refused: already_left · refused: already_shown · refused: card_not_held ·
    refused: deal_over · refused: drop_not_allowed · refused: groups_not_your_hand ·
    refused: joker_not_drawable · refused: may_not_return_open_card · refused: not_asked ·
    refused: not_in_deal · refused: not_your_turn · refused: split_not_possible ·
    refused: time_is_up · refused: wrong_step · reshuffled · shared deal ·
    shown: a lone pure sequence · shown: a second valid hand · split agreed: True · split by itself ·
    split_offered · split_open · split agreed: False · expired: split · tie-breaker ·
    tie-breaker for qualifying · tie-breaker with somebody gone
"""
EXPECTED: Final = [what.strip() for what in " ".join(_EXPECTED.split()).split("·")]


def rules_of(number: int, rng: random.Random) -> tuple[RuleSet, int]:
    """Return rules and a number of players: first every preset with every number, then random rules."""
    if number < len(PRESET_MATCHES) or rng.random() < 0.2:
        name, seats = PRESET_MATCHES[number % len(PRESET_MATCHES)]
        return PRESETS[name], seats
    seats = rng.choice(SEATS)
    if rng.random() < 0.6:
        return _tournament(seats, rng), seats
    family = rng.choice(["pool", "pool", ""])
    return _vary(PRESETS[rng.choice([name for name in PRESETS if family in name])], rng), seats


def _tournament(seats: int, rng: random.Random) -> RuleSet:
    """R10.4, R10.11, R10.13: return random rules of a tournament."""
    if rng.random() < 0.25:
        return _tournament_pool(seats, rng)
    base = PRESETS[rng.choice(["deals2", "deals3", "deals6", "junglee-deals2"])]
    deals = rng.choice([1, 1, 2, 3])
    return replace(
        base,
        deals=deals,
        qualifiers=rng.randrange(1, seats) if deals == 1 or rng.random() < 0.8 else None,
        max_turns=rng.choice([1, 2, 3, 25]),
        # A low cap makes ties frequent.
        max_points=rng.choice([20, 80]),
        point_chips=rng.choice([1, 1, 3]),
        stacks=rng.choice([(), tuple(rng.choice([240, 300]) for _seat in range(6))]),
    )


def _tournament_pool(seats: int, rng: random.Random) -> RuleSet:
    """R10.13: return random rules of a tournament that is played as a pool."""
    return replace(
        PRESETS[rng.choice(["pool61", "pool101", "junglee-pool201"])],
        qualifiers=rng.randrange(1, seats),
        rejoin_score=None,
        split=False,
        max_turns=rng.choice([1, 2, 3, 25]),
        max_points=rng.choice([20, 80]),
        elimination_inclusive=rng.random() < 0.5,
    )


def _vary(base: RuleSet, rng: random.Random) -> RuleSet:
    # A separate generator, so that these choices do not change the others.
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
    """Return random fields of a pool. Late rejoining makes questions frequent."""
    if base.elimination_score is None:
        return {}
    return {
        "rejoin_score": rng.choice([base.rejoin_score, base.elimination_score - 2, None]),
        "split_began": more.choice(["more", "more", "any"]),
        "split_rest": more.choice([0, 1, 2]),
        "equal_split": more.choice(["forced", "forced", "agreed"]),
    }


@dataclass
class Played:
    happened: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    disagreement: str | None = None
    # The rules' name and the number of players.
    name: str = ""
    seats: int = 0


def play_match(seed: int, number: int) -> Played:
    """Play a match to its end, and try a few moves afterwards."""
    rng = random.Random(f"{seed}/{number}")
    rules, count = rules_of(number, rng)
    seats = tuple(rng.sample(range(6), count))
    toss = rng.random() < 0.8
    played, log = Played(name=rules.name, seats=count), list[str]()
    try:
        pair = Pair(rules, tuple(sorted(seats)) if toss else seats, seed_of(number), NOW, toss=toss)
        table = Table(pair, rng, number)
        log, played.happened = table.log, table.seen
        while pair.model.stage != "over":
            table.step()
        for move in ({"kind": "draw", "source": "closed"}, {"kind": "leave"}):
            table.play(pair.seats[0], move)
        played.steps = table.steps
    except Disagreement as found:
        told = [f"match {number} of seed {seed}", *log[-12:], str(found)[:2000]]
        played.disagreement = "\n  ".join(told)
    except Exception as error:
        error.add_note(f"match {number} of seed {seed}, {log[-12:]}")
        raise
    return played


class Table:
    """The players of a match, who act in turn, stay silent, leave at any time, or try illegal moves."""

    def __init__(self, pair: Pair, rng: random.Random, number: int) -> None:
        self.pair, self.rng, self.number = pair, rng, number
        self.log, self.seen, self.steps = list[str](), Counter[str](), 0
        self.temper = players.Temper.of(pair.seats, rng)

    @property
    def seed(self) -> bytes:
        return seed_of(self.number, self.pair.model.number)

    def step(self) -> None:
        self.steps += 1
        before = read_standing(self.pair.model)
        what = self.act()
        self.seen.update(list_happenings(before, what, self.pair))

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
            return self.play(*self.choose_leaver())
        if model.stage == "between":
            return self.act_in_break()
        return self.act_in_turn()

    def choose_leaver(self) -> tuple[int, dict[str, Any]]:
        """Return a player who has not left, and the move to leave."""
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
            self.wait(1_000)
            seat = rng.choice(model.staying).seat
            return self.play(seat, {"kind": "offer_split"})
        if chance < (0.6 if model.may_offer_split else 0.1):
            self.note("the table asks")
            return "proposed" if self.pair.propose() else "not proposed"
        if model.rules.qualifiers and rng.random() < self.temper.conclude:
            self.note("concluded")
            self.pair.conclude()
            return "concluded"
        return self.try_late()

    def act_in_turn(self) -> str:
        rng, model, temper = self.rng, self.pair.model, self.temper
        is_slow = model.is_waiting or temper.styles[model.acting[0]] == "slow"
        if rng.random() < (0.25 if is_slow else 0.03):
            if rng.random() < 0.5:
                return self.try_late()
            self.wait(rng.choice([20_000, 44_000, 90_000]))
        else:
            self.wait(rng.choice([0, 500, 5_000]))
        if model.stage == "deal" and rng.random() < 0.05:
            arranger = rng.choice(model.deal.playing).seat
            self.pair.compare_best(arranger)
            return self.play(arranger, players.choose_arrangement(self.pair, arranger, rng))
        return self.play(*players.choose_move(self.pair, temper, rng, self.steps))

    def play(self, seat: int, move: dict[str, Any]) -> str:
        self.note(f"{seat} {move}")
        code = self.pair.play(seat, move, self.seed)
        if code and self.pair.model.stage != "over":
            raise Disagreement(f"{seat} {move}: both refuse it with {code}")
        return str(move["kind"])

    def wait(self, most_ms: int) -> None:
        """Let up to `most_ms` pass, but stop before the deadline."""
        deadline = self.pair.model.deadline
        assert deadline is not None
        self.pair.now = max(
            self.pair.now, min(self.pair.now + self.rng.randrange(most_ms + 1), deadline - 1)
        )

    def try_late(self) -> str:
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
        """Try a move of any seat, sometimes too late. Return what happened."""
        rng, pair = self.rng, self.pair
        seat = rng.choice([*range(6), *pair.model.acting * 3])
        move = players.choose_any_move(pair, seat, rng)
        now, deadline = pair.now, pair.model.deadline
        assert deadline is not None
        if rng.random() < 0.2:
            pair.now = max(now, deadline + rng.choice([-1, 0, 5]))
        self.note(f"{seat} tries {move}")
        code = pair.refuse(seat, move, self.seed)
        pair.now = now
        return f"refused: {code}" if code else "nothing"


# Happenings.


@dataclass(frozen=True)
class Standing:
    """A summary of the state before a step, to compare with the state after it."""

    stage: str
    phase: str
    number: int
    out: frozenset[int]
    extra_ms: int


def read_standing(match: ModelMatch) -> Standing:
    stage = match.deal.phase if match.stage == "deal" else match.stage
    out = frozenset(seat for seat, one in match.members.items() if not one.is_in)
    extra_ms = sum(one.extra_ms for one in match.deal.players)
    return Standing(stage, match.deal.phase, match.number, out, extra_ms)


def list_happenings(before: Standing, what: str, pair: Pair) -> Iterator[str]:
    model, now = pair.model, read_standing(pair.model)
    yield from (what, f"{what}: {before.stage}")
    for event in pair.told:
        yield event["kind"]
        yield from _list_of_event(event, before, pair)
    if what != "expired" and now.number == before.number and now.extra_ms < before.extra_ms:
        yield "overtime"
    shares = now.stage == "over" and model.rules.split and len(model.winners) > 1
    if shares and before.stage != "split" and what != "concluded":
        yield "split by itself"
    if now.number > before.number and model.tie_breaker:
        yield "tie-breaker"
        if model.rules.qualifiers is not None:
            yield "tie-breaker for qualifying"
        if any(one.membership == "left" for one in model.members.values()):
            yield "tie-breaker with somebody gone"


def _list_of_event(event: dict[str, Any], before: Standing, pair: Pair) -> Iterator[str]:
    kind = event["kind"]
    if kind == "left":
        when = " when out" if event["seat"] in before.out else ""
        yield f"left{when}: {before.stage}"
    elif kind == "missed_turn" and any(one["kind"] == "dropped" for one in pair.told):
        yield "missed turns made a drop"
    elif kind == "shown":
        yield from _list_of_shown(event, pair.model)
    elif kind == "deal_over":
        yield f"ended: {pair.model.deal.ending}"
        if len(pair.model.deal.winners) > 1:
            yield "shared deal"
    elif kind == "declared":
        yield f"declared: {event['reason']}"
    elif kind == "split_closed":
        yield f"split agreed: {event['agreed']}"


def _list_of_shown(event: dict[str, object], model: ModelMatch) -> Iterator[str]:
    deal, rules = model.deal, model.rules
    groups = next(one.groups for one in deal.players if one.seat == event["seat"])
    kinds = [melds.kind(group, deal.wild, rules) for group in groups]
    if event["points"] == rules.second_valid_points:
        yield "shown: a second valid hand"
    elif kinds.count(melds.PURE) == 1 and melds.SEQUENCE not in kinds:
        yield "shown: a lone pure sequence"
