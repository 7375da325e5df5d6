import assert from "node:assert/strict";
import { test } from "node:test";

import { pauseAfter, readNotice } from "../static/js/lib/live.js";
import { answerTo } from "../static/js/lib/ready.js";

const URL_OF_TABLE = "/tables/12/";

test("a player is taken to his table from any page, once", () => {
  for (const path of ["/", "/wallet/", "/tournaments/3/", "/rules/"]) {
    assert.equal(answerTo({ path, url: URL_OF_TABLE, taken: false }), "go");
    assert.equal(answerTo({ path, url: URL_OF_TABLE, taken: true }), "show");
  }
});

test("whoever plays at another table is not torn away from it", () => {
  assert.equal(answerTo({ path: "/tables/7/", url: URL_OF_TABLE, taken: false }), "show");
});

test("at the table itself nothing happens", () => {
  assert.equal(answerTo({ path: URL_OF_TABLE, url: URL_OF_TABLE, taken: false }), "stay");
});

test("only objects with a type are notices", () => {
  assert.deepEqual(readNotice('{"type":"changed"}'), { type: "changed" });
  for (const rubbish of ["", "{", "null", "[]", '{"type":1}', new ArrayBuffer(2)]) {
    assert.equal(readNotice(rubbish), null);
  }
});

test("tries to come back grow rarer, within bounds", () => {
  assert.equal(pauseAfter(0, 0.5), 1_000);
  assert.equal(pauseAfter(2, 0.5), 4_000);
  assert.equal(pauseAfter(50, 0.5), 30_000);
  assert.ok(pauseAfter(0, 0) < pauseAfter(0, 1));
});
