import assert from "node:assert/strict";
import { test } from "node:test";

import { isOwnClock, mayDiscard, permitted } from "../static/js/games/indian/core/permitted.js";
import { mayArrange } from "../static/js/games/rummy/controllers/own_hand.js";

import { discarding, DRAWING, laying } from "./legal.mjs";

const player = (more = {}) => ({ status: "playing", drop_points: 20, shown: false, ...more });
const state = (legal = [], game = {}, you = {}) => ({
  rules: {},
  table: { stake: "per_point" },
  seats: [],
  you: { seat: 0, legal, ...you },
  game: {
    phase: "turn",
    turn: 0,
    step: "draw",
    finish: null,
    declaration: null,
    players: { 0: player(), 1: player() },
    ...game,
  },
});
const allowed = (may) =>
  Object.entries(may).flatMap(([name, value]) => (value === true ? [name] : []));

test("what the server says may be played is what the buttons offer", () => {
  assert.deepEqual(allowed(permitted(state(DRAWING), true)), ["drawClosed", "drawOpen", "drop"]);
  assert.equal(permitted(state(DRAWING), true).dropPoints, 20);
  assert.deepEqual(allowed(permitted(state(discarding(["7H.0"])), true)), ["discard", "finish"]);
  const closed = [{ kind: "draw", source: ["closed"] }, ...DRAWING.slice(1)];
  assert.deepEqual(allowed(permitted(state(closed), true)), ["drawClosed", "drop"]);
  assert.deepEqual(allowed(permitted(state(laying("declare")), true)), ["declare"]);
  assert.deepEqual(allowed(permitted(state(laying("show")), true)), ["show"]);
});

test("nothing is allowed without a word of the server, while not ready, and to spectators", () => {
  assert.deepEqual(allowed(permitted(state(), true)), []);
  assert.deepEqual(allowed(permitted(state(undefined, {}, { legal: undefined }), true)), []);
  assert.deepEqual(allowed(permitted(state(DRAWING), false)), []);
  assert.deepEqual(allowed(permitted(state(DRAWING, {}, { seat: null }), true)), []);
  const out = { players: { 0: player({ status: "dropped" }), 1: player() } };
  assert.deepEqual(allowed(permitted(state([{ kind: "leave" }], out), true)), []);
  assert.deepEqual(allowed(permitted({ ...state(DRAWING), game: null }, true)), []);
});

test("a drop at one's next turn costs what everybody sees", () => {
  assert.equal(permitted(state([], { turn: 1 }), true).dropPoints, 20);
});

test("who still has to show is at the clock", () => {
  const show = { phase: "show", turn: null, step: null, declaration: { seat: 1 } };
  assert.equal(isOwnClock(state(laying("show"), show)), true);
  assert.equal(isOwnClock(state([{ kind: "leave" }], show)), false);
});

test("R4.5: a card that the server does not name is not discarded", () => {
  const taken = state(discarding(["7H.0", "8H.0"], "7H.0"));
  assert.equal(mayDiscard(taken, "7H.0"), false);
  assert.equal(mayDiscard(taken, "8H.0"), true);
  assert.equal(mayDiscard(state(DRAWING), "8H.0"), false);
});

test("groups are saved as long as the server takes them", () => {
  assert.equal(mayArrange(state(DRAWING)), true);
  assert.equal(mayArrange(state(laying("show"))), true);
  assert.equal(mayArrange(state([{ kind: "leave" }])), false);
});
