// The script of a table of 500 Rum.

import { openTable } from "../../table/shell.js";
import { createFiveHundred } from "./game.js";

openTable(
  (shell) => createFiveHundred(shell, () => import("./controllers/coach.js")),
  () => import("../../table/effects/main.js"),
);
