// A puzzle rush: the remaining time, and the result at its end.

import { countDown } from "./lib/countdown.js";
import { find } from "./lib/dom.js";

countDown();

const { starts = "0" } = find("[data-starts]").dataset;
const { now = "0" } = find("[data-now]").dataset;
setTimeout(() => location.reload(), Number(starts) - Number(now) * 1000 + 1000);
