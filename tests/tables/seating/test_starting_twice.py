"""A program that is started twice at the same time, which takes one seat, whichever API call it uses."""

import pytest
from django.utils import timezone

from accounts.people.bot_accounts import become_bot
from accounts.people.bots import get_practice_bots
from tables.models import Seat
from tests.api_program import Program, person
from tests.tables.driving import make_kind
from tests.together import run_at_once
from wallet import api as wallet

TIMES = 4


def prepare_practice(_player):
    get_practice_bots()
    return "tables/practice/"


def prepare_play(_player):
    wallet.set_starting_fees(valid_from=timezone.now())
    return f"tables/play/{make_kind(allows_api_players=True).pk}/"


def prepare_bots(player):
    become_bot(user_id=player.pk)
    return "bots/play/"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("prepare", [prepare_practice, prepare_play, prepare_bots])
def test_a_program_that_is_started_twice_at_once_takes_one_seat(prepare, settings):
    settings.TABLES_AT_ONCE = settings.BOT_TABLES_AT_ONCE = TIMES
    player = person("Asha")
    address, program = prepare(player), Program(player)

    def start(number):
        return lambda: program.post(address, key=f"start-{number:04}")

    answers = run_at_once(*[start(number) for number in range(TIMES)])
    assert [answer.status_code for answer in answers] == [200] * TIMES
    assert sorted(answer.json()["resumed"] for answer in answers) == [False, *[True] * 3]
    assert Seat.objects.filter(user=player, left_at=None).count() == 1
