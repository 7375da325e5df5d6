// The cards of each seat as the viewer saw them then.

import { sees } from "../../rummy/replay/timeline.js";

/** @typedef {import("../../../table/core/protocol.js").GameView} GameView */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../rummy/replay/timeline.js").Frame} Frame */
/** @typedef {import("../../rummy/replay/timeline.js").Look} Look */
/** @typedef {import("../../rummy/replay/timeline.js").ShownGroup} ShownGroup */
/** @typedef {import("../../rummy/replay/timeline.js").ShownHand} ShownHand */

/**
 * The cards of one seat, open if the viewer saw them then. A declaration and the hands at the end are open
 * for everybody.
 *
 * @param {Frame} frame
 * @param {number} seat
 * @param {Look} look
 * @returns {ShownHand}
 */
export function handOf({ state, hands }, seat, look) {
  const game = /** @type {GameView} */ (state.game);
  const player = game.players[String(seat)];
  const own = hands[String(seat)];
  const shown = { count: player?.cards ?? 0, drawn: null, points: player?.points ?? null, how: null };
  const laid = game.result?.hands.find((hand) => hand.seat === seat);
  if (laid !== undefined) {
    return { ...shown, groups: judged(laid.groups, laid.kinds), isJudged: true, points: laid.points, how: laid.how };
  }
  if (game.declaration?.seat === seat) {
    const { groups, kinds } = game.declaration;
    return { ...shown, groups: judged(groups, kinds), isJudged: true };
  }
  if (!sees(look, seat)) return { ...shown, groups: null, isJudged: false };
  const groups = (own?.groups ?? []).map((cards) => ({ cards, kind: null }));
  return { ...shown, groups, isJudged: false, drawn: own?.drawn ?? null };
}

/**
 * @param {readonly Group[]} groups
 * @param {readonly (string | null)[]} kinds
 * @returns {ShownGroup[]}
 */
const judged = (groups, kinds) => groups.map((cards, index) => ({ cards, kind: kinds[index] ?? null }));
