"""The marks that isolate a right-to-left name are only for display, and never stored or sent to programs."""

import csv
import io
import json

import openpyxl
import pytest

from accounts.models import PlayerNote
from config.account_data.export import export_account_data
from core.models.audit import AuditEntry
from history.pages.pictures import draw_picture
from tables.models import Club, Match, Table
from tests.accounts.staff import decide, office
from tests.config.account_data.test_nothing_is_left import (
    find_in_database,
    keep_apart_by_staff,
    meet_at_a_table,
    meet_in_a_cup_and_a_club,
    rename_by_staff,
)
from tests.given import reload
from tests.players.clubs import clubbing
from tests.tables.conftest import fees, make_player, make_table
from tests.tables.driving import play_short_match
from tests.wallet.cash_players import make_staff

pytestmark = pytest.mark.django_db
__all__ = ["fees", "make_player", "make_table"]
NAME, OLD_NAME, FRIEND, THIRD, CLUB, BOSS = "زهرة", "نرگس", "דוד", "سارة", "נבו", "مدير"
MARKS = "\u2068\u2069"
# E-mails are stored in the form that their reader sees, with the marks.
COMPOSED = {("core_outgoing_email", column) for column in ("subject", "text", "html")}


@pytest.fixture
def people(make_player):
    people = [make_player() for _name in range(3)]
    for person, name in zip(people, (OLD_NAME, FRIEND, THIRD), strict=True):
        person.player_name = name
        person.save()
    return [reload(person) for person in people]


def act_by_staff(desk, zoe, friend):
    """Act as staff on a person, a note, a club and a pair, each of which leaves an entry in the audit log."""
    rename_by_staff(desk, zoe, NAME)
    note = {"user": zoe.pk, "text": "She asked."}
    assert desk.post("/admin/accounts/playernote/add/", note).status_code == 302
    club = clubbing.found(reload(friend), name=CLUB)
    decide(desk, Club.objects.get(pk=club.pk), "close", "Nobody comes.")
    keep_apart_by_staff(desk, zoe, friend)
    act = ("accounts.user", "accounts.playernote", "tables.club", "tables.pairevidence")
    assert {*AuditEntry.objects.values_list("object_type", flat=True)} >= {*act}
    assert PlayerNote.objects.exists()


@pytest.mark.usefixtures("fees", "private")
def test_names_are_stored_and_sent_without_marks(people, make_table):
    zoe, friend, third = people
    pages = [
        *meet_at_a_table(zoe, friend, third, make_table),
        *meet_in_a_cup_and_a_club(zoe, friend, third),
    ]
    boss = make_staff("Boss")
    boss.player_name = BOSS
    boss.save()
    desk = office(boss)
    act_by_staff(desk, zoe, friend)
    for name in (NAME, FRIEND, THIRD, CLUB, BOSS):
        assert find_in_database(name)
    marked = [row for mark in MARKS for row in find_in_database(mark)]
    assert [row for row in marked if row[:2] not in COMPOSED] == []
    told = json.loads(export_account_data(zoe.pk))
    assert told["account"]["player_name"] == NAME
    assert not {*MARKS} & {*json.dumps(told, ensure_ascii=False)}
    client = office(friend)
    for page in pages:
        answer = client.get(page, follow=True)
        assert not (page.endswith(".json") and {*MARKS} & {*answer.text}), page


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_files_of_lists_have_names_without_marks(people, kind):
    answer = office(make_staff("Boss")).post(f"/admin/accounts/user/export/{kind}/")
    if kind == "csv":
        rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    else:
        sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
        rows = list(sheet.iter_rows(values_only=True))
    assert {OLD_NAME, FRIEND, THIRD} <= {row[0] for row in rows}


def test_a_name_that_was_copied_from_a_page_is_that_name(people, client):
    zoe, friend, _third = people
    zoe.set_password("a-long-password")
    zoe.save()
    club = clubbing.found(friend, name=CLUB)
    client.force_login(friend, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/players/", {"name": f"{zoe.player_name}"}).url == f"/players/{zoe.pk}/"
    assert f"/clubs/{club.pk}/" in client.get("/clubs/", {"name": f"\u2068{CLUB}\u2069"}).text
    found = office(make_staff("Boss")).get("/admin/accounts/user/", {"q": f"{zoe.player_name}"})
    assert f"/admin/accounts/user/{zoe.pk}/change/" in found.text
    client.force_login(zoe, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/accounts/reauthenticate/", {"password": "a-long-password"})
    client.post("/accounts/data/close/", {"player_name": f"{zoe.player_name}"})
    assert reload(zoe).closed_at is not None


def test_a_picture_has_no_boxes_for_the_marks(people, make_table):
    match = play_short_match(make_table(), *people[:2])
    drawn = []
    for name in (CLUB, f"\u2068{CLUB}\u2069"):
        Table.objects.update(name=name)
        match = Match.objects.get(pk=match.pk)
        drawn.append(draw_picture(match))
    assert drawn[0] == drawn[1] is not None
