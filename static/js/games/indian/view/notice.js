// One sentence about the state of a deal or between two deals.

import { clockText, remaining } from "../../../table/core/clock.js";
import { declarationFlaw } from "../core/meld.js";
import { isOwnClock, isPlaying, owesShow } from "../core/permitted.js";
import { matchOf, standingOf } from "../core/standing.js";
import { windowMs } from "../core/looks.js";
import { say } from "../../../table/core/say.js";
import { namesOf, seatName } from "../../../table/core/tell.js";
import { nextDealText } from "../../rummy/core/next_deal.js";

/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/**
 * @typedef {object} Seen
 * @property {TableState} state
 * @property {number} now
 * @property {readonly Group[]} groups
 * @property {number | null} wild
 */

/**
 * @param {Texts} texts
 * @param {Seen} seen
 * @returns {string | null} Null between matches.
 */
export function noticeFor(texts, seen) {
  const { state } = seen;
  const { game } = state;
  if (game === null || game.phase === "over") return null;
  if (BETWEEN.has(game.phase)) return betweenNotice(texts, seen);
  if (isOwnClock(state)) return ownNotice(texts, seen);
  const name = actingName(state);
  const key = {
    turn: game.step === "discard" ? "notice_other_discard" : "notice_other_draw",
    declare: "notice_other_declare",
    show: owesShow(state) ? "notice_show" : "notice_wait_show",
  }[game.phase];
  const text = say(texts, key ?? "notice_wait", { name });
  const isDeclarer = state.you.seat !== null && game.declaration?.seat === state.you.seat;
  if (state.you.seat === null || isPlaying(state) || isDeclarer) return text;
  const membership = standingOf(state, state.you.seat)?.membership ?? "in";
  return `${text} ${say(texts, membership === "in" ? "notice_out" : "notice_out_of_match")}`;
}

const BETWEEN = new Set(["between", "rejoin", "split"]);

/**
 * Between two deals of one match: the break, or its question.
 *
 * @param {Texts} texts
 * @param {Seen} seen
 */
function betweenNotice(texts, { state, now }) {
  const { game } = state;
  const match = matchOf(state);
  const time = clockText((game?.due_at ?? now) - now);
  if (game?.phase === "rejoin") {
    const names = namesOf(state, match?.waiting ?? []);
    return say(texts, "notice_rejoin", { names, time });
  }
  if (game?.phase === "split") {
    const asker = match?.split_asker ?? null;
    if (asker === null) return say(texts, "notice_split_table", { time });
    return say(texts, "notice_split", { name: seatName(state, asker), time });
  }
  if (match?.tie_breaker && !state.table.awaits_press) return say(texts, "notice_tie_breaker", { time });
  return nextDealText(texts, state, now);
}

/**
 * @param {Texts} texts
 * @param {Seen} seen
 */
function ownNotice(texts, { state, now, groups, wild }) {
  const { game } = state;
  if (game?.phase === "declare") {
    const flaw = declarationFlaw(groups, wild, state.rules);
    if (flaw === null) return say(texts, "notice_declare");
    const time = clockText(remaining(game, windowMs(state), now)?.ms ?? 0);
    return `${time} · ${say(texts, `flaw_${flaw}`)}`;
  }
  if (game?.phase === "show") {
    const name = game.declaration === null ? "" : seatName(state, game.declaration.seat);
    return say(texts, "notice_show", { name });
  }
  return say(texts, game?.step === "draw" ? "notice_draw" : "notice_discard");
}

/** @param {TableState} state */
function actingName(state) {
  const { game } = state;
  const seat = game?.phase === "turn" ? game.turn : (game?.finish?.seat ?? game?.declaration?.seat);
  return seat == null ? "" : seatName(state, seat);
}
