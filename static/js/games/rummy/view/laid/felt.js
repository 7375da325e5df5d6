// Everything that a table with melds shows: piles, melds, hand, discards, result, score sheet.

import { find, region, setText } from "../../../../lib/dom.js";
import { say } from "../../../../table/core/say.js";
import { showButton } from "../../../../table/view/buttons.js";
import { countGroups } from "../../core/laid/counting.js";
import { gameOf, isPlaying } from "../../core/laid/seen.js";
import { DiscardsView } from "../discards.js";
import { HandView } from "../hand.js";
import { PairOfPiles } from "../piles.js";
import { BoardView } from "./board.js";
import { LaidResultView } from "./result.js";
import { LaidSheetView } from "./sheet.js";

/** @typedef {import("../../controllers/laid/play.js").LaidPlay} LaidPlay */
/** @typedef {import("../../../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../../../table/core/protocol.js").TableState} TableState */

export class LaidFelt {
  /**
   * @param {Shell} shell
   * @param {LaidPlay} play
   * @param {import("./sheet.js").SheetRows} rows
   */
  constructor({ root, texts, painter }, play, rows) {
    this.root = root;
    this.texts = texts;
    this.play = play;
    this.hand = new HandView(region("hand"), painter, texts);
    this.piles = new PairOfPiles(painter, texts);
    this.board = new BoardView(painter, texts);
    this.discards = new DiscardsView(painter, texts);
    this.result = new LaidResultView(painter, texts);
    this.result.wild = (state) => this.wildOf(state);
    this.sheets = ["scores", "result-scores"].map((name) => new LaidSheetView(region(name), texts, rows));
  }

  /** The rank that is wild. @param {TableState} _state @returns {number | null} */
  wildOf(_state) {
    return null;
  }

  render() {
    const { play } = this;
    const { state } = play;
    const wild = this.wildOf(state);
    this.piles.root.hidden = state.game === null;
    if (state.game !== null) this.piles.renderPiles(state.game, wild, play.may, play.moving);
    this.board.render(play, wild);
    this.#hand(wild);
    this.#buttons();
    this.buttons();
    const { text, isReady } = isPlaying(state) ? this.count() : { text: "", isReady: false };
    setText(region("hand-count"), text);
    region("hand-count").classList.toggle("me__count--ready", isReady);
    this.discards.render(state, wild);
    this.result.follow(state);
    for (const sheet of this.sheets) sheet.render(state);
  }

  /** Updates the clocks only. */
  tick() {
    const { state, now } = this.play;
    this.result.tick(state, now);
  }

  /** The text about the player's hand. @returns {{text: string, isReady: boolean}} */
  count() {
    return { text: "", isReady: false };
  }

  /** The game's own buttons. */
  buttons() {}

  /** @param {number | null} wild */
  #hand(wild) {
    const { play } = this;
    const { state, groups, moving, selection } = play;
    this.hand.render({
      groups,
      count: countGroups(groups, play.shape, (one) => play.worth(one)),
      wild,
      selection,
      drawn: state.you.drawn ?? null,
      leaving: moving === null ? [] : play.leaving(moving),
      isOut: gameOf(state) !== null && gameOf(state)?.result === null && !isPlaying(state),
    });
  }

  #buttons() {
    const { play, root } = this;
    const { state, selection, may, groups } = play;
    const [card] = selection;
    const one = selection.size === 1 && card !== undefined ? card : null;
    const isOver = !isPlaying(state);
    const { isBest } = play.arrangement;
    showButton(root, "sort", { enabled: groups.length > 0 && !isOver });
    showButton(root, "group", { enabled: selection.size > 0 && !isOver });
    showButton(root, "best", {
      enabled: play.mayAsk || isBest,
      hidden: isOver || state.table.help?.arrangement !== true,
    });
    setText(find('[data-part="best"]', root), say(this.texts, isBest ? "undo" : "best"));
    showButton(root, "discard", {
      enabled: may.discard && one !== null && play.mayDiscard(one),
      hidden: isOver || state.game?.phase === "buy",
    });
    showButton(root, "last-deal", { enabled: true, hidden: this.result.last === null });
  }
}
