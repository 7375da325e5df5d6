import assert from "node:assert/strict";
import { test } from "node:test";

import { signOf } from "../static/js/lib/keys.js";

const pressed = (key, code, shiftKey = false) => signOf({ key, code, shiftKey });

test("a key stands for what it writes, wherever it lies", () => {
  assert.equal(pressed("c", "KeyC"), "c");
  assert.equal(pressed("C", "KeyC"), "c");
  assert.equal(pressed("c", "KeyJ"), "c"); // Dvorak
  assert.equal(pressed("1", "Digit1"), "1");
  assert.equal(pressed("?", "Minus", true), "?"); // German
});

test("where it writes another script, it stands for its place on an English keyboard", () => {
  assert.equal(pressed("म", "KeyC"), "c"); // Devanagari, InScript
  assert.equal(pressed("१", "Digit1"), "1");
  assert.equal(pressed("с", "KeyC"), "c"); // Cyrillic
  assert.equal(pressed("य़", "Slash", true), "?");
  assert.equal(pressed("Process", "KeyD"), "d"); // an input method
});

test("other keys stand for nothing", () => {
  assert.equal(pressed("ArrowLeft", "ArrowLeft"), "");
  assert.equal(pressed("Shift", "ShiftLeft"), "");
  assert.equal(pressed("Unidentified", ""), "");
});
