import assert from "node:assert/strict";
import { test } from "node:test";

import { formatAmount, formatChange, formatNumber } from "../static/js/lib/format.js";
import { clockText, dateText } from "../static/js/table/core/clock.js";
import { momentText } from "../static/js/lib/moments.js";
import { percent } from "../static/js/table/core/tell.js";

const LANGUAGES = ["en", "hi", "bn", "kn", "mr", "ta", "te"];
const MIDNIGHT = Date.UTC(2026, 10, 29, 0, 5);

test("numbers look in every language as the server writes them", () => {
  for (const lang of LANGUAGES) {
    globalThis.document = { documentElement: { lang } };
    assert.equal(formatNumber(1_234_567), "12,34,567", lang);
    assert.equal(formatAmount(123_450, "INR"), "₹1,234.50", lang);
    assert.equal(formatAmount(123_400, "INR"), "₹1,234", lang);
    assert.equal(formatChange(-1_234_567, "CHIPS"), "−12,34,567", lang);
    assert.equal(percent(250), "2.5%", lang);
  }
  delete globalThis.document;
});

test("times have the digits of the server's", () => {
  for (const lang of LANGUAGES) {
    const texts = [clockText(23 * 3_600_000, lang), dateText(MIDNIGHT, lang), momentText(MIDNIGHT, "moment", lang, "UTC")];
    for (const text of texts) assert.doesNotMatch(text, /(?![0-9])\p{Nd}/u, `${lang}: ${text}`);
    assert.match(momentText(MIDNIGHT, "clock", lang, "UTC"), /^00:05$/);
  }
});
