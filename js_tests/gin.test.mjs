// Gin: what a group is, what may be laid off, how a knock would be laid.

import assert from "node:assert/strict";
import { test } from "node:test";

import { planOf, proposal } from "../static/js/games/gin/core/knocking.js";
import { countHand, fitting, meldKind, withLaidOff } from "../static/js/games/gin/core/melds.js";
import { acting, isOwnClock } from "../static/js/games/gin/core/seen.js";
import { sortByRank } from "../static/js/games/rummy/core/sorting.js";

const cards = (text) => text.split(" ").map((face) => `${face}.0`);
const groups = (text) => text.split("|").map(cards);

test("a set has one rank, a sequence one suit in order, the ace low only", () => {
  assert.equal(meldKind(cards("7S 7H 7D")), "set");
  assert.equal(meldKind(cards("3S AS 2S")), "sequence");
  for (const none of ["7S 7H", "QS KS AS", "5S 6S 8S", "5S 6S 7H"]) assert.equal(meldKind(cards(none)), null);
});

test("what is in no meld counts, pictures ten and the ace one", () => {
  const count = countHand(groups("7S 7H 7D|KS AD|5C"));
  assert.deepEqual(count.kinds, ["set", null, null]);
  assert.equal(count.points, 16);
});

test("cards are laid off in the order in which they fit, and fall with what they lie on", () => {
  const melds = groups("5H 6H 7H|KS KD KC");
  const laid = withLaidOff(melds, [], cards("9H 8H"), 0);
  assert.deepEqual(laid, [["8H.0", 0], ["9H.0", 0]]);
  assert.equal(withLaidOff(melds, [], cards("9H"), 0), null);
  assert.deepEqual(withLaidOff(melds, laid, cards("KH"), 1)?.at(-1), ["KH.0", 1]);
  assert.deepEqual(fitting(melds, [["9H.0", 0]]), []);
});

const stateOf = (hand, best, knock, game = {}) => ({
  game: { knock_limit: 10, phase: "turn", turn: 0, order: [0, 1], knock: null, ...game },
  you: { seat: 0, hand, best_groups: best, legal: [{ kind: "knock", card: knock, groups: null }] },
});

test("a knock is laid as the player has it or as the server names it, whichever leaves less", () => {
  const melds = groups("5H 6H 7H|KS KD KC|9D TD JD");
  const hand = [...melds.flat(), ...cards("2C 3S")];
  const state = stateOf(hand, melds, cards("2C 3S"));
  const plan = proposal(state, [hand], null);
  assert.deepEqual([plan.card, plan.kind, plan.points, plan.loose], ["3S.0", "knock", 2, ["2C.0"]]);
  assert.deepEqual(planOf(state, [hand], "2C.0").loose, ["3S.0"]);
  assert.equal(planOf(state, [hand], "KS.0"), null);
});

test("gin leaves nothing, and big gin takes the eleventh card into a meld", () => {
  const melds = groups("5H 6H 7H|KS KD KC|9D TD JD QD");
  const hand = [...melds.flat(), "8H.0"];
  const state = stateOf(hand, melds, ["8H.0", null]);
  assert.equal(planOf(state, [hand], "8H.0").kind, "gin");
  const big = planOf(state, [hand], null);
  assert.deepEqual([big.kind, big.groups.flat().length, big.card], ["big_gin", 11, null]);
});

test("after a knock the clock of the other player runs", () => {
  const state = stateOf([], [], [], { phase: "defend", turn: null, knock: { seat: 1 } });
  assert.deepEqual(acting(state), [0]);
  assert.equal(isOwnClock(state), true);
});

test("sorted by rank, cards of one rank lie together", () => {
  assert.deepEqual(sortByRank(groups("KS 2H|2S AD")), groups("AD|2S 2H|KS"));
});
