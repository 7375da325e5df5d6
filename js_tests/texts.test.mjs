// Every word that the table page asks for is defined, by the table or its game, and none in vain.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const modulesIn = (folder, without = null) =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js") && (without === null || !name.split("/").includes(without)))
    .map((name) => read(`${folder}/${name}`));
const shell = modulesIn("static/js/table").join("\n");
/** Without the names in titles of rule sets, which the page asks for by no key. */
const keysOf = (path) => [...read(path).replace(/^_(?:TITLES|SITES).*?^}/ms, "").matchAll(/^ {4}(?: {4})?"(\w+)":/gm)].map(([, key]) => key);
const ownWordsOf = (game) => keysOf(`games/${game}/words.py`);
const lessonOf = (game) =>
  [...ownWordsOf(game), ...(LAID.has(game) ? keysOf("games/laid_words.py") : [])].filter((key) =>
    key.startsWith("coach_"),
  );
const ofPages = keysOf("tables/texts.py");
const ofReplay = new Set(ofPages.filter((key) => key.startsWith("replay_")));
const ofShell = new Set(ofPages.filter((key) => !ofReplay.has(key)));
/** Games in which melds lie on the table share scripts and words beyond those of all rummy games. */
const LAID = new Set(["basic", "contract", "five_hundred"]);
const wordsOf = (game) => [
  ...keysOf("games/rummy_words.py"),
  ...(LAID.has(game) ? keysOf("games/laid_words.py") : []),
  ...ownWordsOf(game),
];
const scriptsOf = (game) =>
  [
    ...modulesIn(`static/js/games/${game}`),
    ...modulesIn("static/js/games/rummy", LAID.has(game) ? null : "laid"),
  ].join("\n");
const GAMES = ["indian", "gin", "basic", "contract", "five_hundred"];
/** Keys that are put together from what the server says. */
const BUILT = /^(?:answer|rank|suit|kind|how|status|reason|flaw|coach|title|won|you_won)_|_match$/;

const keysAskedIn = (source) =>
  [...source.matchAll(/\bsay\(\s*(?:this\.)?texts,\s*"(\w+)"/g)].map(([, key]) => key);

test("the shell asks for no word of a game", () => {
  assert.ok(keysAskedIn(shell).length > 20);
  for (const key of keysAskedIn(shell)) assert.ok(ofShell.has(key) || ofReplay.has(key), key);
});

test("every key that is asked for by name is defined", () => {
  for (const game of GAMES) {
    const scripts = scriptsOf(game);
    const defined = new Set([...ofShell, ...ofReplay, ...wordsOf(game)]);
    const asked = keysAskedIn(scripts);
    const chosen = [...scripts.matchAll(/"((?:notice|event|net|sit)_[a-z_]+)"/g)].map(([, key]) => key);
    assert.ok(asked.length > 20 && chosen.length > 10);
    for (const key of [...asked, ...chosen]) assert.ok(defined.has(key), `${game}: ${key}`);
  }
});

test("every defined key is used", () => {
  const isUsed = (key, scripts) => {
    const base = key.replace(/_(?:one|other|own)$/, "");
    return BUILT.test(base) || key === "language" || scripts.includes(`"${base}"`);
  };
  const all = [shell, ...GAMES.map(scriptsOf)].join("\n");
  for (const key of ofShell) assert.ok(isUsed(key, all), key);
  for (const game of GAMES) {
    const shared = new Set([...keysOf("games/rummy_words.py"), ...keysOf("games/laid_words.py")]);
    for (const key of wordsOf(game)) {
      assert.ok(isUsed(key, shared.has(key) ? all : shell + scriptsOf(game)), `${game}: ${key}`);
    }
  }
});

test("everything that the coach can say has its words", () => {
  for (const game of GAMES) {
    const source = read(`static/js/games/${game}/core/lesson.js`);
    const code = source.slice(source.indexOf("export function advise"));
    const told = [...code.matchAll(/(?:say\(|[?:] |return )"(\w+)"/g)].map(([, key]) => key);
    assert.ok(told.length > 8);
    const words = lessonOf(game).filter((key) => !/^coach_goal_|_one$/.test(key));
    assert.deepEqual(new Set(told.map((key) => `coach_${key}`)), new Set(words), game);
  }
});
