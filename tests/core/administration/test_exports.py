"""Exports of lists: they have the filtered rows and shown columns, and are in the audit log."""

import csv
import io
import tracemalloc
from datetime import datetime, timedelta

import openpyxl
import pytest
from django.contrib import admin
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.administration import exports
from core.administration.cells import to_plain_text, write_file
from core.models.audit import AuditEntry
from tables.models import TableTemplate
from tests.accounts.staff import member
from tests.wallet.cash_players import make_player, make_staff, may_withdraw
from tests.wallet.rawsql import post
from tests.wallet.withdrawals.asking import ask
from wallet.withdrawals.steps import approve_withdrawal

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


def test_the_memory_of_a_workbook_does_not_grow_with_its_rows():
    write_file("xlsx", "short", ["A"], iter(()))  # imports the library
    texts = ([f"text {number} {column}" for column in range(8)] for number in range(9_000))
    tracemalloc.start()
    try:
        write_file("xlsx", "long", ["A"] * 8, texts)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8_000_000


def test_a_list_is_sent_as_it_is_filtered_and_shown(boss, rooms):
    answer = boss.post(f"{LIST}export/csv/?is_open__exact=1")
    assert answer["Content-Disposition"] == 'attachment; filename="tabletemplate.csv"'
    heading, *rows = lines_of(answer)
    assert heading == [
        "Name", "Game", "Rules", "Stake", "Currency", "Seats", "Practice bots", "Open",
    ]  # fmt: skip
    assert sorted(rows) == [
        # Quoted, as a spreadsheet would otherwise run it as a formula.
        ["'=cmd|' /C calc'!A0", "Indian rummy", "Pool 101", "50", "CHIPS", "4", "0", "yes"],
        ["Neem", "Indian rummy", "Pool 101", "50", "CHIPS", "4", "0", "yes"],
    ]
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.object_type) == ("export", "tables.tabletemplate")
    assert entry.staff_name == "Boss"
    assert entry.after == {"rows": 2, "filter": "is_open__exact=1"}
    assert "table templates" in boss.get("/admin/core/auditentry/").text
    assert boss.get(f"/admin/core/auditentry/{entry.pk}/change/").status_code == 200


def read_book(answer):
    """Return the cells of a workbook's rows by heading, as another library reads them."""
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    heading, *rows = sheet.iter_rows()
    return [dict(zip([one.value for one in heading], row, strict=True)) for row in rows]


def test_a_workbook_holds_texts_and_no_formulas(boss, rooms):
    rows = read_book(boss.post(f"{LIST}export/xlsx/"))
    assert {row["Name"].value for row in rows} == {"Neem", "Oak", "=cmd|' /C calc'!A0"}
    assert {cell.data_type for row in rows for cell in row.values()} == {"s", "n"}


class TestMoney:
    @pytest.fixture
    def withdrawals(self, boss, settings):
        """Request two withdrawals, one of which two staff members have approved. Return the approved one."""
        asha, first, second = make_player(), make_staff("First"), make_staff("Second")
        may_withdraw(asha, first, second_above=40_000)
        row = ask(asha, 50_000, reference="w1")
        for one in (first, second):
            approve_withdrawal(withdrawal_id=row.pk, staff_id=one.pk)
        ask(asha, 20_050, reference="w2")
        return row

    def test_a_workbook_has_amounts_that_sum_and_moments_that_sort(self, boss, withdrawals):
        rows = read_book(boss.post("/admin/wallet/withdrawal/export/xlsx/"))
        assert sum(row["Amount"].value for row in rows) == 700.50
        assert {row["Amount"].number_format for row in rows} == {"#,##0.00"}
        assert {row["Currency"].value for row in rows} == {"INR"}
        asked = [row["Requested"] for row in rows]
        assert all(cell.is_date and cell.number_format == "yyyy-mm-dd hh:mm:ss" for cell in asked)
        local = timezone.localtime(withdrawals.requested_at).replace(tzinfo=None)
        moments = {row["Reference"].value: row["Requested"].value for row in rows}
        assert abs(moments["w1"] - local) < timedelta(seconds=1)

    def test_a_withdrawal_has_number_address_and_both_who_approved(self, boss, withdrawals):
        heading, *rows = lines_of(boss.post("/admin/wallet/withdrawal/export/csv/"))
        by_reference = {
            row[1]: dict(zip(heading, row, strict=True)) for row in rows
        }  # fmt: skip
        row = by_reference["w1"]
        assert (row["ID"], row["UPI address"]) == (str(withdrawals.pk), "asha@upi")
        assert (row["Approved by"], row["Second approval by"]) == ("First", "Second")
        assert (row["Amount"], row["Currency"]) == ("500.00", "INR")
        moment = datetime.fromisoformat(row["Requested"])
        assert moment.tzinfo is not None
        assert abs(moment - withdrawals.requested_at) < timedelta(seconds=1)
        # Empty cells stay empty; a dash could be taken for a formula.
        assert by_reference["w2"]["Ended"] == by_reference["w2"]["Approved by"] == ""

    def test_transfers_say_their_currency(self, boss, withdrawals):
        post("gift:1", "MINT,0,PLAYER,7,CHIPS,1500,ADJUSTMENT")
        heading, *rows = lines_of(boss.post("/admin/wallet/transfer/export/csv/"))
        columns = [heading.index(name) for name in ("Amount", "Currency", "Source")]
        said = {tuple(row[place] for place in columns) for row in rows}
        assert ("1500", "CHIPS") in {one[:2] for one in said}
        assert ("2000.00", "INR") in {one[:2] for one in said}

    def test_the_list_of_players_has_numbers(self, boss, withdrawals):
        rows = read_book(boss.post("/admin/accounts/user/export/xlsx/"))
        (asha,) = [row for row in rows if row["Player name"].value == "Asha"]
        assert asha["Cash (INR)"].value == 2_000
        assert [cell.value.year for cell in asha.values() if cell.is_date] == [timezone.now().year]


def test_the_audit_log_has_words_without_mark_up(boss, rooms):
    boss.post(f"{LIST}export/csv/?q=%22")
    *_others, row = lines_of(boss.post("/admin/core/auditentry/export/csv/"))
    assert row[5] == 'rows: - → 3; filter: - → "q=%22"'


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("-", ""),
        ("<details><summary>2 fields</summary><div>id: - → 1</div><div>a: b</div></details>",
         "2 fields; id: - → 1; a: b"),
        ('<a href="/x">A &amp; &quot;B&quot;</a>', 'A & "B"'),
        ("a &amp; b", "a &amp; b"),
        ("-5 points", "-5 points"),
    ],
)  # fmt: skip
def test_mark_up_becomes_plain_text(shown, text):
    assert to_plain_text(shown) == text


def test_only_a_list_with_rows_has_export_buttons(boss, rooms):
    page = boss.get(f"{LIST}?is_open__exact=1").text
    assert 'formaction="export/csv/?is_open__exact=1"' in page
    TableTemplate.objects.all().delete()
    assert "export/csv" not in boss.get(LIST).text


def test_a_list_that_is_too_long_for_a_file_is_not_cut(boss, rooms, monkeypatch):
    """A truncated file would be taken for the whole list, so the export is refused."""
    rows = TableTemplate.objects.count()
    monkeypatch.setattr(exports, "MOST_ROWS", rows)
    assert len(lines_of(boss.post(f"{LIST}export/csv/"))) == rows + 1
    entries = AuditEntry.objects.count()
    monkeypatch.setattr(exports, "MOST_ROWS", rows - 1)
    answer = boss.post(f"{LIST}export/csv/?o=-1")
    assert answer["Location"] == f"{LIST}?o=-1"
    assert "Filter it, for example by day" in boss.get(answer["Location"]).text
    assert AuditEntry.objects.count() == entries


def test_every_list_can_be_exported(boss):
    for model in admin.site._registry:
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/export/csv/"
        assert boss.post(path).status_code == 200, path


def test_an_export_needs_the_right_to_view_and_a_posted_form(client, rooms):
    client.force_login(member(Role.SUPPORT))
    assert client.post(f"{LIST}export/csv/").status_code == 403
    assert client.get(f"{LIST}export/csv/").status_code == 404
    assert not AuditEntry.objects.filter(action="export").exists()
