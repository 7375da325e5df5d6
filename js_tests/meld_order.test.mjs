import assert from "node:assert/strict";
import { test } from "node:test";

import { meldAround } from "../static/js/games/indian/core/gathering.js";
import { meldKind } from "../static/js/games/indian/core/meld.js";
import { inMeldOrder } from "../static/js/games/rummy/core/meld_order.js";
import { gather } from "../static/js/table/core/hand.js";
import { dealHand, randomFrom } from "./random.mjs";

const cards = (text) => text.split(" ").filter(Boolean).map((face) => `${face}.0`);
const faces = (group) => group.map((card) => card.split(".")[0]).join(" ");
const ordered = (text, wild = null) => {
  const group = cards(text);
  return faces(inMeldOrder(group, meldKind(group, wild), wild));
};

test("a sequence lies by its ranks, the ace at its better end", () => {
  assert.equal(ordered("4S 2S 3S"), "2S 3S 4S");
  assert.equal(ordered("3S AS 2S"), "AS 2S 3S");
  assert.equal(ordered("AS QS KS"), "QS KS AS");
});

test("each joker lies in the gap that it fills; one too many goes on above, at the ace below", () => {
  assert.equal(ordered("3D 5D PJ 4D 7D"), "3D 4D 5D PJ 7D");
  assert.equal(ordered("6H 9C 4H", 9), "4H 9C 6H");
  assert.equal(ordered("5H PJ 4H"), "4H 5H PJ");
  assert.equal(ordered("KH PJ AH"), "PJ KH AH");
});

test("a wild card lies where it would lie anyhow, if that is a gap", () => {
  assert.equal(ordered("7H PJ 6H 5H 9C", 6), "5H 6H 7H PJ 9C");
  assert.equal(ordered("6H 7H 5H", 6), "5H 6H 7H");
});

test("a set lies by suits, its jokers last", () => {
  assert.equal(ordered("9C PJ 9S 9H"), "9S 9H 9C PJ");
});

test("order keeps the cards and their meld", () => {
  const random = randomFrom(41);
  let melds = 0;
  for (let round = 0; round < 4000; round += 1) {
    const wild = 1 + random.whole(13);
    const group = dealHand(random, 3 + random.whole(2));
    const kind = meldKind(group, wild);
    if (kind === null) continue;
    melds += 1;
    const laid = inMeldOrder(group, kind, wild);
    assert.deepEqual(laid.toSorted(), group.toSorted());
    assert.equal(meldKind(laid, wild), kind);
  }
  assert.ok(melds > 20);
});

test("one card takes along the meld that it makes with the loose ones", () => {
  const hand = [cards("2S 3S 4S 8S 9D"), cards("9H 9C KD QD"), cards("PJ")];
  const around = (face, wild = null) => faces(meldAround(`${face}.0`, hand, wild, {}).toSorted());
  assert.equal(around("3S"), "2S 3S 4S");
  assert.equal(around("9H"), "9C 9D 9H");
  assert.equal(around("KD"), "KD PJ QD"); // With a joker only where there is no way without one.
  assert.equal(around("8S"), "8S");
});

test("it leaves melds alone, and what it takes is a meld", () => {
  const kept = [cards("2S 3S 4S"), cards("5S 6S 7S 9D")];
  assert.equal(faces(meldAround("5S.0", kept, null, {})), "5S 6S 7S");
  assert.deepEqual(meldAround("3S.0", kept, null, {}), ["3S.0"]);
  const random = randomFrom(43);
  for (let round = 0; round < 1500; round += 1) {
    const wild = 1 + random.whole(13);
    const dealt = dealHand(random, 13);
    const hand = [dealt.slice(0, 6), dealt.slice(6)];
    const card = random.pick(hand.flat());
    const meld = meldAround(card, hand, wild, {});
    assert.ok(meld.includes(card));
    assert.ok(meld.length === 1 || meldKind(meld, wild) !== null, meld.join());
    assert.equal(gather(hand, meld).flat().length, 13);
  }
});

test("four melds are laid in eight presses: a card of each, and Group", () => {
  let hand = [cards("4H 7C 2S PJ 9S 5H QD 7D 3S KD 6H 7S 4S")];
  for (const face of ["3S", "4H", "7C", "QD"]) {
    hand = gather(hand, meldAround(`${face}.0`, hand, null, {}));
  }
  const kinds = hand.map((group) => meldKind(group, null)).filter((kind) => kind !== null);
  assert.deepEqual(kinds.toSorted(), ["pure_sequence", "pure_sequence", "sequence", "set"]);
});
