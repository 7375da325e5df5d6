// Texts from right to left stand between marks in all that the server sends to a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { readIsolated } from "../static/js/table/core/isolated.js";
import { readMessage } from "../static/js/table/core/protocol.js";

test("names from right to left stand between marks, and other texts as they are", () => {
  const line = { type: "chat", lines: [{ id: 1, player: 7, text: "كبير 950" }, { id: 2, player: 8, text: "आशा 田中 😀 ❤\ufe0f" }] };
  const read = readMessage(JSON.stringify(line));
  assert.deepEqual(read.lines.map(({ text }) => text), ["\u2068كبير 950\u2069", "आशा 田中 😀 ❤\ufe0f"]);
  assert.deepEqual(readIsolated({ textContent: '{"name":"𞤀","net":95}' }), { name: "\u2068𞤀\u2069", net: 95 });
});
