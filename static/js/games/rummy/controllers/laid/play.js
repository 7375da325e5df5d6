// The player's hand in games with melds on the table, and the moves that it allows.

import { legalMove } from "../../../../table/core/stakes.js";
import { OwnHand } from "../own_hand.js";
import { gameOf, isPlaying } from "../../core/laid/seen.js";

/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../core/laid/melds.js").Shape} Shape */

/**
 * @typedef {object} Offer A possible use of the chosen cards at a meld.
 * @property {string} action The button's action.
 * @property {string} label
 * @property {string} says For people who cannot see which meld the button belongs to.
 * @property {Record<string, string | number>} data The button's further data.
 */

export class LaidPlay extends OwnHand {
  /**
   * @param {import("../../../../table/controllers/session.js").Session} session
   * @param {import("../../../../table/core/tell.js").Texts} texts
   */
  constructor(session, texts) {
    super(session);
    this.texts = texts;
  }

  /** The valid melds. @returns {Shape} */
  get shape() {
    throw new Error("the game says it");
  }

  /** The points of a card in hand. @param {CardId} _card @returns {number} */
  worth(_card) {
    throw new Error("the game says it");
  }

  /**
   * The moves that the server permits now; null if there are none.
   *
   * @param {string} kind
   */
  allowed(kind) {
    return this.session.ready && isPlaying(this.state) ? legalMove(this.state, kind) : null;
  }

  get may() {
    const sources = this.allowed("draw")?.source ?? [];
    return {
      drawClosed: sources.includes("closed"),
      drawOpen: sources.includes("open"),
      discard: this.allowed("discard") !== null,
      lay: this.mayLay,
      layOff: this.allowed("lay_off") !== null,
    };
  }

  /** Whether new melds may be laid. */
  get mayLay() {
    return false;
  }

  /** @param {CardId} card */
  mayDiscard(card) {
    return this.allowed("discard")?.card.includes(card) === true;
  }

  /**
   * The cards of the hand that a move takes away.
   *
   * @param {import("../../../../table/core/protocol.js").Move} move
   * @returns {CardId[]}
   */
  leaving({ kind, ...fields }) {
    const written = kind === "arrange" ? "" : JSON.stringify(fields);
    return this.groups.flat().filter((card) => written.includes(`"${card}"`));
  }

  get melds() {
    return gameOf(this.state)?.melds ?? [];
  }

  /**
   * The selected cards in the order of the hand.
   *
   * @param {CardId | null} [focused] The card to use if none is selected.
   */
  chosen(focused = null) {
    const cards = this.groups.flat().filter((card) => this.selection.has(card));
    return cards.length === 0 && focused !== null ? [focused] : cards;
  }

  /**
   * The possible uses of these cards at the meld with this number.
   *
   * @param {number} _number
   * @param {readonly CardId[]} _cards
   * @returns {Offer[]}
   */
  offers(_number, _cards) {
    return [];
  }
}
