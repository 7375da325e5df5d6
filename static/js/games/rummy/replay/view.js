// Draws one frame: the piles, every hand as far as it is visible, the discards, the list of moves.

import { make, region, setAttribute, setText, sprite } from "../../../lib/dom.js";
import { say } from "../../../table/core/say.js";
import { seatName } from "../../../table/core/tell.js";
import { CardPainter } from "../../../table/view/card.js";
import { DiscardsView } from "../view/discards.js";
import { groupPicture } from "../view/groups.js";
import { sentenceOf } from "./timeline.js";

/** @typedef {import("../../../table/core/protocol.js").CardId} CardId */
/** @typedef {import("../../../table/core/protocol.js").GameView} GameView */
/** @typedef {import("../../../table/core/tell.js").Texts} Texts */
/** @typedef {import("./timeline.js").Frame} Frame */
/** @typedef {import("./timeline.js").Look} Look */
/** @typedef {import("./timeline.js").ReplayGame} ReplayGame */
/** @typedef {import("./timeline.js").ShownHand} ShownHand */

export class ReplayView {
  /**
   * @param {HTMLElement} root
   * @param {Texts} texts
   * @param {Frame[]} frames
   * @param {ReplayGame} game
   */
  constructor(root, texts, frames, game) {
    this.game = game;
    this.texts = texts;
    this.frames = frames;
    this.icons = root.dataset.icons ?? "";
    this.painter = new CardPainter(root.dataset.suits ?? "", texts);
    this.discards = new DiscardsView(this.painter, texts);
    this.hands = region("hands");
    this.moves = region("moves");
    this.sentence = region("sentence");
    this.position = region("position");
    this.listed = "";
  }

  /**
   * @param {number} index
   * @param {Look} look
   */
  render(index, look) {
    const frame = /** @type {Frame} */ (this.frames[index]);
    const game = /** @type {GameView} */ (frame.state.game);
    this.middle(frame, game);
    this.hands.replaceChildren(...game.order.map((seat) => this.#seat(frame, game, seat, look)));
    this.#list(look);
    this.#mark(index);
    setText(this.sentence, sentenceOf(this.texts, frame, look, this.game));
    const number = { number: index + 1, count: this.frames.length };
    setText(this.position, say(this.texts, "replay_position", number));
  }

  /**
   * Piles and discards; a game without them shows its own middle.
   *
   * @param {Frame} frame
   * @param {GameView} game
   */
  middle(frame, game) {
    for (const pile of this.game.piles(frame.state)) this.#pile(pile);
    setText(region("closed-count"), say(this.texts, "closed_count", { count: game.closed_count }));
    this.discards.render(frame.state, this.game.wild(frame.state));
  }

  /** @param {{name: string, card: CardId | null, wild: number | null}} pile */
  #pile({ name, card, wild }) {
    const place = region(`pile-${name}`);
    const nothing = () => make("span", { class: "visually-hidden" }, say(this.texts, "no_card"));
    place.replaceChildren(card === null ? nothing() : this.painter.picture(card, wild));
  }

  /**
   * @param {Frame} frame
   * @param {GameView} game
   * @param {number} seat
   * @param {Look} look
   */
  #seat(frame, game, seat, look) {
    const hand = this.game.handOf(frame, seat, look);
    const isOut = !["playing", "won"].includes(game.players[String(seat)]?.status ?? "");
    const isAtTurn = game.turn === seat && game.phase !== "over";
    const classes = ["replay__seat"];
    if (look.seat === seat) classes.push("replay__seat--own");
    if (isAtTurn) classes.push("replay__seat--turn");
    if (isOut && game.result === null) classes.push("replay__seat--out");
    const cards = make("div", { class: "replay__cards" }, ...this.cardsOf(hand, this.game.wild(frame.state)));
    return make("li", { class: classes.join(" "), "data-seat": seat }, this.#head(frame, game, seat, hand), cards);
  }

  /**
   * @param {Frame} frame
   * @param {GameView} game
   * @param {number} seat
   * @param {ShownHand} hand
   */
  #head({ state }, game, seat, hand) {
    const player = state.seats[seat]?.player;
    const head = make("div", { class: "replay__player" }, make("strong", {}, seatName(state, seat)));
    /** @param {string} text */
    const badge = (text, more = "") => head.append(make("span", { class: `badge ${more}`.trim() }, text));
    if (player?.bot) badge(say(this.texts, "bot"));
    if (game.dealer === seat) badge(say(this.texts, "dealer"));
    if (game.result?.winners.includes(seat)) badge(say(this.texts, "how_won"), "badge--good");
    else if (hand.how !== null) badge(say(this.texts, `how_${hand.how}`));
    else if (game.turn === seat) badge(say(this.texts, "replay_at_turn"), "badge--info");
    const status = game.players[String(seat)]?.status ?? "playing";
    if (game.result === null && status !== "playing") badge(say(this.texts, `status_${status}`), "badge--warn");
    if (hand.points !== null) {
      head.append(make("span", { class: "replay__points" }, say(this.texts, "points", { points: hand.points })));
    }
    return head;
  }

  /**
   * @param {ShownHand} hand
   * @param {number | null} wild
   */
  cardsOf({ groups, isJudged, count, drawn }, wild) {
    if (groups === null) {
      const backs = Array.from({ length: count }, () => make("span", { class: "card card--back card--small" }));
      const label = say(this.texts, "replay_closed_hand", { count });
      return [make("span", { class: "fan", role: "img", "aria-label": label }, ...backs)];
    }
    if (isJudged) return groups.map(({ cards, kind }) => groupPicture(this.painter, this.texts, cards, kind, wild));
    return groups.map(({ cards }) => {
      const fan = this.painter.fan(cards, wild);
      const at = drawn === null ? -1 : cards.indexOf(drawn);
      fan.children[at]?.classList.add("replay__drawn");
      return fan;
    });
  }

  /** The list is rebuilt only if its text differs. @param {Look} look */
  #list(look) {
    const texts = this.frames.map((frame) => sentenceOf(this.texts, frame, look, this.game));
    const key = texts.join("\n");
    if (key === this.listed) return;
    this.listed = key;
    const items = texts.map((text, index) =>
      make("li", {}, make("button", { type: "button", class: "replay__move", "data-move": index }, text)),
    );
    this.moves.replaceChildren(...items);
  }

  /** @param {number} index */
  #mark(index) {
    for (const button of this.moves.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const button = this.moves.children[index]?.firstElementChild;
    if (!(button instanceof HTMLElement)) return;
    button.setAttribute("aria-current", "step");
    // Scroll the list, never the page.
    const { offsetTop, offsetHeight } = button;
    const { scrollTop, clientHeight } = this.moves;
    if (offsetTop < scrollTop) this.moves.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.moves.scrollTop = offsetTop + offsetHeight - clientHeight;
    }
  }

  /** @param {boolean} isPlaying */
  showPlaying(isPlaying) {
    const button = region("play");
    setAttribute(button, "aria-pressed", String(isPlaying));
    button.querySelector("svg")?.replaceWith(sprite(`${this.icons}#${isPlaying ? "pause" : "play"}`, "icon"));
  }
}
