import assert from "node:assert/strict";
import { test } from "node:test";

import { noticeFor } from "../static/js/games/indian/view/notice.js";

const TEXTS = { notice_split: "{name} offers: {time}", notice_split_table: "The table offers: {time}" };
const seen = (asker) => ({
  state: {
    table: { stake: "entry_fee" },
    seats: [{ player: { name: "Asha" } }],
    rules: {},
    you: { seat: 0 },
    game: { phase: "split", due_at: 14_000, match: { split_asker: asker, waiting: [0], standings: {} } },
  },
  now: 0,
  groups: [],
  wild: null,
});

test("an offer to split names who makes it: a player, or the table by itself", () => {
  assert.equal(noticeFor(TEXTS, seen(0)), "Asha offers: 0:14");
  assert.equal(noticeFor(TEXTS, seen(null)), "The table offers: 0:14");
});
