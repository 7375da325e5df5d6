// The shared table, and in the player's own turn the table being built.

import { make, region, setAttribute, setText } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { grouped, tilesOf } from "../core/board.js";
import { isJoker } from "../core/names.js";
import { gameOf, ownOf, ownPlayer } from "../core/seen.js";
import { paintTile } from "./tile.js";

/** @typedef {import("../controllers/build.js").Build} Build */
/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

/** Widths of a tile in pixels: the largest one that needs no scrolling is used. */
const WIDTHS = [84, 76, 68, 60, 56, 52, 48, 44, 40, 36, 32, 28];

export class BoardView {
  /**
   * @param {Texts} texts
   * @param {Build} build
   */
  constructor(texts, build) {
    this.texts = texts;
    this.build = build;
    this.board = region("board");
    this.rack = region("hand");
    this.status = region("build-status");
    /** @type {"colour" | "number"} */
    this.order = "colour";
    this.drawn = { board: "", rack: "" };
    this.size = 0;
    /**
     * Tiles are drawn once and moved, so that nothing else is redrawn. @type {Map<CardId,
     * HTMLButtonElement>}
     */
    this.tiles = new Map();
    /** @type {HTMLElement[]} */
    this.melds = [];
    /** @type {HTMLElement[]} */
    this.groupsOfRack = [];
    this.fresh = make(
      "button",
      { class: "meld meld--new", type: "button", "data-action": "new-meld", "data-drop": "new" },
      say(texts, "new_meld"),
    );
    /** The board as last drawn. @type {import("../core/board.js").Board} */
    this.lies = [];
    this.#resize(0);
    new ResizeObserver(() => this.#fit(true)).observe(this.board);
  }

  render() {
    const focused = this.focusedCard;
    this.#board();
    this.#rack();
    this.#status();
    // Keep the focus on its tile, wherever the tile lies now.
    if (focused !== null && this.focusedCard === null) this.focusCard(focused);
  }

  /** @returns {CardId[][]} The rows for the arrow keys. */
  get groups() {
    const melds = this.build.shown.map(({ cards }) => cards);
    return [...melds, ...grouped(this.build.rack, this.order)].filter((cards) => cards.length > 0);
  }

  get focusedCard() {
    const element = document.activeElement;
    return element instanceof HTMLElement ? (element.dataset.card ?? null) : null;
  }

  /** @param {CardId} card */
  focusCard(card) {
    const element = document.querySelector(`[data-card="${card}"]`);
    if (element instanceof HTMLElement) element.focus();
  }

  #board() {
    const { build, texts } = this;
    const { state, check, selection, mayBuild } = build;
    const game = gameOf(state);
    const last = game?.last_lay ?? null;
    const own = new Set(ownOf(state).hand ?? []);
    const key = JSON.stringify([build.shown, check?.table, [...selection], mayBuild, last, build.board === null]);
    if (key === this.drawn.board) return;
    this.drawn.board = key;
    const hasFewer = tilesOf(build.shown).length < tilesOf(this.lies).length;
    this.lies = build.shown;
    const melds = build.shown.map((meld, place) => this.#meld(meld, place, own, last));
    setAttribute(this.fresh, "disabled", selection.size === 0);
    const nothing = make("p", { class: "board__empty" }, say(texts, "table_empty"));
    fill(this.board, [...(melds.length > 0 ? melds : [nothing]), ...(mayBuild ? [this.fresh] : [])]);
    this.#fit(hasFewer);
  }

  /**
   * Makes the tiles as large as the room allows, beginning with their current size. With as many tiles in
   * the same room none can be larger.
   *
   * @param {boolean} mayGrow
   */
  #fit(mayGrow) {
    const last = WIDTHS.length - 1;
    while (!this.#fits() && this.size < last) this.#resize(this.size + 1);
    if (!mayGrow) return;
    while (this.size > 0 && this.#fits()) this.#resize(this.size - 1);
    if (this.size < last && !this.#fits()) this.#resize(this.size + 1);
  }

  #fits() {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = this.board;
    return scrollHeight <= clientHeight && scrollWidth <= clientWidth;
  }

  /** @param {number} size An index of `WIDTHS`. */
  #resize(size) {
    this.size = size;
    this.board.style.setProperty("--tile-w", `${WIDTHS[size]}px`);
  }

  /**
   * @param {import("../core/board.js").BuiltMeld} meld
   * @param {number} place
   * @param {Set<CardId>} own
   * @param {import("../core/seen.js").LastLay | null} last
   */
  #meld(meld, place, own, last) {
    const { build, texts } = this;
    const told = build.board === null ? build.table[place] : build.check?.table[place];
    const kind = told === undefined ? "open" : (told.kind ?? "none");
    const isBuilt = build.board !== null;
    const tiles = meld.cards.map((card, at) => {
      const isOwn = own.has(card);
      const isNew = !isBuilt && last?.from_rack.includes(card) === true;
      const isMoved = !isBuilt && last?.moved.includes(card) === true;
      const mark = isOwn ? "of_your_rack" : isNew ? "just_laid" : isMoved ? "just_moved" : null;
      const says = mark === null ? "" : say(texts, mark);
      return this.#tile(card, { stands: meld.as?.[at] ?? null, isNew, isMoved, isOwn, says });
    });
    // Jokers on the table keep their faces; the player's own may still be moved.
    const mayRead = isBuilt && meld.cards.some((card) => isJoker(card) && own.has(card));
    const readings = mayRead ? (build.check?.table[place]?.readings.length ?? 0) : 0;
    const element = (this.melds[place] ??= make("div", { role: "group", "data-drop": `meld:${place}` }));
    setAttribute(element, "class", `meld meld--${kind}`);
    setAttribute(element, "aria-label", say(texts, "meld_label", { number: place + 1, kind: say(texts, `kind_${kind}`) }));
    const tools = [
      kind === "none" ? make("span", { class: "meld__mark", "aria-hidden": true }, "!") : null,
      readings > 1
        ? make("button", { class: "meld__tool", type: "button", "data-action": "reread", "data-meld": place, title: say(texts, "reread") }, "☺⇄")
        : null,
      build.mayBuild && build.selection.size > 0
        ? make("button", { class: "meld__tool", type: "button", "data-action": "add", "data-meld": place, "aria-label": say(texts, "add_to", { number: place + 1 }) }, "+")
        : null,
    ];
    fill(element, [...tiles, ...tools.filter((tool) => tool !== null)]);
    return element;
  }

  /**
   * @param {CardId} card
   * @param {import("./tile.js").TileLook & {says: string}} look
   */
  #tile(card, look) {
    const tile = this.tiles.get(card) ?? make("button", { type: "button", "data-card": card });
    this.tiles.set(card, tile);
    paintTile(this.texts, tile, card, { ...look, isChosen: this.build.selection.has(card) });
    return tile;
  }

  #rack() {
    const { build } = this;
    const drawn = new Set(ownOf(build.state).drawn ?? []);
    const key = JSON.stringify([build.rack, [...build.selection], [...drawn], this.order]);
    if (key === this.drawn.rack) return;
    this.drawn.rack = key;
    const groups = grouped(build.rack, this.order).map((cards, place) => {
      const group = (this.groupsOfRack[place] ??= make("div", { class: "rack__group" }));
      fill(group, cards.map((card) => this.#tile(card, { isNew: drawn.has(card), says: drawn.has(card) ? say(this.texts, "just_drawn") : "" })));
      return group;
    });
    fill(this.rack, groups);
  }

  /** The server's evaluation of the table being built, or the result of the last lay. */
  #status() {
    const { build, texts } = this;
    const game = gameOf(build.state);
    const { check } = build;
    this.status.classList.toggle("build--good", build.mayLay);
    if (build.board !== null) {
      setText(this.status, check === null ? say(texts, "checking") : this.#checked(check));
      return;
    }
    const last = game?.last_lay ?? null;
    const isShown = last !== null && game?.result === null;
    const values = { name: isShown ? seatName(build.state, last.seat) : "", count: last?.from_rack.length ?? 0, moved: last?.moved.length ?? 0 };
    setText(this.status, isShown ? say(texts, values.moved > 0 ? "last_lay_moved" : "last_lay", values) : "");
  }

  /** @param {import("../core/seen.js").SeenDraft} check */
  #checked(check) {
    const { texts } = this;
    const least = gameOf(this.build.state)?.initial_meld ?? 0;
    const isOpening = ownPlayer(this.build.state)?.opened !== true;
    const worth = isOpening
      ? say(texts, "opening_worth", { points: check.opening_points, least })
      : say(texts, "lay_worth", { tiles: check.tiles, points: check.points });
    if (check.refusal === null) return `✓ ${worth}`;
    if (isOpening && check.opening_points < least && this.build.hasMovedTable) return say(texts, "reason_begin_first", { least });
    return `${say(texts, `reason_${check.refusal}`)} ${check.tiles > 0 ? worth : ""}`.trim();
  }
}

/**
 * Puts these children into a place. Children that are there already stay untouched.
 *
 * @param {HTMLElement} place
 * @param {readonly HTMLElement[]} children
 */
function fill(place, children) {
  for (const [at, child] of children.entries()) {
    if (place.children[at] !== child) place.insertBefore(child, place.children[at] ?? null);
  }
  while (place.children.length > children.length) place.lastElementChild?.remove();
}
