// The table that the player is building in their turn. The server stores every step and evaluates it; steps
// can be undone one by one or all at once.

import { localNow } from "../../../lib/local_now.js";
import { legalMove } from "../../../table/core/stakes.js";
import { boardOf, isSameBoard, moved, tilesOf } from "../core/board.js";
import { gameOf, isOwnClock, isPlaying, ownOf } from "../core/seen.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/controllers/session.js").Session} Session */
/** @typedef {import("../core/board.js").Board} Board */
/** @typedef {import("../core/board.js").Target} Target */
/** @typedef {import("../core/seen.js").SeenDraft} SeenDraft */

/** Changes in quick succession are sent together. */
const WAIT_MS = 250;

/** @param {{readonly cards: readonly CardId[]}} meld */
const keyOf = ({ cards }) => [...cards].sort().join();

export class Build {
  /** @type {Board | null} Null for the table as it lies. */
  board = null;
  /** @type {(Board | null)[]} */
  before = [];
  /** The server's evaluation of the board. @type {SeenDraft | null} */
  check = null;
  /** The previous evaluation. @type {SeenDraft | null} */
  told = null;
  /** @type {Set<CardId>} */
  selection = new Set();
  rev = 0;
  /** When to send the board to the server; null once it is sent. @type {number | null} */
  dueAt = null;
  turn = "";

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.rev = ownOf(session.state).rev ?? 0;
  }

  get state() {
    return this.session.state;
  }

  get table() {
    return gameOf(this.state)?.table ?? [];
  }

  /** The board being built, or the table as it lies. @returns {Board} */
  get shown() {
    return this.board ?? boardOf(this.table);
  }

  /** Whether a meld of the table does not lie as it did before this turn. */
  get hasMovedTable() {
    const lying = new Set(this.shown.map(keyOf));
    return this.table.some((meld) => !lying.has(keyOf(meld)));
  }

  /** The tiles left on the rack. */
  get rack() {
    const laid = new Set(tilesOf(this.board ?? []));
    return (ownOf(this.state).hand ?? []).filter((card) => !laid.has(card));
  }

  get isOwnTurn() {
    return isPlaying(this.state) && isOwnClock(this.state);
  }

  /** Whether tiles can be moved. */
  get mayBuild() {
    return this.isOwnTurn && legalMove(this.state, "arrange") !== null;
  }

  /** Whether the server has evaluated this board, and it is a lay. */
  get mayLay() {
    const isTold = this.dueAt === null && this.check !== null && this.board !== null;
    return isTold && this.session.ready && this.check?.refusal === null && legalMove(this.state, "lay") !== null;
  }

  /** @param {string} kind Of a move without a table: only while nothing is being built. */
  may(kind) {
    return this.board === null && this.session.ready && this.isOwnTurn && legalMove(this.state, kind) !== null;
  }

  /** A new turn begins with the table as it lies, a reload with the stored board. */
  follow() {
    const game = gameOf(this.state);
    const turn = game === null ? "" : `${this.state.table.match} ${game.deal} ${game.turn_number}`;
    this.rev = Math.max(this.rev, ownOf(this.state).rev ?? 0);
    if (turn !== this.turn) {
      this.turn = turn;
      const kept = this.isOwnTurn ? (ownOf(this.state).draft ?? null) : null;
      this.board = kept === null ? null : boardOf(kept.table);
      this.check = this.told = kept;
      this.before = [];
      this.dueAt = null;
      this.selection.clear();
    }
    const there = new Set([...tilesOf(this.table), ...(ownOf(this.state).hand ?? [])]);
    for (const card of this.selection) if (!there.has(card)) this.selection.delete(card);
  }

  /** @param {CardId} card */
  toggle(card) {
    if (!this.selection.delete(card)) this.selection.add(card);
    this.session.changed();
  }

  clear() {
    this.selection.clear();
    this.session.changed();
  }

  /**
   * @param {readonly CardId[]} tiles
   * @param {Target} target
   */
  mayMove(tiles, target) {
    if (!this.mayBuild || tiles.length === 0) return false;
    const own = new Set(ownOf(this.state).hand ?? []);
    return target.onto !== "rack" || tiles.every((card) => own.has(card));
  }

  /**
   * @param {readonly CardId[]} tiles
   * @param {Target} target
   */
  move(tiles, target) {
    if (!this.mayMove(tiles, target)) return;
    this.#change(moved(this.shown, tiles, target));
    this.selection.clear();
    this.session.changed();
  }

  /** The next card that a joker of this meld may stand for. @param {number} place */
  reread(place) {
    const told = this.check?.table[place];
    const { board } = this;
    if (told === undefined || told.readings.length < 2 || board === null) return;
    const at = told.readings.findIndex((reading) => [...reading].sort().join() === [...(told.as ?? [])].sort().join());
    const next = told.readings[(at + 1) % told.readings.length] ?? null;
    this.#change(board.map((meld, number) => (number === place ? { cards: [...told.cards], as: next } : meld)));
    this.session.changed();
  }

  /** The whole table, as the server suggests it. @param {Board} board */
  replace(board) {
    this.#change(boardOf(board));
    this.session.changed();
  }

  undo() {
    const last = this.before.pop();
    if (last === undefined) return;
    this.#set(last);
    this.session.changed();
  }

  reset() {
    if (this.board === null) return;
    this.before = [];
    this.#set(null);
    this.selection.clear();
    this.session.changed();
  }

  /** @param {Board} board */
  #change(board) {
    this.before.push(this.board);
    this.#set(isSameBoard(board, this.table) ? null : board);
  }

  /** @param {Board | null} board */
  #set(board) {
    this.board = board;
    this.check = null;
    this.rev += 1;
    this.dueAt = localNow() + WAIT_MS;
  }

  /** Sends changes, at the latest before the page may be suspended. @param {number} now */
  save(now) {
    if (this.dueAt === null || now < this.dueAt || !this.mayBuild || !this.session.isConnected) return;
    this.dueAt = null;
    this.session.draft({ type: "draft", rev: this.rev, draft: /** @type {any} */ (this.board) });
  }

  /**
   * @param {number} rev
   * @param {unknown} draft
   */
  drafted(rev, draft) {
    // Do not repeat an unchanged board.
    if (draft !== undefined) this.told = /** @type {SeenDraft | null} */ (draft);
    if (rev !== this.rev || this.dueAt !== null) return;
    this.check = this.told;
    // A run lies in its order, and a joker says what it stands for.
    if (this.board !== null && this.check !== null) this.board = boardOf(this.check.table);
    this.session.changed();
  }

  /** Send it once more: the connection may have been lost. */
  again() {
    if (this.board === null || !this.mayBuild) return;
    this.rev += 1;
    this.dueAt = localNow() + WAIT_MS;
  }

  lay() {
    if (!this.mayLay || this.check === null) return;
    const table = this.check.table.map(({ cards, as }) => ({ cards, as }));
    this.session.act(/** @type {any} */ ({ kind: "lay", table }));
  }

  /** @param {"draw" | "pass"} kind */
  act(kind) {
    if (this.may(kind)) this.session.act(/** @type {any} */ ({ kind }));
  }
}
