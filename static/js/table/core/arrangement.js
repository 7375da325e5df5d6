// One's own groups between this page and the server. They are the player's to arrange: shown at
// once, saved a moment later, and what counts when the player is away (R6.4).

import { reconcile, sameGroups } from "./hand.js";

/** @typedef {import("./protocol.js").Group} Group */
/** @typedef {import("./protocol.js").TableState} TableState */

export const SAVE_AFTER_MS = 400;

export class Arrangement {
  constructor() {
    /** @type {Group[]} */
    this.groups = [];
    this.rev = 0;
    this.sentRev = 0;
    this.savedRev = 0;
    /** @type {number | null} */
    this.changedAt = null;
    /** @type {string | null} */
    this.deal = null;
    this.wasRefused = false;
  }

  /**
   * After the state has changed. A new deal, and a later revision (saved by another window of
   * this player), bring the server's groups; otherwise one's own stay.
   *
   * @param {TableState} state
   * @param {number} now
   */
  follow(state, now) {
    const { game, you, table } = state;
    const hand = you.hand ?? [];
    if (game === null || hand.length === 0) {
      this.groups = [];
      this.deal = null;
      return;
    }
    const deal = `${table.match}:${game.deal}`;
    const saved = reconcile(you.groups ?? [], hand);
    const rev = you.rev ?? 0;
    if (deal !== this.deal || rev > this.rev) {
      this.deal = deal;
      this.groups = saved;
      this.rev = rev;
      this.sentRev = rev;
      this.savedRev = rev;
      this.changedAt = null;
      return;
    }
    this.groups = reconcile(this.groups, hand);
    if (this.wasRefused) this.#saveAgain(now);
    // A drawn or discarded card may have crossed an arrangement on its way.
    if (this.rev === this.savedRev && !sameGroups(this.groups, saved)) this.change(this.groups, now);
  }

  /**
   * @param {Group[]} groups
   * @param {number} now
   */
  change(groups, now) {
    this.groups = groups;
    this.rev += 1;
    this.changedAt = now;
  }

  /** @param {number} now */
  isDue(now) {
    return this.changedAt !== null && now - this.changedAt >= SAVE_AFTER_MS;
  }

  /** The message that saves the groups, if they have not been sent yet. */
  takeUnsent() {
    this.changedAt = null;
    if (this.rev <= this.sentRev) return null;
    this.sentRev = this.rev;
    return { type: /** @type {const} */ ("arrange"), rev: this.rev, groups: this.groups };
  }

  /** What was sent into a broken connection is sent again. */
  reconnected() {
    this.sentRev = this.savedRev;
    if (this.rev > this.savedRev) this.changedAt = 0;
  }

  /** The groups were not those of the hand any more: a move was quicker. The next state mends it. */
  refused() {
    this.wasRefused = true;
  }

  /** @param {number} now */
  #saveAgain(now) {
    this.wasRefused = false;
    this.sentRev = this.savedRev;
    if (this.rev > this.savedRev) this.changedAt = now;
  }

  /** @param {number} rev */
  arranged(rev) {
    this.savedRev = Math.max(this.savedRev, rev);
  }
}
