import assert from "node:assert/strict";
import { test } from "node:test";

import { placesAround, seatsAround } from "../static/js/table/core/seating.js";

const around = (count, order, own) => {
  const seats = Array.from({ length: count }, (_, seat) => ({ seat, player: null }));
  return seatsAround({ seats, you: { seat: own } }, order ?? []);
};

test("up to eight players have places of their own, for players and for watchers", () => {
  for (let seats = 2; seats <= 8; seats += 1) {
    for (const [others, isWatching] of [[seats - 1, false], [seats, true]]) {
      const places = placesAround(others, isWatching);
      assert.equal(new Set(places).size, others);
      assert.equal(places.includes("b"), isWatching && seats > 5);
    }
  }
});

test("before the first match seats follow by number, from one's own", () => {
  assert.deepEqual(around(4, null, null), [0, 1, 2, 3]);
  assert.deepEqual(around(4, null, 2), [3, 0, 1]);
});

test("R4.1: everybody meets the others in order of play", () => {
  assert.deepEqual(around(4, [2, 0, 3, 1], 0), [3, 1, 2]);
  assert.deepEqual(around(4, [2, 0, 3, 1], 1), [2, 0, 3]);
  assert.deepEqual(around(4, [2, 0, 3, 1], null), [0, 3, 1, 2]);
});

test("nobody changes places when the deal goes round", () => {
  const order = [2, 0, 3, 1];
  for (const own of [0, 1, 2, 3, null]) {
    const first = around(4, order, own);
    for (const deal of [1, 2, 3]) {
      assert.deepEqual(around(4, [...order.slice(deal), ...order.slice(0, deal)], own), first);
    }
  }
});

test("whoever does not play, and free seats, stand together and part no order of play", () => {
  assert.deepEqual(around(6, [5, 1, 3], 5), [0, 2, 4, 1, 3]);
  assert.deepEqual(around(6, [5, 1, 3], 2), [4, 1, 3, 5, 0]);
  assert.deepEqual(around(6, [5, 1, 3], null), [1, 3, 5, 0, 2, 4]);
});
