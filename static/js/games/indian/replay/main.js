// The script of a replay of 13-card Indian rummy.

import { wildRankOf } from "../../../table/core/cards.js";
import { openReplay } from "../../rummy/replay/player.js";
import { TELLERS } from "../core/tellers.js";
import { handOf } from "./hands.js";

openReplay({
  tellers: TELLERS,
  wild: ({ game }) => wildRankOf(game?.wild),
  piles({ game }) {
    const wild = wildRankOf(game?.wild);
    return [
      { name: "wild", card: game?.wild ?? null, wild: null },
      { name: "open", card: game?.open_pile.at(-1) ?? null, wild },
      { name: "finish", card: game?.finish?.card ?? null, wild },
    ];
  },
  handOf,
});
