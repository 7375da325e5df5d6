// The list of tournaments: their starts in the reader's zone, with countdowns.

import { countDown } from "./lib/countdown.js";
import { showMoments } from "./lib/moments.js";

countDown();
showMoments();
