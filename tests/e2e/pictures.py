"""Golden files of pages: pictures, and the text that a screen reader finds."""

import base64
import difflib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import Browser, Locator, Page, ViewportSize

ROOT = Path(__file__).resolve().parents[2]
GOLDENS = Path(__file__).with_name("goldens")
# The sample below, as the browser drew it that took the pictures.
SAMPLE = GOLDENS / "sample.png"
# Folder for pictures that differ. It is not kept in the repository.
RESULTS = ROOT / "test-results/goldens"
RENEWS = os.environ.get("GOLDENS") == "renew"
# In a browser that draws letters like the one of the golden pictures, no pixel differs from run to run. Another
# processor may round an edge or a shadow by a step or two, which is not counted. On some rotated cards, edges differ
# by more: a hundred pixels on a phone. A changed word or a moved line differs by more than that.
NOTICED = 8
MOST_DIFFERENT = 0.0005
# In a browser that draws letters differently, their edges differ: without hinting, by up to 0.94 % of a screen.
MOST_DIFFERENT_LETTERS = 0.02
# A page that is still being drawn gets this many more looks before it counts as different.
LOOKS = 20
PAUSE_MS = 250

Seen = TypeVar("Seen", bytes, str)

# Letters in all weights that a page uses. They reveal another font, or another way of drawing it.
_SAMPLE = """<body style="margin:8px;font:16px system-ui,sans-serif">
<p>Rummy 0123456789 <b>Draw</b> <i>Discard</i> ₹1,00,000 · 80</p>
<p style="font-weight:650">Mango Grove</p><p style="font-family:serif">KQJA</p>
<p style="font-family:'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">10 J Q K A</p>
<p style="font-family:monospace">abcdef0123</p><p style="font-size:28px">रमी खेलें</p></body>"""
# Replaces all dates and times, which differ from run to run, by the same one in the same format.
_ONE_TIME = """() => {
  const month = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
  const alike = (text) =>
    text
      .replace(/\\b\\d{4}-\\d{2}-\\d{2}\\b/g, "2026-01-05")
      .replace(new RegExp(`\\\\b\\\\d{1,2} ${month}\\\\b( \\\\d{4})?`, "g"), (_, __, year) =>
        year ? "5 Jan 2026" : "5 Jan",
      )
      .replace(/\\b\\d{2}:\\d{2}(:\\d{2})?( IST)?\\b/g, (_, seconds) => (seconds ? "10:00:00" : "10:00"));
  // Or the page's script would write them again; if it has yet to come, they have the site's zone.
  for (const time of document.querySelectorAll("[data-moment]")) delete time.dataset.moment;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = alike(node.data);
    if (text !== node.data) node.data = text;
  }
}"""
_TWO_FRAMES = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}"""
_COMPARE = """async ([golden, taken, noticed]) => {
  const read = async (data) => {
    const blob = await (await fetch(`data:image/png;base64,${data}`)).blob();
    const picture = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, picture.width, picture.height);
  };
  const [one, other] = [await read(golden), await read(taken)];
  if (one.width !== other.width || one.height !== other.height) {
    return { pixels: -1, of: 1, marked: "" };
  }
  const marked = new ImageData(one.width, one.height);
  let pixels = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    const isOther = [0, 1, 2].some(
      (part) => Math.abs(one.data[at + part] - other.data[at + part]) > noticed,
    );
    if (isOther) pixels += 1;
    // What differs in red, on the picture made pale.
    for (const part of [0, 1, 2]) marked.data[at + part] = 200 + other.data[at + part] / 5;
    if (isOther) marked.data.set([220, 0, 0], at);
    marked.data[at + 3] = 255;
  }
  const of = one.width * one.height;
  if (pixels === 0) return { pixels, of, marked: "" };
  const canvas = new OffscreenCanvas(one.width, one.height);
  canvas.getContext("2d").putImageData(marked, 0, 0);
  const reader = new FileReader();
  const done = new Promise((resolve) => { reader.onload = resolve; });
  reader.readAsDataURL(await canvas.convertToBlob());
  await done;
  return { pixels, of, marked: reader.result.split(",")[1] };
}"""


@dataclass(frozen=True)
class Difference:
    """The differing pixels of two pictures. `share` is 1 if the sizes differ; `marked` is a picture of the place."""

    pixels: int
    share: float
    marked: bytes
    allowed: float = MOST_DIFFERENT

    @property
    def is_seen(self) -> bool:
        return self.share > self.allowed


@contextmanager
def blank_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 400, "height": 320})
    try:
        yield context.new_page()
    finally:
        context.close()


@cache
def draw_sample(browser: Browser) -> bytes:
    with blank_page(browser) as page:
        page.set_content(_SAMPLE)
        return page.screenshot()


@cache
def allowed_share(browser: Browser) -> float:
    """Return the share of pixels that may differ from golden pictures in this browser."""
    drawn_alike = not compare(browser, SAMPLE.read_bytes(), draw_sample(browser)).pixels
    return MOST_DIFFERENT if drawn_alike else MOST_DIFFERENT_LETTERS


def make_times_alike(page: Page) -> None:
    page.evaluate(_ONE_TIME)


def take(page: Page, covered: Sequence[str] = ()) -> bytes:
    """Return the window as PNG. `covered` lists selectors of elements that look different in every run."""
    make_times_alike(page)
    _draw_anew(page)
    return page.screenshot(
        animations="disabled",
        caret="hide",
        mask=[page.locator(selector) for selector in covered],
        mask_color="#808080",
    )


def _draw_anew(page: Page) -> None:
    """Redraw the page in one go, so that the edges of rotated cards are always the same.

    Otherwise they depend on the order in which the browser drew the page's parts.
    """
    size = page.viewport_size
    assert size is not None
    larger = ViewportSize(width=size["width"], height=size["height"] + 8)
    for each in (larger, size):
        page.set_viewport_size(each)
        page.evaluate(_TWO_FRAMES)


def compare(browser: Browser, golden: bytes, taken: bytes) -> Difference:
    if golden == taken:
        return Difference(0, 0, b"")
    pictures = [base64.b64encode(picture).decode() for picture in (golden, taken)]
    with blank_page(browser) as page:
        found: dict[str, Any] = page.evaluate(_COMPARE, [*pictures, NOTICED])
    pixels = int(found["pixels"])
    share = 1 if pixels < 0 else pixels / int(found["of"])
    return Difference(pixels, share, base64.b64decode(found["marked"]))


def look(browser: Browser, page: Page, name: str, covered: Sequence[str] = ()) -> str:
    """Compare the window to its golden picture. Return the differences, or an empty string if there are none.

    If pictures are to be renewed, write the golden picture instead.
    """
    golden = GOLDENS / f"{name}.png"
    if RENEWS:
        golden.write_bytes(_await_rest(page, lambda: take(page, covered)))
        return ""
    if not golden.exists():
        return f"{name}: no golden picture yet"
    known, allowed = golden.read_bytes(), allowed_share(browser)

    def differ(seen: bytes) -> Difference:
        return replace(compare(browser, known, seen), allowed=allowed)

    taken = _look_until(page, lambda: take(page, covered), lambda seen: not differ(seen).is_seen)
    found = differ(taken)
    if not found.is_seen:
        return ""
    RESULTS.mkdir(parents=True, exist_ok=True)
    pictures = {"golden": known, "taken": taken, "difference": found.marked}
    for part, picture in pictures.items():
        (RESULTS / f"{name}.{part}.png").write_bytes(picture)
    folder = RESULTS.relative_to(ROOT)
    if not found.marked:
        return f"{name}: it has another size, see {folder}/{name}.taken.png"
    return f"{name}: {found.pixels} pixels differ, see {folder}/{name}.difference.png"


def _look_until(page: Page, look: Callable[[], Seen], is_right: Callable[[Seen], bool]) -> Seen:
    """Look until the result is right, up to `LOOKS` times. Return the last result."""
    seen = look()
    for _ in range(LOOKS - 1):
        if is_right(seen):
            break
        page.wait_for_timeout(PAUSE_MS)
        seen = look()
    return seen


def _await_rest(page: Page, look: Callable[[], Seen]) -> Seen:
    """Return the picture as soon as three in a row are equal."""
    seen = [look()]
    while len(seen) < 3 or len(set(seen[-3:])) > 1:
        assert len(seen) < LOOKS, f"{page.url} never comes to rest"
        page.wait_for_timeout(PAUSE_MS)
        seen.append(look())
    return seen[-1]


def listen(part: Locator, name: str) -> str:
    """Compare what a screen reader finds in a part of a page to its golden text.

    Return the lines of a diff, or an empty string if there is no difference. The text does not depend on the
    browser's version or its fonts. If goldens are to be renewed, write the text instead.
    """
    golden = GOLDENS / f"{name}.yaml"
    if RENEWS:
        golden.write_text(_await_rest(part.page, lambda: _words(part)))
        return ""
    known = golden.read_text() if golden.exists() else ""
    found = _look_until(part.page, lambda: _words(part), lambda seen: seen == known)
    lines = difflib.unified_diff(
        known.splitlines(), found.splitlines(), f"{name} as it was", f"{name} now", lineterm=""
    )
    return "\n".join(lines)


def _words(part: Locator) -> str:
    make_times_alike(part.page)
    return part.aria_snapshot() + "\n"
