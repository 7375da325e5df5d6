// The player's hand: its groups, and the selected cards.

import { Arrangement } from "../../../table/core/arrangement.js";
import { localNow } from "../../../lib/local_now.js";
import { sameGroups } from "../../../table/core/hand.js";
import { legalMove } from "../../../table/core/stakes.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").Group} Group */
/** @typedef {import("../../../table/core/protocol.js").Move} Move */
/**
 * Whether the server still accepts groups from this player.
 *
 * @param {import("../../../table/core/protocol.js").TableState} state
 */
export const mayArrange = (state) => legalMove(state, "arrange") !== null;

/** @typedef {import("../../../table/controllers/session.js").Session} Session */

export class OwnHand {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.arrangement = new Arrangement();
    this.arrangement.follow(session.state, localNow());
    /** @type {Set<CardId>} */
    this.selection = new Set();
  }

  get state() {
    return this.session.state;
  }

  get now() {
    return this.session.now;
  }

  /** The pending move. */
  get moving() {
    return this.session.moving;
  }

  get groups() {
    return this.arrangement.groups;
  }

  /** Whether the server arranges the hand on request. */
  get mayAsk() {
    return this.session.ready && this.state.table.help?.arrangement === true && mayArrange(this.state);
  }

  /** Groups with which the drawn card makes or keeps a meld. @returns {ReadonlySet<number>} */
  get fitting() {
    return new Set();
  }

  /** The order of the cards in a new group. @param {Group} group @returns {Group} */
  ordered(group) {
    return group;
  }

  /**
   * New groups that differ from the old ones, with their cards in order.
   *
   * @param {readonly Group[]} groups
   */
  tidied(groups) {
    const old = new Set(this.groups.map((group) => group.toSorted().join()));
    return groups.map((group) => (old.has(group.toSorted().join()) ? group : this.ordered(group)));
  }

  /** @param {Move} move */
  act(move) {
    this.saveGroups();
    this.session.act(move);
  }

  /** @param {Group[]} groups */
  arrange(groups) {
    if (!sameGroups(groups, this.groups)) this.arrangement.change(groups, localNow());
    this.session.changed();
  }

  /** Arranges the hand as the server suggests. Returns whether it lies so now. */
  async layBest() {
    if (!this.mayAsk) return false;
    const { rev } = this.arrangement;
    const answer = await this.session.ask({ kind: "arrange" });
    if (answer?.type === "rej") this.session.warn(answer.message);
    if (answer?.type !== "answer") return false;
    const isLaid = this.arrangement.lay(rev, answer.answer.groups, localNow());
    if (isLaid) {
      this.saveGroups();
      this.session.changed();
    }
    return isLaid;
  }

  /** Restores the former arrangement of the hand. */
  undo() {
    if (!mayArrange(this.state) || !this.arrangement.undo(localNow())) return false;
    this.selection.clear();
    this.session.changed();
    return true;
  }

  saveGroups() {
    if (!this.session.socket.isOpen || !mayArrange(this.state)) return;
    const message = this.arrangement.takeUnsent();
    if (message !== null) this.session.draft(message);
  }

  /** @param {number} now */
  saveWhenDue(now) {
    if (this.arrangement.isDue(now) && this.session.sync.synced) this.saveGroups();
  }

  /** @param {CardId} card */
  toggle(card) {
    if (!this.selection.delete(card)) this.selection.add(card);
    this.session.changed();
  }

  clearSelection() {
    this.selection.clear();
    this.session.changed();
  }

  /** Follows a new state. @param {number} now */
  follow(now) {
    this.arrangement.follow(this.state, now);
    const held = new Set(this.groups.flat());
    for (const card of this.selection) if (!held.has(card)) this.selection.delete(card);
  }
}
