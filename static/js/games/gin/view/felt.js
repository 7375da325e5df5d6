// Everything that a table of gin shows: piles, open melds, hand, score sheet, result.

import { find, region, setText } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { showButton } from "../../../table/view/buttons.js";
import { DiscardsView } from "../../rummy/view/discards.js";
import { HandView } from "../../rummy/view/hand.js";
import { PairOfPiles } from "../../rummy/view/piles.js";
import { proposal } from "../core/knocking.js";
import { countHand } from "../core/melds.js";
import { mayDiscard } from "../core/permitted.js";
import { gameOf, isPlaying, ownOf } from "../core/seen.js";
import { ResultView } from "./result.js";
import { SheetView } from "./sheet.js";
import { SpreadView } from "./spread.js";

/** @typedef {import("../controllers/play.js").Play} Play */
/** @typedef {import("../../../table/core/game.js").Shell} Shell */

export class Felt {
  /**
   * @param {Shell} shell
   * @param {Play} play
   */
  constructor({ root, texts, painter }, play) {
    this.root = root;
    this.texts = texts;
    this.play = play;
    this.hand = new HandView(region("hand"), painter, texts);
    this.piles = new PairOfPiles(painter, texts);
    this.spread = new SpreadView(painter, texts);
    this.discards = new DiscardsView(painter, texts);
    this.result = new ResultView(painter, texts);
    this.sheets = ["scores", "result-scores"].map((name) => new SheetView(region(name), texts));
  }

  render() {
    const { play } = this;
    const { state } = play;
    const game = gameOf(state);
    this.piles.root.hidden = game === null || game.phase === "defend";
    if (state.game !== null) this.piles.renderPiles(state.game, null, play.may, play.moving);
    this.#limit();
    this.spread.render(play);
    this.#hand();
    this.#buttons();
    this.discards.render(state, null);
    this.result.follow(state);
    for (const sheet of this.sheets) sheet.render(state);
    // If one deal is the match, the hands below say everything.
    if (game?.match.target == null) region("result-scores").hidden = true;
  }

  /** Updates the clocks only. */
  tick() {
    const { state, now } = this.play;
    this.result.tick(state, now);
  }

  /** The cards with which the player may knock. */
  #limit() {
    const { state } = this.play;
    const game = gameOf(state);
    const limit = region("limit");
    limit.hidden = game === null || game.phase === "defend" || game.result !== null;
    if (game === null) return;
    const text = say(this.texts, game.knock_limit === 0 ? "gin_only" : "knock_limit", { limit: game.knock_limit });
    const isDouble = state.rules.spades_double === true && game.upcard.charAt(1) === "S";
    setText(limit, isDouble ? `${text} · ${say(this.texts, "spades_double")}` : text);
  }

  #hand() {
    const { state, groups, moving, selection, may } = this.play;
    const count = countHand(groups);
    const card = moving?.card;
    this.hand.render({
      groups,
      count,
      wild: null,
      selection,
      drawn: state.you.drawn ?? null,
      leaving: typeof card === "string" ? card : null,
      isOut: false,
    });
    const points = may.defend ? count.points : (ownOf(state).deadwood ?? null);
    const isShown = isPlaying(state) && points !== null;
    setText(region("hand-count"), isShown ? say(this.texts, "deadwood_of", { points }) : "");
    region("hand-count").classList.toggle("me__count--ready", may.knock || may.bigGin);
  }

  #buttons() {
    const { play, root } = this;
    const { state, selection, may, groups } = play;
    const [card] = selection;
    const one = selection.size === 1 && card !== undefined ? card : null;
    const phase = state.game?.phase;
    const isOffered = phase === "upcard" && may.pass;
    const isOwnDefence = phase === "defend" && may.defend;
    const isOver = !isPlaying(state);
    const isBest = play.arrangement.isBest;
    showButton(root, "sort", { enabled: groups.length > 0 && !isOver });
    showButton(root, "group", { enabled: selection.size > 0 && !isOver });
    showButton(root, "best", {
      enabled: play.mayAsk || isBest || isOwnDefence,
      hidden: isOver || (state.table.help?.arrangement !== true && !isOwnDefence),
    });
    setText(find('[data-part="best"]', root), say(this.texts, isBest && !isOwnDefence ? "undo" : "best"));
    showButton(root, "take", { enabled: may.drawOpen, hidden: !isOffered });
    showButton(root, "pass", { enabled: may.pass, hidden: !isOffered });
    showButton(root, "discard", {
      enabled: may.discard && one !== null && mayDiscard(state, one),
      hidden: isOver || isOffered || phase === "defend",
    });
    const plan = may.knock ? proposal(state, groups, one) : null;
    showButton(root, "knock", { enabled: plan !== null, hidden: !may.knock });
    setText(find('[data-action="knock"]', root), say(this.texts, plan?.kind === "gin" ? "gin" : "knock"));
    showButton(root, "big-gin", { enabled: may.bigGin, hidden: !may.bigGin });
    showButton(root, "defend", { enabled: may.defend, hidden: !isOwnDefence });
    showButton(root, "last-deal", { enabled: true, hidden: this.result.last === null });
  }
}
