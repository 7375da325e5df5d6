"""BOT accounts that stay silent or disconnect, which are treated like people."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from accounts.people.bot_accounts import become_bot
from core.threads import in_thread
from tables.live.alerts import notify_absent
from tables.models import Change, ChangeKind, Match, MatchStatus, Seat, Table, TableStatus
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tests.given import reload, require
from tests.tables.driving import (
    WELCOME,
    begin_next_match,
    chips_of,
    expire_turn,
    game_view,
    leave,
    let_time_pass,
    play_a_turn,
    player_at,
    seat_all,
)
from tests.tables.socket_client import TableSocket, session_of
from wallet.ledger.checks import reconcile

HOST, OTHER = 0, 1
MISSED = 3  # R4.9: turns in a row, then the player is dropped
MIDDLE_DROP = 40
pytestmark = pytest.mark.django_db


@pytest.fixture
def begin(make_player):
    """Begin a free match between the host at seat 0 and a BOT account or a second person."""

    def begin(*, is_bot: bool = True) -> Table:
        host, other = make_player(), make_player()
        if is_bot:
            other = become_bot(user_id=other.pk)
        terms = HostTerms(game="indian", preset="points", seats=2, allows_programs=True)
        table = open_hosted_table(terms, user_id=host.pk)
        seat_all(table, other, by_program=is_bot)
        let_time_pass(table)
        assert reload(table).status == TableStatus.PLAYING
        assert player_at(table, OTHER).is_bot_account is is_bot
        return table

    return begin


def stay_silent(table: Table) -> list[int]:
    """Let the other player's turns time out while the host plays. Return the counts of missed turns."""
    missed: list[int] = []
    while reload(table).status == TableStatus.PLAYING:
        assert len(missed) < 2 * MISSED, "the match does not end"
        if game_view(table)["turn"] == HOST:
            play_a_turn(table)
            continue
        expired = require(expire_turn(table))
        assert Change.objects.get(table=table, version=expired.version).kind == ChangeKind.EXPIRY
        missed.append(game_view(table)["players"][str(OTHER)]["missed"])
    return missed


def assert_dropped(table: Table) -> None:
    """Assert that the other player lost the only match by a middle drop, and that no chips moved."""
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert require(match.result)["points"] == {str(HOST): 0, str(OTHER): MIDDLE_DROP}
    assert require(match.result)["winners"] == [HOST]
    assert game_view(table)["players"][str(OTHER)]["status"] == "dropped"
    for seat in (HOST, OTHER):
        assert chips_of(player_at(table, seat)) == WELCOME
    assert reconcile().findings == ()


@pytest.mark.parametrize("is_bot", [True, False], ids=["BOT", "person"])
def test_a_silent_player_is_dropped_after_missed_turns(begin, is_bot):
    table = begin(is_bot=is_bot)
    assert stay_silent(table) == [*range(1, MISSED + 1)]
    assert_dropped(table)
    assert reload(table).status == TableStatus.BETWEEN
    begin_next_match(table)
    assert reload(table).status == TableStatus.PLAYING
    leave(table, player_at(table, HOST))
    assert Match.objects.filter(table=table, status=MatchStatus.RUNNING).count() == 0


@pytest.mark.django_db(transaction=True)
async def test_a_disconnected_bot_is_dropped_and_gets_no_further_match(live_site, begin):
    table = await in_thread(begin)
    host, bot = [await in_thread(player_at, table, seat) for seat in (HOST, OTHER)]
    _token, text = await in_thread(
        lambda: make_token(user_id=bot.pk, name="bot", scopes=[Scope.PLAY])
    )

    def be_gone_for_minutes():
        notify_absent()
        seats = Seat.objects.filter(table=table, user=bot, away_since__isnull=False)
        assert seats.update(away_since=Now() - timedelta(minutes=3)) == 1

    session = await in_thread(session_of, host)
    async with TableSocket(live_site, table.pk, session) as watching:
        await watching.hello()
        async with TableSocket(live_site, table.pk, None, token=text) as socket:
            await socket.hello()
            assert len(socket.state["you"]["hand"]) == 13
        assert await in_thread(stay_silent, table) == [*range(1, MISSED + 1)]
        await in_thread(assert_dropped, table)
        await in_thread(be_gone_for_minutes)
        await in_thread(let_time_pass, table)
        await watching.receive_until_version((await in_thread(reload, table)).version)
        assert [seat["player"] is None for seat in watching.state["seats"]] == [False, True]
    await in_thread(reload, table)
    assert (table.status, table.seats_taken) == (TableStatus.WAITING, 1)
    assert await in_thread(Match.objects.count) == 1
    assert await in_thread(chips_of, bot) == WELCOME
