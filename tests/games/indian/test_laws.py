"""What holds in every match, whatever is played: random whole matches of every format."""

import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.cards import CARDS, full_deck
from games.engine.base import IllegalMove
from games.engine.codec import UnknownVersion
from games.indian.game import GAME
from games.indian.rules.match import Match
from games.indian.rules.moves import (
    AnswerSplit,
    Discard,
    Draw,
    Drop,
    Finish,
    Leave,
    Move,
    OfferSplit,
    Rejoin,
)
from games.indian.rules.ruleset import POINTS, PRESETS, RuleSet
from tests.effort import share_of
from tests.games.indian.driving import CommittedChange, drive, random_choosing, seed_of
from tests.games.indian.scenes import NOW
from tests.games.indian.test_bots import scrambled
from tests.games.values import pair, replace

# Short deals: everything but sheer length happens in them as well.
RULES = [
    replace(PRESETS[name], max_turns=turns)
    for name, turns in (
        ("points", 25),
        ("points", 6),
        ("junglee-points", 9),
        ("pool61", 5),
        ("pool61", 3),
        ("pool101", 3),
        ("totalrummy-pool101", 4),
        ("pool201", 2),
        ("deals2", 5),
        ("deals3", 4),
        ("deals6", 3),
    )
]
LARGEST_STATE = 2048

matches = given(rules=st.sampled_from(RULES), seats=st.integers(2, 6), number=st.integers(0, 2**32))
few = settings(
    max_examples=share_of(20), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def played(rules: RuleSet, seats: int, number: int) -> Iterator[CommittedChange]:
    rng = random.Random(number)
    order = tuple(rng.sample(range(6), seats))
    yield from drive(random_choosing(rng), seats=order, rules=rules, seed=number)


def test_random_matches_come_to_everything_that_can_happen():
    """What the laws below hold for is what these matches come to."""
    wanted = {"rejoined", "rejoin_declined", "split_offered", "split_answered", "split_closed"}
    wanted |= {"dropped", "left", "missed_turn", "reshuffled", "eliminated", "declared", "shown"}
    happened = set()
    splits = 0
    for number in range(60):
        steps = list(played(RULES[number % len(RULES)], 2 + number % 5, number))
        happened |= {event.kind for step in steps for event in step.events}
        splits += any(e.kind == "split_closed" and e.data["agreed"] for e in steps[-1].events)
    assert wanted <= happened, wanted - happened
    assert splits


@matches
@few
def test_no_card_is_made_or_lost(rules, seats, number):
    for step in played(rules, seats, number):
        deal = step.match.deal
        assert sorted(deal.cards()) == list(full_deck(rules.packs_at(len(deal.players))))


@matches
@few
def test_a_stored_match_is_the_match(rules, seats, number):
    for step in played(rules, seats, number):
        data = GAME.stored.dump(step.match)
        assert len(data) < LARGEST_STATE
        assert GAME.stored.load(data) == step.match


@matches
@few
def test_seed_and_moves_are_the_record(rules, seats, number):
    steps = list(played(rules, seats, number))
    order = tuple(random.Random(number).sample(range(6), seats))
    match = GAME.core.start(
        rules=rules, seats=order, toss=True, seed=seed_of(number), now=NOW
    ).state
    for step in steps[1:]:
        fresh = seed_of(number, GAME.core.status(match).deals)
        if step.seat is None or step.move is None:
            match, happened = pair(GAME.core.expire(match, now=step.now, seed=fresh))
        else:
            move = GAME.wire.read(json.loads(json.dumps(GAME.wire.write(step.move))))
            match, happened = pair(GAME.core.play(match, step.seat, move, now=step.now, seed=fresh))
        assert match == step.match
        assert happened == step.events


def attempts(match: Match, rng: random.Random) -> Iterator[tuple[int, Move]]:
    """Moves of every seat: with its own cards and with some that it may not have."""
    for seat in range(6):
        player = match.deal.player(seat)
        cards = {*rng.sample(CARDS, 4), *(player.hand if player else ())}
        yield from ((seat, Discard(card)) for card in cards)
        yield from ((seat, Finish(card)) for card in cards)
        yield from ((seat, move) for move in (Draw("closed"), Draw("open"), Drop(), Leave()))
        yield seat, OfferSplit()
        yield from (
            (seat, kind(accept=yes)) for kind in (Rejoin, AnswerSplit) for yes in (True, False)
        )


def accepts(step: CommittedChange, seat: int, move: Move) -> bool:
    try:
        GAME.core.play(step.match, seat, move, now=step.now, seed=bytes(32))
    except IllegalMove as refusal:
        return not (refusal.code and refusal.message)
    return True


@matches
@few
def test_what_is_legal_is_played_and_everything_else_is_refused(rules, seats, number):
    rng = random.Random(number)
    for step in played(rules, seats, number):
        if rng.random() < 0.85:
            continue
        legal = {(seat, move) for seat in range(6) for move in GAME.core.legal(step.match, seat)}
        before = GAME.stored.dump(step.match)
        for seat, move in {*attempts(step.match, rng), *legal}:
            assert accepts(step, seat, move) is ((seat, move) in legal), (seat, move)
        assert GAME.stored.dump(step.match) == before


@matches
@few
def test_a_seat_sees_nothing_of_the_other_hands(rules, seats, number):
    for count, step in enumerate(played(rules, seats, number)):
        if GAME.view.public(step.match)["result"] is not None or count % 4:
            continue
        for seat in step.match.deal.order:
            other = scrambled(step.match, seat, f"{number} {count}")
            assert GAME.view.public(other) == GAME.view.public(step.match)
            assert GAME.view.private(other, seat) == GAME.view.private(step.match, seat)


@matches
@few
def test_the_public_view_always_has_the_same_keys(rules, seats, number):
    steps = list(played(rules, seats, number))
    keys = {tuple(GAME.view.public(step.match)) for step in steps}
    assert len(keys) == 1
    assert all(json.dumps(GAME.view.public(step.match)) for step in steps[::9])


@matches
@few
def test_r6_2_points_stay_within_the_cap(rules, seats, number):
    last = None
    for step in played(rules, seats, number):
        last = step.match
        for player in last.deal.players:
            assert player.points is None or 0 <= player.points <= rules.max_points
    assert last is not None
    result = GAME.core.status(last).result
    assert result is not None
    assert result.winners
    assert set(result.points) == set(result.ranks) == {s.seat for s in last.standings}
    assert all(result.ranks[seat] == 1 for seat in result.winners)


@matches
@few
def test_r9_1_chips_change_hands_and_stay_the_same_in_all(rules, seats, number):
    for step in played(rules, seats, number):
        total = sum(standing.chips for standing in step.match.standings)
        assert total == rules.chips_per_deal * (rules.deals or 0) * seats


@matches
@few
def test_r8_1_whoever_is_dealt_in_is_below_the_limit(rules, seats, number):
    limit = rules.elimination_score
    for step in played(rules, seats, number):
        result = GAME.core.status(step.match).result
        if result is not None:
            assert set(result.shares) == set(result.winners)
            assert all(part > 0 for part in result.shares.values())
        elif limit is not None:
            dealt_in = set(step.match.deal.order)
            scores = {s.seat: s.score for s in step.match.survivors}
            assert all(score < limit for score in scores.values())
            assert step.match.stage.value != "deal" or set(scores) <= dealt_in


@matches
@few
def test_the_clock_never_stands_still(rules, seats, number):
    """Until the match is over there is a deadline, and it lies ahead."""
    for step in played(rules, seats, number):
        deadline = GAME.core.status(step.match).deadline
        if GAME.core.status(step.match).result is None:
            assert deadline is not None
            assert deadline > step.now
        else:
            assert deadline is None


def test_a_state_of_a_later_version_is_refused():
    match = GAME.core.start(rules=POINTS, seats=(0, 1), toss=False, seed=bytes(32), now=NOW).state
    with pytest.raises(UnknownVersion):
        GAME.stored.load(b"\x03" + GAME.stored.dump(match)[1:])
