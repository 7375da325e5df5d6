// The script of a replay of Contract Rummy.

import { openReplay } from "../../rummy/replay/player.js";
import { heldHand, LaidReplayView } from "../../rummy/replay/laid/view.js";
import { wildOf } from "../core/rules.js";
import { TELLERS } from "../core/tellers.js";

openReplay(
  {
    tellers: TELLERS,
    wild: wildOf,
    piles: (state) => [{ name: "open", card: state.game?.open_pile.at(-1) ?? null, wild: wildOf(state) }],
    handOf: heldHand,
  },
  LaidReplayView,
);
