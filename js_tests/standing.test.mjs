import assert from "node:assert/strict";
import { test } from "node:test";

import { permitted } from "../static/js/table/core/permitted.js";
import { matchOf, prizeOf, questionFor, splitAmounts } from "../static/js/table/core/standing.js";

const standing = (more = {}) => ({
  membership: "in",
  score: 0,
  chips: 0,
  deals_won: 0,
  entries: 1,
  drops_left: 0,
  ...more,
});
const TABLE = { variant: "POOL", entry_fee: 500, rake_bps: 1000, rake_cap: null };
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
const state = (phase, match, seat = 0, table = TABLE) => ({
  table,
  seats: [],
  you: { seat },
  rules: {},
  game: { phase, players: {}, match: { ...MATCH, ...match } },
});
const allowed = (may) => Object.entries(may).flatMap(([name, value]) => (value === true ? [name] : []));

test("the prize is every entry less the service fee, and no more fee than its cap", () => {
  assert.equal(prizeOf(TABLE, MATCH), 2250);
  assert.equal(prizeOf({ ...TABLE, rake_bps: 333 }, MATCH), 2417);
  assert.equal(prizeOf({ ...TABLE, rake_cap: 100 }, MATCH), 2400);
  assert.equal(prizeOf({ ...TABLE, prize: 1234 }, MATCH), 1234);
});

test("R8.5: a split adds up to the prize; odd units go to more drops left, then fewer points", () => {
  const match = { ...MATCH, split_parts: { 0: 7, 1: 1, 3: 7 } };
  assert.deepEqual(splitAmounts(TABLE, match), [
    { seat: 0, amount: 1050 },
    { seat: 1, amount: 150 },
    { seat: 3, amount: 1050 },
  ]);
  assert.deepEqual(splitAmounts({ ...TABLE, prize: 1003 }, match), [
    { seat: 0, amount: 469 },
    { seat: 1, amount: 66 },
    { seat: 3, amount: 468 },
  ]);
  assert.deepEqual(splitAmounts(TABLE, MATCH), []);
});

test("who was eliminated is asked to come back, the others see it and are not asked", () => {
  const match = { waiting: [2], rejoin_score: 82 };
  const asked = questionFor(state("rejoin", match, 2));
  assert.equal(asked?.kind, "rejoin");
  assert.equal(asked?.isAsked, true);
  assert.equal(asked?.score, 82);
  assert.equal(questionFor(state("rejoin", match, 0))?.isAsked, false);
  assert.equal(questionFor(state("rejoin", match, null)), null);
  assert.deepEqual(allowed(permitted(state("rejoin", match, 2), true)), ["rejoin"]);
  assert.deepEqual(allowed(permitted(state("rejoin", match, 0), true)), []);
  assert.deepEqual(allowed(permitted(state("rejoin", match, 2), false)), []);
});

test("a split shows everybody's amount and answer", () => {
  const match = { split_parts: { 0: 7, 1: 1, 3: 7 }, split_asker: 1, waiting: [0] };
  const question = questionFor(state("split", match));
  assert.deepEqual(question?.rows, [
    { seat: 0, amount: 1050, answer: "waiting" },
    { seat: 1, amount: 150, answer: "asks" },
    { seat: 3, amount: 1050, answer: "agreed" },
  ]);
  assert.deepEqual(allowed(permitted(state("split", match), true)), ["answerSplit"]);
  assert.deepEqual(allowed(permitted(state("split", match, 3), true)), []);
  assert.deepEqual(allowed(permitted(state("split", match, 2), true)), []);
});

test("a split may be offered between deals by who is still in", () => {
  const match = { split_parts: { 0: 7, 1: 1, 3: 7 }, may_offer_split: true };
  assert.deepEqual(allowed(permitted(state("between", match), true)), ["offerSplit"]);
  assert.equal(questionFor(state("between", match, 2)), null);
  assert.equal(questionFor(state("between", { ...match, may_offer_split: false })), null);
});

test("a table for points has no standings and asks nothing", () => {
  const points = state("between", { may_offer_split: true }, 0, { ...TABLE, variant: "POINTS" });
  assert.equal(matchOf(points), null);
  assert.equal(questionFor(points), null);
});

test("a stack too small for the next match asks for what is missing", () => {
  const seats = [{ seat: 0, stack: 0, state: "waiting" }];
  const over = { ...state("over", {}, 0, { ...TABLE, min_buy_in: 500 }), seats };
  assert.equal(permitted(over, true).bring, 500);
  assert.equal(permitted({ ...over, seats: [{ ...seats[0], stack: 500 }] }, true).bring, 0);
  assert.equal(permitted({ ...over, seats: [{ ...seats[0], state: "leaving" }] }, true).bring, 0);
  const points = { ...over, table: { ...TABLE, variant: "POINTS", min_buy_in: 80, max_buy_in: 200 } };
  assert.equal(permitted({ ...points, seats: [{ ...seats[0], stack: 30 }] }, true).bring, 170);
  const short = { ...points, seats: [{ ...seats[0], stack: 30 }] };
  assert.equal(permitted(short, true, 90).bring, 90);
  assert.equal(permitted(short, true, 10).bring, 50);
  const playing = { ...over, game: { ...over.game, phase: "between" } };
  assert.equal(permitted({ ...playing, seats: [{ ...seats[0], state: "playing" }] }, true).bring, 0);
});
