"""The administration's first page: exact figures, each linked to the list of its rows."""

import re
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.desk.staff_roles import Role
from accounts.models import IdentityCheck, User
from accounts.models.users import PlayerNote
from config.desk import dashboard, today
from config.monitoring.metrics import count_waiting_jobs
from config.reports.computing import compute_due
from config.settings.schedule import LIVE, QUEUES
from tables.models import Report, Table, TableStatus
from tests.accounts.staff import member, office
from tests.given import require
from tests.tables.conftest import make_player, make_table
from tests.tables.driving import play_short_match, start_match
from tests.tournaments.conftest import make_template, make_tournament_of
from tests.wallet.cash_players import approve_identity, bring_deposit, make_staff, set_rules
from tournaments.models import Tournament
from wallet.models import LedgerCheck, ReportFigure, ReportPeriod, Transfer

pytestmark = pytest.mark.django_db
__all__ = ["make_player", "make_table", "make_template", "make_tournament_of"]


def figures(client):
    """Return the value, the link and the alarm state of each figure on the page by its label."""
    page = client.get("/admin/").text
    by_label = {}
    for state, inner in re.findall(
        r'<li *(?:class="(is-\w+)")? *>\s*(<strong>.*?)</li>', page, re.S
    ):
        words = re.sub(r"<[^>]*>", "\n", inner).split("\n")
        value, label = [word.strip() for word in words if word.strip()][:2]
        address = re.search(r'href="([^"]*)"', inner)
        by_label[label] = (
            value,
            address[1].replace("&amp;", "&") if address else "",
            state == "is-alarm",
        )
    return by_label


def number_of(client, address):
    """Return the number of rows that the list at this address reports."""
    page = client.get(address).text
    return int(require(re.search(r"(\d+) (?!results)[a-z]", page.split('class="paginator"')[1]))[1])


def test_the_dashboard_counts_players_and_play(boss, make_player, make_table):
    table = make_table(name="Neem Room")
    start_match(table, make_player(), make_player())
    make_table(name="Empty Room")
    late = make_player()
    User.objects.filter(pk=late.pk).update(date_joined=timezone.now() - timedelta(days=3))
    office(late).get("/rules/")
    by_label = figures(boss)
    values = {label: value for label, (value, _address, _alarm) in by_label.items()}
    # The staff member also has an account and a session.
    assert values["Registered"] == "4"
    assert values["New today"] == "3"
    assert values["Active today"] == str(UserSession.objects.values("user").distinct().count())
    assert (values["Frozen"], values["Playing now"]) == ("0", "2")
    assert (values["Tables open"], values["Tables running"]) == ("2", "1")
    assert values["Matches today"] == "1"
    assert values["of which with two people or more"] == "1"
    for label in ("Registered", "New today", "Active today", "Playing now", "Tables open"):
        assert number_of(boss, by_label[label][1]) == int(values[label]), label
    for label in ("Tables running", "Matches today"):
        assert number_of(boss, by_label[label][1]) == 1, label


def test_matches_of_bots_and_programs_are_told_apart(boss, make_player, make_table):
    start_match(make_table(name="People"), make_player(), make_player())
    for field, value in (("is_bot", True), ("became_bot_at", timezone.now())):
        other, name = make_player(), {"player_name": "Robo [BOT]"} if "_at" in field else {}
        start_match(make_table(name=field), make_player(), other)
        User.objects.filter(pk=other.pk).update(**{field: value}, **name)
    now = {label: value for label, (value, _a, _b) in figures(boss).items()}
    assert (now["Matches today"], now["of which with two people or more"]) == ("3", "1")


def test_service_fees_lead_to_their_transfers(boss, make_player, make_table):
    play_short_match(make_table(), make_player(), make_player())
    rake = Transfer.objects.get(reason="RAKE")
    assert Transfer.objects.filter(reason="WELCOME").count() == 2
    value, address, _alarm = figures(boss)["Service fees, chips"]
    assert value == str(rake.amount)
    page = boss.get(address).text
    assert number_of(boss, address) == 1
    assert f"/admin/wallet/transfer/{rake.pk}/change/" in page
    assert f"/admin/wallet/journal/{rake.journal_id}/change/" in page


def test_the_dashboard_counts_cash_and_pending_work(boss, make_player, settings):
    staff, player = make_staff("Checker"), make_player()
    set_rules()
    approve_identity(player, staff)
    bring_deposit(player, 50_000)
    IdentityCheck.objects.create(
        user=make_player(),
        full_name="A",
        born_on="1990-01-01",
        document_kind="PAN",
        document_number="X",
    )
    by_label = figures(boss)
    assert by_label["Deposits today"][0] == "₹500.00 (1)"
    assert number_of(boss, by_label["Deposits today"][1]) == 1
    assert by_label["Withdrawals waiting"][0] == "0 (₹0.00)"
    assert by_label["Identity checks waiting"][0] == "1"
    assert number_of(boss, by_label["Identity checks waiting"][1]) == 1
    settings.CASH_PLAY = "off"
    without = figures(boss)
    for label in ("Deposits today", "Identity checks waiting", "Service fees, cash"):
        assert label not in without


def test_the_dashboard_counts_reports_about_players(boss, make_player, make_table):
    table, players = make_table(), [make_player(), make_player()]
    Report.objects.create(reporter=players[0], reported=players[1], table=table, reason="ABUSE")
    value, address, _alarm = figures(boss)["Reports about players"]
    assert (value, number_of(boss, address)) == ("1", 1)


def test_a_fault_is_shown_as_an_alarm(boss, make_tournament_of, make_table, settings):
    LedgerCheck.objects.create(found=2, findings=[{"check": "x", "subject": "y"}])
    make_table()
    Table.objects.update(deadline_at=timezone.now() - timedelta(minutes=1))
    tournament = make_tournament_of()
    Tournament.objects.filter(pk=tournament.pk).update(broken_at=timezone.now())
    with Redis.from_url(settings.JOBS_REDIS_URL) as redis:
        redis.rpush(LIVE, *["job"] * 300)
        assert count_waiting_jobs() == 300
        by_label = figures(boss)
        redis.delete(*QUEUES)
    alarms = {label for label, (_value, _address, is_alarm) in by_label.items() if is_alarm}
    assert {"Findings", "Late table deadlines", "Out of order", "Jobs waiting"} <= alarms
    assert (by_label["Findings"][0], by_label["Jobs waiting"][0]) == ("2", "300")
    for label in ("Late table deadlines", "Out of order"):
        assert (by_label[label][0], number_of(boss, by_label[label][1])) == ("1", 1), label


def test_unreachable_redis_servers_are_an_alarm(boss, settings):
    assert "Redis servers that do not answer" not in figures(boss)
    settings.CELERY_BROKER_URL = settings.RATES_REDIS_URL = "redis://127.0.0.1:1/0"
    assert figures(boss)["Jobs waiting"] == ("?", "", True)
    assert figures(boss)["Redis servers that do not answer"] == ("1", "", True)


def test_an_unreachable_nats_server_is_an_alarm(boss, settings):
    assert "NATS servers that do not answer" not in figures(boss)
    settings.NATS_URLS = ["nats://127.0.0.1:1"]
    assert figures(boss)["NATS servers that do not answer"] == ("1 / 1", "", True)


@pytest.mark.parametrize(
    ("role", "seen", "hidden"),
    [
        (Role.SUPPORT, {"Registered", "Withdrawals waiting"}, {"Findings", "Service fees, chips"}),
        (Role.FINANCE, {"Findings", "Service fees, chips"}, {"Reports about players"}),
        (Role.GAMES, {"Tables open", "Reports about players"}, {"Findings", "Deposits today"}),
    ],
)
def test_each_role_sees_its_own_figures_and_their_lists(role, seen, hidden):
    client = office(member(role))
    by_label = figures(client)
    assert seen <= set(by_label)
    assert hidden.isdisjoint(by_label)
    for label, (_value, address, _alarm) in by_label.items():
        assert not address or client.get(address).status_code == 200, label


def test_the_dashboard_takes_the_same_queries_for_more_rows(boss, make_player, make_table):
    boss.get("/admin/")
    counted = []
    for number in range(2):
        with CaptureQueriesContext(connection) as queries:
            boss.get("/admin/")
        counted.append(len(queries))
        start_match(make_table(name=f"Room {number}x"), make_player(), make_player())
        Table.objects.filter(status=TableStatus.WAITING).update(version=F("version") + 1)
    # The queries: session, user, permissions; one or two for each block and each line of the set-up; the charts;
    # the staff member's own recent actions.
    assert counted == [46, 46]


@pytest.mark.parametrize("role", list(Role))
def test_every_list_and_form_opens_or_is_refused_by_the_role(role):
    """Pages never fail for any role. Pages that a role has no right to are refused, not only hidden.

    tests/test_query_counts.py opens every list as a superuser.
    """
    client, opened = office(member(role)), 0
    user = User.objects.get(email=f"{role}@staff.example")
    for model, page in admin.site._registry.items():
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        request = type("Request", (), {"user": user, "GET": {}})()
        for kind, may in (
            ("changelist", page.has_view_or_change_permission(request)),
            ("add", page.has_add_permission(request)),
        ):
            opened += may
            if (role, kind) != (Role.SUPERUSER, "changelist"):
                answer = client.get(reverse(f"admin:{name}_{kind}"), follow=True)
                assert answer.status_code == (200 if may else 403), (name, kind)
    assert opened >= 15
    assert len(dashboard.BLOCKS) > 8


@pytest.mark.parametrize("role", list(Role))
def test_a_players_page_links_all_that_the_role_may_see(role, make_player):
    client, player = office(member(role)), make_player()
    staff = User.objects.get(email=f"{role}@staff.example")
    PlayerNote.objects.create(user=player, staff=staff, text="Called on Monday.")
    page = client.get(reverse("admin:accounts_user_change", args=[player.pk])).text
    assert "Called on Monday." in page
    tools = page.split('data-region="links"')[1].split("</ul>")[0]
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="([^"]*\?[^"]*)"', tools)]
    assert len(links) == {"support": 12, "finance": 10, "games": 5, "superuser": 14}[role]
    for link in links:
        assert client.get(link).status_code == 200, link


# --- thirty days as charts ------------------------------------------------------------------------


def read_chart(client, code):
    """Return the page's HTML of this chart, and the link and values of each of its days."""
    page = client.get("/admin/").text
    part = page.partition(f'data-region="chart-{code}"')[2].partition("</figure>")[0]
    days = [
        (address.replace("&amp;", "&"), [value.strip() for value in re.findall(r"<td[^>]*>(.*?)</td>", cells)])
        for address, cells in re.findall(r'<th scope="row">\s*<a href="([^"]*)">.*?</th>(.*?)</tr>', part, re.S)
    ]  # fmt: skip
    return part, days


def test_charts_show_thirty_days_with_the_rows_behind_each(boss, make_player, make_table):
    play_short_match(make_table(), make_player(), make_player())
    compute_due(now=timezone.now())
    rake = Transfer.objects.get(reason="RAKE").amount
    for code, number, of_list in (("matches", 1, 1), ("joined", 3, 3), ("fees-chips", rake, 1)):
        part, days = read_chart(boss, code)
        assert f"<strong>{number}</strong>" in part
        assert len(days) == 30
        assert days[0][1] == [str(number)]
        assert days[1][1] == ["0"]
        assert number_of(boss, days[0][0]) == of_list, code
        assert f'href="{days[0][0].replace("&", "&amp;")}" tabindex="-1"' in part
        whole = require(re.search(r'<a href="([^"]*)"', part))[1].replace("&amp;", "&")
        assert number_of(boss, whole) == of_list, code
    assert read_chart(boss, "players")[1][0][1] == ["2"]


def test_charts_of_cash_have_two_series_and_stay_away_without_cash(boss, settings):
    period = ReportPeriod.objects.create(
        length="D", begins=timezone.localdate(), computed_at=timezone.now()
    )
    for name, amount in (("moved:DEPOSIT", 50_000), ("moved:WITHDRAWAL", 20_000)):
        ReportFigure.objects.create(period=period, name=name, currency="INR", amount=amount)
    part, days = read_chart(boss, "cash")
    assert days[0][1] == ["₹500.00", "₹200.00"]
    assert re.findall(r'<rect class="series-(\d)"[^>]*height="(\d+)"', part) == [
        ("1", "100"),
        ("2", "40"),
    ]
    ReportFigure.objects.create(period=period, name="players", number=3)
    settings.CASH_PLAY = "off"
    page = boss.get("/admin/").text
    assert "chart-players" in page
    assert "chart-cash" not in page
    assert "chart-fees-cash" not in page


def test_all_charts_are_one_query_however_much_was_played(boss):
    """There are only a few rows of figures a day, and rows older than sixty days are not read."""
    boss.get("/admin/")
    user = User.objects.get(is_staff=True)
    user = User.objects.get(pk=user.pk)
    user.has_perm("tables.view_match")
    with CaptureQueriesContext(connection) as queries:
        charts = today.list_charts(user, timezone.localdate())
    assert len(charts) == 6
    assert len(queries) == 1
    assert all(chart.is_empty for chart in charts)


@pytest.mark.parametrize(
    ("role", "codes"),
    [
        (Role.SUPPORT, {"players", "matches", "joined", "cash"}),
        (Role.GAMES, {"players", "matches", "joined"}),
    ],
)
def test_staff_see_the_charts_of_their_own_work(role, codes):
    assert "chart-" not in office(member(Role.SUPERUSER)).get("/admin/").text
    today = ReportPeriod.objects.create(
        length="D", begins=timezone.localdate(), computed_at=timezone.now()
    )
    for name in ("players", "joined"):
        ReportFigure.objects.create(period=today, name=name, number=3)
    page = office(member(role)).get("/admin/").text
    assert set(re.findall(r'data-region="chart-([\w-]+)"', page)) == codes
