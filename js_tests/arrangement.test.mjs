import assert from "node:assert/strict";
import { test } from "node:test";

import { Arrangement, SAVE_AFTER_MS } from "../static/js/table/core/arrangement.js";

const state = (hand, groups, rev = 0, deal = 1) => ({
  table: { match: 1 },
  game: { deal },
  you: { seat: 0, hand, groups, rev },
});
const HAND = ["2H.0", "3H.0", "KS.0"];

function dealt() {
  const arrangement = new Arrangement();
  arrangement.follow(state(HAND, [HAND]), 0);
  return arrangement;
}

test("a new deal brings the groups of the server", () => {
  const arrangement = dealt();
  assert.deepEqual(arrangement.groups, [HAND]);
  arrangement.change([["2H.0"], ["3H.0", "KS.0"]], 0);
  arrangement.follow(state(["5C.0"], [["5C.0"]], 0, 2), 0);
  assert.deepEqual(arrangement.groups, [["5C.0"]]);
  assert.equal(arrangement.takeUnsent(), null);
});

test("own groups stay through an event and are saved a moment later", () => {
  const arrangement = dealt();
  const mine = [["KS.0"], ["2H.0", "3H.0"]];
  arrangement.change(mine, 1000);
  assert.equal(arrangement.isDue(1000 + SAVE_AFTER_MS - 1), false);
  assert.equal(arrangement.isDue(1000 + SAVE_AFTER_MS), true);
  arrangement.follow(state(HAND, [HAND]), 1100);
  assert.deepEqual(arrangement.groups, mine);
  assert.deepEqual(arrangement.takeUnsent(), { type: "draft", rev: 1, draft: mine });
  assert.equal(arrangement.takeUnsent(), null);
});

test("a drawn card lies beside one's own groups", () => {
  const arrangement = dealt();
  arrangement.change([["KS.0"], ["2H.0", "3H.0"]], 0);
  arrangement.follow(state([...HAND, "4H.0"], [[...HAND, "4H.0"]]), 0);
  assert.deepEqual(arrangement.groups, [["KS.0"], ["2H.0", "3H.0"], ["4H.0"]]);
});

test("a later revision of another window wins", () => {
  const arrangement = dealt();
  const theirs = [["3H.0"], ["2H.0", "KS.0"]];
  arrangement.follow(state(HAND, theirs, 4), 0);
  assert.deepEqual(arrangement.groups, theirs);
  arrangement.change([HAND], 0);
  assert.equal(arrangement.takeUnsent()?.rev, 5);
});

test("what was sent into a broken connection is sent again", () => {
  const arrangement = dealt();
  arrangement.change([["KS.0"], ["2H.0", "3H.0"]], 0);
  arrangement.takeUnsent();
  arrangement.reconnected();
  assert.equal(arrangement.isDue(5000), true);
  assert.equal(arrangement.takeUnsent()?.rev, 1);
  arrangement.drafted(1);
  arrangement.reconnected();
  assert.equal(arrangement.takeUnsent(), null);
});

test("groups that a move overtook are saved again for the new hand", () => {
  const arrangement = dealt();
  arrangement.change([["KS.0"], ["2H.0", "3H.0"]], 0);
  arrangement.takeUnsent();
  arrangement.refused();
  assert.equal(arrangement.isDue(9000), false);
  arrangement.follow(state(["2H.0", "3H.0"], [["2H.0", "3H.0"]]), 9000);
  assert.equal(arrangement.isDue(9000 + SAVE_AFTER_MS), true);
  assert.deepEqual(arrangement.takeUnsent()?.draft, [["2H.0", "3H.0"]]);
});

test("without a deal there is nothing to arrange", () => {
  const arrangement = dealt();
  arrangement.follow({ table: { match: null }, game: null, you: { seat: 0 } }, 0);
  assert.deepEqual(arrangement.groups, []);
});

const BEST = [["KS.0"], ["2H.0", "3H.0"]];

test("what the server proposes is one's own, to be saved, until cards are moved", () => {
  const arrangement = dealt();
  assert.equal(arrangement.lay(arrangement.rev, BEST, 0), true);
  assert.deepEqual(arrangement.groups, BEST);
  assert.equal(arrangement.isBest, true);
  assert.deepEqual(arrangement.takeUnsent(), { type: "draft", rev: 1, draft: BEST });
  arrangement.change([["KS.0", "2H.0"], ["3H.0"]], 0);
  assert.equal(arrangement.isBest, false);
});

test("undo brings the former arrangement back, with the cards that are held now", () => {
  const arrangement = dealt();
  arrangement.lay(arrangement.rev, BEST, 0);
  const more = [...HAND, "9C.0"];
  arrangement.follow(state(more, [...BEST.slice(0, -1), ["2H.0", "3H.0", "9C.0"]]), 10);
  assert.equal(arrangement.undo(20), true);
  assert.deepEqual(arrangement.groups, [HAND, ["9C.0"]]);
  assert.equal(arrangement.takeUnsent()?.rev, arrangement.rev);
  assert.equal(arrangement.undo(30), false);
});

test("cards that were moved while the server reckoned stay where they are, and are saved", () => {
  const arrangement = dealt();
  const asked = arrangement.rev;
  const mine = [["2H.0"], ["3H.0", "KS.0"]];
  arrangement.change(mine, 0);
  assert.equal(arrangement.lay(asked, BEST, 5), false);
  assert.deepEqual(arrangement.groups, mine);
  assert.deepEqual(arrangement.takeUnsent(), { type: "draft", rev: asked + 1, draft: mine });
});

test("a hand that lies as the server proposes is not saved again", () => {
  const arrangement = dealt();
  assert.equal(arrangement.lay(arrangement.rev, [HAND], 5), true);
  assert.equal(arrangement.isBest, false);
  assert.equal(arrangement.takeUnsent(), null);
});

test("other players' moves do not save the same groups again", () => {
  const arrangement = dealt();
  arrangement.change(BEST, 0);
  const sent = arrangement.takeUnsent();
  arrangement.drafted(sent.rev);
  // The server tells nobody of an arrangement: the state still holds the groups of the deal.
  arrangement.follow(state(HAND, [HAND]), 100);
  assert.deepEqual(arrangement.groups, BEST);
  assert.equal(arrangement.takeUnsent(), null);
});

test("nothing of the last deal can be brought back in the next", () => {
  const arrangement = dealt();
  arrangement.change(BEST, 0);
  arrangement.follow(state(["5C.0"], [["5C.0"]], 0, 2), 0);
  assert.equal(arrangement.undo(0), false);
  assert.deepEqual(arrangement.groups, [["5C.0"]]);
});
