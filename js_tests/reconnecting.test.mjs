// The socket that comes back, before a WebSocket and timers of the test's own.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { listen } from "../static/js/lib/live.js";
import { pauseAfter, Reconnecting } from "../static/js/lib/reconnecting.js";

const PACE = { firstPauseMs: 1_000, longestPauseMs: 30_000, pingMs: 2_500, deadAfterMs: 9_000 };

class FakeSocket extends EventTarget {
  static OPEN = 1;
  static made = [];
  readyState = 0;
  sent = [];

  constructor(url) {
    super();
    this.url = String(url);
    FakeSocket.made.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  opens() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  hears(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }

  closes(code) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

/** The page /tables/7/ with fake sockets and timers. Returns its events. */
function page(t) {
  const events = new EventTarget();
  FakeSocket.made = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  mock.method(Math, "random", () => 0.5);
  Object.assign(globalThis, {
    location: new URL("https://rummy.example/tables/7/"),
    WebSocket: FakeSocket,
    document: Object.assign(new EventTarget(), { visibilityState: "visible" }),
    addEventListener: events.addEventListener.bind(events),
  });
  t.after(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  return events;
}

/** A socket of that page with what it told, and the page's own events. */
function opened(t) {
  const events = page(t);
  const told = [];
  const socket = new Reconnecting("/ws/tables/7/", PACE, {
    ping: () => ({ type: "ping" }),
    heard: (data) => told.push(data),
    dropped: () => told.push("dropped"),
    retrying: () => told.push("retrying"),
    ended: () => told.push("ended"),
  });
  socket.open();
  return { page: events, socket, told, newest: () => FakeSocket.made.at(-1) };
}

test("tries to come back grow rarer, within bounds", () => {
  assert.equal(pauseAfter(PACE, 0, 0.5), 1_000);
  assert.equal(pauseAfter(PACE, 2, 0.5), 4_000);
  assert.equal(pauseAfter(PACE, 50, 0.5), 30_000);
  assert.equal(pauseAfter(PACE, 0, 0), 600);
  assert.equal(pauseAfter(PACE, 0, 1), 1_400);
});

test("a lost connection is tried again, each time later, until a word is heard", (t) => {
  const { newest } = opened(t);
  assert.equal(newest().url, "wss://rummy.example/ws/tables/7/");
  for (const pause of [1_000, 2_000, 4_000]) {
    const count = FakeSocket.made.length;
    newest().closes(1006);
    mock.timers.tick(pause - 1);
    assert.equal(FakeSocket.made.length, count);
    mock.timers.tick(1);
    assert.equal(FakeSocket.made.length, count + 1);
  }
  newest().opens();
  newest().hears("{}");
  newest().closes(1012);
  mock.timers.tick(1_000);
  assert.equal(FakeSocket.made.length, 5);
});

test("after a final close code it does not come back", (t) => {
  for (const code of [4401, 4403, 4404, 4410]) {
    const { newest, told, socket } = opened(t);
    newest().closes(code);
    mock.timers.tick(100_000);
    assert.equal(FakeSocket.made.length, 1);
    assert.deepEqual(told, ["dropped", "ended"]);
    assert.equal(socket.isFinal, true);
    mock.timers.reset();
    mock.restoreAll();
  }
});

test("an open socket pings, and one without an answer is given up", (t) => {
  const { newest, told } = opened(t);
  newest().opens();
  mock.timers.tick(2_500);
  assert.deepEqual(newest().sent, [{ type: "ping" }]);
  newest().hears("pong");
  mock.timers.tick(7_500);
  assert.equal(newest().sent.length, 4);
  assert.deepEqual(told, ["pong"]);
  mock.timers.tick(2_500);
  assert.deepEqual(told, ["pong", "dropped", "retrying"]);
});

test("a page that is left lets go of its socket, and of its next try", (t) => {
  const { page, socket, newest, told } = opened(t);
  newest().opens();
  page.dispatchEvent(new Event("pagehide"));
  assert.equal(socket.isHeld, false);
  assert.deepEqual(told, ["dropped"]);
  socket.open();
  newest().closes(1006);
  page.dispatchEvent(new Event("pagehide"));
  mock.timers.tick(100_000);
  assert.equal(FakeSocket.made.length, 2);
  assert.equal(socket.isHeld, false);
});

test("a page's hints come over another socket once the first is silent, and it says so", (t) => {
  page(t);
  let reopened = 0;
  listen(
    "/ws/me/",
    () => undefined,
    () => (reopened += 1),
  );
  const first = FakeSocket.made.at(-1);
  first.opens();
  for (let minute = 0; minute < 5; minute += 1) {
    mock.timers.tick(60_000);
    first.hears('{"type": "pong"}');
  }
  assert.equal(FakeSocket.made.at(-1), first);
  mock.timers.tick(175_000);
  mock.timers.tick(1_000);
  const second = FakeSocket.made.at(-1);
  assert.notEqual(second, first);
  assert.equal(reopened, 0);
  second.opens();
  assert.equal(reopened, 1);
});

test("a page that is seen again connects without a pause, or asks what it has missed", (t) => {
  page(t);
  listen("/ws/me/", () => undefined);
  const seen = () => document.dispatchEvent(new Event("visibilitychange"));
  FakeSocket.made[0].opens();
  seen();
  assert.deepEqual(FakeSocket.made[0].sent, [{ type: "ping" }]);
  FakeSocket.made[0].closes(1006);
  document.visibilityState = "hidden";
  seen();
  assert.equal(FakeSocket.made.length, 1);
  document.visibilityState = "visible";
  seen();
  assert.equal(FakeSocket.made.length, 2);
  FakeSocket.made[1].closes(4401);
  seen();
  assert.equal(FakeSocket.made.length, 2);
});
