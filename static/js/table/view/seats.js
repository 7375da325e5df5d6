// The players around the table. The viewer's own place is at the bottom; the others follow clockwise.

import { make, region, setAttribute, setText, sprite } from "../../lib/dom.js";
import { isLong } from "../core/clock.js";
import { placesAround, seatsAround } from "../core/seating.js";
import { isFree } from "../core/stakes.js";
import { say } from "../core/say.js";
import { faceOfPlayer } from "./face.js";
import { amountText, changeText } from "./amounts.js";

/** @typedef {import("../core/game.js").SeatLook} SeatLook */
/** @typedef {import("../core/game.js").TableGame} TableGame */
/** @typedef {import("../core/protocol.js").SeatView} SeatView */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/tell.js").Texts} Texts */
/** @typedef {import("./card.js").CardPainter} CardPainter */

const BUBBLE_MS = 4000;
/** The parts that stay when a seat is redrawn. */
const KEPT = ".seat__bubble, .seat__open";

/** The mark in a bot's name stands beside it, too. @param {NonNullable<SeatView["player"]>} player */
const plainName = ({ name, bot }) => (bot ? name.replace(/ \([^)]*\)$/, "") : name);

/**
 * @typedef {object} SeatModel
 * @property {TableState} state
 * @property {SeatView} seat
 * @property {SeatLook} look
 * @property {boolean} isActing
 * @property {string} away The text about absence; empty for people who are here.
 * @property {number | null} wild
 */

export class SeatsView {
  /**
   * @param {CardPainter} painter
   * @param {Texts} texts
   * @param {string} icons
   */
  constructor(painter, texts, icons) {
    this.painter = painter;
    this.texts = texts;
    this.icons = icons;
    this.root = region("seats");
    this.me = region("me");
    /** @type {Map<number, HTMLElement>} */
    this.elements = new Map();
  }

  /**
   * @param {TableState} state
   * @param {TableGame} game
   * @param {import("../core/protocol.js").Here | null} here Seats with connected browsers, if known.
   */
  render(state, game, here) {
    const own = state.you.seat;
    const others = seatsAround(state, game.order());
    const places = placesAround(others.length, own === null);
    this.root.dataset.count = String(others.length);
    for (const [index, seat] of others.entries()) {
      const element = this.#element(seat);
      element.dataset.place = places[index] ?? "t";
      this.#fill(element, this.#model(state, seat, game, here));
      if (this.root.children[index] !== element) this.root.insertBefore(element, this.root.children[index] ?? null);
    }
    this.me.hidden = own === null;
    if (own === null) return;
    const mine = this.#element(own);
    if (mine.parentElement !== this.me) this.me.prepend(mine);
    this.#fill(mine, this.#model(state, own, game, null));
  }

  /**
   * The place of a seat's clock.
   *
   * @param {number} seat
   */
  clockOf(seat) {
    return this.elements.get(seat)?.querySelector(".seat__clock") ?? null;
  }

  /**
   * @param {TableState} state
   * @param {number} seat
   * @param {TableGame} game
   * @param {import("../core/protocol.js").Here | null} here
   * @returns {SeatModel}
   */
  #model(state, seat, game, here) {
    const view = /** @type {SeatView} */ (state.seats[seat]);
    const isPerson = view.player?.bot === false && !view.stand_in;
    const isHere = here === null || !isPerson || here.seats.includes(seat);
    const away = isHere ? "" : here.elsewhere?.includes(seat) ? "status_elsewhere" : "status_away";
    return { state, seat: view, look: game.seat(seat), isActing: game.acting().includes(seat), away, wild: game.wild() };
  }

  /** @param {number} seat */
  #element(seat) {
    let element = this.elements.get(seat);
    if (element === undefined) {
      element = make("li", { class: "seat", "data-seat": seat });
      this.elements.set(seat, element);
    }
    return element;
  }

  /**
   * @param {HTMLElement} element
   * @param {SeatModel} model
   */
  #fill(element, model) {
    const { seat, state } = model;
    const key = this.#key(model);
    if (element.dataset.key === key) return;
    element.dataset.key = key;
    element.classList.toggle("seat--empty", seat.player === null);
    element.classList.toggle("seat--acting", model.isActing);
    element.classList.toggle("seat--out", model.look.isOut || model.look.beaten !== null);
    element.classList.toggle("seat--away", model.away !== "");
    element.classList.toggle("seat--own", seat.seat === state.you.seat);
    const content = seat.player === null ? this.#empty(model) : this.#taken(model);
    if (seat.seat !== state.you.seat) this.#opener(element, seat);
    for (const child of [...element.children]) if (!child.matches(KEPT)) child.remove();
    element.append(...content);
  }

  /**
   * The whole seat opens its player's card; the button stays while its look changes.
   *
   * @param {HTMLElement} element
   * @param {SeatView} seat
   */
  #opener(element, { seat, player }) {
    const old = element.querySelector(".seat__open");
    if (player === null) {
      old?.remove();
      return;
    }
    const button =
      old ?? make("button", { class: "seat__open", type: "button", "data-action": "player", "data-player": seat });
    setAttribute(button, "aria-label", say(this.texts, "player_of", { name: player.name }));
    if (old === null) element.prepend(button);
  }

  /**
   * Shows a player's line beside them for a moment.
   *
   * @param {number} seat
   * @param {string} words
   */
  say(seat, words) {
    const element = this.elements.get(seat);
    element?.querySelector(".seat__bubble")?.remove();
    const bubble = make("span", { class: "seat__bubble", dir: "auto" }, words);
    element?.append(bubble);
    setTimeout(() => bubble.remove(), BUBBLE_MS);
  }

  /** Everything that a seat shows; while it is unchanged the nodes stay, too. @param {SeatModel} model */
  #key({ state, seat, look, isActing, away, wild }) {
    const paid = state.table.settlement?.amounts[String(seat.seat)];
    return JSON.stringify([seat, look, isActing, away, wild, state.you.seat, state.game === null, paid]);
  }

  /** @param {SeatModel} model */
  #empty({ state, seat }) {
    if (state.you.seat !== null || state.table.event_url) {
      return [make("span", { class: "seat__name" }, say(this.texts, "empty_seat"))];
    }
    return [
      make(
        "button",
        { class: "seat__sit", type: "button", "data-action": "sit", "data-seat": seat.seat },
        sprite(`${this.icons}#plus`, "icon"),
        say(this.texts, "sit_here"),
      ),
    ];
  }

  /** @param {SeatModel} model */
  #taken(model) {
    const { state, seat } = model;
    const player = /** @type {NonNullable<SeatView["player"]>} */ (seat.player);
    const isOwn = seat.seat === state.you.seat;
    const avatar = make("span", { class: "seat__face", "data-frame": player.frame, "aria-hidden": "true" }, faceOfPlayer(player));
    const name = make("span", { class: "seat__name" }, plainName(player));
    if (isOwn) name.append(" ", make("span", { class: "visually-hidden" }, say(this.texts, "you")));
    const stack = amountText(this.texts, seat.stack, state.table.currency);
    const detail = make(
      "span",
      { class: "seat__detail" },
      make("span", { class: "seat__stack" }, model.look.holding ?? (isFree(state.table) ? "" : stack)),
    );
    if (player.guest && !isOwn) detail.append(make("span", { class: "seat__guest" }, say(this.texts, "guest")));
    if (player.bot) detail.append(make("span", { class: "seat__bot" }, say(this.texts, "bot")));
    if (player.rating !== undefined) {
      const title = say(this.texts, "rating_of", { rating: player.rating });
      detail.append(make("abbr", { class: "seat__rating", title }, player.rating));
    }
    return [
      avatar,
      make("span", { class: "seat__text" }, name, detail),
      make("span", { class: "seat__clock", role: isOwn ? "timer" : null, "aria-live": "off", hidden: true }),
      ...this.#marks(model),
      ...(isOwn || model.look.held === 0 ? [] : [fan(model.look.held)]),
      ...(isOwn || model.look.laid === undefined ? [] : [this.#laid(model.look.laid, model.wild)]),
    ];
  }

  /**
   * @param {readonly (readonly string[])[]} groups
   * @param {number | null} wild
   */
  #laid(groups, wild) {
    return make("span", { class: "seat__laid" }, ...groups.map((group) => this.painter.fan(group, wild)));
  }

  /** @param {SeatModel} model */
  #marks({ state, seat, look, away, wild }) {
    const marks = [];
    const own = state.table.settlement?.amounts[String(seat.seat)];
    if (look.isDealer) {
      const mark = make("abbr", { class: "seat__dealer", title: say(this.texts, "dealer") }, "D");
      marks.push(mark);
    }
    if (own !== undefined && look.isOver) {
      const change = changeText(this.texts, own, state.table.currency);
      marks.push(make("span", { class: `seat__mark seat__mark--${own < 0 ? "bad" : "good"}` }, change));
    } else {
      const status = this.#status(state, seat, look);
      const text = away && !look.isOut ? say(this.texts, away) : status;
      if (text !== null) marks.push(make("span", { class: "seat__mark" }, text));
    }
    if (look.card !== null) {
      const picture = this.painter.picture(look.card.card, wild, "card--small seat__toss");
      picture.title = look.card.title;
      marks.push(picture);
    }
    return marks;
  }

  /**
   * @param {TableState} state
   * @param {SeatView} seat
   * @param {SeatLook} look
   */
  #status(state, seat, look) {
    if (look.beaten !== null) return look.beaten;
    if (seat.stand_in) return say(this.texts, "status_stand_in");
    if (seat.state === "leaving") return say(this.texts, "status_leaving");
    if (look.isPlaying) return look.status;
    return seat.state === "waiting" && state.game !== null ? say(this.texts, "status_waiting") : null;
  }
}

/**
 * Backs of the cards that a player holds; a fourteenth one is set apart.
 *
 * @param {number} held
 */
function fan(held) {
  const backs = Array.from({ length: held }, (_, index) => {
    const back = make("i", {});
    back.style.setProperty("--i", String(index - (held - 1) / 2));
    return back;
  });
  return make("span", { class: "seat__fan", "aria-hidden": "true" }, ...backs);
}

/**
 * @param {Element | null} element
 * @param {import("../core/clock.js").Remaining | null} left
 * @param {string} text
 */
export function showClock(element, left, text) {
  if (!(element instanceof HTMLElement)) return;
  element.hidden = left === null;
  if (left === null) return;
  // The deadline of a slow game is a date: it has no ring that runs down.
  const part = isLong(left.ms) ? "long" : left.part;
  setAttribute(element, "data-part", part);
  const seat = element.closest(".seat");
  if (seat instanceof HTMLElement) {
    seat.dataset.part = part;
    seat.style.setProperty("--left", part === "long" ? "1" : left.share.toFixed(3));
  }
  setText(element, text);
}
