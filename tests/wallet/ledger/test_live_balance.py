"""A player's open pages learn the balance: on opening, and after each change."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from websockets.asyncio.client import connect

from accounts.models import User
from core.page_notices import PageNotifier
from core.threads import in_thread
from tests.core.sockets.hubs import redis_layers, tell_by
from tests.tables.socket_client import TO_ME, session_of
from tests.wallet.rawsql import post
from tests.workers import wait_until
from wallet import api as wallet
from wallet.ledger import chart
from wallet.ledger.holds import capture, hold, release
from wallet.models import Reason
from wallet.money import Currency

CHIPS, INR = Currency.CHIPS, Currency.INR
SECONDS = 30
NO_CASH = {"bonus": 0, "deposit": 0, "winnings": 0}


@asynccontextmanager
async def page_of(address, session):
    async with connect(
        f"{address.replace('http', 'ws', 1)}/ws/me/",
        origin=address,
        additional_headers={"Cookie": f"sessionid={session}"},
        proxy=None,
    ) as opened:
        yield opened


async def receive(socket):
    """Return the next message that is not of the player's tables."""
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), SECONDS))
        TO_ME.validate(message)
        if message["type"] != "tables":
            return message


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
    user = User.objects.create_user("asha@example.com", player_name="Asha")
    wallet.grant_welcome_chips(user_id=user.pk)
    return user


async def test_chips_that_go_and_come(live_site, asha):
    session = await in_thread(session_of, asha)
    async with page_of(live_site, session) as page, page_of(live_site, session) as other:
        assert await receive(page) == await receive(other) == chips(1_000)
        seat = {"user_id": asha.pk, "seat_id": 7, "currency": CHIPS}
        assert await receive_after(page, wallet.buy_in, amount=400, key="in:7", **seat) == chips(
            600
        )
        assert await receive(other) == chips(600)
        assert await receive_after(page, wallet.cash_out, key="out:7", **seat) == chips(1_000)
        assert await receive(other) == chips(1_000)


async def test_holds_put_chips_aside(live_site, asha):
    session = await in_thread(session_of, asha)
    async with page_of(live_site, session) as page:
        assert await receive(page) == chips(1_000)
        line = chart.Line(chart.player(asha.pk, CHIPS), chart.house(CHIPS), 30, Reason.BUY_IN)
        later = timezone.now() + timedelta(hours=1)
        held = await in_thread(hold, key="hold:1", lines=[line], expires_at=later)
        assert await receive(page) == chips(970)
        assert await receive_after(page, release, hold_id=held.hold_id, key="hold:1:back") == chips(
            1_000
        )
        held = await in_thread(hold, key="hold:2", lines=[line], expires_at=later)
        assert await receive(page) == chips(970)
        some = chart.Line(line.source, line.destination, 10, line.reason)
        assert await receive_after(
            page, capture, hold_id=held.hold_id, key="hold:2:end", lines=[some]
        ) == chips(990)


async def test_cash_in_each_bucket(live_site, asha, settings):
    settings.CASH_BONUS_BPS = 1_000
    session = await in_thread(session_of, asha)
    await in_thread(post, "fund:1", f"BONUS_EXPENSE,0,BONUS,{asha.pk},INR,500,BONUS")
    await in_thread(post, "fund:2", f"SUSPENSE,0,PLAYER,{asha.pk},INR,1000,ADJUSTMENT")
    async with page_of(live_site, session) as page:
        assert await receive(page) == cash(bonus=500, deposit=1_000)
        seat = {"user_id": asha.pk, "seat_id": 7, "currency": INR}
        expected = cash(bonus=460, deposit=640)
        assert await receive_after(page, wallet.buy_in, amount=400, key="in:7", **seat) == expected
        settings.CASH_PLAY = "off"
        await page.send("{}")
        assert await receive(page) == {"type": "balance", "chips": 1_000, "cash": None}


async def test_nothing_is_told_of_what_was_rolled_back(live_site, asha):
    session = await in_thread(session_of, asha)

    def change_his_mind():
        with transaction.atomic():
            wallet.buy_in(user_id=asha.pk, seat_id=7, amount=1, currency=CHIPS, key="in:7")
            transaction.set_rollback(True)

    async with page_of(live_site, session) as page:
        assert await receive(page) == chips(1_000)
        await in_thread(change_his_mind)
        seat = {"user_id": asha.pk, "seat_id": 8, "currency": CHIPS}
        assert await receive_after(page, wallet.buy_in, amount=2, key="in:8", **seat) == chips(998)


async def test_nobody_hears_of_the_money_of_another(live_site, asha):
    def make_bela():
        user = User.objects.create_user("bela@example.com", player_name="Bela")
        wallet.grant_welcome_chips(user_id=user.pk)
        return user, session_of(user)

    bela, session = await in_thread(make_bela)
    async with page_of(live_site, session) as page:
        assert await receive(page) == chips(1_000)
        seat: dict[str, Any] = {"seat_id": 7, "currency": CHIPS}
        await in_thread(wallet.buy_in, user_id=asha.pk, amount=1, key="in:1", **seat)
        await in_thread(wallet.buy_in, user_id=bela.pk, amount=5, key="in:2", **seat)
        assert await receive(page) == chips(995)


async def test_what_was_missed_is_told_with_the_next_ping(live_site, asha):
    session = await in_thread(session_of, asha)
    async with page_of(live_site, session) as page:
        assert await receive(page) == chips(1_000)
        # Past the services, so that nobody is told.
        await in_thread(post, "raw:1", f"PLAYER,{asha.pk},HOUSE,0,CHIPS,9,ADJUSTMENT")
        await page.send("{}")
        assert await receive(page) == chips(991)
        assert await receive(page) == {"type": "pong"}
        await page.send("{}")
        assert await receive(page) == {"type": "pong"}


def test_without_redis_money_moves_all_the_same(asha, settings, caplog):
    with tell_by(redis_layers("redis://127.0.0.1:1/0"), settings):
        PageNotifier().take({asha.pk}, "balance")
        wait_until(lambda: "1 hints not sent" in caplog.text, seconds=SECONDS)
    wallet.buy_in(user_id=asha.pk, seat_id=7, amount=1, currency=CHIPS, key="in:7")
