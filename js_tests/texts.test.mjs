// Every word that the table page asks for is in tables/page/texts.py, and none is there in vain.

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
const keysOf = (path) => [...read(path).matchAll(/^ {8}"(\w+)":/gm)].map(([, key]) => key);
const ofLesson = keysOf("tables/learning/texts.py");
const defined = new Set([...keysOf("tables/page/texts.py"), ...ofLesson]);
/** Keys that are put together from what the server says. */
const BUILT = /^(?:rank|suit|kind|how|status|reason|flaw|coach)_|_match$/;

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

test("everything that the coach can say has its words", () => {
  const source = read("static/js/table/core/lesson.js");
  const code = source.slice(source.indexOf("export function advise"), source.indexOf("const say ="));
  const told = [...code.matchAll(/(?:say\(|[?:] |return )"(\w+)"/g)].map(([, key]) => key);
  const words = ofLesson.filter((key) => !/^coach_(?:goal_\w+|done|hide|open)$/.test(key));
  assert.ok(told.length > 15);
  assert.deepEqual(new Set(told.map((key) => `coach_${key}`)), new Set(words));
});
