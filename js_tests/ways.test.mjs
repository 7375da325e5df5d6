import assert from "node:assert/strict";
import { test } from "node:test";

import { nextDealText } from "../static/js/games/rummy/core/next_deal.js";
import { rematch, usualStack, wayOn } from "../static/js/table/core/ways.js";

const chair = (seat, name, more = {}) => ({
  seat,
  player: name === null ? null : { id: seat + 1, name, bot: false },
  stack: 0,
  state: name === null ? null : "waiting",
  ...more,
});
const state = (own, seats, more = {}) => ({
  table: {
    stake: "entry_fee",
    min_buy_in: 100,
    max_buy_in: 100,
    status: "between",
    event_url: "",
    names: { 0: "Asha", 1: "Ravi" },
    ...more,
  },
  you: { seat: own },
  seats,
  game: { phase: "over" },
});

test("who stays asks for the next match and pays for it, once", () => {
  const seats = [chair(0, "Asha"), chair(1, "Ravi")];
  assert.deepEqual(wayOn(state(0, seats), 500), { kind: "again", isOver: true, bring: 100 });
  const asked = [chair(0, "Asha", { again: true }), chair(1, "Ravi")];
  assert.equal(wayOn(state(0, asked), 400).kind, "wait");
});

test("between two deals of a match the next one is waited for", () => {
  const running = { ...state(0, [chair(0, "Asha"), chair(1, "Ravi")]), game: { phase: "between" } };
  assert.deepEqual(wayOn(running, 500), { kind: "go_on", isOver: false });
});

test("against bots the next deal is asked for, at any length of the match", () => {
  const seats = [chair(0, "Asha", { state: "playing" }), chair(1, "Bot")];
  const waiting = { ...state(0, seats, { awaits_press: true }), game: { phase: "between" } };
  assert.deepEqual(wayOn(waiting, 500), { kind: "again", isOver: false, bring: 0 });
});

test("the host starts the next match, once it costs nothing more to be in it", () => {
  const seats = [chair(0, "Asha", { host: true, stack: 100 }), chair(1, "Ravi", { again: true, stack: 100 })];
  const waiting = (own, chairs = seats) => state(own, chairs, { awaits_press: true });
  assert.deepEqual(wayOn(waiting(0), 500, null, true), { kind: "start", isOver: true });
  const poor = [{ ...seats[0], stack: 0 }, seats[1]];
  assert.deepEqual(wayOn(waiting(0, poor), 500, null, true), { kind: "again", isOver: true, bring: 100 });
  assert.equal(wayOn(waiting(1), 500).kind, "wait");
  assert.deepEqual(wayOn(waiting(1), 500, null, true), { kind: "start", isOver: true });
});

test("what comes next is said with its time, or with who begins it", () => {
  const texts = { next_deal: "deal in {time}", next_match: "match in {time}", next_asked: "ask", next_start: "press", next_host: "{name} starts" };
  const seats = [chair(0, "Asha", { host: true }), chair(1, "Ravi")];
  const of = (table, game, own = 0, chairs = seats) => nextDealText(texts, { ...state(own, chairs, table), game }, 0);
  assert.equal(of({ due_at: 5_000 }, { phase: "over" }), "match in 0:05");
  assert.equal(of({ due_at: null }, { phase: "between", due_at: 9_000 }), "deal in 0:09");
  assert.equal(of({ awaits_press: true, due_at: null }, { phase: "over" }), "press");
  assert.equal(of({ awaits_press: true, due_at: null }, { phase: "over" }, 1), "Asha starts");
  assert.equal(of({ awaits_press: true }, { phase: "between", due_at: 9_000 }, 0, [chair(0, "Asha")]), "ask");
  assert.equal(of({ due_at: 5_000 }, { phase: "turn" }), "");
});

test("whose seat was emptied has it again while nobody took it", () => {
  const seats = [chair(0, null), chair(1, "Ravi"), chair(2, null)];
  assert.deepEqual(wayOn(state(null, seats), 500, 2), { kind: "sit", isOver: true, seat: 2, bring: 100 });
  assert.equal(wayOn(state(null, seats), 500, 1).seat, 0);
  assert.equal(wayOn(state(null, seats), 99).bring, undefined);
  assert.equal(wayOn(state(null, [chair(0, "Devi")]), 500).kind, null);
});

test("at a closed table and at that of an event no next match is to be had", () => {
  const seats = [chair(0, "Asha"), chair(1, null)];
  assert.equal(wayOn(state(0, seats, { status: "closed" }), 500).kind, null);
  assert.equal(wayOn(state(null, seats, { event_url: "/tournaments/1/" }), 500).kind, null);
  assert.equal(wayOn(state(0, seats, { event_url: "/tournaments/1/" }), 500).kind, "go_on");
});

test("a stack for points lasts a few deals, as far as the purse goes", () => {
  const table = { stake: "per_point", min_buy_in: 80, max_buy_in: 800 };
  assert.equal(usualStack(table, 1000), 240);
  assert.equal(usualStack(table, 100), 100);
  assert.equal(usualStack(table, 79), null);
});

test("bots and newcomers are not waited for", () => {
  const bot = chair(1, "Gita", { player: { id: 9, name: "Gita", bot: true } });
  const seats = [chair(0, "Asha", { again: true }), bot, chair(2, "Devi")];
  const { asked, awaited } = rematch(state(0, seats));
  assert.deepEqual([asked.map(({ seat }) => seat), awaited], [[0], []]);
});
