// Texts from right to left stand between marks in all that the server sends to a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nameIn, readIsolated } from "../static/js/table/core/isolated.js";
import { readMessage } from "../static/js/table/core/protocol.js";

test("names from right to left stand between marks, and other texts as they are", () => {
  const line = { type: "chat", lines: [{ id: 1, player: 7, text: "كبير 950" }, { id: 2, player: 8, text: "आशा 田中 😀 ❤\ufe0f" }] };
  const read = readMessage(JSON.stringify(line));
  assert.deepEqual(read.lines.map(({ text }) => text), ["\u2068كبير 950\u2069", "आशा 田中 😀 ❤\ufe0f"]);
  assert.deepEqual(readIsolated({ textContent: '{"name":"𞤀","net":95}' }), { name: "\u2068𞤀\u2069", net: 95 });
});

test("names that the site gives are in the reader's language, and what people say is not", () => {
  nameIn({ named_bot: "{name} (बॉट)", named_guest: "अतिथि {number}" });
  const data = { names: { 0: "Asha (bot)" }, player: { name: "Guest 558436" }, text: "Asha (bot)", sender: { name: "Guest A" } };
  const shown = { names: { 0: "Asha (बॉट)" }, player: { name: "अतिथि 558436" }, text: "Asha (bot)", sender: { name: "Guest A" } };
  assert.deepEqual(readIsolated({ textContent: JSON.stringify(data) }), shown);
});
