"""The REST API for BOT accounts: the token's account, and play among bots and with people."""

import pytest

from accounts.models import Scope
from accounts.people.bot_accounts import become_bot
from tables.models import Seat, Table
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tests.api_program import WELCOME, Browser, Program, chips_of, person, refusal

pytestmark = pytest.mark.django_db
PLAY = "bots/play/"
WANTED = {"game": "indian", "preset": "points", "seats": 2}


@pytest.fixture
def bot():
    return become_bot(user_id=person("Asha").pk)


@pytest.fixture
def program(bot):
    return Program(bot, Scope.READ, Scope.PLAY)


def read_table(answer):
    assert answer.status_code == 200
    body = answer.json()
    assert body["socket"] == f"/ws/tables/{body['table']}/"
    return body["table"]


def test_an_account_says_whether_it_is_a_bot(program):
    account = program.get("account/").json()
    assert (account["bot"], account["name"]) == (True, "Asha [BOT]")
    assert Program(person("Binod")).get("account/").json()["bot"] is False


def test_bots_meet_and_a_repeated_request_seats_once(bot, program):
    table = read_table(program.post(PLAY, WANTED, key="play-0001"))
    assert read_table(program.post(PLAY, WANTED, key="play-0001")) == table
    other = become_bot(user_id=person("Binod").pk)
    # Without a body: the default game by its first preset, for two.
    assert read_table(Program(other).post(PLAY, key="play-0001")) == table
    chairs = program.get(f"tables/{table}/").json()["chairs"]
    assert [(chair["player"], chair["name"]) for chair in chairs] == [
        (bot.pk, "Asha [BOT]"),
        (other.pk, "Binod [BOT]"),
    ]
    assert (chips_of(bot), chips_of(other)) == (WELCOME, WELCOME)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"preset": "nothing"}, (400, "invalid")),
        ({"game": "chess"}, (400, "invalid")),
        ({"seats": 1}, (400, "invalid")),
        ({"seats": 8}, (409, "seats_out_of_range")),
    ],
)
def test_a_game_not_offered_to_bots_is_refused(program, wanted, expected):
    assert refusal(program.post(PLAY, {**WANTED, **wanted}, key="play-0001")) == expected
    assert not Table.objects.exists()


def test_people_browsers_and_read_tokens_are_refused(bot):
    answers = [
        Program(person("Binod")).post(PLAY, WANTED, key="play-0001"),
        Browser(bot).post(PLAY, WANTED, key="play-0001"),
        Program(bot, Scope.READ).post(PLAY, WANTED, key="play-0001"),
    ]
    assert [refusal(answer) for answer in answers] == [
        (409, "bots_only"),
        (409, "plays_by_token"),
        (403, "permission_denied"),
    ]
    assert not Table.objects.exists()


def test_a_bot_sits_at_a_hosted_table_that_admits_programs(bot):
    host = person("Binod")
    terms = HostTerms(game="indian", preset="points", seats=2, allows_programs=True)
    table = open_hosted_table(terms, user_id=host.pk)
    seat, path = {"amount": 0, "invite": table.invite_code}, f"tables/{table.pk}/sit/"
    assert refusal(Browser(bot).post(path, seat, key="sit-0001")) == (409, "plays_by_token")
    uninvited = Program(bot).post(path, {"amount": 0}, key="sit-0001")
    assert refusal(uninvited) == (404, "table_not_found")
    assert not Seat.objects.filter(user=bot).exists()
    assert read_table(Program(bot).post(path, seat, key="sit-0001")) == table.pk
    assert Seat.objects.get(user=bot).table_id == table.pk
