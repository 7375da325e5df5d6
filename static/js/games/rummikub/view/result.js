// The result of a deal: the tiles left on each rack, and the payments; the score sheet of a session.

import { make, region } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { namesOf, seatName } from "../../../table/core/tell.js";
import { ResultPanel } from "../../rummy/view/result.js";
import { sorted } from "../core/board.js";
import { gameOf } from "../core/seen.js";
import { tilePicture } from "./tile.js";

/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */

export class ResultView extends ResultPanel {
  /** @override @param {TableState} state */
  fill(state) {
    const game = gameOf(state);
    if (game === null || game.result === null) return;
    const { result } = game;
    const names = namesOf(state, result.winners);
    const isOwn = result.winners.length === 1 && result.winners[0] === state.you.seat;
    const own = result.racks.find(({ seat }) => seat === state.you.seat);
    this.head(state, {
      told: [say(this.texts, `result_${result.how}${isOwn ? "_own" : ""}`, { names, points: result.points })],
      lost: own?.lost,
      why: own && say(this.texts, "rack_counts", { points: own.count }),
      winners: game.phase === "over" && game.match.deals > 1 ? game.match.winners : [],
    });
    region("result-hands").replaceChildren(...result.racks.map((rack) => this.#rack(state, result.winners, rack)));
    const scores = region("result-scores");
    scores.hidden = game.match.deals < 2;
    scores.replaceChildren(sheet(this.texts, state));
  }

  /**
   * @param {TableState} state
   * @param {number[]} winners
   * @param {import("../core/seen.js").SeenRack} rack
   */
  #rack(state, winners, { seat, tiles, count, lost }) {
    const isWinner = winners.includes(seat);
    const head = make(
      "div",
      { class: "result__player" },
      this.who(state, seat),
      isWinner ? make("span", { class: "badge badge--good" }, say(this.texts, "status_won")) : null,
      make("span", { class: "result__points" }, say(this.texts, "rack_counts", { points: count })),
      lost > 0 ? make("span", { class: "result__points" }, say(this.texts, "loses", { points: lost })) : null,
      this.amountOf(state, seat),
    );
    const pictures = sorted(tiles, "colour").map((tile) => tilePicture(this.texts, tile));
    const left = tiles.length === 0 ? say(this.texts, "rack_empty") : null;
    return make(
      "article",
      { class: `result__hand${isWinner ? " result__hand--won" : ""}`, "data-seat": seat },
      head,
      make("div", { class: "tiles" }, left, ...pictures),
    );
  }
}

/**
 * A row for each deal, and the totals.
 *
 * @param {Texts} texts
 * @param {TableState} state
 */
export function sheet(texts, state) {
  const game = gameOf(state);
  const seats = Object.keys(game?.match.scores ?? {});
  const row = (/** @type {string} */ name, /** @type {Record<string, number>} */ scores) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      ...seats.map((seat) => make("td", { class: "num" }, String(scores[seat] ?? 0))),
    );
  const lines = (game?.match.sheet ?? []).map((line) => row(say(texts, "deal_number", { deal: line.deal }), line.scores));
  const heads = seats.map((seat) =>
    make("th", { scope: "col", class: Number(seat) === state.you.seat ? "scores__own" : null }, make("span", { class: "scores__name" }, seatName(state, Number(seat)))),
  );
  return make(
    "table",
    { class: "scores" },
    make("caption", { class: "visually-hidden" }, say(texts, "score_sheet")),
    make("thead", {}, make("tr", {}, make("td", {}), ...heads)),
    make("tbody", {}, ...lines, row(say(texts, "total"), game?.match.scores ?? {})),
  );
}
