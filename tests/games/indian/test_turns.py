"""R4: the deal, turn by turn."""

from games.cards import full_deck
from games.indian.game import GAME
from games.indian.rules.ruleset import POINTS, PRESETS
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    NOW,
    SEED,
    act,
    act_events,
    expire,
    expire_events,
    kinds,
    own,
    refused,
    scene,
    standings,
    told,
    view,
)
from tests.games.values import pair, replace

PLAIN = "AS 4S 5S|3H 9H TH|4D 6D TD|7C 8C QC QD"


def start(seats=(4, 0, 2), rules=POINTS, toss=False):
    match, happened = pair(GAME.core.start(rules=rules, seats=seats, toss=toss, seed=SEED, now=NOW))
    return match, told(happened)


def three_players(**fields):
    return scene(PLAIN, HOPELESS, DECLARABLE, **fields)


def test_r4_1_the_toss_puts_the_highest_card_first_and_the_dealer_last():
    match, happened = start(seats=(0, 1, 2, 3, 4, 5), toss=True)
    shown = view(match)
    assert shown["toss"] == happened[0]["cards"]
    assert shown["order"] == [entry["seat"] for entry in shown["toss"]]
    assert shown["dealer"] == shown["order"][-1]
    assert kinds(happened) == ["toss", "dealt", "turn"]
    ranks = ["A23456789TJQK".index(entry["card"][0]) for entry in shown["toss"]]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(shown["order"])) == 6


def test_r4_1_equal_toss_cards_go_by_suit_and_the_ace_is_low():
    ties = 0
    for trial in range(60):
        match = GAME.core.start(
            rules=POINTS, seats=(0, 1, 2, 3, 4, 5), toss=True, seed=bytes([trial] * 32), now=NOW
        ).state
        cards = [entry["card"] for entry in view(match)["toss"]]
        keys = [(-"A23456789TJQK".index(c[0]), "SHDC".index(c[1])) for c in cards]
        assert keys == sorted(keys)
        ties += len({rank for rank, _ in keys}) < 6
    assert ties > 10


def test_r4_1_without_a_toss_the_order_is_as_given():
    match, happened = start(seats=(4, 0, 2))
    assert (view(match)["order"], view(match)["dealer"]) == ([4, 0, 2], 2)
    assert view(match)["toss"] is None
    assert kinds(happened) == ["dealt", "turn"]


def test_r4_2_thirteen_cards_each_an_open_card_the_indicator_and_the_rest():
    match, happened = start()
    shown = view(match)
    assert [len(own(match, seat)["hand"]) for seat in (4, 0, 2)] == [13, 13, 13]
    assert len(shown["open_pile"]) == 1
    assert shown["closed_count"] == 106 - 39 - 2
    assert sorted(match.deal.cards()) == list(full_deck(2))
    assert happened[0] == {
        "kind": "dealt",
        "order": [4, 0, 2],
        "dealer": 2,
        "wild": shown["wild"],
        "open": shown["open_pile"][0],
    }


def test_r4_2_hands_lie_sorted_by_suit_at_first():
    match, _ = start()
    for seat in (4, 0, 2):
        suits = [{card[1] for card in group} for group in own(match, seat)["groups"]]
        assert all(len(suit) == 1 for suit in suits)
        assert len(suits) == len(set.union(*suits))


def test_r1_2_junglee_deals_one_pack_between_two():
    match, _ = start(seats=(0, 1), rules=PRESETS["junglee-points"])
    assert sorted(match.deal.cards()) == list(full_deck(1))


def test_r4_3_a_turn_is_one_draw_and_one_discard():
    match = three_players(next_closed="TS")
    assert refused(match, 0, "discard", card="AS") == "wrong_step"
    match, happened = act_events(match, 0, "draw", source="closed")
    assert happened == [{"kind": "drawn", "seat": 0, "source": "closed"}]
    assert own(match, 0)["drawn"] == "TS.0"
    assert own(match, 0)["from_open"] is False
    assert own(match, 0)["groups"][-1][-1] == "TS.0"
    assert (view(match)["step"], view(match)["players"]["0"]["cards"]) == ("discard", 14)
    assert refused(match, 0, "draw", source="closed") == "wrong_step"
    match, happened = act_events(match, 0, "discard", card="QC")
    assert happened == [
        {"kind": "discarded", "seat": 0, "card": "QC.0"},
        {"kind": "turn", "seat": 1, "due_at": NOW + 30_000},
    ]
    assert (view(match)["turn"], view(match)["step"]) == (1, "draw")
    assert view(match)["open_pile"][-1] == "QC.0"


def test_r4_3_only_the_player_at_turn_moves():
    match = three_players()
    for kind, fields in (
        ("draw", {"source": "closed"}),
        ("discard", {"card": "5S"}),
        ("finish", {"card": "5S"}),
        ("drop", {}),
        ("declare", {"groups": own(match, 1)["groups"]}),
    ):
        assert refused(match, 1, kind, **fields) == "not_your_turn"
    assert refused(match, 0, "show", groups=own(match, 0)["groups"]) == "wrong_step"
    assert refused(match, 0, "declare", groups=own(match, 0)["groups"]) == "wrong_step"
    assert refused(match, 5, "draw", source="closed") == "not_in_deal"


def test_r4_3_a_card_that_is_not_held_cannot_be_discarded():
    match = act(three_players(), 0, "draw", source="closed")
    assert refused(match, 0, "discard", card="KS.0") == "card_not_held"
    assert refused(match, 0, "discard", card="AS.1") == "card_not_held"
    assert refused(match, 0, "finish", card="KS.0") == "card_not_held"


def test_r4_3_the_open_card_is_seen_when_it_is_drawn():
    match, happened = act_events(three_players(), 0, "draw", source="open")
    assert happened == [{"kind": "drawn", "seat": 0, "source": "open", "card": "2S.0"}]
    assert view(match)["open_pile"] == []
    assert own(match, 0)["from_open"] is True


def test_r4_3_nothing_can_be_drawn_from_an_empty_open_pile():
    match = three_players(open_pile="", closed=None)
    assert refused(match, 0, "draw", source="open") == "open_pile_empty"


def test_r4_4_the_first_to_move_may_draw_a_joker_that_opens_the_pile():
    for joker in ("PJ", "JH"):
        match = three_players(open_pile=joker)
        assert view(match)["open_drawable"] is True
        assert own(act(match, 0, "draw", source="open"), 0)["drawn"] == f"{joker}.0"


def test_r4_4_nobody_else_may_draw_the_joker_that_opened_the_pile():
    match = act(three_players(open_pile="JH"), 0, "drop")
    assert view(match)["open_drawable"] is False
    assert refused(match, 1, "draw", source="open") == "joker_not_drawable"
    match = expire(three_players(open_pile="PJ"))
    assert refused(match, 1, "draw", source="open") == "joker_not_drawable"


def test_r4_4_a_joker_on_the_open_pile_is_refused():
    for joker in ("PJ", "JS"):
        match = act(three_players(next_closed=joker), 0, "draw", source="closed")
        match = act(match, 0, "discard", card=joker)
        assert view(match)["open_drawable"] is False
        assert refused(match, 1, "draw", source="open") == "joker_not_drawable"
        assert own(act(match, 1, "draw", source="closed"), 1)["drawn"]


def test_r4_4_aces_are_not_drawn_when_a_printed_joker_is_turned_up():
    match = act(three_players(wild="PJ", next_closed="AH"), 0, "draw", source="closed")
    assert view(match)["wild_rank"] == "A"
    match = act(match, 0, "discard", card="AH")
    assert refused(match, 1, "draw", source="open") == "joker_not_drawable"


def test_r4_5_a_card_from_the_open_pile_may_not_go_back_in_the_same_turn():
    match = act(three_players(), 0, "draw", source="open")
    assert refused(match, 0, "discard", card="2S") == "may_not_return_open_card"
    later = act(match, 0, "discard", card="QC")
    for seat in (1, 2):
        later = act(later, seat, "draw", source="closed")
        later = act(later, seat, "discard", card=own(later, seat)["drawn"])
    later = act(later, 0, "draw", source="closed")
    assert "2S.0" in view(act(later, 0, "discard", card="2S"))["open_pile"]


def test_r4_5_returning_the_open_card_may_be_allowed():
    match = three_players(rules=replace(POINTS, may_return_open_card=True))
    match = act(match, 0, "draw", source="open")
    assert view(act(match, 0, "discard", card="2S"))["open_pile"] == ["2S.0"]


def test_r4_5_a_card_drawn_blind_may_be_discarded():
    match = act(three_players(next_closed="TS"), 0, "draw", source="closed")
    assert view(act(match, 0, "discard", card="TS"))["discards"] == [[0, "TS.0"]]


def test_r4_6_the_open_pile_below_its_top_becomes_the_closed_deck():
    match = three_players(closed="TS")
    under = match.deal.open_pile
    match = act(match, 0, "draw", source="closed")
    assert view(match)["closed_count"] == 0
    match, happened = act_events(match, 0, "discard", card="QC")
    assert kinds(happened) == ["discarded", "reshuffled", "turn"]
    assert happened[1]["count"] == len(under)
    assert view(match)["open_pile"] == ["QC.0"]
    assert sorted(match.deal.closed) == sorted(under)
    assert match.deal.closed != under
    assert sorted(match.deal.cards()) == list(full_deck(2))


def test_r4_6_the_reshuffle_comes_from_the_seed_of_the_deal():
    def reshuffled(seed):
        match = three_players(closed="TS")
        match = replace(match, deal=replace(match.deal, seed=seed))
        match = act(match, 0, "draw", source="closed")
        return act(match, 0, "discard", card="QC").deal.closed

    assert reshuffled(SEED) == reshuffled(SEED)
    assert reshuffled(SEED) != reshuffled(bytes(32))


def test_r4_7_no_turn_begins_after_the_minutes_of_a_deal():
    match = act(three_players(), 0, "draw", source="closed", now=NOW + 1_000)
    match = replace(match, deal=replace(match.deal, due_at=NOW + 1_800_000))
    last = act(match, 0, "discard", card=own(match, 0)["drawn"], now=NOW + 1_799_999)
    assert view(last)["phase"] == "turn"
    match, happened = act_events(
        match, 0, "discard", card=own(match, 0)["drawn"], now=NOW + 1_800_000
    )
    assert kinds(happened) == ["discarded", "deal_over", "match_over"]
    assert view(match)["result"]["how"] == "limit"


def test_r4_7_no_player_has_more_than_max_turns():
    match = three_players(rules=replace(POINTS, max_turns=2))
    for seat in (0, 1, 2, 0, 1, 2):
        assert view(match)["turn"] == seat
        match = act(match, seat, "draw", source="closed")
        match = act(match, seat, "discard", card=own(match, seat)["drawn"])
    assert view(match)["result"]["how"] == "limit"


def test_r4_7_hands_are_counted_by_their_best_arrangement_and_the_lowest_wins():
    # The saved groups of the third are worth nothing; arranged well, they count 0.
    jumbled = DECLARABLE.replace("|", " ")
    match = scene(PLAIN, HOPELESS, jumbled, rules=replace(POINTS, max_turns=1))
    for seat in (0, 1, 2):
        match = act(match, seat, "draw", source="closed")
        match = act(match, seat, "discard", card=own(match, seat)["drawn"])
    assert standings(match) == {
        0: ("lost", 80, "best"),
        1: ("lost", 70, "best"),
        2: ("won", 0, "won"),
    }
    result = GAME.core.status(match).result
    assert result is not None
    assert (result.winners, dict(result.points)) == ((2,), {0: 80, 1: 70, 2: 0})


def test_r4_7_equal_lowest_counts_share_the_win():
    worthless = "AS 4S 8S TS|3H 9H TH|2D 5D 8D|4C TC QC"
    match = scene(HOPELESS, HOPELESS, worthless, rules=replace(POINTS, max_turns=1))
    for seat in (0, 1, 2):
        match = act(match, seat, "draw", source="closed")
        match = act(match, seat, "discard", card=own(match, seat)["drawn"])
    assert view(match)["result"]["winners"] == [0, 1]
    assert standings(match) == {
        0: ("won", 0, "won"),
        1: ("won", 0, "won"),
        2: ("lost", 80, "best"),
    }


def test_r4_7_who_dropped_keeps_the_points_of_the_drop():
    match = act(three_players(rules=replace(POINTS, max_turns=1)), 0, "drop")
    for seat in (1, 2):
        match = act(match, seat, "draw", source="closed")
        match = act(match, seat, "discard", card=own(match, seat)["drawn"])
    assert standings(match)[0] == ("dropped", 20, "first_drop")
    assert view(match)["result"]["how"] == "limit"


def test_r4_8_the_last_one_left_wins_without_declaring():
    match = act(three_players(), 0, "drop")
    match, happened = act_events(match, 1, "drop")
    assert kinds(happened) == ["dropped", "deal_over", "match_over"]
    assert happened[1] == {
        "kind": "deal_over",
        "winners": [2],
        "points": {"0": 20, "1": 20, "2": 0},
    }
    assert view(match)["result"]["how"] == "last_player"
    assert standings(match)[2] == ("won", 0, "won")
    assert GAME.core.status(match).deadline is None
    assert refused(match, 2, "draw", source="closed") == "match_over"


def test_r4_9_extra_time_is_used_up_over_the_deal():
    match = three_players()
    assert GAME.core.status(match).deadline == NOW + 90_000
    match = act(match, 0, "draw", source="closed", now=NOW + 40_000)
    assert view(match)["players"]["0"]["extra_ms"] == 60_000
    match = act(match, 0, "discard", card=own(match, 0)["drawn"], now=NOW + 50_000)
    assert view(match)["players"]["0"]["extra_ms"] == 40_000
    assert view(match)["due_at"] == NOW + 80_000
    assert view(match)["deadline"] == NOW + 140_000


def test_r4_9_a_turn_in_time_costs_no_extra_time():
    match = act(three_players(), 0, "draw", source="closed", now=NOW + 29_000)
    match = act(match, 0, "discard", card=own(match, 0)["drawn"], now=NOW + 30_000)
    assert view(match)["players"]["0"]["extra_ms"] == 60_000


def test_r4_9_a_late_move_is_refused():
    match = three_players()
    assert refused(match, 0, "draw", source="closed", now=NOW + 90_000) == "time_is_up"
    assert view(act(match, 0, "draw", source="closed", now=NOW + 89_999))["step"] == "discard"


def test_r4_9_nothing_expires_before_its_deadline():
    match = three_players()
    assert expire_events(match, now=NOW + 89_999) == (match, [])


def test_r4_9_a_missed_turn_passes_on():
    match, happened = expire_events(three_players())
    assert happened == [
        {"kind": "missed_turn", "seat": 0, "missed": 1},
        {"kind": "turn", "seat": 1, "due_at": NOW + 120_000},
    ]
    players = view(match)["players"]
    assert (players["0"]["missed"], players["0"]["extra_ms"]) == (1, 0)
    assert players["0"]["cards"] == 13


def test_r4_9_a_card_drawn_in_a_missed_turn_is_discarded_again():
    match = act(three_players(next_closed="TS"), 0, "draw", source="closed")
    match, happened = expire_events(match)
    assert kinds(happened) == ["missed_turn", "discarded", "turn"]
    assert happened[1] == {"kind": "discarded", "seat": 0, "card": "TS.0"}
    assert "TS.0" not in own(match, 0)["hand"]
    match = expire(act(three_players(), 0, "draw", source="open"))
    assert view(match)["open_pile"] == ["2S.0"]


def miss_round(match, seats):
    for seat in seats:
        assert view(match)["turn"] == seat
        match = expire(match)
    return match


def test_r4_9_three_missed_turns_in_a_row_are_a_middle_drop():
    match = miss_round(scene(PLAIN, HOPELESS, DECLARABLE), (0, 1, 2, 0, 1, 2))
    match, happened = expire_events(match)
    assert kinds(happened) == ["missed_turn", "dropped", "turn"]
    assert standings(match)[0] == ("dropped", 40, "middle_drop")


def test_r4_9_a_turn_played_ends_the_row_of_missed_ones():
    match = miss_round(three_players(), (0, 1, 2, 0, 1, 2))
    match = act(match, 0, "draw", source="closed", now=match.deal.due_at - 2)
    match = act(match, 0, "discard", card=own(match, 0)["drawn"], now=match.deal.due_at - 1)
    assert view(match)["players"]["0"]["missed"] == 0
    assert view(match)["players"]["0"]["status"] == "playing"


def test_r4_10_every_discard_stays_visible():
    match = three_players()
    for seat, card in ((0, "QC"), (1, "KH"), (2, "KS")):
        match = act(match, seat, "draw", source="closed")
        match = act(match, seat, "discard", card=card)
    match = act(match, 0, "draw", source="open")
    assert view(match)["discards"] == [[0, "QC.0"], [1, "KH.0"], [2, "KS.0"]]


def test_an_outage_moves_all_running_deadlines():
    match = three_players()
    later = GAME.core.postpone(match, by_ms=5_000)
    assert GAME.core.status(later).deadline == NOW + 95_000
    assert later.deal.started_at == NOW + 5_000
