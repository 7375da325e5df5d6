"""Levels, and the looks (card backs, felts, frames) that they unlock."""

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import PageShownTo, User
from accounts.people.preferences import EARNED, set_preferences
from config.settings.base import BASE_DIR
from players.models import PlayerAchievement
from players.ranking.achievements import ACHIEVEMENTS
from players.ranking.levels import THRESHOLDS, get_level, level_at
from players.ranking.rewards import KINDS, REWARDS, choose_looks
from players.refusals import NOT_UNLOCKED
from players.templatetags.ratings import get_progress
from tables.play.reading import snapshot
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import seat_all
from wallet.models import DepositLimit, SelfExclusion

pytestmark = pytest.mark.django_db


def test_levels_are_reached_at_rising_numbers_of_matches():
    assert list(THRESHOLDS) == sorted(set(THRESHOLDS))
    numbers = [level_at(matches).number for matches in (0, 1, 2, 3, 9, 10, 1_999, 2_000, 5_000)]
    assert numbers == [1, 2, 2, 3, 4, 5, 20, 21, 21]
    for matches, next_at, missing in ((0, 1, 1), (7, 10, 3), (5_000, None, 0)):
        assert (level_at(matches).next_at, level_at(matches).missing) == (next_at, missing)


def test_every_reward_is_drawn_and_reachable():
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


def give_achievements(player, count, **others):
    """Give the player this count of matches, and these tiers of other achievements."""
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
        for offer in get_progress(player).offers
        for line in offer.lines
        if line.is_unlocked
    }


def keep(player, **chosen):
    choose_looks(player=player, chosen=chosen)
    player.refresh_from_db()


def test_levels_and_tiers_unlock_looks(player):
    assert get_level(player.pk).number == 1
    assert list_unlocked(player) == set()
    give_achievements(player, 6, wins=1, event_wins=1)
    assert get_level(player.pk).number == 4
    assert list_unlocked(player) == {"bronze", "peacock", "violet", "laurel"}
    PlayerAchievement.objects.filter(code="wins").update(tier=2)
    assert "night" in list_unlocked(player)


def test_only_unlocked_looks_can_be_chosen(player):
    give_achievements(player, 3)
    set_preferences(user_id=player.pk, chosen={"theme": "dark"})
    keep(player, back="peacock", felt="wine", frame="bronze")
    kept = {"theme": "dark", "back": "peacock", "felt": "wine", "frame": "bronze"}
    assert player.preferences == kept
    wrong = [
        {"frame": "gold"},
        {"felt": "pink"},
        {"theme": "light"},
        {"back": "red", "felt": "teak"},
    ]
    for chosen in wrong:
        with refused(NOT_UNLOCKED):
            keep(player, **chosen)
        assert reload(player).preferences == kept
    keep(player, frame="none", back="red")
    assert player.preferences == {**kept, "frame": "none", "back": "red"}


def test_the_preferences_page_chooses_no_rewards(player, client):
    give_achievements(player, 2_000)
    client.force_login(player)
    for chosen in ({"back": "peacock"}, {"frame": "gold"}):
        assert client.post(reverse("accounts:preferences"), chosen).status_code == 400
    assert reload(player).preferences == {}


def want_quiet(player):
    set_preferences(user_id=player.pk, chosen={"quiet": "on"})


LIMITS = {
    "limit": lambda player: DepositLimit.objects.create(
        user=player, period="DAY", amount=10_000, effective_from=timezone.now()
    ),
    "break": lambda player: SelfExclusion.objects.create(user=player),
    "quiet": want_quiet,
}


@pytest.mark.parametrize("limit", LIMITS)
def test_quiet_and_limited_players_see_no_levels_or_rewards(player, client, limit):
    give_achievements(player, 3)
    keep(player, frame="bronze")
    client.force_login(player)

    def list_shown():
        settings = client.get(reverse("accounts:settings")).text
        look = client.get(reverse("accounts:look")).text
        own = client.get(reverse("players:player", args=[player.pk])).text
        return ["Silver" in settings, "Peacock" in look] + [
            words in own for words in ("Level 3", "Face to face")
        ]

    assert list_shown() == [True] * 4
    LIMITS[limit](player)
    player.refresh_from_db()
    assert list_shown() == [False] * 4
    # An earlier choice stays and can be undone.
    assert list_unlocked(player) == {"bronze"}
    with refused(NOT_UNLOCKED):
        keep(player, back="peacock")
    keep(player, frame="none")
    assert get_progress(player).frames == []
    # Free looks are available to everybody.
    assert [(offer.kind, offer.lines) for offer in get_progress(player).looks] == [
        ("back", []),
        ("felt", []),
    ]


def test_the_settings_offer_unlocked_looks(player, client):
    give_achievements(player, 3)
    client.force_login(player)
    own = client.get(reverse("players:player", args=[player.pk])).text
    assert "2 matches to the next level" not in own
    assert "3 matches to the next level" in own
    assert "From level 14" in client.get(reverse("accounts:settings")).text
    assert "“Winner”: 10 matches" in client.get(reverse("accounts:look")).text
    answer = client.post(reverse("players:looks"), {"back": "night"}, follow=True)
    assert "You have not unlocked this yet: reach its level or achievement first." in answer.text
    assert "css/rewards" not in client.get("/").text
    looks = {"back": "peacock", "frame": "bronze"}
    answer = client.post(reverse("players:looks"), looks, follow=True)
    assert "Your choice is saved." in answer.text
    assert "css/rewards" in client.get("/").text
    assert client.get(reverse("players:looks")).status_code == 405


def find_first_player(table):
    return require(snapshot(table_id=table.pk, user_id=None)).state["seats"][0]["player"]


def test_others_see_level_and_frame(player, make_player, make_table, client):
    give_achievements(player, 6)
    keep(player, frame="bronze")
    User.objects.filter(pk=player.pk).update(page_shown_to=PageShownTo.EVERYBODY)
    table = make_table()
    seat_all(table, player)
    viewer = make_player()
    client.force_login(viewer)
    page = client.get(reverse("players:player", args=[player.pk])).text
    assert "Level 4" in page
    assert 'data-frame="bronze"' in page
    card = client.get(reverse("table_player", args=[table.pk, 0])).text
    assert "<dd>4</dd>" in "".join(card.split())
    assert 'data-frame="bronze"' in card
    want_quiet(viewer)
    for address in (
        reverse("players:player", args=[player.pk]),
        reverse("table_player", args=[table.pk, 0]),
    ):
        assert "Level" not in client.get(address).text
    assert find_first_player(table)["frame"] == "bronze"
    keep(player, frame="none")
    assert "frame" not in find_first_player(table)
