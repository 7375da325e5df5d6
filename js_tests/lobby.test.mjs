import assert from "node:assert/strict";
import { test } from "node:test";

import { choose } from "../static/js/lobby/choice.js";

const kind = (id, format, seats, value, practice = false, money = "CHIPS") => ({
  id,
  format,
  seats,
  value,
  practice,
  money,
  stake: `${value}`,
  players: `${seats} players`,
  facts: "",
});

const KINDS = [
  kind(1, "Points", 2, 1, true),
  kind(2, "Points", 4, 2, true),
  kind(3, "Points", 6, 5),
  kind(4, "Points", 6, 10),
  kind(5, "Pool 101", 3, 200, true),
  kind(6, "Points", 2, 10, false, "INR"),
];

const WISH = { format: "Points", seats: 2, value: 1, practice: true, money: "CHIPS" };

/** The values of a part that can be chosen, with what else each would change; null where there is none. */
const ways = (choice, part) => choice?.[part].map(({ value, option, only }) => [value, option && only]);

test("what is wished is chosen, and what else there is is listed", () => {
  const choice = choose(KINDS, WISH);
  assert.equal(choice?.option.id, 1);
  assert.deepEqual(ways(choice, "format"), [["Points", ""], ["Pool 101", ""]]);
  assert.deepEqual(ways(choice, "stake"), [[1, ""], [2, "4 players"]]);
  assert.deepEqual(choice?.stake.map(({ isChosen }) => isChosen), [true, false]);
});

test("every number of seats of the game is listed, and says what it is not to be had with", () => {
  assert.deepEqual(ways(choose(KINDS, WISH), "seats"), [[2, ""], [3, null], [4, "2"]]);
  const pool = choose(KINDS, { ...WISH, format: "Pool 101" });
  assert.deepEqual(ways(pool, "seats"), [[2, null], [3, ""], [4, null]]);
  assert.deepEqual(ways(choose(KINDS, { ...WISH, practice: false, value: 10 }), "seats"), [[6, ""]]);
});

test("what there is none of gives way to what comes nearest", () => {
  assert.equal(choose(KINDS, { ...WISH, practice: false })?.option.id, 3);
  assert.equal(choose(KINDS, { ...WISH, practice: false, value: 9 })?.option.id, 4);
  assert.equal(choose(KINDS, { ...WISH, format: "Pool 101" })?.option.id, 5);
  assert.equal(choose(KINDS, { ...WISH, format: "Pool 61" })?.option.id, 1);
  assert.equal(choose(KINDS, { ...WISH, seats: 5 })?.option.id, 2);
});

test("what had to change with a choice is named", () => {
  assert.deepEqual(choose(KINDS, WISH)?.changed, []);
  assert.deepEqual(choose(KINDS, { ...WISH, seats: 4 })?.changed, ["stake"]);
  assert.deepEqual(choose(KINDS, { ...WISH, format: "Pool 101" })?.changed, ["seats", "stake"]);
  assert.deepEqual(choose(KINDS, { ...WISH, practice: false })?.changed, ["seats", "stake"]);
  assert.deepEqual(choose(KINDS, { ...WISH, format: "Pool 61" })?.changed, ["format"]);
});

test("chips never become cash, nor cash chips", () => {
  assert.equal(choose(KINDS, { ...WISH, money: "INR" })?.option.id, 6);
  assert.equal(choose(KINDS.slice(0, 5), { ...WISH, money: "INR" }), null);
  assert.equal(choose(KINDS.slice(5), WISH), null);
});

test("every kind of a game can be chosen", () => {
  for (const wanted of KINDS) {
    const choice = choose(KINDS, wanted);
    assert.equal(choice?.option.id, wanted.id);
  }
});
