import assert from "node:assert/strict";
import { test } from "node:test";

import { isOwnClock, mayArrange, mayDiscard, permitted } from "../static/js/table/core/permitted.js";

const player = (more = {}) => ({ status: "playing", drop_points: 20, shown: false, ...more });
const state = (game = {}, you = {}) => ({
  rules: {},
  table: { variant: "POINTS" },
  seats: [],
  you: { seat: 0, ...you },
  game: {
    phase: "turn",
    turn: 0,
    step: "draw",
    open_drawable: true,
    finish: null,
    declaration: null,
    players: { 0: player(), 1: player() },
    ...game,
  },
});
const allowed = (may) =>
  Object.entries(may).flatMap(([name, value]) => (value === true ? [name] : []));

test("before the draw one may draw or drop, after it discard or finish", () => {
  assert.deepEqual(allowed(permitted(state(), true)), ["drawClosed", "drawOpen", "drop"]);
  assert.equal(permitted(state(), true).dropPoints, 20);
  assert.deepEqual(allowed(permitted(state({ step: "discard" }), true)), ["discard", "finish"]);
  const closed = permitted(state({ open_drawable: false }), true);
  assert.deepEqual(allowed(closed), ["drawClosed", "drop"]);
});

test("nothing is allowed out of turn, while not ready, to spectators and to who is out", () => {
  assert.deepEqual(allowed(permitted(state({ turn: 1 }), true)), []);
  assert.deepEqual(allowed(permitted(state(), false)), []);
  assert.deepEqual(allowed(permitted(state({}, { seat: null }), true)), []);
  const out = { players: { 0: player({ status: "dropped" }), 1: player() } };
  assert.deepEqual(allowed(permitted(state(out), true)), []);
  assert.deepEqual(allowed(permitted({ ...state(), game: null }, true)), []);
});

test("who finished declares, and the others show after it", () => {
  const declare = { phase: "declare", turn: 0, step: null, finish: { seat: 0, card: "7H.0" } };
  assert.deepEqual(allowed(permitted(state(declare), true)), ["declare"]);
  assert.deepEqual(allowed(permitted(state(declare, { seat: 1 }), true)), []);
  const show = { phase: "show", turn: null, step: null, declaration: { seat: 1 } };
  assert.deepEqual(allowed(permitted(state(show), true)), ["show"]);
  assert.equal(isOwnClock(state(show)), true);
  const shown = { ...show, players: { 0: player({ shown: true }), 1: player() } };
  assert.deepEqual(allowed(permitted(state(shown), true)), []);
  assert.equal(isOwnClock(state(shown)), false);
});

test("R4.5: a card from the open pile does not go back at once", () => {
  const taken = state({}, { drawn: "7H.0", from_open: true });
  assert.equal(mayDiscard(taken, "7H.0"), false);
  assert.equal(mayDiscard(taken, "8H.0"), true);
  assert.equal(mayDiscard({ ...taken, rules: { may_return_open_card: true } }, "7H.0"), true);
  assert.equal(mayDiscard(state({}, { drawn: "7H.0", from_open: false }), "7H.0"), true);
});

test("groups are saved until they are declared, shown or out", () => {
  const show = { phase: "show", turn: null, step: null, declaration: { seat: 1 } };
  assert.equal(mayArrange(state({ turn: 1 })), true);
  assert.equal(mayArrange(state(show)), true);
  assert.equal(mayArrange(state(show, { seat: 1 })), false);
  assert.equal(mayArrange(state({ ...show, players: { 0: player({ shown: true }) } })), false);
  assert.equal(mayArrange(state({ players: { 0: player({ status: "dropped" }) } })), false);
  assert.equal(mayArrange(state({ phase: "over", players: { 0: player({ status: "won" }) } })), false);
});
