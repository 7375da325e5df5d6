// What is going on, in one sentence.

import { clockText, remaining } from "../core/clock.js";
import { declarationFlaw } from "../core/meld.js";
import { isOwnClock, isPlaying, owesShow } from "../core/permitted.js";
import { isMatchTable, matchOf, standingOf } from "../core/standing.js";
import { say, seatName } from "../core/tell.js";

/** @typedef {import("../core/protocol.js").Group} Group */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/tell.js").Texts} Texts */
/**
 * @typedef {object} Seen
 * @property {TableState} state
 * @property {number} now
 * @property {unknown} moving
 * @property {readonly Group[]} groups
 * @property {number | null} wild
 */

/**
 * @param {Texts} texts
 * @param {"connecting" | "online" | "offline"} net
 * @param {boolean} isSynced
 */
export function statusFor(texts, net, isSynced) {
  if (net === "online") return say(texts, isSynced ? "net_online" : "net_syncing");
  return say(texts, net === "offline" ? "net_offline" : "net_connecting");
}

/**
 * @param {Texts} texts
 * @param {Seen} seen
 * @returns {string}
 */
export function noticeFor(texts, seen) {
  const { state, moving } = seen;
  if (state.table.out_of_order) return say(texts, "notice_out_of_order");
  if (moving !== null) return say(texts, "notice_sending");
  const { game } = state;
  if (game === null || game.phase === "over") return betweenDeals(texts, seen);
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
 * Two deals of one match: the break, or what the players are asked in it.
 *
 * @param {Texts} texts
 * @param {Seen} seen
 */
function betweenNotice(texts, { state, now }) {
  const { game } = state;
  const match = matchOf(state);
  const time = clockText((game?.due_at ?? now) - now);
  if (game?.phase === "rejoin") {
    const names = (match?.waiting ?? []).map((seat) => seatName(state, seat)).join(", ");
    return say(texts, "notice_rejoin", { names, time });
  }
  if (game?.phase === "split") {
    const asker = match?.split_asker ?? null;
    return say(texts, "notice_split", { name: asker === null ? "" : seatName(state, asker), time });
  }
  return say(texts, match?.tie_breaker ? "notice_tie_breaker" : "next_deal", { time });
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
    const time = clockText(remaining(game, state.rules, now)?.ms ?? 0);
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

/**
 * @param {Texts} texts
 * @param {Seen} seen
 */
function betweenDeals(texts, { state, now }) {
  const { table, you, seats } = state;
  if (table.due_at !== null) {
    const next = isMatchTable(table) ? "next_match" : "next_deal";
    const key = table.status === "starting" ? "notice_starting" : next;
    return say(texts, key, { time: clockText(table.due_at - now) });
  }
  if (table.event_url && table.status === "closed") return say(texts, "notice_event_over");
  if (table.status === "closed") return say(texts, "notice_closed");
  if (you.seat === null && seats.some((seat) => seat.player === null)) return say(texts, "notice_sit");
  return say(texts, "notice_waiting");
}
