// A record becomes frames; each seat is shown what it saw then.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wildRankOf } from "../static/js/table/core/cards.js";
import { TELLERS } from "../static/js/games/indian/core/tellers.js";
import { handOf } from "../static/js/games/indian/replay/hands.js";
import { framesOf, sentenceOf } from "../static/js/games/rummy/replay/timeline.js";

const INDIAN = { tellers: TELLERS, wild: ({ game }) => wildRankOf(game?.wild) };

const TEXTS = {
  language: "en",
  card: "{rank} of {suit}",
  rank_7: "7",
  rank_2: "2",
  suit_H: "hearts",
  event_dealt: "The cards are dealt.",
  event_drawn_closed: "{name} drew from the closed deck.",
  event_discarded: "{name} discarded the {card}.",
  event_deal_over: "The deal goes to {names}.",
  replay_drew: "{name} drew the {card} from the closed deck.",
};
const player = (cards) => ({ status: "playing", cards, points: null, missed: 0, shown: false });
const GAME = {
  wild: "5C.0",
  order: [0, 1],
  turn: 0,
  phase: "turn",
  declaration: null,
  result: null,
  players: { 0: player(2), 1: player(2) },
};
const hand = (groups, drawn = null) => ({ hand: groups.flat(), groups, drawn });
const REPLAY = {
  at: 1000,
  events: [{ kind: "dealt", order: [0, 1] }],
  state: {
    table: { stake: "per_point" },
    seats: [{ player: { name: "Asha" } }, { player: { name: "Vikram" } }],
    game: GAME,
    rules: {},
    you: { seat: null, hand: [], groups: [] },
  },
  hands: { 0: hand([["2H.0", "3H.0"]]), 1: hand([["4H.0", "6H.0"]]) },
  steps: [
    {
      at: 2000,
      events: [{ kind: "drawn", seat: 0, source: "closed" }],
      game: { players: { 0: player(3), 1: player(2) } },
      hands: { 0: hand([["2H.0", "3H.0"], ["7H.0"]], "7H.0") },
    },
    { at: 2500, events: [], game: { turn: 1 }, hands: { 1: hand([["4H.0"], ["6H.0"]]) } },
    {
      at: 3000,
      events: [{ kind: "discarded", seat: 0, card: "2H.0" }],
      game: { players: { 0: player(2), 1: player(2) } },
      hands: { 0: hand([["3H.0"], ["7H.0"]]) },
    },
    {
      at: 4000,
      events: [{ kind: "deal_over", winners: [1], points: { 0: 10, 1: 0 } }],
      game: {
        phase: "over",
        result: {
          winners: [1],
          hands: [
            { seat: 0, groups: [["3H.0"], ["7H.0"]], kinds: [null, null], points: 10, how: "shown" },
            { seat: 1, groups: [["4H.0", "6H.0"]], kinds: ["set"], points: 0, how: "won" },
          ],
        },
      },
      hands: {},
    },
    { at: 5000, events: [{ kind: "postponed" }], game: { deadline: 9 }, hands: {} },
  ],
};
const FROM = (seat) => ({ seat, open: false });
const OPEN = { seat: 0, open: true };

test("there is a frame for everything that can be told; silence is seen with the next or last", () => {
  const frames = framesOf(REPLAY, TEXTS, TELLERS);
  assert.deepEqual(frames.map(({ at }) => at), [1000, 2000, 3000, 4000]);
  assert.equal(frames[1].state.game.turn, 0);
  assert.equal(frames[2].state.game.turn, 1);
  assert.deepEqual(frames[2].hands[1].groups, [["4H.0"], ["6H.0"]]);
  assert.equal(frames[3].state.game.deadline, 9);
  assert.equal(REPLAY.state.game.turn, 0);
});

test("a seat sees its own cards and the number of the others'", () => {
  const [first] = framesOf(REPLAY, TEXTS, TELLERS);
  assert.deepEqual(handOf(first, 0, FROM(0)).groups, [{ cards: ["2H.0", "3H.0"], kind: null }]);
  const other = handOf(first, 1, FROM(0));
  assert.deepEqual([other.groups, other.count], [null, 2]);
  assert.equal(JSON.stringify(other).includes("4H"), false);
  assert.deepEqual(handOf(first, 1, OPEN).groups, [{ cards: ["4H.0", "6H.0"], kind: null }]);
});

test("a card from the closed deck is named to whoever sees that hand", () => {
  const frame = framesOf(REPLAY, TEXTS, TELLERS)[1];
  assert.equal(sentenceOf(TEXTS, frame, FROM(0), INDIAN), "Asha drew the 7 of hearts from the closed deck.");
  assert.equal(sentenceOf(TEXTS, frame, FROM(1), INDIAN), "Asha drew from the closed deck.");
  assert.equal(sentenceOf(TEXTS, frame, { seat: 1, open: true }, INDIAN), "Asha drew the 7 of hearts from the closed deck.");
  assert.equal(handOf(frame, 0, FROM(0)).drawn, "7H.0");
  assert.equal(handOf(frame, 0, FROM(1)).drawn, null);
});

test("at the end every hand lies open and judged", () => {
  const frame = framesOf(REPLAY, TEXTS, TELLERS).at(-1);
  for (const look of [FROM(0), FROM(1), OPEN]) {
    const hands = [0, 1].map((seat) => handOf(frame, seat, look));
    assert.deepEqual(hands.map(({ isJudged, points, how }) => [isJudged, points, how]), [
      [true, 10, "shown"],
      [true, 0, "won"],
    ]);
    assert.deepEqual(hands[1].groups, [{ cards: ["4H.0", "6H.0"], kind: "set" }]);
  }
  assert.equal(sentenceOf(TEXTS, frame, OPEN, INDIAN), "The deal goes to Vikram.");
});

test("a declaration lies open for everybody from then on", () => {
  const [frame] = framesOf(REPLAY, TEXTS, TELLERS);
  const declaration = { seat: 1, groups: [["4H.0", "6H.0"]], kinds: ["set"], valid: true };
  const declared = { ...frame, state: { ...frame.state, game: { ...GAME, declaration } } };
  const shown = handOf(declared, 1, FROM(0));
  assert.deepEqual([shown.groups, shown.isJudged], [[{ cards: ["4H.0", "6H.0"], kind: "set" }], true]);
});
