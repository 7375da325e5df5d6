// The script of a table of gin.

import { openTable } from "../../table/shell.js";
import { createGin } from "./game.js";

openTable(
  (shell) => createGin(shell, () => import("./controllers/coach.js")),
  () => import("../../table/effects/main.js"),
);
