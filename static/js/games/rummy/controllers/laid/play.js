// One's own hand where melds lie on the table, and what may be done with it.

import { legalMove } from "../../../../table/core/stakes.js";
import { OwnHand } from "../own_hand.js";
import { gameOf, isPlaying } from "../../core/laid/seen.js";

/** @typedef {import("../../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../core/laid/melds.js").Shape} Shape */

/**
 * @typedef {object} Offer Something that chosen cards may do at a meld.
 * @property {string} action Of its button.
 * @property {string} label
 * @property {string} says For who cannot see where the button stands.
 * @property {Record<string, string | number>} data More of the button.
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

  /** What a meld may look like. @returns {Shape} */
  get shape() {
    throw new Error("the game says it");
  }

  /** What a card of a hand counts. @param {CardId} _card @returns {number} */
  worth(_card) {
    throw new Error("the game says it");
  }

  /**
   * What the server lets be played now; null while nothing may be.
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

  /** New melds may be laid down. */
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
   * The cards that are meant, as they lie in the hand.
   *
   * @param {CardId | null} [focused] What is meant if none is chosen.
   */
  chosen(focused = null) {
    const cards = this.groups.flat().filter((card) => this.selection.has(card));
    return cards.length === 0 && focused !== null ? [focused] : cards;
  }

  /**
   * What these cards may do at the meld of this number.
   *
   * @param {number} _number
   * @param {readonly CardId[]} _cards
   * @returns {Offer[]}
   */
  offers(_number, _cards) {
    return [];
  }
}
