// The cards of each seat as the viewer saw them then.

import { sees } from "../../rummy/replay/timeline.js";
import { meldKind } from "../core/melds.js";
import { gameOf } from "../core/seen.js";

/** @typedef {import("../../rummy/replay/timeline.js").Frame} Frame */
/** @typedef {import("../../rummy/replay/timeline.js").Look} Look */
/** @typedef {import("../../rummy/replay/timeline.js").ShownHand} ShownHand */

/**
 * Cards laid open by a knock, and all hands at the end, are open for everybody.
 *
 * @param {Frame} frame
 * @param {number} seat
 * @param {Look} look
 * @returns {ShownHand}
 */
export function handOf({ state, hands }, seat, look) {
  const game = gameOf(state);
  const own = hands[String(seat)];
  const count = game?.players[String(seat)]?.cards ?? 0;
  const laid = game?.result?.hands.find((hand) => hand.seat === seat);
  if (laid !== undefined) return open(laid.groups, laid.loose, laid.deadwood, count);
  const knock = game?.knock?.seat === seat ? game.knock : null;
  if (knock !== null) return open(knock.groups, knock.loose, knock.points, count);
  const isSeen = sees(look, seat);
  const groups = isSeen ? (own?.groups ?? []).map((cards) => ({ cards, kind: null })) : null;
  return { groups, isJudged: false, count, drawn: (isSeen ? own?.drawn : null) ?? null, points: null, how: null };
}

/**
 * @param {string[][]} melds
 * @param {string[]} loose
 * @param {number} points
 * @param {number} count
 * @returns {ShownHand}
 */
function open(melds, loose, points, count) {
  const groups = [...melds, loose].filter((cards) => cards.length > 0).map((cards) => ({ cards, kind: meldKind(cards) }));
  return { groups, isJudged: true, count, drawn: null, points, how: null };
}
