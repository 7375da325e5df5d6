// Draws a table: passes changes to the views and the game, and keeps clocks running.

import { find, region, setAttribute, setText } from "../../lib/dom.js";
import { clockText, dateText, isLong, isSlow, remaining } from "../core/clock.js";
import { isFree, isMatchTable, isPlayedFor, prizeOf } from "../core/stakes.js";
import { say } from "../core/say.js";
import { percent } from "../core/tell.js";
import { amountText } from "../view/amounts.js";
import { noticeFor, statusFor } from "../view/notice.js";
import { SeatsView, showClock } from "../view/seats.js";

/** @typedef {import("../core/game.js").TableGame} TableGame */
/** @typedef {import("../core/tell.js").Texts} Texts */
/** @typedef {import("../view/card.js").CardPainter} CardPainter */
/** @typedef {import("./session.js").Session} Session */

export class Screen {
  /**
   * @param {HTMLElement} root
   * @param {Texts} texts
   * @param {Session} session
   * @param {CardPainter} painter
   */
  constructor(root, texts, session, painter) {
    this.root = root;
    this.texts = texts;
    this.session = session;
    /** @type {TableGame} */
    this.game = /** @type {any} */ (null);
    this.seats = new SeatsView(painter, texts, root.dataset.icons ?? "");
    const dock = region("dock");
    new ResizeObserver(() => root.style.setProperty("--dock-height", `${dock.offsetHeight}px`)).observe(dock);
  }

  render() {
    const { session, game } = this;
    const { state } = session;
    document.body.dataset.net = session.net;
    setText(region("status"), statusFor(this.texts, session.net, session.sync.synced));
    this.root.dataset.phase = state.game?.phase ?? "none";
    this.root.dataset.seated = String(state.you.seat !== null);
    this.root.dataset.playedFor = String(isPlayedFor(state));
    this.root.classList.toggle("table--own-turn", game.isOwnClock(state));
    this.#stakes();
    this.#entrance();
    // In a slow game everybody is away most of the time.
    this.seats.render(state, game, isSlow(state) ? null : session.here);
    game.render();
    this.#buttons();
    setText(region("commitment"), state.table.commitment ?? "–");
    setText(region("own-seed"), session.seed === "" ? "–" : session.seed);
    this.tick();
  }

  /** The time left on the running clock. */
  get left() {
    const { state, now } = this.session;
    return remaining(state.game, this.game.lengthMs(state), now);
  }

  /** Updates the clocks; called several times a second. */
  tick() {
    const { left, game } = this;
    const running = game.acting();
    for (const { seat } of this.session.state.seats) {
      const own = running.includes(seat) ? left : null;
      const isMine = seat === this.session.state.you.seat;
      showClock(this.seats.clockOf(seat), own, own === null ? "" : this.#clock(own, isMine));
    }
    setText(region("notice"), noticeFor(this.texts, this.session, game));
    game.tick();
  }

  /**
   * @param {import("../core/clock.js").Remaining} left
   * @param {boolean} isMine
   */
  #clock({ part, ms }, isMine) {
    if (isLong(ms)) {
      const time = dateText(this.session.now + ms);
      return isMine ? say(this.texts, "time_until", { time }) : time;
    }
    const time = clockText(ms);
    return part === "extra" ? say(this.texts, "extra_time", { time }) : time;
  }

  /** The waiting list is for people who find all seats taken. */
  #entrance() {
    const { session } = this;
    const { state } = session;
    const isFull = state.seats.every((seat) => seat.player !== null);
    // During a deal the hand needs the room.
    const room = this.root.querySelector('[data-region="room"]');
    if (room instanceof HTMLElement) this.#room(room);
    const standIn = this.root.querySelector('[data-region="stand-in"]');
    if (standIn instanceof HTMLElement) standIn.hidden = !isPlayedFor(state);
    const guest = this.root.querySelector('[data-region="guest"]');
    if (guest instanceof HTMLElement) guest.hidden = this.game.plays();
    const queue = this.root.querySelector('[data-region="queue"]');
    if (!(queue instanceof HTMLElement)) return;
    queue.hidden = state.you.seat !== null || !isFull || this.root.dataset.signedIn !== "yes";
  }

  /** Between two matches a private table is a waiting room (room.js). @param {HTMLElement} room */
  #room(room) {
    const { table, seats, rules } = this.session.state;
    const waits = table.status === "waiting" || (table.awaits_press && table.status !== "playing");
    room.hidden = !waits || table.out_of_order === true;
    this.root.classList.toggle("table--waits", !room.hidden);
    room.dataset.starts = String(this.session.mayStart);
    const people = seats.map(({ player, again, host }) => [player?.id, again, host]);
    setAttribute(room, "data-seen", JSON.stringify([people, table.name, rules]));
  }

  #stakes() {
    const { table, game } = this.session.state;
    if (!isMatchTable(table) && !isFree(table)) {
      const value = amountText(this.texts, table.point_value, table.currency);
      const key = table.rake_bps > 0 ? "stakes" : "stakes_free";
      const text = say(this.texts, key, { value, rate: percent(table.rake_bps) });
      setText(region("stakes"), text);
      return;
    }
    const parts = [];
    // An event's own page says what can be won at its table.
    if (isFree(table)) {
      if (!table.event_url) parts.push(say(this.texts, "played_free"));
    } else {
      const fee = amountText(this.texts, table.entry_fee ?? 0, table.currency);
      parts.push(say(this.texts, "entry", { fee }));
    }
    if (game !== null && !isFree(table)) {
      const prize = amountText(this.texts, prizeOf(table), table.currency);
      parts.push(say(this.texts, "prize", { prize }));
    }
    const progress = this.game.progress();
    if (progress !== null) parts.push(progress);
    setText(region("stakes"), parts.join(" · "));
  }

  #buttons() {
    const { session, game } = this;
    const { table, you } = session.state;
    const last = find('[data-action="last-one"]', this.root);
    setAttribute(last, "aria-pressed", String(you.last_deal ?? false));
    setAttribute(last, "disabled", !session.isConnected);
    last.hidden = !game.plays() || Boolean(table.event_url);
    find('[data-action="leave"]', this.root).hidden = you.seat === null || Boolean(table.event_url);
  }
}
