// The parts of a table that only Contract Rummy has: the contract, its missing cards, the question about
// buying.

import { region, setText } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { showButton } from "../../../table/view/buttons.js";
import { gameOf, isPlaying, ownOf } from "../../rummy/core/laid/seen.js";
import { LaidFelt } from "../../rummy/view/laid/felt.js";
import { buysText } from "../core/looks.js";
import { wildOf } from "../core/rules.js";
import { contractInWords } from "../core/words.js";

/** @typedef {import("../controllers/play.js").Play} Play */
/** @typedef {import("../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

export class Felt extends LaidFelt {
  /**
   * @param {Shell} shell
   * @param {Play} play
   */
  constructor(shell, play) {
    const { texts } = shell;
    super(shell, play, {
      heading: () => say(texts, "score_sheet"),
      title: (state, { deal }) => {
        const contract = gameOf(state)?.match.contracts?.[deal - 1] ?? [];
        const kinds = contract.map((kind) => say(texts, `kind_${kind}`)).join(" + ");
        return `${deal} · ${kinds}`;
      },
      points: ({ points }, seat) => points[String(seat)] ?? null,
    });
    this.own = play;
  }

  /** @override @param {TableState} state */
  wildOf(state) {
    return wildOf(state);
  }

  /** @override */
  render() {
    super.render();
    const { state } = this.own;
    const game = gameOf(state);
    const place = region("contract");
    place.hidden = game === null || game.result !== null;
    if (game === null) return;
    const melds = contractInWords(this.texts, state, game.contract ?? []);
    setText(place, say(this.texts, game.is_whole === true ? "contract_whole" : "contract", { melds }));
  }

  /** Before the contract the number of missing cards, after it the points of the hand. @override */
  count() {
    const { texts, own: play } = this;
    const { missing, count = 0 } = ownOf(play.state);
    if (play.hasLaid || missing == null) return { text: say(texts, "in_hand", { points: count }), isReady: false };
    if (missing > 0) return { text: say(texts, "missing", { count: missing }), isReady: false };
    return { text: say(texts, "missing_none"), isReady: true };
  }

  /** @override */
  buttons() {
    const { own: play, root, texts } = this;
    const { state, isAsked } = play;
    const isOver = !isPlaying(state);
    const isBuying = state.game?.phase === "buy";
    showButton(root, "lay", { enabled: play.may.lay, hidden: isOver || play.hasLaid || isBuying });
    showButton(root, "buy", { enabled: isAsked, hidden: isOver || !isBuying });
    showButton(root, "pass", { enabled: isAsked, hidden: isOver || !isBuying });
    showButton(root, "never-buy", { enabled: play.session.ready, hidden: !play.mayRefuse, pressed: play.neverBuys });
    const { seat } = state.you;
    setText(region("buys"), isOver || seat === null ? "" : (buysText(texts, state, seat) ?? ""));
  }
}
