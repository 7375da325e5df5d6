// The score sheet of several deals: totals first, then the deals, the last one first.

import { make } from "../../../../lib/dom.js";
import { formatNumber } from "../../../../lib/format.js";
import { say } from "../../../../table/core/say.js";
import { seatName } from "../../../../table/core/tell.js";
import { scoreRow } from "../../../../table/view/score_row.js";
import { gameOf } from "../../core/laid/seen.js";
import { LaidResultView, standingIn } from "./result.js";

/** @typedef {import("../../core/laid/seen.js").SheetLine} SheetLine */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../../table/core/tell.js").Texts} Texts */

/**
 * @typedef {object} SheetRows A game's entries on its sheet.
 * @property {(state: TableState) => string} heading
 * @property {(state: TableState, line: SheetLine) => string} title Of a deal.
 * @property {(line: SheetLine, seat: number) => number | null} points Null for an empty cell.
 */

export class LaidSheetView {
  /**
   * @param {HTMLElement} root
   * @param {Texts} texts
   * @param {SheetRows} rows
   */
  constructor(root, texts, rows) {
    this.root = root;
    this.texts = texts;
    this.rows = rows;
    this.shown = "";
  }

  /** @param {TableState} state */
  render(state) {
    const match = gameOf(state)?.match;
    this.root.hidden = match === undefined || !LaidResultView.isLong(match);
    if (match === undefined) return;
    const key = JSON.stringify([match, state.seats.map(({ player }) => player?.name)]);
    if (key === this.shown) return;
    this.shown = key;
    const { texts, rows } = this;
    const standing = standingIn(match);
    const seats = Object.keys(standing).map(Number);
    const totals = seats.map((seat) => formatNumber(standing[String(seat)] ?? 0));
    this.root.replaceChildren(
      make(
        "table",
        { class: "scores scores--laid" },
        make("caption", {}, rows.heading(state)),
        make("thead", {}, this.#names(state, seats)),
        make("tbody", { class: "scores__totals" }, scoreRow(say(texts, "total"), totals, "scores__total")),
        make("tbody", {}, ...match.sheet.toReversed().map((line) => this.#deal(state, line, seats))),
      ),
    );
  }

  /**
   * @param {TableState} state
   * @param {readonly number[]} seats
   */
  #names(state, seats) {
    const cells = seats.map((seat) => {
      const className = seat === state.you.seat ? "scores__own" : null;
      return make("th", { scope: "col", class: className }, make("span", { class: "scores__name" }, seatName(state, seat)));
    });
    return make("tr", {}, make("td", {}), ...cells);
  }

  /**
   * @param {TableState} state
   * @param {SheetLine} line
   * @param {readonly number[]} seats
   */
  #deal(state, line, seats) {
    const cells = seats.map((seat) => {
      const points = this.rows.points(line, seat);
      return points === null ? "–" : formatNumber(points);
    });
    return scoreRow(this.rows.title(state, line), cells);
  }
}
