"""Browser contexts that tests hand on, with scripts and style sheets in their cache.

A new context costs about a second of processor time. It has to load and compile every script and style sheet of the
site before it shows a page. After a test, its cookies, permissions, storage, pages and listeners are removed. A
context with a change that cannot be undone is closed.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Frame, Page

# Methods whose effect on a context cannot be undone: scripts of its own, a clock, routes.
_LASTING = (
    "add_init_script",
    "expose_binding",
    "expose_function",
    "route",
    "route_from_har",
    "route_web_socket",
    "set_default_navigation_timeout",
    "set_default_timeout",
    "set_extra_http_headers",
    "set_geolocation",
    "set_offline",
    "set_storage_state",
)
# Stops a page's monotonic clock, which would run on beside a fixed time.
_STOP = "{ const now = performance.now(); performance.now = () => now; }"
_LASTING_CLOCK = ("install", "pause_at", "set_fixed_time", "set_system_time")
# All kinds of storage, except the caches of loaded and compiled files.
_STORAGE = "file_systems,indexeddb,local_storage,service_workers,cache_storage,storage_buckets"
# No test opens more contexts at the same time.
_MOST_IDLE = 4

NewContext = Callable[..., BrowserContext]


@dataclass
class _Lent:
    """A lent context, its changes by the test, and the origins whose storage the test has written."""

    context: BrowserContext
    idle: list["_Lent"]
    is_changed: bool = False
    listeners: list[tuple[Any, Any]] = field(default_factory=list)
    origins: set[str] = field(default_factory=set)
    to_empty: set[str] = field(default_factory=set)

    def lend(self) -> BrowserContext:
        """Wrap the methods that change the context, to record their use. Return the context."""
        context: Any = self.context
        context.close = self.take_back
        context.on = self._listen
        context.new_page = self._open_page
        for owner, names in ((context, _LASTING), (context.clock, _LASTING_CLOCK)):
            for name in names:
                setattr(owner, name, self._note_change(type(owner), owner, name))
        self._listen("page", self._watch)
        return self.context

    def _note_change(self, kind: Any, owner: Any, name: str) -> Callable[..., Any]:
        def change(*args: Any, **options: Any) -> Any:
            self.is_changed = True
            return getattr(kind, name)(owner, *args, **options)

        return change

    def _listen(self, event: Any, listener: Any) -> None:
        self.listeners.append((event, listener))
        BrowserContext.on(self.context, event, listener)

    def _watch(self, page: Page) -> None:
        page.on("framenavigated", self._note_origin)

    def _note_origin(self, frame: Frame) -> None:
        parts = urlsplit(frame.url)
        if parts.scheme.startswith("http"):
            self.origins.add(f"{parts.scheme}://{parts.netloc}")

    def _open_page(self) -> Page:
        page = BrowserContext.new_page(self.context)
        if self.to_empty:
            session = BrowserContext.new_cdp_session(self.context, page)
            for origin in sorted(self.to_empty):
                wanted = {"origin": origin, "storageTypes": _STORAGE}
                session.send("Storage.clearDataForOrigin", wanted)
            session.detach()
            self.to_empty.clear()
        return page

    def close(self) -> None:
        BrowserContext.close(self.context)

    def take_back(self, **_options: Any) -> None:
        context = self.context
        if self.is_changed or len(self.idle) >= _MOST_IDLE:
            self.close()
            return
        for page in context.pages:
            page.close()
        for event, listener in self.listeners:
            context.remove_listener(event, listener)
        self.listeners.clear()
        context.clear_cookies()
        context.clear_permissions()
        self.to_empty |= self.origins
        self.origins.clear()
        self.idle.append(self)


class Contexts:
    """Pool of browser contexts that no test is using, by their options."""

    def __init__(self, new_context: NewContext, init_scripts: tuple[str, ...]) -> None:
        self._new_context = new_context
        self._init_scripts = init_scripts
        self._idle: dict[tuple[Browser, str], list[_Lent]] = defaultdict(list)

    def lend(
        self, browser: Browser, *, fixed_time: datetime | None = None, **options: Any
    ) -> BrowserContext:
        """Lend an idle context with these options, or a new one. Its pages' clocks stand at `fixed_time`."""
        idle = self._idle[browser, repr((fixed_time, sorted(options.items())))]
        if idle:
            return idle.pop().lend()
        context = self._new_context(browser, **options)
        if fixed_time is not None:
            context.clock.set_fixed_time(fixed_time)
            context.add_init_script(_STOP)
        for script in self._init_scripts:
            context.add_init_script(script)
        return _Lent(context, idle).lend()

    def forget(self) -> None:
        """Close the idle contexts, so that the next ones are new."""
        for idle in self._idle.values():
            while idle:
                idle.pop().close()
