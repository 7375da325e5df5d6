// The table's chat: the list of lines, and the number of unread ones. Players read players, and spectators
// read each other.

import { find, make, region } from "../../lib/dom.js";
import { readPreference } from "../../lib/prefs.js";
import { say } from "../core/say.js";
import { faceOfPlayer } from "../view/face.js";

/** @typedef {import("../core/protocol.js").ChatLine} ChatLine */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/tell.js").Texts} Texts */
/** @typedef {import("../io/storage.js").Memory} Memory */

const LINES_KEPT = 60;
const MOST_COUNTED = 9;

export class Chat {
  /**
   * @param {Texts} texts
   * @param {Memory} memory Remembers the newest line that was read.
   * @param {number} now Server time.
   */
  constructor(texts, memory, now) {
    this.texts = texts;
    this.memory = memory;
    this.root = document.querySelector('[data-region="chat"]');
    /** The newest listed line. */
    this.last = 0;
    /** Other people's unread lines. @type {number[]} */
    this.unread = [];
    this.people = "";
    /** Speakers without a seat, by number. @type {Map<number, string>} */
    this.watchers = new Map();
    // Lines from before this browser first came are no news.
    this.since = memory.read() === null ? now : 0;
    if (this.since > 0) memory.write(0);
    const emotes = this.root instanceof HTMLElement ? this.root.dataset.emotes : "";
    this.emotes = new Set(emotes?.split(" "));
  }

  /** @param {TableState} state */
  render({ seats, table, you }) {
    if (!(this.root instanceof HTMLElement)) return;
    const watches = you.seat === null;
    this.root.hidden = watches && table.watchers === false;
    find("#tab-chat").hidden = this.root.hidden;
    find('.bar [data-action="chat"]').hidden = this.root.hidden;
    this.#hide(".chat__form", watches);
    this.#hide(".chat__watching", !watches);
    this.#hide(".chat__emotes, .chat__phrases", watches && this.root.dataset.guest === "yes");
    const players = seats.flatMap(({ player, seat }) =>
      player === null || player.bot || seat === you.seat ? [] : [{ id: player.id, name: player.name }],
    );
    const others = watches ? [...this.watchers].map(([id, name]) => ({ id, name })) : players;
    const key = JSON.stringify(others);
    if (key === this.people) return;
    this.people = key;
    this.#hide(".chat__people", others.length === 0);
    const options = others.map(({ id, name }) => make("option", { value: id }, name));
    this.root.querySelector('[data-region="people"]')?.replaceChildren(...options);
  }

  /**
   * @param {string} selector Of an element that a visitor's page may lack.
   * @param {boolean} hidden
   */
  #hide(selector, hidden) {
    for (const part of this.root?.querySelectorAll(selector) ?? []) part.toggleAttribute("hidden", hidden);
  }

  /**
   * @param {TableState} state
   * @param {readonly ChatLine[]} lines
   * @returns {{seat: number, words: string} | null} One new line of somebody else at the table.
   */
  add(state, lines) {
    if (!(this.root instanceof HTMLElement)) return null;
    const fresh = lines.filter((line) => line.id > this.last && this.#isWanted(line));
    const list = region("chat-lines");
    const read = Number(this.memory.read());
    /** @type {{seat: number, words: string} | null} */
    let told = null;
    for (const line of fresh) {
      this.last = line.id;
      const own = Number(this.root.dataset.player) === line.player;
      const chair = line.name ? undefined : state.seats.find(({ player }) => player?.id === line.player);
      const who = line.name ? line : chair?.player;
      const face = who?.face ? faceOfPlayer({ face: who.face }) : "";
      if (line.name && !own) this.watchers.set(line.player, line.name);
      const words = line.phrase === "" ? line.text : say(this.texts, `chat_${line.phrase}`);
      list.append(make("li", { class: own ? "chat__own" : null }, make("strong", {}, face, who?.name ?? "…"), " ", words));
      told = own || chair === undefined || fresh.length > 1 ? null : { seat: chair.seat, words };
      if (!own && line.id > read && line.at > this.since) this.unread.push(line.id);
    }
    this.render(state);
    while (list.children.length > LINES_KEPT) list.firstElementChild?.remove();
    list.scrollTop = list.scrollHeight;
    this.mark();
    return told;
  }

  /** The number of unread lines, beside the button that opens the list. */
  mark() {
    if (!(this.root instanceof HTMLElement)) return;
    if (this.root.checkVisibility({ visibilityProperty: true })) {
      this.unread = [];
      if (this.last > 0) this.memory.write(this.last);
    }
    const count = this.unread.length;
    const mark = region("unread");
    mark.hidden = count === 0;
    if (count === 0) {
      mark.replaceChildren();
      return;
    }
    const shown = count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count);
    const words = make("span", { class: "visually-hidden" }, say(this.texts, "chat_unread", { count }));
    mark.replaceChildren(make("span", { "aria-hidden": "true" }, shown), words);
  }

  /** @param {ChatLine} line */
  #isWanted({ phrase }) {
    const wanted = readPreference("talk");
    return wanted === "all" || (wanted === "words" && !this.emotes.has(phrase));
  }
}
