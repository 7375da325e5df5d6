import assert from "node:assert/strict";
import { test } from "node:test";

import { calls, isListed } from "../static/js/own_tables.js";
import { freePlace } from "../static/js/table/core/free.js";

const FELT = { left: 0, right: 400, top: 50, bottom: 350 };
const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });

const isFree = ({ left, top }, { width, height }, taken) =>
  taken.every(
    (each) =>
      each.right <= left || each.left >= left + width || each.bottom <= top || each.top >= top + height,
  );

test("on an empty felt it is the middle", () => {
  assert.deepEqual(freePlace({ width: 100, height: 20 }, FELT, []), { left: 150, top: 190 });
});

test("nothing that is there is covered, and nothing sticks out", () => {
  let number = 7;
  const next = (most) => {
    number = (number * 16_807) % 2_147_483_647;
    return number % most;
  };
  let found = 0;
  for (let round = 0; round < 500; round += 1) {
    const size = { width: 40 + next(380), height: 20 + next(60) };
    const taken = Array.from({ length: next(12) }, () =>
      box(next(380), 50 + next(280), 20 + next(90), 20 + next(90)),
    );
    const place = freePlace(size, FELT, taken);
    if (place === null) continue;
    found += 1;
    assert.ok(isFree(place, size, taken));
    assert.ok(place.top >= FELT.top && place.top + size.height <= FELT.bottom);
    assert.ok(place.left >= FELT.left && place.left + size.width <= FELT.right);
  }
  assert.ok(found > 100);
});

test("where all is taken there is none", () => {
  assert.equal(freePlace({ width: 100, height: 20 }, FELT, [FELT]), null);
  assert.equal(freePlace({ width: 100, height: 301 }, FELT, []), null);
});

const table = (state) => ({ id: 3, name: "", url: "", player: "", due_at: 0, deadline: 0, length_ms: 0, state });

test("a turn calls once", () => {
  assert.equal(calls(table("own_turn"), []), true);
  assert.equal(calls(table("own_turn"), [table("other_turn")]), true);
  assert.equal(calls(table("own_turn"), [table("own_turn")]), false);
  assert.equal(calls(table("pause"), [table("own_turn")]), false);
});

test("whoever waits alone is called once when somebody comes", () => {
  assert.equal(calls(table("pause"), [table("waiting")]), true);
  assert.equal(calls(table("pause"), [table("pause")]), false);
  assert.equal(calls(table("waiting"), [table("waiting")]), false);
  assert.equal(calls(table("other_turn"), [table("waiting")]), false);
});

test("a table without a seat of the player's follows them over no page", () => {
  assert.equal(isListed(table("opened"), "bar"), false);
  assert.equal(isListed(table("opened"), "list"), true);
  assert.equal(isListed(table("waiting"), "bar"), true);
});
