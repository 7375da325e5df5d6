// The coach of Rummikub: what a beginner could see on a rack, and what to do next.

import assert from "node:assert/strict";
import { test } from "node:test";

import { findAddition, findMelds, pointsOf } from "../static/js/games/rummikub/core/finding.js";
import { advise, reached } from "../static/js/games/rummikub/core/lesson.js";
import { isJoker, numberOf } from "../static/js/games/rummikub/core/names.js";
import { dealHand, randomFrom } from "./random.mjs";

const tiles = (text) => (text === "" ? [] : text.split(" ").map((face) => `${face}.0`));
const seenMeld = (text, kind) => ({ cards: tiles(text), as: text.split(" "), kind, points: 0 });

test("runs and groups are found, the dearest first, and no tile twice", () => {
  assert.deepEqual(findMelds(tiles("4H 5H 6H 9S 9H 9C 2D")), [tiles("9S 9H 9C"), tiles("4H 5H 6H")]);
  assert.deepEqual(findMelds(tiles("QH KH AH")), []);
  assert.deepEqual(findMelds(tiles("4H 5H PJ")), []);
  assert.equal(pointsOf(tiles("AS TS KS")), 24);
});

test("whatever is found is a meld, and nothing that is left over is one", () => {
  const random = randomFrom(7);
  let melds = 0;
  for (let deal = 0; deal < 400; deal += 1) {
    const rack = dealHand(random, 22);
    const found = findMelds(rack);
    assert.equal(new Set(found.flat()).size, found.flat().length);
    for (const meld of found) {
      melds += 1;
      const numbers = meld.map(numberOf);
      const colours = meld.map((card) => card.charAt(1));
      const isGroup = new Set(numbers).size === 1 && new Set(colours).size === meld.length && meld.length <= 4;
      const isRun = new Set(colours).size === 1 && numbers.every((number, at) => at === 0 || number === numbers[at - 1] + 1);
      assert.ok(meld.length >= 3 && (isGroup || isRun) && !meld.some(isJoker), meld.join());
      assert.ok(meld.every((card) => rack.includes(card)));
    }
    assert.deepEqual(findMelds(rack.filter((card) => !found.flat().includes(card))), []);
  }
  assert.ok(melds > 400);
});

test("a tile fits at an end of a run and in a group that lacks its colour", () => {
  const table = [seenMeld("4H 5H 6H", "run"), seenMeld("9S 9H 9C", "group")];
  assert.deepEqual(findAddition(tiles("2S 7H"), table), { card: "7H.0", meld: 0 });
  assert.deepEqual(findAddition(tiles("3H"), table), { card: "3H.0", meld: 0 });
  assert.deepEqual(findAddition(tiles("9D"), table), { card: "9D.0", meld: 1 });
  assert.equal(findAddition(tiles("9S 7D PJ"), table), null);
  assert.equal(findAddition(tiles("AH"), [seenMeld("JH QH KH", "run")]), null);
  assert.equal(findAddition(tiles("9S"), [seenMeld("9S 9H 9C 9D", "group")]), null);
  assert.deepEqual(findAddition(tiles("7H"), [{ ...seenMeld("4H PJ 6H", "run"), as: ["4H", "5H", "6H"] }]), { card: "7H.0", meld: 0 });
});

const player = (more = {}) => ({ status: "playing", tiles: 14, opened: false, missed: 0, score: 0, ...more });
const seen = ({ rack = "", board = null, check = null, game = {}, own = player(), you = {} } = {}) => ({
  state: {
    you: { seat: 0, ...you },
    game: { phase: "turn", turn: 0, order: [0, 1], pool_count: 5, initial_meld: 30, result: null, table: [], players: { 0: own, 1: player() }, ...game },
  },
  board,
  check,
  rack: tiles(rack),
});
const key = (what) => advise(seen(what)).key;
const opened = player({ opened: true });

test("the first lay is advised when it is worth enough, and drawing until then", () => {
  const advice = advise(seen({ rack: "9S 9H 9C 4H 5H 6H 2D" }));
  assert.deepEqual([advice.key, advice.cards, advice.actions, advice.points], ["open", tiles("9S 9H 9C"), ["new-meld"], 42]);
  assert.deepEqual(advise(seen({ rack: "4H 5H 6H" })).actions, ["draw"]);
  assert.equal(key({ rack: "4H 5H 6H" }), "draw_first");
  assert.equal(key({ rack: "4H 5H 6H", game: { pool_count: 0 } }), "pass");
});

test("afterwards a meld, then a tile that fits, then drawing", () => {
  const table = [seenMeld("7S 8S 9S", "run"), seenMeld("4H 5H 6H", "run")];
  assert.equal(key({ rack: "AS AH AC", own: opened }), "meld");
  const addition = advise(seen({ rack: "7H 2C", own: opened, game: { table } }));
  assert.deepEqual([addition.key, addition.cards, addition.points], ["add", ["7H.0"], 2]);
  assert.deepEqual(addition.places, ['[data-action="add"][data-meld="1"]']);
  assert.equal(key({ rack: "2C", own: opened, game: { table } }), "draw");
});

test("what is being built goes by what the server says of it", () => {
  const board = [{ cards: tiles("4H 5H 6H"), as: null }];
  const check = (refusal, more = {}) => ({ refusal, tiles: 3, points: 15, opening_points: 15, table: [], missing: [], ...more });
  assert.equal(key({ board }), "checking");
  assert.deepEqual(advise(seen({ board, check: check(null) })).actions, ["lay"]);
  assert.equal(key({ board, check: check("table_not_valid") }), "not_valid");
  assert.deepEqual(advise(seen({ board, check: check("below_initial_meld") })).actions, ["reset"]);
  const more = advise(seen({ board, rack: "9S 9H 9C", check: check("below_initial_meld") }));
  assert.deepEqual([more.key, more.cards, more.points], ["more", tiles("9S 9H 9C"), 15]);
});

test("nothing is advised out of turn; the end says who won", () => {
  assert.equal(key({ game: { turn: 1 } }), "waiting");
  assert.equal(advise({ ...seen(), state: { game: null, you: { seat: 0 } } }).key, "wait");
  assert.equal(key({ own: player({ status: "out" }) }), "out");
  const result = { how: "laid_out", winners: [1], points: 40, racks: [{ seat: 0, lost: 40, tiles: [], count: 40 }] };
  const lost = advise(seen({ game: { result, turn: null } }));
  assert.deepEqual([lost.key, lost.points, lost.isOver], ["lost", 40, true]);
  assert.equal(key({ game: { result: { ...result, winners: [0] }, turn: null } }), "won");
});

test("steps are done when they have been done", () => {
  assert.deepEqual(reached(seen()), []);
  assert.deepEqual(reached(seen({ you: { drawn: ["4H.0"] } })), ["draw"]);
  assert.deepEqual(reached(seen({ check: { refusal: "below_initial_meld", opening_points: 15 } })), ["meld"]);
  assert.deepEqual(reached(seen({ own: opened })), ["meld", "open"]);
  assert.deepEqual(reached(seen({ own: opened, check: { refusal: null, opening_points: 0 } })), ["meld", "open", "more"]);
});
