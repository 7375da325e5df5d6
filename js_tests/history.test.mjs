import assert from "node:assert/strict";
import { test } from "node:test";

import { DealHistory } from "../static/js/games/indian/core/history.js";
import { Sync } from "../static/js/table/core/sync.js";

const memory = (stored = null) => ({
  stored,
  read() {
    return this.stored;
  },
  write(value) {
    this.stored = structuredClone(value);
  },
});
const state = (game = {}, match = 5) => ({
  table: { match },
  game: { deal: 1, result: null, ...game },
});
const FIRST = { deal: 1, points: { 0: 0, 1: 31 }, winners: [0] };
const SECOND = { deal: 2, points: { 0: 20, 1: 0 }, winners: [1] };
const over = ({ deal, points, winners }, match = 5) => ({ kind: "deal_over", deal, match, points, winners });

test("deals are remembered from events, and over a reload", () => {
  const kept = memory();
  const history = new DealHistory(kept);
  history.follow(state(), [over(FIRST), { kind: "turn", seat: 0 }]);
  history.follow(state({ deal: 2 }), [over(SECOND)]);
  assert.deepEqual(history.records, [FIRST, SECOND]);
  assert.deepEqual(new DealHistory(memory(kept.stored)).records, [FIRST, SECOND]);
});

test("an open result is a deal that has ended, also without its event", () => {
  const history = new DealHistory(memory());
  const hands = [
    { seat: 0, points: 0 },
    { seat: 1, points: 31 },
  ];
  history.follow(state({ result: { winners: [0], hands } }));
  assert.deepEqual(history.records, [FIRST]);
});

test("another match begins with an empty sheet", () => {
  const history = new DealHistory(memory({ match: 5, deals: [FIRST] }));
  history.follow(state({}, 6), [over(SECOND)]);
  assert.deepEqual(history.records, []);
});

test("what the server tells of earlier deals completes the sheet", () => {
  const history = new DealHistory(memory());
  history.follow(state({ deal: 3, match: { history: [FIRST, SECOND] } }));
  assert.deepEqual(history.records, [FIRST, SECOND]);
});

test("memory that is no list of deals is passed over", () => {
  for (const stored of [7, "x", { match: "5", deals: [] }, { match: 5, deals: [null, { deal: "1" }] }]) {
    assert.deepEqual(new DealHistory(memory(stored)).records, []);
  }
});

test("the end of a deal carries the number of that deal through a catch-up", () => {
  const sync = new Sync({ epoch: "a", v: 1, state: state({ deal: 1 }) });
  const { events } = sync.receive(
    {
      type: "ev",
      changes: [
        { v: 2, events: [{ kind: "deal_over", points: FIRST.points, winners: [0] }], patch: {} },
        { v: 3, events: [{ kind: "dealt" }], patch: { game: { deal: 2 } } },
      ],
    },
    0,
  );
  assert.deepEqual(events[0], over(FIRST));
});
