// What the coach of a first deal of gin says, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { advise, GOALS, reached } from "../static/js/games/gin/core/lesson.js";

const cards = (text) => text.split(" ").map((face) => `${face}.0`);
const groups = (text) => text.split("|").map(cards);
const MELDS = groups("5H 6H 7H|KS KD KC");
const LOOSE = groups("5H 6H 7H KS KD KC 2C 4D 8S QD");

/** A player of gin whose least deadwood is what these melds leave. */
function seen(held, { melds = [], legal = [], game = {}, you = {}, rev = 0 } = {}) {
  const state = {
    table: { match: 1 },
    rules: { knock_limit: 10, gin_bonus: 25 },
    game: {
      deal: 1,
      phase: "turn",
      step: "draw",
      turn: 0,
      order: [0, 1],
      upcard: "9S.0",
      open_pile: ["9S.0"],
      discards: [],
      knock_limit: 10,
      knock: null,
      players: { 0: { status: "playing" }, 1: { status: "playing" } },
      result: null,
      ...game,
    },
    you: { seat: 0, hand: held.flat(), deadwood: 24, best_groups: melds, drawn: null, legal, ...you },
  };
  return { state, groups: held, rev };
}
const DRAW = [{ kind: "draw", source: ["closed", "open"] }];
const discarding = (hand, knock = null) => [
  { kind: "discard", card: hand.flat() },
  ...(knock === null ? [] : [{ kind: "knock", card: knock, groups: null }]),
];
const keyOf = (...how) => advise(seen(...how)).key;

test("the upcard is taken if it makes a meld, and passed otherwise", () => {
  const upcard = { phase: "upcard", step: "draw" };
  const take = advise(seen(LOOSE, { game: { ...upcard, upcard: "8H.0" } }));
  assert.deepEqual([take.key, take.cards, take.actions], ["upcard_take", ["8H.0"], ["take"]]);
  const pass = advise(seen(LOOSE, { game: upcard }));
  assert.deepEqual([pass.key, pass.actions], ["upcard_pass", ["pass"]]);
  assert.equal(keyOf(LOOSE, { game: { ...upcard, turn: 1 } }), "waiting");
});

test("at one's turn a card is drawn, from the open pile if it makes a meld", () => {
  assert.deepEqual(advise(seen(LOOSE, { legal: DRAW })).actions, ["draw-closed"]);
  const open = advise(seen(LOOSE, { legal: DRAW, game: { open_pile: ["KH.0"] } }));
  assert.deepEqual([open.key, open.cards, open.actions], ["draw_open", ["KH.0"], ["draw-open"]]);
  const closed = [{ kind: "draw", source: ["closed"] }];
  assert.equal(keyOf(LOOSE, { legal: closed, game: { open_pile: ["KH.0"] } }), "draw_closed");
});

test("a meld that lies scattered is named before anything is thrown away", () => {
  const advice = advise(seen(LOOSE, { melds: MELDS, legal: discarding(LOOSE), game: { step: "discard" } }));
  assert.deepEqual([advice.key, advice.cards, advice.actions], ["meld_there", MELDS[0], ["group"]]);
  assert.equal(keyOf([...MELDS, cards("2C 4D 8S QD")], { melds: MELDS, game: { turn: 1 } }), "waiting");
});

test("of the loose cards the dearest is to go, and not the one that may not", () => {
  const held = [...MELDS, cards("2C 4D 8S QD JD")];
  const how = { melds: MELDS, game: { step: "discard" } };
  const advice = advise(seen(held, { ...how, legal: discarding(held) }));
  assert.deepEqual([advice.key, advice.cards, advice.points], ["discard", ["QD.0"], 10]);
  const kept = discarding(held.flat().filter((card) => card !== "QD.0"));
  assert.deepEqual(advise(seen(held, { ...how, legal: kept })).cards, ["JD.0"]);
  assert.equal(keyOf(MELDS, { ...how, legal: discarding(MELDS) }), "best");
});

test("who may knock is told so, with what it leaves; gin and big gin by their names", () => {
  const held = [...MELDS, cards("9D TD JD"), cards("2C 3S")];
  const melds = held.slice(0, 3);
  const step = { game: { step: "discard" }, melds };
  const knock = advise(seen(held, { ...step, legal: discarding(held, cards("2C 3S")) }));
  assert.deepEqual([knock.key, knock.cards, knock.points], ["knock", ["3S.0"], 2]);
  const gin = [...MELDS, cards("9D TD JD QD"), cards("3S")];
  const legal = discarding(gin, cards("3S"));
  assert.equal(keyOf(gin, { game: { step: "discard" }, melds: gin.slice(0, 3), legal }), "gin");
  assert.equal(keyOf(gin, { game: { step: "discard" }, melds, legal: discarding(gin, [null]) }), "big_gin");
});

test("after a knock: one's own answer, or a word to wait", () => {
  const knock = { seat: 1, kind: "knock", groups: MELDS, points: 8 };
  assert.equal(keyOf(LOOSE, { game: { phase: "defend", step: null, turn: null, knock } }), "defend");
  const own = { phase: "defend", step: null, turn: null, knock: { ...knock, seat: 0 } };
  assert.equal(keyOf(LOOSE, { game: own }), "answered");
});

test("the end is said as it is", () => {
  const over = (result) => advise(seen(LOOSE, { game: { phase: "over", result } }));
  assert.deepEqual([over({ winner: 0, points: 31 }).key, over({ winner: 0, points: 31 }).points], ["won", 31]);
  assert.equal(over({ winner: 1, points: 4 }).key, "lost");
  assert.equal(over({ winner: null, points: 0 }).key, "even");
  assert.equal(over({ winner: 0, points: 31 }).isOver, true);
  assert.equal(keyOf(LOOSE, { game: { phase: "between" } }), "dead");
});

test("before the deal and without a seat there is little to say", () => {
  const before = seen([]);
  assert.equal(advise({ ...before, state: { ...before.state, game: null } }).key, "wait");
  assert.deepEqual(reached({ ...before, state: { ...before.state, game: null } }), []);
  assert.equal(keyOf(LOOSE, { game: { players: { 0: { status: "left" } } } }), "out");
});

test("what has been done is ticked off in its order", () => {
  assert.deepEqual(reached(seen(LOOSE)), []);
  const game = { discards: [[0, "QD.0"]], knock: { seat: 0 } };
  assert.deepEqual(reached(seen(MELDS, { game, rev: 2 })), [...GOALS]);
});
