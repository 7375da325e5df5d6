"""What a page is held to: axe's rules, targets a finger can hit, no sideways scrolling.

The page may evaluate nothing, so everything here runs through the browser's own protocol.
"""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[1] / "vendor/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LEAST_TARGET = 24

_RUN_AXE = """async (tags) => {
  const { violations } = await axe.run(document, {
    runOnly: tags,
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


def axe_faults(page: Page) -> list[str]:
    """Every violation of a rule, with the element."""
    page.evaluate(_axe())
    found: list[Any] = page.evaluate(_RUN_AXE, RULES)
    return found


def small_targets(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_SMALL_TARGETS, LEAST_TARGET)
    return found


def too_wide(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_TOO_WIDE)
    return found
