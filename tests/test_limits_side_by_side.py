"""Limits hold for concurrent requests."""

from collections import Counter

import pytest
from django.conf import settings as site
from django.test import Client

from accounts.api.access import Counted
from accounts.api_tokens.services import TOKENS_EACH, make_token
from accounts.models import ApiToken, Scope
from tables.chat.moderation import LINES_AT_ONCE, ModeratedLine
from tables.chat.services import post_line
from tables.models import ChatLine, Seat, Table
from tables.seating.sitting import take_seat
from tests.api_program import Browser, Program, person, refusal, table_for_programs
from tests.points_tables import open_points_table
from tests.tables.driving import make_kind
from tests.together import run_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fresh_rate_limits")]
HOME, ELSEWHERE = "203.0.113.7", "198.51.100.2"


def count_statuses(answers):
    return Counter(answer.status_code for answer in answers)


@pytest.fixture
def few(monkeypatch):
    rates = {"anon": "5/min", "user": "5/min", "wrong_tokens": "5/min"}
    monkeypatch.setattr(Counted, "THROTTLE_RATES", rates)


def test_requests_to_the_api_are_counted_one_by_one(few):
    program = Program(person("Asha"), Scope.READ)
    answers = run_at_once(*(lambda: program.get("account/") for _ in range(24)))
    assert count_statuses(answers) == {200: 5, 429: 19}
    late = next(answer for answer in answers if answer.status_code == 429)
    assert refusal(late) == (429, "throttled")
    pause = int(late.headers["Retry-After"])
    assert 0 < pause <= 60
    assert late.headers["RateLimit"] == f'"user";r=0;t={pause}'
    told = {answer.headers["RateLimit"] for answer in answers if answer.status_code == 200}
    assert told == {f'"user";r={left}' for left in range(5)}
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"user";q=5;w=60'}
    # The limit is per player, whatever address they call from, so other players are not affected.
    assert Browser(person("Binod")).get("account/").status_code == 200


def test_wrong_tokens_are_counted_and_a_right_one_goes_through(few):
    right = Program(person("Asha"), Scope.READ)

    def wrong(number, address=ELSEWHERE):
        token = {"Authorization": f"Bearer ort_guess{number}"}
        return Client(headers=token).get("/api/v1/account/", REMOTE_ADDR=address)

    answers = run_at_once(*(lambda n=n: wrong(n) for n in range(12)))
    assert count_statuses(answers) == {401: 5, 429: 7}
    assert wrong(99, HOME).status_code == 401
    answer = right.client.get("/api/v1/account/", REMOTE_ADDR=ELSEWHERE)
    assert answer.status_code == 200


def test_an_address_without_a_token_is_counted_and_one_of_ipv6_by_its_household(few):
    def ask(address):
        return Client().get("/api/v1/schema/", REMOTE_ADDR=address).status_code

    assert [ask(f"2001:db8:1:2::{n:x}") for n in range(7)] == [200] * 5 + [429] * 2
    assert ask("2001:db8:1:3::1") == 200
    assert [ask("::ffff:203.0.113.7"), ask("::ffff:203.0.113.8")] == [200, 200]


def test_private_tables_are_counted_one_by_one():
    table_for_programs()  # also sets the fees
    kind = make_kind()
    asha = person("Asha")

    def open_by_page():
        return Browser(asha).client.post(f"/tables/private/{kind.pk}/").headers["Location"]

    def open_by_api(number):
        return Browser(asha).post(f"tables/private/{kind.pk}/", key=f"open-000{number}")

    run_at_once(*(open_by_page for _ in range(5)), *(lambda n=n: open_by_api(n) for n in range(5)))
    assert site.TABLES_AT_ONCE == 3
    assert Table.objects.filter(opened_by=asha).count() == 3


def test_tokens_are_counted_one_by_one():
    asha = person("Asha")
    for number in range(TOKENS_EACH - 2):
        make_token(user_id=asha.pk, name=f"bot {number}", scopes=[Scope.READ])
    made = [lambda: make_token(user_id=asha.pk, name="one more", scopes=[Scope.READ])] * 6
    results = run_at_once(*made)
    assert sum(isinstance(result, tuple) for result in results) == 2
    assert ApiToken.objects.filter(user=asha).count() == TOKENS_EACH


def test_lines_of_a_chat_are_counted_one_by_one_at_all_tables_together():
    first = table_for_programs()
    second = open_points_table()
    asha = person("Asha")
    for table in (first, second):
        take_seat(table_id=table.pk, user_id=asha.pk, amount=200)
    assert Seat.objects.filter(user=asha).count() == 2
    said = [
        lambda table=table: post_line(
            table_id=table.pk, user_id=asha.pk, line=ModeratedLine(phrase="hello")
        )
        for table in (first, second) * 6
    ]
    results = run_at_once(*said)
    assert sum(isinstance(result, ChatLine) for result in results) == LINES_AT_ONCE
    assert ChatLine.objects.count() == LINES_AT_ONCE
