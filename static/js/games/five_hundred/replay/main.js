// The script of a replay of 500 Rum.

import { openReplay } from "../../rummy/replay/player.js";
import { heldHand, LaidReplayView } from "../../rummy/replay/laid/view.js";
import { TELLERS } from "../core/tellers.js";

openReplay(
  {
    tellers: TELLERS,
    wild: () => null,
    piles: ({ game }) => [{ name: "open", card: game?.open_pile.at(-1) ?? null, wild: null }],
    handOf: heldHand,
  },
  LaidReplayView,
);
