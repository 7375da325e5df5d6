"""Leagues as players and staff see them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from tests.accounts.staff import act_on_rows
from tests.given import reload
from tests.tournaments.browsing import read, read_page, sign_in
from tests.tournaments.leagues_driving import make_league, make_table, play
from tournaments.leagues.ticking import act_on_league, act_on_leagues
from tournaments.models import League, LeaguePlace
from wallet.money import Currency

pytestmark = pytest.mark.django_db
LEAGUES = "/admin/tournaments/league/"


@pytest.fixture
def league(make_player):
    row = make_league(words={"hi": {"name": "कमल सप्ताह"}}, description="Play well.")
    players = [make_player() for _ in range(3)]
    play(make_table(), *players)
    act_on_league(row.pk)
    return row


def test_the_list_shows_running_and_finished_leagues(client, league):
    make_league(name="Old one", cancelled_at=timezone.now(), cancel_reason="Rain.")
    body = read_page(client, "/tournaments/leagues/")
    running, over = body.split("<h2>Over</h2>")
    assert "Week of the Lotus" in running
    assert "1,000 chips" in running
    assert "Old one" in over
    assert 'href="/tournaments/leagues/"' in read_page(client, "/tournaments/")


def test_the_readers_own_line_comes_first(client, league):
    body = read_page(client, league.get_absolute_url())
    assert body.index("Player 1") < body.index("Player 2")
    sign_in(client, User.objects.get(player_name="Player 2"))
    body = read_page(client, league.get_absolute_url()).split('<h2 id="standings-title">')[1]
    assert body.index("Player 2") < body.index("Player 1")
    assert body.count("Player 2") == 1
    for said in (
        "Play well.",
        "2 players have points.",
        "500 chips",
        "Your best 20 matches count.",
    ):
        assert said in read_page(client, league.get_absolute_url())


def test_a_player_without_points_has_no_line(client, league):
    sign_in(client, User.objects.get(player_name="Player 3"))
    assert "(you)" not in read_page(client, league.get_absolute_url())


def test_htmx_gets_only_the_changing_part_of_a_league(client, league):
    assert "<html" not in read_page(client, league.get_absolute_url(), htmx=True)


def test_standings_have_pages_of_fifty(client, make_player, league):
    LeaguePlace.objects.bulk_create(
        LeaguePlace(league=league, user=make_player(chips=False), points=1, place=n, rank=n)
        for n in range(3, 61)
    )
    address = league.get_absolute_url()
    assert "Lower places" in read_page(client, address)
    body = read_page(client, f"{address}?page=2")
    assert "Higher places" in body
    assert "Lower places" not in body


@pytest.mark.parametrize("query", ["?page=0", "?page=-1", "?page=x", "?page=१", "?page="])
def test_an_invalid_page_number_is_not_found(client, league, query):
    assert client.get(f"{league.get_absolute_url()}{query}").status_code == 404


def test_an_unknown_league_is_not_found(client):
    for number in (1, 2**63 - 1, 2**64):
        assert client.get(f"/tournaments/leagues/{number}/").status_code == 404


def test_a_cash_league_is_not_found_where_cash_is_off(client, settings):
    league = make_league(currency=Currency.INR)
    assert client.get(league.get_absolute_url()).status_code == 200
    settings.CASH_PLAY = "off"
    assert client.get(league.get_absolute_url()).status_code == 404


def test_in_hindi(client, league):
    client.cookies["django_language"] = "hi"
    body = read_page(client, league.get_absolute_url())
    assert "कमल सप्ताह" in body
    assert "Week of the Lotus" not in body
    assert "स्थिति तालिका" in body


def test_the_statement_links_to_the_league_of_a_prize(client, league):
    player = User.objects.get(player_name="Player 1")
    League.objects.update(ends_at=timezone.now() - timedelta(seconds=2), settle_seconds=0)
    row = League.objects.get()
    row.save()
    act_on_leagues()
    sign_in(client, player)
    body = read_page(client, "/wallet/")
    assert "Week of the Lotus" in body
    assert league.get_absolute_url() in body


# --- Staff.


def form(**changed):
    start = timezone.localtime() + timedelta(days=1)
    end = start + timedelta(days=7)
    return {
        "name": "Lotus", "description": "", "words_0": "कमल", "words_1": "",
        "played": "indian:POINTS", "currency": "CHIPS", "least_stake": 0, "counted": 20,
        "meetings": 3, "starts_at_0": f"{start:%Y-%m-%d}", "starts_at_1": "00:00:00",
        "ends_at_0": f"{end:%Y-%m-%d}", "ends_at_1": "00:00:00", "settle_seconds": 120,
        "repeats": "on", "pool": 5_000, "payout_text": "50, 30, 20",
        "reason_for_audit": "A season begins.", **changed,
    }  # fmt: skip


def test_staff_create_and_change_a_league(staff):
    assert staff.post(f"{LEAGUES}add/", form()).status_code == 302
    league = League.objects.get()
    assert (league.game, league.format, league.pool) == ("indian", "POINTS", 5_000)
    assert league.settles_at - league.ends_at == timedelta(hours=2)
    assert league.said("name", "hi") == "कमल"
    change = f"{LEAGUES}{league.pk}/change/"
    assert "50, 30, 20" in read_page(staff, change)
    assert staff.post(change, form(pool=6_000)).status_code == 302
    assert reload(league).pool == 6_000
    assert "Lotus" in read_page(staff, LEAGUES)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"pool": 0}, "Enter 1 or more."),
        ({"payout_text": "50"}, "The shares must add up to 100 percent."),
        ({"played": "indian:WHIST"}, "Select a valid choice"),
        ({"ends_at_0": "2020-01-01"}, "The end must be later than the beginning."),
        ({"counted": 0}, "greater than or equal to 1"),
    ],
)
def test_an_invalid_league_is_refused(staff, changed, said):
    assert said in read(staff.post(f"{LEAGUES}add/", form(**changed)))
    assert not League.objects.exists()


def test_a_league_that_has_begun_cannot_be_changed(staff, league):
    change = f"{LEAGUES}{league.pk}/change/"
    body = read_page(staff, change)
    assert "50, 30, 20" in body
    assert "Hindi, name: कमल सप्ताह" in body
    shown = body.split('id="league_form"')[1].split("</form>")[0]
    assert [word for word in ("{", "Reason", "_save") if word in shown] == []
    assert staff.post(change, form(pool=6_000)).status_code == 403
    assert reload(league).pool == 1_000


def test_staff_cancel_and_disqualify(staff, league):
    place = LeaguePlace.objects.get(rank=1)
    assert "Write a reason" in act_on_rows(staff, "disqualify_them", place, reason="").text
    assert "is disqualified." in act_on_rows(staff, "disqualify_them", place, reason="Rain.").text
    place.refresh_from_db()
    assert (place.rank, place.disqualified_at is not None) == (None, True)
    sign_in(staff, place.user)
    assert "Disqualified" in read_page(staff, league.get_absolute_url())
    sign_in(staff, User.objects.get(player_name="Admin"))
    assert "Write a reason" in act_on_rows(staff, "cancel_them", league, reason="").text
    assert (
        "is cancelled: nothing is paid."
        in act_on_rows(staff, "cancel_them", league, reason="Rain.").text
    )
    assert "This league is over." in act_on_rows(staff, "cancel_them", league, reason="Rain.").text
    assert "Rain." in read_page(staff, league.get_absolute_url())


def test_staff_resume_a_broken_league(staff, league):
    League.objects.update(broken_at=timezone.now(), broken_reason="ValueError: no")
    assert "out of order" in read_page(staff, LEAGUES)
    act_on_rows(staff, "resume_them", league)
    league.refresh_from_db()
    assert (league.broken_at, league.broken_reason) == (None, "")


def test_running_standings_show_prospective_prizes(client, league):
    body = read_page(client, league.get_absolute_url()).split('<h2 id="prizes-title">')[0]
    assert "1,000 chips in prizes" in body
    assert "Current prize" in body
    assert body.index("Player 1") < body.index("625 chips") < body.index("Player 2")
    assert "375 chips" in body
    assert 'href="/tables/?game=indian%3APOINTS&amp;money=CHIPS&amp;free=1"' in body
    assert set(LeaguePlace.objects.values_list("prize", flat=True)) == {0}
    assert client.get("/tables/?game=indian%3APOINTS&money=CHIPS").status_code == 200


def test_equal_players_are_shown_shared_prizes(client, make_player):
    row = make_league(payout_table=[[1, 6_000], [1, 4_000]])
    play(make_table(), *(make_player() for _ in range(3)), ranks=(1, 1, 3))
    act_on_league(row.pk)
    assert read_page(client, row.get_absolute_url()).count("500 chips") == 2


def test_a_cancelled_league_shows_no_prizes_of_places(client, league):
    League.objects.update(cancelled_at=timezone.now(), cancel_reason="Rain.")
    body = read_page(client, league.get_absolute_url()).split('<h2 id="prizes-title">')[0]
    assert "625 chips" not in body
    assert "To the tables that count" not in body


def test_the_front_page_links_to_running_leagues(client, league):
    make_league(name="Not yet", starts_at=timezone.now() + timedelta(hours=1))
    make_league(name="For cash", currency=Currency.INR)
    body = read_page(client, "/").split('id="leagues-title"')[1]
    assert f'href="{league.get_absolute_url()}"' in body
    assert "1,000 chips in prizes" in body
    assert "Not yet" not in body
    League.objects.exclude(name="Not yet").update(ends_at=timezone.now())
    assert 'id="leagues-title"' not in read_page(client, "/")
