"""Levels grow with finished matches, and looks that they unlock are the only rewards."""

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import PageShownTo, User
from accounts.people.preferences import EARNED, set_preferences
from config.settings.base import BASE_DIR
from tables.models import PlayerAchievement
from tables.play.reading import snapshot
from tables.ranking.achievements import ACHIEVEMENTS
from tables.ranking.levels import THRESHOLDS, level_at, level_of
from tables.ranking.rewards import KINDS, REWARDS, choose_looks
from tables.refusals import NotUnlocked
from tables.templatetags.ratings import progress_of
from tests.given import reload, require
from tests.tables.driving import seat_all
from wallet.models import DepositLimit, SelfExclusion

pytestmark = pytest.mark.django_db


def test_levels_are_reached_by_numbers_of_matches_that_only_grow():
    assert list(THRESHOLDS) == sorted(set(THRESHOLDS))
    assert [level_at(matches).number for matches in (0, 1, 2, 3, 9, 10, 1_999, 2_000)] == [
        1, 2, 2, 3, 4, 5, 20, 21,
    ]  # fmt: skip
    assert (level_at(0).next_at, level_at(0).missing) == (1, 1)
    assert (level_at(7).next_at, level_at(7).missing) == (10, 3)
    assert (level_at(5_000).number, level_at(5_000).next_at, level_at(5_000).missing) == (
        21,
        None,
        0,
    )


def test_the_table_of_rewards_is_drawn_and_can_be_reached():
    codes = {kind: [one.code for one in REWARDS if one.kind == kind] for kind in KINDS}
    for kind, found in codes.items():
        assert sorted(found) == sorted(set(EARNED[kind]) - {"none"})
    sheets = "".join(
        (BASE_DIR / "static/css" / name).read_text() for name in ("rewards.css", "frames.css")
    )
    for one in REWARDS:
        assert f'[data-{one.kind}="{one.code}"]' in sheets
        assert bool(one.level) != bool(one.by)
        assert one.level <= len(THRESHOLDS) + 1
        assert not one.by or one.tier <= len(ACHIEVEMENTS[one.by].tiers)


def with_matches(player, count, **others):
    """Let the player have reached this count, and these tiers of other achievements."""
    PlayerAchievement.objects.create(user=player, code="matches", count=count, tier=1)
    for code, tier in others.items():
        PlayerAchievement.objects.create(user=player, code=code, count=tier, tier=tier)
    return player


@pytest.fixture
def player(make_player):
    return make_player()


def list_unlocked(player):
    return {
        line.reward.code
        for offer in progress_of(player).offers
        for line in offer.lines
        if line.is_unlocked
    }


def keep(player, **chosen):
    choose_looks(player=player, chosen=chosen)
    player.refresh_from_db()


def test_levels_and_tiers_unlock_looks(player):
    assert level_of(player.pk).number == 1
    assert list_unlocked(player) == set()
    with_matches(player, 6, wins=1, event_wins=1)
    assert level_of(player.pk).number == 4
    assert list_unlocked(player) == {"bronze", "peacock", "violet", "laurel"}
    PlayerAchievement.objects.filter(code="wins").update(tier=2)
    assert "night" in list_unlocked(player)


def test_what_is_unlocked_is_chosen_and_everything_else_refused(player):
    with_matches(player, 3)
    set_preferences(user_id=player.pk, chosen={"theme": "dark"})
    keep(player, back="peacock", felt="wine", frame="bronze")
    kept = {"theme": "dark", "back": "peacock", "felt": "wine", "frame": "bronze"}
    assert player.preferences == kept
    for wrong in (
        {"frame": "gold"},
        {"felt": "pink"},
        {"theme": "light"},
        {"back": "red", "felt": "teak"},
    ):
        with pytest.raises(NotUnlocked):
            keep(player, **wrong)
        assert reload(player).preferences == kept
    keep(player, frame="none", back="red")
    assert player.preferences == {**kept, "frame": "none", "back": "red"}


def test_the_switches_of_the_pages_choose_no_rewards(player, client):
    with_matches(player, 2_000)
    client.force_login(player)
    for chosen in ({"back": "peacock"}, {"frame": "gold"}):
        assert client.post(reverse("accounts:preferences"), chosen).status_code == 400
    assert reload(player).preferences == {}


def limit(player):
    now = timezone.now()
    DepositLimit.objects.create(user=player, period="DAY", amount=10_000, effective_from=now)


def take_a_break(player):
    SelfExclusion.objects.create(user=player)


def want_quiet(player):
    set_preferences(user_id=player.pk, chosen={"quiet": "on"})


@pytest.mark.parametrize("ask_for_rest", [limit, take_a_break, want_quiet])
def test_players_who_limit_themselves_or_want_quiet_see_none_of_it(player, client, ask_for_rest):
    with_matches(player, 3)
    keep(player, frame="bronze")
    client.force_login(player)
    pages = reverse("accounts:profile"), reverse("people:player", args=[player.pk])
    profile, own = (client.get(page).text for page in pages)
    assert "<dt>Level</dt>" in profile
    assert "Silver" in profile
    assert "Level 3" in own
    assert "Face to face" in own
    ask_for_rest(player)
    player.refresh_from_db()
    profile, own = (client.get(page).text for page in pages)
    assert "<dt>Level</dt>" not in profile
    assert "Silver" not in profile
    assert "Level 3" not in own
    assert "Face to face" not in own
    # What was chosen before stays, and can be put away.
    assert list_unlocked(player) == {"bronze"}
    with pytest.raises(NotUnlocked):
        keep(player, back="peacock")
    keep(player, frame="none")
    assert progress_of(player).offers == []


def test_the_profile_offers_looks_and_brings_their_sheet(player, client):
    with_matches(player, 3)
    client.force_login(player)
    page = client.get(reverse("accounts:profile")).text
    assert "2 matches to the next level" not in page
    assert "3 matches to the next level" in page
    assert "From level 14" in page
    assert "“Winner”: 10 matches" in page
    answer = client.post(reverse("people:looks"), {"back": "night"}, follow=True)
    assert "Play has not unlocked this yet." in answer.text
    assert "css/rewards" not in client.get("/").text
    answer = client.post(
        reverse("people:looks"), {"back": "peacock", "frame": "bronze"}, follow=True
    )
    assert "Your choice is kept." in answer.text
    assert "css/rewards" in client.get("/").text
    assert client.get(reverse("people:looks")).status_code == 405


def find_first_player(table):
    return require(snapshot(table_id=table.pk, user_id=None)).state["seats"][0]["player"]


def test_others_see_level_and_frame_on_the_page_and_at_the_table(
    player, make_player, make_table, client
):
    with_matches(player, 6)
    keep(player, frame="bronze")
    User.objects.filter(pk=player.pk).update(page_shown_to=PageShownTo.EVERYBODY)
    table = make_table()
    seat_all(table, player)
    viewer = make_player()
    client.force_login(viewer)
    page = client.get(reverse("people:player", args=[player.pk])).text
    assert "Level 4" in page
    assert 'data-frame="bronze"' in page
    card = client.get(reverse("tables:player", args=[table.pk, 0])).text
    assert "<dd>4</dd>" in "".join(card.split())
    assert 'data-frame="bronze"' in card
    want_quiet(viewer)
    for address in (
        reverse("people:player", args=[player.pk]),
        reverse("tables:player", args=[table.pk, 0]),
    ):
        assert "Level" not in client.get(address).text
    assert find_first_player(table)["frame"] == "bronze"
    keep(player, frame="none")
    assert "frame" not in find_first_player(table)
