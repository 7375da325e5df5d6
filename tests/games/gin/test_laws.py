"""What holds in every match of gin, whatever is played: random whole matches by all rule sets."""

import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.cards import CARDS
from games.engine.base import IllegalMove
from games.engine.codec import UnknownVersion
from games.engine.moves import Leave, Move
from games.engine.shares import divide
from games.gin.game import GAME as GIN
from games.gin.rules.deal import Phase
from games.gin.rules.match import Match
from games.gin.rules.moves import Defend, Discard, Draw, Knock, Pass
from games.gin.rules.ruleset import POINTS, PRESETS, GinRules, for_event
from tests.effort import share_of
from tests.games.gin.driving import CommittedChange, drive, random_choosing, seed_of
from tests.games.gin.scenes import NOW
from tests.games.open_moves import open_part
from tests.games.values import pair

GAME = PRESETS["game100"]
RULES = [
    POINTS,
    PRESETS["oklahoma"],
    GAME,
    replace(GAME, target=40, wall=20),
    replace(PRESETS["oklahoma100"], max_turns=6, open_discards=False),
    replace(PRESETS["classic100"], next_dealer="winner", may_return_open_card=True),
    for_event(replace(GAME, next_dealer="alternate"), deals=2, qualifiers=1),
    replace(POINTS, wall=26, max_dead_deals=2),
]
LARGEST_STATE = 2048

matches = given(rules=st.sampled_from(RULES), number=st.integers(0, 2**32))
few = settings(
    max_examples=share_of(12), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def played(rules: GinRules, number: int) -> Iterator[CommittedChange]:
    rng = random.Random(number)
    seats = tuple(rng.sample(range(4), 2))
    yield from drive(random_choosing(rng), seats=seats, rules=rules, seed=number)


def test_random_matches_come_to_everything_that_can_happen():
    """What the laws below hold for is what these matches come to."""
    wanted = {"toss", "dealt", "turn", "passed", "drawn", "discarded", "missed_turn", "knocked"}
    wanted |= {"defended", "left", "deal_over", "deal_due", "match_over"}
    happened, ways = set(), set()
    for number in range(100):
        for step in played(RULES[number % len(RULES)], number):
            happened |= {event.kind for event in step.events}
            ways |= {event.data["how"] for event in step.events if event.kind == "deal_over"}
    assert wanted == happened, wanted ^ happened
    assert ways >= {"knock", "gin", "undercut", "dead", "forfeit"}


@matches
@few
def test_no_card_is_made_or_lost(rules, number):
    for step in played(rules, number):
        assert sorted(step.match.deal.cards()) == list(CARDS[:52])


@matches
@few
def test_a_stored_match_is_the_match(rules, number):
    for step in played(rules, number):
        data = GIN.stored.dump(step.match)
        assert GIN.stored.load(data) == step.match
        assert len(data) < LARGEST_STATE + 100 * step.match.number


@matches
@few
def test_seed_and_moves_are_the_record(rules, number):
    steps = list(played(rules, number))
    order = tuple(random.Random(number).sample(range(4), 2))
    match = GIN.core.start(rules=rules, seats=order, toss=True, seed=seed_of(number), now=NOW).state
    for step in steps[1:]:
        fresh = seed_of(number, GIN.core.status(match).deals)
        if step.seat is None or step.move is None:
            match, happened = pair(GIN.core.expire(match, now=step.now, seed=fresh))
        else:
            move = GIN.wire.read(json.loads(json.dumps(GIN.wire.write(step.move))))
            match, happened = pair(GIN.core.play(match, step.seat, move, now=step.now, seed=fresh))
        assert match == step.match
        assert happened == step.events


def attempts(match: Match, rng: random.Random) -> Iterator[tuple[int, Move]]:
    """Moves of every seat: with its own cards and with some that it may not have."""
    for seat in range(4):
        player = match.deal.player(seat)
        cards = {*rng.sample(CARDS[:52], 4), *(player.hand if player else ())}
        yield from ((seat, Discard(card)) for card in cards)
        yield from ((seat, move) for move in (Draw("closed"), Draw("open"), Pass(), Leave()))


def accepts(step: CommittedChange, seat: int, move: Move) -> bool:
    try:
        GIN.core.play(step.match, seat, move, now=step.now, seed=bytes(32))
    except IllegalMove as refusal:
        return not (refusal.code and refusal.message)
    return True


@matches
@few
def test_what_is_legal_is_played_and_everything_else_is_refused(rules, number):
    rng = random.Random(number)
    for step in played(rules, number):
        if rng.random() < 0.8:
            continue
        legal = {(seat, move) for seat in range(4) for move in GIN.core.legal(step.match, seat)}
        before = GIN.stored.dump(step.match)
        for seat, move in {*attempts(step.match, rng), *legal}:
            assert accepts(step, seat, move) is ((seat, move) in legal), (seat, move)
        assert GIN.stored.dump(step.match) == before


@matches
@few
def test_g7_whoever_may_knock_is_told_so(rules, number):
    """What the browser is told, the views and the rules say the same."""
    for step in played(rules, number):
        for seat in step.match.seats:
            knocks = [move for move in GIN.core.legal(step.match, seat) if isinstance(move, Knock)]
            told = {entry["kind"]: entry for entry in GIN.core.legal_view(step.match, seat)}
            own = GIN.view.private(step.match, seat)
            assert bool(knocks) is ("knock" in told) is own["may_knock"]
            if knocks:
                cards = [None if move.card is None else str(move.card) for move in knocks]
                assert told["knock"] == {"kind": "knock", "card": cards, "groups": None}
            defends = any(isinstance(move, Defend) for move in GIN.core.legal(step.match, seat))
            assert defends is (own["defence"] is not None)


def scrambled(match: Match, seat: int, name: str) -> Match:
    """The same deal with everything that this seat does not see dealt anew."""
    rng = random.Random(name)
    deal = match.deal
    hidden = list(deal.closed)
    # After a knock the knocker's ten are public, and the card that lies face down is not.
    face_down = deal.knock.card if deal.knock is not None and deal.knock.seat != seat else None
    unseen = [
        player
        for player in deal.players
        if player.seat != seat and (deal.knock is None or deal.knock.seat != player.seat)
    ]
    for player in unseen:
        hidden += [card for card in player.hand if card not in player.taken]
    hidden += [face_down] if face_down is not None else []
    hidden = rng.sample(hidden, len(hidden))
    for player in unseen:
        known = tuple(card for card in player.hand if card in player.taken)
        size = len(player.hand) - len(known)
        deal = deal.with_player(replace(player, groups=((*known, *hidden[:size]),)))
        hidden = hidden[size:]
    if face_down is not None and deal.knock is not None:
        deal = replace(deal, knock=replace(deal.knock, card=hidden.pop()))
    # The drawn card of the other one is theirs as well.
    if deal.drawn is not None and deal.at_turn.seat != seat and not deal.drawn_from_open:
        deal = replace(deal, drawn=deal.at_turn.hand[-1])
    return replace(match, deal=replace(deal, closed=tuple(hidden)))


@matches
@few
def test_g17_a_seat_sees_nothing_of_the_other_hand(rules, number):
    for count, step in enumerate(played(rules, number)):
        if step.match.deal.phase is Phase.OVER or count % 3:
            continue
        for seat in step.match.seats:
            other = scrambled(step.match, seat, f"{number} {count}")
            assert GIN.view.public(other) == GIN.view.public(step.match)
            assert GIN.view.private(other, seat) == GIN.view.private(step.match, seat)
            assert GIN.core.legal_view(other, seat) == GIN.core.legal_view(step.match, seat)


@matches
@few
def test_what_is_told_with_every_change_says_nothing_of_a_hand(rules, number):
    """`open_moves`: the same with any other cards in the hand of whoever may play them."""
    for count, step in enumerate(played(rules, number)):
        if step.match.deal.phase is Phase.OVER or count % 3:
            continue
        for seat in step.match.seats:
            other = scrambled(step.match, 1 - seat, f"{number} {count}")
            assert open_part(GIN, other, seat) == open_part(GIN, step.match, seat)


@matches
@few
def test_the_views_always_have_the_same_keys(rules, number):
    steps = list(played(rules, number))
    assert len({tuple(GIN.view.public(step.match)) for step in steps}) == 1
    own = {tuple(GIN.view.private(step.match, seat)) for step in steps for seat in range(4)}
    assert own == {tuple(dict(GIN.view.nothing_private))}
    assert all(json.dumps(GIN.view.public(step.match)) for step in steps[::9])


@matches
@few
def test_g14_what_is_paid_comes_to_nothing_in_all(rules, number):
    for step in played(rules, number):
        outcome = step.match.deal.outcome
        assert outcome is None or 0 <= outcome.points <= GIN.money.largest_loss(rules)
        found = GIN.core.status(step.match).result
        if found is None:
            continue
        assert set(found.winners) == {seat for seat, rank in found.ranks.items() if rank == 1}
        assert found.points.keys() == found.ranks.keys() == set(step.match.seats)
        assert found.facts.keys() == {"sheet", "bonuses"}
        assert len(found.winners) == 1 or rules.qualifiers is None
        assert sum(divide(200, found.shares).values()) == 200
        if rules.is_per_point:
            assert all(found.points[seat] == 0 for seat in found.winners)
            assert all(points <= GIN.money.largest_loss(rules) for points in found.points.values())


@matches
@few
def test_the_clock_never_stands_still(rules, number):
    """Until the match is over there is a deadline, and it lies ahead."""
    for step in played(rules, number):
        deadline = GIN.core.status(step.match).deadline
        if GIN.core.status(step.match).result is None:
            assert deadline is not None
            assert deadline > step.now
        else:
            assert deadline is None


def test_a_state_of_a_later_version_is_refused():
    match = GIN.core.start(rules=POINTS, seats=(0, 1), toss=False, seed=bytes(32), now=NOW).state
    with pytest.raises(UnknownVersion):
        GIN.stored.load(b"\xff" + GIN.stored.dump(match)[1:])
