"""Programs practise for free at tables of every game, and get their seat back after a restart."""

import pytest
from django.utils import timezone

from accounts.models import Scope
from accounts.people.bot_accounts import become_bot
from accounts.people.bots import get_practice_bots
from games.engine.base import STRENGTHS
from games.registry import GAMES
from tables.models import MatchStatus, Seat, Table, TableStatus
from tables.seating.hosting import private_tables
from tables.seating.sitting import leave_table
from tests.api_program import WELCOME, Browser, Program, chips_of, person, refusal
from tests.given import require
from tests.tables.driving import get_match, let_time_pass, make_kind
from wallet import api as wallet

pytestmark = pytest.mark.django_db
PRACTICE = "tables/practice/"


@pytest.fixture(autouse=True)
def _bots():
    get_practice_bots()


@pytest.fixture
def program(asha):
    return Program(asha, Scope.READ, Scope.PLAY)


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_program_practises_any_game_against_bots_of_any_strength(program, asha, game, strength):
    seated = program.post(PRACTICE, {"game": game, "strength": strength}, key="practise-1")
    assert seated.status_code == 200
    body = seated.json()
    assert (body["stack"], body["resumed"]) == (0, False)
    table = Table.objects.get(pk=body["table"])
    assert (table.game, table.bot_strength, table.is_free) == (
        game,
        strength if strength in GAMES[game].strengths else "hard",
        True,
    )
    assert table.status == TableStatus.STARTING
    let_time_pass(table)
    match = get_match(table)
    assert match.status == MatchStatus.RUNNING
    assert match.players[str(body["seat"])]["user"] == asha.pk
    assert [player["bot"] for player in match.players.values()].count(True) == 1
    assert not match.is_rated
    assert chips_of(asha) == WELCOME


def test_a_program_that_starts_again_finds_its_seat(program, asha):
    first = program.post(PRACTICE, {"game": "gin"}, key="practise-1").json()
    # The same call with another key, as after a crash.
    again = program.post(PRACTICE, {"game": "gin"}, key="practise-2").json()
    assert again == {**first, "resumed": True}
    let_time_pass(Table.objects.get(pk=first["table"]))
    playing = program.post(PRACTICE, {"game": "gin"}, key="practise-3").json()
    assert (playing["table"], playing["resumed"]) == (first["table"], True)
    # With other terms, or if it asks for another table, it gets a new one.
    other = program.post(PRACTICE, {"game": "gin", "strength": "easy"}, key="practise-4").json()
    another = program.post(PRACTICE, {"game": "gin", "another": True}, key="practise-5").json()
    assert len({first["table"], other["table"], another["table"]}) == 3
    assert refusal_code(program.post(PRACTICE, {"game": "basic"}, key="practise-6")) == (
        "too_many_tables"
    )
    # A seat that the program has left is not resumed.
    for table in (first["table"], another["table"]):
        leave_table(table_id=table, user_id=asha.pk)
    fresh = program.post(PRACTICE, {"game": "gin"}, key="practise-7").json()
    assert fresh["table"] not in {first["table"], another["table"]}


@pytest.mark.parametrize("shape", ["practice", "private"])
def test_the_tables_that_are_opened_within_an_hour_are_limited(asha, monkeypatch, shape):
    """The limit holds even if each table is closed at once, so that few are open at any time."""
    monkeypatch.setattr(private_tables, "OPENED_AN_HOUR", 2)
    wallet.set_starting_fees(valid_from=timezone.now())
    browser = Browser(asha)
    path = PRACTICE if shape == "practice" else f"tables/private/{make_kind().pk}/"

    def open_and_leave(number):
        answer = browser.post(path, key=f"open-000{number}")
        if answer.status_code == 200:
            Table.objects.filter(pk=answer.json()["table"]).update(status=TableStatus.CLOSED)
        return answer

    assert [open_and_leave(number).status_code for number in (1, 2)] == [200, 200]
    assert refusal(open_and_leave(3)) == (409, "too_often")
    assert Table.objects.exclude(opened_by=None).count() == 2


def test_a_seat_that_is_found_again_counts_as_no_table(program, monkeypatch):
    monkeypatch.setattr(private_tables, "OPENED_AN_HOUR", 1)
    for number in range(3):
        assert program.post(PRACTICE, key=f"practise-{number}").status_code == 200


def refusal_code(answer):
    return answer.json()["code"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"game": "chess"}, (400, "invalid")),
        ({"strength": "waiting"}, (400, "invalid")),
        ({"preset": "nothing"}, (400, "invalid")),
        ({"seats": 8}, (409, "seats_out_of_range")),
    ],
)
def test_what_nobody_plays_is_refused(program, wanted, expected):
    assert refusal(program.post(PRACTICE, wanted, key="practise-1")) == expected
    assert not Table.objects.exists()


def test_practice_needs_the_right_to_play(asha):
    reads = Program(asha, Scope.READ)
    assert refusal(reads.post(PRACTICE, key="practise-1")) == (403, "permission_denied")
    assert not Table.objects.exists()


def test_a_bot_account_and_a_player_on_the_site_practise_too(asha):
    bot = become_bot(user_id=person("Binod").pk)
    assert Program(bot).post(PRACTICE, key="practise-1").status_code == 200
    assert Browser(asha).post(PRACTICE, key="practise-1").status_code == 200


@pytest.fixture
def kind():
    wallet.set_starting_fees(valid_from=timezone.now())
    return make_kind(allows_api_players=True)


def test_play_takes_the_least_and_says_so(asha, kind):
    money = Program(asha)
    body = money.post(f"tables/play/{kind.pk}/", key="play-0001").json()
    least = Table.objects.get(pk=body["table"]).min_buy_in
    assert (body["stack"], body["resumed"]) == (least, False)
    assert chips_of(asha) == WELCOME - least


def test_play_takes_more_if_it_is_asked_to(asha, kind):
    money = Program(asha)
    least = Table.objects.get(
        pk=money.post(f"tables/play/{kind.pk}/", key="play-0001").json()["table"]
    )
    other = Program(person("Binod"))
    body = other.post(
        f"tables/play/{kind.pk}/", {"amount": least.min_buy_in + 5}, key="play-0001"
    ).json()
    assert body["stack"] == least.min_buy_in + 5
    third = Program(person("Chetan"))
    few = third.post(f"tables/play/{kind.pk}/", {"amount": 1}, key="play-0001")
    assert refusal_code(few) == "buy_in_out_of_range"


def test_play_finds_the_seat_of_a_program_that_starts_again(asha, kind):
    money = Program(asha)
    first = money.post(f"tables/play/{kind.pk}/", key="play-0001").json()
    again = money.post(f"tables/play/{kind.pk}/", {"amount": 9_999}, key="play-0002").json()
    assert again == {**first, "resumed": True}
    assert chips_of(asha) == WELCOME - first["stack"]
    another = money.post(f"tables/play/{kind.pk}/", {"another": True}, key="play-0003").json()
    assert (another["table"] != first["table"], another["resumed"]) == (True, False)
    assert Seat.objects.filter(user=asha, left_at=None).count() == 2


def test_a_bot_account_finds_its_seat_among_bots(asha):
    bot = Program(become_bot(user_id=asha.pk))
    first = bot.post("bots/play/", key="play-0001").json()
    assert bot.post("bots/play/", key="play-0002").json() == {**first, "resumed": True}
    another = bot.post("bots/play/", {"another": True}, key="play-0003").json()
    assert another["table"] != first["table"]
    assert require(Seat.objects.filter(user=asha, left_at=None).count()) == 2
