"""Record docs/images/deal.webp, the moving picture of the README, from a real first deal.

    bin/run                                  # in another terminal
    .venv/bin/python tools/moving_picture.py [http://127.0.0.1:8000]

A guest plays a first deal against a bot, with the coach, in Chromium. Needs `img2webp` (package webp)
and a Chromium, whose path may be given in the variable CHROMIUM.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

TARGET = Path(__file__).resolve().parents[1] / "docs/images/deal.webp"
SIZE = {"width": 1000, "height": 640}
FRAMES, SECONDS_BETWEEN = 62, 0.45
MILLISECONDS_SHOWN = 450
LARGEST_BYTES = 1_500_000
BUTTONS = {
    "draw": "draw-closed",
    "draw_open": "draw-open",
    "pure_there": "group",
    "meld_there": "group",
    "discard": "discard",
    "finish": "finish",
}


def follow_coach(page: Page) -> None:
    """Take the step that the coach suggests, if its button is visible. While the bot moves there may be none."""
    confirm = page.locator('dialog[open] [data-action="confirm"]')
    if confirm.is_visible():
        confirm.click(timeout=1_000)
        return
    advice = page.locator('[data-region="coach"]').get_attribute("data-advice") or ""
    for card in page.locator('[data-region="hand"] .coached[data-card]').all():
        card.click(position={"x": 8, "y": 20}, timeout=1_000)
    button = page.locator(f'[data-action="{BUTTONS.get(advice, "best")}"]').first
    if button.is_visible():
        button.click(timeout=1_000)


def record(site: str, folder: Path) -> list[Path]:
    """Play a deal and return its screenshots in order."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    frames = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(site)
        page.get_by_role("button", name="Play a first deal").click()
        page.locator('[data-region="hand"] [data-card]').nth(12).wait_for()
        for number in range(FRAMES):
            frames.append(folder / f"{number:03}.png")
            page.screenshot(path=frames[-1])
            if number % 3 == 2:
                try:
                    follow_coach(page)
                except Error as error:  # the bot was quicker: the next step is another one
                    print(str(error).partition("\n")[0], file=sys.stderr)
            time.sleep(SECONDS_BETWEEN)
        browser.close()
    return frames


def main(site: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        frames = record(site, Path(folder))
        options = ["-loop", "0", "-lossy", "-q", "55", "-m", "6", "-d", str(MILLISECONDS_SHOWN)]
        subprocess.run(["img2webp", *options, *map(str, frames), "-o", str(TARGET)], check=True)
    size = TARGET.stat().st_size
    print(f"{TARGET}: {len(frames)} frames, {size:,} bytes")
    return 0 if size <= LARGEST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"))
