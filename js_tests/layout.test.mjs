import assert from "node:assert/strict";
import { test } from "node:test";

import { fitHand, MIN_STRIP, rowsFor } from "../static/js/table/core/fit.js";
import { placeAtPoint } from "../static/js/table/core/place.js";
import { randomFrom } from "./random.mjs";

const PORTRAIT = { width: 344, gap: 8, card: 58, minCard: 40, maxRows: 2 };
const LANDSCAPE = { width: 724, gap: 8, card: 58, minCard: 42, maxRows: 1 };

test("whole groups wrap into rows", () => {
  const measures = { width: 100, gap: 10, card: 40, strip: 20 };
  assert.equal(rowsFor([2], measures), 1);
  assert.equal(rowsFor([1, 1], measures), 1);
  assert.equal(rowsFor([2, 2], measures), 2);
  assert.equal(rowsFor([4, 1], measures), 2);
  assert.equal(rowsFor([5], measures), 2);
  assert.equal(rowsFor([], measures), 1);
});

test("every hand that people lay fits a phone, upright and on its side", () => {
  const random = randomFrom(7);
  let hands = 0;
  for (let round = 0; round < 500; round += 1) {
    const sizes = [];
    for (let left = 14; left > 0; left -= sizes.at(-1)) {
      sizes.push(Math.min(left, 1 + random.whole(5)));
    }
    for (const room of [PORTRAIT, LANDSCAPE]) {
      const { card, strip, rows } = fitHand(sizes, room);
      assert.ok(rows <= room.maxRows, `${sizes} in ${room.width}: ${rows} rows`);
      assert.ok(strip >= MIN_STRIP && card >= room.minCard && card <= room.card);
      hands += 1;
    }
  }
  assert.equal(hands, 1000);
});

test("fourteen single cards fit as well", () => {
  const singles = Array.from({ length: 14 }, () => 1);
  assert.equal(fitHand(singles, PORTRAIT).rows, 2);
  assert.equal(fitHand(singles, LANDSCAPE).rows, 1);
});

/** Two groups in the first row, one in the second; cards 40 wide, strips of 20. */
const box = (left, top, width) => ({ left, top, right: left + width, bottom: top + 60 });
const group = (left, top, count) => ({
  box: box(left, top, 40 + 20 * (count - 1)),
  cards: Array.from({ length: count }, (_, index) => box(left + 20 * index, top, 40)),
});
const GROUPS = [group(0, 0, 3), group(100, 0, 2), group(0, 80, 2)];

test("a card goes between the cards under the pointer", () => {
  assert.deepEqual(placeAtPoint(GROUPS, { x: 5, y: 30 }, 20), { group: 0, index: 0 });
  assert.deepEqual(placeAtPoint(GROUPS, { x: 25, y: 30 }, 20), { group: 0, index: 1 });
  assert.deepEqual(placeAtPoint(GROUPS, { x: 75, y: 30 }, 20), { group: 0, index: 3 });
  assert.deepEqual(placeAtPoint(GROUPS, { x: 115, y: 30 }, 20), { group: 1, index: 1 });
});

test("the row counts too, and beside the last group a new one begins", () => {
  assert.deepEqual(placeAtPoint(GROUPS, { x: 25, y: 100 }, 20), { group: 2, index: 1 });
  assert.deepEqual(placeAtPoint(GROUPS, { x: 70, y: 100 }, 20), { group: 2, index: 2 });
  assert.deepEqual(placeAtPoint(GROUPS, { x: 120, y: 100 }, 20), { group: 3, index: 0 });
  assert.deepEqual(placeAtPoint(GROUPS, { x: 300, y: 30 }, 20), { group: 1, index: 2 });
  assert.deepEqual(placeAtPoint([], { x: 1, y: 1 }, 20), { group: 0, index: 0 });
});
