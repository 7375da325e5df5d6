"""A visitor who walks through the site and records the faults of its pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, Request, Response, WebSocket

from accounts.models import User
from tables.models import Table
from tests.e2e.seated import expect_online, wait_for
from tests.e2e.world import cookie, sign_in

# The window options of every test, so that tests can share contexts (tests/e2e/contexts.py).
WINDOW: dict[str, Any] = {
    "locale": "en-IN",
    "timezone_id": "Asia/Kolkata",
    "reduced_motion": "reduce",
    "viewport": {"width": 1280, "height": 800},
}


class Visitor:
    """A browser window with one page, and the faults found in it."""

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.site = site
        self.faults: list[str] = []
        self.page: Page = context.new_page()
        context.on("console", lambda message: self._hear(message.type, message.text))
        context.on("weberror", lambda error: self.faults.append(f"page error: {error.error}"))
        context.on("requestfailed", self._note_failed)
        context.on("response", self._note_answer)

    def visit(self, path: str, *, status: int = 200) -> Response:
        answer = self.open(path, status=status)
        assert answer.status == status, path
        return answer

    def open_table(self, table: Table) -> None:
        """Visit a table's page, and wait until it is connected."""
        self.visit(f"/tables/{table.pk}/")
        expect_online(self.page)

    def open(self, path: str, *, status: int = 200) -> Response:
        """Load a page. An answer with another status than `status` is recorded as a fault."""
        answer = self.page.goto(self.site + path, wait_until="load")
        assert answer is not None
        if status != 200:
            page_itself = (
                f"{status}: {answer.url}",
                f"the server responded with a status of {status}",
            )
            self.faults[:] = [f for f in self.faults if not any(own in f for own in page_itself)]
        if answer.status != status:
            self.faults.append(f"answers {answer.status} instead of {status}")
        return answer

    def _hear(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.faults.append(f"console {kind}: {text}")

    def _note_failed(self, request: Request) -> None:
        # A request that is aborted because the page is left is not a fault.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _note_answer(self, answer: Response) -> None:
        if answer.status >= 400:
            self.faults.append(f"{answer.status}: {answer.url}")


@contextmanager
def await_groups(page: Page) -> Iterator[None]:
    """When the block ends, wait until the socket of the page loaded in it has joined its groups."""
    frames: list[str | bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.once("framereceived", lambda frame: frames.append(frame))  # noqa: PLW0108 - not builtins

    page.once("websocket", listen)
    yield
    wait_for(page, lambda: frames != [])


@contextmanager
def visit_as(  # noqa: PLR0913 - the ways in which browsers differ
    browser: Browser,
    site: str,
    user: User | None,
    *,
    language: str = "en",
    scheme: Literal["light", "dark"] = "light",
    fixed_time: datetime | None = None,
    zone: str | None = None,
) -> Iterator[Visitor]:
    """Open a browser window for `user`, signed in, or for a visitor if None.

    Its clock stands at `fixed_time`, in the time zone `zone`.
    """
    # A fixed time is an option of the context pool (tests/e2e/contexts.py).
    options = WINDOW if fixed_time is None else {**WINDOW, "fixed_time": fixed_time}
    if zone is not None:
        options = {**options, "timezone_id": zone}
    context = browser.new_context(**options)
    context.add_cookies([cookie(site, "django_language", language)])
    if user is not None:
        sign_in(context, site, user)
    try:
        visitor = Visitor(context, site)
        visitor.page.emulate_media(color_scheme=scheme)
        yield visitor
    finally:
        context.close()
