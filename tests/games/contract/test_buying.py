"""Turns, buying, the clock and the ends of deals and matches: C6 to C8, C14, C16 to C20."""

import pytest
from msgspec.structs import replace

from games.contract.game import GAME
from games.contract.rules.match import CORE
from games.contract.rules.ruleset import PRESETS, USUAL, for_event
from games.engine.base import IllegalMove
from games.engine.laid import Line, Status
from games.engine.state import Stage
from games.engine.step import Step
from tests.games.contract.scenes import (
    NOW,
    SINGLE,
    act,
    changed_player,
    drawing,
    laid,
    lost,
    own,
    player,
    scene,
    view,
)
from tests.games.scenes import kinds
from tests.games.values import pair
from tests.given import the

HANDS = ("7H 7S 4C 9D", "KS QH 9C", "JD 8C 3S", "4D 6C TH")


def concluded(match):
    """Enter a deal that has ended into its match."""
    step = Step(match, now=NOW)
    CORE.conclude_deal(step)
    return step.match, step.events


def refusing(*hands, **fields):
    return act(scene(*(hands or HANDS), open_pile="7D", next_closed="AH 2H 3H", **fields), 0, "draw",
               source="closed")  # fmt: skip


def test_c6_taking_the_upcard():
    match, happened = act.events(scene(*HANDS, open_pile="7D"), 0, "draw", source="open")
    assert happened == [{"kind": "drawn", "seat": 0, "source": "open", "card": "7D.0"}]
    assert view(match)["step"] == "discard"


def test_c6_refusing_it_opens_the_window():
    match, happened = act.events(
        scene(*HANDS, open_pile="7D"), 0, "draw", source="closed", now=NOW + 5_000
    )
    due_at = NOW + 13_000
    assert happened == [{"kind": "offered", "card": "7D.0", "seats": [1, 2, 3], "due_at": due_at}]
    assert view(match)["buying"] == {"card": "7D.0", "seats": [1, 2, 3], "due_at": due_at}
    assert (view(match)["phase"], view(match)["turn"], view(match)["step"]) == ("buy", 0, None)
    assert GAME.core.status(match).acting == (1, 2, 3)
    assert GAME.core.status(match).deadline == due_at
    # The player in turn does not know their card yet.
    assert own(match, 0)["drawn"] is None
    assert act.refused(match, 0, "discard", card="7H") == "not_your_turn"
    assert act.refused(match, 0, "buy") == "not_asked"


def test_c7_the_first_in_order_of_play_gets_it():
    match = act(act(refusing(), 3, "buy"), 2, "buy")
    assert view(match)["phase"] == "buy"
    match, happened = act.events(match, 1, "pass", now=NOW + 3_000)
    assert kinds(happened) == ["bought", "drawn"]
    assert happened[0] == {"kind": "bought", "seat": 2, "card": "7D.0", "wanted": [2, 3]}
    assert own(match, 2)["bought"] == ["7D.0", "AH.0"]
    assert own(match, 0)["drawn"] == "2H.0"
    assert (view(match)["phase"], view(match)["step"]) == ("turn", "discard")
    assert view(match)["due_at"] == NOW + 3_000 + 45_000
    assert act.refused(match, 1, "buy") == "wrong_step"


def test_c7_it_closes_as_soon_as_it_is_decided():
    match, happened = act.events(refusing(), 1, "buy")
    assert kinds(happened) == ["bought", "drawn"]
    assert happened[0]["seat"] == 1
    later, happened = act.events(act(refusing(), 1, "pass"), 2, "buy")
    assert happened[0]["seat"] == 2
    assert later != match


def test_c7_nobody_wants_it():
    match = act(act(refusing(), 1, "pass"), 2, "pass")
    match, happened = act.events(match, 3, "pass")
    assert happened[0] == {"kind": "unsold", "card": "7D.0", "wanted": []}
    assert view(match)["open_pile"] == ["7D.0"]


def test_c7_time_is_up():
    match = act(refusing(), 2, "buy")
    assert act.expire(match, now=NOW + 7_999) == match
    match, happened = act.expire_events(match)
    assert (happened[0]["seat"], own(match, 2)["bought"]) == (2, ["7D.0", "AH.0"])
    with pytest.raises(IllegalMove) as refusal:
        act(refusing(), 2, "buy", now=NOW + 8_000)
    assert refusal.value.code == "time_is_up"


def test_c7_without_buying_the_card_comes_at_once():
    rules = PRESETS["no_buying"]
    _, happened = act.events(scene(*HANDS, rules=rules), 0, "draw", source="closed")
    assert kinds(happened) == ["drawn"]


def test_c7_whoever_never_buys_is_not_waited_for():
    match, happened = act.events(scene(*HANDS[:3], open_pile="7D"), 1, "never_buy", on=True)
    assert happened == []
    assert own(match, 1)["never_buy"] is True
    asked = act(match, 0, "draw", source="closed")
    assert GAME.core.status(asked).acting == (2,)
    assert view(asked)["buying"]["seats"] == [1, 2]
    # As an answer, too.
    over, happened = act.events(asked, 2, "never_buy", on=True)
    assert kinds(happened) == ["unsold", "drawn"]
    assert player(over, 2).buys == 0
    back = act(asked, 1, "never_buy", on=False)
    assert own(back, 1)["never_buy"] is False
    again = act(act(match, 1, "never_buy", on=False), 0, "draw", source="closed")
    assert GAME.core.status(again).acting == (1, 2)
    # The player in turn is asked nothing.
    assert act(asked, 0, "never_buy", on=True).deal.window == asked.deal.window


def test_c8_three_buys_a_deal():
    match = changed_player(scene(*HANDS[:3], open_pile="7D"), 1, buys=3)
    assert view(match)["players"]["1"]["buys_left"] == 0
    asked = act(match, 0, "draw", source="closed")
    assert view(asked)["buying"]["seats"] == [2]
    unlimited = replace(match, rules=replace(USUAL, max_buys=None))
    assert view(unlimited)["players"]["1"]["buys_left"] is None
    assert view(act(unlimited, 0, "draw", source="closed"))["buying"]["seats"] == [1, 2]
    nobody = changed_player(match, 2, buys=3)
    assert kinds(act.events(nobody, 0, "draw", source="closed")[1]) == ["drawn"]


@pytest.mark.parametrize(
    ("closed", "restocks", "under", "is_asked"),
    [(2, 3, 0, True), (1, 3, 5, False), (1, 0, 1, False), (1, 0, 2, True)],
)
def test_c8_enough_cards_for_a_sale(closed, restocks, under, is_asked):
    match = scene(*HANDS, closed_count=closed, open_pile="7D")
    pile = match.deal.open_pile[-1 - under :] if under else match.deal.open_pile[-1:]
    match = replace(match, deal=replace(match.deal, open_pile=pile, restocks=restocks))
    asked = act(match, 0, "draw", source="closed")
    assert (asked.deal.window is not None) is is_asked
    if is_asked:
        sold, happened = act.events(asked, 1, "buy")
        assert kinds(happened)[-1] == "drawn"
        assert own(sold, 0)["drawn"]


def test_c8_no_upcard_no_sale():
    match = scene(*HANDS)
    match = replace(match, deal=replace(match.deal, open_pile=()))
    assert act(match, 0, "draw", source="closed").deal.window is None


def test_c7_several_buys():
    rules = PRESETS["multiple_buys"]
    match = scene(*HANDS, rules=rules, open_pile="9H 8H 7D", next_closed="AH 2H 3H 4H")
    match = act(match, 0, "draw", source="closed")
    match, happened = act.events(match, 1, "buy")
    assert kinds(happened) == ["bought", "offered"]
    # Not the same player twice in succession.
    assert happened[1]["seats"] == [2, 3]
    match, happened = act.events(match, 2, "buy")
    assert happened[1]["seats"] == [1, 3]
    assert view(match)["buying"]["card"] == "9H.0"
    match = act(act(match, 1, "pass"), 3, "pass")
    assert own(match, 0)["drawn"] == "3H.0"


def test_c14_the_open_pile_becomes_the_closed_deck_three_times():
    match = drawing(scene(*HANDS, closed_count=1, rules=PRESETS["no_buying"]))
    _, happened = act.events(match, 0, "discard", card="7H")
    assert kinds(happened) == ["discarded", "reshuffled", "turn"]
    used = replace(match, deal=replace(match.deal, restocks=3))
    used = act(used, 0, "discard", card="7H")
    assert lost(used) == ("blocked", [], {str(s): p for s, p in enumerate(counts(used))})


def counts(match):
    return [own(match, seat)["count"] for seat in match.seats]


def test_c14_in_a_single_deal_the_lowest_wins_the_difference():
    rules = replace(SINGLE, buying=False)
    match = drawing(scene("2H", "4D 6C", "2C AD", closed_count=1, rules=rules))
    match = replace(match, deal=replace(match.deal, restocks=3))
    match = act(match, 0, "discard", card="2H")
    assert lost(match)[:2] == ("blocked", [1])
    assert lost(match)[2] == {"0": counts(match)[0] - 10, "1": 0, "2": 7}


def test_c14_turns_and_minutes_are_limited():
    match = drawing(scene(*HANDS, rules=PRESETS["no_buying"]))
    late = replace(match, deal=replace(match.deal, started_at=NOW - 30 * 60_000))
    assert lost(act(late, 0, "discard", card="7H"))[0] == "limit"
    assert lost(act(changed_player(match, 1, turns=40), 0, "discard", card="7H"))[0] == "limit"


def sheet(*points):
    return tuple(
        Line(number, 2, "out", (row.index(0),), tuple(enumerate(row)))
        for number, row in enumerate(points, 1)
    )


def going_out(rows, number=7, **fields):
    """The match after seat 0 has gone out in this deal, with these lines before it."""
    rules = replace(USUAL, buying=False, whole_hand_last=False, **fields)
    match = drawing(scene("8H", "4D 6C", "AC", table="4H 5H 6H 7H", next_closed="9H",
                          number=number, rules=rules, has_laid=(0,)))  # fmt: skip
    match = replace(match, sheet=sheet(*rows))
    return act(match, 0, "lay_off", meld=0, laid=laid(match, 0, "8H 9H"))


def test_c16_the_lowest_total_wins():
    match = going_out([[20, 0, 5]] * 6)
    result = the(GAME.core.status(match).result)
    assert result.points == {0: 120, 1: 10, 2: 45}
    assert (result.winners, result.ranks, result.shares) == ((1,), {1: 1, 2: 2, 0: 3}, {1: 1})
    assert result.scores == {0: -120, 1: -10, 2: -45}
    assert result.next_order == (1, 2, 0)
    assert act.refused(match, 0, "never_buy", on=True) == "match_over"


def test_c16_equal_totals_share():
    match = going_out([[10, 0, 0], *[[0, 0, 0]] * 5])
    assert the(GAME.core.status(match).result).shares == {0: 1, 1: 1}
    event = going_out([[10, 0, 0], *[[0, 0, 0]] * 5], qualifiers=1)
    assert the(GAME.core.status(event).result).ranks == {0: 1, 1: 2, 2: 3}


def test_c16_before_the_last_deal_the_deal_passes_on():
    match = going_out([], number=1)
    assert match.stage is Stage.BETWEEN
    following, happened = act.expire_events(match)
    assert following.deal.order == (1, 2, 0)
    assert happened[0]["contract"] == ["set", "run"]
    over, _ = pair(GAME.core.conclude(match))
    assert the(GAME.core.status(over).result).winners == (0,)


def test_c17_a_single_deal_is_paid_by_its_points():
    assert GAME.money.largest_loss(SINGLE) == 150
    assert GAME.money.largest_loss(USUAL) == 19 * 25
    assert GAME.money.largest_loss(PRESETS["no_buying"]) == 13 * 25
    rich = "PJ PJ AS AH AD AC KS KD"
    rules = replace(SINGLE, jokers="all_printed")
    match = drawing(scene("8H", rich, table="4H 5H 6H 7H", next_closed="9H", rules=rules,
                          has_laid=(0,)))  # fmt: skip
    match = act(match, 0, "lay_off", meld=0, laid=laid(match, 0, "8H 9H"))
    assert lost(match)[2] == {"0": 0, "1": 130}
    assert the(GAME.core.status(match).result).winners == (0,)
    capped = replace(rules, max_points=100)
    match = replace(scene(rich, "8H", rules=capped), rules=capped)
    assert player(act(match, 0, "leave"), 0).points == 100


def test_c18_a_missed_turn_draws_and_discards():
    match, happened = act.expire_events(scene(*HANDS, open_pile="7D", next_closed="AH"))
    assert kinds(happened) == ["missed_turn", "offered"]
    for seat in (1, 2):
        match = act(match, seat, "pass")
    match, happened = act.events(match, 3, "pass")
    assert kinds(happened) == ["unsold", "drawn", "discarded", "turn"]
    assert happened[2]["card"] == "AH.0"
    assert view(match)["turn"] == 1


def test_c18_after_drawing_the_card_goes_back_or_the_dearest():
    match, happened = act.expire_events(drawing(scene(*HANDS, next_closed="AH")))
    assert happened[1]["card"] == "AH.0"
    taken = drawing(scene("PJ 9D 4C", *HANDS[1:], open_pile="KD"), source="open")
    assert act.expire_events(taken)[1][1]["card"] == "9D.0"
    jokers = drawing(scene("PJ", *HANDS[1:], open_pile="KD"), source="open")
    assert act.expire_events(jokers)[1][1]["card"] == "PJ.0"
    assert match.deal.turn == 1


def test_c18_after_three_the_server_plays():
    match = changed_player(scene(*HANDS[:3], open_pile="7D", next_closed="AH 2H"), 0, missed=2)
    match, happened = act.expire_events(match)
    assert kinds(happened) == ["missed_turn", "absent", "offered"]
    assert view(match)["players"]["0"]["status"] == "absent"
    match = act(act(match, 1, "pass"), 2, "pass")
    # Nobody waits for them any more, and they are not asked to buy.
    match = act(act(match, 1, "draw", source="open"), 1, "discard", card="KS")
    asked = act(match, 2, "draw", source="closed")
    assert view(asked)["buying"]["seats"] == [1]
    match = act(asked, 1, "pass")
    match, happened = act.events(match, 2, "discard", card="JD")
    assert kinds(happened) == ["discarded", "turn", "offered"]
    assert view(match)["turn"] == 0


def test_c18_when_nobody_is_there_the_deal_ends():
    match = changed_player(scene(*HANDS[:2], rules=PRESETS["no_buying"]), 0, status=Status.ABSENT)
    match = replace(match, deal=replace(match.deal, turn=1))
    match = changed_player(match, 1, missed=2)
    match, happened = act.expire_events(match)
    assert kinds(happened)[-4:] == ["deal_over", "left", "match_over"] or "deal_over" in kinds(
        happened
    )
    assert lost(match)[0] == "limit"


def test_c18_whoever_is_away_for_a_whole_deal_is_out_of_the_match():
    match = going_out([], number=1)
    before = replace(match, sheet=(), stage=Stage.DEAL, due_at=None)
    players = tuple(
        replace(p, was_absent=p.seat != 0, has_played=p.seat == 2) for p in match.deal.players
    )
    deal = replace(match.deal, players=players)
    after, happened = concluded(replace(before, deal=deal))
    assert happened[0].json() == {"kind": "left", "seat": 1, "absent": True}
    assert after.left == (1,)
    assert after.stage is Stage.BETWEEN
    following = act.expire(after)
    assert following.deal.order == (2, 0)
    nobody = tuple(replace(p, was_absent=True) for p in match.deal.players)
    ended, _ = concluded(replace(before, deal=replace(match.deal, players=nobody)))
    assert the(GAME.core.status(ended).result).winners == (0,)


def test_c19_leaving_counts_the_hand_and_a_hundred_for_each_later_deal():
    match, happened = act.events(scene(*HANDS), 1, "leave")
    assert happened == [{"kind": "left", "seat": 1}]
    assert player(match, 1).points == 29
    match = going_out([[0, 0, 0]], number=2)
    gone = act(match, 1, "leave")
    following = drawing(act.expire(gone))
    line = concluded(replace(following, deal=replace(match.deal, players=match.deal.players[::2])))[
        0
    ].sheet[-1]
    assert dict(line.points)[1] == 100


def test_c19_leaving_in_one_s_turn():
    match, happened = act.events(drawing(scene(*HANDS, next_closed="AH")), 0, "leave")
    assert kinds(happened) == ["left", "discarded", "turn"]
    match, happened = act.events(refusing(), 0, "leave")
    assert kinds(happened) == ["left", "unsold", "turn"]
    assert view(match)["buying"] is None


def test_c19_leaving_while_asked_is_a_pass():
    match = act(act(refusing(), 2, "buy"), 3, "pass")
    match, happened = act.events(match, 1, "leave")
    assert kinds(happened) == ["left", "bought", "drawn"]
    early, happened = act.events(refusing(), 3, "leave")
    assert kinds(happened) == ["left"]
    assert GAME.core.status(early).acting == (1, 2)
    answered = act(refusing(), 3, "pass")
    assert act(answered, 3, "leave").deal.window == answered.deal.window


def test_c19_the_last_one_left_wins():
    match = act(scene(*HANDS[:2]), 1, "leave")
    assert lost(match)[:2] == ("last_player", [0])
    result = the(GAME.core.status(match).result)
    assert (result.winners, result.ranks) == ((0,), {0: 1, 1: 2})
    absent = changed_player(scene(*HANDS[:3]), 1, status=Status.ABSENT)
    absent = act(changed_player(absent, 2, status=Status.ABSENT), 0, "leave")
    assert lost(absent)[0] == "limit"


def test_c20_who_wants_the_card_is_seen_after_the_window():
    """Whatever the others have answered, nobody sees a difference."""
    asked = refusing()
    answered = [act(asked, 3, kind) for kind in ("buy", "pass")]
    assert view(answered[0]) == view(answered[1]) == view(asked)
    for seat in (0, 1, 2):
        assert own(answered[0], seat) == own(answered[1], seat) == own(asked, seat)
        assert GAME.core.legal_view(answered[0], seat) == GAME.core.legal_view(answered[1], seat)
    assert [own(match, 3)["answer"] for match in answered] == ["buy", "pass"]
    assert own(asked, 3)["asked"] is True
    assert own(asked, 7) == dict(GAME.view.nothing_private)


def test_tournaments_play_the_first_contracts():
    rules = for_event(USUAL, deals=3, qualifiers=2)
    assert (rules.deals, rules.qualifiers) == (3, 2)
    assert for_event(USUAL, deals=9, qualifiers=1).deals == 7
    match = GAME.core.start(rules=rules, seats=(0, 1), toss=False, seed=bytes(32), now=NOW).state
    assert len(view(match)["match"]["contracts"]) == 3
