// A frame of a replay with melds on the table, which lie beside the piles.

import { make, region } from "../../../../lib/dom.js";
import { say } from "../../../../table/core/say.js";
import { gameOf } from "../../core/laid/seen.js";
import { layersOf } from "../../core/laid/words.js";
import { meldFan } from "../../view/laid/board.js";
import { captioned } from "../../view/groups.js";
import { sees } from "../timeline.js";
import { ReplayView } from "../view.js";

/** @typedef {import("../../../../table/core/protocol.js").GameView} GameView */
/** @typedef {import("../timeline.js").Frame} Frame */
/** @typedef {import("../timeline.js").Look} Look */
/** @typedef {import("../timeline.js").ShownHand} ShownHand */

export class LaidReplayView extends ReplayView {
  /**
   * @override
   * @param {Frame} frame
   * @param {GameView} game
   */
  middle(frame, game) {
    super.middle(frame, game);
    const { state } = frame;
    const wild = this.game.wild(state);
    const melds = (gameOf(state)?.melds ?? []).map((meld) => {
      const caption = `${say(this.texts, `kind_${meld.kind}`)} · ${layersOf(state, meld)}`;
      return captioned(meldFan(this.painter, this.texts, state, meld, wild), meld.kind, caption);
    });
    region("board").replaceChildren(
      ...(melds.length > 0 ? melds : [make("p", { class: "board__empty" }, say(this.texts, "no_melds"))]),
    );
  }
}

/**
 * The cards of a seat as the viewer saw them then; at the end all hands are open.
 *
 * @param {Frame} frame
 * @param {number} seat
 * @param {Look} look
 * @returns {ShownHand}
 */
export function heldHand({ state, hands }, seat, look) {
  const game = gameOf(state);
  const own = hands[String(seat)];
  const count = game?.players[String(seat)]?.cards ?? 0;
  const last = game?.result?.hands.find((hand) => hand.seat === seat);
  const isSeen = last !== undefined || sees(look, seat);
  const groups = last?.groups ?? own?.groups ?? [];
  return {
    groups: isSeen ? groups.map((cards) => ({ cards, kind: null })) : null,
    isJudged: false,
    count,
    drawn: (isSeen && last === undefined ? own?.drawn : null) ?? null,
    points: game?.result?.points[String(seat)] ?? null,
    how: null,
  };
}
