// The parts of a table that only basic rummy has.

import { say } from "../../../table/core/say.js";
import { showButton } from "../../../table/view/buttons.js";
import { meldsMeant } from "../../rummy/core/laid/laying.js";
import { isPlaying, ownOf } from "../../rummy/core/laid/seen.js";
import { LaidFelt } from "../../rummy/view/laid/felt.js";
import { creditOf } from "../core/rules.js";

/** @typedef {import("../controllers/play.js").Play} Play */
/** @typedef {import("../../../table/core/game.js").Shell} Shell */

export class Felt extends LaidFelt {
  /**
   * @param {Shell} shell
   * @param {Play} play
   */
  constructor(shell, play) {
    const { texts } = shell;
    super(shell, play, {
      heading: ({ rules }) =>
        rules.target == null ? say(texts, "score_sheet") : say(texts, "target", { target: rules.target }),
      title: (_, { deal, how }) => `${say(texts, "deal_number", { deal })} · ${say(texts, `how_${how}`)}`,
      points: (line, seat) => creditOf(line, seat),
    });
  }

  /** @override */
  count() {
    return { text: say(this.texts, "in_hand", { points: ownOf(this.play.state).count ?? 0 }), isReady: false };
  }

  /** @override */
  buttons() {
    const { play, root } = this;
    const isMeant = play.may.lay && meldsMeant(play.groups, play.selection, play.shape) !== null;
    showButton(root, "lay", { enabled: isMeant, hidden: !isPlaying(play.state) });
  }
}
