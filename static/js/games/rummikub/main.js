// The script of a table of Rummikub.

import { openTable } from "../../table/shell.js";
import { createRummikub } from "./game.js";

openTable(
  (shell) => createRummikub(shell, () => import("./controllers/coach.js")),
  () => import("../../table/effects/main.js"),
);
