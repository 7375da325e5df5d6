// Melds on the table: how cards are read, what fits where, what a contract takes of a hand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { meldsMeant } from "../static/js/games/rummy/core/laid/laying.js";
import { creditOf } from "../static/js/games/basic/core/rules.js";
import { askedSeats, isAsked, windowOf } from "../static/js/games/contract/core/buying.js";
import { contractIn, doTouch } from "../static/js/games/contract/core/contract.js";
import { noticeFor } from "../static/js/games/five_hundred/core/looks.js";
import { findMeld, layableOn } from "../static/js/games/rummy/core/laid/finding.js";
import { jokerFor, layOffs, readMeld } from "../static/js/games/rummy/core/laid/melds.js";

const BASIC = { minSet: 3, minRun: 3, run: "sequence", aceHigh: false, repeats: false, wild: null, naturalsInSet: 3, naturalsInRun: 3 };
const CONTRACT = { minSet: 3, minRun: 4, run: "run", aceHigh: true, repeats: true, wild: null, naturalsInSet: 1, naturalsInRun: 2 };
const DEUCES = { ...CONTRACT, wild: 2 };
const card = (face) => (face.includes(".") ? face : `${face}.0`);
const cards = (text) => text.split(" ").map(card);
const groups = (text) => text.split("|").map(cards);
const asOf = (text, shape) => readMeld(cards(text), shape)?.as.join(" ") ?? null;
const lying = (text, shape) => ({ ...readMeld(cards(text), shape), by: [] });

test("B4: a set has one rank and each suit once, a sequence lies in order, the ace low", () => {
  assert.equal(readMeld(cards("7S 7H 7D"), BASIC).kind, "set");
  assert.deepEqual(readMeld(cards("3S AS 2S"), BASIC), { kind: "sequence", cards: cards("AS 2S 3S"), as: ["AS", "2S", "3S"] });
  for (const none of ["7S 7H", "QS KS AS", "5S 6S 8S", "5S 6S 7H", "7S 7H 8S"]) assert.equal(readMeld(cards(none), BASIC), null);
  assert.equal(asOf("QS KS AS", { ...BASIC, aceHigh: true }), "QS KS AS");
});

test("C3: a run has four cards, the ace at either end, a set may hold a card twice", () => {
  assert.equal(asOf("7H.0 7H.1 7S", CONTRACT), "7H 7H 7S");
  assert.equal(asOf("JS QS KS AS", CONTRACT), "JS QS KS AS");
  assert.equal(asOf("AS 2S 3S 4S", CONTRACT), "AS 2S 3S 4S");
  for (const none of ["QS KS AS 2S", "5S 6S 7S", "5S 6S 7S 7S.1"]) assert.equal(readMeld(cards(none), CONTRACT), null);
});

test("C4: a joker fills a gap, or lies at the end at which it was put", () => {
  assert.equal(asOf("4H PJ 6H 7H", CONTRACT), "4H 5H 6H 7H");
  assert.equal(asOf("PJ 5H 6H 7H", CONTRACT), "4H 5H 6H 7H");
  assert.equal(asOf("5H 6H 7H PJ", CONTRACT), "5H 6H 7H 8H");
  assert.equal(asOf("JH QH KH PJ", CONTRACT), "JH QH KH AH");
  assert.equal(asOf("QH KH AH PJ", CONTRACT), "JH QH KH AH");
  assert.equal(asOf("PJ AH 2H 3H", CONTRACT), "AH 2H 3H 4H");
  assert.equal(asOf("9S PJ 9D", CONTRACT), "9S 9H 9D");
  assert.equal(asOf("9S PJ.0 PJ.1 PJ.2", CONTRACT), "9S 9H 9C 9D");
  assert.equal(readMeld(cards("PJ.0 PJ.1 PJ.2"), CONTRACT), null);
});

test("C1: a wild deuce stands for itself where it can", () => {
  assert.deepEqual(readMeld(cards("2S 3S 4S 2H"), DEUCES), { kind: "run", cards: cards("2S 3S 4S 2H"), as: ["2S", "3S", "4S", "5S"] });
  assert.equal(asOf("2S 2H 2D", DEUCES), "2S 2H 2D");
  assert.equal(asOf("9S 9H 2D", DEUCES), "9S 9H 9C");
});

test("B6, C10: cards go onto either end of a run, jokers as one says", () => {
  const run = lying("5H 6H 7H 8H", CONTRACT);
  assert.deepEqual(layOffs(run, cards("TH 9H"), CONTRACT), [{ cards: cards("9H TH"), as: ["9H", "TH"] }]);
  assert.deepEqual(layOffs(run, cards("PJ"), CONTRACT).map(({ as }) => as[0]), ["9H", "4H"]);
  assert.deepEqual(layOffs(run, cards("4H 9H"), CONTRACT)[0].as, ["4H", "9H"]);
  for (const none of ["TH", "9S", "5H.1"]) assert.deepEqual(layOffs(run, cards(none), CONTRACT), []);
  const high = lying("JH QH KH AH", CONTRACT);
  assert.deepEqual(layOffs(high, cards("PJ"), CONTRACT).map(({ as }) => as[0]), ["TH"]);
  assert.deepEqual(layOffs(lying("KS KH KD", BASIC), cards("KC"), BASIC).length, 1);
  assert.deepEqual(layOffs(lying("JS QS KS", BASIC), cards("AS"), BASIC), []);
  assert.deepEqual(layOffs(run, [], CONTRACT), []);
});

test("C11: a joker of a run goes for the card that it stands for, one of a set never", () => {
  assert.equal(jokerFor(lying("5H PJ 7H 8H", CONTRACT), "6H.1"), "PJ.0");
  assert.equal(jokerFor(lying("5H PJ 7H 8H", CONTRACT), "7H.1"), null);
  assert.equal(jokerFor(lying("9S PJ 9D", CONTRACT), "9H.0"), null);
});

test("C4: a contract takes of each group what it needs, and spares jokers", () => {
  const asked = { contract: ["set", "run"], isWhole: false, isExact: true };
  const found = contractIn(groups("9C PJ 9D 9S|4H 5H 6H 7H 8H|KS"), asked, CONTRACT);
  assert.deepEqual(found.map(({ cards: laid }) => laid), [cards("9C 9D 9S"), cards("4H 5H 6H 7H")]);
  assert.equal(contractIn(groups("9C 9D|4H 5H 6H 7H"), asked, CONTRACT), null);
  const whole = { contract: ["run", "run"], isWhole: true, isExact: true };
  assert.equal(contractIn(groups("4H 5H 6H 7H|4S 5S 6S 7S 8S"), whole, CONTRACT).flatMap(({ cards: laid }) => laid).length, 9);
  assert.equal(contractIn(groups("4H 5H 6H 7H|4S 5S 6S 7S|9C"), whole, CONTRACT), null);
});

test("C5: two runs of one suit neither overlap nor follow on each other", () => {
  const run = (text) => readMeld(cards(text), CONTRACT);
  assert.equal(doTouch(run("2S 3S 4S 5S"), run("6S 7S 8S 9S")), true);
  assert.equal(doTouch(run("2S 3S 4S 5S"), run("7S 8S 9S TS")), false);
  assert.equal(doTouch(run("AS 2S 3S 4S"), run("JS QS KS AS.1")), false);
  const asked = { contract: ["run", "run"], isWhole: false, isExact: true };
  assert.equal(contractIn(groups("2S 3S 4S 5S|6S 7S 8S 9S"), asked, CONTRACT), null);
});

test("what is meant to be laid: the chosen cards, or each group that is a meld", () => {
  const hand = groups("5H 6H 7H|KS KD KC|9D 2C");
  assert.deepEqual(meldsMeant(hand, new Set(), BASIC), groups("5H 6H 7H|KS KD KC"));
  assert.deepEqual(meldsMeant(hand, new Set(cards("KS KD KC")), BASIC), groups("KS KD KC"));
  assert.deepEqual(meldsMeant(hand, new Set(cards("KS KD KC 5H 6H 7H")), BASIC), groups("5H 6H 7H|KS KD KC"));
  assert.equal(meldsMeant(hand, new Set(cards("KS KD KC 9D")), BASIC), null);
  assert.equal(meldsMeant(groups("9D 2C"), new Set(), BASIC), null);
});

test("B13: equal winners share what the others lost, odd points in order of play", () => {
  const line = { winners: [2, 0], points: { 0: 0, 1: 15, 2: 0 } };
  assert.deepEqual([0, 1, 2].map((seat) => creditOf(line, seat)), [7, null, 8]);
});

test("C20: who has answered is not seen; one's own answer the page keeps", () => {
  const buying = { card: "7H.0", seats: [1, 2], due_at: 9 };
  const state = {
    table: { match: 4 },
    game: { phase: "buy", deal: 1, turn_number: 3, turn: 0, buying },
    you: { seat: 1, asked: true, answer: null },
  };
  assert.equal(isAsked(state, null), true);
  assert.equal(isAsked(state, windowOf(state)), false);
  assert.deepEqual(askedSeats(state, null), [1, 2]);
  assert.deepEqual(askedSeats(state, windowOf(state)), [2]);
  assert.equal(isAsked({ ...state, game: { ...state.game, phase: "turn", buying: null } }, null), false);
});

test("a coach points at the meld that counts most, and at a card that fits on the table", () => {
  const worth = (one) => Math.min("A23456789TJQK".indexOf(one[0]) + 1, 10);
  assert.deepEqual(findMeld(cards("2C 5H KS 6H KD 7H KC 8H"), BASIC, worth), cards("KS KD KC"));
  assert.deepEqual(findMeld(cards("2C 5H 6H 7H 8H"), BASIC, worth).toSorted(), cards("5H 6H 7H 8H"));
  assert.equal(findMeld(cards("2C 5H 9D"), BASIC, worth), null);
  const table = [lying("KS KD KC", BASIC), lying("5H 6H 7H", BASIC)];
  assert.deepEqual(layableOn(table, cards("2C 8H"), BASIC), { card: "8H.0", meld: 1 });
  assert.equal(layableOn(table, cards("2C"), BASIC), null);
});

test("F6: only where a card is marked is the player told to take one, and then to lay it", () => {
  const texts = { notice_draw: "Draw", notice_take: "Draw or take", notice_must_use: "Lay the {card}", notice_lay_or_discard: "Lay" };
  const told = (game, own) => {
    const seen = { phase: "turn", turn: 0, step: "draw", must_use: null, players: {}, ...game };
    return noticeFor(texts, { you: { seat: 0 }, seats: [], game: seen }, 0, { mayLay: true, mayTake: false, ...own });
  };
  assert.equal(told({}, {}), "Draw");
  assert.equal(told({}, { mayTake: true }), "Draw or take");
  assert.match(String(told({ step: "discard", must_use: "7H.0" }, {})), /^Lay the /);
  assert.equal(told({ step: "discard" }, { mayTake: true }), "Lay");
});
