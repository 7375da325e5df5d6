import assert from "node:assert/strict";
import { test } from "node:test";

import { readHint } from "../static/js/lib/live.js";
import { answerTo } from "../static/js/lib/ready.js";

const URL_OF_TABLE = "/tables/12/";

test("a player is taken to their table from any page, once", () => {
  for (const path of ["/", "/wallet/", "/tournaments/3/", "/rules/"]) {
    assert.equal(answerTo({ path, url: URL_OF_TABLE, taken: false }), "go");
    assert.equal(answerTo({ path, url: URL_OF_TABLE, taken: true }), "show");
  }
});

test("a player at another table is not torn away from it", () => {
  assert.equal(answerTo({ path: "/tables/7/", url: URL_OF_TABLE, taken: false }), "show");
});

test("at the table itself nothing happens", () => {
  assert.equal(answerTo({ path: URL_OF_TABLE, url: URL_OF_TABLE, taken: false }), "stay");
});

test("only objects with a type are hints", () => {
  assert.deepEqual(readHint('{"type":"changed"}'), { type: "changed" });
  for (const rubbish of ["", "{", "null", "[]", '{"type":1}', new ArrayBuffer(2)]) {
    assert.equal(readHint(rubbish), null);
  }
});
