import assert from "node:assert/strict";
import { test } from "node:test";

import { say } from "../static/js/table/core/say.js";
import { cardName, headings, seatName, tell } from "../static/js/table/core/tell.js";
import { CardPainter } from "../static/js/table/view/card.js";
import { TELLERS } from "../static/js/games/indian/core/tellers.js";

const TEXTS = {
  language: "en",
  card: "{rank} of {suit}",
  card_wild: "{card} (wild)",
  printed_joker: "joker",
  rank_7: "7",
  suit_H: "hearts",
  points: "{points} points",
  points_one: "{points} point",
  event_discarded: "{name} discarded the {card}.",
  event_discarded_own: "You discarded the {card}.",
  event_deal_over: "The deal goes to {names}.",
  event_deal_over_own: "You win the deal.",
  event_closed: "This table is closed.",
  event_fee_changed: "From the next deal on, the service fee is {rate}.",
  event_fee_changed_match: "From the next match on, the service fee is {rate}.",
};
const STATE = {
  table: {},
  you: { seat: 0 },
  seats: [{ player: { name: "Asha" } }, { player: { name: "Vikram" } }],
};

test("a number takes the form that the language asks for", () => {
  assert.equal(say(TEXTS, "points", { points: 1 }), "1 point");
  assert.equal(say(TEXTS, "points", { points: 0 }), "0 points");
  assert.equal(say(TEXTS, "points", { points: 80 }), "80 points");
});

test("cards are named with rank, suit and whether they are wild", () => {
  assert.equal(cardName(TEXTS, "7H.1", null), "7 of hearts");
  assert.equal(cardName(TEXTS, "7H.1", 7), "7 of hearts (wild)");
  assert.equal(cardName(TEXTS, "PJ.0", 1), "joker");
});

test("the label of a shown card contains its letters, so that speech input finds it", () => {
  const label = (card, wild) => CardPainter.prototype.label.call({ texts: TEXTS }, card, wild);
  assert.equal(label("PJ.0", 1), "joker, JKR");
  assert.equal(label("7H.1", null), "7 of hearts");
});

test("an event is told to everybody, and to oneself as one's own", () => {
  const event = { kind: "discarded", seat: 1, card: "7H.0" };
  assert.deepEqual(tell(TEXTS, event, STATE, null, TELLERS), {
    text: "Vikram discarded the 7 of hearts.",
    own: false,
  });
  assert.equal(tell(TEXTS, { ...event, seat: 0 }, STATE, null, TELLERS)?.text, "You discarded the 7 of hearts.");
  assert.equal(tell(TEXTS, { kind: "turn", seat: 1 }, STATE, null, TELLERS), null);
  assert.equal(tell(TEXTS, { kind: "something_newer" }, STATE, null, TELLERS), null);
  const over = { kind: "deal_over", winners: [0, 1], points: {} };
  assert.equal(tell(TEXTS, over, STATE, null, TELLERS)?.text, "The deal goes to Asha, Vikram.");
});

test("who wins alone is told so in the second person", () => {
  const over = (winners) => tell(TEXTS, { kind: "deal_over", winners, points: {} }, STATE, null, TELLERS);
  assert.deepEqual(over([0]), { text: "You win the deal.", own: true });
  assert.deepEqual(over([1]), { text: "The deal goes to Vikram.", own: false });
});

test("a seat keeps its name of the match when its player has left and another one has come", () => {
  const names = { 0: "Asha", 1: "Vikram" };
  const state = { ...STATE, table: { names }, seats: [{ player: null }, { player: { name: "Ravi" } }, { player: { name: "Devi" } }] };
  assert.deepEqual([0, 1, 2].map((seat) => seatName(state, seat)), ["Asha", "Vikram", "Devi"]);
});

test("a closed table is told of, unless its event goes on elsewhere", () => {
  const at = (event_url) => ({ ...STATE, table: { event_url } });
  assert.equal(tell(TEXTS, { kind: "closed" }, at(""), null, TELLERS).text, "This table is closed.");
  assert.equal(tell(TEXTS, { kind: "closed" }, at("/tournaments/1/"), null, TELLERS), null);
});

test("a new fee is told before the deal, or the match, that pays it", () => {
  const at = (stake) => ({ ...STATE, table: { stake } });
  const event = { kind: "fee_changed", rake_bps: 1_250, rake_cap: null };
  assert.equal(tell(TEXTS, event, at("per_point"), null, TELLERS).text, "From the next deal on, the service fee is 12.5%.");
  assert.equal(tell(TEXTS, event, at("entry_fee"), null, TELLERS).text, "From the next match on, the service fee is 12.5%.");
});

/** The result as it is read from a seat (null: by a watcher) of a match with these places. */
const resultAt = (seat, ended, places = {}) => {
  const names = { 0: "Asha", 1: "Vikram", 2: "Meera" };
  const table = { places, names: places[2] === undefined ? { 0: "Asha", 1: "Vikram" } : names };
  return headings(RESULTS, { table, you: { seat }, seats: [] }, ended);
};
const RESULTS = {
  language: "en",
  place_2: "2nd",
  place_3: "3rd",
  result_lost: "You lose {points} points",
  result_lost_one: "You lose {points} point",
  result_match: "The match goes to {names}",
  result_match_lost: "You lose the match",
  result_match_shared: "You share the prize",
  result_match_won: "You win the match",
  result_out: "You are out: {place} of {players}",
  result_place: "You finish {place} of {players}",
};
const TOLD = ["Asha wins the deal"];

test("a deal's result says first what its reader loses", () => {
  assert.deepEqual(resultAt(1, { told: TOLD, lost: 20 }), ["You lose 20 points", ...TOLD]);
  assert.deepEqual(resultAt(1, { told: TOLD, lost: 1 }), ["You lose 1 point", ...TOLD]);
  assert.deepEqual(resultAt(0, { told: ["You win the deal"], lost: 0 }), ["You win the deal"]);
  assert.deepEqual(resultAt(null, { told: TOLD }), TOLD);
});

test("a match's result says first how it has ended for its reader", () => {
  const ended = { told: TOLD, lost: 20, winners: [0] };
  const two = { 0: 1, 1: 2 };
  const three = { 0: 1, 1: 3, 2: 2 };
  const neutral = ["The match goes to Asha", ...TOLD];
  assert.deepEqual(resultAt(0, { ...ended, lost: 0 }, two), ["You win the match", ...TOLD]);
  assert.deepEqual(resultAt(1, ended, two), ["You lose the match", ...neutral]);
  assert.deepEqual(resultAt(1, ended, three), ["You finish 3rd of 3", ...neutral]);
  assert.deepEqual(resultAt(null, { ...ended, lost: 0 }, three), neutral);
});

test("winners who share a prize are told so, and the others who has it", () => {
  const ended = { told: [], winners: [0, 2] };
  const places = { 0: 1, 1: 3, 2: 1 };
  assert.deepEqual(resultAt(2, ended, places), ["You share the prize"]);
  assert.deepEqual(resultAt(1, ended, places), ["You finish 3rd of 3", "The match goes to Asha, Meera"]);
});

test("a player who is out reads their place, also while the match goes on", () => {
  const out = { told: TOLD, lost: 40, out: 3 };
  const three = { 2: 0 };
  assert.deepEqual(resultAt(1, out, three), ["You are out: 3rd of 3", ...TOLD]);
  const match = "The match goes to Meera";
  assert.deepEqual(resultAt(1, { ...out, winners: [2] }, three), ["You are out: 3rd of 3", match, ...TOLD]);
  // Of two, one may still come back.
  assert.deepEqual(resultAt(1, { ...out, out: 2 }), ["You are out: 2nd of 2", ...TOLD]);
  assert.equal(resultAt(1, { ...out, out: 2, winners: [0] })[0], "You lose the match");
});
