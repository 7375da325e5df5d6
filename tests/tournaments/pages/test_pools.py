"""R10.13 as shown to players before they pay, and to programs."""

import pytest
from django.utils.translation import override

from tables.models import HouseRules
from tests.tournaments.browsing import read_page, read_tournament_as, sign_in
from tests.tournaments.driving import begin, enter, play_to_the_end

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool(make_tournament_of):
    return make_tournament_of(preset="pool101", qualifiers=2, rebuys=1, round_seconds=2_400)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "Pool 101: everybody begins each match with 0 points, and a player who reaches 101 is out.",
                "There is no rejoining, and no prize is split at a table.",
                "The top 2 of every table advance.",
                (
                    "A match ends as soon as only the players who advance are left; the "
                    "final ends when one player is left."
                ),
                "At a table, the last player left takes first place",
                "Of players who go out in the same deal, the one with the lower score is ahead.",
                "within a round, the place at the table decides, then the lower score.",
                (
                    "Players who are still in when the time is over are ranked by their "
                    "score, the lowest first."
                ),
                "A player who goes out may pay again in the break, up to round 1",
            ],
        ),
        (
            "hi",
            [
                "पूल 101: हर मैच में सब 0 पॉइंट से शुरू करते हैं, और जो 101 पर पहुँचे वह बाहर है।",
                "कोई वापस नहीं आता, और टेबल पर कुछ नहीं बँटता।",
                "समय समाप्त होने पर जो खेल में हैं, उनका क्रम स्कोर से तय होता है, सबसे कम पहले।",
            ],
        ),
    ],
)
def test_the_page_explains_a_pool_before_registration(client, pool, make_player, language, said):
    page = read_tournament_as(client, pool, make_player(), language)
    for sentence in said:
        assert sentence in page
    # It is also beside the button that pays.
    actions = page.split("<form")[1:]
    assert any("register" in form for form in actions)
    before = page[: page.index(f"{pool.get_absolute_url()}register/")]
    assert said[0] in before
    assert said[1] in before
    assert "tournament chips" not in page


def test_the_list_names_the_preset_of_a_pool(client, pool, make_tournament_of):
    make_tournament_of(name="Deals Cup")
    with override("en"):
        cards = read_page(client, "/tournaments/").split("<article")[1:]
    named = {"Pool 101" in card: "Deals Cup" in card for card in cards}
    assert named == {True: False, False: True}


def test_house_rules_overruled_by_a_tournament_are_not_shown(
    client, make_tournament_of, make_player
):
    house = HouseRules.objects.create(
        name="Back at once",
        game="indian",
        preset="pool101",
        changes={"rejoin_score": 60, "split_began": "any", "first_drop": 10},
    )
    pool = make_tournament_of(preset="pool101", house_rules=house)
    assert pool.own_rules == "Different here: First drop: 10"
    assert "Limit for coming back" not in read_tournament_as(client, pool, make_player())


def test_bracket_and_ranks_show_points(client, make_tournament_of, make_player):
    house = HouseRules.objects.create(
        name="Short", game="indian", preset="pool61", changes={"max_turns": 1}
    )
    pool = make_tournament_of(preset="pool61", house_rules=house, seats=3, qualifiers=1)
    players = [make_player() for _ in range(3)]
    enter(pool, *players)
    play_to_the_end(begin(pool))
    scores = list(pool.entrants.order_by("place").values_list("points", flat=True))
    bracket = read_tournament_as(client, pool, players[0])
    assert "Table 1 · points" in bracket
    ranks = read_page(client, f"{pool.get_absolute_url()}?show=ranks")
    for score in scores:
        assert f'<span class="num">{score}' in bracket
        assert f'<td class="num">{score}</td>' in ranks
    assert "Points </th>" in ranks
    at_table = client.get(f"{pool.get_absolute_url()}?show=table")
    assert "a player who reaches 61 is out" in at_table.text


def test_the_api_gives_the_limit_of_a_pool(client, pool, make_tournament_of, make_player):
    deals = make_tournament_of(deals=2)
    sign_in(client, make_player())
    listed = {one["id"]: one for one in client.get("/api/v1/tournaments/").json()["results"]}
    assert (listed[pool.pk]["deals"], listed[pool.pk]["out_at"]) == (None, 101)
    assert (listed[deals.pk]["deals"], listed[deals.pk]["out_at"]) == (2, None)
    one = client.get(f"/api/v1/tournaments/{pool.pk}/").json()
    assert (one["deals"], one["out_at"]) == (None, 101)
