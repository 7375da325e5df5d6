// The script of a replay of gin.

import { openReplay } from "../../rummy/replay/player.js";
import { TELLERS } from "../core/tellers.js";
import { handOf } from "./hands.js";

openReplay({
  tellers: TELLERS,
  wild: () => null,
  piles: ({ game }) => [{ name: "open", card: game?.open_pile.at(-1) ?? null, wild: null }],
  handOf,
});
