import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { documentElement: { lang: "en" } };
const { textsOf } = await import("../static/js/wallet/balance.js");

const CASH = { bonus: 5_000, deposit: 125_050, winnings: 0 };

test("chips in Indian groups, cash in rupees and paise", () => {
  assert.deepEqual(Object.fromEntries(textsOf({ type: "balance", chips: 1_234_567, cash: CASH })), {
    chips: "12,34,567",
    bonus: "₹50.00",
    deposit: "₹1,250.50",
    winnings: "₹0.00",
    cash: "₹1,300.50",
  });
});

test("where no cash is played for there is none to show", () => {
  assert.deepEqual(Object.fromEntries(textsOf({ chips: 0, cash: null })), { chips: "0" });
});

test("what is no amount is not shown", () => {
  for (const chips of [undefined, null, "7", 1.5, Number.NaN, 2 ** 60, "<b>"]) {
    assert.equal(textsOf({ chips, cash: null }).size, 0);
  }
  for (const cash of [7, "x", [], {}, { ...CASH, deposit: "1" }, { bonus: 1, deposit: 2 }]) {
    assert.equal(textsOf({ cash }).size, 0);
  }
});
