import assert from "node:assert/strict";
import { test } from "node:test";

import { applyChange } from "../static/js/table/core/state.js";
import { RESEND_AFTER_MS, Sync } from "../static/js/table/core/sync.js";

const state = () => ({
  table: { id: 7, status: "playing" },
  seats: [{ seat: 0 }],
  game: { turn: 0, step: "draw", closed_count: 40 },
  rules: {},
  you: { seat: 0, hand: ["2H.0"], groups: [["2H.0"]] },
});
const start = () => new Sync({ epoch: "e", v: 5, state: state() });
const change = (v, patch, you) => ({ v, events: [{ kind: `k${v}` }], patch, ...(you && { you }) });
const ev = (...changes) => ({ type: "ev", changes });
const synced = () => {
  const sync = start();
  sync.opened(0);
  sync.receive(ev(), 0);
  return sync;
};

test("a patch adds and replaces keys of objects and replaces everything else", () => {
  const before = state();
  const after = applyChange(before, {
    v: 6,
    events: [],
    patch: { game: { turn: 1 }, seats: [{ seat: 0 }, { seat: 1 }] },
    you: { hand: ["2H.0", "3H.0"] },
  });
  assert.deepEqual(after.game, { turn: 1, step: "draw", closed_count: 40 });
  assert.deepEqual(after.seats, [{ seat: 0 }, { seat: 1 }]);
  assert.deepEqual(after.you, { seat: 0, hand: ["2H.0", "3H.0"], groups: [["2H.0"]] });
  assert.deepEqual(before, state());
  assert.equal(applyChange(after, { v: 7, events: [], patch: { game: null } }).game, null);
  const fresh = applyChange({ ...after, game: null }, { v: 8, events: [], patch: { game: { turn: 3 } } });
  assert.deepEqual(fresh.game, { turn: 3 });
});

test("a socket that opens says where this page stands", () => {
  const sync = start();
  assert.deepEqual(sync.opened(0), [{ type: "hello", epoch: "e", v: 5 }]);
  assert.equal(sync.ready, false);
  sync.receive(ev(), 0);
  assert.equal(sync.ready, true);
  sync.closed();
  assert.equal(sync.ready, false);
});

test("a hello without an answer is sent again", () => {
  const sync = start();
  sync.opened(0);
  assert.deepEqual(sync.tick(RESEND_AFTER_MS - 1), []);
  assert.deepEqual(sync.tick(RESEND_AFTER_MS), [{ type: "hello", epoch: "e", v: 5 }]);
  assert.deepEqual(sync.tick(RESEND_AFTER_MS + 1), []);
  sync.receive({ type: "pong", c: 0, s: 0 }, RESEND_AFTER_MS);
  assert.equal(sync.ready, false);
  sync.receive(ev(), RESEND_AFTER_MS);
  assert.equal(sync.ready, true);
  assert.deepEqual(sync.tick(9 * RESEND_AFTER_MS), []);
});

test("changes that came before, or twice, are passed over", () => {
  const sync = synced();
  assert.deepEqual(sync.receive(ev(change(5, { game: { turn: 9 } })), 0).events, []);
  const first = sync.receive(ev(change(6, { game: { turn: 1 } })), 0);
  assert.deepEqual(first.events, [{ kind: "k6" }]);
  const again = sync.receive(ev(change(6, { game: { turn: 8 } }), change(7, { game: { turn: 2 } })), 0);
  assert.deepEqual(again.events, [{ kind: "k7" }]);
  assert.equal(sync.v, 7);
  assert.equal(sync.state.game.turn, 2);
});

test("a gap is asked for once, and nothing is guessed meanwhile", () => {
  const sync = synced();
  const gap = sync.receive(ev(change(7, { game: { turn: 7 } })), 0);
  assert.deepEqual(gap.send, [{ type: "hello", epoch: "e", v: 5 }]);
  assert.equal(sync.state.game.turn, 0);
  assert.equal(sync.ready, false);
  assert.deepEqual(sync.receive(ev(change(8, {})), 0).send, []);
  const filled = sync.receive(ev(change(6, { game: { turn: 6 } }), change(7, {}), change(8, {})), 0);
  assert.equal(filled.caughtUp, true);
  assert.equal(sync.v, 8);
  assert.equal(sync.ready, true);
});

test("changes out of order within a batch stop at the hole", () => {
  const sync = synced();
  const received = sync.receive(ev(change(6, {}), change(8, { game: { turn: 8 } })), 0);
  assert.equal(sync.v, 6);
  assert.deepEqual(received.send, [{ type: "hello", epoch: "e", v: 6 }]);
  assert.deepEqual(received.events, [{ kind: "k6" }]);
});

test("a snapshot replaces everything, of another epoch too", () => {
  const sync = synced();
  const next = { ...state(), game: null };
  const received = sync.receive({ type: "snap", epoch: "f", v: 1, now: 0, state: next }, 0);
  assert.equal(received.snapped, true);
  assert.equal(sync.epoch, "f");
  assert.equal(sync.v, 1);
  assert.equal(sync.state.game, null);
});

test("one move at a time; it is over when its event has come", () => {
  const sync = synced();
  const move = { kind: "draw", source: "closed" };
  assert.deepEqual(sync.act(move, "a", 0), [{ type: "act", id: "a", v: 5, move }]);
  assert.deepEqual(sync.act(move, "b", 0), []);
  sync.receive({ type: "ack", id: "a", v: 6 }, 10);
  assert.equal(sync.ready, false);
  sync.receive(ev(change(6, { game: { step: "discard" } })), 20);
  assert.equal(sync.ready, true);
});

test("an event may also come before its acknowledgement", () => {
  const sync = synced();
  sync.act({ kind: "drop" }, "a", 0);
  sync.receive(ev(change(6, {})), 5);
  assert.equal(sync.ready, false);
  sync.receive({ type: "ack", id: "a", v: 6 }, 10);
  assert.equal(sync.ready, true);
});

test("a move without an answer is sent again once, under the same id", () => {
  const sync = synced();
  const move = { kind: "drop" };
  sync.act(move, "a", 0);
  assert.deepEqual(sync.tick(RESEND_AFTER_MS - 1), []);
  assert.deepEqual(sync.tick(RESEND_AFTER_MS), [{ type: "act", id: "a", v: 5, move }]);
  assert.deepEqual(sync.tick(RESEND_AFTER_MS + 100), []);
});

test("a move on its way when the connection breaks is sent again after the hello", () => {
  const sync = synced();
  const move = { kind: "drop" };
  sync.act(move, "a", 0);
  sync.closed();
  assert.deepEqual(sync.opened(0), [
    { type: "hello", epoch: "e", v: 5 },
    { type: "act", id: "a", v: 5, move },
  ]);
});

test("an acknowledged move whose event stays away is asked for", () => {
  const sync = synced();
  sync.act({ kind: "drop" }, "a", 0);
  sync.receive({ type: "ack", id: "a", v: 6 }, 100);
  assert.deepEqual(sync.tick(600), []);
  assert.deepEqual(sync.tick(1200), [{ type: "hello", epoch: "e", v: 5 }]);
  assert.deepEqual(sync.tick(1300), []);
});

test("a refused move frees the hand and says why", () => {
  const sync = synced();
  sync.act({ kind: "drop" }, "a", 0);
  const { refusal } = sync.receive({ type: "rej", id: "a", code: "not_your_turn", message: "Wait." }, 5);
  assert.deepEqual(refusal, { code: "not_your_turn", message: "Wait." });
  assert.equal(sync.ready, true);
  assert.deepEqual(sync.state, state());
});

test("what happens while the page loads was not missed", () => {
  const sync = start();
  sync.opened(0);
  assert.equal(sync.receive(ev(change(6, { game: { turn: 1 } })), 0).caughtUp, false);
  sync.closed();
  sync.opened(10);
  assert.equal(sync.receive(ev(change(7, { game: { turn: 0 } })), 20).caughtUp, true);
});
