"""Lists as files: what is filtered and shown, in plain words, and the audit log knows of it."""

import csv
import io
import zipfile

import pytest
from django.contrib import admin

from accounts.desk.staff_roles import Role
from core.administration import exports
from core.models.audit import AuditEntry
from tables.models import TableTemplate
from tests.accounts.staff import member
from tests.wallet.cash_players import make_staff

pytestmark = pytest.mark.django_db
LIST = "/admin/tables/tabletemplate/"


@pytest.fixture
def boss(client):
    client.force_login(make_staff("Boss"))
    return client


@pytest.fixture
def rooms():
    for name, is_open in (("Neem", True), ("=cmd|' /C calc'!A0", True), ("Oak", False)):
        TableTemplate.objects.create(
            game="indian", preset="pool101", name=name, max_seats=4, entry_fee=50, is_open=is_open
        )


def lines_of(answer):
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_a_list_is_sent_as_it_is_filtered_and_shown(boss, rooms):
    answer = boss.post(f"{LIST}export/csv/?is_open__exact=1")
    assert answer["Content-Disposition"] == 'attachment; filename="tabletemplate.csv"'
    heading, *rows = lines_of(answer)
    assert heading == ["Name", "Game", "Rules", "Stake", "Seats", "Practice bots", "Open"]
    assert sorted(rows) == [
        # A spreadsheet would run it.
        ["'=cmd|' /C calc'!A0", "Indian rummy", "Pool 101", "50 chips", "4", "0", "yes"],
        ["Neem", "Indian rummy", "Pool 101", "50 chips", "4", "0", "yes"],
    ]
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_type) == ("export", "tables.tabletemplate")
    assert entry.staff_name == "Boss"
    assert entry.after == {"rows": 2, "filter": "is_open__exact=1"}
    assert "table templates" in boss.get("/admin/core/auditentry/").text
    assert boss.get(f"/admin/core/auditentry/{entry.pk}/change/").status_code == 200


def test_a_workbook_holds_texts_and_no_formulas(boss, rooms):
    answer = boss.post(f"{LIST}export/xlsx/")
    book = zipfile.ZipFile(io.BytesIO(answer.content))
    sheet = book.read("xl/worksheets/sheet1.xml").decode()
    words = book.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet
    assert "Neem" in words
    assert "calc" in words


def test_only_a_list_with_rows_has_export_buttons(boss, rooms):
    page = boss.get(f"{LIST}?is_open__exact=1").text
    assert 'formaction="export/csv/?is_open__exact=1"' in page
    TableTemplate.objects.all().delete()
    assert "export/csv" not in boss.get(LIST).text


def test_no_more_rows_than_a_file_holds(boss, rooms, monkeypatch):
    monkeypatch.setattr(exports, "MOST_ROWS", 1)
    assert len(lines_of(boss.post(f"{LIST}export/csv/"))) == 2


def test_every_list_can_be_exported(boss):
    for model in admin.site._registry:
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/export/csv/"
        assert boss.post(path).status_code == 200, path


def test_an_export_needs_the_right_to_view_and_a_posted_form(client, rooms):
    client.force_login(member(Role.SUPPORT))
    assert client.post(f"{LIST}export/csv/").status_code == 403
    assert client.get(f"{LIST}export/csv/").status_code == 404
    assert not AuditEntry.objects.filter(action="export").exists()
