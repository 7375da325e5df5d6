"""Bots play whole deals by what a seat sees, and only that."""

from collections import Counter
from typing import Any, cast

import pytest

from games.engine.base import Strength
from games.engine.state import Stage
from games.indian.bots import choose as bots
from games.indian.bots.distance import Distances
from games.indian.game import GAME
from games.indian.rules.deal import Phase
from games.indian.rules.match import Asked, Match, Membership, Question
from games.indian.rules.moves import Finish
from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.solver.arrangement import arrange_fourteen
from tests.effort import share_of
from tests.games.indian.driving import CommittedChange, bot_match, bot_view
from tests.games.indian.hands import seeded
from tests.games.indian.scenes import DECLARABLE, HOPELESS, act, own, saved, scene, view
from tests.games.open_moves import open_part
from tests.games.values import replace

STRENGTHS: tuple[Strength, ...] = ("easy", "medium", "hard", "expert")


def play(*strengths: Strength, seed: int) -> list[CommittedChange]:
    return [step for step, _ in bot_match(*strengths, seed=seed)]


def endings(*strengths: Strength, deals: int) -> Counter[str]:
    return Counter(
        view(play(*strengths, seed=seed)[-1].match)["result"]["how"] for seed in range(deals)
    )


def wins(*strengths: Strength, deals: int) -> Counter[str]:
    won: Counter[str] = Counter()
    for seed in range(deals):
        result = GAME.core.status(play(*strengths, seed=seed)[-1].match).result
        assert result is not None
        won.update(strengths[seat] for seat in result.winners)
    return won


def test_medium_beats_easy():
    assert wins("medium", "easy", deals=100)["medium"] > 60


def test_hard_beats_medium():
    assert wins("hard", "medium", deals=40)["hard"] > 24


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_medium_bots_end_a_deal_by_declaring(seats):
    medium: list[Strength] = ["medium"] * seats
    found = endings(*medium, deals=share_of(20))
    assert found["declared"] >= share_of(20) - 1


def test_easy_bots_end_a_deal_too():
    found = endings("easy", "easy", deals=share_of(40))
    assert found["declared"] >= share_of(30)
    assert found.total() == share_of(40)


def test_hard_bots_end_a_deal_by_declaring_or_dropping():
    assert set(endings("hard", "hard", "hard", deals=6)) <= {"declared", "last_player"}


def test_r3_4_no_bot_ever_declares_wrongly():
    declarations = 0
    for seed in range(share_of(60)):
        for step in play("easy", "medium", seed=seed):
            for event in step.events:
                if event.kind == "declared":
                    declarations += 1
                    assert event.data["valid"] is True
    assert declarations >= share_of(50)


def test_a_hard_bot_declares_whenever_it_can():
    chances = 0
    for seed in range(10):
        before = None
        for step in play("hard", "medium", seed=seed):
            if before is not None and step.seat == 0 and view(before)["step"] == "discard":
                deal = before.deal
                best = arrange_fourteen(deal.at_turn.hand, deal.wild_rank, before.rules)
                chances += best.declarable
                assert isinstance(step.move, Finish) is best.declarable
            before = step.match
    assert chances >= 2


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_bot_shows_its_best_arrangement(strength):
    jumbled = DECLARABLE.replace("|", " ")
    match = scene(DECLARABLE, jumbled, HOPELESS, next_closed="TS")
    match = act(act(match, 0, "draw", source="closed"), 0, "finish", card="TS")
    match = act(match, 0, "declare", groups=saved(match, 0))
    move = bots.choose(bot_view(match, 1), 1, strength=strength, rng=seeded("show"))
    assert move["kind"] == "show"
    assert view(act(match, 1, **cast("dict[str, Any]", move)))["players"]["1"]["points"] == 2


@pytest.mark.parametrize("strength", STRENGTHS)
def test_only_who_goes_by_the_value_of_a_hand_looks_for_what_helps(strength, monkeypatch):
    """It takes most of the time of a move."""
    asked: list[str] = []
    helpful = Distances.helpful

    def counted(*arguments):
        asked.append(strength)
        return helpful(*arguments)

    monkeypatch.setattr(Distances, "helpful", counted)
    play(strength, strength, seed=1)
    assert bool(asked) is (strength in {"hard", "expert"})


def scrambled(match: Match, seat: int, name: str) -> Match:
    """The same deal with everything that this seat does not see dealt anew."""
    rng = seeded(name)
    deal = match.deal
    hidden = [*deal.closed]
    for player in deal.players:
        if player.seat != seat:
            hidden += player.hand
    hidden = rng.sample(hidden, len(hidden))
    players = []
    for player in deal.players:
        if player.seat == seat:
            players.append(player)
            continue
        size = len(player.hand)
        players.append(replace(player, groups=(tuple(hidden[:size]),)))
        hidden = hidden[size:]
    return replace(match, deal=replace(deal, players=tuple(players), closed=tuple(hidden)))


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_bot_moves_by_what_its_seat_sees(strength):
    compared = 0
    for number, step in enumerate(play("medium", "medium", "medium", seed=5)):
        for seat in GAME.core.status(step.match).acting:
            other = scrambled(step.match, seat, f"{number}")
            first, second = (
                bots.choose(bot_view(state, seat), seat, strength=strength, rng=seeded("same"))
                for state in (step.match, other)
            )
            assert first == second
            compared += 1
    assert compared > 20


def test_what_is_told_with_every_change_says_nothing_of_a_hand():
    """`open_moves`: the same with any other cards in the hand of whoever may play them."""
    told = set()
    for number, step in enumerate(play("medium", "medium", "medium", seed=5)):
        for seat in step.match.seats:
            other = scrambled(step.match, (seat + 1) % 3, f"{number}")
            part = open_part(GAME, step.match, seat)
            assert open_part(GAME, other, seat) == part
            told |= {entry["kind"] for entry in part}
    assert {"draw", "drop", "arrange", "leave"} <= told


@pytest.mark.parametrize("name", ["pool61", "deals2"])
def test_bots_play_whole_matches(name):
    steps = [step for step, _ in bot_match("easy", "easy", "medium", seed=3, rules=PRESETS[name])]
    assert GAME.core.status(steps[-1].match).result is not None
    assert GAME.core.status(steps[-1].match).deals >= 2


def asked(question: Question, scores: tuple[int, ...], out: int | None = None):
    """A pool match between two deals; seat `out` has been eliminated."""
    seats = tuple(range(len(scores)))
    match = GAME.core.start(
        rules=PRESETS["pool101"], seats=seats, toss=False, seed=bytes(32), now=0
    ).state
    standings = [replace(s, score=score) for s, score in zip(match.standings, scores, strict=True)]
    if out is not None:
        standings[out] = standings[out].out(Membership.ELIMINATED, 1)
    deal = replace(match.deal, phase=Phase.OVER)
    return replace(
        match.with_standings(standings), deal=deal, stage=Stage.ASKING, question=question
    )


def answer(match: Match, seat: int, strength: Strength) -> bool:
    move = bots.choose(bot_view(match, seat), seat, strength=strength, rng=seeded("answer"))
    assert set(move) == {"kind", "accept"}
    return move["accept"] is True


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize(
    ("scores", "accepts"),
    [
        # Rooms 22, 22 and 21 below 101: a third of four entries.
        ((79, 79, 101), True),
        # Rooms 42, 42 and 41, and the same against one who is hardly behind.
        ((59, 59, 110), True),
        # 101 + 22 against 21: a seventh of four entries.
        ((0, 79, 120), False),
        # 21 of 84 for four entries is just worth it, 21 of 85 is not.
        ((60, 79, 120), True),
        ((59, 79, 120), False),
    ],
)
def test_r8_2_a_bot_rejoins_where_the_prize_is_worth_it(strength, scores, accepts):
    question = Question(Asked.REJOIN, waiting=(2,), score=max(scores[:2]) + 1)
    assert answer(asked(question, scores, out=2), 2, strength) is accepts


@pytest.mark.parametrize("strength", STRENGTHS)
def test_r8_4_a_bot_shares_the_prize_where_its_share_is_its_chance(strength):
    question = Question(Asked.SPLIT, waiting=(1, 2), asker=0)
    ahead = asked(question, (90, 20, 95, 101), out=3)
    # Drops 0, 4 and 0: four entries are fewer than the drops ask for, five are not.
    assert view(ahead)["match"]["split_parts"] is None
    level = asked(question, (70, 70, 70, 101), out=3)
    assert [answer(level, seat, strength) for seat in (1, 2)] == [True, True]
    behind = asked(question, (81, 81, 99, 101), out=3)
    # Nobody has a drop left and all get the same, but one is nearly out.
    assert [answer(behind, seat, strength) for seat in (1, 2)] == [False, True]


def test_r4_4_a_bot_takes_the_joker_that_opens_the_pile():
    match = scene(HOPELESS, HOPELESS, open_pile="PJ")
    for strength in ("easy", "medium"):
        move = bots.choose(bot_view(match, 0), 0, strength=strength, rng=seeded("joker"))
        assert move == {"kind": "draw", "source": "open"}


# Neither a joker nor two cards that wait for a third.
GIVEN_UP = "3S 6S QS QS|AH 3H 5H TH KH|8D JD|5C TC"


def test_r5_1_a_hard_bot_drops_a_hopeless_hand_before_it_draws():
    match = scene(GIVEN_UP, HOPELESS, wild="7H", open_pile="KS")
    moves = {
        strength: bots.choose(bot_view(match, 0), 0, strength=strength, rng=seeded("drop"))
        for strength in STRENGTHS
    }
    drawing = {"kind": "draw", "source": "closed"}
    dropping = {"kind": "drop"}
    assert moves == {"easy": drawing, "medium": drawing, "hard": dropping, "expert": dropping}


def test_r5_2_no_bot_drops_where_nobody_may():
    match = scene(GIVEN_UP, HOPELESS, wild="7H", open_pile="KS", rules=PRESETS["deals2"])
    move = bots.choose(bot_view(match, 0), 0, strength="hard", rng=seeded("drop"))
    assert move["kind"] == "draw"


def test_r4_5_a_bot_may_return_the_open_card_where_the_rules_allow_it():
    rules = replace(POINTS, may_return_open_card=True)
    hand = "2H 3H 4H 5H|5C 6C 7C|9S 9D 9H|2D 3D 4D"
    match = act(scene(hand, HOPELESS, open_pile="KC", rules=rules), 0, "draw", source="open")
    move = bots.choose(bot_view(match, 0), 0, strength="medium", rng=seeded("return"))
    assert move["card"] == own(match, 0)["drawn"] == "KC.0"


def test_r4_5_a_bot_never_returns_the_open_card():
    match = act(
        scene("KS QD JC AH|9S 9D 8C 7H|2D 4D 6C TC TS", HOPELESS, open_pile="KC"),
        0,
        "draw",
        source="open",
    )
    for strength in STRENGTHS:
        move = bots.choose(bot_view(match, 0), 0, strength=strength, rng=seeded("return"))
        assert move["kind"] == "discard"
        assert move["card"] != own(match, 0)["drawn"]


def test_a_finish_that_is_overlooked_leaves_the_hand_complete():
    """R3: `medium` overlooks one now and then, and finishes with its next draw."""
    match = scene(DECLARABLE, HOPELESS, next_closed="TS")
    match = act(match, 0, "draw", source="closed")
    moves = [
        bots.choose(bot_view(match, 0), 0, strength="medium", rng=seeded(f"overlooked {number}"))
        for number in range(60)
    ]
    finished = [move["kind"] == "finish" for move in moves]
    assert 40 < sum(finished) < 60
    assert {move["card"] for move in moves} == {"TS.0"}


def in_pool(scores: tuple[int, ...]) -> Match:
    """A hand to be given up, at the first turn of a deal of a pool."""
    match = scene(GIVEN_UP, HOPELESS, wild="7H", open_pile="KS", rules=PRESETS["pool101"])
    standings = [replace(s, score=score) for s, score in zip(match.standings, scores, strict=True)]
    return match.with_standings(standings)


@pytest.mark.parametrize("strength", ["hard", "expert"])
@pytest.mark.parametrize(("score", "kind"), [(0, "drop"), (81, "draw"), (99, "draw")])
def test_r8_1_no_bot_drops_out_of_a_pool(strength, score, kind):
    """A first drop costs 20; with 81 of 101 it would be the last one."""
    match = in_pool((score, 50))
    move = bots.choose(bot_view(match, 0), 0, strength=strength, rng=seeded("pool"))
    assert move["kind"] == kind


def test_an_expert_moves_by_what_its_seat_sees_at_a_full_table():
    """As above, with cards that went back into the closed deck and players who dropped."""
    compared = 0
    steps = play("medium", "hard", "medium", "hard", "medium", "medium", seed=8)
    for number, step in enumerate(steps[::3]):
        for seat in GAME.core.status(step.match).acting:
            other = scrambled(step.match, seat, f"{number}")
            first, second = (
                bots.choose(bot_view(state, seat), seat, strength="expert", rng=seeded("same"))
                for state in (step.match, other)
            )
            assert first == second
            compared += 1
    assert compared > 10
