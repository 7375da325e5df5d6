"""R8.4: the table itself asks whether the prize is to be split."""

from games.indian.game import GAME
from tests.games.indian.scenes import NOW, act, act_events, expire, kinds, refused, view
from tests.games.indian.test_pool import between, dropping, pool
from tests.games.values import pair


def proposed(match):
    return pair(GAME.core.propose(match, now=NOW + 2_000))


def test_everybody_left_is_asked():
    match, happened = proposed(between(20, 60, 60))
    assert [event.json() for event in happened] == [
        {"kind": "split_open", "parts": {"0": 7, "2": 4, "1": 1}, "due_at": NOW + 17_000}
    ]
    assert (view(match)["phase"], GAME.core.status(match).acting) == ("split", (0, 1, 2))
    assert view(match)["match"]["split_asker"] is None
    assert view(match)["match"]["may_offer_split"] is False


def test_all_must_accept():
    match, _ = proposed(between(20, 60, 60))
    match = act(match, 0, "answer_split", accept=True)
    match = act(match, 2, "answer_split", accept=True)
    assert GAME.core.status(match).result is None
    match, happened = act_events(match, 1, "answer_split", accept=True)
    assert kinds(happened) == ["split_answered", "split_closed", "match_over"]
    result = GAME.core.status(match).result
    assert result is not None
    assert dict(result.shares) == {0: 7, 2: 4, 1: 1}


def test_one_refusal_ends_it_and_nobody_asks_again_in_this_break():
    match, _ = proposed(between(20, 60, 60))
    match, happened = act_events(match, 1, "answer_split", accept=False)
    assert kinds(happened) == ["split_answered", "split_closed", "deal_due"]
    assert GAME.core.propose(match, now=NOW) is None
    assert refused(match, 0, "offer_split") == "split_not_possible"


def test_silence_ends_it():
    match, _ = proposed(between(20, 60, 60))
    match = expire(act(match, 0, "answer_split", accept=True))
    assert (view(match)["phase"], GAME.core.status(match).result) == ("between", None)


def test_there_is_nothing_to_ask_otherwise():
    assert GAME.core.propose(pool(20, 30, 40), now=NOW) is None  # a deal is being played
    match, _ = dropping(pool(20, 30, 40), 0, 1)
    assert GAME.core.propose(match, now=NOW) is None  # all who began are left
    match, _ = proposed(between(20, 60, 60))
    assert GAME.core.propose(match, now=NOW) is None  # it is being asked
