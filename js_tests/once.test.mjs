// What counts as the same press again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isAgain } from "../static/js/lib/once.js";

const form = new EventTarget();
const sent = { form, by: null, data: "[[\"name\",\"Cup\"]]", at: 1_000 };

test("a press while the answer is on its way over a slow network sends nothing again", () => {
  for (const later of [60, 4_900, 5_100, 19_000]) assert.ok(isAgain(sent, { ...sent, at: 1_000 + later }), `${later} ms`);
  assert.ok(!isAgain(sent, { ...sent, at: 61_000 }));
});

test("a form with other entries, another button or another form is sent at once", () => {
  const at = 1_100;
  assert.ok(!isAgain(sent, { ...sent, at, data: "[[\"name\",\"Club\"]]" }));
  assert.ok(!isAgain(sent, { ...sent, at, by: /** @type {any} */ ({}) }));
  assert.ok(!isAgain(sent, { ...sent, at, form: new EventTarget() }));
});
