"""Layout stability: nothing moves on a page when its scripts and sockets arrive."""

from typing import Any

from tests.e2e.inspection import DESK, SMALL_PHONE
from tests.e2e.seated import expect_online

MOST_SHIFT = 0.02
# Records the page's layout shifts, as the browser measures them, and the elements that moved.
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


def test_pages_do_not_jump(visit, world):
    jumps: list[str] = []
    tables = [f"/tables/{table.pk}/" for table in (world.playing, world.waiting)]
    with visit(world.nila) as visitor:
        page = visitor.page
        page.context.add_init_script(WATCH_SHIFTS)
        for size in (SMALL_PHONE, DESK):
            page.set_viewport_size(size)
            for path in ("/", *tables, "/tournaments/", "/wallet/", "/accounts/settings/"):
                visitor.visit(path)
                if path in tables:
                    expect_online(page)
                shifts: list[dict[str, Any]] = page.evaluate(AFTER_SOME_FRAMES)
                total = sum(shift["value"] for shift in shifts)
                if total >= MOST_SHIFT:
                    jumps.append(f"{path} at {size['width']}: {total:.3f} {shifts}")
    assert not jumps, "\n".join(jumps)
