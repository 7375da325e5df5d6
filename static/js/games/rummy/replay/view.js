// Draws one frame on the stage: the piles, every hand as far as it is visible, the discards, the list of moves. The
// seat from which one looks is at the bottom; the others follow it from the left, as at the table.

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
    this.faces = root.dataset.faces ?? "";
    this.painter = new CardPainter(root.dataset.suits ?? "", texts);
    this.discards = new DiscardsView(this.painter, texts);
    this.others = region("others");
    this.own = region("own");
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
    const [own, ...others] = seatsFrom(game.order, look.seat);
    this.others.replaceChildren(...others.map((seat) => this.#seat(frame, game, seat, look)));
    if (own !== undefined) this.own.replaceChildren(this.#seat(frame, game, own, look));
    this.#list(look);
    this.mark(index);
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
    const classes = ["replay__seat"];
    if (isOut && game.result === null) classes.push("replay__seat--out");
    const isOwn = look.seat === seat;
    const cards = make("div", { class: "replay__cards" }, ...this.cardsOf(hand, this.game.wild(frame.state), isOwn));
    return make("li", { class: classes.join(" "), "data-seat": seat }, this.#plate(frame, game, seat, hand), cards);
  }

  /**
   * The plate with the player's face and name, as at the table.
   *
   * @param {Frame} frame
   * @param {GameView} game
   * @param {number} seat
   * @param {ShownHand} hand
   */
  #plate({ state }, game, seat, hand) {
    const player = state.seats[seat]?.player;
    const isActing = game.turn === seat && game.phase !== "over";
    const face = player?.face ? sprite(`${this.faces}#${player.face}`, "face") : null;
    const detail = make("span", { class: "seat__detail" });
    /** @param {string} text */
    const note = (text, name = "seat__note") => detail.append(make("span", { class: name }, text));
    if (player?.bot) note(say(this.texts, "bot"), "seat__bot");
    if (game.result?.winners.includes(seat)) note(`★ ${say(this.texts, "how_won")}`, "seat__note replay__won");
    else if (hand.how !== null) note(say(this.texts, `how_${hand.how}`));
    else if (isActing) note(say(this.texts, "replay_at_turn"), "seat__note replay__acting");
    const status = game.players[String(seat)]?.status ?? "playing";
    if (game.result === null && status !== "playing") note(say(this.texts, `status_${status}`));
    if (hand.points !== null) note(say(this.texts, "points", { points: hand.points }), "replay__points");
    const parts = [
      make("span", { class: "seat__face" }, face),
      make("span", { class: "seat__text" }, make("strong", { class: "seat__name" }, seatName(state, seat)), detail),
    ];
    if (game.dealer === seat) parts.push(make("abbr", { class: "seat__dealer", title: say(this.texts, "dealer") }, "D"));
    return make("div", { class: `seat${isActing ? " seat--acting" : ""}` }, ...parts);
  }

  /**
   * @param {ShownHand} hand
   * @param {number | null} wild
   * @param {boolean} _isOwn Whether it is the hand at the bottom.
   * @returns {(Node | string)[]}
   */
  cardsOf({ groups, isJudged, count, drawn }, wild, _isOwn) {
    if (groups === null) {
      const backs = Array.from({ length: count }, () => make("span", { class: "card card--back card--small" }));
      const label = say(this.texts, "replay_closed_hand", { count });
      return [make("span", { class: "fan replay__closed", role: "img", "aria-label": label }, ...backs)];
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

  /** Marks the move in the list, and scrolls the list to it, never the page. @param {number} index */
  mark(index) {
    for (const button of this.moves.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const button = this.moves.children[index]?.firstElementChild;
    if (!(button instanceof HTMLElement)) return;
    button.setAttribute("aria-current", "step");
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

/**
 * The seats in the order of play, from the viewer's on. @param {readonly number[]} order @param {number | null} own
 */
function seatsFrom(order, own) {
  const at = Math.max(0, order.indexOf(own ?? -1));
  return [...order.slice(at), ...order.slice(0, at)];
}
