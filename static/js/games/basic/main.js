// The script of a table of basic rummy.

import { openTable } from "../../table/shell.js";
import { createBasic } from "./game.js";

openTable(
  (shell) => createBasic(shell, () => import("./controllers/coach.js")),
  () => import("../../table/effects/main.js"),
);
