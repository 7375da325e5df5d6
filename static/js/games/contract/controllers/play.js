// The player's hand in Contract Rummy, and their answers about buying.

import { faceOf } from "../../../table/core/cards.js";
import { say } from "../../../table/core/say.js";
import { cardName } from "../../../table/core/tell.js";
import { LaidPlay } from "../../rummy/controllers/laid/play.js";
import { jokerFor, layOffs, stepsOn } from "../../rummy/core/laid/melds.js";
import { gameOf, isPlaying, ownOf, ownPlayer, rulesOf } from "../../rummy/core/laid/seen.js";
import { isAsked, windowOf } from "../core/buying.js";
import { contractIn } from "../core/contract.js";
import { shapeOf, worthOf } from "../core/rules.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../rummy/controllers/laid/play.js").Offer} Offer */
/** @typedef {import("../../rummy/core/laid/melds.js").Laying} Laying */
/** @typedef {import("../../rummy/core/laid/seen.js").LaidMeld} LaidMeld */

export class Play extends LaidPlay {
  /** The sale that the player has answered. @type {string | null} */
  answered = null;
  /**
   * The last choice never to buy in a deal; the server tells nobody, not even this page. @type {{deal:
   * string, on: boolean} | null}
   */
  never = null;
  /** The kind of the last move sent. */
  sent = "";

  /** @override */
  get shape() {
    return shapeOf(this.state);
  }

  /** @override @param {CardId} card */
  worth(card) {
    return worthOf(this.state, card);
  }

  get hasLaid() {
    return ownPlayer(this.state)?.has_laid === true;
  }

  /** After the contract is laid, the server proposes no groups. @override */
  get mayAsk() {
    return super.mayAsk && !this.hasLaid;
  }

  /** @override */
  get mayLay() {
    return this.allowed("contract") !== null;
  }

  /** Whether the player is asked to buy a card that somebody has refused. */
  get isAsked() {
    return this.session.ready && isAsked(this.state, this.answered);
  }

  get deal() {
    return `${this.state.table.match} ${gameOf(this.state)?.deal ?? ""}`;
  }

  get neverBuys() {
    return this.never?.deal === this.deal ? this.never.on : ownOf(this.state).never_buy === true;
  }

  /** Whether "never buy" makes sense now. */
  get mayRefuse() {
    const left = ownPlayer(this.state)?.buys_left;
    return isPlaying(this.state) && rulesOf(this.state).buying === true && left !== 0;
  }

  /** @param {"buy" | "pass"} kind */
  answer(kind) {
    if (!this.isAsked) return;
    this.answered = windowOf(this.state);
    this.act({ kind });
  }

  refuseAll() {
    if (!this.mayRefuse || !this.session.ready) return;
    const on = !this.neverBuys;
    this.never = { deal: this.deal, on };
    if (on) this.answered = windowOf(this.state);
    this.act({ kind: "never_buy", on });
  }

  /** @override @param {import("../../../table/core/protocol.js").Move} move */
  act(move) {
    this.sent = move.kind;
    super.act(move);
  }

  /** The last move was refused, so the choice about buying did not take effect. */
  refused() {
    if (this.sent === "buy" || this.sent === "pass") this.answered = null;
    if (this.sent === "never_buy") this.never = null;
  }

  /** The contract's melds as they lie in groups, or from the chosen cards; null if some are missing. */
  get contract() {
    const game = gameOf(this.state);
    if (game === null) return null;
    const groups =
      this.selection.size === 0
        ? this.groups
        : this.groups.map((group) => group.filter((card) => this.selection.has(card))).filter(({ length }) => length > 0);
    const isExact = rulesOf(this.state).exact_contract !== false;
    return contractIn(groups, { contract: game.contract ?? [], isWhole: game.is_whole === true, isExact }, this.shape);
  }

  /**
   * The ways in which these cards may be laid off on a meld.
   *
   * @param {number} number
   * @param {readonly CardId[]} cards
   * @returns {Laying[]}
   */
  waysOnto(number, cards) {
    const meld = this.melds[number];
    return meld === undefined || !this.may.layOff ? [] : layOffs(meld, cards, this.shape);
  }

  /**
   * @override
   * @param {number} number
   * @param {readonly CardId[]} cards
   * @returns {Offer[]}
   */
  offers(number, cards) {
    const ways = this.waysOnto(number, cards);
    const onto = ways.map(({ as }, way) => {
      const label = ways.length > 1 ? say(this.texts, "lay_off_as", { faces: as.map((face) => this.#short(face)).join(" ") }) : say(this.texts, "lay_off");
      const named = as.map((face) => cardName(this.texts, face, null)).join(", ");
      const here = say(this.texts, "lay_off_here", { number: number + 1 });
      return { action: "lay-off", label, says: ways.length > 1 ? `${here}: ${named}` : here, data: { way } };
    });
    return [...onto, ...this.#swaps(number, cards)];
  }

  /**
   * @param {number} number
   * @param {readonly CardId[]} cards
   * @returns {Offer[]}
   */
  #swaps(number, cards) {
    const meld = this.melds[number];
    const [card] = cards;
    const allowed = this.allowed("swap_joker");
    if (meld === undefined || card === undefined || cards.length > 1 || allowed === null) return [];
    if (!allowed.meld.includes(number) || !allowed.card.includes(card) || jokerFor(meld, card) === null) return [];
    const [start, end] = stepsOn(meld);
    const places = ["hand", ...(end < 14 ? ["back"] : []), ...(start > 1 ? ["front"] : [])];
    return places
      .filter((to) => allowed.to.includes(to))
      .map((to) => {
        const label = say(this.texts, to === "hand" ? "swap_joker" : to === "front" ? "move_front" : "move_back");
        return { action: "swap", label, says: say(this.texts, "of_meld", { number: number + 1 }), data: { to } };
      });
  }

  /** "8♥". @param {string} face */
  #short(face) {
    const sign = { S: "♠", H: "♥", D: "♦", C: "♣" }[face.charAt(1)] ?? "";
    return `${face.charAt(0) === "T" ? "10" : faceOf(face).charAt(0)}${sign}`;
  }
}
