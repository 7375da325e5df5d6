// What the coach of a first deal says, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wildRankOf } from "../static/js/table/core/cards.js";
import { advise, GOAL_OF, GOALS, hiddenRun, reached } from "../static/js/games/indian/core/lesson.js";
import { discarding, laying } from "./legal.mjs";

const PURE = ["4H.0", "5H.0", "6H.0", "7H.0"];
const SECOND = ["8C.0", "9C.0", "TC.0"];
const SETS = [
  ["KS.0", "KH.0", "KD.0"],
  ["2S.0", "2H.0", "2D.0"],
];
const RIGHT = [PURE, SECOND, ...SETS];
const LOOSE = [["2H.0", "9H.0", "KH.0"], ["3S.0", "8S.0"], ["4C.0", "9C.0", "JC.0", "QC.0"], ["5D.0", "TD.0"], ["AD.0", "7S.0"]];

function seen(groups, game = {}, you = {}, rev = 0) {
  const state = {
    table: { match: 1 },
    rules: { max_points: 80 },
    game: {
      deal: 1,
      phase: "turn",
      turn: 0,
      step: "draw",
      wild: "6S.1",
      open_pile: ["8D.1"],
      open_drawable: true,
      discards: [],
      players: { 0: { status: "playing" }, 1: { status: "playing" } },
      finish: null,
      declaration: null,
      result: null,
      ...game,
    },
    you: { seat: 0, hand: groups.flat(), groups, drawn: null, legal: discarding(groups.flat()), ...you },
  };
  return { state, groups, wild: wildRankOf(state.game.wild), rev };
}

test("before the deal the coach says what it is about", () => {
  const before = seen([]);
  assert.equal(advise({ ...before, state: { ...before.state, game: null } }).key, "wait");
  assert.deepEqual(reached({ ...before, state: { ...before.state, game: null } }), []);
});

test("at one's turn a card is drawn, from the open pile if it goes with the hand", () => {
  const closed = advise(seen(LOOSE));
  assert.deepEqual([closed.key, closed.cards, closed.actions], ["draw", [], ["draw-closed"]]);
  const open = advise(seen(LOOSE, { open_pile: ["TC.1"] }));
  assert.equal(open.key, "draw_open");
  assert.deepEqual([open.cards, open.actions], [["TC.1"], ["draw-open"]]);
  assert.equal(advise(seen(LOOSE, { open_pile: ["TC.1"], open_drawable: false })).key, "draw");
});

test("of the loose cards the dearest is to go, and no joker", () => {
  const held = [PURE, ["2H.0", "9H.0", "KH.0"], ["3S.0"], ["5D.0", "TD.0"], ["AD.0", "8S.0"]];
  const advice = advise(seen([...held, ["6C.0"]], { step: "discard", wild: "6S.1" }, { drawn: "6C.0" }));
  assert.equal(advice.key, "discard");
  assert.equal(advice.points, 10);
  assert.ok(!advice.cards.includes("6C.0"));
});

test("cards that lie scattered and go together are named first, a sequence before a set", () => {
  const wild = "KS.1";
  const keyAndCards = (groups) => {
    const { key, cards, goal } = advise(seen(groups, { step: "discard", wild }));
    return [key, cards, goal];
  };
  const set = ["2S.0", "2H.0", "2D.0"];
  assert.deepEqual(keyAndCards([PURE, ["8C.0", "9D.0"], set.slice(0, 2), ["2D.0", "TC.0", "9C.0"]]), [
    "meld_there",
    ["8C.0", "TC.0", "9C.0"],
    "arrange",
  ]);
  assert.deepEqual(keyAndCards([PURE, ["8C.0", "JD.0"], set.slice(0, 2), ["2D.0", "QS.0"]]), ["meld_there", set, "arrange"]);
  const withJoker = ["8C.0", "TC.0", "KD.0"];
  assert.deepEqual(keyAndCards([PURE, ["8C.0", "JD.0"], ["TC.0", "KD.0", "3S.0"]]), ["meld_there", withJoker, "arrange"]);
  assert.deepEqual(keyAndCards([PURE, ["3H.0", "JD.0", "8C.0"]]), ["fits", ["3H.0"], "arrange"]);
});

test("every word about a step has its step, and a word about none has none", () => {
  assert.equal(advise(seen(LOOSE)).goal, "draw");
  assert.equal(advise(seen(LOOSE, { phase: "over", result: { winners: [0] } })).goal, null);
  assert.deepEqual(new Set(Object.values(GOAL_OF)), new Set(GOALS));
});

test("what came from the open pile is not to go at once", () => {
  const groups = [PURE, SECOND, ...SETS.slice(0, 1), ["QD.0", "2S.0", "3S.0", "9S.0"]];
  const own = { drawn: "QD.0", from_open: true, legal: discarding(groups.flat(), "QD.0") };
  assert.ok(!advise(seen(groups, { step: "discard" }, own)).cards.includes("QD.0"));
});

test("a pure sequence that is held and not laid is pointed out, and laid it is done", () => {
  const mixed = [["4H.0", "5H.0", "7H.0", "9D.0"], ["6H.0", "JS.0"]];
  assert.deepEqual(hiddenRun(mixed, null), PURE);
  assert.equal(hiddenRun([PURE, ["9D.0", "JS.0"]], null), null);
  assert.equal(advise(seen(mixed, { turn: 1 })).key, "pure_there");
  assert.ok(reached(seen([PURE, ["9D.0"]])).includes("pure"));
});

test("the ace runs high as well as low, never round the corner", () => {
  assert.deepEqual(hiddenRun([["QC.0", "AC.0"], ["KC.0"]], null), ["QC.0", "KC.0", "AC.0"]);
  assert.deepEqual(hiddenRun([["2C.0"], ["AC.0", "3C.0"]], null), ["AC.0", "2C.0", "3C.0"]);
  assert.equal(hiddenRun([["2C.0", "AC.0", "KC.0"]], null), null);
  assert.equal(hiddenRun([["2C.0", "2C.1", "3C.0", "PJ.0"]], null), null);
});

test("while others play the coach names what is missing", () => {
  const waiting = { turn: 1 };
  assert.equal(advise(seen(LOOSE, waiting)).key, "pure_missing");
  assert.equal(advise(seen([PURE, ...LOOSE.slice(1, 4)], waiting)).key, "second_missing");
  const rest = advise(seen([PURE, SECOND, SETS[0], ["QD.0", "3S.0", "4S.0"]], waiting));
  assert.deepEqual([rest.key, rest.points], ["rest", 17]);
  assert.equal(advise(seen(RIGHT, waiting)).key, "ready");
});

test("with thirteen cards right the fourteenth finishes, and the window declares", () => {
  const finish = advise(seen([...RIGHT, ["QD.0"]], { step: "discard" }, { drawn: "QD.0" }));
  assert.deepEqual([finish.key, finish.cards, finish.actions], ["finish", ["QD.0"], ["finish"]]);
  const own = { phase: "declare", finish: { seat: 0, card: "QD.0" } };
  assert.equal(advise(seen(RIGHT, own)).key, "declare");
  assert.equal(advise(seen(LOOSE, own)).key, "lay_out");
  assert.equal(advise(seen(LOOSE, { ...own, finish: { seat: 1, card: "QD.0" } })).key, "other_declares");
});

test("the end is named as it was", () => {
  const declared = { seat: 0, valid: true };
  const out = (status) => ({ players: { 0: { status }, 1: { status: "playing" } } });
  const show = { phase: "show", declaration: { seat: 1, valid: true } };
  assert.equal(advise(seen(LOOSE, show, { legal: laying("show") })).key, "show");
  assert.equal(advise(seen(RIGHT, { ...out("won"), phase: "show", declaration: declared })).key, "declared");
  assert.equal(advise(seen(LOOSE, { ...out("wrong"), declaration: { seat: 0, valid: false } })).key, "wrong");
  assert.equal(advise(seen(LOOSE, out("dropped"))).key, "out");
  assert.equal(advise(seen(LOOSE, { phase: "over", result: { winners: [0] } })).key, "won");
  assert.equal(advise(seen(LOOSE, { phase: "over", result: { winners: [1] } })).key, "lost");
  const dropped = { players: { 0: { status: "dropped", points: 20 } }, phase: "over", result: { winners: [1] } };
  assert.deepEqual([advise(seen(LOOSE, dropped)).key, advise(seen(LOOSE, dropped)).points], ["dropped", 20]);
  assert.equal(advise(seen(LOOSE, dropped)).isOver, true);
  assert.equal(advise(seen(LOOSE)).isOver, false);
});

test("goals are reached one by one", () => {
  assert.deepEqual(reached(seen(LOOSE)), []);
  assert.deepEqual(reached(seen(LOOSE, {}, { drawn: "7S.0" })), ["draw"]);
  assert.deepEqual(reached(seen([PURE, ...LOOSE], {}, {}, 2)), ["pure", "arrange"]);
  assert.deepEqual(reached(seen(LOOSE, { discards: [[1, "2C.0"]] })), []);
  assert.deepEqual(reached(seen(LOOSE, { discards: [[0, "2C.0"]] })), ["draw", "discard"]);
  const end = { discards: [[0, "2C.0"]], declaration: { seat: 0, valid: true } };
  assert.deepEqual(reached(seen(RIGHT, end, {}, 1)), [...GOALS]);
});
