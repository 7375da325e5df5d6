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
const ALLOWED = {
  "lib/": ["lib/"],
  "table/core/": ["table/core/"],
  "table/io/": ["lib/", "table/core/", "table/io/"],
  "table/view/": ["lib/", "table/core/", "table/view/"],
  "table/input/": ["lib/", "table/core/", "table/input/"],
  "table/controllers/": [
    "lib/",
    "table/core/",
    "table/io/",
    "table/view/",
    "table/input/",
    "table/controllers/",
  ],
};

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

test("above the layers of the table stands its entry alone", () => {
  const layers = Object.keys(ALLOWED);
  const above = files.filter((name) => name.startsWith("table/") && !layers.some((prefix) => name.startsWith(prefix)));
  assert.deepEqual(above, ["table/main.js"]);
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
