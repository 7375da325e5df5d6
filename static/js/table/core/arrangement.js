// The player's groups between this page and the server. They belong to the player: shown at once, saved a
// moment later, and counted if the player is away (R6.4).

import { reconcile, sameGroups } from "./hand.js";

/** @typedef {import("./protocol.js").Group} Group */
/** @typedef {import("./protocol.js").TableState} TableState */

export const SAVE_AFTER_MS = 400;
const STEPS_BACK = 30;

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
    /** Arrangements that can be restored, newest last. @type {Group[][]} */
    this.former = [];
    /** The server's suggestion, while the hand lies like that. @type {Group[] | null} */
    this.best = null;
    /** The groups of `savedRev`, which the state contains only after the player's next card. */
    this.saved = /** @type {Group[] | null} */ (null);
    this.sent = /** @type {Group[] | null} */ (null);
  }

  /**
   * Follows a new state. A new deal, and a later revision (saved by another window of this player), bring
   * the server's groups; otherwise the player's own stay.
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
      this.former = [];
      return;
    }
    const deal = `${table.match}:${game.deal}`;
    const rev = you.rev ?? 0;
    const isTold = deal !== this.deal || rev >= this.savedRev || this.saved === null;
    const saved = reconcile((isTold ? you.groups : this.saved) ?? [], hand);
    if (deal !== this.deal || rev > this.rev) {
      if (deal !== this.deal) this.former = [];
      this.deal = deal;
      this.groups = saved;
      this.best = null;
      this.saved = null;
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
    this.#remember(groups);
    this.groups = groups;
    this.rev += 1;
    this.changedAt = now;
  }

  /**
   * Restores the former arrangement, with the cards that are held now.
   *
   * @param {number} now
   * @returns {boolean} Whether there was one.
   */
  undo(now) {
    const former = this.former.pop();
    if (former === undefined) return false;
    this.groups = reconcile(former, this.groups.flat());
    this.rev += 1;
    this.changedAt = now;
    return true;
  }

  /** Whether the hand lies as the server has suggested. */
  get isBest() {
    return this.best !== null && this.former.length > 0 && sameGroups(this.groups, this.best);
  }

  /**
   * The server has sent the best arrangement; it is saved like any other.
   *
   * @param {number} asked The revision for which it was requested.
   * @param {Group[]} groups
   * @param {number} now
   * @returns {boolean} False if the player has moved cards since: their own groups stay.
   */
  lay(asked, groups, now) {
    if (asked !== this.rev) return false;
    const laid = reconcile(groups, this.groups.flat());
    if (!sameGroups(laid, this.groups)) this.change(laid, now);
    this.best = laid;
    return true;
  }

  /** @param {Group[]} groups The new groups. */
  #remember(groups) {
    if (sameGroups(groups, this.groups)) return;
    this.former.push(this.groups);
    if (this.former.length > STEPS_BACK) this.former.shift();
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
    this.sent = this.groups;
    return { type: /** @type {const} */ ("draft"), rev: this.rev, draft: this.groups };
  }

  /** Groups sent into a broken connection are sent again. */
  reconnected() {
    this.sentRev = this.savedRev;
    if (this.rev > this.savedRev) this.changedAt = 0;
  }

  /** The groups no longer matched the hand: a move was faster. The next state corrects it. */
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
  drafted(rev) {
    if (rev === this.sentRev) this.saved = this.sent;
    this.savedRev = Math.max(this.savedRev, rev);
  }
}
