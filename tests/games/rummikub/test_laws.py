"""What holds in every match of Rummikub, whatever is played: random matches by all rule sets."""

import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.base import IllegalMove
from games.engine.codec import UnknownVersion, replace
from games.engine.moves import Leave, Move
from games.engine.shares import divide
from games.rummikub.game import GAME
from games.rummikub.rules.deal import Phase
from games.rummikub.rules.match import Match, start_of
from games.rummikub.rules.melds import DECK
from games.rummikub.rules.moves import Draw, Lay, Pass
from games.rummikub.rules.ruleset import POINTS, PRESETS, RummikubRules, for_event
from tests.effort import share_of
from tests.games.rummikub.driving import CommittedChange, drive, random_choosing, seed_of
from tests.games.rummikub.scenes import NOW
from tests.games.values import pair

SESSION = PRESETS["session4"]
RULES = [
    POINTS,
    PRESETS["sabra30"],
    PRESETS["modern"],
    replace(SESSION, deals=2, initial_meld=20),
    replace(PRESETS["modern"], open_then_play=False, must_play=True, rack_size=8),
    replace(POINTS, initial_meld=0, group_swap="both", max_points=None, rack_size=20),
    replace(POINTS, initial_meld=10, swap_from="anywhere", max_turns=8),
    for_event(replace(SESSION, initial_meld=15), deals=2, qualifiers=1),
]
LARGEST_STATE = 3072

matches = given(rules=st.sampled_from(RULES), number=st.integers(0, 2**32))
few = settings(
    max_examples=share_of(8), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def played(rules: RummikubRules, number: int) -> Iterator[CommittedChange]:
    rng = random.Random(number)
    seats = tuple(rng.sample(range(5), rng.choice([2, 2, 3, 4])))
    yield from drive(random_choosing(rng), seats=seats, rules=rules, seed=number)


def test_random_matches_come_to_everything_that_can_happen():
    """What the laws below hold for is what these matches come to."""
    wanted = {"toss", "dealt", "turn", "laid", "opened", "drawn", "passed", "missed_turn"}
    wanted |= {"out", "left", "deal_over", "deal_due", "match_over"}
    happened, ways, why = set(), set(), set()
    for number in range(48):
        for step in played(RULES[number % len(RULES)], number):
            happened |= {event.kind for event in step.events}
            ways |= {event.data["how"] for event in step.events if event.kind == "deal_over"}
            why |= {event.data["why"] for event in step.events if event.kind == "drawn"}
    assert wanted == happened, wanted ^ happened
    assert ways == {"laid_out", "blocked", "limit", "last_player"}
    assert why == {"turn", "overtime", "invalid"}


@matches
@few
def test_no_tile_is_made_or_lost(rules, number):
    for step in played(rules, number):
        assert sorted(step.match.deal.cards()) == list(DECK)


@matches
@few
def test_k6_what_lies_is_always_melds(rules, number):
    for step in played(rules, number):
        assert all(meld.kind is not None for meld in step.match.deal.table)


@matches
@few
def test_a_stored_match_is_the_match(rules, number):
    for step in played(rules, number):
        data = GAME.stored.dump(step.match)
        assert GAME.stored.load(data) == step.match
        assert len(data) < LARGEST_STATE + 300 * step.match.number


@matches
@few
def test_seed_and_moves_are_the_record(rules, number):
    steps = list(played(rules, number))
    rng = random.Random(number)
    order = tuple(rng.sample(range(5), rng.choice([2, 2, 3, 4])))
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


def accepts(step: CommittedChange, seat: int, move: Move) -> bool:
    try:
        GAME.core.play(step.match, seat, move, now=step.now, seed=bytes(32))
    except IllegalMove as refusal:
        return not (refusal.code and refusal.message)
    return True


@matches
@few
def test_what_is_legal_is_played_and_everything_else_is_refused(rules, number):
    rng = random.Random(number)
    for step in played(rules, number):
        if rng.random() < 0.9:
            continue
        legal = {(seat, move) for seat in range(5) for move in GAME.core.legal(step.match, seat)}
        tried: set[tuple[int, Move]] = {
            (seat, move) for seat in range(5) for move in (Draw(), Pass(), Leave())
        }
        # Nobody lays nothing.
        tried |= {(seat, Lay(step.match.deal.table)) for seat in range(5)}
        before = GAME.stored.dump(step.match)
        for seat, move in tried | legal:
            assert accepts(step, seat, move) is ((seat, move) in legal), (seat, move)
        assert GAME.stored.dump(step.match) == before


def scrambled(match: Match, seat: int | None, name: str) -> Match:
    """The same deal with every rack and the pool dealt anew, but for this seat's rack; without the
    drafts of others."""
    rng = random.Random(name)
    deal = match.deal
    others = [player for player in deal.players if player.seat != seat]
    hidden = [*deal.pool, *(tile for player in others for tile in player.rack)]
    rng.shuffle(hidden)
    for player in others:
        rack, hidden = tuple(hidden[: len(player.rack)]), hidden[len(player.rack) :]
        drawn = rack[: len(player.drawn)]
        deal = deal.with_player(replace(player, rack=rack, drawn=drawn, draft=None))
    return replace(match, deal=replace(deal, pool=tuple(hidden)))


@matches
@few
def test_k18_a_seat_sees_nothing_of_other_racks_and_drafts(rules, number):
    for count, step in enumerate(played(rules, number)):
        if step.match.deal.phase is Phase.OVER or count % 3:
            continue
        name = f"{number} {count}"
        nobody = scrambled(step.match, None, name)
        assert GAME.view.public(nobody) == GAME.view.public(step.match)
        for seat in step.match.seats:
            other = scrambled(step.match, seat, name)
            assert GAME.view.private(other, seat) == GAME.view.private(step.match, seat)
            if not rules.must_play or GAME.core.status(step.match).acting == (seat,):
                told = GAME.core.legal_view(step.match, seat)
                assert GAME.core.legal_view(other, seat) == told


@matches
@few
def test_the_views_always_have_the_same_keys(rules, number):
    steps = list(played(rules, number))
    assert len({tuple(GAME.view.public(step.match)) for step in steps}) == 1
    own = {tuple(GAME.view.private(step.match, seat)) for step in steps for seat in range(5)}
    assert own == {tuple(dict(GAME.view.nothing_private))}
    assert all(json.dumps(GAME.view.public(step.match)) for step in steps[::9])


@matches
@few
def test_k15_what_is_won_is_what_is_lost(rules, number):
    largest = GAME.money.largest_loss(rules)
    for step in played(rules, number):
        assert sum(step.match.totals.values()) == 0
        assert all(0 <= player.lost <= largest for player in step.match.deal.players)
        found = GAME.core.status(step.match).result
        if found is None:
            continue
        assert set(found.winners) == {seat for seat, rank in found.ranks.items() if rank == 1}
        assert found.points.keys() == found.ranks.keys() == set(step.match.seats)
        assert found.facts.keys() == {"sheet", "totals"}
        assert sum(divide(400, found.shares).values()) == 400
        assert len(found.winners) == 1 or rules.qualifiers is None
        if rules.is_per_point:
            assert all(found.points[seat] == 0 for seat in found.winners)
        else:
            assert sum(found.scores.values()) == len(found.scores) * start_of(rules)
            assert min(found.scores.values()) >= 0


@matches
@few
def test_the_clock_never_stands_still(rules, number):
    """Until the match is over there is a deadline, and it lies ahead."""
    for step in played(rules, number):
        deadline = GAME.core.status(step.match).deadline
        if GAME.core.status(step.match).result is None:
            assert deadline is not None
            assert deadline > step.now
        else:
            assert deadline is None


@matches
@few
def test_k17_a_deal_ends(rules, number):
    for step in played(rules, number):
        assert all(player.turns <= rules.max_turns for player in step.match.deal.players)


def test_a_state_of_a_later_version_is_refused():
    match = GAME.core.start(rules=POINTS, seats=(0, 1), toss=False, seed=bytes(32), now=NOW).state
    with pytest.raises(UnknownVersion):
        GAME.stored.load(b"\xff" + GAME.stored.dump(match)[1:])
