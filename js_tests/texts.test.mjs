// Every word that the table page asks for is in tables/texts.py, and none is there in vain.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const scripts = readdirSync(new URL("../static/js/table", import.meta.url), {
  recursive: true,
  encoding: "utf8",
})
  .filter((name) => name.endsWith(".js"))
  .map((name) => read(`static/js/table/${name}`))
  .join("\n");
const defined = new Set([...read("tables/texts.py").matchAll(/^ {8}"(\w+)":/gm)].map(([, key]) => key));
/** Keys that are put together from what the server says. */
const BUILT = /^(?:rank|suit|kind|how|status|reason|flaw)_|_match$/;

test("every key that is asked for by name is defined", () => {
  const asked = [...scripts.matchAll(/\bsay\(\s*(?:this\.)?texts,\s*"(\w+)"/g)].map(([, key]) => key);
  const chosen = [...scripts.matchAll(/"((?:notice|event|net|sit)_[a-z_]+)"/g)].map(([, key]) => key);
  assert.ok(asked.length > 60 && chosen.length > 20);
  for (const key of [...asked, ...chosen]) assert.ok(defined.has(key), key);
});

test("every defined key is used", () => {
  for (const key of defined) {
    const base = key.replace(/_(?:one|other|own)$/, "");
    const isUsed = BUILT.test(base) || key === "language" || scripts.includes(`"${base}"`);
    assert.ok(isUsed, key);
  }
});
