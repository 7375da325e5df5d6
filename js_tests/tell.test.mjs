import assert from "node:assert/strict";
import { test } from "node:test";

import { say } from "../static/js/table/core/say.js";
import { cardName, seatName, tell } from "../static/js/table/core/tell.js";
import { TELLERS } from "../static/js/games/indian/core/tellers.js";

const TEXTS = {
  language: "en",
  card: "{rank} of {suit}",
  card_wild: "{card}, wild",
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
  event_fee_changed: "From the next deal on the service fee is {rate}.",
  event_fee_changed_match: "From the next match on the service fee is {rate}.",
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
  assert.equal(cardName(TEXTS, "7H.1", 7), "7 of hearts, wild");
  assert.equal(cardName(TEXTS, "PJ.0", 1), "joker");
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
  assert.equal(tell(TEXTS, event, at("per_point"), null, TELLERS).text, "From the next deal on the service fee is 12.5%.");
  assert.equal(tell(TEXTS, event, at("entry_fee"), null, TELLERS).text, "From the next match on the service fee is 12.5%.");
});
