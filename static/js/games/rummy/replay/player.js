// The page of a replay: its buttons, keys and tabs.

import { find, readJson, region, setAttribute } from "../../../lib/dom.js";
import { nameIn, readIsolated } from "../../../table/core/isolated.js";
import { framesOf } from "./timeline.js";
import { openTabs } from "./tabs.js";
import { ReplayView } from "./view.js";

/**
 * @param {import("./timeline.js").ReplayGame} game
 * @param {typeof ReplayView} View
 */
export function openReplay(game, View = ReplayView) {
  const texts = readJson("replay-texts");
  nameIn(texts);
  const frames = framesOf(readIsolated(find("#replay-deal")), texts, game.tellers);
  const view = new View(region("replay"), texts, frames, game);
  const seatChoice = /** @type {HTMLSelectElement} */ (region("seat"));
  const openChoice = /** @type {HTMLInputElement} */ (region("all-open"));
  const paceChoice = /** @type {HTMLSelectElement} */ (region("pace"));
  const slider = /** @type {HTMLInputElement} */ (region("slider"));
  const last = frames.length - 1;

  let index = Math.min(last, Math.max(0, Number.parseInt(location.hash.slice(1), 10) - 1 || 0));
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  function render() {
    const seat = Number.parseInt(seatChoice.value, 10);
    view.render(index, { seat: Number.isNaN(seat) ? null : seat, open: openChoice.checked });
    slider.value = String(index);
    for (const name of ["first", "back"]) setAttribute(action(name), "disabled", index === 0);
    for (const name of ["next", "last"]) setAttribute(action(name), "disabled", index === last);
  }

  /** @param {string} name */
  const action = (name) => find(`[data-action="${name}"]`);

  /** @param {number} to */
  function go(to) {
    index = Math.min(last, Math.max(0, to));
    if (index === last) stop();
    history.replaceState(null, "", `#${index + 1}`);
    render();
  }

  function stop() {
    clearInterval(timer);
    timer = undefined;
    view.showPlaying(false);
  }

  function start() {
    stop();
    if (index === last) go(0);
    timer = setInterval(() => go(index + 1), Number(paceChoice.value));
    view.showPlaying(true);
  }

  const togglePlay = () => (timer === undefined ? start() : stop());

  /** @param {number} to */
  const jump = (to) => {
    stop();
    go(to);
  };

  /** @type {Record<string, () => void>} */
  const ACTIONS = {
    first: () => jump(0),
    back: () => jump(index - 1),
    play: togglePlay,
    next: () => jump(index + 1),
    last: () => jump(last),
  };
  /** @type {Record<string, keyof typeof ACTIONS>} */
  const KEYS = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-action], [data-move], [data-step]") : null;
    if (!(target instanceof HTMLElement)) return;
    if (target.dataset.step !== undefined) {
      // The state before that step.
      const step = Number(target.dataset.step);
      jump(frames.findLastIndex((frame) => frame.steps <= step));
      // On a phone the question lies below the felt.
      find(".stage__table").scrollIntoView({ block: "nearest" });
      return;
    }
    if (target.dataset.move !== undefined) jump(Number(target.dataset.move));
    else ACTIONS[target.dataset.action ?? ""]?.();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.target instanceof Element)) return;
    // Form fields use these keys themselves, and space presses the focused button.
    if (event.target.closest('input, select, textarea, [role="tab"]')) return;
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    const name = KEYS[event.key];
    if (name === undefined) return;
    event.preventDefault();
    ACTIONS[name]?.();
  });

  // A game without piles has no discards.
  find("#tab-discards").hidden = game.piles(/** @type {import("./timeline.js").Frame} */ (frames[0]).state).length === 0;
  openTabs(() => view.mark(index));
  slider.max = String(last);
  slider.addEventListener("input", () => jump(Number(slider.value)));
  for (const choice of [seatChoice, openChoice]) choice.addEventListener("change", render);
  paceChoice.addEventListener("change", () => timer !== undefined && start());
  render();
}
