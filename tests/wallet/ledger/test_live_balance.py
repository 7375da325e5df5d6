"""Balances sent to a player's open pages, on opening and after each change."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from core.page_notices import PageNotifier
from core.threads import in_thread
from tests.core.sockets.hubs import redis_layers, tell_by
from tests.tables.socket_client import session_of
from tests.wallet.cash_players import make_player
from tests.wallet.own_pages import SECONDS, open_page, receive
from tests.wallet.rawsql import post
from tests.wallet.seats import CHIPS, INR, buy_in, cash_out
from tests.workers import wait_until
from wallet import api as wallet
from wallet.ledger import chart
from wallet.ledger.holds import capture, hold, release
from wallet.models import Reason

NO_CASH = {"bonus": 0, "deposit": 0, "winnings": 0}


async def receive_after(socket, act, *args, **kwargs):
    await in_thread(act, *args, **kwargs)
    return await receive(socket)


def chips(amount):
    return {"type": "balance", "chips": amount, "cash": NO_CASH}


def cash(**buckets):
    return {"type": "balance", "chips": 1_000, "cash": {**NO_CASH, **buckets}}


@pytest.fixture
def asha(transactional_db, settings):
    settings.WELCOME_CHIPS = 1_000
    user = make_player()
    wallet.grant_welcome_chips(user_id=user.pk)
    return user


async def test_open_pages_follow_chips_to_a_seat_and_back(live_site, asha):
    session = await in_thread(session_of, asha)
    async with open_page(live_site, session) as page, open_page(live_site, session) as other:
        assert await receive(page) == await receive(other) == chips(1_000)
        assert await receive_after(page, buy_in, asha.pk, 400) == chips(600)
        assert await receive(other) == chips(600)
        assert await receive_after(page, cash_out, asha.pk) == chips(1_000)
        assert await receive(other) == chips(1_000)


async def test_open_pages_follow_holds(live_site, asha):
    session = await in_thread(session_of, asha)
    async with open_page(live_site, session) as page:
        assert await receive(page) == chips(1_000)
        line = chart.PostingLine(
            chart.player(asha.pk, CHIPS), chart.house(CHIPS), 30, Reason.BUY_IN
        )
        later = timezone.now() + timedelta(hours=1)
        held = await in_thread(hold, key="hold:1", lines=[line], expires_at=later)
        assert await receive(page) == chips(970)
        back = {"hold_id": held.hold_id, "key": "hold:1:back"}
        assert await receive_after(page, release, **back) == chips(1_000)
        held = await in_thread(hold, key="hold:2", lines=[line], expires_at=later)
        assert await receive(page) == chips(970)
        some = chart.PostingLine(line.source, line.destination, 10, line.reason)
        part = {"hold_id": held.hold_id, "key": "hold:2:end", "lines": [some]}
        assert await receive_after(page, capture, **part) == chips(990)


async def test_open_pages_follow_each_bucket_of_cash(live_site, asha, settings):
    settings.CASH_BONUS_BPS = 1_000
    session = await in_thread(session_of, asha)
    await in_thread(post, "fund:1", f"BONUS_EXPENSE,0,BONUS,{asha.pk},INR,500,BONUS")
    await in_thread(post, "fund:2", f"SUSPENSE,0,PLAYER,{asha.pk},INR,1000,ADJUSTMENT")
    async with open_page(live_site, session) as page:
        assert await receive(page) == cash(bonus=500, deposit=1_000)
        expected = cash(bonus=460, deposit=640)
        assert await receive_after(page, buy_in, asha.pk, 400, currency=INR) == expected
        settings.CASH_PLAY = "off"
        await page.send("{}")
        assert await receive(page) == {"type": "balance", "chips": 1_000, "cash": None}


async def test_a_rolled_back_change_is_not_sent(live_site, asha):
    session = await in_thread(session_of, asha)

    def buy_in_and_roll_back():
        with transaction.atomic():
            buy_in(asha.pk, 1)
            transaction.set_rollback(True)

    async with open_page(live_site, session) as page:
        assert await receive(page) == chips(1_000)
        await in_thread(buy_in_and_roll_back)
        assert await receive_after(page, buy_in, asha.pk, 2, seat_id=8) == chips(998)


async def test_a_page_hears_only_of_its_own_players_money(live_site, asha):
    def make_bela():
        user = make_player("Bela")
        wallet.grant_welcome_chips(user_id=user.pk)
        return user, session_of(user)

    bela, session = await in_thread(make_bela)
    async with open_page(live_site, session) as page:
        assert await receive(page) == chips(1_000)
        await in_thread(buy_in, asha.pk, 1, key="in:1")
        await in_thread(buy_in, bela.pk, 5, key="in:2")
        assert await receive(page) == chips(995)


async def test_a_missed_change_is_sent_with_the_next_ping(live_site, asha):
    session = await in_thread(session_of, asha)
    async with open_page(live_site, session) as page:
        assert await receive(page) == chips(1_000)
        # Posted without the services, so no message is sent.
        await in_thread(post, "raw:1", f"PLAYER,{asha.pk},HOUSE,0,CHIPS,9,ADJUSTMENT")
        await page.send("{}")
        assert await receive(page) == chips(991)
        assert await receive(page) == {"type": "pong"}
        await page.send("{}")
        assert await receive(page) == {"type": "pong"}


def test_money_moves_without_redis(asha, settings, caplog):
    with tell_by(redis_layers("redis://127.0.0.1:1/0"), settings):
        PageNotifier().take({asha.pk}, "balance")
        wait_until(lambda: "1 hints not sent" in caplog.text, seconds=SECONDS)
    buy_in(asha.pk, 1)
