// Cards, tiles and chips that move over the table, and large letters, in a layer of their own. They show
// what has happened already, nothing waits for them, and a press ends them.

import { PACES, readPreference, wantsMotion } from "../../lib/prefs.js";

/** @typedef {import("../core/game.js").Journey} Journey */
/** @typedef {import("../core/game.js").Pieces} Pieces */
/** @typedef {{journey: Journey, from: DOMRect}} Departure */

const FLIGHT_MS = 240;
const WORD_MS = 1400;
/** The size of a card that flies to a player, as a fraction of the round picture. */
const SHARE_OF_A_FACE = 0.8;

export class Travel {
  /** @param {Pieces} pieces */
  constructor(pieces) {
    this.pieces = pieces;
    this.layer = made("travel");
    this.layer.ariaHidden = "true";
    document.body.append(this.layer);
    /** @type {Set<Animation>} */
    this.running = new Set();
    /** @type {Departure[]} */
    this.departures = [];
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.end(), { capture: true });
  }

  /**
   * Before the table is drawn again: store the starting places.
   *
   * @param {readonly Journey[]} journeys
   */
  depart(journeys) {
    if (!wantsMotion() || document.visibilityState !== "visible") return;
    for (const journey of journeys) {
      const from = rectOf(journey.from);
      if (from !== null) this.departures.push({ journey, from });
    }
  }

  /** After it: everything moves to its new place. */
  arrive() {
    const departures = this.departures.splice(0);
    const flights = departures.flatMap(({ journey, from }) => {
      const to = rectOf(journey.to);
      return to === null || isSame(from, to) ? [] : [{ journey, from, to }];
    });
    for (const { journey, from, to } of flights) this.#fly(journey, from, to);
  }

  /** Large letters for a moment. @param {string} text */
  show(text) {
    const felt = rectOf(".felt");
    if (!wantsMotion() || felt === null) return;
    const word = made("travel__word");
    word.textContent = text;
    // Below the middle of the table and its text.
    word.style.inset = `auto auto ${innerHeight - felt.bottom}px ${felt.x}px`;
    word.style.width = `${felt.width}px`;
    this.layer.append(word);
    const [seen, gone] = [{ scale: 1, opacity: 1 }, { scale: 0.6, opacity: 0 }];
    const frames = [gone, { ...seen, offset: 0.15 }, { ...seen, offset: 0.75 }, { ...gone, scale: 1.3 }];
    this.#run(word.animate(frames, WORD_MS * (PACES[readPreference("motion")] ?? 1)), () => word.remove());
  }

  /** Ends all movements at once. */
  end() {
    for (const animation of this.running) animation.cancel();
  }

  /**
   * @param {Journey} journey
   * @param {DOMRect} from
   * @param {DOMRect} to
   */
  #fly({ card, chip, delay: begins = 0, turns = false, hides = null }, from, to) {
    const pace = PACES[readPreference("motion")] ?? 1;
    const [lasts, delay] = [FLIGHT_MS * pace, begins * pace];
    // Round or wide elements are no pieces, but a player's place.
    const isPlace = to.width > to.height - 1;
    const width = isPlace ? Math.min(to.width, to.height) * SHARE_OF_A_FACE : to.width;
    const start = isPlace || from.width > from.height - 1 ? Math.min(from.width, width) : from.width;
    const element = chip === true ? made("travel__chip") : this.#piece(card ?? null, turns);
    element.classList.add("travel__piece");
    for (const name of ["--card-w", "--tile-w"]) element.style.setProperty(name, `${width}px`);
    const height = chip === true ? width : width * this.pieces.ratio;
    const at = (/** @type {DOMRect} */ rect) =>
      `translate(${rect.x + (rect.width - width) / 2}px, ${rect.y + (rect.height - height) / 2}px)`;
    const timing = { duration: lasts, delay, easing: "cubic-bezier(.25,.7,.3,1)", fill: /** @type {const} */ ("both") };
    this.layer.append(element);
    const frames = [
      { transform: `${at(from)} scale(${start / width})`, opacity: 1 },
      { transform: `${at(to)} scale(1)`, opacity: isPlace ? 0.3 : 1 },
    ];
    this.#run(element.animate(frames, timing), () => element.remove());
    const back = turns ? element.lastElementChild : null;
    if (back !== null) this.#run(back.animate([{ opacity: 1 }, { opacity: 1, offset: 0.45 }, { opacity: 0, offset: 0.55 }, { opacity: 0 }], timing));
    const arriving = hides === null ? null : document.querySelector(hides);
    if (arriving !== null) {
      const hidden = { visibility: "hidden" };
      this.#run(arriving.animate([hidden, hidden], { duration: lasts + delay }));
    }
  }

  /**
   * @param {string | null} card
   * @param {boolean} turns It turns from its back to its face.
   */
  #piece(card, turns) {
    if (card === null) return this.pieces.back();
    const element = this.pieces.picture(card);
    if (turns) {
      const back = this.pieces.back();
      back.classList.add("travel__back");
      element.append(back);
    }
    return element;
  }

  /**
   * @param {Animation} animation
   * @param {() => void} [after]
   */
  #run(animation, after) {
    this.running.add(animation);
    const over = () => {
      this.running.delete(animation);
      after?.();
    };
    animation.finished.then(over, over);
  }
}

/** @param {string} name Of its class. */
function made(name) {
  const element = document.createElement("div");
  element.className = name;
  return element;
}

/**
 * The position of a place; null if it is not visible.
 *
 * @param {string} selector
 */
function rectOf(selector) {
  const rect = document.querySelector(selector)?.getBoundingClientRect() ?? null;
  return rect === null || rect.width === 0 ? null : rect;
}

/**
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
const isSame = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < 4;
