import assert from "node:assert/strict";
import { test } from "node:test";

import { hostAwaited, isFree, mayStart } from "../static/js/table/core/stakes.js";
import { costText } from "../static/js/table/view/amounts.js";
import { noticeFor } from "../static/js/table/view/notice.js";

const TEXTS = {
  notice_start: "Press Start",
  notice_host: "{name} starts",
  notice_company: "{here} of {seats} are here",
  notice_hidden: "Nobody watches",
  next_start: "Press Start for the next",
  next_host: "{name} starts the next",
  next_asked: "Ask for the next",
  notice_sit: "Take a seat",
  drop_text: "{points} points ({cost})",
  drop_text_match: "{points} points",
};
const GAME = { notice: () => null };
const chair = (seat, name, more = {}) => ({ seat, player: name === null ? null : { id: seat, name }, ...more });
const state = (own, seats, table = {}) => ({
  table: { status: "waiting", due_at: null, fills: false, watchers: true, event_url: "", ...table },
  you: { seat: own },
  seats,
  game: null,
});
const notice = (seen) => noticeFor(TEXTS, { state: seen, now: 0, moving: null }, GAME);
const alone = [chair(0, "Asha", { host: true }), chair(1, null), chair(2, null)];
const two = [chair(0, "Asha", { host: true }), chair(1, "Ravi"), chair(2, null)];

test("the host is waited for with two players, or alone where bots fill up", () => {
  assert.equal(hostAwaited(state(0, alone)), null);
  assert.equal(hostAwaited(state(0, alone, { fills: true }))?.player.name, "Asha");
  assert.equal(hostAwaited(state(0, two))?.player.name, "Asha");
  assert.equal(hostAwaited(state(0, two, { status: "playing" })), null);
});

test("the notice says who is there, who starts, and where nobody watches", () => {
  assert.equal(notice(state(0, alone)), "1 of 3 are here");
  assert.equal(notice(state(0, two)), "Press Start");
  assert.equal(notice(state(1, two)), "Asha starts");
  assert.equal(notice(state(null, two, { status: "playing", watchers: false })), "Nobody watches");
  assert.equal(notice(state(null, two, { status: "playing" })), "Take a seat");
});

test("between two matches the host is waited for, who is away only two minutes", () => {
  const between = { status: "between", awaits_press: true };
  const seen = (own, table = between) => ({ ...state(own, two, table), game: { phase: "over" } });
  assert.equal(notice(seen(0)), "Press Start for the next");
  assert.equal(notice(seen(1)), "Asha starts the next");
  assert.equal(hostAwaited(seen(0, { status: "between", awaits_press: false, due_at: 5 })), null);
  assert.equal(hostAwaited(seen(0, { status: "playing", awaits_press: true })), null);
  const here = { seats: [0, 1] };
  assert.equal(mayStart(seen(0), here), true);
  assert.equal(mayStart(seen(1), here), false);
  assert.equal(mayStart(seen(null), { seats: [] }), false);
  assert.equal(mayStart(seen(1), { seats: [1] }), true);
  assert.equal(mayStart(seen(1), { seats: [1], elsewhere: [0] }), false);
  // In a slow game the last answer begins it.
  assert.equal(mayStart(seen(0), null), false);
  assert.equal(mayStart(state(1, two), null), true);
});

test("at a free table points cost no chips", () => {
  const table = { stake: "per_point", point_value: 0, entry_fee: 0, currency: "CHIPS" };
  assert.equal(isFree(table), true);
  assert.equal(costText(TEXTS, table, "drop_text", 20), "20 points");
  assert.equal(isFree({ ...table, point_value: 2 }), false);
  assert.equal(isFree({ ...table, stake: "entry_fee", entry_fee: 100 }), false);
});
