"""Online friends, and the search for players."""

import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse

from accounts.models import PageShownTo, User
from players import online, services
from players.online import is_seen_online, list_friends_online, show_online_to
from players.selectors import search_players
from tables.live import presence
from tables.models import Admission, Table, TableInvitation
from tests.given import reload
from tests.tables.driving import befriend, seat_all
from tests.workers import empty_redis

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_is_there():
    empty_redis()
    yield
    empty_redis()


@pytest.fixture
def people(make_player):
    asha, ravi, meera = make_player(), make_player(), make_player()
    befriend(asha, ravi)
    return asha, ravi, meera


def open_page(user):
    async def note():
        try:
            return await presence.record_page(user.pk)
        finally:
            await presence.close()

    return async_to_sync(note)()


def list_online(user):
    return [friend.person.pk for friend in list_friends_online(user.pk)]


class TestWhoIsSeen:
    def test_only_friends_see_a_player_with_an_open_page(self, people):
        asha, ravi, meera = people
        assert list_online(asha) == []
        open_page(ravi)
        open_page(meera)
        assert list_online(asha) == [ravi.pk]
        assert list_online(meera) == []

    @pytest.mark.parametrize(
        ("shown_to", "friend", "stranger"),
        [("nobody", False, False), ("friends", True, False), ("everybody", True, True)],
    )
    def test_players_choose_by_whom_they_are_seen_online(
        self, client, people, shown_to, friend, stranger
    ):
        asha, ravi, meera = people
        show_online_to(user_id=ravi.pk, whom=PageShownTo(shown_to))
        open_page(reload(ravi))
        assert bool(list_online(asha)) is friend
        assert is_seen_online(ravi, is_friend=True) is friend
        assert is_seen_online(ravi, is_friend=False) is stranger
        for viewer, sees in ((asha, friend), (meera, stranger)):
            client.force_login(viewer)
            page = client.get(reverse("players:player", args=[ravi.pk])).text
            assert ('<span class="badge badge--good">online</span>' in page) is sees
        client.logout()
        page = client.get(reverse("players:player", args=[ravi.pk])).text
        assert "online" not in page.partition("<main")[2].partition("</main")[0]

    def test_pages_work_without_redis_and_show_nobody_online(self, client, people, settings):
        asha, ravi, _meera = people
        open_page(ravi)
        settings.PRESENCE_REDIS_URL = "redis://127.0.0.1:1/0"
        client.force_login(asha)
        assert client.get(reverse("players:people")).status_code == 200
        assert list_online(asha) == []


class TestTheirTables:
    def test_public_tables_of_friends_are_joined_or_watched(self, people, make_table, make_player):
        asha, ravi, _meera = people
        open_page(ravi)
        free, full = make_table(), make_table()
        seat_all(free, ravi)
        seat_all(full, ravi, make_player())
        (friend,) = list_friends_online(asha.pk)
        assert [(table.url, table.can_join) for table in friend.tables] == [
            (f"/tables/{free.pk}/", True),
            (f"/tables/{full.pk}/", False),
        ]

    @pytest.mark.parametrize(
        ("admission", "is_shown"), [("link", False), ("friends", True), ("anybody", True)]
    )
    def test_private_tables_of_friends_are_shown_by_admission(
        self, people, make_table, admission, is_shown
    ):
        asha, ravi, _meera = people
        open_page(ravi)
        table = make_table()
        seat_all(table, ravi)
        Table.objects.filter(pk=table.pk).update(
            invite_code="abcdefgh", host=ravi, admission=Admission(admission)
        )
        (friend,) = list_friends_online(asha.pk)
        assert bool(friend.tables) is is_shown

    def test_all_online_friends_are_invited_at_once(self, client, people, make_table, make_player):
        asha, ravi, _meera = people
        away = make_player()
        befriend(asha, away)
        open_page(ravi)
        table = make_table(max_seats=3)
        seat_all(table, asha)
        client.force_login(asha)
        client.post(reverse("players:invite_online"), {"table": table.pk})
        assert list(TableInvitation.objects.values_list("invited", flat=True)) == [ravi.pk]
        client.post(reverse("players:invite_online"), {"table": table.pk + 1})
        assert TableInvitation.objects.count() == 1


class TestComing:
    def test_friends_hear_of_a_coming_player_once_in_five_minutes(self, people, monkeypatch):
        asha, ravi, _meera = people
        assert open_page(ravi) is True
        assert open_page(ravi) is False
        told = []
        monkeypatch.setattr(online, "hint_soon", lambda ids, kind: told.append((ids, kind)))
        online.notify_friends(ravi.pk)
        assert told == [([asha.pk], "friend_came")]
        show_online_to(user_id=ravi.pk, whom=PageShownTo.NOBODY)
        online.notify_friends(ravi.pk)
        assert len(told) == 1


class TestBeginnings:
    @pytest.fixture
    def viewer(self, make_player):
        return make_player()

    def make_named(self, name, **more):
        address = f"{name.lower().replace(' ', '.')}@example.com"
        return User.objects.create_user(address, player_name=name, **more)

    def test_players_are_found_by_the_beginning_of_their_name(self, client, viewer):
        asha = self.make_named("Asha Rao")
        self.make_named("Basha Rao")
        assert search_players("ash", viewer_id=viewer.pk) == [asha]
        assert search_players("  ÁSHA r", viewer_id=viewer.pk) == [asha]
        for no_beginning in ("as", "%%%", "A_ha"):
            assert search_players(no_beginning, viewer_id=viewer.pk) == []
        client.force_login(viewer)
        page = client.get(reverse("players:people"), {"name": "asha"}).text
        assert reverse("players:player", args=[asha.pk]) in page

    def test_hidden_and_closed_players_are_not_found(self, viewer):
        hidden = self.make_named("Asha One")
        show_online_to(user_id=hidden.pk, whom=PageShownTo.NOBODY)
        self.make_named("Asha Two", is_guest=True)
        self.make_named("Asha Three", is_bot=True)
        self.make_named("Asha Four", is_active=False)
        blocked = self.make_named("Asha Five")
        services.block(user_id=blocked.pk, other_id=viewer.pk)
        assert search_players("asha", viewer_id=viewer.pk) == []
