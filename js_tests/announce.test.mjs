import assert from "node:assert/strict";
import { test } from "node:test";

import { firstLetter } from "../static/js/games/rummy/view/laid/board.js";
import { Announcer } from "../static/js/lib/announce.js";

/** A region as a screen reader follows it: it speaks when the text becomes another one. */
class Heard {
  said = [];
  #text = "";

  set textContent(text) {
    if (text !== this.#text && text !== "") this.said.push(text);
    this.#text = text;
  }
}

test("the same sentence twice is heard twice", async () => {
  globalThis.requestAnimationFrame = (run) => setTimeout(run, 1);
  const [polite, alert] = [new Heard(), new Heard()];
  const announcer = new Announcer(polite, alert);
  for (let turn = 0; turn < 2; turn += 1) {
    announcer.say("Ravi passes.");
    announcer.alert("Your turn");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  delete globalThis.requestAnimationFrame;
  assert.deepEqual(polite.said, ["Ravi passes.", "Ravi passes."]);
  assert.deepEqual(alert.said, ["Your turn", "Your turn"]);
});

test("a name's first letter keeps its marks", () => {
  const letters = ["Ravi", "श्रीकांत", "किरण", "e\u0301va", "\u{11103}\u{11127}x", ""].map(firstLetter);
  assert.deepEqual(letters, ["R", "श्री", "कि", "e\u0301", "\u{11103}\u{11127}", ""]);
});
