import csv
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.wallet.rawsql import post
from wallet import services as wallet
from wallet.chart import player
from wallet.money import Currency
from wallet.selectors import PAGE_LENGTH, statement_page

pytestmark = pytest.mark.django_db

CHIPS = Currency.CHIPS


@pytest.fixture
def asha(client, settings):
    settings.WELCOME_CHIPS = 10_000
    user = User.objects.create_user("asha@example.com", player_name="Asha")
    client.force_login(user)
    return user


def play(user, rounds):
    wallet.grant_welcome_chips(user_id=user.pk)
    for number in range(rounds):
        wallet.buy_in(
            user_id=user.pk,
            seat_id=number + 1,
            amount=1,
            currency=CHIPS,
            key=f"seat:{number + 1}:in",
            subject="table:3",
        )


def rows(answer):
    (body,) = re.findall(r"<tbody>(.*)</tbody>", answer.content.decode(), re.DOTALL)
    cells = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    text = [re.findall(r"<td.*?>(.*?)</td>", row, re.DOTALL) for row in cells]
    return [[" ".join(re.sub("<.*?>", " ", cell).split()) for cell in row[1:]] for row in text]


def test_it_is_for_the_owner(client):
    assert client.get("/wallet/").url == "/accounts/login/?next=/wallet/"


def test_each_line_explains_itself(client, asha):
    play(asha, 1)
    wallet.cash_out(seat_id=1, user_id=asha.pk, currency=CHIPS, key="seat:1:out")
    answer = client.get("/wallet/")
    assert rows(answer) == [
        ["Taken back from a table", "+1", "10,000"],
        ["Brought to a table Table 3", "-1", "9,999"],
        ["Welcome chips", "+10,000", "10,000"],
    ]
    assert '<a href="/tables/3/">Table 3</a>' in answer.content.decode()


def test_nothing_yet(client, asha):
    page = client.get("/wallet/").content.decode()
    assert "Nothing has happened here yet." in page


def test_pages_stay_put_when_lines_are_added(client, asha):
    play(asha, 2 * PAGE_LENGTH)
    account = player(asha.pk, CHIPS)
    first = statement_page(account)
    assert [entry.seq for entry in first.entries] == list(range(51, 26, -1))
    second = statement_page(account, before=first.older)
    wallet.cash_out(seat_id=1, user_id=asha.pk, currency=CHIPS, key="seat:1:out")
    assert statement_page(account, before=first.older) == second
    assert [entry.seq for entry in second.entries] == list(range(26, 1, -1))
    third = statement_page(account, before=second.older)
    assert [entry.seq for entry in third.entries] == [1]
    assert third.older is None

    page = client.get("/wallet/").content.decode()
    assert first.older == 27
    assert 'href="?before=28"' in page  # one line was added on top
    last = client.get("/wallet/?before=2")
    assert rows(last) == [["Welcome chips", "+10,000", "10,000"]]
    assert "Older" not in last.content.decode()


@pytest.mark.parametrize("before", ["x", "-1", "१", "1.5", "9" * 30, ""])
def test_a_made_up_page_is_not_found(client, asha, before):
    assert client.get("/wallet/", {"before": before}).status_code == 404


def test_nobody_sees_the_lines_of_another(client, asha):
    other = User.objects.create_user("bela@example.com", player_name="Bela")
    play(other, 1)
    assert "Welcome chips" not in client.get("/wallet/").content.decode()


def test_the_header_shows_the_balance_with_one_query(client, asha):
    play(asha, 1)
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/accounts/profile/").content.decode()
    assert "9,999" in page
    assert sum("wallet_" in query["sql"] for query in queries) == 1
    client.logout()
    with CaptureQueriesContext(connection) as queries:
        client.get("/accounts/login/")
    assert sum("wallet_" in query["sql"] for query in queries) == 0


def brought_and_won(user):
    post("deposit:1", f"DEPOSITS,0,PLAYER,{user.pk},INR,125050,DEPOSIT")
    wallet.buy_in(
        user_id=user.pk,
        seat_id=7,
        amount=25_050,
        currency=Currency.INR,
        key="seat:7:in",
        subject="match:9",
    )
    post("prize:1", f"DEPOSITS,0,WINNINGS,{user.pk},INR,500,PRIZE")


def test_cash_has_statements_of_its_own(client, asha):
    brought_and_won(asha)
    assert rows(client.get("/wallet/?account=deposits")) == [
        ["Brought to a table Match 9", "-₹250.50", "₹1,000.00"],
        ["Deposit", "+₹1,250.50", "₹1,250.50"],
    ]
    answer = client.get("/wallet/?account=winnings")
    assert rows(answer) == [["Prize of a tournament", "+₹5.00", "₹5.00"]]
    assert '<a href="/matches/9/">' in client.get("/wallet/?account=deposits").content.decode()


def test_a_topic_shows_its_lines_alone_on_every_page(client, asha):
    play(asha, PAGE_LENGTH + 2)
    wallet.grant_welcome_chips(user_id=asha.pk)
    page = client.get("/wallet/?topic=play")
    assert len(rows(page)) == PAGE_LENGTH
    assert 'href="?topic=play&amp;before=4"' in page.content.decode()
    assert len(rows(client.get("/wallet/?topic=play&before=4"))) == 2
    assert rows(client.get("/wallet/?topic=gifts")) == [["Welcome chips", "+10,000", "10,000"]]
    assert "Nothing has happened" in client.get("/wallet/?topic=payments").content.decode()


@pytest.mark.parametrize("asked", ["account=house", "topic=x", "account=", "account=winnings"])
def test_a_made_up_statement_is_not_found(client, asha, asked, settings):
    settings.CASH_PLAY = "off"
    assert client.get(f"/wallet/?{asked}").status_code == 404
    assert client.get(f"/wallet/statement.csv?{asked}").status_code == 404


def test_a_statement_as_a_file(client, asha):
    brought_and_won(asha)
    answer = client.get("/wallet/statement.csv?account=deposits")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="deposits.csv"'
    lines = list(csv.reader(answer.content.decode().splitlines()))
    assert lines[0] == ["number", "time", "what", "about", "amount", "balance", "currency"]
    assert [[line[0], *line[2:]] for line in lines[1:]] == [
        ["2", "Brought to a table", "Match 9", "-250.50", "1000.00", "INR"],
        ["1", "Deposit", "", "1250.50", "1250.50", "INR"],
    ]
    client.logout()
    assert client.get("/wallet/statement.csv").status_code == 302
