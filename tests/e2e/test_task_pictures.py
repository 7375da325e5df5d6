"""The pictures of docs/tasks: each shows the step at which the task is done.

`PICTURES=renew bin/test pytest tests/e2e/test_task_pictures.py` takes them anew, and writes those that
differ. Any other run looks whether each task has one that is small.
"""

import base64
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize

from tables.models import SupportMessage
from tests.e2e.pictures import make_times_alike
from tests.e2e.visitor import Visitor
from tests.e2e.world import World, make_world
from wallet.models import Deposit, Withdrawal

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "docs/tasks"
PICTURES = ROOT / "docs/images/tasks"
RENEWS = os.environ.get("PICTURES") == "renew"
LARGEST_BYTES = 60_000
SIZE = ViewportSize(width=1_180, height=680)
QUALITY = 60


def fee(visitor: Visitor, _world: World) -> str:
    visitor.visit("/admin/wallet/feeschedule/")
    page = visitor.page
    page.click("text=Another fee at one stake")
    page.select_option("[name=format]", "indian:POINTS")
    page.fill("[name=stake]", "50")
    page.fill("[name=rake_bps]", "5")
    page.fill("[name=reason]", "Fifty-chip tables were too dear.")
    page.click("text=Show before and after")
    page.wait_for_load_state()
    return "text=Set this fee"


def table(visitor: Visitor, _world: World) -> str:
    visitor.visit("/admin/tables/houserules/add/")
    page = visitor.page
    page.fill("[name=name]", "Mild points")
    page.select_option("[name=preset]", "indian:points")
    page.fill("[name=reason_for_audit]", "Asked for by the club.")
    page.click("[name=_continue], [name=_save]")
    page.wait_for_load_state()
    page.fill("[name=rule_max_points]", "60")
    return "[name=rule_max_points]"


def tournament(visitor: Visitor, _world: World) -> str:
    visitor.visit("/admin/tournaments/tournamenttemplate/add/")
    page = visitor.page
    for name, text in {
        "name": "Sunday Cup",
        "times": "10:00",
        "entry_fee": "100",
        "rake_bps": "10",
    }.items():
        page.fill(f"[name={name}]", text)
    page.select_option("[name=preset]", "indian:deals2")
    page.click("[name=weekdays][value='0']")
    page.wait_for_selector("[data-preview-url] >> text=every Sunday at 10:00")
    return "[data-preview-url]"


def cancel(visitor: Visitor, world: World) -> str:
    visitor.visit(f"/admin/tournaments/tournament/{world.running.pk}/change/")
    page = visitor.page
    page.fill("[name=reason]", "The hall has no power.")
    page.click("[name=decision][value=cancel]")
    page.wait_for_load_state()
    return "[data-region=consequences]"


def chips(visitor: Visitor, world: World) -> str:
    visitor.visit(f"/admin/accounts/user/{world.ravi.pk}/change/")
    page = visitor.page
    page.click("[data-region=tools] >> text=Give or take chips")
    page.fill("[name=amount]", "500")
    page.fill("[name=reason]", "Won the club's quiz.")
    return "[name=amount]"


def freeze(visitor: Visitor, world: World) -> str:
    visitor.visit(f"/admin/accounts/user/{world.ravi.pk}/change/")
    visitor.page.fill("[name=reason]", "Two accounts at one table.")
    return "[name=decision][value=freeze]"


def dispute(visitor: Visitor, world: World) -> str:
    SupportMessage.objects.filter(case_id=world.case).update(text="The clock stood still.")
    visitor.visit(f"/admin/tables/supportcase/{world.case}/change/")
    visitor.page.wait_for_selector(".replay__move")
    visitor.page.fill("[name=reason]", "The clock ran all the time.")
    return "[data-region=said]"


def withdrawal(visitor: Visitor, world: World) -> str:
    number = Withdrawal.objects.get(reference=world.withdrawal).pk
    visitor.visit(f"/admin/wallet/withdrawal/{number}/change/")
    visitor.page.fill("[name=reason]", "Identity and winnings agree.")
    return ".field-identity"


def refund(visitor: Visitor, world: World) -> str:
    number = Deposit.objects.create(
        user=world.nila, amount=25_000, provider="sandbox", reference="back-1", payment_id="p1",
        state="REFUND_REFUSED", refused_for="FROZEN", decided_at=timezone.now(),
    ).pk  # fmt: skip
    visitor.visit(f"/admin/wallet/deposit/{number}/change/")
    visitor.page.fill("[name=reason]", "Sent back by bank transfer.")
    return "[name=decision][value=refunded]"


def role(visitor: Visitor, world: World) -> str:
    visitor.visit(f"/admin/accounts/user/{world.leela.pk}/change/")
    page = visitor.page
    page.click("[data-region=tools] >> text=Roles")
    page.get_by_label("support").check()
    page.fill("[name=reason]", "Answers players from Monday on.")
    return "[name=reason]"


STEPS: dict[str, Callable[[Visitor, World], str]] = {
    step.__name__: step
    for step in (
        fee, table, tournament, cancel, chips, freeze, dispute, withdrawal, refund, role
    )
}  # fmt: skip
"""Steps to the picture of each task. Each returns the selector of the part to show."""


@pytest.fixture
def world() -> World:
    return make_world()


def test_each_task_has_its_picture_and_each_picture_is_small():
    named = {
        path.stem: re.findall(r"\]\(\.\./images/tasks/(\w+)\.webp\)", path.read_text())
        for path in TASKS.glob("*.md")
    }
    assert named == {name: [name] for name in STEPS}
    sizes = {path.stem: path.stat().st_size for path in PICTURES.iterdir()}
    assert sizes.keys() == STEPS.keys()
    assert {name: size for name, size in sizes.items() if size > LARGEST_BYTES} == {}


if RENEWS:

    def test_pictures_are_taken_anew(visit, world):
        PICTURES.mkdir(exist_ok=True)
        for name, step in STEPS.items():
            with visit(world.staff) as visitor:
                visitor.page.set_viewport_size(SIZE)
                shown = visitor.page.locator(step(visitor, world)).first
                shown.scroll_into_view_if_needed()
                shown.evaluate("part => part.scrollIntoView({ block: 'center' })")
                picture = take_picture(visitor.page)
            path = PICTURES / f"{name}.webp"
            if not path.exists() or path.read_bytes() != picture:
                path.write_bytes(picture)


# What the window shows of the page itself, without the menu and the head.
CONTENT = """() => {
  const { left, right, top, bottom } = document.querySelector("#content").getBoundingClientRect();
  const [from, to] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  return { x: left, y: window.scrollY + from, width: right - left, height: to - from, scale: 1 };
}"""


def take_picture(page: Page) -> bytes:
    """Take the page as WebP, with one day and time for all."""
    make_times_alike(page)
    page.evaluate("document.activeElement?.blur()")
    session = page.context.new_cdp_session(page)
    asked = {"format": "webp", "quality": QUALITY, "clip": page.evaluate(CONTENT)}
    return base64.b64decode(session.send("Page.captureScreenshot", asked)["data"])
