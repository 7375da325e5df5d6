// Rummikub: where tiles go on the board in hand, a rack in order, tiles and the deal in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { boardOf, grouped, isSameBoard, moved, sorted, tilesOf } from "../static/js/games/rummikub/core/board.js";
import { lookOf, noticeFor, progressText } from "../static/js/games/rummikub/core/looks.js";
import { tileName, tileNames } from "../static/js/games/rummikub/core/names.js";
import { acting, isOwnClock, isPlaying, windowMs } from "../static/js/games/rummikub/core/seen.js";
import { TELLERS } from "../static/js/games/rummikub/core/tellers.js";
import { ALL_CARDS, dealHand, randomFrom } from "./random.mjs";

const tiles = (text) => text.split(" ").map((face) => `${face}.0`);
const meld = (text) => ({ cards: tiles(text), as: text.split(" ") });

test("a tile goes onto a meld, into a new one, or back; only melds that changed are read anew", () => {
  const board = boardOf([meld("4H 5H 6H 7H"), meld("9S 9H 9C"), meld("TD JD QD")]);
  const onto = moved(board, ["7H.0"], { onto: "meld", meld: 1 });
  assert.deepEqual(onto.map(({ cards }) => cards), [tiles("4H 5H 6H"), tiles("9S 9H 9C 7H"), tiles("TD JD QD")]);
  assert.deepEqual(onto.map(({ as }) => as), [null, null, ["TD", "JD", "QD"]]);
  assert.deepEqual(moved(board, tiles("TD JD"), { onto: "new" }).map(({ cards }) => cards.length), [4, 3, 1, 2]);
  assert.deepEqual(tilesOf(moved(board, tiles("9S 9H 9C"), { onto: "rack" })), tiles("4H 5H 6H 7H TD JD QD"));
  assert.deepEqual(board[0]?.cards, tiles("4H 5H 6H 7H"), "what was there is left as it was");
});

test("however tiles are moved, none is lost, none is doubled, and no meld is empty", () => {
  const random = randomFrom(18);
  for (let match = 0; match < 200; match += 1) {
    const hand = dealHand(random, 20);
    let board = boardOf([{ cards: hand, as: null }]);
    /** @type {string[]} */
    let rack = [];
    for (let step = 0; step < 30; step += 1) {
      const held = [...tilesOf(board), ...rack];
      const chosen = held.filter(() => random.whole(6) === 0);
      const target = random.pick([
        { onto: "rack" },
        { onto: "new" },
        ...board.map((_, place) => ({ onto: "meld", meld: place })),
      ]);
      if (chosen.length === 0) continue;
      board = moved(board, chosen, target);
      const lying = new Set(tilesOf(board));
      rack = held.filter((card) => !lying.has(card));
      assert.equal(tilesOf(board).length, lying.size);
      assert.deepEqual(rack.filter((card) => chosen.includes(card)), target.onto === "rack" ? rack.filter((card) => chosen.includes(card)) : []);
      assert.ok(board.every(({ cards }) => cards.length > 0));
      assert.deepEqual([...lying, ...rack].sort(), [...hand].sort());
    }
  }
});

test("two boards are the same whatever the order of their melds", () => {
  const [one, two] = [meld("4H 5H 6H"), meld("9S 9H 9C")];
  assert.ok(isSameBoard([one, two], [two, one]));
  assert.ok(!isSameBoard([one, two], [one]));
  assert.ok(!isSameBoard([one], [meld("4H 5H 7H")]));
});

test("a rack is sorted by colour or by number, jokers last, and nothing is lost", () => {
  const rack = tiles("KD PJ 2S TD 2H AS");
  assert.deepEqual(sorted(rack, "colour"), tiles("AS 2S 2H TD KD PJ"));
  assert.deepEqual(sorted(rack, "number"), tiles("AS 2S 2H TD KD PJ"));
  assert.deepEqual(sorted(tiles("3D 2D 2S"), "colour"), tiles("2S 2D 3D"));
  assert.deepEqual(grouped(tiles("3D 2D 2S PJ"), "colour"), [tiles("2S"), tiles("2D 3D"), tiles("PJ")]);
  assert.deepEqual(grouped(tiles("3D 2D 2S PJ"), "number"), [tiles("2S 2D"), tiles("3D"), tiles("PJ")]);
  for (const by of ["colour", "number"]) {
    assert.deepEqual(grouped(ALL_CARDS, by).flat(), sorted(ALL_CARDS, by));
    assert.deepEqual([...sorted(ALL_CARDS, by)].sort(), [...ALL_CARDS].sort());
  }
});

const TEXTS = {
  tile_S: "black {number}",
  tile_H: "red {number}",
  tile_joker: "joker",
  tile_joker_for: "joker for {tile}",
  tiles: "{count} tiles",
  tiles_one: "{count} tile",
  score_of: "{points} points",
  deal_of: "Deal {deal} of {deals}",
  status_out: "Out",
  status_missed: "Missed {missed} of {of}",
  status_not_opened: "Not opened",
  next_deal: "Next deal in {time}",
  notice_other: "{name} is playing",
  notice_open_draw: "Lay {least} points, or draw",
  notice_lay_draw: "Lay, or draw",
  notice_lay_pass: "Lay, or pass",
};

test("tiles have numbers; a joker says what it stands for", () => {
  assert.equal(tileName(TEXTS, "AS.0"), "black 1");
  assert.equal(tileName(TEXTS, "KH.1"), "red 13");
  assert.equal(tileName(TEXTS, "PJ.0"), "joker");
  assert.equal(tileName(TEXTS, "PJ.0", "TH"), "joker for red 10");
  assert.equal(tileName(TEXTS, "PJ.0", "PJ"), "joker");
  assert.equal(tileNames(TEXTS, tiles("9S PJ")), "black 9, joker");
});

const player = (more = {}) => ({ status: "playing", tiles: 14, opened: true, missed: 0, score: 0, ...more });
const stateOf = (game = {}, you = {}) => ({
  table: {},
  seats: [{ player: { name: "Asha" } }, { player: { name: "Ravi" } }],
  rules: { max_missed_turns: 3, turn_seconds: 60, break_seconds: 10 },
  you: { seat: 0, ...you },
  game: {
    deal: 2, phase: "turn", turn: 0, order: [0, 1], pool_count: 5, initial_meld: 30, result: null, due_at: 9_000,
    players: { 0: player(), 1: player({ tiles: 1, opened: false }) },
    match: { deals: 4, scores: { 0: 12, 1: -12 } },
    ...game,
  },
});

test("the clock of whose turn it is runs; nobody's between deals", () => {
  assert.deepEqual(acting(stateOf()), [0]);
  assert.ok(isOwnClock(stateOf()));
  assert.ok(!isOwnClock(stateOf({ turn: 1 })));
  assert.ok(!isOwnClock(stateOf({ turn: 0 }, { seat: null })));
  assert.deepEqual(acting(stateOf({ turn: null, phase: "between" })), []);
  assert.deepEqual(acting({ game: null, you: { seat: 0 } }), []);
  assert.equal(windowMs(stateOf()), 60_000);
  assert.equal(windowMs(stateOf({ phase: "between" })), 10_000);
});

test("who is out, or whose deal is over, plays no more", () => {
  assert.ok(isPlaying(stateOf()));
  assert.ok(!isPlaying(stateOf({ result: {} })));
  assert.ok(!isPlaying(stateOf({ players: { 0: player({ status: "out" }) } })));
  assert.ok(!isPlaying(stateOf({}, { seat: null })));
});

test("a seat shows tiles, score of the match, and what stands in the player's way", () => {
  const [own, other] = [0, 1].map((seat) => lookOf(TEXTS, stateOf(), seat));
  assert.deepEqual([own?.holding, own?.status], ["14 tiles · 12 points", null]);
  assert.deepEqual([other?.holding, other?.status], ["1 tile · -12 points", "Not opened"]);
  const missed = lookOf(TEXTS, stateOf({ players: { 0: player({ missed: 2 }) }, match: { deals: 1, scores: {} } }), 0);
  assert.deepEqual([missed.holding, missed.status], ["14 tiles", "Missed 2 of 3"]);
  const out = lookOf(TEXTS, stateOf({ players: { 0: player({ status: "out" }) } }), 0);
  assert.deepEqual([out.isOut, out.status], [true, "Out"]);
  assert.equal(lookOf(TEXTS, stateOf({ players: {} }), 0).isPlaying, false);
});

test("the notice says what may be done, by the stage of the deal", () => {
  assert.equal(noticeFor(TEXTS, stateOf(), 0), "Lay, or draw");
  assert.equal(noticeFor(TEXTS, stateOf({ pool_count: 0 }), 0), "Lay, or pass");
  assert.equal(noticeFor(TEXTS, stateOf({ players: { 0: player({ opened: false }) } }), 0), "Lay 30 points, or draw");
  assert.equal(noticeFor(TEXTS, stateOf({ turn: 1 }), 0), "Ravi is playing");
  assert.equal(noticeFor(TEXTS, stateOf({ phase: "over" }), 0), null);
  assert.match(String(noticeFor(TEXTS, stateOf({ phase: "between", turn: null }), 2_000)), /^Next deal in .*7/);
  assert.equal(progressText(TEXTS, stateOf()), "Deal 2 of 4");
  assert.equal(progressText(TEXTS, stateOf({ match: { deals: 1, scores: {} } })), null);
});

test("how a deal was won is told by how it ended", () => {
  assert.equal(TELLERS.deal_over?.({ how: "laid_out" }), "event_won_laid_out");
  assert.equal(TELLERS.deal_over?.({ how: "limit" }), "event_won_count");
  assert.equal(TELLERS.drawn?.({ why: "overtime" }), "event_drew_overtime");
  assert.equal(TELLERS.turn?.({}), null);
});
