// The script of a replay of Rummikub: the table as it was, and the racks as far as they are visible.

import { make, region, setText } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { openReplay } from "../../rummy/replay/player.js";
import { sees } from "../../rummy/replay/timeline.js";
import { ReplayView } from "../../rummy/replay/view.js";
import { grouped } from "../core/board.js";
import { gameOf } from "../core/seen.js";
import { TELLERS } from "../core/tellers.js";
import { tilePicture } from "../view/tile.js";

/** @typedef {import("../../rummy/replay/timeline.js").Frame} Frame */
/** @typedef {import("../../rummy/replay/timeline.js").Look} Look */
/** @typedef {import("../../rummy/replay/timeline.js").ShownHand} ShownHand */

class TableReplay extends ReplayView {
  /** @override @param {Frame} frame */
  middle({ state }) {
    const game = gameOf(state);
    const last = game?.last_lay ?? null;
    setText(region("pool"), say(this.texts, "pool", { count: game?.pool_count ?? 0 }));
    const melds = (game?.table ?? []).map(({ cards, as }) =>
      make(
        "span",
        { class: "tiles replay__meld" },
        ...cards.map((card, at) => {
          const tile = tilePicture(this.texts, card, { stands: as[at] ?? null, isSmall: false });
          if (last?.from_rack.includes(card)) tile.classList.add("tile--new");
          if (last?.moved.includes(card)) tile.classList.add("tile--moved");
          return tile;
        }),
      ),
    );
    region("board").replaceChildren(...(melds.length > 0 ? melds : [say(this.texts, "table_empty")]));
  }

  /** @override @param {ShownHand} hand @param {number | null} _wild @param {boolean} isOwn */
  cardsOf({ groups, count }, _wild, isOwn) {
    if (groups === null) {
      const backs = Array.from({ length: count }, () => make("span", { class: "tile tile--back tile--small" }));
      return [make("span", { class: "tiles replay__closed", role: "img", "aria-label": say(this.texts, "tiles", { count }) }, ...backs)];
    }
    return groups.map(({ cards }) => {
      const tiles = cards.map((card) => tilePicture(this.texts, card, { isSmall: !isOwn }));
      return make("span", { class: "tiles" }, ...tiles);
    });
  }
}

/**
 * At the end all racks are open.
 *
 * @param {Frame} frame
 * @param {number} seat
 * @param {Look} look
 * @returns {ShownHand}
 */
function handOf({ state, hands }, seat, look) {
  const game = gameOf(state);
  const shown = game?.result?.racks.find((rack) => rack.seat === seat);
  const tiles = shown?.tiles ?? (sees(look, seat) ? (hands[String(seat)]?.hand ?? []) : null);
  const groups = tiles === null ? null : grouped(tiles, "colour").map((cards) => ({ cards, kind: null }));
  const count = game?.players[String(seat)]?.tiles ?? 0;
  return { groups, isJudged: false, count, drawn: null, points: shown?.count ?? null, how: null };
}

openReplay({ tellers: TELLERS, wild: () => null, piles: () => [], handOf }, TableReplay);
