"""A dozen screens compared with their golden pictures and screen reader texts (docs/testing.md says how to renew)."""

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, ViewportSize, expect
from redis import Redis
from websockets.sync.client import connect
from websockets.typing import Origin

from accounts.models import User
from history.models import Puzzle
from players.ranking import goals
from tables.live import presence
from tables.models import Table
from tests.e2e.pictures import RENEWS, SAMPLE, draw_sample, listen, look
from tests.e2e.seated import PATIENCE, STATUS, draw_for, expect_cards, expect_online, table_of_two
from tests.e2e.test_basic import lay_out as basic_table
from tests.e2e.test_contract import lay_out as contract_table
from tests.e2e.test_gin import lay_out as gin_table
from tests.e2e.test_pool_match import table_of_three
from tests.e2e.test_rummikub import BESIDE, LIES, REBUILT, on_wire
from tests.e2e.test_rummikub import lay_out as rummikub_table
from tests.e2e.visitor import visit_as
from tests.e2e.world import World, make_world
from tests.tables.driving import (
    act,
    expire_turn,
    game_view,
    hand_of,
    play_a_turn,
    player_at,
)
from tests.tables.gin_deals import knock
from tests.tables.pools import give_scores
from tests.tables.socket_client import session_of
from tests.workers import wait_until
from tournaments.models import tournament

PHONE = ViewportSize(width=360, height=740)
LYING = ViewportSize(width=740, height=360)
TABLET = ViewportSize(width=1024, height=640)
UPRIGHT = ViewportSize(width=768, height=1400)
DESK = ViewportSize(width=1152, height=720)
NOON = datetime(2026, 1, 5, 6, 30, tzinfo=UTC)
# Time left to a table's next deadline, half a second from the change of the shown number.
LEFT_MS = 26_500
CLOCK = "0:27"
SEAT_CLOCK = ".seat--acting.seat--own .seat__clock"
NEXT_DEAL = '[data-region="result-next"]'
ASK_CLOCK = '[data-region="ask"] [data-part="timer"]'


@dataclass(frozen=True)
class Screen:
    name: str
    path: str
    who: User | None = None
    size: ViewportSize = field(default_factory=lambda: DESK)
    scheme: Literal["light", "dark"] = "light"
    covered: tuple[str, ...] = ()
    """Selectors of what is another picture in every run."""


DAYS = (".profile-head__facts",)
# The remaining time at the player's own tables, and tournament times.
TIMES = (".own-table__clock", ".own-table__ring", "[data-starts]")


def pages(world: World) -> list[Screen]:
    replay = f"/matches/{world.match.pk}/deals/1/#4"
    registering = f"/tournaments/{world.registering.pk}/"
    running = f"/tournaments/{world.running.pk}/"
    return [
        Screen("lobby", "/", covered=TIMES),
        Screen("lobby-phone-dark", "/", world.nila, PHONE, "dark", TIMES),
        Screen("replay", replay, world.nila, covered=TIMES),
        Screen("replay-phone-dark", replay, world.nila, PHONE, "dark", TIMES),
        Screen("rules-phone", "/rules/", None, PHONE),
        Screen("tournament-phone-dark", registering, world.nila, PHONE, "dark", TIMES),
        Screen("tournament-bracket", running, covered=TIMES),
        Screen("tournaments", "/tournaments/", covered=TIMES),
        # The chart's line covers the seconds in which the world was made.
        Screen("wallet", "/wallet/", world.nila, UPRIGHT, covered=(".chart__canvas", *TIMES)),
        Screen("profile", f"/players/{world.nila.pk}/", world.nila, covered=(*DAYS, *TIMES)),
        Screen("settings-phone", "/accounts/settings/", world.ravi, PHONE, covered=TIMES),
        Screen("login-dark", "/accounts/login/", None, DESK, "dark"),
        Screen("offline-phone", "/offline/en/", None, PHONE),
        Screen("administration", "/admin/", world.staff, covered=(".is-alarm strong",)),
    ]


def stop_clock(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    """Stop the server's clock shortly before the table's next deadline."""
    due_at = game_view(table)["due_at"]
    if due_at is None:
        assert table.deadline_at is not None
        due_at = int(table.deadline_at.timestamp() * 1_000)
    monkeypatch.setattr(presence, "estimate_database_time", lambda: due_at - LEFT_MS)


@contextmanager
def show(browser: Browser, site: str, screen: Screen, *, clock: str = "") -> Iterator[Page]:
    """Show a screen. The running clock of a table, with the selector `clock`, must show `CLOCK`."""
    with visit_as(browser, site, screen.who, scheme=screen.scheme, fixed_time=NOON) as visitor:
        visitor.page.set_viewport_size(screen.size)
        visitor.visit(screen.path)
        if clock:
            expect_online(visitor.page)
            expect(visitor.page.locator(STATUS)).to_have_text("Connected", timeout=PATIENCE)
            expect(visitor.page.locator(clock)).to_contain_text(CLOCK, timeout=PATIENCE)
        yield visitor.page


@contextmanager
def others_at(site: str, table: Table, seat: int) -> Iterator[None]:
    """Connect all other players of the table, so that nobody is shown as away."""
    others = [number for number in range(table.max_seats) if number != seat]
    known = f"presence:{table.pk}"
    address = f"{site.replace('http', 'ws', 1)}/ws/tables/{table.pk}/"
    hello = json.dumps({"type": "hello", "epoch": "", "v": 0})
    with ExitStack() as stack:
        redis = stack.enter_context(Redis.from_url(settings.PRESENCE_REDIS_URL))
        # Presence of another test's table with the same id.
        redis.delete(known)
        for number in others:
            headers = {"Cookie": f"sessionid={session_of(player_at(table, number))}"}
            socket = connect(address, origin=Origin(site), additional_headers=headers, proxy=None)
            stack.enter_context(socket).send(hello)
        wait_until(lambda: all(redis.hexists(known, str(number)) for number in others))
        yield


class Gallery:
    """Compares screens one after the other, and reports all faults at the end."""

    def __init__(self, browser: Browser, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.browser = browser
        self.site = site
        self.monkeypatch = monkeypatch
        self.faults: list[str] = []

    def look(self, *screens: Screen, clock: str = "") -> None:
        """Compare one page in the size and theme of each of these screens, which share their path."""
        with show(self.browser, self.site, screens[0], clock=clock) as page:
            for screen in screens:
                page.set_viewport_size(screen.size)
                page.emulate_media(color_scheme=screen.scheme)
                self.faults.append(look(self.browser, page, screen.name, screen.covered))

    def look_at_table(
        self, table: Table, seat: int, *screens: tuple[Any, ...], clock: str = SEAT_CLOCK
    ) -> None:
        """Compare a player's page of a table. Each screen is (name, size, theme). All other players are connected."""
        stop_clock(self.monkeypatch, table)
        path, player = f"/tables/{table.pk}/", player_at(table, seat)
        with others_at(self.site, table, seat):
            self.look(*(Screen(name, path, player, *how) for name, *how in screens), clock=clock)

    def hear(self, screen: Screen) -> None:
        with show(self.browser, self.site, screen) as page:
            self.faults.append(listen(page.locator("main"), screen.name))

    def close(self) -> None:
        assert self.faults
        if RENEWS:
            SAMPLE.write_bytes(draw_sample(self.browser))
        faults = [*filter(None, self.faults), "docs/testing.md says how to renew a golden"]
        assert not any(self.faults), "\n".join(faults)


@pytest.fixture(autouse=True)
def whoever_has_come_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat the other players' sockets as connected, although they do not ping as pages do."""
    monkeypatch.setattr(presence, "AWAY_AFTER_MS", 3_600_000)


@pytest.fixture(autouse=True)
def every_day_has_the_same_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    three = [goal for goal in goals.THIRD if goal.code == "three"]
    monkeypatch.setattr(goals, "THIRD", three)


@pytest.fixture
def gallery(browser: Browser, live_site: str, monkeypatch: pytest.MonkeyPatch) -> Gallery:
    # A tournament's draw is always the same, like the deals of tests (tests/conftest.py).
    chance = random.Random(1)
    monkeypatch.setattr(tournament, "secrets", SimpleNamespace(token_bytes=chance.randbytes))
    return Gallery(browser, live_site, monkeypatch)


def test_pages_look_as_they_did(gallery):
    world = make_world()
    # Without a daily puzzle, the page shows the oldest puzzle, which is always the same.
    Puzzle.objects.update(daily_on=None)
    for _page, screens in groupby(pages(world), lambda screen: (screen.path, screen.who)):
        gallery.look(*screens)
    gallery.hear(Screen("lobby", "/", world.ravi))
    gallery.hear(Screen("wallet", "/wallet/", world.nila))
    gallery.close()


def test_a_deal_looks_as_it_did(gallery):
    table = table_of_two()
    play_a_turn(table)
    play_a_turn(table)
    seat = game_view(table)["turn"]
    gallery.look_at_table(table, seat, ("table",), ("table-lying-dark", LYING, "dark"))
    draw_for(table)
    gallery.look_at_table(table, seat, ("table-phone", PHONE))
    drawn = hand_of(table, seat)["drawn"]
    assert act(table, seat, kind="finish", card=drawn).refusal is None
    gallery.look_at_table(table, seat, ("declaring-phone-dark", PHONE, "dark"))
    # Groups of unsorted cards make a wrong declaration.
    groups = hand_of(table, seat)["groups"]
    assert act(table, seat, kind="declare", groups=groups).refusal is None
    results = ("result-tablet", TABLET), ("result-phone-dark", PHONE, "dark")
    gallery.look_at_table(table, seat, *results, clock=NEXT_DEAL)
    gallery.close()


def test_the_question_whether_to_come_back_looks_as_it_did(gallery):
    table = table_of_three()
    first, second, third = game_view(table)["order"]
    give_scores(table, {first: 100, second: 20, third: 40})
    for seat in (first, second):
        assert act(table, seat, kind="drop").refusal is None
    asked = ("rejoin-tablet", TABLET), ("rejoin-phone-dark", PHONE, "dark")
    gallery.look_at_table(table, first, *asked, clock=ASK_CLOCK)
    gallery.close()


def test_gin_looks_as_it_did(gallery):
    table, first, dealer = gin_table()
    for seat in (first, dealer):
        assert act(table, seat, kind="pass").refusal is None
    assert act(table, first, kind="draw", source="closed").refusal is None
    gallery.look_at_table(table, first, ("gin-turn",), ("gin-turn-phone-dark", PHONE, "dark"))
    knock(table, first)
    gallery.look_at_table(
        table,
        dealer,
        ("gin-defend-tablet", TABLET),
        ("gin-defend-phone", PHONE),
        ("gin-defend-lying", LYING),
    )
    gallery.close()


def test_basic_rummy_looks_as_it_did(gallery):
    table, first, second = basic_table()
    melds = [["5H.0", "6H.0", "7H.0"], ["KS.0", "KD.0", "KC.0"]]
    assert act(table, first, kind="draw", source="closed").refusal is None
    assert act(table, first, kind="meld", groups=melds).refusal is None
    assert act(table, first, kind="discard", card="9D.0").refusal is None
    assert act(table, second, kind="draw", source="closed").refusal is None
    assert act(table, second, kind="lay_off", meld=0, cards=["8H.0"]).refusal is None
    gallery.look_at_table(table, second, ("basic-turn",), ("basic-turn-phone-dark", PHONE, "dark"))
    gallery.close()


def test_contract_rummy_looks_as_it_did(gallery):
    table, (begins, asked, _third) = contract_table()
    assert act(table, begins, kind="draw", source="closed").refusal is None
    gallery.look_at_table(table, asked, ("contract-buy",), ("contract-buy-phone", PHONE))
    # Nobody buys. The window's time may not be over yet if the pictures were taken quickly.
    expire_turn(table)
    laid = [
        {"cards": ["9C.0", "9D.0", "9S.0"], "as": ["9C", "9D", "9S"]},
        {"cards": ["4H.0", "5H.0", "PJ.0", "7H.0"], "as": ["4H", "5H", "6H", "7H"]},
    ]
    assert act(table, begins, kind="contract", melds=laid).refusal is None
    screens = ("contract-laid-tablet-dark", TABLET, "dark"), ("contract-laid-lying", LYING)
    gallery.look_at_table(table, begins, *screens)
    gallery.close()


def test_rummikub_looks_as_it_did(gallery):
    table, first, second = rummikub_table(*BESIDE, lying=LIES)
    lay = on_wire(table, first, REBUILT)
    assert act(table, first, kind="lay", table=lay).refusal is None
    # Tiles that the last lay added or moved are marked.
    screens = ("rummikub-turn",), ("rummikub-turn-lying-dark", LYING, "dark")
    gallery.look_at_table(table, second, *screens)
    draft = [
        *on_wire(table, second, REBUILT + "|8S 8D"),
        {"cards": ["QH.0", "QC.0", "PJ.1"], "as": None},
    ]
    assert act(table, second, kind="arrange", rev=1, table=draft).refusal is None
    drafts = ("rummikub-draft-tablet", TABLET), ("rummikub-draft-phone-dark", PHONE, "dark")
    gallery.look_at_table(table, second, *drafts)
    gallery.close()


def test_a_screen_reader_finds_the_table_as_it_did(browser, live_site, monkeypatch):
    table = table_of_two()
    play_a_turn(table)
    seat = game_view(table)["turn"]
    stop_clock(monkeypatch, table)
    screen = Screen("table", f"/tables/{table.pk}/", player_at(table, seat))
    changes = []
    with others_at(live_site, table, seat):
        with show(browser, live_site, screen, clock=SEAT_CLOCK) as page:
            changes.append(listen(page.locator("main"), "table-draw"))
            page.keyboard.press("c")
            expect_cards(page, 14)
            changes.append(listen(page.locator("main"), "table-discard"))
        drawn = hand_of(table, seat)["drawn"]
        assert act(table, seat, kind="discard", card=drawn).refusal is None
        assert act(table, game_view(table)["turn"], kind="drop").refusal is None
        stop_clock(monkeypatch, table)
        with show(browser, live_site, screen, clock=NEXT_DEAL) as page:
            changes.append(listen(page.locator("main"), "result"))
    assert not any(changes), "\n".join(changes)
