"""Elements around a table, on phone and desk: nothing covers a name, a clock, a badge or a card.

Names have full length. Tables with many melds also show every seat, the clock and the hand. tests/e2e/coached.py
checks the same beside the coach.
"""

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import User
from tests.e2e.inspection import resize, small_targets, too_wide
from tests.e2e.seated import CARDS, PATIENCE, open_page, table_of
from tests.e2e.test_basic import lay_out
from tests.tables.driving import act, game_view

SIZES = {
    "phone, upright": ViewportSize(width=390, height=844),
    "short phone": ViewportSize(width=360, height=640),
    "phone, lying": ViewportSize(width=844, height=390),
    "desk": ViewportSize(width=1366, height=768),
    "small desk": ViewportSize(width=1280, height=800),
    "tablet": ViewportSize(width=1024, height=768),
    "tablet, upright": ViewportSize(width=768, height=1024),
    "large desk": ViewportSize(width=1920, height=1080),
    "largest desk": ViewportSize(width=2560, height=1440),
}
TABLES = {
    "indian": [("points", 2), ("points", 3), ("points", 6)],
    "gin": [("points", 2)],
    "basic": [("points", 2), ("points", 4), ("points", 6)],
    "contract": [("single", 3), ("single", 5), ("single", 7), ("single", 8)],
    "rummikub": [("points", 2), ("points", 4)],
    "five_hundred": [("points", 2), ("points", 5), ("points", 8)],
}
FULL = {("basic", 6), ("contract", 5), ("contract", 8), ("rummikub", 4)}
SIZES_WHEN_FULL = (
    ViewportSize(width=1152, height=720),
    ViewportSize(width=360, height=740),
    ViewportSize(width=740, height=360),
    ViewportSize(width=768, height=1024),
    ViewportSize(width=1920, height=1080),
)

# Shows every clock, as if each seat were to move, and every badge, as if each player were away, and measures before
# the page hides them again. A text is as wide as its drawn letters. Returns pairs that share more than a pixel, and
# elements outside the felt.
OVERLAPS = """() => {
  const seen = [];
  const add = (seat, part, box) => {
    if (box.width > 0 && box.height > 0) seen.push({ what: `${part} of seat ${seat}`, box });
  };
  const written = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    const left = Math.max(text.left, own.left), right = Math.min(text.right, own.right);
    return { left, right, top: text.top, bottom: text.bottom, width: right - left, height: text.height };
  };
  for (const seat of document.querySelectorAll(".felt .seat")) {
    const clock = seat.querySelector(".seat__clock");
    if (clock !== null) {
      clock.hidden = false;
      clock.textContent = "+2:59";
    }
    if (seat.querySelector(".seat__mark") === null && seat.querySelector(".seat__face") !== null) {
      const mark = document.createElement("span");
      mark.className = "seat__mark";
      mark.textContent = "missed 1 of 3";
      seat.append(mark);
    }
  }
  for (const seat of document.querySelectorAll(".felt .seat")) {
    const number = seat.dataset.seat;
    for (const part of [".seat__name", ".seat__stack"]) {
      const element = seat.querySelector(part);
      if (element !== null && getComputedStyle(element).clipPath === "none") add(number, part, written(element));
    }
    for (const part of [".seat__clock", ".seat__mark", ".seat__toss"]) {
      const element = seat.querySelector(part);
      if (element !== null) add(number, part, element.getBoundingClientRect());
    }
  }
  // The own line: who one is, the clock, the count of the hand, and the ways out of the deal.
  const own = document.querySelector(".me .seat");
  const count = document.querySelector(".me__count");
  if (own !== null) {
    own.querySelector(".seat__clock").hidden = false;
    own.querySelector(".seat__clock").textContent = "+2:59";
    if (own.querySelector(".seat__mark") === null) {
      const mark = document.createElement("span");
      mark.className = "seat__mark";
      mark.textContent = "missed 1 of 3";
      own.append(mark);
    }
    const isCapped = document.querySelector(".table").dataset.game === "indian";
    if (isCapped) count.textContent = "Hand 80 (max.)";
    const name = own.querySelector(".seat__name");
    if (getComputedStyle(name).clipPath === "none") add("own", "name", written(name));
    add("own", "clock", own.querySelector(".seat__clock").getBoundingClientRect());
    // It is cut off where its line ends.
    const mark = own.querySelector(".seat__mark").getBoundingClientRect();
    const right = Math.min(mark.right, own.parentElement.getBoundingClientRect().right);
    const shown = { left: mark.left, right, top: mark.top, bottom: mark.bottom };
    add("own", "mark", { ...shown, width: right - mark.left, height: mark.height });
    for (const element of document.querySelectorAll(".dock__me .me__count, .dock__me .button")) {
      add("own", element.className, element.getBoundingClientRect());
    }
  }
  for (const part of [".pool", ".notice", ".pile__stack", ".pile__label"]) {
    for (const element of document.querySelectorAll(`.centre ${part}`)) {
      if (part === ".pile__stack") add("none", part, element.getBoundingClientRect());
      else if (element.textContent.trim() !== "") add("none", part, written(element));
    }
  }
  const faults = [];
  const { top } = document.querySelector(".felt").getBoundingClientRect();
  for (const [index, one] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      const size = `${across.toFixed(0)} x ${down.toFixed(0)} px`;
      if (across > 1 && down > 1) faults.push(`${one.what} / ${other.what}: ${size}`);
    }
    const isOut = one.box.left < -1 || one.box.right > innerWidth + 1 || one.box.top < top - 1;
    if (isOut) faults.push(`${one.what} is cut off`);
  }
  return faults;
}"""


@pytest.mark.parametrize(
    ("game", "preset", "seats"),
    [(game, *table) for game, tables in TABLES.items() for table in tables],
)
def test_names_clocks_badges_and_cards_never_overlap(game, preset, seats, page, live_site):
    table = table_of(seats, game=game, preset=preset)
    User.objects.update(player_name=Concat("player_name", Value(" of Mahabale")))
    own = game_view(table)["turn"]
    faults = []
    open_page(page, live_site, table, own)
    expect(page.locator(".seat--away")).to_have_count(seats - 1, timeout=PATIENCE)
    if (game, seats) in FULL:
        for size in SIZES_WHEN_FULL:
            resize(page, size)
            expect_all_seen(page, own, seats)
            faults += too_wide(page) + small_targets(page)
    for name, size in SIZES.items():
        faults += [f"{name}: {fault}" for fault in overlaps(page, size)]
    assert not faults, "\n".join(faults)


def expect_all_seen(page: Page, own: int, seats: int) -> None:
    for seat in range(seats):
        place = page.locator(f'.seat[data-seat="{seat}"]')
        expect(place).to_be_in_viewport(ratio=0.75)
        if seat != own:
            expect(place).to_contain_text(f"Player {seat + 1}")
    expect(page.locator(".seat--own .seat__clock")).to_be_in_viewport(ratio=0.99)
    for card in (page.locator(CARDS).first, page.locator(CARDS).last):
        expect(card).to_be_in_viewport(ratio=0.5)


def overlaps(page: Page, size: ViewportSize) -> list[str]:
    resize(page, size)
    found: list[str] = page.evaluate(OVERLAPS)
    return found


# A card's height in pixels at each window size. A card's width is its height divided by 1.42.
HEIGHTS = {
    "desk": 115,
    "tablet": 115,
    "large desk": 162,
    "largest desk": 190,
    "phone, upright": 99,
    "phone, lying": 82,
}
# Heights of the first card in the hand, on the open pile and in a meld, and the size of the text in a seat.
MEASURE = """() => {
  const height = (selector) => document.querySelector(selector)?.getBoundingClientRect().height ?? 0;
  const text = parseFloat(getComputedStyle(document.querySelector(".felt .seat__stack")).fontSize);
  return [height(".hand .card"), height(".pile--open .pile__stack"), height(".laid .card"), text];
}"""


def test_cards_and_texts_grow_with_the_window(page, live_site):
    table, first, second = lay_out()
    laid = [["5H.0", "6H.0", "7H.0"]]
    assert act(table, first, kind="draw", source="closed").refusal is None
    assert act(table, first, kind="meld", groups=laid).refusal is None
    open_page(page, live_site, table, second)
    for name, expected in HEIGHTS.items():
        resize(page, SIZES[name])
        hand, pile, meld, text = page.evaluate(MEASURE)
        assert hand == pytest.approx(expected, abs=1.5), name
        if "phone" not in name:
            assert pile == pytest.approx(expected, abs=1.5), name
            assert meld == pytest.approx(expected * 0.6, abs=1.5), name
        assert text >= (16 if expected > 150 else 12), name
