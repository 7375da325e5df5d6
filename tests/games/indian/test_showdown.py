"""R3.2 to R3.6 and R6.4: finishing, declaring, showing and counting."""

from games.cards import full_deck
from games.indian.game import GAME
from games.indian.rules.ruleset import POINTS
from games.indian.rules.scoring import card_points
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    NOW,
    act,
    act_events,
    expire,
    expire_events,
    kinds,
    own,
    refused,
    saved,
    scene,
    standings,
    turn_of,
    view,
)
from tests.games.indian.test_deals import WORTHLESS
from tests.games.values import replace

WINDOW = NOW + 45_000


def finishing(*others, **fields):
    """Seat 0 has put an extra card into the finish slot and holds a hand to declare."""
    match = scene(DECLARABLE, *(others or (HOPELESS, HOPELESS)), next_closed="TS", **fields)
    match = act(match, 0, "draw", source="closed")
    return act(match, 0, "finish", card="TS")


def declared(*others, **fields):
    match = finishing(*others, **fields)
    return act(match, 0, "declare", groups=saved(match, 0))


def wrong_groups(match, seat):
    return [own(match, seat)["hand"]]


def test_r3_2_the_fourteenth_card_goes_to_the_finish_slot():
    match = scene(DECLARABLE, HOPELESS, next_closed="TS")
    assert refused(match, 0, "finish", card="2H") == "wrong_step"
    match = act(match, 0, "draw", source="closed")
    match, happened = act_events(match, 0, "finish", card="TS", now=NOW + 5_000)
    assert happened == [{"kind": "finished", "seat": 0, "card": "TS.0"}]
    shown = view(match)
    assert shown["phase"] == "declare"
    assert (shown["turn"], shown["step"]) == (0, None)
    assert shown["finish"] == {"seat": 0, "card": "TS.0"}
    assert shown["due_at"] == NOW + 50_000
    assert len(own(match, 0)["hand"]) == 13
    assert sorted(match.deal.cards()) == list(full_deck(2))
    assert GAME.core.status(match).acting == (0,)


def test_r3_2_nothing_but_a_declaration_follows_the_finish():
    match = finishing()
    assert refused(match, 0, "discard", card="2H") == "not_your_turn"
    assert refused(match, 0, "drop") == "not_your_turn"
    assert refused(match, 1, "declare", groups=saved(match, 1)) == "not_your_turn"
    assert refused(match, 1, "show", groups=saved(match, 1)) == "wrong_step"


def test_r3_2_the_groups_have_to_be_the_hand():
    match = finishing()
    groups = saved(match, 0)
    foreign = [*groups[:-1], [*groups[-1][:-1], "QH.1"]]
    for submitted in (groups[:-1], [*groups, ["QH.1"]], [*groups, groups[0]], foreign):
        assert refused(match, 0, "declare", groups=submitted) == "groups_not_your_hand"


def test_r3_6_a_valid_declaration_opens_the_window_for_the_others():
    match = finishing()
    match, happened = act_events(match, 0, "declare", groups=saved(match, 0), now=NOW + 1_000)
    assert happened == [
        {"kind": "declared", "seat": 0, "valid": True, "reason": None, "failed_group": None}
    ]
    shown = view(match)
    assert (shown["phase"], shown["turn"]) == ("show", None)
    assert shown["due_at"] == shown["deadline"] == NOW + 46_000
    assert shown["declaration"]["kinds"] == ["pure_sequence", "pure_sequence", "set", "set"]
    assert shown["declaration"]["valid"] is True
    assert GAME.core.status(match).acting == (1, 2)
    assert GAME.core.status(match).result is None


def test_r3_6_the_deal_ends_when_everybody_has_shown():
    match = declared()
    match, happened = act_events(match, 2, "show", groups=saved(match, 2))
    assert happened == [{"kind": "shown", "seat": 2, "points": 70}]
    assert GAME.core.status(match).acting == (1,)
    match, happened = act_events(match, 1, "show", groups=wrong_groups(match, 1))
    assert kinds(happened) == ["shown", "deal_over", "match_over"]
    assert standings(match) == {
        0: ("won", 0, "won"),
        1: ("lost", 80, "shown"),
        2: ("lost", 70, "shown"),
    }
    assert view(match)["result"]["how"] == "declared"


def test_r3_6_a_second_valid_hand_counts_two():
    match = declared(HOPELESS, DECLARABLE.replace("|", " "))
    laid = [["2H.1", "3H.1", "4H.1", "5H.1"], ["2C.1", "3C.1", "4C.1"]]
    laid += [["KS.1", "KD.1", "KC.1"], ["8S.1", "8D.1", "8H.1"]]
    match, happened = act_events(match, 2, "show", groups=laid)
    assert happened == [{"kind": "shown", "seat": 2, "points": 2}]


def test_r3_6_a_hand_is_shown_once():
    match = act(match := declared(), 2, "show", groups=saved(match, 2))
    assert refused(match, 2, "show", groups=saved(match, 2)) == "already_shown"
    assert refused(match, 0, "show", groups=saved(match, 0)) == "already_shown"
    assert refused(match, 2, "arrange", rev=9, groups=saved(match, 2)) == "already_shown"
    assert refused(match, 1, "show", groups=saved(match, 1)[:1]) == "groups_not_your_hand"


def test_r6_4_who_does_not_show_is_counted_by_the_groups_saved():
    match = declared(HOPELESS, DECLARABLE)
    match, happened = expire_events(match)
    assert kinds(happened) == ["shown", "shown", "deal_over", "match_over"]
    assert standings(match) == {
        0: ("won", 0, "won"),
        1: ("lost", 70, "saved"),
        2: ("lost", 2, "saved"),
    }


def test_r6_4_the_server_never_improves_an_arrangement():
    match = expire(declared(HOPELESS.replace("|", " "), DECLARABLE.replace("|", " ")))
    assert standings(match) == {
        0: ("won", 0, "won"),
        1: ("lost", 80, "saved"),
        2: ("lost", 77, "saved"),
    }


def test_r6_4_the_arrangement_saved_last_counts():
    match = declared(HOPELESS.replace("|", " "))
    hand = own(match, 1)["hand"]
    groups = [hand[:3], hand[3:]]
    match, happened = act_events(match, 1, "arrange", rev=7, groups=groups)
    assert happened == []
    assert (own(match, 1)["groups"], own(match, 1)["rev"]) == (groups, 7)
    assert standings(expire(match))[1] == ("lost", 70, "saved")


def test_r6_4_an_older_arrangement_is_ignored():
    match = scene(HOPELESS, DECLARABLE)
    newer = act(match, 0, "arrange", rev=3, groups=[own(match, 0)["hand"]])
    for rev in (1, 2, 3):
        assert act(newer, 0, "arrange", rev=rev, groups=saved(match, 0)) == newer
        assert act(newer, 0, "arrange", rev=rev, groups=[["KS.1"]]) == newer
    assert refused(newer, 0, "arrange", rev=4, groups=[["KS.1"]]) == "groups_not_your_hand"


def test_r6_4_a_hand_of_fourteen_can_be_arranged_and_a_discard_leaves_its_group():
    match = act(scene(HOPELESS, DECLARABLE, next_closed="TS"), 0, "draw", source="closed")
    *before, drawn = saved(match, 0)
    assert drawn == ["TS.0"]
    groups = [*before[:-1], [*before[-1], "TS.0"]]
    match = act(match, 0, "arrange", rev=1, groups=groups)
    assert own(match, 0)["groups"] == groups
    assert own(match, 0)["drawn"] == "TS.0"
    match = act(match, 0, "discard", card="TS")
    assert own(match, 0)["groups"] == before


def test_r6_4_a_drawn_card_spoils_no_group_that_was_saved():
    """Seat 0 draws, discards another card, never arranges and does not answer the declaration."""
    hand = "AS 2S 3S|8H 9H TH|KC 4C 6H|9D TD JD QD"
    match = scene(hand, DECLARABLE, wild="KH", next_closed="2D")
    count = _counted_if_silent(match)
    match = act(match, 0, "draw", source="closed")
    match = act(match, 0, "discard", card="KC")
    # The two of diamonds counts 2 in place of the king, which was a joker; every meld is still one.
    assert (count, _counted_if_silent(match)) == (10, 12)


def _counted_if_silent(match):
    """What seat 0 counts by the groups saved when seat 1 declares."""
    match = turn_of(match, 1)
    match = act(match, 1, "draw", source="closed")
    match = act(match, 1, "finish", card=own(match, 1)["drawn"])
    match = expire(act(match, 1, "declare", groups=saved(match, 1)))
    return standings(match)[0][1]


def test_r3_3_a_declaration_is_judged_as_submitted():
    match = finishing()
    match, happened = act_events(match, 0, "declare", groups=wrong_groups(match, 0))
    assert happened[0] == {
        "kind": "declared",
        "seat": 0,
        "valid": False,
        "reason": "cards_do_not_match",
        "failed_group": 0,
    }
    assert kinds(happened) == ["declared", "discarded", "turn"]


def test_r3_4_with_more_than_two_only_the_declarer_is_out():
    match = finishing()
    match = act(match, 0, "declare", groups=wrong_groups(match, 0), now=NOW + 1_000)
    assert standings(match)[0] == ("wrong", 80, "wrong")
    shown = view(match)
    assert (shown["phase"], shown["turn"], shown["step"]) == ("turn", 1, "draw")
    assert shown["open_pile"][-1] == "TS.0"
    assert shown["discards"] == [[0, "TS.0"]]
    assert shown["finish"] is None
    assert shown["due_at"] == NOW + 31_000
    assert shown["declaration"]["valid"] is False
    assert sorted(match.deal.cards()) == list(full_deck(2))
    assert own(act(match, 1, "draw", source="open"), 1)["drawn"] == "TS.0"
    assert refused(match, 0, "draw", source="closed") == "not_in_deal"


def test_r3_4_with_two_players_the_opponent_wins_at_once():
    match = finishing(HOPELESS)
    match, happened = act_events(match, 0, "declare", groups=wrong_groups(match, 0))
    assert kinds(happened) == ["declared", "discarded", "deal_over", "match_over"]
    assert standings(match) == {0: ("wrong", 80, "wrong"), 1: ("won", 0, "won")}
    assert view(match)["result"]["how"] == "last_player"


def test_r3_4_two_left_of_three_and_one_declares_wrongly():
    match = act(scene(HOPELESS, DECLARABLE, HOPELESS, next_closed="TS"), 0, "drop")
    match = act(match, 1, "draw", source="closed")
    match = act(match, 1, "finish", card="TS")
    match = act(match, 1, "declare", groups=wrong_groups(match, 1))
    assert standings(match) == {
        0: ("dropped", 20, "first_drop"),
        1: ("wrong", 80, "wrong"),
        2: ("won", 0, "won"),
    }


def test_r3_4_the_points_of_a_wrong_declaration_are_a_rule():
    rules = replace(POINTS, wrong_declaration_points=60)
    match = finishing(HOPELESS, rules=rules)
    match = act(match, 0, "declare", groups=wrong_groups(match, 0))
    assert standings(match)[0] == ("wrong", 60, "wrong")


def test_r3_4_a_wrong_declaration_may_count_all_cards_of_the_hand():
    rules = replace(POINTS, wrong_declaration_counts="hand")
    match = finishing(HOPELESS, rules=rules)
    hand = [card for player in match.deal.players if player.seat == 0 for card in player.hand]
    points = sum(card_points(card, match.deal.wild_rank) for card in hand)
    match = act(match, 0, "declare", groups=wrong_groups(match, 0))
    assert len(hand) == 13
    assert points == 77
    assert standings(match)[0] == ("wrong", points, "wrong")
    capped = finishing(HOPELESS, rules=replace(rules, max_points=60))
    assert standings(expire_events(capped)[0])[0] == ("wrong", 60, "wrong")


def test_r3_5_not_declaring_in_time_is_a_wrong_declaration():
    match = finishing()
    assert GAME.core.status(match).deadline == WINDOW + 60_000
    match, happened = expire_events(match)
    assert happened[0]["reason"] == "not_declared_in_time"
    assert standings(match)[0] == ("wrong", 80, "wrong")
    assert view(match)["declaration"]["groups"] == []
    assert view(match)["players"]["0"]["extra_ms"] == 0


def test_r4_9_declaring_uses_extra_time_too():
    match = act(scene(DECLARABLE, HOPELESS, next_closed="TS"), 0, "draw", source="closed")
    match = act(match, 0, "finish", card="TS", now=NOW + 50_000)
    assert view(match)["players"]["0"]["extra_ms"] == 40_000
    assert GAME.core.status(match).deadline == NOW + 50_000 + 45_000 + 40_000
    late = NOW + 135_000
    assert refused(match, 0, "declare", groups=saved(match, 0), now=late) == "time_is_up"
    match = act(match, 0, "declare", groups=saved(match, 0), now=late - 10_000)
    assert view(match)["players"]["0"]["extra_ms"] == 10_000


def test_r3_6_a_late_show_is_refused():
    match = declared()
    code = refused(match, 1, "show", groups=saved(match, 1), now=NOW + 45_000)
    assert code == "time_is_up"


def test_r7_2_the_result_is_enough_to_settle():
    match = expire(declared(HOPELESS, DECLARABLE))
    result = GAME.core.status(match).result
    assert result is not None
    assert result.winners == (0,)
    assert dict(result.points) == {0: 0, 1: 70, 2: 2}
    assert dict(result.ranks) == {0: 1, 1: 3, 2: 2}
    assert dict(result.scores) == {}


def test_r4_1_the_first_mover_deals_next():
    result = GAME.core.status(expire(declared())).result
    assert result is not None
    assert result.next_order == (1, 2, 0)


def test_all_hands_are_laid_open_when_the_deal_is_over():
    match = act(declared(HOPELESS), 1, "show", groups=wrong_groups(match := declared(HOPELESS), 1))
    hands = view(match)["result"]["hands"]
    assert [(hand["seat"], hand["points"], hand["how"]) for hand in hands] == [
        (0, 0, "won"),
        (1, 80, "shown"),
    ]
    assert hands[0]["kinds"] == ["pure_sequence", "pure_sequence", "set", "set"]
    assert hands[1]["kinds"] == [None]
    assert sum(len(group) for group in hands[1]["groups"]) == 13


COMPETITOR_WINS = replace(POINTS, wrong_declaration_ends_deal=True)


def test_r3_4_a_wrong_declaration_may_end_the_deal_for_the_competitors():
    match = finishing(rules=COMPETITOR_WINS)
    match, happened = act_events(match, 0, "declare", groups=wrong_groups(match, 0))
    assert kinds(happened) == ["declared", "discarded", "deal_over", "match_over"]
    assert happened[2]["winners"] == [1, 2]
    assert standings(match) == {
        0: ("wrong", 80, "wrong"),
        1: ("won", 0, "won"),
        2: ("won", 0, "won"),
    }
    assert view(match)["result"]["how"] == "wrong"
    result = GAME.core.status(match).result
    assert result is not None
    assert (result.winners, dict(result.shares)) == ((1, 2), {1: 1, 2: 1})


def test_r3_5_so_does_one_that_comes_too_late():
    match, happened = expire_events(finishing(rules=COMPETITOR_WINS))
    assert kinds(happened) == ["declared", "discarded", "deal_over", "match_over"]
    assert standings(match)[0] == ("wrong", 80, "wrong")


def test_r3_4_who_has_dropped_before_does_not_win_by_it():
    match = act(scene(WORTHLESS, DECLARABLE, HOPELESS, HOPELESS, rules=COMPETITOR_WINS), 0, "drop")
    match = act(match, 1, "draw", source="closed")
    match = act(match, 1, "finish", card=own(match, 1)["drawn"])
    match = act(match, 1, "declare", groups=wrong_groups(match, 1))
    counted = [(status, points) for status, points, _ in standings(match).values()]
    assert counted == [("dropped", 20), ("wrong", 80), ("won", 0), ("won", 0)]
