// The script of a table of Contract Rummy.

import { openTable } from "../../table/shell.js";
import { createContract } from "./game.js";

openTable(
  (shell) => createContract(shell, () => import("./controllers/coach.js")),
  () => import("../../table/effects/main.js"),
);
