import csv
import io
import json
import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from accounts.models import Scope
from tests.api_program import Program
from tests.wallet.cash_players import make_player
from tests.wallet.rawsql import lines as sql_lines
from tests.wallet.rawsql import post, run, without_guards
from tests.wallet.seats import CHIPS, INR, buy_in, cash_out
from wallet import api as wallet
from wallet.ledger.chart import player
from wallet.ledger.entries import (
    PAGE_LENGTH,
    POINTS_OF_A_CHART,
    find_numbers_between,
    list_balance_points,
    read_statement_page,
)
from wallet.models import Reason
from wallet.statement import texts as line_texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha(client, settings):
    settings.WELCOME_CHIPS = 10_000
    user = make_player()
    client.force_login(user)
    return user


def play(user, rounds):
    wallet.grant_welcome_chips(user_id=user.pk)
    for number in range(rounds):
        buy_in(user.pk, 1, number + 1, subject="table:3")


def rows(answer):
    (body,) = re.findall(r"<tbody>(.*)</tbody>", answer.text, re.DOTALL)
    cells = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    text = [re.findall(r"<td.*?>(.*?)</td>", row, re.DOTALL) for row in cells]
    return [[" ".join(re.sub("<.*?>", " ", cell).split()) for cell in row[1:]] for row in text]


def test_the_wallet_page_needs_a_login(client):
    assert client.get("/wallet/").url == "/accounts/login/?next=/wallet/"


def test_each_line_explains_itself(client, asha):
    play(asha, 1)
    cash_out(asha.pk, 1)
    answer = client.get("/wallet/")
    assert rows(answer) == [
        ["Taken back from a table", "+1", "10,000"],
        ["Brought to a table Table 3", "\N{MINUS SIGN}1", "9,999"],
        ["Welcome chips", "+10,000", "10,000"],
    ]
    assert '<a href="/tables/3/">Table 3</a>' in answer.text


def test_pages_stay_put_when_lines_are_added(client, asha):
    play(asha, 2 * PAGE_LENGTH)
    account = player(asha.pk, CHIPS)
    first = read_statement_page(account)
    assert [entry.seq for entry in first.entries] == list(range(51, 26, -1))
    second = read_statement_page(account, before=first.older)
    cash_out(asha.pk, 1)
    assert read_statement_page(account, before=first.older) == second
    assert [entry.seq for entry in second.entries] == list(range(26, 1, -1))
    third = read_statement_page(account, before=second.older)
    assert [entry.seq for entry in third.entries] == [1]
    assert third.older is None

    page = client.get("/wallet/").text
    assert first.older == 27
    assert 'href="?before=28"' in page  # one line was added on top
    last = client.get("/wallet/?before=2")
    assert rows(last) == [["Welcome chips", "+10,000", "10,000"]]
    assert "Older" not in last.text


def test_a_player_sees_only_their_own_lines(client, asha):
    play(make_player("Bela"), 1)
    assert "Welcome chips" not in client.get("/wallet/").text


def test_the_header_shows_the_balance_with_one_query(client, asha):
    play(asha, 1)
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/rules/").text
    assert "9,999" in page
    assert sum("wallet_" in query["sql"] for query in queries) == 1
    client.logout()
    with CaptureQueriesContext(connection) as queries:
        client.get("/accounts/login/")
    assert sum("wallet_" in query["sql"] for query in queries) == 0


def brought_and_won(user):
    post("deposit:1", f"DEPOSITS,0,PLAYER,{user.pk},INR,125050,DEPOSIT")
    buy_in(user.pk, 25_050, currency=INR, subject="match:9")
    post("prize:1", f"DEPOSITS,0,WINNINGS,{user.pk},INR,500,PRIZE")


def test_cash_has_statements_of_its_own(client, asha):
    brought_and_won(asha)
    assert rows(client.get("/wallet/?account=deposits")) == [
        ["Brought to a table Match 9", "\N{MINUS SIGN}₹250.50", "₹1,000.00"],
        ["Deposit", "+₹1,250.50", "₹1,250.50"],
    ]
    answer = client.get("/wallet/?account=winnings")
    assert rows(answer) == [["Prize of a tournament", "+₹5.00", "₹5.00"]]
    assert '<a href="/matches/9/">' in client.get("/wallet/?account=deposits").text


def test_a_topic_shows_only_its_lines_on_every_page(client, asha):
    play(asha, PAGE_LENGTH + 2)
    wallet.grant_welcome_chips(user_id=asha.pk)
    page = client.get("/wallet/?topic=play")
    assert len(rows(page)) == PAGE_LENGTH
    assert 'href="?topic=play&amp;before=4"' in page.text
    assert len(rows(client.get("/wallet/?topic=play&before=4"))) == 2
    assert rows(client.get("/wallet/?topic=gifts")) == [["Welcome chips", "+10,000", "10,000"]]
    assert "Nothing of this kind" in client.get("/wallet/?topic=payments").text


DAYS = ("yesterday", "2026-13-01", "2026-4-1", "26-04-01", "20260401", "२०२६-०४-०१", "9999-12-31")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("account", ("house", "", "winnings")),
        ("topic", ("x",)),
        ("before", ("x", "-1", "१", "1.5", "9" * 30, "")),
        ("from", DAYS),
        ("until", DAYS),
    ],
)
def test_a_made_up_statement_is_not_found(client, asha, name, values, settings):
    settings.CASH_PLAY = "off"
    for value in values:
        for page in ("/wallet/", "/wallet/statement.csv"):
            assert client.get(page, {name: value}).status_code == 404, value


def test_a_statement_as_a_file(client, asha):
    brought_and_won(asha)
    answer = client.get("/wallet/statement.csv?account=deposits")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="deposits.csv"'
    lines = list(csv.reader(answer.text.splitlines()))
    assert lines[0] == ["number", "time", "what", "about", "amount", "balance", "currency"]
    assert [[line[0], *line[2:]] for line in lines[1:]] == [
        ["2", "Brought to a table", "Match 9", "-250.50", "1000.00", "INR"],
        ["1", "Deposit", "", "1250.50", "1250.50", "INR"],
    ]
    client.logout()
    assert client.get("/wallet/statement.csv").status_code == 302


@pytest.fixture
def dated(asha):
    """Nine entries with amounts 1 to 9, at noon in India on 1 to 9 April."""

    def bring(name="chips"):
        account = {"chips": f"PLAYER,{asha.pk},CHIPS", "winnings": f"WINNINGS,{asha.pk},INR"}[name]
        source = {"chips": "MINT,0", "winnings": "SUSPENSE,0"}[name]
        for number in range(1, 10):
            post(f"{name}:{number}", f"{source},{account},{number},ADJUSTMENT")
        with without_guards("wallet_entry"):
            run(
                """UPDATE wallet_entry
                   SET happened_at = %s::timestamptz + (seq - 1) * interval '1 day'
                   WHERE account_id = (SELECT id FROM wallet_account WHERE kind = %s)""",
                "2026-04-01 12:00+05:30",
                account.split(",")[0],
            )

    return bring


def amounts(answer):
    return [row[1] for row in rows(answer)]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("from=2026-04-03&until=2026-04-05", ["+5", "+4", "+3"]),
        ("from=2026-04-08", ["+9", "+8"]),
        ("until=2026-04-02", ["+2", "+1"]),
        ("from=2026-04-05&until=2026-04-05", ["+5"]),
        ("from=&until=", ["+9", "+8", "+7", "+6", "+5", "+4", "+3", "+2", "+1"]),
    ],
)
def test_a_statement_shows_the_chosen_days(client, dated, asked, expected):
    dated()
    assert amounts(client.get(f"/wallet/?{asked}")) == expected
    file = client.get(f"/wallet/statement.csv?{asked}").text
    assert [f"+{line[4]}" for line in list(csv.reader(file.splitlines()))[1:]] == expected


@pytest.mark.parametrize("asked", ["from=2027-01-01", "until=2026-03-31", "topic=payments"])
def test_days_without_entries_say_so(client, dated, asked):
    dated()
    page = client.get(f"/wallet/?{asked}").text
    assert "Nothing of this kind happened in these days." in page
    assert "All days" in page or "topic" in asked


def test_days_begin_at_midnight_in_the_time_of_the_site(client, dated):
    dated()
    with without_guards("wallet_entry"):
        run(
            """UPDATE wallet_entry SET happened_at = CASE seq
                 WHEN 2 THEN '2026-04-01 23:59:59.9+05:30' ELSE '2026-04-02 00:00+05:30'
               END::timestamptz WHERE seq IN (2, 3)"""
        )
    assert amounts(client.get("/wallet/?from=2026-04-01&until=2026-04-01")) == ["+2", "+1"]
    assert amounts(client.get("/wallet/?from=2026-04-02&until=2026-04-03")) == ["+3"]


def test_days_stay_chosen_on_every_page_and_tab(client, dated, asha):
    dated("winnings")
    page = client.get("/wallet/?account=winnings&from=2026-04-02").text
    assert 'href="?account=winnings&amp;topic=play&amp;from=2026-04-02"' in page
    assert 'href="?from=2026-04-02"' in page  # the tab of chips
    assert 'value="2026-04-02"' in page
    assert 'href="/wallet/statement.csv?account=winnings&amp;from=2026-04-02"' in page
    assert 'href="?account=winnings"' in page  # all days


def test_entries_are_found_by_time_without_reading_them_all(dated, asha):
    dated()
    account = player(asha.pk, CHIPS)
    with CaptureQueriesContext(connection) as queries:
        numbers = find_numbers_between(account, since=datetime(2026, 4, 3, tzinfo=UTC))
    assert numbers == range(3, 10)
    assert len(queries) == 2
    assert find_numbers_between(player(asha.pk + 1, CHIPS)) == range(1, 1)


def chart_of(answer):
    (text,) = re.findall(
        r'<script id="balance-points" type="application/json">(.*?)</script>', answer.text
    )
    return json.loads(text)


def test_the_chart_is_the_balance_of_these_days(client, dated):
    dated()
    answer = client.get("/wallet/?from=2026-04-03&until=2026-04-05")
    chart = chart_of(answer)
    assert chart["balances"] == [6, 10, 15]
    assert chart["currency"] == "CHIPS"
    assert chart["times"][0] == datetime(2026, 4, 3, 6, 30, tzinfo=UTC).timestamp()
    assert (
        "Balance from 3 Apr 2026, 12:00 IST to 5 Apr 2026, 12:00 IST: 6 at the start, 15 at the end, "
        "between 6 and 15." in " ".join(strip_tags(answer.text).split())
    )
    assert "balance-points" not in client.get("/wallet/?from=2026-04-09").text


def test_a_long_chart_has_few_points_and_both_ends(asha):
    play(asha, 2 * POINTS_OF_A_CHART)
    account = player(asha.pk, CHIPS)
    numbers = find_numbers_between(account)
    points = list_balance_points(account, numbers)
    assert len(numbers) == 2 * POINTS_OF_A_CHART + 1
    assert POINTS_OF_A_CHART // 2 < len(points) <= POINTS_OF_A_CHART
    assert (points[0][1], points[-1][1]) == (10_000, 10_000 - 2 * POINTS_OF_A_CHART)
    assert [moment for moment, _ in points] == sorted(moment for moment, _ in points)


def test_each_line_links_to_its_subject(client, asha):
    wallet.grant_welcome_chips(user_id=asha.pk)
    lines = [
        ("match:42:seat:7:cash_out", "table:3", "CASH_OUT", "/matches/42/", "Match 42"),
        ("seat:7:cash_out", "table:3", "CASH_OUT", "/tables/3/", "Table 3"),
        ("match:5:refund", "match:5", "REFUND", "/matches/5/", "Match 5"),
        ("tournament:6:settle", "tournament:6", "PRIZE", "/tournaments/6/", "Tournament 6"),
        ("deposit:sandbox:abc", "deposit:1", "DEPOSIT", "/wallet/deposits/abc/", "Details"),
        ("tax:2025:1", "tax:2025", "TAX", "", "Financial year 2025\N{EN DASH}26"),
        ("odd:1", "table:x", "REFUND", "", "Table x"),
        ("odd:2", "nothing:1", "REFUND", "", ""),
    ]
    for key, subject, reason, _url, _text in lines:
        run(
            "SELECT ledger_post(%s, %s::wallet_line[], NULL, %s)",
            key,
            sql_lines(f"MINT,0,PLAYER,{asha.pk},CHIPS,1,{reason}"),
            subject,
        )
    page = client.get("/wallet/").text
    for _key, _subject, _reason, url, text in lines:
        assert (f'<a href="{url}">{text}</a>' if url else text) in page
    assert rows(client.get("/wallet/"))[0][0] == "Refund"
    told = Program(asha, Scope.READ).get("wallet/statement/").json()["results"]
    numbers = [
        {kind: line[kind] for kind in line_texts.TOLD if line[kind]} for line in reversed(told)
    ]
    assert numbers == [
        {},  # the welcome chips
        {"table": 3, "match": 42},
        {"table": 3},
        {"match": 5},
        {"tournament": 6},
        *({}, {}, {}, {}),
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_of_a_file_is_a_formula(client, asha, start, monkeypatch):
    """This must hold for any text in a line, for instance for a translation."""
    words = f"{start}HYPERLINK(1)"
    brought_and_won(asha)
    monkeypatch.setitem(line_texts._WORDS, (Reason.BUY_IN, False), words)
    monkeypatch.setitem(line_texts._SUBJECTS, "table", (words, ""))
    monkeypatch.setitem(line_texts._SUBJECTS, "match", (words, ""))
    file = client.get("/wallet/statement.csv?account=deposits").text
    (_head, brought, _deposit) = csv.reader(io.StringIO(file, newline=""))
    assert brought[2:4] == [f"'{words}"] * 2
    # An amount stays a number for programs that read the file.
    assert brought[4] == "-250.50"
