"""The administration's navigation, which is grouped by task, and its search."""

import itertools
import re

import pytest
from django.contrib import admin
from django.urls import resolve
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.models import User
from config.desk.navigation import GROUPS, DeskPage
from config.desk.search import SHOWN
from tests.accounts.staff import member, office
from tests.points_tables import open_points_table
from tests.wallet.cash_players import make_player
from wallet import api as wallet

pytestmark = pytest.mark.django_db
WORK = ["Today", "People", "Play", "Tournaments", "Money", "Site", "Records"]


@pytest.fixture
def asha():
    return make_player()


def sidebar_of(page):
    return page.partition('id="nav-sidebar"')[2].partition("</nav>")[0]


def groups_on(page):
    """Return the entries of the sidebar by group."""
    found = {}
    for group in sidebar_of(page).split("<details")[1:]:
        title = re.findall(r"<summary>([^<]+)</summary>", group)[0]
        found[title] = re.findall(r'href="([^"]+)"(?![^>]*addlink)[^>]*>([^<]+)</a>', group)
    return found


def test_every_admin_page_is_in_one_group():
    named = [
        entry for group in GROUPS for entry in group.entries if not isinstance(entry, DeskPage)
    ]
    registered = [model._meta.label_lower for model in admin.site._registry]
    assert sorted(named) == sorted(registered)


def test_the_groups_of_the_navigation_lead_to_pages(boss):
    groups = groups_on(boss.get("/admin/").text)
    assert list(groups) == WORK
    # tests/test_query_counts.py opens the lists of all models.
    for url, _title in itertools.chain.from_iterable(groups.values()):
        assert resolve(url).app_name == "admin"


@pytest.mark.parametrize(
    ("path", "group", "entry"),
    [
        ("/admin/", "Today", "Overview"),
        ("/admin/tables/tabletemplate/", "Play", "Table templates"),
        ("/admin/tables/tabletemplate/add/", "Play", "Table templates"),
        ("/admin/tournaments/tournament/calendar/", "Tournaments", "Calendar"),
        ("/admin/reports/", "Records", "Reports"),
        ("/admin/core/auditentry/", "Records", "Audit log"),
    ],
)
def test_the_current_page_is_marked_and_its_group_open(boss, path, group, entry):
    sidebar = sidebar_of(boss.get(path).text)
    assert entry in re.findall(r'aria-current="page">([^<]+)<', sidebar)
    opened = re.findall(r"<details[^>]*\sopen[^>]*>\s*<summary>([^<]+)", sidebar)
    assert opened == [group]


def test_staff_see_the_pages_of_their_role():
    groups = groups_on(office(member(Role.GAMES)).get("/admin/").text)
    assert "Table templates" in dict(map(reversed, groups["Play"]))
    assert "Withdrawals" not in dict(map(reversed, groups.get("Money", [])))
    assert "Audit log" not in dict(map(reversed, groups.get("Records", [])))
    assert "Reports" in dict(map(reversed, groups["Records"]))


def search(client, text):
    return client.get("/admin/search/", {"q": text})


def find(client, text):
    """Search for the text. Return the page of results, or the address of the only result."""
    answer = search(client, text)
    return answer.text if answer.status_code == 200 else answer["Location"]


def test_people_are_found_by_name_address_and_number(boss, asha):
    page = f"/admin/accounts/user/{asha.pk}/change/"
    for text in (asha.player_name, asha.email, asha.email.upper()):
        assert search(boss, text)["Location"] == page
    assert page in find(boss, str(asha.pk))


def test_a_person_is_found_however_the_letters_are_composed(boss, asha):
    User.objects.filter(pk=asha.pk).update(player_name="प\u0921\u093cोसी")
    page = f"/admin/accounts/user/{asha.pk}/change/"
    assert search(boss, "प\u095cोसी")["Location"] == page
    assert asha.email in boss.get("/admin/accounts/user/", {"q": "प\u095cोसी"}).text


def test_play_is_found_by_name_and_number(boss):
    wallet.set_starting_fees(valid_from=timezone.now())
    tables = [open_points_table(f"Neem Room {number}") for number in range(SHOWN + 2)]
    page = search(boss, "neem room").text
    assert page.count("/admin/tables/table/") >= SHOWN
    assert "/admin/tables/table/?q=neem+room" in page
    assert f"/admin/tables/table/{tables[0].pk}/change/" in find(boss, str(tables[0].pk))


@pytest.mark.parametrize("text", ["", " ", "nobody is called so", "9" * 30, "%_\\'\"", "\u0967"])
def test_a_search_without_a_match_finds_nothing(boss, text):
    page = search(boss, text)
    assert page.status_code == 200
    assert "data-kind" not in page.text


def test_staff_find_only_what_they_may_see(asha):
    finance = office(member(Role.FINANCE))
    assert f"/accounts/user/{asha.pk}/" in search(finance, asha.email)["Location"]
    clerk = User.objects.create_user("b@example.com", "x", player_name="Clerk", is_staff=True)
    assert "data-kind" not in search(office(clerk), asha.email).text
    assert search(office(asha), asha.email).status_code == 302
