import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { wildRankOf } from "../static/js/table/core/cards.js";
import { countHand, declarationFlaw, meldKind, wrongCost } from "../static/js/games/indian/core/meld.js";

const vectors = (name) =>
  JSON.parse(readFileSync(new URL(`../tests/vectors/${name}.json`, import.meta.url), "utf8"));
const withPacks = (faces) => faces.map((face, index) => `${face}.${index}`);

test("every group of the shared vectors has the server's kind", () => {
  const groups = vectors("groups");
  assert.ok(groups.length > 30);
  for (const { cards, wild, kind, source, rules } of groups) {
    assert.equal(meldKind(withPacks(cards), wildRankOf(wild), rules), kind, `${cards} ${source}`);
  }
});

test("every declaration of the shared vectors is judged as the server judges it", () => {
  const declarations = vectors("declarations");
  assert.ok(declarations.length > 3);
  for (const { groups, wild, valid } of declarations) {
    const flaw = declarationFlaw(groups.map(withPacks), wildRankOf(wild));
    assert.equal(flaw === null, valid, JSON.stringify(groups));
  }
});

test("every count of the shared vectors is the server's", () => {
  const scores = vectors("scores");
  assert.ok(scores.length > 3);
  for (const { groups, wild, points, rules, ruleset } of scores) {
    const max = ruleset === "pool61" ? 60 : 80;
    const count = countHand(groups.map(withPacks), wildRankOf(wild), { max_points: max, ...rules });
    assert.equal(count.points, points, JSON.stringify(groups));
  }
});

test("R2.4: a maximum makes a longer set invalid", () => {
  const five = withPacks(["5D", "5C", "5S", "PJ", "PJ"]);
  assert.equal(meldKind(five, 12, { max_set_size: null }), "set");
  assert.equal(meldKind(five, 12, { max_set_size: 4 }), null);
});

test("R2.5: equal wild cards in one group are a choice of the rules", () => {
  const twins = ["QH.0", "QH.1", "QD.0"];
  assert.equal(meldKind(twins, 12), "sequence");
  assert.equal(meldKind(twins, 12, { wild_twins: false }), null);
  assert.equal(meldKind(twins, 5), null);
});

test("R2.6: jokers alone are what the rules say", () => {
  const queens = ["QH.0", "QS.0", "PJ.0"];
  assert.equal(meldKind(queens, 12), "sequence");
  assert.equal(meldKind(queens, 12, { joker_only_melds: "set" }), "set");
  assert.equal(meldKind(queens, 12, { joker_only_melds: "none" }), null);
  assert.equal(meldKind([...queens, "TH.0"], 12, { joker_only_melds: "none" }), "sequence");
});

test("R3.4: a wrong declaration costs a fixed number, or what the cards count", () => {
  const groups = [["KD.0", "QD.0"], ["5S.0", "PJ.0"]];
  assert.equal(wrongCost(groups, 6, { wrong_declaration_points: 60 }), 60);
  assert.equal(wrongCost(groups, 6, { wrong_declaration_counts: "hand" }), 25);
  assert.equal(wrongCost(groups, 6, { wrong_declaration_counts: "hand", max_points: 20 }), 20);
});

test("R6.3: what is free depends on the sequences", () => {
  const pure = ["2H.0", "3H.0", "4H.0"];
  const second = ["8C.0", "PJ.0", "TC.0"];
  const set = ["9S.0", "9H.0", "9D.0"];
  const loose = ["KD.0", "QD.0", "5S.0", "3S.0"];
  assert.deepEqual(countHand([second, set, loose], 6).free, [false, false, false]);
  assert.deepEqual(countHand([pure, set, loose], 6).free, [true, false, false]);
  assert.deepEqual(countHand([pure, set], 6, { lone_pure_sequence: "counted" }).free, [false, false]);
  assert.deepEqual(countHand([pure, second, set, loose], 6).free, [true, true, true, false]);
  assert.equal(countHand([pure, second, set, loose], 6).points, 28);
});

test("a declaration says what it lacks", () => {
  const sets = ["9", "5", "7"].map((rank) => [`${rank}S.0`, `${rank}H.0`, `${rank}D.0`]);
  const four = ["KS.0", "KH.0", "KD.0", "KC.0"];
  const pure = ["2H.0", "3H.0", "4H.0"];
  assert.equal(declarationFlaw(sets, 6), "wrong_card_count");
  assert.equal(declarationFlaw([...sets, four], 6), "no_pure_sequence");
  assert.equal(declarationFlaw([sets[0], sets[1], pure, four], 6), "no_second_sequence");
  assert.equal(declarationFlaw([sets[0], sets[1], pure, [...four.slice(1), "2C.0"]], 6), "loose_cards");
});
