import assert from "node:assert/strict";
import { test } from "node:test";

import { permitted } from "../static/js/games/indian/core/permitted.js";
import { lookOf } from "../static/js/games/indian/core/looks.js";
import { matchOf, questionFor } from "../static/js/games/indian/core/standing.js";
import { prizeOf } from "../static/js/table/core/stakes.js";

const standing = (more = {}) => ({
  membership: "in",
  score: 0,
  chips: 0,
  deals_won: 0,
  entries: 1,
  drops_left: 0,
  ...more,
});
const TABLE = { stake: "entry_fee", entry_fee: 500, rake_bps: 1000, rake_cap: null };
const MATCH = {
  deals: null,
  tie_breaker: false,
  winners: [],
  waiting: [],
  rejoin_score: null,
  split_asker: null,
  split_parts: null,
  may_offer_split: false,
  standings: {
    0: standing({ score: 44, drops_left: 2 }),
    1: standing({ score: 81, drops_left: 0 }),
    2: standing({ membership: "eliminated", score: 104, entries: 2 }),
    3: standing({ score: 60, drops_left: 2 }),
  },
};
const SPLIT = [
  { seat: 0, amount: 1050 },
  { seat: 1, amount: 150 },
  { seat: 3, amount: 1050 },
];
const state = (phase, match, seat = 0, table = TABLE, legal = []) => ({
  table,
  seats: [],
  you: { seat, legal: [...legal, { kind: "leave" }] },
  rules: {},
  game: { phase, players: {}, match: { ...MATCH, ...match } },
});
const allowed = (may) => Object.entries(may).flatMap(([name, value]) => (value === true ? [name] : []));

test("the prize is what the server says of the pot", () => {
  assert.equal(prizeOf({ ...TABLE, pot: { gross: 2500, rake: 250, net: 2250 } }), 2250);
  assert.equal(prizeOf({ ...TABLE, pot: null }), 0);
});

test("who was eliminated is asked to come back, the others see it and are not asked", () => {
  const match = { waiting: [2], rejoin_score: 82 };
  const asked = questionFor(state("rejoin", match, 2));
  assert.equal(asked?.kind, "rejoin");
  assert.equal(asked?.isAsked, true);
  assert.equal(asked?.score, 82);
  assert.equal(questionFor(state("rejoin", match, 0))?.isAsked, false);
  assert.equal(questionFor(state("rejoin", match, null)), null);
  const may = state("rejoin", match, 2, TABLE, [{ kind: "rejoin", accept: [true, false] }]);
  assert.deepEqual(allowed(permitted(may, true)), ["rejoin"]);
  assert.deepEqual(allowed(permitted(state("rejoin", match, 0), true)), []);
  assert.deepEqual(allowed(permitted(may, false)), []);
});

test("a split shows everybody's amount and answer", () => {
  const match = { split_asker: 1, waiting: [0] };
  const table = { ...TABLE, split: SPLIT };
  const answering = [{ kind: "answer_split", accept: [true, false] }];
  const question = questionFor(state("split", match, 0, table, answering));
  assert.deepEqual(question?.rows, [
    { seat: 0, amount: 1050, answer: "waiting" },
    { seat: 1, amount: 150, answer: "asks" },
    { seat: 3, amount: 1050, answer: "agreed" },
  ]);
  assert.deepEqual(allowed(permitted(state("split", match, 0, table, answering), true)), ["answerSplit"]);
  assert.deepEqual(allowed(permitted(state("split", match, 3), true)), []);
  assert.deepEqual(allowed(permitted(state("split", match, 2), true)), []);
});

test("a split may be offered between deals by who is still in", () => {
  const offering = [{ kind: "offer_split" }];
  const may = state("between", {}, 0, { ...TABLE, split: SPLIT }, offering);
  assert.deepEqual(allowed(permitted(may, true)), ["offerSplit"]);
  assert.deepEqual(questionFor(may)?.rows.map(({ amount }) => amount), [1050, 150, 1050]);
  assert.equal(questionFor(state("between", {}, 2, { ...TABLE, split: SPLIT })), null);
});

test("a table for points has no standings and asks nothing", () => {
  const points = state("between", { may_offer_split: true }, 0, { ...TABLE, stake: "per_point" });
  assert.equal(matchOf(points), null);
  assert.equal(questionFor(points), null);
});

test("a stack too small for the next match asks for what is missing", () => {
  const seats = [{ seat: 0, stack: 0, state: "waiting" }];
  const over = { ...state("over", {}, 0, { ...TABLE, min_buy_in: 500 }), seats };
  assert.equal(permitted(over, true).bring, 500);
  assert.equal(permitted({ ...over, seats: [{ ...seats[0], stack: 500 }] }, true).bring, 0);
  assert.equal(permitted({ ...over, seats: [{ ...seats[0], state: "leaving" }] }, true).bring, 0);
  const points = { ...over, table: { ...TABLE, stake: "per_point", min_buy_in: 80, max_buy_in: 200 } };
  assert.equal(permitted({ ...points, seats: [{ ...seats[0], stack: 30 }] }, true).bring, 170);
  const short = { ...points, seats: [{ ...seats[0], stack: 30 }] };
  assert.equal(permitted(short, true, 90).bring, 90);
  assert.equal(permitted(short, true, 10).bring, 50);
  const playing = { ...over, game: { ...over.game, phase: "between" } };
  assert.equal(permitted({ ...playing, seats: [{ ...seats[0], state: "playing" }] }, true).bring, 0);
});

test("a match with nothing at stake shows points, and a tournament's table its chips", () => {
  globalThis.document = { documentElement: { lang: "en" } };
  const texts = { points: "{points} points", chips: "{amount} chips" };
  const match = { ...MATCH, deals: 2, standings: { 0: standing({ chips: 160 }) } };
  const free = { stake: "entry_fee", point_value: 0, entry_fee: 0, event_url: null };
  const holding = (table) => lookOf(texts, state("over", match, 0, table), 0, null).holding;
  assert.equal(holding(free), "160 points");
  assert.equal(holding({ ...free, event_url: "/tournaments/1/" }), "160 chips");
  assert.equal(holding({ ...free, entry_fee: 500, point_value: 0 }), "160 chips");
});
