// The script of a replay of 500 Rum: the open pile lies spread out, as at the table.

import { region } from "../../../lib/dom.js";
import { gameOf } from "../../rummy/core/laid/seen.js";
import { openReplay } from "../../rummy/replay/player.js";
import { heldHand, LaidReplayView } from "../../rummy/replay/laid/view.js";
import { TELLERS } from "../core/tellers.js";

/** @typedef {import("../../../table/core/protocol.js").GameView} GameView */
/** @typedef {import("../../rummy/replay/timeline.js").Frame} Frame */

class SpreadReplay extends LaidReplayView {
  /**
   * @override
   * @param {Frame} frame
   * @param {GameView} game
   */
  middle(frame, game) {
    super.middle(frame, game);
    const below = (gameOf(frame.state)?.open_pile ?? []).slice(0, -1);
    const spread = region("spread");
    spread.hidden = below.length === 0;
    spread.replaceChildren(this.painter.fan(below, null));
  }
}

openReplay(
  {
    tellers: TELLERS,
    wild: () => null,
    piles: ({ game }) => [{ name: "open", card: game?.open_pile.at(-1) ?? null, wild: null }],
    handOf: heldHand,
  },
  SpreadReplay,
);
