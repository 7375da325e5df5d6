import assert from "node:assert/strict";
import { test } from "node:test";

import { choose, inPlaces, step } from "../static/js/lobby/choice.js";

const kind = (id, format, seats, value, practice = false, money = "CHIPS") => ({
  id,
  format,
  seats,
  value,
  practice,
  money,
  stake: `${value}`,
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

test("what is wished is chosen, and what else there is is told", () => {
  const choice = choose(KINDS, WISH);
  assert.equal(choice?.option.id, 1);
  assert.deepEqual(choice?.formats, ["Points", "Pool 101"]);
  assert.deepEqual(choice?.seats, [2, 4]);
  assert.deepEqual(choice?.stakes.map(({ id }) => id), [1]);
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

test("a step leads to the next one, and at the end nowhere", () => {
  const choice = choose(KINDS, { ...WISH, practice: false });
  assert.ok(choice);
  assert.deepEqual(step(choice, "stake", 1), { value: 10 });
  assert.deepEqual(step(choice, "stake", -1), { value: 5 });
  assert.deepEqual(step(choice, "seats", 1), { seats: 6 });
  const first = choose(KINDS, WISH);
  assert.ok(first);
  assert.deepEqual(step(first, "seats", 1), { seats: 4 });
});

test("every kind of a game can be reached by its steps", () => {
  for (const wanted of KINDS) {
    const choice = choose(KINDS, wanted);
    assert.equal(choice?.option.id, wanted.id);
  }
});

test("formats lie open in one row, the others in a list", () => {
  const few = ["Points", "Pool 101", "Best of 2"];
  assert.deepEqual(inPlaces(few), { open: few, more: [] });
  assert.deepEqual(inPlaces([...few, "Best of 6"]), { open: few, more: ["Best of 6"] });
  const long = "Points, rules of a very long name of a site";
  assert.deepEqual(inPlaces([long, "Points"]), { open: [long], more: ["Points"] });
});
