// What the hashed static files ask of the modules, and the direction of the layers.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../static/js/", import.meta.url));
const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
const source = (name) => readFileSync(join(ROOT, name), "utf8");
const importsOf = (name) =>
  [...source(name).matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"/gm)].map(([, path]) =>
    relative(ROOT, join(ROOT, dirname(name), path)),
  );
const SHELL = ["lib/", "table/core/", "table/io/", "table/view/", "table/input/", "table/controllers/"];
const ALLOWED = {
  "lib/": ["lib/"],
  // That file writes numbers, and knows no page either.
  "table/core/": ["lib/format.js", "table/core/"],
  "table/io/": ["lib/", "table/core/", "table/io/"],
  "table/view/": ["lib/", "table/core/", "table/view/"],
  "table/input/": ["lib/", "table/core/", "table/input/"],
  "table/controllers/": SHELL,
  "table/panels/": ["lib/", "table/core/", "table/io/", "table/view/", "table/panels/"],
  "table/effects/": ["lib/", "table/core/", "table/effects/"],
};
/** A game stands on the shell, layer upon layer, on what games of the family share, and on no other game. */
for (const game of readdirSync(join(ROOT, "games"), { withFileTypes: true })) {
  if (!game.isDirectory()) continue;
  const own = (...layers) =>
    layers.flatMap((layer) => [`games/${game.name}/${layer}/`, `games/rummy/${layer}/`]);
  ALLOWED[own("core")[0]] = ["lib/", "table/core/", ...own("core")];
  ALLOWED[own("view")[0]] = ["lib/", "table/core/", "table/io/", "table/view/", ...own("core", "view")];
  ALLOWED[own("input")[0]] = ["lib/", "table/core/", "table/input/", ...own("core", "input")];
  ALLOWED[own("controllers")[0]] = [...SHELL, ...own("core", "view", "input", "controllers")];
  ALLOWED[own("replay")[0]] = ["lib/", "table/core/", "table/view/", ...own("core", "view", "replay")];
}

test("every import ends with a semicolon, or its name would not be hashed", () => {
  assert.ok(files.length > 20);
  for (const name of files) {
    const bare = source(name).match(/^(?:import|export)\b[^;]*?from "[^"]+"(?!;)/gm);
    assert.equal(bare, null, name);
  }
});

test("imports go one way", () => {
  let seen = 0;
  for (const name of files) {
    const layer = Object.keys(ALLOWED).find((prefix) => name.startsWith(prefix));
    if (layer === undefined) continue;
    for (const target of importsOf(name)) {
      seen += 1;
      assert.ok(ALLOWED[layer].some((prefix) => target.startsWith(prefix)), `${name} imports ${target}`);
    }
  }
  assert.ok(seen > 30);
});

test("above the layers stand the shell's entry and each game's own", () => {
  const layers = Object.keys(ALLOWED);
  const above = files.filter(
    (name) => /^(?:table|games)\//.test(name) && !layers.some((prefix) => name.startsWith(prefix)),
  );
  assert.deepEqual(above.filter((name) => name.startsWith("table/")), ["table/shell.js"]);
  for (const name of above) assert.match(name, /^(?:table\/shell|games\/\w+\/(?:main|game))\.js$/);
});

test("the shell knows no game", () => {
  const shell = files.filter((name) => !name.startsWith("games/"));
  assert.ok(shell.length > 30);
  for (const name of shell) {
    assert.deepEqual(importsOf(name).filter((target) => target.startsWith("games/")), [], name);
  }
});

test("no module imports itself in a circle", () => {
  const state = new Map();
  const visit = (name, path) => {
    if (state.get(name) === "done") return;
    assert.notEqual(state.get(name), "open", [...path, name].join(" > "));
    state.set(name, "open");
    for (const target of importsOf(name)) visit(target, [...path, name]);
    state.set(name, "done");
  };
  for (const name of files) visit(name, []);
});
