"""The bots of Indian rummy: whole deals, and their choices in given positions."""

from collections import Counter

import pytest

from games.engine.base import Strength
from games.engine.state import Stage
from games.indian.bots.distance import Distances
from games.indian.game import GAME
from games.indian.rules.moves import Finish
from games.indian.rules.ruleset import POINTS, PRESETS
from games.indian.rules.solver.arrangement import arrange_fourteen
from games.indian.rules.state import Match, Membership, Phase, Question, QuestionSubject
from tests.effort import share_of
from tests.games.driving import bot_move, play_bots
from tests.games.indian.scenes import DECLARABLE, HOPELESS, act, read_saved, scene, view, view_own
from tests.games.values import replace

STRENGTHS = GAME.strengths


@pytest.mark.parametrize(
    ("strengths", "deals", "declared"),
    [
        *((["medium"] * seats, share_of(20), share_of(20) - 1) for seats in (2, 3, 4, 5, 6)),
        (["easy"] * 2, share_of(40), share_of(30)),
        (["hard"] * 3, share_of(6), 0),
    ],
    ids=lambda value: f"{len(value)} {value[0]}" if isinstance(value, list) else "",
)
def test_bots_end_their_deals_mostly_by_declaring(strengths, deals, declared):
    found = Counter(
        view([*play_bots(GAME, *strengths, seed=seed)][-1].match)["result"]["how"]
        for seed in range(deals)
    )
    assert found["declared"] >= declared
    assert found["declared"] + found["last_player"] == deals


def test_r3_4_no_bot_ever_declares_wrongly():
    declarations = 0
    for seed in range(share_of(60)):
        for step in play_bots(GAME, "easy", "medium", seed=seed):
            for event in step.events:
                if event.kind == "declared":
                    declarations += 1
                    assert event.data["valid"] is True
    assert declarations >= share_of(50)


def test_a_hard_bot_declares_whenever_it_can():
    chances = 0
    for seed in range(10):
        before = None
        for step in play_bots(GAME, "hard", "medium", seed=seed):
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
    match = act(match, 0, "declare", groups=read_saved(match, 0))
    move = bot_move(GAME, match, 1, strength, "show")
    assert move["kind"] == "show"
    assert view(act(match, 1, **move))["players"]["1"]["points"] == 2


@pytest.mark.parametrize("strength", STRENGTHS)
def test_only_strengths_that_value_hands_search_for_helpful_cards(strength, monkeypatch):
    """That search takes most of a move's time."""
    asked: list[str] = []
    helpful = Distances.find_helpful

    def count_calls(*arguments):
        asked.append(strength)
        return helpful(*arguments)

    monkeypatch.setattr(Distances, "find_helpful", count_calls)
    assert [*play_bots(GAME, strength, strength, seed=1)]
    assert bool(asked) is (strength == "hard")


def ask(question: Question, scores: tuple[int, ...], out: int | None = None):
    """Set up a pool match between two deals with this question open. Seat `out` has been eliminated."""
    seats = tuple(range(len(scores)))
    match = GAME.core.start(
        rules=PRESETS["pool101"], seats=seats, toss=False, seed=bytes(32), now=0
    ).state
    standings = [replace(s, score=score) for s, score in zip(match.standings, scores, strict=True)]
    if out is not None:
        standings[out] = standings[out].eliminate(Membership.ELIMINATED, 1)
    deal = replace(match.deal, phase=Phase.OVER)
    return replace(
        match.with_standings(standings), deal=deal, stage=Stage.ASKING, question=question
    )


def answer(match: Match, seat: int, strength: Strength) -> bool:
    move = bot_move(GAME, match, seat, strength, "answer")
    assert set(move) == {"kind", "accept"}
    return move["accept"] is True


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize(
    ("scores", "accepts"),
    [
        # 22, 22 and 21 points are left below 101: a third of four entries.
        ((79, 79, 101), True),
        # 42, 42 and 41 points are left, so all are nearly level.
        ((59, 59, 110), True),
        # 101 + 22 points are left to the others, 21 to the bot: a seventh of four entries.
        ((0, 79, 120), False),
        # 21 of 84 points for four entries is just worth an entry; 21 of 85 is not.
        ((60, 79, 120), True),
        ((59, 79, 120), False),
    ],
)
def test_r8_2_a_bot_rejoins_if_the_prize_is_worth_the_entry(strength, scores, accepts):
    question = Question(QuestionSubject.REJOIN, waiting=(2,), score=max(scores[:2]) + 1)
    assert answer(ask(question, scores, out=2), 2, strength) is accepts


@pytest.mark.parametrize("strength", STRENGTHS)
def test_r8_4_a_bot_agrees_to_a_split_worth_its_chance(strength):
    question = Question(QuestionSubject.SPLIT, waiting=(1, 2), asker=0)
    ahead = ask(question, (90, 20, 95, 101), out=3)
    # The players have 0, 4 and 0 drops left, which leaves too little of four entries to share.
    assert view(ahead)["match"]["split_parts"] is None
    level = ask(question, (70, 70, 70, 101), out=3)
    assert [answer(level, seat, strength) for seat in (1, 2)] == [True, True]
    behind = ask(question, (81, 81, 99, 101), out=3)
    # Nobody has a drop left, so the shares are equal, but seat 2 is nearly out.
    assert [answer(behind, seat, strength) for seat in (1, 2)] == [False, True]


def test_r4_4_a_bot_takes_the_joker_that_opens_the_pile():
    match = scene(HOPELESS, HOPELESS, open_pile="PJ")
    for strength in ("easy", "medium"):
        move = bot_move(GAME, match, 0, strength, "joker")
        assert move == {"kind": "draw", "source": "open"}


# No joker, and no two cards that wait for a third.
GIVEN_UP = "3S 6S QS QS|AH 3H 5H TH KH|8D JD|5C TC"


def test_r5_1_a_hard_bot_drops_a_hopeless_hand_before_it_draws():
    match = scene(GIVEN_UP, HOPELESS, wild="7H", open_pile="KS")
    moves = {strength: bot_move(GAME, match, 0, strength, "drop") for strength in STRENGTHS}
    drawing = {"kind": "draw", "source": "closed"}
    dropping = {"kind": "drop"}
    assert moves == {"easy": drawing, "medium": drawing, "hard": dropping}


def test_r5_2_no_bot_drops_where_drops_are_not_allowed():
    match = scene(GIVEN_UP, HOPELESS, wild="7H", open_pile="KS", rules=PRESETS["deals2"])
    move = bot_move(GAME, match, 0, "hard", "drop")
    assert move["kind"] == "draw"


def test_r4_5_a_bot_returns_the_open_card_where_the_rules_allow_it():
    rules = replace(POINTS, may_return_open_card=True)
    hand = "2H 3H 4H 5H|5C 6C 7C|9S 9D 9H|2D 3D 4D"
    match = act(scene(hand, HOPELESS, open_pile="KC", rules=rules), 0, "draw", source="open")
    move = bot_move(GAME, match, 0, "medium", "return")
    assert move["card"] == view_own(match, 0)["drawn"] == "KC.0"


def test_a_finish_that_is_overlooked_leaves_the_hand_complete():
    """R3: `medium` sometimes overlooks a finish. It must then keep the hand, to finish after its next draw."""
    match = scene(DECLARABLE, HOPELESS, next_closed="TS")
    match = act(match, 0, "draw", source="closed")
    moves = [bot_move(GAME, match, 0, "medium", f"overlooked {number}") for number in range(60)]
    finished = [move["kind"] == "finish" for move in moves]
    assert 40 < sum(finished) < 60
    assert {move["card"] for move in moves} == {"TS.0"}


@pytest.mark.parametrize(("score", "kind"), [(0, "drop"), (81, "draw"), (99, "draw")])
def test_r8_1_no_bot_drops_out_of_a_pool(score, kind):
    """A first drop costs 20 points; at 81 of 101 it would eliminate the bot."""
    match = scene(GIVEN_UP, HOPELESS, wild="7H", open_pile="KS", rules=PRESETS["pool101"])
    match = match.with_standings(
        [
            replace(one, score=points)
            for one, points in zip(match.standings, (score, 50), strict=True)
        ]
    )
    move = bot_move(GAME, match, 0, "hard", "pool")
    assert move["kind"] == kind
