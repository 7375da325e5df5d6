// The list of tournaments: countdowns to their starts.

import { countDown } from "./lib/countdown.js";

countDown();
