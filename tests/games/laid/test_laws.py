"""What holds in every match with melds on the table, whatever is played: random whole matches."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.basic.game import GAME as BASIC
from games.basic.rules.ruleset import PRESETS as BASIC_PRESETS
from games.basic.rules.ruleset import for_event
from games.cards import CARDS
from games.contract.game import GAME as CONTRACT
from games.contract.rules.ruleset import PRESETS as CONTRACT_PRESETS
from games.engine.base import IllegalMove
from games.engine.codec import UnknownVersion
from games.engine.shares import divide
from tests.effort import share_of
from tests.games.laid.driving import NOW, CommittedChange, drive, random_choosing, seed_of
from tests.games.values import pair, replace

_RACE = BASIC_PRESETS["race100"]
CASES: list[tuple[Any, Any, range]] = [
    (BASIC, BASIC_PRESETS["points"], range(2, 7)),
    (BASIC, BASIC_PRESETS["one_meld"], range(2, 7)),
    (BASIC, replace(_RACE, target=40, restock="turn"), range(2, 7)),
    (BASIC, replace(_RACE, target=60, ace="both", must_discard_last=True), range(2, 5)),
    (BASIC, for_event(_RACE, deals=2, qualifiers=2), range(3, 7)),
    (BASIC, replace(BASIC_PRESETS["points"], max_turns=5, max_points=50), range(2, 7)),
    (
        BASIC,
        replace(BASIC_PRESETS["points"], may_return_open_card=True, restock="block"),
        range(3, 7),
    ),
]
_MATCH = CONTRACT_PRESETS["contract"]
_SINGLE = CONTRACT_PRESETS["single"]
_SHORT: dict[str, Any] = {"max_turns": 12, "max_missed_turns": 2}
CASES += [
    (CONTRACT, _SINGLE, range(2, 6)),
    (CONTRACT, replace(_SINGLE, multiple_buys=True, max_buys=None, max_restocks=0), range(3, 6)),
    (
        CONTRACT,
        replace(
            CONTRACT_PRESETS["deuces_wild"],
            contracts=(("set", "set"), ("run", "run")),
            hand_sizes=(10, 8),
            whole_hand_last=False,
            lay_off_same_turn=True,
            exact_contract=False,
            deals=2,
            **_SHORT,
        ),
        range(2, 5),
    ),
    (
        CONTRACT,
        replace(
            _MATCH,
            contracts=(("set",), ("run",)),
            hand_sizes=(6, 3),
            must_go_out_by_laying=True,
            deals=2,
            qualifiers=1,
            jokers="all_printed",
            **_SHORT,
        ),
        range(2, 6),
    ),
    (CONTRACT, replace(CONTRACT_PRESETS["no_buying"], deals=2, **_SHORT), range(2, 4)),
    (
        CONTRACT,
        replace(_MATCH, jokers="two_a_pack", multiple_buys=True, deals=2, **_SHORT),
        range(6, 9),
    ),
]
LARGEST_STATE = 4096

matches = given(case=st.sampled_from(CASES), number=st.integers(0, 2**32))
few = settings(
    max_examples=share_of(14), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def played(case: tuple[Any, Any, range], number: int) -> Iterator[CommittedChange]:
    game, rules, players = case
    rng = random.Random(number)
    seats = _seats(players, rng)
    yield from drive(game, random_choosing(game, rng), seats=seats, rules=rules, seed=number)


def _seats(players: range, rng: random.Random) -> tuple[int, ...]:
    return tuple(rng.sample(range(max(6, players[-1])), rng.choice(players)))


def deck_of(case: tuple[Any, Any, range], match: Any) -> list[int]:
    game, rules, _ = case
    return sorted(rules.deck(len(match.deal.players)) if game.code == "contract" else CARDS[:52])


@pytest.mark.parametrize("game", [BASIC, CONTRACT], ids=lambda game: game.code)
def test_random_matches_come_to_everything_that_can_happen(game):
    """What the laws below hold for is what these matches come to."""
    wanted = {
        "basic": {
            *("toss", "dealt", "turn", "drawn", "discarded", "melded", "laid_off", "missed_turn"),
            *("dropped", "left", "reshuffled", "turned_over", "deal_over", "deal_due"),
            "match_over",
        },
        "contract": {
            *("toss", "dealt", "turn", "drawn", "discarded", "contract_laid", "laid_off"),
            *("swapped_joker", "offered", "bought", "unsold", "missed_turn", "absent", "left"),
            *("reshuffled", "deal_over", "deal_due", "match_over"),
        },
    }[game.code]
    ways = {
        "basic": {"out", "rummy", "blocked", "limit", "last_player"},
        "contract": {"out", "blocked", "limit", "last_player"},
    }[game.code]
    cases = [case for case in CASES if case[0] is game]
    happened, hows = set(), set()
    for number in range(130):
        for step in played(cases[number % len(cases)], number):
            happened |= {event.kind for event in step.events}
            hows |= {event.data["how"] for event in step.events if event.kind == "deal_over"}
        if happened == wanted and hows == ways:
            return
    assert (happened, hows) == (wanted, ways)


@matches
@few
def test_no_card_is_made_or_lost(case, number):
    for step in played(case, number):
        assert sorted(step.match.deal.cards()) == deck_of(case, step.match)


@matches
@few
def test_a_stored_match_is_the_match(case, number):
    game = case[0]
    for step in played(case, number):
        data = game.stored.dump(step.match)
        assert game.stored.load(data) == step.match
        assert len(data) < LARGEST_STATE + 150 * step.match.number


@matches
@few
def test_seed_and_moves_are_the_record(case, number):
    game, rules, _ = case
    steps = list(played(case, number))
    rng = random.Random(number)
    seats = _seats(case[2], rng)
    match = game.core.start(
        rules=rules, seats=seats, toss=True, seed=seed_of(number), now=NOW
    ).state
    for step in steps[1:]:
        fresh = seed_of(number, game.core.status(match).deals)
        if step.seat is None or step.move is None:
            match, happened = pair(game.core.expire(match, now=step.now, seed=fresh))
        else:
            move = game.wire.read(json.loads(json.dumps(game.wire.write(step.move))))
            assert move == step.move
            match, happened = pair(game.core.play(match, step.seat, move, now=step.now, seed=fresh))
        assert match == step.match
        assert happened == step.events


def foreign(game: Any, match: Any, rng: random.Random) -> Iterator[tuple[int, Any]]:
    """Simple moves of every seat: with its own cards and with some that it may not have."""
    texts = [str(card) for card in rng.sample(CARDS[:52], 4)]
    wires: list[dict[str, Any]] = [
        {"kind": "draw", "source": "open"},
        {"kind": "draw", "source": "closed"},
        {"kind": "leave"},
    ]
    for seat in range(7):
        [hand] = [p.hand for p in match.deal.players if p.seat == seat] or [()]
        cards = [*texts, *map(str, hand)]
        yield from ((seat, game.wire.read(wire)) for wire in wires)
        yield from ((seat, game.wire.read({"kind": "discard", "card": c})) for c in cards)


def accepts(game: Any, step: CommittedChange, seat: int, move: Any) -> bool:
    try:
        game.core.play(step.match, seat, move, now=step.now, seed=bytes(32))
    except IllegalMove as refusal:
        return not (refusal.code and refusal.message)
    return True


@matches
@few
def test_what_is_legal_is_played_and_everything_else_is_refused(case, number):
    game, rng = case[0], random.Random(number)
    for step in played(case, number):
        if rng.random() < 0.8:
            continue
        legal = {(seat, move) for seat in range(7) for move in game.core.legal(step.match, seat)}
        before = game.stored.dump(step.match)
        for seat, move in {*foreign(game, step.match, rng), *legal}:
            assert accepts(game, step, seat, move) is ((seat, move) in legal), (seat, move)
        assert game.stored.dump(step.match) == before


@matches
@few
def test_what_the_browser_is_told_is_what_is_legal(case, number):
    game = case[0]
    for step in played(case, number):
        for seat in range(6):
            told = {entry["kind"] for entry in game.core.legal_view(step.match, seat)}
            assert told == {move.kind for move in game.core.legal(step.match, seat)}


def scrambled(match: Any, seat: int, name: str) -> Any:
    """The same deal with everything that this seat does not see dealt anew.

    Cards that somebody took from the open pile, and still holds, everybody has seen."""
    rng, deal = random.Random(name), match.deal
    others = [player for player in deal.players if player.seat != seat]
    hidden = list(deal.closed)
    for player in others:
        hidden += [card for card in player.hand if card not in player.taken]
    hidden = rng.sample(hidden, len(hidden))
    changed = {}
    for player in others:
        known = tuple(card for card in player.hand if card in player.taken)
        size = len(player.hand) - len(known)
        fresh = (*known, *hidden[:size])
        hidden = hidden[size:]
        more = {"penalties": ()} if hasattr(player, "penalties") else {}
        changed[player.seat] = replace(player, groups=(fresh,) if fresh else (), **more)
    deal = replace(
        deal,
        players=tuple(changed.get(player.seat, player) for player in deal.players),
        closed=tuple(hidden),
    )
    at_turn = deal.players[deal.turn]
    if deal.drawn is not None and at_turn.seat != seat and not deal.drawn_from_open:
        # The drawn card of another seat is theirs as well.
        unseen = [card for card in at_turn.hand if card not in at_turn.taken]
        deal = replace(deal, drawn=unseen[-1] if unseen else deal.drawn)
    return replace(match, deal=deal)


@matches
@few
def test_b16_c20_a_seat_sees_nothing_of_the_other_hands(case, number):
    game = case[0]
    for count, step in enumerate(played(case, number)):
        if step.match.deal.how is not None or count % 3:
            continue
        for seat in step.match.seats:
            other = scrambled(step.match, seat, f"{number} {count}")
            assert game.view.public(other) == game.view.public(step.match)
            assert game.view.private(other, seat) == game.view.private(step.match, seat)
            assert game.core.legal_view(other, seat) == game.core.legal_view(step.match, seat)


@matches
@few
def test_a_bot_knows_what_its_seat_sees_and_nothing_else(case, number):
    game = case[0]
    for count, step in enumerate(played(case, number)):
        acting = game.core.status(step.match).acting
        if count % 7 or not acting:
            continue
        seat = acting[0]
        other = scrambled(step.match, seat, f"{number} {count}")
        chosen = [
            game.bots(
                {
                    "public": game.view.public(match),
                    "you": game.view.private(match, seat),
                    "rules": game.rules.json(match.rules),
                },
                seat,
                strength=random.Random(number).choice(["easy", "medium", "hard"]),
                rng=random.Random(count),
            )
            for match in (step.match, other)
        ]
        assert chosen[0] == chosen[1]


@matches
@few
def test_the_views_always_have_the_same_keys(case, number):
    game = case[0]
    steps = list(played(case, number))
    assert len({tuple(game.view.public(step.match)) for step in steps}) == 1
    own = {tuple(game.view.private(step.match, seat)) for step in steps for seat in range(7)}
    assert own == {tuple(dict(game.view.nothing_private))}
    assert all(json.dumps(game.view.public(step.match)) for step in steps[::9])


@matches
@few
def test_what_is_paid_comes_to_nothing_in_all(case, number):
    game, rules, _ = case
    for step in played(case, number):
        found = game.core.status(step.match).result
        if found is None:
            continue
        assert set(found.winners) == {seat for seat, rank in found.ranks.items() if rank == 1}
        assert found.points.keys() == found.ranks.keys() == set(step.match.seats)
        assert found.facts.keys() == {"sheet"}
        assert len(found.winners) == 1 or rules.qualifiers is None
        assert not set(found.winners) & set(step.match.left) or not step.match.staying
        assert sum(divide(200, found.shares).values()) == 200
        assert set(found.next_order) <= set(found.ranks)
        if game.formats and game.money.format_of(rules) == "POINTS":
            assert all(found.points[seat] == 0 for seat in found.winners)
            assert all(
                0 <= lost <= game.money.largest_loss(rules) for lost in found.points.values()
            )


@matches
@few
def test_the_clock_never_stands_still(case, number):
    """Until the match is over there is a deadline, and it lies ahead."""
    game = case[0]
    for step in played(case, number):
        deadline = game.core.status(step.match).deadline
        if game.core.status(step.match).result is None:
            assert deadline is not None
            assert deadline > step.now
            later = game.core.postpone(step.match, by_ms=500)
            assert game.core.status(later).deadline == deadline + 500
            assert pair(game.core.expire(step.match, now=step.now, seed=bytes(32))) == (
                step.match,
                (),
            )
        else:
            assert deadline is None


@pytest.mark.parametrize("game", [BASIC, CONTRACT], ids=lambda game: game.code)
def test_a_state_of_a_later_version_is_refused(game):
    rules = game.rules.preset(game.formats[0].presets[0])
    match = game.core.start(rules=rules, seats=(0, 1), toss=False, seed=bytes(32), now=NOW).state
    with pytest.raises(UnknownVersion):
        game.stored.load(b"\xff" + game.stored.dump(match)[1:])
