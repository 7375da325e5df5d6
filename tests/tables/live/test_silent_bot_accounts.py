"""A BOT account that stays silent or disconnects is treated like a person, and nothing waits for it."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from accounts.api_tokens.services import make_token
from accounts.models import Scope, User
from accounts.people.bot_accounts import become_bot
from core.threads import in_thread
from tables.live.alerts import tell_absent
from tables.live.clock import act_on_table
from tables.models import Change, ChangeKind, Match, MatchStatus, Seat, Table, TableStatus
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.sitting import take_seat
from tests.given import reload, require
from tests.tables.driving import (
    chips_of,
    game_view,
    leave,
    let_time_pass,
    play_a_turn,
    player_at,
    run_out_of_time,
)
from tests.tables.socket_client import TableSocket, session_of
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import reconcile

HOST, OTHER = 0, 1
MISSED = 3  # R4.9: turns in a row, then the player is dropped
MIDDLE_DROP = 40
CHIPS = 10_000

pytestmark = pytest.mark.django_db


@pytest.fixture
def begin(make_player):
    """Begin a free match of a host, at seat 0, and a BOT account or a second person."""

    def begin(*, is_bot: bool = True) -> Table:
        host, other = make_player(), make_player()
        if is_bot:
            other = become_bot(user_id=other.pk)
        terms = HostTerms(game="indian", preset="points", seats=2, allows_programs=True)
        table = open_hosted_table(terms, user_id=host.pk)
        place: dict[str, Any] = {"table_id": table.pk, "amount": 0, "invite": table.invite_code}
        take_seat(user_id=other.pk, by_program=is_bot, **place)
        let_time_pass(table)
        assert reload(table).status == TableStatus.PLAYING
        assert player_at(table, OTHER).is_bot_account is is_bot
        return table

    return begin


def stay_silent(table: Table) -> list[int]:
    """Let the other's turns run out while the host plays. Return how many each time they had missed in a row."""
    missed: list[int] = []
    while reload(table).status == TableStatus.PLAYING:
        assert len(missed) < 2 * MISSED, "the match does not end"
        if game_view(table)["turn"] == HOST:
            play_a_turn(table)
            continue
        run_out_of_time(table)
        expired = require(act_on_table(table.pk))
        assert Change.objects.get(table=table, version=expired.version).kind == ChangeKind.EXPIRY
        missed.append(game_view(table)["players"][str(OTHER)]["missed"])
    return missed


def assert_dropped(table: Table) -> None:
    """Assert that the other lost the only match by a middle drop, and that no chip moved."""
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert require(match.result)["points"] == {str(HOST): 0, str(OTHER): MIDDLE_DROP}
    assert require(match.result)["winners"] == [HOST]
    assert game_view(table)["players"][str(OTHER)]["status"] == "dropped"
    for user_id in match.participants:
        assert get_player_balances(user_id).chips == CHIPS
    assert reconcile().findings == ()


@pytest.mark.parametrize("is_bot", [True, False], ids=["BOT", "person"])
def test_turns_of_the_silent_run_out_until_they_are_dropped(begin, is_bot):
    table = begin(is_bot=is_bot)
    assert stay_silent(table) == [*range(1, MISSED + 1)]
    assert_dropped(table)
    assert reload(table).status == TableStatus.BETWEEN
    let_time_pass(table)  # the next match begins without anybody's help
    assert reload(table).status == TableStatus.PLAYING
    leave(table, player_at(table, HOST))
    assert Match.objects.filter(table=table, status=MatchStatus.RUNNING).count() == 0


@pytest.mark.django_db(transaction=True)
async def test_one_that_disconnects_is_dropped_and_gets_no_further_match(live_site, begin):
    table = await in_thread(begin)
    host, bot = [await in_thread(player_at, table, seat) for seat in (HOST, OTHER)]
    _token, text = await in_thread(
        lambda: make_token(user_id=bot.pk, name="bot", scopes=[Scope.PLAY])
    )
    session = await in_thread(session_of, host)
    async with TableSocket(live_site, table.pk, session) as watching:
        await watching.hello()
        async with TableSocket(live_site, table.pk, None, token=text) as socket:
            await socket.hello()
            assert len(socket.state["you"]["hand"]) == 13
        assert await in_thread(stay_silent, table) == [*range(1, MISSED + 1)]
        await in_thread(assert_dropped, table)
        await in_thread(be_gone_for_minutes, table, bot)
        await in_thread(let_time_pass, table)
        await watching.receive_until_version((await in_thread(reload, table)).version)
        assert [seat["player"] is None for seat in watching.state["seats"]] == [False, True]
    assert await in_thread(read_standing, table) == (TableStatus.WAITING, 1, 1)
    assert await in_thread(lambda: chips_of(bot)) == CHIPS


def be_gone_for_minutes(table: Table, user: User) -> None:
    tell_absent()
    seat = Seat.objects.get(table=table, user=user, left_at=None)
    assert seat.away_since is not None
    Seat.objects.filter(pk=seat.pk).update(away_since=Now() - timedelta(minutes=3))


def read_standing(table: Table) -> Any:
    table = reload(table)
    return table.status, table.seats_taken, Match.objects.filter(table=table).count()
