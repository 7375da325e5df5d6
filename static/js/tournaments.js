// The list of tournaments: their starts in the reader's zone, with countdowns.

import { countDown } from "./lib/countdown.js";

countDown();
