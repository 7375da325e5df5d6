"""Reports: they agree with the ledger exactly, are computed once, and are then read without it."""

import csv
import io
from datetime import datetime, time, timedelta

import openpyxl
import pytest
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.desk.staff_roles import Role
from accounts.models import User
from config.reports import files
from config.reports.computing import OF_PLAYERS, Length, Span, compute, compute_due, find_span
from config.reports.reading import MOST_ROWS, read_fees, read_overview
from config.reports.responsible import list_longest_players
from config.tasks import compute_reports
from tables.live.clock import act_on_table
from tables.models import Table
from tables.seating.sitting import leave_table
from tests.accounts.staff import member, office
from tests.tables.conftest import make_player, make_table
from tests.tables.driving import drop, let_time_pass, play_short_match, seat_all
from tests.tournaments.conftest import make_template, make_tournament_of
from tests.tournaments.driving import begin, enter, play_to_the_end
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_staff,
    set_rules,
)
from tests.wallet.withdrawals.asking import ask, mark_paid
from wallet.limits.services import exclude_oneself
from wallet.models import (
    DepositLimit,
    LedgerAccount,
    LimitPeriod,
    ReportFigure,
    ReportPeriod,
    Transfer,
)

pytestmark = pytest.mark.django_db
__all__ = ["make_player", "make_table", "make_template", "make_tournament_of"]  # fixtures
PAGE = "/admin/reports/"


@pytest.fixture
def noon():
    """Noon of today in the site's zone, so that all events of a test fall on the same day."""
    return timezone.make_aware(datetime.combine(timezone.localdate(), time(12)))


def today_row(length=Length.DAY):
    (row,) = read_overview(length, since=timezone.localdate(), until=timezone.localdate())
    return row.values


def ledger_of_players(currency):
    kinds = [kind.value for kind in OF_PLAYERS]
    accounts = LedgerAccount.objects.filter(kind__in=kinds, currency=currency)
    return accounts.aggregate(sum=Sum("balance", default=0))["sum"]


def sum_rakes(currency):
    rakes = Transfer.objects.filter(reason="RAKE", currency=currency)
    return rakes.aggregate(sum=Sum("amount", default=0))["sum"]


@pytest.fixture
def busy_day(make_player, make_table):
    """Two players with a deposit, winnings, two matches at one chip a point and one at five."""
    asha, ravi = make_player(), make_player()
    set_rules()
    boss = make_staff("Boss")
    approve_identity(asha, boss)
    bring_deposit(asha, 50_000)
    bring_winnings(asha, 40_000)
    # A drop costs 20 points, a tenth of which goes to the house.
    for _ in range(2):
        play_short_match(make_table(), asha, ravi)
    table = make_table(point_value=5)
    seat_all(table, asha, ravi, amount=400)
    let_time_pass(table)
    drop(table)
    return asha, ravi


def read_csv(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def read_book(answer):
    """Return the rows of a workbook as another library reads them."""
    book = openpyxl.load_workbook(io.BytesIO(answer.content))
    return [list(row) for row in book.active.iter_rows(values_only=True)]


def test_the_report_of_a_day_matches_the_ledger(busy_day, noon):
    assert compute_due(now=noon) == 1
    row = today_row()
    assert (row["players"], row["matches"], row["with_bots"]) == (2, 3, 0)
    # Asha, Ravi and Boss.
    assert row["joined"] == 3
    # A tenth of 20 points, at 1, 1 and 5 chips a point.
    assert (row["rake_chips"], row["rake_inr"], row["rake_bots"]) == (2 + 2 + 10, 0, 0)
    assert row["rake_chips"] == sum_rakes("CHIPS")
    assert (row["deposits"], row["withdrawals"], row["tax"]) == (50_000, 0, 0)
    assert row["chips_held"] == ledger_of_players("CHIPS") == 20_000 - 14
    assert row["cash_held"] == ledger_of_players("INR") == 90_000


def test_bot_accounts_are_not_counted_as_players(busy_day, noon):
    asha, ravi = busy_day
    now = timezone.now()
    User.objects.filter(pk=ravi.pk).update(player_name="Ravi [BOT]", became_bot_at=now)
    compute_due(now=noon)
    assert (today_row()["players"], today_row()["matches"]) == (1, 3)
    day = timezone.localdate()
    assert [hours.user for hours in list_longest_players(since=day, until=day)] == [asha]


def test_fees_are_reported_by_format_stake_and_rate(busy_day, noon):
    compute_due(now=noon)
    today = timezone.localdate()
    rows = [
        (row.title, row.currency, row.stake, row.rate, row.amount, row.number)
        for row in read_fees(since=today, until=today)
    ]
    assert rows == [
        ("Indian rummy · Points", "CHIPS", 5, 1_000, 10, 1),
        ("Indian rummy · Points", "CHIPS", 1, 1_000, 4, 2),
    ]
    assert read_fees(since=today - timedelta(days=9), until=today - timedelta(days=1)) == []


def test_a_tournament_is_reported_by_its_fee(make_tournament_of, make_player, noon):
    cup = make_tournament_of()
    enter(cup, make_player(), make_player())
    begin(cup)
    play_to_the_end(cup)
    compute_due(now=noon)
    (row,) = read_fees(since=timezone.localdate(), until=timezone.localdate())
    assert (row.title, row.stake, row.rate) == ("Indian rummy · tournament", 100, 1_000)
    assert row.amount == sum_rakes("CHIPS") == 20
    assert today_row()["chips_held"] == ledger_of_players("CHIPS")


def test_matches_with_bots_are_reported_separately(make_player, make_table, noon):
    table = make_table(max_seats=2, bots_wanted=1)
    seat_all(table, make_player())
    Table.objects.filter(pk=table.pk).update(bot_due_at=Now())
    act_on_table(table.pk)
    let_time_pass(table)
    person = table.sittings.get(user__is_bot=False).user
    leave_table(table_id=table.pk, user_id=person.pk)
    compute_due(now=noon)
    row = today_row()
    assert (row["matches"], row["with_bots"], row["players"]) == (1, 1, 1)
    assert row["rake_bots"] == row["rake_chips"] == sum_rakes("CHIPS") > 0


def test_an_unfinished_day_can_be_recomputed(busy_day, noon, make_table, make_player):
    compute_due(now=noon)
    once = today_row()
    compute_due(now=noon)
    assert today_row() == once
    assert not ReportPeriod.objects.filter(is_final=True).exists()
    play_short_match(make_table(), make_player(), make_player())
    compute_due(now=noon)
    assert today_row()["rake_chips"] == once["rake_chips"] + 2
    assert today_row()["chips_held"] == ledger_of_players("CHIPS")


def test_a_finished_day_is_final_and_the_next_continues_it(busy_day, noon):
    just_over = noon + timedelta(hours=12, minutes=5)
    compute_due(now=just_over)
    days = ReportPeriod.objects.filter(length="D").order_by("begins")
    # A transaction begun before midnight may not have committed yet.
    assert [day.is_final for day in days] == [False, False]
    compute_due(now=noon + timedelta(hours=13))
    assert [day.is_final for day in days.all()] == [True, False]
    ReportFigure.objects.filter(period=days[0], name="moved:RAKE").update(amount=77)
    assert compute_due(now=noon + timedelta(hours=14)) == 1
    assert today_row()["rake_chips"] == 77
    tomorrow = timezone.localdate() + timedelta(days=1)
    (row,) = read_overview(Length.DAY, since=tomorrow, until=tomorrow)
    # There were no transfers, and players hold the same amounts.
    assert (row.values["matches"], row.values["chips_held"]) == (0, ledger_of_players("CHIPS"))


def test_missed_days_are_computed_in_batches(busy_day, noon):
    assert compute_due(now=noon + timedelta(days=40)) == 31
    assert compute_due(now=noon + timedelta(days=40)) == 10
    assert compute_due(now=noon + timedelta(days=40)) == 1
    last = timezone.localdate() + timedelta(days=40)
    (row,) = read_overview(Length.DAY, since=last, until=last)
    assert row.values["chips_held"] == ledger_of_players("CHIPS")


def test_weeks_and_months_sum_days_and_count_a_player_once(busy_day, noon, make_table):
    compute_due(now=noon)
    for length in (Length.WEEK, Length.MONTH):
        row = today_row(length)
        assert (row["players"], row["matches"], row["rake_chips"]) == (2, 3, 14)
        assert row["chips_held"] == ledger_of_players("CHIPS")


@pytest.mark.parametrize(
    ("length", "day", "begins", "ends"),
    [
        (Length.DAY, "2027-03-10", "2027-03-10", "2027-03-11"),
        (Length.WEEK, "2027-03-10", "2027-03-08", "2027-03-15"),
        (Length.WEEK, "2027-03-08", "2027-03-08", "2027-03-15"),
        (Length.MONTH, "2027-02-28", "2027-02-01", "2027-03-01"),
        (Length.MONTH, "2027-12-31", "2027-12-01", "2028-01-01"),
    ],
)
def test_a_period_spans_whole_days_weeks_or_months(length, day, begins, ends):
    span = find_span(length, datetime.fromisoformat(day).date())
    assert (span.begins.isoformat(), span.ends.isoformat()) == (begins, ends)


def test_the_job_computes_due_reports(busy_day):
    assert compute_reports() >= 1
    assert ReportPeriod.objects.filter(length="D").exists()


def test_a_day_without_matches_is_reported(noon):
    compute(Span(Length.DAY, timezone.localdate()), now=noon)
    assert today_row()["matches"] == 0


class TestPages:
    def rows(self, client, **asked):
        answer = client.get(PAGE, {"file": "csv", **asked})
        assert answer["Content-Type"].startswith("text/csv")
        return read_csv(answer)

    def test_the_pages_read_neither_ledger_nor_matches(self, busy_day, noon):
        compute_due(now=noon)
        desk = office(member(Role.FINANCE))
        for page in (PAGE, f"{PAGE}fees/"):
            with CaptureQueriesContext(connection) as asked:
                assert desk.get(page).status_code == 200
            for query in asked.captured_queries:
                for table in ("wallet_transfer", "wallet_entry", "tables_match"):
                    assert table not in query["sql"]

    @pytest.mark.django_db
    @pytest.mark.parametrize("kind", ["", "csv"])
    def test_a_report_of_too_many_rows_is_not_cut(self, kind):
        """A truncated report would silently lack its newest days."""
        desk, today = office(member(Role.FINANCE)), timezone.localdate()
        most = timedelta(days=MOST_ROWS - 1)
        fits = desk.get(PAGE, {"since": f"{today - most}", "until": f"{today}", "file": "csv"})
        assert len(read_csv(fits)) == MOST_ROWS
        since = f"{today - most - timedelta(days=1)}"
        answer = desk.get(PAGE, {"since": since, "until": f"{today}", "file": kind})
        assert answer["Location"] == PAGE
        assert "A report can have at most 400 rows." in desk.get(PAGE).text

    def test_the_csv_file_equals_the_table(self, busy_day, noon):
        compute_due(now=noon)
        desk = office(member(Role.FINANCE))
        today = f"{timezone.localdate():%Y-%m-%d}"
        (row,) = self.rows(desk, since=today, until=today)
        assert (row["From"], row["Players"], row["Fees, chips (CHIPS)"]) == (today, "2", "14")
        assert (row["Deposits (INR)"], row["Cash of players (INR)"]) == ("500.00", "900.00")
        page = desk.get(PAGE, {"since": today, "until": today}).text
        assert "₹500.00" in page
        assert page.count("<svg") >= 4
        assert len(self.rows(desk, length="W")) in (13, 14)
        # Unreadable values fall back to the defaults.
        assert len(self.rows(desk, since="soon", until="2999-01-01", length="X")) == 31

    @pytest.mark.parametrize(
        ("role", "seen"),
        [
            (Role.FINANCE, [200, 200, 200, 200, 200]),
            (Role.GAMES, [200, 200, 403, 403, 403]),
            (Role.SUPPORT, [403, 403, 200, 403, 403]),
        ],
    )
    def test_reports_are_shown_by_role(self, noon, role, seen):
        compute_due(now=noon)
        desk = office(member(role))
        pages = ("", "fees/", "responsible/", "tax.csv", "ledger.csv")
        assert [desk.get(f"{PAGE}{page}").status_code for page in pages] == seen

    def test_the_games_role_sees_no_cash_flows(self, busy_day, noon):
        compute_due(now=noon)
        (row, *_rest) = self.rows(office(member(Role.GAMES)))
        assert "Fees, cash (INR)" in row
        hidden = {"Deposits (INR)", "Withdrawals (INR)", "Cash of players (INR)", "Tax (INR)"}
        assert not hidden & set(row)

    def test_the_ledger_is_downloaded_as_a_file(self, busy_day):
        desk = office(member(Role.FINANCE))
        today = f"{timezone.localdate():%Y-%m-%d}"
        answer = desk.get(f"{PAGE}ledger.csv", {"since": today, "until": today})
        rows = read_csv(answer)
        transfers = Transfer.objects.order_by("pk").values_list("pk", flat=True)
        assert [int(row["Transfer"]) for row in rows] == list(transfers)
        rakes = [row for row in rows if row["Reason"] == "RAKE"]
        assert sum(int(row["Amount"]) for row in rakes) == 14
        yesterday = f"{timezone.localdate() - timedelta(days=1):%Y-%m-%d}"
        answer = desk.get(f"{PAGE}ledger.csv", {"since": yesterday, "until": yesterday})
        assert len(answer.text.splitlines()) == 1

    def test_workbooks_hold_numbers_and_days(self, busy_day, noon):
        compute_due(now=noon)
        desk = office(member(Role.FINANCE))
        today = f"{timezone.localdate():%Y-%m-%d}"
        asked = {"since": today, "until": today}
        heading, row = read_book(desk.get(PAGE, {"file": "xlsx", **asked}))
        cells = dict(zip(heading, row, strict=True))
        assert cells["From"].date() == timezone.localdate()
        assert cells["Cash of players (INR)"] == 900
        heading, *rows = read_book(desk.get(f"{PAGE}ledger.xlsx", asked))
        amount, currency, reason = map(heading.index, ("Amount", "Currency", "Reason"))
        rakes = [row for row in rows if (row[reason], row[currency]) == ("RAKE", "CHIPS")]
        assert sum(row[amount] for row in rakes) == 14
        assert all(isinstance(row[heading.index("Time")], datetime) for row in rows)
        assert len(read_book(desk.get(f"{PAGE}fees/", {"file": "xlsx", **asked}))) > 1
        assert desk.get(f"{PAGE}tax.xlsx").status_code == 200

    def test_a_ledger_that_is_too_long_is_no_file(self, busy_day, monkeypatch):
        monkeypatch.setattr(files, "MOST_LINES", 1)
        answer = office(member(Role.FINANCE)).get(f"{PAGE}ledger.xlsx", follow=True)
        assert "more than 1 transfers" in answer.text

    def test_tax_is_downloaded_as_a_file(self, busy_day):
        asha, _ravi = busy_day
        row = ask(asha, 30_000)
        mark_paid(row, make_staff("Second"))
        answer = office(member(Role.FINANCE)).get(f"{PAGE}tax.csv")
        (line,) = read_csv(answer)
        assert (line["Player"], line["Event"]) == (str(asha.pk), "withdrawal:w1")
        assert line["Tax"] == f"{row.tax / 100:.2f}"
        assert (line["Rate in per cent"], line["Rule"]) == ("30", "IN-194BA")


class TestResponsiblePlay:
    @pytest.fixture
    def part(self):
        desk = office(member(Role.SUPPORT))

        def read(name):
            page = desk.get(f"{PAGE}responsible/").text
            return page.split(f'data-region="{name}"')[1].split("</section>")[0]

        return read

    def test_raised_limits_are_listed(self, make_player, part):
        now = timezone.now()
        rows = (
            (make_player(), 10_000, 50_000),
            (make_player(), 50_000, 10_000),
            (make_player(), 10_000, None),
        )
        for user, before, after in rows:
            for amount, at in ((before, now - timedelta(days=40)), (after, now)):
                DepositLimit.objects.create(
                    user=user, period=LimitPeriod.DAY, amount=amount, effective_from=at
                )
        raised = part("raised")
        assert "₹100.00 → ₹500.00" in raised
        assert "₹100.00 → no limit" in raised
        assert f"/admin/accounts/user/{rows[1][0].pk}/" not in raised

    def test_all_findings_are_a_workbook_with_types(self, busy_day, make_player):
        asha, _ravi = busy_day
        user, now = make_player(), timezone.now()
        for amount, at in ((10_000, now - timedelta(days=40)), (50_000, now)):
            DepositLimit.objects.create(
                user=user, period=LimitPeriod.DAY, amount=amount, effective_from=at
            )
        exclude_oneself(user_id=asha.pk, until=None)
        answer = office(member(Role.SUPPORT)).get(f"{PAGE}responsible/?file=xlsx")
        heading, *rows = openpyxl.load_workbook(io.BytesIO(answer.content)).active.iter_rows(
            values_only=True
        )
        assert heading[:3] == ("What", "Player", "Name")
        by_what = {
            str(row[0]).partition(",")[0]: dict(zip(heading, row, strict=True)) for row in rows
        }
        raised = by_what["Deposit limit"]
        assert (raised["Player"], raised["Before (INR)"], raised["After (INR)"]) == (
            user.pk,
            100,
            500,
        )
        assert isinstance(raised["From"], datetime)
        assert by_what["Excluded themselves"]["Name"] == asha.player_name
        assert by_what["Longest time in matches (hours)"]["Number"] >= 1

    def test_long_hours_deposits_and_exclusions_are_listed(self, busy_day, part):
        asha, ravi = busy_day
        bring_deposit(asha, 1_000, key="b")
        assert "Nobody." in part("paid-in")
        bring_deposit(asha, 2_000, key="c")
        exclude_oneself(user_id=ravi.pk, until=None)
        paid_in = part("paid-in")
        assert f"/admin/accounts/user/{asha.pk}/" in paid_in
        assert "₹530.00" in paid_in
        hours = part("hours")
        assert hours.count("3 matches") == 2
        assert f"/admin/accounts/user/{ravi.pk}/" in part("exclusions")
