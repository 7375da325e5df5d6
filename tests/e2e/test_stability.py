"""The first picture of a page is the right one: nothing jumps when scripts and sockets come."""

from typing import Any

from playwright.sync_api import Browser, ViewportSize, expect

from tests.e2e.visitor import visit_as
from tests.e2e.world import World

MOST_SHIFT = 0.02
SCREENS = (ViewportSize(width=360, height=740), ViewportSize(width=1280, height=800))
# Shifts since the page began, as the browser itself counts them, and what moved.
WATCH_SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node?.className ?? node?.nodeName ?? "");
    globalThis.shifts.push({ value, moved });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
AFTER_SOME_FRAMES = """async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  return globalThis.shifts;
}"""


def test_pages_do_not_jump(browser: Browser, live_site: str, world: World) -> None:
    jumps: list[str] = []
    tables = [f"/tables/{table.pk}/" for table in (world.playing, world.waiting)]
    with visit_as(browser, live_site, world.nila) as visitor:
        page = visitor.page
        page.context.add_init_script(WATCH_SHIFTS)
        for size in SCREENS:
            page.set_viewport_size(size)
            for path in ("/", *tables, "/tournaments/", "/wallet/", "/accounts/profile/"):
                visitor.visit(path)
                if path in tables:
                    expect(page.locator("body")).to_have_attribute(
                        "data-net", "online", timeout=30_000
                    )
                shifts: list[dict[str, Any]] = page.evaluate(AFTER_SOME_FRAMES)
                total = sum(shift["value"] for shift in shifts)
                if total >= MOST_SHIFT:
                    jumps.append(f"{path} at {size['width']}: {total:.3f} {shifts}")
    assert not jumps, "\n".join(jumps)
