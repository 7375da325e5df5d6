import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { readHint } from "../static/js/lib/live.js";
import { answerTo, claimOf, noteClaim, takeTable } from "../static/js/lib/ready.js";

const URL_OF_TABLE = "/tables/12/";
const NOW = 1_000_000;

/** Storage that all tabs of a browser share. @type {Map<string, string>} */
const stored = new Map();
const storage = {
  getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => void stored.set(key, value),
};
beforeEach(() => {
  stored.clear();
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
});

const ask = (/** @type {Partial<Parameters<typeof answerTo>[0]>} */ tab = {}) =>
  answerTo({
    path: "/rules/",
    url: URL_OF_TABLE,
    isVisible: true,
    isConnected: false,
    claim: claimOf(URL_OF_TABLE),
    now: NOW,
    ...tab,
  });

test("a visible tab goes to the table from any page", () => {
  for (const path of ["/", "/wallet/", "/tournaments/3/", "/rules/"]) assert.equal(ask({ path }), "go");
});

test("a tab in the background shows the way until it is seen", () => {
  assert.equal(ask({ isVisible: false }), "show");
});

test("a seat that is connected is never pulled", () => {
  assert.equal(ask({ isConnected: true }), "show");
  assert.equal(ask({ isConnected: true, isVisible: false }), "show");
});

test("a player at another table is not torn away from it", () => {
  assert.equal(ask({ path: "/tables/7/" }), "show");
});

test("at the table itself nothing happens", () => {
  assert.equal(ask({ path: URL_OF_TABLE, isConnected: true }), "stay");
});

test("one tab goes, and a tab that opens later never does", () => {
  assert.ok(noteClaim(URL_OF_TABLE, { arrived: false, now: NOW }));
  assert.equal(ask({ now: NOW + 1 }), "show");
  noteClaim(URL_OF_TABLE, { arrived: true, now: NOW + 900 });
  assert.equal(ask({ now: NOW + 3_600_000 }), "show");
  assert.equal(ask({ url: "/tables/13/", claim: claimOf("/tables/13/") }), "go");
});

test("a tab that was closed on its way is replaced once", () => {
  noteClaim(URL_OF_TABLE, { arrived: false, now: NOW });
  assert.equal(ask({ now: NOW + 14_999 }), "show");
  assert.equal(ask({ now: NOW + 15_000 }), "go");
  noteClaim(URL_OF_TABLE, { arrived: false, now: NOW + 15_000 });
  assert.equal(ask({ now: NOW + 60_000 }), "show");
});

test("claims of a day ago are forgotten", () => {
  noteClaim("/tables/1/", { arrived: true, now: NOW });
  noteClaim("/tables/2/", { arrived: true, now: NOW + 86_400_000 });
  assert.equal(claimOf("/tables/1/"), undefined);
  assert.equal(claimOf("/tables/2/")?.arrived, true);
});

test("without storage no tab goes", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  Object.defineProperty(globalThis, "localStorage", {
    value: { getItem: refuse, setItem: refuse },
    configurable: true,
  });
  assert.equal(noteClaim(URL_OF_TABLE, { arrived: false, now: NOW }), false);
});

test("one of two tabs takes the table, and any does where a browser has no locks", async () => {
  const held = new Set();
  const locks = {
    /**
     * @param {string} name
     * @param {unknown} _options
     * @param {(lock: {} | null) => unknown} granted
     */
    request: async (name, _options, granted) => {
      if (held.has(name)) return granted(null);
      held.add(name);
      return granted({});
    },
  };
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });
  assert.equal(await takeTable(URL_OF_TABLE), true);
  assert.equal(await takeTable(URL_OF_TABLE), false);
  assert.equal(await takeTable("/tables/13/"), true);
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  assert.equal(await takeTable(URL_OF_TABLE), true);
});

test("only objects with a type are hints", () => {
  assert.deepEqual(readHint('{"type":"changed"}'), { type: "changed" });
  for (const rubbish of ["", "{", "null", "[]", '{"type":1}', new ArrayBuffer(2)]) {
    assert.equal(readHint(rubbish), null);
  }
});
