"""Ten jobs of an operator, each done in one place with a limited number of pages and presses.

`PICTURES=renew bin/test pytest tests/e2e/test_ten_jobs.py` takes the pictures of docs/tasks again, at the step that
completes each job, and writes those that differ. Any other run checks that each task has a small enough picture.
"""

import base64
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from allauth.usersessions.models import UserSession
from django.utils import timezone
from playwright.sync_api import Page, Response, expect

from accounts.models import User
from history.models import CaseState, MatchCorrection, SupportCase, SupportMessage
from tables.models import Table, TableTemplate
from tests.e2e.pictures import make_times_alike
from tests.given import reload, require
from tests.programs import ROOT
from tournaments.models import Tournament, TournamentTemplate
from wallet.api import get_player_balances
from wallet.models import Deposit, FeeSchedule, Withdrawal

TASKS = ROOT / "docs/tasks"
PICTURES = ROOT / "docs/images/tasks"
RENEWS = os.environ.get("PICTURES") == "renew"
LARGEST_BYTES = 60_000
QUALITY = 60
# Returns the visible part of the page's content, without menu and header.
CONTENT = """() => {
  const { left, right, top, bottom } = document.querySelector("#content").getBoundingClientRect();
  const [from, to] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  return { x: left, y: window.scrollY + from, width: right - left, height: to - from, scale: 1 };
}"""


class Desk:
    """The administration, with its pages and presses counted. Typing is free."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.site = page, site
        self.pages = self.presses = 0
        self.shown: set[str] = set()
        page.on("response", self._note)

    def _note(self, answer: Response) -> None:
        is_page = answer.request.is_navigation_request() and answer.status < 300
        self.pages += is_page and answer.frame == self.page.main_frame

    @contextmanager
    def job(self, *, pages: int, presses: int) -> Iterator[None]:
        """Do a job from the first page, which does not count, within these numbers of pages and presses."""
        self.page.goto(f"{self.site}/admin/")
        self.pages = self.presses = 0
        yield
        assert self.pages <= pages
        assert self.presses <= presses

    def press(self, selector: str) -> None:
        self.presses += 1
        self.page.click(selector)

    def menu(self, group: str, entry: str) -> None:
        """Open the group in the menu, unless it is open, then the page or its Add link."""
        closed = f'#nav-sidebar details:not([open]) > summary:text-is("{group}")'
        if self.page.locator(closed).count():
            self.press(closed)
        self.press(f"#nav-sidebar {entry}")

    def choose(self, field: str, value: str) -> None:
        self.presses += 1
        self.page.select_option(f"[name={field}]", value)

    def fill(self, **fields: str) -> None:
        for name, text in fields.items():
            self.page.fill(f"[name={name}]", text)

    def find(self, text: str) -> None:
        self.presses += 1
        self.page.fill("[name=q]", text)
        self.page.press("[name=q]", "Enter")
        self.page.wait_for_load_state()

    def show(self, task: str, selector: str) -> None:
        """Check that this part of the page is visible. If pictures are renewed, take the task's picture of it."""
        self.shown.add(task)
        part = self.page.locator(selector).first
        expect(part).to_be_visible()
        if RENEWS:
            part.evaluate("part => part.scrollIntoView({ block: 'center' })")
            write_picture(PICTURES / f"{task}.webp", take_picture(self.page))

    def hear(self, words: str) -> None:
        expect(self.page.locator(".messagelist")).to_contain_text(words)


def take_picture(page: Page) -> bytes:
    """Return the page as WebP, with all dates and times replaced by the same one."""
    make_times_alike(page)
    page.evaluate("document.activeElement?.blur()")
    session = page.context.new_cdp_session(page)
    asked = {"format": "webp", "quality": QUALITY, "clip": page.evaluate(CONTENT)}
    return base64.b64decode(session.send("Page.captureScreenshot", asked)["data"])


def write_picture(path: Path, picture: bytes) -> None:
    if not path.exists() or path.read_bytes() != picture:
        path.write_bytes(picture)


def test_each_task_has_its_picture_and_each_picture_is_small():
    named = {
        path.stem: re.findall(r"\]\(\.\./images/tasks/(\w+)\.webp\)", path.read_text())
        for path in TASKS.glob("*.md")
    }
    assert named == {name: [name] for name in named}
    sizes = {path.stem: path.stat().st_size for path in PICTURES.iterdir()}
    assert sizes.keys() == named.keys()
    assert {name: size for name, size in sizes.items() if size > LARGEST_BYTES} == {}


def test_each_task_takes_few_pages_and_presses(visit, live_site, world):
    refused = Deposit.objects.create(
        user=world.nila, amount=25_000, provider="sandbox", reference="back-1", payment_id="p1",
        state="REFUND_REFUSED", refused_for="FROZEN", decided_at=timezone.now(),
    )  # fmt: skip
    Table.objects.filter(pk=world.match.table_id).update(currency="INR")
    correction = MatchCorrection.objects.create(
        match=world.match, payer=world.nila, payee=world.ravi, amount=5_000,
        reason="The last card was counted twice.", proposed_by=world.leela,
    )  # fmt: skip
    with visit(world.staff) as visitor:
        visitor.page.set_viewport_size({"width": 1_180, "height": 680})
        desk = Desk(visitor.page, live_site)
        set_another_fee(desk)
        open_a_table_with_house_rules(desk)
        schedule_a_tournament(desk)
        cancel_a_tournament(desk, world.running)
        give_chips(desk, world.ravi)
        freeze_a_player(desk, world.ravi)
        answer_a_dispute(desk, world.case)
        approve_a_withdrawal(desk, Withdrawal.objects.get(reference=world.withdrawal))
        note_a_refund(desk, refused)
        put_a_match_right(desk, correction)
        give_a_role(desk, world.leela)
        assert desk.shown == {path.stem for path in TASKS.glob("*.md")}


def set_another_fee(desk: Desk) -> None:
    with desk.job(pages=4, presses=6):
        desk.menu("Money", "[href='/admin/wallet/feeschedule/']")
        desk.press("text=Another fee at one stake")
        desk.choose("format", "indian:POINTS")
        desk.fill(stake="50", rake_bps="5", reason="Fifty-chip tables were too dear.")
        desk.press("text=Show before and after")
        desk.show("fee", "text=Set this fee")
        desk.press("text=Set this fee")
        desk.hear("Indian rummy · Points at 50 chips: 5 %")
    assert FeeSchedule.objects.get(stake_from=50, stake_to=50).rake_bps == 500


def open_a_table_with_house_rules(desk: Desk) -> None:
    with desk.job(pages=5, presses=8):
        desk.menu("Play", "[href='/admin/tables/houserules/add/']")
        desk.fill(name="Mild points", reason_for_audit="Asked for by the club.")
        desk.choose("preset", "indian:points")
        desk.press("[name=_save]")
        desk.fill(rule_max_points="60")
        desk.show("table", "[name=rule_max_points]")
        desk.fill(reason_for_audit="Asked for by the club.")
        desk.press("[name=_continue]")
        desk.press("text=Add a table by these rules")
        desk.fill(name="Mango Shade", point_value="1", reason_for_audit="Asked for by the club.")
        desk.press("[name=is_open]")
        desk.press("[name=_save]")
        desk.hear("Mango Shade")
    template = TableTemplate.objects.get(name="Mango Shade")
    assert template.is_open
    assert require(template.house_rules).changes == {"max_points": 60}


def schedule_a_tournament(desk: Desk) -> None:
    with desk.job(pages=2, presses=6):
        desk.menu("Tournaments", "[href='/admin/tournaments/tournamenttemplate/add/']")
        desk.fill(name="Sunday Cup", times="10:00", entry_fee="100", rake_bps="10")
        desk.choose("preset", "indian:deals2")
        desk.press("[name=weekdays][value='0']")
        preview = desk.page.locator("[data-preview-url]")
        expect(preview).to_contain_text("every Sunday at 10:00")
        expect(preview).to_contain_text("27,000 chips")
        desk.show("tournament", "[data-preview-url]")
        desk.press("[name=is_open]")
        desk.fill(reason_for_audit="For the weekend.")
        desk.press("[name=_save]")
        desk.hear("Sunday Cup")
    template = TournamentTemplate.objects.get(name="Sunday Cup")
    assert (template.schedule, template.is_open) == ("0 10 * * 0", True)


def cancel_a_tournament(desk: Desk, running: Tournament) -> None:
    with desk.job(pages=4, presses=5):
        desk.menu("Tournaments", "[href='/admin/tournaments/tournament/']")
        desk.press(f"#result_list a[href^='/admin/tournaments/tournament/{running.pk}/']")
        desk.fill(reason="The hall has no power.")
        desk.press("[name=decision][value=cancel]")
        asked = desk.page.locator("[data-region=consequences]")
        expect(asked).to_contain_text("1 player gets 100 chips back")
        desk.show("cancel", "[data-region=consequences]")
        desk.press("[name=confirmed]")
        desk.hear("is cancelled. Everybody gets their fees back")


def give_chips(desk: Desk, player: User) -> None:
    before = get_player_balances(player.pk).chips
    with desk.job(pages=3, presses=3):
        desk.find(player.player_name)
        desk.press("[data-region=tools] >> text=Give or take chips")
        desk.fill(amount="500", reason="Won the club's quiz.")
        desk.show("chips", "[name=amount]")
        desk.press(".submit-row button")
        desk.hear("gets 500 chips.")
    assert get_player_balances(player.pk).chips == before + 500


def freeze_a_player(desk: Desk, player: User) -> None:
    """Afterwards the page still shows from where the player has signed in."""
    UserSession.objects.create(
        user=player, session_key="of-a-phone", ip="203.0.113.7", user_agent="Android"
    )
    with desk.job(pages=2, presses=2):
        desk.find(player.player_name)
        desk.fill(reason="Two accounts at one table.")
        desk.show("freeze", "[name=decision][value=freeze]")
        desk.press("[name=decision][value=freeze]")
        desk.hear("is frozen, and every session has ended.")
        devices = desk.page.locator("[data-region=panel-devices]")
        expect(devices).to_contain_text("203.0.113.7")
    assert not UserSession.objects.filter(user=player).exists()


def answer_a_dispute(desk: Desk, case: int) -> None:
    SupportMessage.objects.filter(case_id=case).update(text="The clock stood still.")
    with desk.job(pages=3, presses=3):
        desk.menu("Today", "[href='/admin/history/supportcase/']")
        desk.press(f"#result_list a[href^='/admin/history/supportcase/{case}/']")
        expect(desk.page.locator("[data-region=said]")).to_contain_text("The clock stood still.")
        expect(desk.page.locator(".replay__move").first).to_be_visible()
        desk.fill(reason="The clock ran all the time.")
        desk.show("dispute", "[data-region=said]")
        desk.press("[name=decision][value=close]")
        desk.hear("The case is closed.")
    assert SupportCase.objects.get(pk=case).state == CaseState.CLOSED


def approve_a_withdrawal(desk: Desk, withdrawal: Withdrawal) -> None:
    with desk.job(pages=3, presses=4):
        desk.menu("Money", "[href='/admin/wallet/withdrawal/']")
        desk.press(f"#result_list a[href^='/admin/wallet/withdrawal/{withdrawal.pk}/']")
        identity = desk.page.locator(".field-identity")
        expect(identity).to_contain_text("Nila Rao · approved")
        desk.fill(reason="Identity and winnings agree.")
        desk.show("withdrawal", ".field-identity")
        desk.press("[name=decision][value=approve]")
        desk.hear("Approved: it will be paid out within a minute.")
    assert reload(withdrawal).state != Withdrawal.State.REQUESTED


def note_a_refund(desk: Desk, deposit: Deposit) -> None:
    """The first page shows the waiting refund in red."""
    with desk.job(pages=3, presses=3):
        desk.press('.is-alarm:has-text("Refunds refused") a')
        desk.press(f"#result_list a[href^='/admin/wallet/deposit/{deposit.pk}/']")
        desk.fill(reason="Sent back by bank transfer.")
        desk.show("refund", "[name=decision][value=refunded]")
        desk.press("[name=decision][value=refunded]")
        desk.hear("The deposit now counts as paid back.")
    assert reload(deposit).state == Deposit.State.REFUNDED


def put_a_match_right(desk: Desk, correction: MatchCorrection) -> None:
    """The correction was proposed by another staff member."""
    with desk.job(pages=3, presses=4):
        desk.menu("Money", "[href='/admin/history/matchcorrection/']")
        desk.press(f"#result_list a[href^='/admin/history/matchcorrection/{correction.pk}/']")
        desk.fill(reason="The replay shows it.")
        desk.show("correction", "[name=decision][value=approve]")
        desk.press("[name=decision][value=approve]")
        desk.hear("The match is corrected, and both players are told.")
    assert reload(correction).state == MatchCorrection.State.APPROVED


def give_a_role(desk: Desk, player: User) -> None:
    with desk.job(pages=3, presses=4):
        desk.find(player.player_name)
        desk.press("[data-region=tools] >> text=Roles")
        desk.page.get_by_label("support").check()
        desk.presses += 1
        desk.fill(reason="Answers players from Monday on.")
        desk.show("role", "[name=reason]")
        desk.press(".submit-row button")
        desk.hear("Leela has these roles now: support.")
    assert reload(player).is_staff
