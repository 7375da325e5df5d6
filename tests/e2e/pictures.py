"""Pages as they were when somebody last looked: pictures, what screen readers read; comparing."""

import base64
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
GOLDENS = Path(__file__).with_name("goldens")
MADE_OF = GOLDENS / "made_of.json"
# Where a picture that differs goes, beside the golden one; not kept in the repository.
RESULTS = ROOT / "test-results/goldens"
# "renew": take the pictures anew; "strict": compare although the sources have changed.
MODE = os.environ.get("GOLDENS", "")
# Of all pixels; a colour is another one from this difference of a channel on.
MOST_DIFFERENT = 0.005
NOTICED = 24

# Letters that a page uses, in every weight: another font or another way to draw it shows here.
_SAMPLE = """<body style="margin:8px;font:16px system-ui,sans-serif">
<p>Rummy 0123456789 <b>Draw</b> <i>Discard</i> ₹1,00,000 · 80</p>
<p style="font-weight:650">Mango Grove</p><p style="font-family:serif">KQJA</p>
<p style="font-family:monospace">abcdef0123</p><p style="font-size:28px">रमी खेलें</p></body>"""
# Small files: what is compared is what the same packing makes of both.
_PACK = """async (data) => {
  const blob = await (await fetch(`data:image/png;base64,${data}`)).blob();
  const picture = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d").drawImage(picture, 0, 0);
  const packed = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
  return btoa(String.fromCharCode(...new Uint8Array(await packed.arrayBuffer())));
}"""
_COMPARE = """async ([golden, taken, noticed]) => {
  const read = async (data) => {
    const blob = await (await fetch(`data:image/webp;base64,${data}`)).blob();
    const picture = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, picture.width, picture.height);
  };
  const [one, other] = [await read(golden), await read(taken)];
  if (one.width !== other.width || one.height !== other.height) return 1;
  let different = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    const channels = [0, 1, 2].map((part) => Math.abs(one.data[at + part] - other.data[at + part]));
    if (Math.max(...channels) > noticed) different += 1;
  }
  return different / (one.width * one.height);
}"""


@contextmanager
def blank_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 400, "height": 260})
    try:
        yield context.new_page()
    finally:
        context.close()


def made_of(browser: Browser) -> dict[str, str]:
    """What pictures hang on besides the pages: the browser, its fonts; and the sources."""
    with blank_page(browser) as page:
        page.set_content(_SAMPLE)
        text = hashlib.sha256(page.screenshot()).hexdigest()
    return {"chromium": browser.version, "text": text, "sources": _sources()}


def _sources() -> str:
    """All that can change how a page looks."""
    digest = hashlib.sha256()
    folders = ("templates", "static", "locale", "config", "accounts", "wallet", "tables")
    for folder in (*folders, "tournaments", "tests/e2e/world.py", "tests/e2e/test_goldens.py"):
        path = ROOT / folder
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def why_not_comparable(browser: Browser, *, drawn: bool) -> str:
    """Why what is seen here and now would tell nothing; empty if it would. `drawn`: a picture, not
    only words."""
    if MODE == "renew":
        return ""
    recorded: dict[str, str] = json.loads(MADE_OF.read_text())
    here = made_of(browser)
    if not drawn:
        recorded |= {"text": here["text"]}
    if recorded["chromium"] != here["chromium"]:
        return f"taken with Chromium {recorded['chromium']}, this is {here['chromium']}"
    if recorded["text"] != here["text"]:
        return "taken on a machine with other fonts"
    if recorded["sources"] != here["sources"] and MODE != "strict":
        return "the pages have changed since; GOLDENS=strict compares all the same"
    return ""


def difference(browser: Browser, name: str, picture: bytes) -> float:
    """The part of the pixels that differ; 1 for another size. Renews where that was asked for."""
    golden = GOLDENS / f"{name}.webp"
    with blank_page(browser) as page:
        taken: str = page.evaluate(_PACK, base64.b64encode(picture).decode())
        if MODE == "renew":
            GOLDENS.mkdir(exist_ok=True)
            golden.write_bytes(base64.b64decode(taken))
            return 0
        kept = base64.b64encode(golden.read_bytes()).decode()
        found: Any = page.evaluate(_COMPARE, [kept, taken, NOTICED])
    if found > MOST_DIFFERENT:
        RESULTS.mkdir(parents=True, exist_ok=True)
        (RESULTS / f"{name}.webp").write_bytes(base64.b64decode(taken))
    return float(found)


def golden_words(name: str, words: str) -> str:
    """What was read there before. Renews where that was asked for."""
    golden = GOLDENS / f"{name}.yaml"
    if MODE == "renew":
        GOLDENS.mkdir(exist_ok=True)
        golden.write_text(words)
    return golden.read_text()


def note_what_they_are_made_of(browser: Browser) -> None:
    MADE_OF.write_text(json.dumps(made_of(browser), indent=2) + "\n")
