// The list of tournaments: how long it is until each starts.

import { countDown } from "./lib/countdown.js";

countDown();
