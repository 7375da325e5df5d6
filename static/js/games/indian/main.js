// The script of a table of 13-card Indian rummy.

import { openTable } from "../../table/shell.js";
import { createIndian } from "./game.js";

openTable(
  (shell) => createIndian(shell, () => import("./controllers/coach.js")),
  () => import("../../table/effects/main.js"),
);
