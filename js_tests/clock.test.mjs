import assert from "node:assert/strict";
import { test } from "node:test";

import { windowMs } from "../static/js/games/indian/core/looks.js";
import { localNow } from "../static/js/lib/local_now.js";
import { Clock, clockText, dateText, isSlow, remaining } from "../static/js/table/core/clock.js";

const RULES = { turn_seconds: 30, declare_seconds: 45 };
const game = (due, deadline, phase = "turn") => ({ phase, due_at: due, deadline });

test("the quickest answer decides the offset", () => {
  const clock = new Clock(-500);
  assert.equal(clock.serverTime(1000), 500);
  clock.sample(1000, 6100, 1200);
  assert.equal(clock.serverTime(1200), 6200);
  clock.sample(2000, 7400, 3000);
  assert.equal(clock.serverTime(3000), 8000);
  clock.sample(4000, 9010, 4020);
  assert.equal(clock.serverTime(4020), 9020);
});

test("an answer that contradicts the older ones decides alone", () => {
  const clock = new Clock();
  clock.sample(1000, 6005, 1010);
  assert.equal(clock.offset, 5000);
  // The computer slept for an hour, in which its monotonic clock stood still. This answer was slow.
  clock.sample(4000, 9100 + 3_600_000, 4200);
  assert.equal(clock.offset, 5000 + 3_600_000);
  // Slow answers agree with all that they may mean.
  clock.sample(6000, 11_500 + 3_600_000, 7000);
  assert.equal(clock.offset, 5000 + 3_600_000);
  assert.equal(clock.samples.length, 2);
});

test("an answer of a minute ago decides no longer", () => {
  const clock = new Clock();
  clock.sample(0, 5005, 10);
  // From then on this clock is slow by one part in a thousand, and no answer is as quick.
  for (let now = 2500; now <= 65_000; now += 2500) clock.sample(now - 200, 4900 + now * 1.001, now);
  assert.ok(Math.abs(clock.serverTime(65_000) - (5000 + 65_000 * 1.001)) < 60, `${clock.offset}`);
});

test("the local time goes on evenly when the system's clock is set", () => {
  const before = localNow();
  const { now } = Date;
  Date.now = () => now() + 3_600_000;
  try {
    assert.ok(localNow() - before < 1000);
  } finally {
    Date.now = now;
  }
  assert.ok(Number.isInteger(before));
  assert.ok(Math.abs(before - Date.now()) < 60_000);
});

test("a turn has its time, then the player's extra time, then none", () => {
  const turn = game(30_000, 90_000);
  assert.deepEqual(remaining(turn, 30_000, 0), { part: "base", ms: 30_000, share: 1 });
  assert.deepEqual(remaining(turn, 30_000, 15_000), { part: "base", ms: 15_000, share: 0.5 });
  assert.deepEqual(remaining(turn, 30_000, 30_000), { part: "extra", ms: 60_000, share: 1 });
  assert.deepEqual(remaining(turn, 30_000, 75_000), { part: "extra", ms: 15_000, share: 0.25 });
  assert.deepEqual(remaining(turn, 30_000, 90_001), { part: "over", ms: 0, share: 0 });
});

test("without a deadline no clock runs, and windows have their own length", () => {
  assert.equal(remaining(null, 30_000, 0), null);
  assert.equal(remaining(game(null, null), 30_000, 0), null);
  const declare = game(45_000, 45_000, "declare");
  assert.deepEqual(remaining(declare, windowMs({ game: declare, rules: RULES }), 22_500), {
    part: "base",
    ms: 22_500,
    share: 0.5,
  });
});

test("from an hour on a clock shows hours, and a deadline is a date", () => {
  assert.equal(clockText(3_599_000, "en"), "59:59");
  assert.match(clockText(23.6 * 3_600_000, "en"), /^24 h/);
  assert.match(clockText(23 * 3_600_000, "hi"), /^23 /);
  assert.match(dateText(Date.UTC(2026, 10, 26, 12), "en"), /Thu/);
  assert.notEqual(dateText(Date.UTC(2026, 10, 26, 12), "hi"), dateText(Date.UTC(2026, 10, 26, 12), "en"));
});

test("a table is slow by its turn", () => {
  assert.equal(isSlow({ rules: { turn_seconds: 86_400 } }), true);
  assert.equal(isSlow({ rules: { turn_seconds: 600 } }), false);
});

test("a clock shows the second that has begun", () => {
  assert.equal(clockText(30_000), "0:30");
  assert.equal(clockText(29_001), "0:30");
  assert.equal(clockText(61_000), "1:01");
  assert.equal(clockText(-5), "0:00");
});
