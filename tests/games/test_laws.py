"""Laws that every registered game obeys, checked on random matches with its presets and other rule sets.

When a match fails, its seed and rules are in the local variables of `matches_of`. With
`bin/test --full` each run plays new matches.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from jsonschema_rs import Draft202012Validator

from games.cards import CARDS, Card
from games.engine.base import STRENGTHS, IllegalMove, divide
from games.engine.moves import LEAVE
from games.engine.state import Stage, UnknownVersion
from tests.effort import IS_FULL, share_of
from tests.games.driving import (
    CODES,
    GAMES,
    NOW,
    CommittedChange,
    bot_view,
    drive,
    habits_of,
    make_random_chooser,
    play_random,
    seed_of,
)
from tests.games.records import list_records, refuse_record, verify
from tests.games.values import replace

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs/protocol.schema.json").read_text())
FIRST = random.SystemRandom().randrange(2**32) if IS_FULL else 0
# More seats than a table has.
SEATS = range(10)
MOST_DEADLINES = 5_000

every_game = pytest.mark.parametrize("code", CODES)


@dataclass(frozen=True)
class Played:
    """A whole random match, with its rules and steps."""

    game: Any
    rules: Any
    number: int
    seats: tuple[int, ...]
    steps: tuple[CommittedChange, ...]

    def pick_some(self, part: float) -> Iterator[CommittedChange]:
        """Yield about this part of the steps, or without --full a third of it, with the first and the last step."""
        part = part if IS_FULL else part / 3
        rng, last = random.Random(self.number), len(self.steps) - 1
        for place, step in enumerate(self.steps):
            if place in (0, last) or rng.random() < part:
                yield step


def shorten(rules: Any) -> Any:
    """Return the rules with fewer turns and deals. In short matches everything can happen that happens in long ones."""
    most = {"max_turns": 12, "deals": 2}
    longer = {name: limit for name, limit in most.items() if (getattr(rules, name, 0) or 0) > limit}
    return replace(rules, **longer)


def rules_of(code: str) -> list[Any]:
    return [*habits_of(code).rules, *map(shorten, GAMES[code].rules.presets.values())]


@cache
def match_of(code: str, count: int) -> Played:
    game, number = GAMES[code], FIRST + count
    rng, rules = random.Random(number), rules_of(code)[count % len(rules_of(code))]
    [format] = [one for one in game.formats if one.code == game.money.get_format_code(rules)]
    seats = tuple(rng.sample(range(max(6, *format.seats)), rng.choice(format.seats)))
    steps = tuple(
        drive(game, make_random_chooser(game, rng), rules=rules, seats=seats, seed=number)
    )
    return Played(game, rules, number, seats, steps)


def matches_of(code: str) -> Iterator[Played]:
    for count in range(share_of(habits_of(code).matches)):
        yield match_of(code, count)


# --- The matches themselves.


@every_game
def test_random_matches_reach_every_kind_of_event(code):
    """The laws below are only checked for events that these matches reach."""
    game, habits = GAMES[code], habits_of(code)
    wanted, ways = set(habits.events.split()), set(habits.hows.split())
    kinds: set[str] = set()
    hows: set[str] = set()
    for count in range(300):
        for step in match_of(code, count).steps:
            kinds |= {event.kind for event in step.events}
            if (result := game.view.public(step.match)["result"]) is not None:
                hows.add(result.get("how"))
        if kinds >= wanted and hows >= ways:
            break
    assert not wanted or kinds == wanted
    assert hows >= ways


@every_game
def test_seed_and_moves_are_the_record(code):
    for match in matches_of(code):
        core, stored, wire = match.game.core, match.game.stored, match.game.wire
        outcome = core.start(
            rules=match.rules, seats=match.seats, toss=True, seed=seed_of(match.number), now=NOW
        )
        for step in match.steps:
            if step is not match.steps[0]:
                fresh = seed_of(match.number, outcome.status.deals)
                if step.seat is None:
                    outcome = core.expire(outcome.state, now=step.now, seed=fresh)
                else:
                    move = wire.read(json.loads(json.dumps(wire.write(step.move))))
                    assert move == step.move
                    outcome = core.play(outcome.state, step.seat, move, now=step.now, seed=fresh)
            assert outcome.events == step.events
            assert outcome.status == core.status(step.match)
            assert stored.dump(outcome.state) == stored.dump(step.match)


@every_game
def test_the_laws_of_a_single_game_hold(code):
    for match in matches_of(code):
        for step in match.steps:
            habits_of(code).check(step)


# --- Cards and states.


@every_game
def test_no_card_is_made_or_lost(code):
    for match in matches_of(code):
        cards: dict[int, list[Card]] = {}
        for step in match.steps:
            held = sorted(step.match.deal.cards())
            assert len(set(held)) == len(held)
            assert held == cards.setdefault(step.match.number, held)


@every_game
def test_a_stored_match_is_the_match(code):
    for match in matches_of(code):
        stored, data = match.game.stored, b""
        for step in match.steps:
            data = stored.dump(step.match)
            assert stored.load(data) == step.match
            assert len(data) < habits_of(code).bytes + 300 * step.match.number
        with pytest.raises(UnknownVersion):
            stored.load(b"\xff" + data[1:])


# --- Moves.


def list_filled(kind: Any, hand: list[Card], rng: random.Random) -> Iterator[Any]:
    """Yield moves of this class with cards of the hand, with other cards, and with every choice."""
    values: list[list[Any]] = []
    for annotated in _list_annotations(kind):
        if annotated is Card:
            values.append([*hand, *rng.sample(CARDS[:52], 4)])
        elif get_origin(annotated) is Literal:
            values.append([*get_args(annotated)])
        elif annotated is bool:
            values.append([False, True])
        elif get_origin(annotated) is not None or annotated in (str, int):
            return
    yield from (kind(*chosen) for chosen in product(*values))


@cache
def _list_annotations(kind: Any) -> list[Any]:
    hints = get_type_hints(kind)
    return [hints[name] for name in kind.__struct_fields__]


def accepts(game: Any, step: CommittedChange, seat: int, move: Any) -> bool:
    try:
        game.core.play(step.match, seat, move, now=step.now, seed=bytes(32))
    except IllegalMove as refusal:
        return not (refusal.code and refusal.message)
    return True


@every_game
def test_legal_moves_are_played_and_all_others_are_refused(code):
    for match in matches_of(code):
        game, rng = match.game, random.Random(match.number)
        for step in match.pick_some(0.1):
            before = game.stored.dump(step.match)
            for seat in SEATS:
                legal = game.core.list_legal(step.match, seat)
                for move in legal:
                    assert accepts(game, step, seat, move), (seat, move)
                player = step.match.deal.player(seat)
                hand = [*getattr(player, "hand", ())]
                for kind in game.core.moves:
                    for move in list_filled(kind, hand, rng):
                        if move in legal or not accepts(game, step, seat, move):
                            continue
                        # An unlisted move is accepted only if it repeats a wish, which changes nothing.
                        again = game.core.play(step.match, seat, move, now=step.now, seed=bytes(32))
                        assert (again.state, again.events) == (step.match, ()), (seat, move)
            assert game.stored.dump(step.match) == before


@every_game
def test_the_browser_is_sent_every_legal_move(code):
    for match in matches_of(code):
        game = match.game
        kinds = {kind.kind: kind for kind in game.core.moves}
        for step in match.pick_some(0.3):
            for seat in SEATS:
                legal: dict[str, list[Any]] = {}
                for move in game.core.list_legal(step.match, seat):
                    legal.setdefault(move.kind, []).append(move)
                told = {one["kind"]: one for one in game.core.describe_legal(step.match, seat)}
                untried = {kind for kind in told if kinds[kind].is_offered_untried}
                assert set(legal) - untried == set(told) - untried
                assert set(legal) <= set(told)
                for kind, moves in legal.items():
                    for name in kinds[kind].__struct_fields__:
                        values = [game.wire.write(move)[name] for move in moves]
                        listed = [one for at, one in enumerate(values) if one not in values[:at]]
                        free = name in kinds[kind].free
                        assert told[kind][name] == (None if free else listed)


def spoil(move: dict[str, Any], rng: random.Random) -> Iterator[Any]:
    """Yield malformed variants: with rubbish in a field, without a field, and with an unknown field."""
    rubbish: list[Any] = [None, True, -1, 2**31, 1.5, "", "zz", "7H", "PJ.9", [], [[]], {}, [None]]
    rubbish += [["7H.0"], [["7H.0"] * 200], [["7H.0"]] * 200, [["7H.0", -1]], {"cards": []}]
    for name in move:
        yield from ({**move, name: value} for value in rng.sample(rubbish, 6))
        yield {other: value for other, value in move.items() if other != name}
    yield {**move, "luck": 1}
    yield from rubbish


@every_game
def test_malformed_moves_are_refused(code):
    """A variant is refused as malformed, or it is read as a move that survives writing and reading."""
    for match in matches_of(code):
        wire, rng = match.game.wire, random.Random(match.number)
        for step in match.pick_some(0.02):
            for seat in match.seats:
                for move in match.game.core.list_legal(step.match, seat)[-3:]:
                    for rubbish in spoil(json.loads(json.dumps(wire.write(move))), rng):
                        try:
                            read = wire.read(rubbish)
                        except IllegalMove as refusal:
                            assert refusal.code == "malformed_move"  # noqa: PT017 - or it is read
                        else:
                            written = json.loads(json.dumps(wire.write(read)))
                            assert wire.read(written) == read


# --- Views.


@every_game
def test_a_seat_sees_no_card_of_another_seat(code):
    """Neither do watchers, nor the public descriptions of legal moves."""
    for match in matches_of(code):
        view, core, rng = match.game.view, match.game.core, random.Random(match.number)
        public = {kind.kind for kind in core.moves if kind.is_public}
        for step in match.pick_some(0.2):
            if step.match.deal.is_over:
                continue
            nobody = habits_of(code).scrambled(step.match, None, rng)
            assert view.public(nobody) == view.public(step.match)
            for seat in match.seats:
                open_part = [
                    [one for one in core.describe_legal(state, seat) if one["kind"] in public]
                    for state in (step.match, nobody)
                ]
                assert open_part[0] == open_part[1]
                other = habits_of(code).scrambled(step.match, seat, rng)
                assert view.private(other, seat) == view.private(step.match, seat)
                assert core.describe_legal(other, seat) == core.describe_legal(step.match, seat)


@every_game
def test_views_keep_their_keys_and_moves_their_form(code):
    form = {
        part: Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{code}{part}"}]})
        for part in ("Game", "You", "Move", "Draft", "Question", "Answer")
    }
    answers = 0
    for match in matches_of(code):
        game = match.game
        keys = {tuple(game.view.public(step.match)) for step in match.steps}
        nothing = dict(game.view.nothing_private)
        own = [game.view.private(step.match, seat) for step in match.steps for seat in SEATS]
        assert len(keys) == len({tuple(view) for view in own if view != nothing}) == 1
        assert set(nothing) <= set(own[0])
        for step in match.pick_some(0.02):
            assert game.view.private(step.match, 9).items() >= nothing.items()
            form["Game"].validate(json.loads(json.dumps(game.view.public(step.match))))
            for seat in match.seats:
                you = {**game.view.private(step.match, seat)}
                you["legal"] = game.core.describe_legal(step.match, seat)
                form["You"].validate(json.loads(json.dumps(you)))
                if game.hand_help is None:
                    continue
                for kind in game.hand_help.questions:
                    try:
                        said = game.hand_help.answer(step.match, seat, {"kind": kind})
                    except (IllegalMove, KeyError):
                        continue
                    form["Answer"].validate(json.loads(json.dumps(said)))
                    answers += 1
            if step.move is not None and step.move.kind != "arrange":
                form["Move"].validate(json.loads(json.dumps(game.wire.write(step.move))))
    assert answers or GAMES[code].hand_help is None


# --- Time.


@every_game
def test_a_deadline_lies_ahead_until_the_match_is_over(code):
    for match in matches_of(code):
        core = match.game.core
        for step in match.steps:
            status = core.status(step.match)
            if status.result is not None:
                assert status.deadline is None
                assert core.expire(step.match, now=2**60, seed=bytes(32)).state == step.match
                continue
            assert status.deadline > step.now
            early = core.expire(step.match, now=status.deadline - 1, seed=bytes(32))
            assert (early.state, early.events) == (step.match, ())
            later = core.postpone(step.match, by_ms=500)
            assert core.status(later).deadline == status.deadline + 500
            assert core.postpone(later, by_ms=-500) == step.match


@every_game
def test_a_hastened_match_is_due_in_time(code):
    for match in matches_of(code):
        core, rng = match.game.core, random.Random(match.number)
        for step in match.pick_some(0.2):
            due = core.status(step.match).deadline
            if due is None:
                continue
            assert core.hasten(step.match, due_by=2**60, count_by=None) is step.match
            due_by = step.now + rng.randrange(1_000, 20_000)
            hasty = core.hasten(step.match, due_by=due_by, count_by=due_by)
            sooner = core.status(hasty).deadline
            assert step.now < sooner <= due
            assert [*hasty.deal.cards()] == [*step.match.deal.cards()]
            if step.match.stage is Stage.BETWEEN or step.match.deal.in_turn:
                assert sooner <= due_by or step.match.stage is Stage.ASKING
            assert core.hasten(hasty, due_by=due_by, count_by=due_by) == hasty
            assert core.list_legal(hasty, match.seats[0]) == core.list_legal(
                step.match, match.seats[0]
            )


@every_game
def test_silence_ends_every_match(code):
    for match in matches_of(code):
        core = match.game.core
        for step in match.pick_some(0.01):
            state, now = step.match, step.now
            for number in range(MOST_DEADLINES):
                status = core.status(state)
                if status.result is not None:
                    break
                assert status.deadline > now
                now = status.deadline
                state = core.expire(state, now=now, seed=seed_of(number)).state
            else:
                raise AssertionError("the match goes on for ever")


@every_game
def test_leaving_ends_the_match_or_lets_it_go_on(code):
    for match in matches_of(code):
        core, rng = match.game.core, random.Random(match.number)
        for step in match.pick_some(0.1):
            state, now = step.match, step.now
            for seat in rng.sample(match.seats, len(match.seats)):
                status = core.status(state)
                may_leave = LEAVE in core.list_legal(state, seat)
                assert may_leave is (status.result is None and seat in state.staying)
                if not may_leave:
                    assert not accepts(match.game, CommittedChange(state, (), now), seat, LEAVE)
                    continue
                outcome = core.play(state, seat, LEAVE, now=now, seed=bytes(32))
                assert outcome.events[0].json()["kind"] == "left"
                state, status = outcome.state, outcome.status
                assert seat not in state.staying
                assert (status.result is None) is (status.deadline is not None)
                assert seat not in status.acting
            assert core.status(state).result is not None


# --- Results.


@every_game
def test_a_result_ranks_every_seat_and_shares_out_the_whole_prize(code):
    for match in matches_of(code):
        game, seats = match.game, set(match.seats)
        result = game.core.status(match.steps[-1].match).result
        assert set(result.winners) == {seat for seat, rank in result.ranks.items() if rank == 1}
        assert result.points.keys() == result.ranks.keys() == seats
        assert set(result.shares) <= set(result.winners)
        assert sum(divide(1_001, result.shares).values()) == 1_001
        assert set(result.next_order) <= seats
        assert not result.scores or result.scores.keys() == seats
        assert all(lost >= 0 for lost in result.points.values())
        qualifiers = getattr(match.rules, "qualifiers", None)
        assert qualifiers is None or sorted(result.ranks.values())[qualifiers - 1] <= qualifiers
        [format] = [
            one for one in game.formats if one.code == game.money.get_format_code(match.rules)
        ]
        if format.stake == "per_point":
            largest = game.money.largest_loss(match.rules)
            assert all(lost <= largest for lost in result.points.values())
            assert all(result.points[seat] == 0 for seat in result.winners)


@every_game
def test_a_match_can_be_concluded_only_between_two_deals(code):
    for match in matches_of(code):
        core = match.game.core
        for step in match.steps:
            outcome = core.conclude(step.match)
            assert (outcome is not None) is (step.match.stage is Stage.BETWEEN)
            if outcome is not None:
                assert [event.kind for event in outcome.events] == ["match_over"]
                assert outcome.status.result.winners
                assert core.conclude(outcome.state) is None


# --- Records.


@every_game
def test_a_record_is_dealt_again_and_its_claims_are_judged_again(code):
    entries = 0
    for match in matches_of(code):
        for record in list_records(match.game, match.steps, match.seats):
            assert verify(record).startswith("honest: ")
            claims = match.game.records.review(record)
            entries += len(claims)
            assert all(claim["agree"] for claim in claims), claims
            fields = {"seat", "groups", "question", "answer", "counted", "agree"}
            assert all(claim.keys() >= fields for claim in claims)
    assert entries


@every_game
def test_a_tampered_record_is_found_dishonest(code):
    game = GAMES[code]
    record = next(list_records(game, play_random(game, 3)))
    deck, hands = record.get("deck"), record["hands"]
    first, second = (str(seat) for seat in record["order"][:2])
    swapped = {**hands, first: hands[second], second: hands[first]}
    assert refuse_record({**record, "hands": swapped})
    assert refuse_record({**record, "seed": "00" * 32})
    assert refuse_record({**record, "commitment": "00" * 32})
    assert not deck or refuse_record({**record, "deck": deck[1:]})
    drew = next(step for step in record["steps"] if step.get("drew"))
    drew["drew"] = "2S.0" if drew["drew"] != "2S.0" else "3S.0"
    assert refuse_record(record)


# --- Bots.


@every_game
def test_a_bot_plays_legal_moves_from_the_view_of_its_seat(code):
    for match in matches_of(code):
        game, rng = match.game, random.Random(match.number)
        for step in match.pick_some(0.03):
            acting = game.core.status(step.match).acting
            if not acting or step.match.deal.is_over:
                continue
            seat, strength = rng.choice(acting), rng.choice(STRENGTHS)
            other = habits_of(code).scrambled(step.match, seat, rng)
            first, second = (
                game.bots(
                    bot_view(game, state, seat), seat, strength=strength, rng=random.Random(7)
                )
                for state in (step.match, other)
            )
            assert first == second
            assert accepts(game, step, seat, game.wire.read(first)), first
