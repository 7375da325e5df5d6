import assert from "node:assert/strict";
import { test } from "node:test";

import * as hand from "../static/js/table/core/hand.js";
import { ALL_CARDS, dealHand, randomFrom } from "./random.mjs";

const sorted = (cards) => [...cards].sort();

test("a drawn card lies by itself and a discarded one leaves its group", () => {
  const groups = [["2H.0", "3H.0"], ["KS.0"]];
  assert.deepEqual(hand.reconcile(groups, ["2H.0", "3H.0", "KS.0", "PJ.1"]), [
    ["2H.0", "3H.0"],
    ["KS.0"],
    ["PJ.1"],
  ]);
  assert.deepEqual(hand.reconcile(groups, ["2H.0", "3H.0"]), [["2H.0", "3H.0"]]);
  assert.deepEqual(hand.reconcile([], ["2H.0"]), [["2H.0"]]);
});

test("cards move to a place that is counted before they are taken away", () => {
  const groups = [["2H.0", "3H.0", "4H.0"], ["KS.0"]];
  assert.deepEqual(hand.moveCards(groups, ["2H.0"], { group: 0, index: 3 }), [
    ["3H.0", "4H.0", "2H.0"],
    ["KS.0"],
  ]);
  assert.deepEqual(hand.moveCards(groups, ["KS.0"], { group: 0, index: 1 }), [
    ["2H.0", "KS.0", "3H.0", "4H.0"],
  ]);
  assert.deepEqual(hand.moveCards(groups, ["3H.0"], { group: 2, index: 0 }), [
    ["2H.0", "4H.0"],
    ["KS.0"],
    ["3H.0"],
  ]);
});

test("gathered cards keep their order and stay where the first of them lay", () => {
  const groups = [["2H.0", "9C.0"], ["KS.0", "3H.0"], ["4H.0"]];
  assert.deepEqual(hand.gather(groups, ["4H.0", "2H.0", "3H.0"]), [
    ["9C.0"],
    ["2H.0", "3H.0", "4H.0"],
    ["KS.0"],
  ]);
});

test("one step crosses into the neighbouring group, then out of the last one", () => {
  let groups = [["2H.0", "3H.0"], ["KS.0"]];
  groups = hand.shiftCard(groups, "2H.0", 1);
  assert.deepEqual(groups, [["3H.0", "2H.0"], ["KS.0"]]);
  groups = hand.shiftCard(groups, "2H.0", 1);
  assert.deepEqual(groups, [["3H.0"], ["2H.0", "KS.0"]]);
  groups = hand.shiftCard(hand.shiftCard(groups, "2H.0", 1), "2H.0", 1);
  assert.deepEqual(groups, [["3H.0"], ["KS.0"], ["2H.0"]]);
  assert.deepEqual(hand.shiftCard(groups, "3H.0", -1), groups);
});

test("sorting makes one group for each suit, printed jokers apart", () => {
  assert.deepEqual(hand.sortBySuit([["KD.0", "PJ.0", "2S.1"], ["AD.0", "2S.0", "5H.0"]]), [
    ["2S.0", "2S.1"],
    ["5H.0"],
    ["AD.0", "KD.0"],
    ["PJ.0"],
  ]);
});

test("no series of moves ever loses or doubles a card", () => {
  const random = randomFrom(20_240_601);
  let cards = dealHand(random, 13);
  let groups = hand.reconcile([], cards);
  let draws = 0;
  for (let step = 0; step < 5000; step += 1) {
    const some = cards.filter(() => random.whole(4) === 0);
    const place = { group: random.whole(groups.length + 1), index: random.whole(15) };
    const action = random.whole(6);
    if (action === 0) groups = hand.moveCards(groups, some, place);
    else if (action === 1) groups = hand.gather(groups, some);
    else if (action === 2) groups = hand.shiftCard(groups, random.pick(cards), random.pick([-1, 1]));
    else if (action === 3 && random.whole(8) === 0) groups = hand.sortBySuit(groups);
    else if (action === 4 && cards.length === 13) {
      draws += 1;
      cards = [...cards, random.pick(ALL_CARDS.filter((card) => !cards.includes(card)))];
      groups = hand.reconcile(groups, cards);
    } else if (action === 5 && cards.length === 14) {
      const gone = random.pick(cards);
      cards = cards.filter((card) => card !== gone);
      groups = hand.reconcile(groups, cards);
    }
    assert.deepEqual(sorted(groups.flat()), sorted(cards));
    assert.ok(groups.every((group) => group.length > 0));
  }
  assert.ok(draws > 100);
});
