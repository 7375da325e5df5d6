"""Checks of a page: axe's rules, targets large enough for a finger, no sideways scrolling.

The page's policy forbids `eval`, so all checks run through the browser's debugging protocol.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page, ViewportSize

from tests.given import require

AXE = Path(__file__).parents[1] / "vendor/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LEAST_TARGET = 24
SMALL_PHONE = ViewportSize(width=360, height=740)
PHONE = ViewportSize(width=390, height=844)
LYING_PHONE = ViewportSize(width=844, height=390)
DESK = ViewportSize(width=1280, height=800)
SIZES = (SMALL_PHONE, PHONE, LYING_PHONE, DESK)

_RUN_AXE = """async (only) => {
  const { violations } = await axe.run(document, {
    runOnly: only,
    resultTypes: ["violations"],
    // What the tests look at is the whole page; no part of it is a page of its own.
    iframes: false,
    // No rule that runs looks at the sheets, and reading them adds an inline one, which is refused.
    preload: false,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}"""

# Time for the page to react to a new window size.
_SOME_FRAMES = """async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""

# Links within a line are as high as the line (WCAG 2.2, 2.5.8, "inline"); a box with a label
# is hit by its label too.
_SMALL_TARGETS = """(least) => {
  const all = document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]",
  );
  const small = [];
  for (const element of all) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.matches(".skip-link, .visually-hidden, :disabled")) continue;
    if (element.matches("a") && getComputedStyle(element).display === "inline") continue;
    const boxes = [element, ...(element.labels ?? [])].map((part) => part.getBoundingClientRect());
    if (boxes.some(({ width, height }) => width >= least && height >= least)) continue;
    const { width, height } = boxes[0];
    small.push(`${element.outerHTML.slice(0, 160)} is ${width} x ${height}`);
  }
  return small;
}"""

_TOO_WIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  );
  return [`${scrollWidth} wide`, ...wide.slice(0, 3).map((part) => part.outerHTML.slice(0, 160))];
}"""


@cache
def _axe() -> str:
    return AXE.read_text()


def load_axe_with_every_page(page: Page) -> None:
    """Let the browser load axe before each page's own scripts, which is cheaper than loading it afterwards."""
    page.add_init_script(_axe())


def axe_faults(page: Page) -> list[str]:
    """Return every violation of an axe rule, with its element."""
    return _run_axe(page, RULES)


def contrast_faults(page: Page) -> list[str]:
    """Return violations of the contrast rule, the only one that depends on the theme."""
    return _run_axe(page, {"type": "rule", "values": ["color-contrast"]})


def _run_axe(page: Page, only: object) -> list[str]:
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_axe())
    found: list[Any] = page.evaluate(_RUN_AXE, only)
    return found


def faults_in_both_themes(page: Page) -> list[str]:
    """Return the faults at the current size: axe's rules, contrast in both themes, width and small targets."""
    page.emulate_media(color_scheme="light")
    faults = [f"light: {fault}" for fault in axe_faults(page)]
    page.emulate_media(color_scheme="dark")
    faults += [f"dark: {fault}" for fault in contrast_faults(page)]
    return [*faults, *too_wide(page), *small_targets(page)]


def faults_at(page: Page, size: ViewportSize, sizes: Sequence[ViewportSize] = SIZES) -> list[str]:
    """Return the faults at one of several sizes, which are given from narrow to wide.

    Width and targets are checked at each size. Axe runs at the first size in the light theme. It runs in the dark
    theme at the last size, where the page has another layout.
    """
    found = [*too_wide(page), *small_targets(page)]
    if size in (sizes[0], sizes[-1]):
        page.emulate_media(color_scheme="light" if size == sizes[0] else "dark")
        found += axe_faults(page)
    return found


def faults_at_sizes(page: Page, sizes: Sequence[ViewportSize] = SIZES) -> list[str]:
    """Resize the page from narrow to wide. Return the faults at each size."""
    faults: list[str] = []
    for size in sizes:
        resize(page, size)
        faults += [f"at {size['width']}: {fault}" for fault in faults_at(page, size, sizes)]
    return faults


def resize(page: Page, size: ViewportSize) -> None:
    """Set the window's size, and wait until the page's layout has followed."""
    page.set_viewport_size(size)
    page.evaluate(_SOME_FRAMES)


def measure_box(part: Locator) -> FloatRect:
    return require(part.bounding_box())


def small_targets(page: Page) -> list[str]:
    page.wait_for_load_state()  # its style sheets are there
    found: list[str] = page.evaluate(_SMALL_TARGETS, LEAST_TARGET)
    return found


CUT_OFF = """() => {
  const lists = [...document.querySelectorAll(".results, .panel-table")].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  );
  const fields = [...document.querySelectorAll(".form-row :is(.vTextField, textarea)")].filter((field) => {
    const { right, width } = field.getBoundingClientRect();
    return width > 0 && (width < 100 || right > field.closest(".form-row").getBoundingClientRect().right);
  });
  return [
    ...lists.map(({ scrollWidth, clientWidth }) => `a list is cut off: ${scrollWidth} > ${clientWidth}`),
    ...fields.map(({ name }) => `the field ${name} is cut off`),
  ];
}"""


def cut_off(page: Page) -> list[str]:
    """Return the administration's lists and fields that are cut off or too narrow to read."""
    found: list[str] = page.evaluate(CUT_OFF)
    return found


def too_wide(page: Page) -> list[str]:
    page.wait_for_load_state()  # its style sheets are there
    found: list[str] = page.evaluate(_TOO_WIDE)
    return found
