"""What may be laid: melds, the initial meld, and jokers (K4 to K11)."""

import pytest

from games.rummikub.rules.ruleset import PRESETS
from tests.games.rummikub.scenes import (
    act,
    act_events,
    draft,
    faces,
    lying,
    melds,
    own,
    rack,
    refused,
    scene,
    view,
    with_rules,
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("4H 5H 6H", "run"),
        ("AD 2D 3D 4D", "run"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "run"),
        ("4H 4C 4S", "group"),
        ("4H 4C 4S 4D", "group"),
        ("4H PJ=4C 4S", "group"),
        ("PJ=3H PJ=4H 5H", "run"),
        ("4H 5H", None),
        ("4H 5H 6C", None),
        ("4H 6H 7H", None),
        ("QH KH AH", None),
        ("4D 4D 4H", None),
        ("4D 4D 4H 4S", None),
        ("4H 5H 6H 6H", None),
        ("4H=5H 5H=6H 6H=7H", None),
        ("PJ PJ", None),
    ],
)
def test_k4_runs_and_groups(text, kind):
    [meld] = melds(text)
    assert (meld.kind and meld.kind.value) == kind


def test_k5_a_lay_is_the_whole_table_and_ends_the_turn():
    match = scene("8H 2C", table="5H 6H 7H|3S 3H 3D")
    match, events = act_events(match, 0, "lay", table="5H 6H 7H 8H|3S 3H 3D")
    assert [event["kind"] for event in events] == ["laid", "turn"]
    assert lying(match) == [["5H", "6H", "7H", "8H"], ["3S", "3H", "3D"]]
    assert (rack(match, 0), view(match)["turn"]) == (["2C"], 1)
    assert refused(match, 0, "lay", table="5H 6H 7H 8H|3S 3H 3D") == "not_your_turn"


@pytest.mark.parametrize(
    ("table", "code"),
    [
        ("5H 6H 7H|3S 3H 3D", "nothing_laid"),
        ("5H 6H 7H 8H", "tiles_missing"),
        ("", "tiles_missing"),
        ("5H 6H 7H|3S 3H 3D|8H 2C 2D", "table_not_valid"),
        ("5H 6H|7H 8H|3S 3H 3D", "table_not_valid"),
    ],
)
def test_k6_what_is_no_lay_changes_nothing(table, code):
    match = scene("8H 2C 2D", table="5H 6H 7H|3S 3H 3D")
    assert refused(match, 0, "lay", table=table) == code


def test_k6_a_tile_that_is_elsewhere_is_not_laid():
    match = scene("8H 2C", "9H 2D", table="5H 6H 7H")
    lay = [
        {"cards": ["5H.0", "6H.0", "7H.0", "8H.0", "9H.0"], "as": ["5H", "6H", "7H", "8H", "9H"]}
    ]
    assert refused(match, 0, "lay", table=lay) == "card_not_held"


def test_k6_a_twin_of_the_rack_does_not_take_a_tile_off_the_table():
    match = scene("5H.1 2C", table="5H.0 6H 7H")
    lay = [{"cards": ["5H.1", "6H.0", "7H.0"], "as": ["5H", "6H", "7H"]}]
    assert refused(match, 0, "lay", table=lay) == "tiles_missing"


class TestInitialMeld:
    """K7"""

    def test_fifty_points_of_the_rack_alone(self):
        match = scene("9H TH JH QH KH 5S", opened=False)
        match, events = act_events(match, 0, "lay", table="9H TH JH QH KH")
        assert [event["kind"] for event in events] == ["laid", "opened", "turn"]
        assert events[1] == {"kind": "opened", "seat": 0, "points": 55}
        assert view(match)["players"]["0"]["opened"] is True

    def test_several_melds_are_counted_together(self):
        match = scene("TH JH QH 6S 6H 6D 2C", opened=False)
        assert refused(match, 0, "lay", table="TH JH QH") == "below_initial_meld"
        match = act(match, 0, "lay", table="TH JH QH|6S 6H 6D")
        assert view(match)["last_lay"]["points"] == 51

    def test_exactly_enough_is_enough(self):
        match = scene("KS KH KD QS 2C AS 2S 3S 5D", opened=False)
        assert refused(match, 0, "lay", table="KS KH KD") == "below_initial_meld"
        assert refused(match, 0, "lay", table="KS KH KD|AS 2S 3S") == "below_initial_meld"
        enough = with_rules(match, initial_meld=45)
        assert view(act(enough, 0, "lay", table="KS KH KD|AS 2S 3S"))["last_lay"]["points"] == 45
        more = with_rules(match, initial_meld=46)
        assert refused(more, 0, "lay", table="KS KH KD|AS 2S 3S") == "below_initial_meld"

    def test_a_joker_counts_as_the_tile_it_stands_for(self):
        match = scene("KS KH PJ QS QH QD 2C", opened=False)
        assert refused(match, 0, "lay", table="QS QH QD") == "below_initial_meld"
        match, events = act_events(match, 0, "lay", table="KS KH PJ=KD|QS QH QD")
        assert events[0]["points"] == events[1]["points"] == 75

    def test_the_thirty_of_the_modern_rules(self):
        match = scene("TH JH QH 2C", opened=False, rules=PRESETS["sabra30"])
        assert view(act(match, 0, "lay", table="TH JH QH"))["players"]["0"]["opened"] is True

    def test_the_rest_of_the_table_may_be_used_in_the_same_lay(self):
        match = scene("KS KH KD QS QH QD 8H 2C", table="5H 6H 7H", opened=False)
        assert refused(match, 0, "lay", table="5H 6H 7H 8H") == "below_initial_meld"
        match = act(match, 0, "lay", table="5H 6H 7H 8H|KS KH KD|QS QH QD")
        assert rack(match, 0) == ["2C"]

    def test_where_it_may_not_the_table_stays(self):
        match = scene("KS KH KD QS QH QD 8H 2C", table="5H 6H 7H", opened=False)
        match = with_rules(match, open_then_play=False)
        lay = "5H 6H 7H 8H|KS KH KD|QS QH QD"
        assert refused(match, 0, "lay", table=lay) == "table_not_yours"
        match = act(match, 0, "lay", table="5H 6H 7H|KS KH KD|QS QH QD")
        assert rack(match, 0) == faces("8H 2C")

    def test_a_meld_that_has_a_tile_of_the_table_does_not_count(self):
        match = scene("KS KH QS QH QD 2C", table="TD JD QD KD", opened=False)
        lay = "TD JD QD|KS KH KD|QS QH QD"
        assert refused(match, 0, "lay", table=lay) == "below_initial_meld"

    def test_points_of_what_is_being_built_are_told(self):
        match = draft(scene("TH JH QH 6S 6H 6D 2C", opened=False), 0, "TH JH QH|6S 6H")
        told = own(match, 0)["draft"]
        assert (told["opening_points"], told["refusal"]) == (33, "table_not_valid")
        assert [meld["kind"] for meld in told["table"]] == ["run", None]


def test_k8_everything_may_be_taken_apart_after_that():
    match = scene("4D 6D 2C", table="5S 5H 5D 5C|7D 8D 9D TD")
    match = act(match, 0, "lay", table="5S 5H 5C|4D 5D 6D 7D|8D 9D TD")
    assert rack(match, 0) == ["2C"]
    # Of the run of four the larger part has stayed; the group has lost one.
    assert view(match)["last_lay"]["moved"] == ["5D.0", "7D.0"]


class TestFrozenMelds:
    """K9: a meld with a joker stays, with all its tiles and the joker in its place."""

    def test_nothing_is_taken_from_it(self):
        match = scene("8H 9H 2C", table="4H PJ=5H 6H 7H")
        assert refused(match, 0, "lay", table="4H PJ=5H 6H|7H 8H 9H") == "joker_is_frozen"

    def test_tiles_may_be_added_at_its_ends(self):
        match = scene("3H 8H 2C", table="4H PJ=5H 6H 7H")
        assert rack(act(match, 0, "lay", table="3H 4H PJ=5H 6H 7H 8H"), 0) == ["2C"]

    def test_tiles_of_the_table_may_be_added(self):
        match = scene("JH 2C", table="4H PJ=5H 6H|7H 8H 9H TH")
        match = act(match, 0, "lay", table="4H PJ=5H 6H 7H|8H 9H TH JH")
        assert rack(match, 0) == ["2C"]

    def test_a_fourth_tile_may_be_added_to_a_group(self):
        match = scene("4C 2C", table="4H PJ=4D 4S")
        assert rack(act(match, 0, "lay", table="4H PJ=4D 4S 4C"), 0) == ["2C"]

    def test_a_joker_of_the_rack_that_is_added_counts_as_its_tile(self):
        match = scene("PJ 5S 5H 5C 2C", table="JD QD PJ=KD")
        match = act(match, 0, "lay", table="PJ=TD JD QD PJ=KD|5S 5H 5C")
        assert view(match)["last_lay"]["points"] == 10 + 15

    def test_what_a_joker_stands_for_stays_in_a_group_too(self):
        match = scene("4D 2C", table="4H PJ=4D 4S")
        assert refused(match, 0, "lay", table="4H PJ=4C 4S 4D") == "joker_not_laid"

    def test_a_joker_keeps_its_place_in_a_run(self):
        match = scene("7H 2C", table="PJ=4H 5H 6H")
        assert refused(match, 0, "lay", table="5H 6H 7H PJ=8H") == "joker_is_frozen"

    def test_two_of_them_are_not_made_one(self):
        match = scene("9H 2C", table="3H 4H PJ=5H|PJ=6H 7H 8H")
        assert refused(match, 0, "lay", table="3H 4H PJ=5H PJ=6H 7H 8H 9H") == "joker_is_frozen"

    def test_by_the_modern_rules_it_is_like_any_other(self):
        match = scene("7H 2C", table="PJ=4H 5H 6H", rules=PRESETS["modern"])
        assert rack(act(match, 0, "lay", table="5H 6H 7H PJ=8H"), 0) == ["2C"]

    def test_before_one_has_begun_it_is_frozen_by_any_rules(self):
        match = scene("7H KS KH KD 2C", table="PJ=4H 5H 6H", rules=PRESETS["modern"], opened=False)
        lay = "5H 6H 7H PJ=8H|KS KH KD"
        assert refused(match, 0, "lay", table=lay) == "joker_is_frozen"
        assert rack(act(match, 0, "lay", table="PJ=4H 5H 6H 7H|KS KH KD"), 0) == ["2C"]


class TestFreeingJokers:
    """K10"""

    def test_its_tile_takes_its_place_and_two_more_go_with_it(self):
        match = scene("5H KS KD 2C", table="4H PJ=5H 6H")
        match = act(match, 0, "lay", table="4H 5H 6H|KS KD PJ=KC")
        assert rack(match, 0) == ["2C"]

    def test_the_joker_needs_two_more_tiles_of_the_rack(self):
        match = scene("5H KC.1 2C", table="4H PJ=5H 6H|KD.0 KH.0 KC.0 KS.1")
        lay = "4H 5H 6H|KH KC.0 KD|KS.1 PJ=KH KC.1"
        assert refused(match, 0, "lay", table=lay) == "joker_not_laid"
        match = scene("5H KC.1 KD.1 2C", table="4H PJ=5H 6H|KD.0 KH.0 KC.0 KS.1")
        lay = "4H 5H 6H|KH KC.0 KD.0|KS.1 PJ=KH KC.1 KD.1"
        assert rack(act(match, 0, "lay", table=lay), 0) == ["2C"]

    def test_the_joker_does_not_go_onto_a_meld_that_lies(self):
        match = scene("5H 2C 3D", table="4H PJ=5H 6H|JS QS KS")
        assert refused(match, 0, "lay", table="4H 5H 6H|PJ=TS JS QS KS") == "joker_not_laid"

    def test_its_tile_comes_from_the_rack(self):
        match = scene("KS KD 2C", table="4H PJ=5H 6H|5S 5H 5D 5C")
        lay = "4H 5H 6H|5S 5D 5C|KS KD PJ=KC"
        assert refused(match, 0, "lay", table=lay) == "joker_is_frozen"
        anywhere = with_rules(match, swap_from="anywhere")
        assert rack(act(anywhere, 0, "lay", table=lay), 0) == ["2C"]

    def test_a_tile_of_a_frozen_meld_frees_nothing(self):
        match = scene("KS KD 2C", table="4H PJ=5H 6H|5H PJ=5S 5D 5C|6H.1 4H.1 5H.1")
        match = with_rules(match, swap_from="anywhere")
        lay = "4H 5H.1 6H|5H PJ=5S 5D 5C|KS KD PJ=KC"
        assert refused(match, 0, "lay", table=lay) == "tiles_missing"

    @pytest.mark.parametrize("colour", ["D", "C"])
    def test_in_a_group_of_three_either_missing_colour_frees_it(self, colour):
        match = scene(f"4{colour} KS KH 2C", table="4S 4H PJ=4D")
        match = act(match, 0, "lay", table=f"4S 4H 4{colour}|KS KH PJ=KD")
        assert rack(match, 0) == ["2C"]

    def test_by_the_tournament_rule_both_missing_tiles_are_needed(self):
        match = with_rules(scene("4D KS KH 2C", table="4S 4H PJ=4D"), group_swap="both")
        assert refused(match, 0, "lay", table="4S 4H 4D|KS KH PJ=KD") == "joker_is_frozen"
        match = with_rules(scene("4D 4C KS KH 2C", table="4S 4H PJ=4D"), group_swap="both")
        assert rack(act(match, 0, "lay", table="4S 4H 4D 4C|KS KH PJ=KD"), 0) == ["2C"]

    def test_in_a_group_of_four_the_one_missing_colour_frees_it(self):
        match = scene("4C KS KH 2C", table="4S 4H 4D PJ=4C")
        assert rack(act(match, 0, "lay", table="4S 4H 4D 4C|KS KH PJ=KD"), 0) == ["2C"]

    def test_the_old_meld_is_an_ordinary_one_then(self):
        match = scene("5H KS KH 7H 8H 2C", table="4H PJ=5H 6H|4S 4D 4C")
        match = act(match, 0, "lay", table="5H 6H 7H 8H|4S 4D 4C 4H|KS KH PJ=KD")
        assert rack(match, 0) == ["2C"]

    def test_of_two_jokers_one_may_be_freed(self):
        match = scene("5H KS KH 2C", table="4H PJ=5H PJ=6H 7H")
        match = act(match, 0, "lay", table="4H 5H PJ=6H 7H|KS KH PJ=KD")
        assert rack(match, 0) == ["2C"]
        lay = "PJ=6H 7H 8H|KS KH PJ=KD|4H 5H 6H"
        match = scene("5H 6H KS KH 8H 2C", table="4H PJ=5H PJ=6H 7H")
        assert refused(match, 0, "lay", table=lay) == "joker_not_laid"

    def test_two_jokers_are_freed_together(self):
        match = scene("5H 6H KS KH QD QC 2C", table="4H PJ=5H PJ=6H 7H")
        lay = "4H 5H 6H 7H|KS KH PJ=KD|QD QC PJ=QS"
        assert rack(act(match, 0, "lay", table=lay), 0) == ["2C"]
        match = scene("5H 6H KS KH 2C", table="4H PJ=5H PJ=6H 7H")
        lay = "4H 5H 6H 7H|KS KH PJ=KD PJ=KC"
        assert rack(act(match, 0, "lay", table=lay), 0) == ["2C"]

    def test_two_freed_jokers_do_not_share_their_tiles(self):
        """Of each twin one lies on the table: the rack has two tiles for two jokers."""
        match = scene("5H 6H KS.1 KH.1 2C", table="4H PJ=5H PJ=6H 7H|KS KH KD KC|9D 9C 9H 9S")
        lay = "4H 5H 6H 7H|KS KH PJ=KD|KS KH PJ=KC|9D 9C 9H 9S|KD KC 2C"
        assert refused(match, 0, "lay", table=lay) == "table_not_valid"
        lay = "4H 5H 6H 7H|KS KH PJ=KD KC|KS KH PJ=KC KD|9D 9C 9H 9S"
        assert refused(match, 0, "lay", table=lay) == "joker_not_laid"

    def test_a_joker_of_the_rack_is_one_of_the_two_tiles(self):
        match = scene("5H KS PJ 2C", table="4H PJ=5H 6H")
        assert rack(act(match, 0, "lay", table="4H 5H 6H|KS PJ=KH PJ=KD"), 0) == ["2C"]


def test_k11_no_joker_is_freed_with_the_initial_meld():
    match = scene("5H KS KH KD QS QH 2C", table="4H PJ=5H 6H", opened=False)
    lay = "4H 5H 6H|KS KH KD|QS QH PJ=QD"
    match = with_rules(match, initial_meld=30)
    assert refused(match, 0, "lay", table=lay) == "joker_is_frozen"


def test_k11_a_joker_never_comes_onto_a_rack():
    match = scene("5H 2C", table="4H PJ=5H 6H")
    assert refused(match, 0, "lay", table="4H 5H 6H") == "tiles_missing"


def test_k18_everybody_sees_what_the_last_lay_moved():
    match = scene("4S 2C", table="4H 4D 4C|AC 2C 3C 4C.1")
    match, events = act_events(match, 0, "lay", table="4H 4D 4C 4S|AC 2C 3C 4C.1")
    assert (events[0]["from_rack"], events[0]["moved"]) == (["4S.0"], [])
    match = scene("4S 2C", table="4H 4D 4C|AC 2C 3C 4C.1")
    match, events = act_events(match, 0, "lay", table="4H 4D 4C.1 4S|AC 2C 3C 4C.0")
    assert events[0]["moved"] == ["4C.0", "4C.1"]
    assert view(match)["last_lay"] == {
        "seat": 0,
        "from_rack": ["4S.0"],
        "moved": ["4C.0", "4C.1"],
        "points": 4,
    }


def test_k18_a_joker_that_stands_for_another_tile_has_moved():
    match = scene("7H 2C", table="PJ=4H 5H 6H", rules=PRESETS["modern"])
    assert view(act(match, 0, "lay", table="5H 6H 7H PJ=8H"))["last_lay"]["moved"] == ["PJ.0"]
