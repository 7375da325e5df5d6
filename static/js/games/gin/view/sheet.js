// The score sheet: totals first, at the end the bonuses, then the deals, the last one first.

import { make } from "../../../lib/dom.js";
import { formatNumber } from "../../../lib/format.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { scoreRow } from "../../../table/view/score_row.js";
import { gameOf } from "../core/seen.js";

/** @typedef {import("../core/seen.js").GinMatch} GinMatch */
/** @typedef {import("../core/seen.js").SheetLine} SheetLine */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

export class SheetView {
  /**
   * @param {HTMLElement} root
   * @param {Texts} texts
   */
  constructor(root, texts) {
    this.root = root;
    this.texts = texts;
    this.shown = "";
  }

  /** @param {TableState} state */
  render(state) {
    const match = gameOf(state)?.match;
    this.root.hidden = match === undefined;
    if (match === undefined) return;
    const key = JSON.stringify([match, state.seats.map(({ player }) => player?.name)]);
    if (key === this.shown) return;
    this.shown = key;
    const seats = Object.keys(match.scores).map(Number);
    const { texts } = this;
    const heading = match.target === null ? say(texts, "score_sheet") : say(texts, "target", { target: match.target });
    this.root.replaceChildren(
      make(
        "table",
        { class: "scores scores--gin" },
        make("caption", {}, heading),
        make("thead", {}, this.#names(state, seats)),
        make("tbody", { class: "scores__totals" }, ...this.#totals(match, seats)),
        make("tbody", {}, ...match.sheet.toReversed().map((line) => this.#deal(line, seats))),
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
   * @param {GinMatch} match
   * @param {readonly number[]} seats
   */
  #totals({ scores, bonuses }, seats) {
    const { texts } = this;
    /** @param {(seat: string) => number} value */
    const cells = (value) => seats.map((seat) => formatNumber(value(String(seat))));
    const rows = [scoreRow(say(texts, "score"), cells((seat) => scores[seat] ?? 0), "scores__total")];
    const all = Object.values(bonuses);
    if (all.length === 0) return rows;
    rows.push(scoreRow(say(texts, "box"), cells((seat) => bonuses[seat]?.boxes ?? 0)));
    rows.push(scoreRow(say(texts, "game_bonus"), cells((seat) => bonuses[seat]?.game ?? 0)));
    const isShutout = all.some(({ shutout }) => shutout);
    const total = say(texts, isShutout ? "total_shutout" : "total");
    rows.push(scoreRow(total, cells((seat) => bonuses[seat]?.total ?? 0), "scores__total"));
    return rows;
  }

  /**
   * @param {SheetLine} line
   * @param {readonly number[]} seats
   */
  #deal({ deal, how, winner, points }, seats) {
    const title = `${say(this.texts, "deal_number", { deal })} · ${say(this.texts, `how_${how}`)}`;
    return scoreRow(title, seats.map((seat) => (seat === winner ? formatNumber(points) : "–")));
  }
}
