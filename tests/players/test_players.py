"""Players' pages, friends, blocks and invitations."""

import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import PageShownTo, User
from config.account_data.closing import close_account
from config.account_data.export import export_account_data
from players import services
from players.models import DayTotal
from players.refusals import NOT_FRIENDS, TOO_MANY_INVITATIONS, TOO_MANY_PEOPLE
from players.selectors import (
    find_open_player,
    find_player,
    get_standing,
    invitations_for,
    list_friends,
    list_recent_opponents,
    may_see_figures,
)
from tables.chat.moderation import ModeratedLine
from tables.chat.selectors import chat_for
from tables.chat.services import post_line
from tables.models import Block, Follow, Table, TableInvitation, TableStatus
from tables.refusals import NO_SUCH_PERSON, NotSeated
from tests.given import reload
from tests.refusals import refused
from tests.tables.driving import befriend, end_match, rate, seat_all, start_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha(make_player):
    return make_player()


@pytest.fixture
def ravi(make_player):
    return make_player()


@pytest.fixture
def table(make_table, asha):
    """A table at which Asha sits."""
    opened = make_table()
    seat_all(opened, asha)
    return opened


def invite(sender, friend, table):
    services.invite(user_id=sender.pk, friend_id=friend.pk, table_id=table.pk)


def get_page(client, viewer, player):
    if viewer is not None:
        client.force_login(viewer)
    return client.get(reverse("players:player", args=[player.pk]))


def give_figures(user):
    rate(user, 1612.4, 60, matches=12)
    DayTotal.objects.create(
        user=user, game="indian", format="POINTS", day=timezone.localdate(), matches=14,
        rated_matches=12,
    )  # fmt: skip


class TestThePage:
    @pytest.mark.parametrize(
        ("shown_to", "seen_by"),
        [("nobody", (False, False)), ("friends", (False, True)), ("everybody", (True, True))],
    )
    def test_a_players_figures_are_shown_as_chosen(self, client, asha, ravi, shown_to, seen_by):
        stranger = User.objects.create_user("leela@example.com", player_name="Leela")
        give_figures(asha)
        befriend(asha, ravi)
        services.show_page_to(user_id=asha.pk, whom=PageShownTo(shown_to))
        for viewer, sees in zip((stranger, ravi, asha), (*seen_by, True), strict=True):
            page = get_page(client, viewer, asha).text
            assert asha.player_name in page
            assert ("1612" in page) is sees
        client.logout()
        assert "1612" not in get_page(client, None, asha).text

    def test_bots_guests_and_closed_accounts_have_no_page(self, client, asha):
        for change in ({"is_bot": True}, {"is_guest": True}, {"is_active": False}):
            User.objects.filter(pk=asha.pk).update(is_bot=False, is_guest=False, is_active=True)
            assert find_open_player(asha.pk) is not None
            User.objects.filter(pk=asha.pk).update(**change)
            assert client.get(reverse("players:player", args=[asha.pk])).status_code == 404
            assert find_player(asha.player_name) is None

    def test_a_whole_name_leads_to_the_players_page(self, client, asha, ravi):
        client.force_login(asha)
        address = reverse("players:people")
        found = client.get(address, {"name": ravi.player_name.upper()})
        assert found.url == reverse("players:player", args=[ravi.pk])
        page = client.get(address, {"name": f"{ravi.player_name}x"}).text
        assert "There is no player of this name." in page


class TestFollowing:
    def test_players_who_follow_each_other_are_friends(self, asha, ravi):
        services.follow(user_id=asha.pk, other_id=ravi.pk)
        services.follow(user_id=asha.pk, other_id=ravi.pk)
        assert list_friends(asha.pk) == list_friends(ravi.pk) == []
        services.follow(user_id=ravi.pk, other_id=asha.pk)
        assert (list_friends(asha.pk), list_friends(ravi.pk)) == ([ravi], [asha])
        services.unfollow(user_id=ravi.pk, other_id=asha.pk)
        assert list_friends(asha.pk) == []
        assert Follow.objects.count() == 1

    def test_nobody_follows_themselves_or_too_many(self, asha, ravi, monkeypatch):
        with refused(NO_SUCH_PERSON):
            services.follow(user_id=asha.pk, other_id=asha.pk)
        monkeypatch.setattr(services, "MOST_FOLLOWED", 0)
        with refused(TOO_MANY_PEOPLE):
            services.follow(user_id=asha.pk, other_id=ravi.pk)
        assert not Follow.objects.exists()


class TestBlocking:
    def test_a_block_ends_friendship_and_invitations_both_ways(self, asha, ravi, table):
        befriend(asha, ravi)
        invite(asha, ravi, table)
        services.block(user_id=ravi.pk, other_id=asha.pk)
        assert not Follow.objects.exists()
        assert not TableInvitation.objects.exists()
        for one, other in ((asha, ravi), (ravi, asha)):
            with refused(NO_SUCH_PERSON):
                services.follow(user_id=one.pk, other_id=other.pk)
            with refused(NOT_FRIENDS):
                invite(one, other, table)
            assert get_standing(one.pk, other.pk).is_blocked
        assert not get_standing(asha.pk, ravi.pk).blocks
        services.show_page_to(user_id=ravi.pk, whom=PageShownTo.EVERYBODY)
        assert not may_see_figures(reload(ravi), asha.pk, get_standing(asha.pk, ravi.pk))

    def test_blocked_players_do_not_read_each_other_at_a_table(self, asha, ravi, table):
        seat_all(table, ravi)
        for author, text in ((asha, "hello"), (ravi, "good evening")):
            post_line(table_id=table.pk, user_id=author.pk, line=ModeratedLine(text=text))
        services.block(user_id=ravi.pk, other_id=asha.pk)
        for reader, other in ((asha, ravi), (ravi, asha)):
            ignored, lines = chat_for(table.pk, reader.pk)
            assert ignored == {other.pk}
            assert [line["player"] for line in lines] == [reader.pk]

    def test_only_the_blocking_player_lifts_a_block(self, asha, ravi):
        services.block(user_id=ravi.pk, other_id=asha.pk)
        services.unblock(user_id=asha.pk, other_id=ravi.pk)
        assert Block.objects.count() == 1
        services.unblock(user_id=ravi.pk, other_id=asha.pk)
        services.follow(user_id=asha.pk, other_id=ravi.pk)
        assert Follow.objects.count() == 1


class TestInviting:
    def test_an_invited_friend_finds_the_way_to_a_private_table(self, client, asha, ravi, table):
        befriend(asha, ravi)
        Table.objects.filter(pk=table.pk).update(invite_code="neem")
        invite(asha, ravi, table)
        invite(asha, ravi, table)
        (invitation,) = invitations_for(ravi.pk)
        assert invitation.url == f"/tables/{table.pk}/?invite=neem"
        client.force_login(ravi)
        page = client.get(reverse("players:people")).text
        assert f"{asha.player_name} invites you to {table.name}." in page
        assert f'href="{invitation.url}"' in client.get("/").text
        assert client.get(invitation.url).status_code == 200
        services.decline(user_id=asha.pk, invitation_id=invitation.id)  # not theirs
        assert TableInvitation.objects.exists()
        client.post(reverse("players:decline", args=[invitation.id]))
        assert not TableInvitation.objects.exists()

    def test_only_friends_are_invited_to_the_players_own_table(self, asha, ravi, table, make_table):
        with refused(NOT_FRIENDS):
            invite(asha, ravi, table)
        befriend(asha, ravi)
        with pytest.raises(NotSeated):
            invite(asha, ravi, make_table())
        assert not TableInvitation.objects.exists()

    def test_invitations_are_limited_a_day_and_end_with_the_table(
        self, asha, ravi, table, monkeypatch
    ):
        befriend(asha, ravi)
        invite(asha, ravi, table)
        monkeypatch.setattr(services, "INVITATIONS_A_DAY", 1)
        with refused(TOO_MANY_INVITATIONS):
            invite(asha, ravi, table)
        Table.objects.filter(pk=table.pk).update(status=TableStatus.CLOSED)
        assert invitations_for(ravi.pk) == []


def test_recent_opponents_are_unblocked_people_latest_first(asha, ravi, make_player, make_table):
    bela = make_player()
    for other in (ravi, bela):
        end_match(start_match(make_table(), asha, other))
    assert list_recent_opponents(asha.pk) == [bela, ravi]
    services.block(user_id=ravi.pk, other_id=asha.pk)
    assert list_recent_opponents(asha.pk) == [bela]


def test_recent_opponents_are_followed_from_the_list(client, asha, ravi, make_table):
    end_match(start_match(make_table(), asha, ravi))
    client.force_login(asha)
    address = reverse("players:people")
    follow = 'name="act" value="follow"'
    assert client.get(address).text.count(follow) == 1
    answer = client.post(
        reverse("players:act", args=[ravi.pk]), {"act": "follow", "back": "people"}
    )
    assert answer.url == address
    assert Follow.objects.get().followed == ravi
    assert follow not in client.get(address).text


def test_friends_and_blocks_are_exported_and_deleted(asha, ravi, make_player):
    befriend(asha, ravi)
    bela = make_player()
    services.block(user_id=asha.pk, other_id=bela.pk)
    data = json.loads(export_account_data(asha.pk))
    assert [row["followed__player_name"] for row in data["followed_players"]] == [ravi.player_name]
    assert [row["blocked__player_name"] for row in data["blocked_players"]] == [bela.player_name]
    assert json.loads(export_account_data(bela.pk))["blocked_players"] == []
    close_account(user_id=asha.pk)
    assert not Follow.objects.exists()
    assert not Block.objects.exists()


def test_pages_of_players_need_an_account_and_a_post(client, asha, ravi):
    act = reverse("players:act", args=[ravi.pk])
    for address in (reverse("players:privacy"), act, reverse("players:show_page")):
        assert "/accounts/login/" in client.post(address).url
    client.force_login(asha)
    assert client.get(act).status_code == 405
    assert client.post(act, {"act": "marry"}).status_code == 404
    assert client.post(act, {"act": "follow"}).url == reverse("players:player", args=[ravi.pk])
    assert Follow.objects.get().followed == ravi


def test_every_page_leads_to_the_places_of_the_site(client, asha):
    places = ("lobby", "tournaments:list", "puzzles", "players:people", "learn")
    own = (
        "players:people",
        "clubs:list",
        "my_matches",
        "leaderboards",
        "wallet:statement",
        "accounts:settings",
    )

    def links(page: str, beginning: str, end: str) -> list[str]:
        part = page[page.index(beginning) :].split(end, maxsplit=1)[0]
        return re.findall(r'href="(/[^"#]*)"', part)

    page = client.get("/").text
    assert links(page, 'class="site-nav"', "</nav>") == [reverse(name) for name in places]
    assert reverse("leaderboards") in links(page, 'class="site-footer"', "</footer>")
    client.force_login(asha)
    menu = links(client.get("/").text, 'class="menu__list"', "</details>")
    assert {reverse(name) for name in own} <= set(menu)
    assert f"{reverse('players:player', args=[asha.pk])}#achievements" in client.get("/").text
