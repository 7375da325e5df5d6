// Every word that the table page asks for is defined, by the table or its game, and none in vain.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const modulesIn = (folder) =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => read(`${folder}/${name}`));
const shell = modulesIn("static/js/table").join("\n");
const scripts = [shell, ...["core", "view", "input", "controllers"].flatMap((layer) => modulesIn(`static/js/games/indian/${layer}`)), read("static/js/games/indian/game.js")].join("\n");
const keysOf = (path) => [...read(path).matchAll(/^ {4}(?: {4})?"(\w+)":/gm)].map(([, key]) => key);
const ofLesson = keysOf("tables/games/indian/coach_words.py");
const ofShell = new Set(keysOf("tables/page/texts.py"));
const defined = new Set([...ofShell, ...keysOf("tables/games/indian/words.py"), ...ofLesson]);
/** Keys that are put together from what the server says. */
const BUILT = /^(?:rank|suit|kind|how|status|reason|flaw|coach)_|_match$/;

const keysAskedIn = (source) =>
  [...source.matchAll(/\bsay\(\s*(?:this\.)?texts,\s*"(\w+)"/g)].map(([, key]) => key);

test("the shell asks for no word of a game", () => {
  assert.ok(keysAskedIn(shell).length > 20);
  for (const key of keysAskedIn(shell)) assert.ok(ofShell.has(key), key);
});

test("every key that is asked for by name is defined", () => {
  const asked = keysAskedIn(scripts);
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
  const source = read("static/js/games/indian/core/lesson.js");
  const code = source.slice(source.indexOf("export function advise"), source.indexOf("const say ="));
  const told = [...code.matchAll(/(?:say\(|[?:] |return )"(\w+)"/g)].map(([, key]) => key);
  const words = ofLesson.filter((key) => !/^coach_(?:goal_\w+|done|hide|open)$/.test(key));
  assert.ok(told.length > 15);
  assert.deepEqual(new Set(told.map((key) => `coach_${key}`)), new Set(words));
});
