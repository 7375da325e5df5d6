// The score sheet of a match: totals first, then the deals, the last one first.

import { make } from "../../../lib/dom.js";
import { formatNumber } from "../../../lib/format.js";
import { scoreRow } from "../../../table/view/score_row.js";
import { matchOf, standings } from "../core/standing.js";
import { say } from "../../../table/core/say.js";
import { isPlayedForPoints } from "../../../table/core/stakes.js";
import { seatName } from "../../../table/core/tell.js";

/** @typedef {import("../../../table/core/protocol.js").DealRecord} DealRecord */
/** @typedef {import("../../../table/core/protocol.js").Standing} Standing */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {{seat: number, standing: Standing}} Entry */

export class StandingsView {
  /**
   * @param {HTMLElement} root
   * @param {Texts} texts
   */
  constructor(root, texts) {
    this.root = root;
    this.texts = texts;
    this.shown = "";
  }

  /**
   * @param {TableState} state
   * @param {readonly DealRecord[]} records
   */
  render(state, records) {
    const match = matchOf(state);
    this.root.hidden = match === null;
    if (match === null) return;
    const names = state.seats.map((seat) => seat.player?.name);
    const key = JSON.stringify([match.standings, records, names, state.you.seat]);
    if (key === this.shown) return;
    this.shown = key;
    const entries = standings(match);
    const isPool = match.deals === null;
    this.root.replaceChildren(
      make(
        "table",
        { class: "scores" },
        make("caption", { class: "visually-hidden" }, say(this.texts, "score_sheet")),
        make("thead", {}, this.#names(state, entries)),
        make("tbody", { class: "scores__totals" }, ...this.#totals(state, entries, isPool)),
        make("tbody", {}, ...records.toReversed().map((record) => this.#deal(record, entries))),
      ),
    );
  }

  /**
   * @param {TableState} state
   * @param {Entry[]} entries
   */
  #names(state, entries) {
    const cells = entries.map(({ seat, standing }) =>
      make(
        "th",
        { scope: "col", class: seat === state.you.seat ? "scores__own" : null, "data-in": standing.membership === "in" },
        make("span", { class: "scores__name" }, seatName(state, seat)),
        standing.membership === "in" ? null : make("small", {}, this.#membership(standing)),
      ),
    );
    return make("tr", {}, make("td", {}), ...cells);
  }

  /** @param {Standing} standing */
  #membership({ membership }) {
    return say(this.texts, membership === "left" ? "status_left" : "status_eliminated");
  }

  /**
   * @param {TableState} state
   * @param {Entry[]} entries
   * @param {boolean} isPool
   */
  #totals(state, entries, isPool) {
    const total = scoreRow(
      say(this.texts, isPool || isPlayedForPoints(state.table) ? "score_total" : "score_chips"),
      entries.map(({ standing }) => formatNumber(isPool ? standing.score : standing.chips)),
      "scores__total",
    );
    const second = isPool
      ? scoreRow(
          say(this.texts, "score_drops_left"),
          entries.map(({ standing }) => (standing.membership === "in" ? formatNumber(standing.drops_left ?? 0) : "–")),
        )
      : scoreRow(
          say(this.texts, "score_deals_won"),
          entries.map(({ standing }) => formatNumber(standing.deals_won)),
        );
    return [total, second];
  }

  /**
   * @param {DealRecord} record
   * @param {Entry[]} entries
   */
  #deal(record, entries) {
    const cells = entries.map(({ seat }) => {
      const points = record.points[String(seat)];
      if (record.winners.includes(seat)) return "★";
      return points === undefined ? "–" : formatNumber(points);
    });
    const row = scoreRow(say(this.texts, "deal_number", { deal: record.deal }), cells);
    for (const [index, { seat }] of entries.entries()) {
      if (!record.winners.includes(seat)) continue;
      row.children[index + 1]?.setAttribute("aria-label", say(this.texts, "how_won"));
    }
    return row;
  }
}
