import assert from "node:assert/strict";
import { test } from "node:test";

import { readPoints } from "../static/js/wallet/points.js";

const GOOD = { currency: "INR", zone: "Asia/Kolkata", times: [1, 2, 2], balances: [5, -3, 0] };

test("the points of a page", () => {
  assert.deepEqual(readPoints(JSON.stringify(GOOD)), GOOD);
});

test("nothing to draw is no chart", () => {
  const wrong = [
    { times: [1], balances: [5] },
    { times: [1, 2] },
    { times: [1, 2, "3"] },
    { balances: [5, null, 0] },
    { times: "12" },
    { currency: 7 },
    { zone: undefined },
  ];
  for (const part of wrong) assert.equal(readPoints(JSON.stringify({ ...GOOD, ...part })), null);
  for (const text of ["", "{", "null", "[]", "7"]) assert.equal(readPoints(text), null);
});
