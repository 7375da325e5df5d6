// The script of a table of Rummikub.

import { openTable } from "../../table/shell.js";
import { createRummikub } from "./game.js";

openTable(
  (shell) => createRummikub(shell),
  () => import("../../table/effects/main.js"),
);
