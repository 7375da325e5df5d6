// What is said at the table: the list in the drawer, and a bubble beside who says it.

import { find, make, region } from "../../lib/dom.js";
import { readPreference } from "../../lib/prefs.js";
import { say } from "../core/tell.js";

/** @typedef {import("../core/protocol.js").ChatLine} ChatLine */
/** @typedef {import("../core/protocol.js").TableState} TableState */
/** @typedef {import("../core/tell.js").Texts} Texts */

const LINES_KEPT = 60;

export class ChatView {
  /** @param {Texts} texts */
  constructor(texts) {
    this.texts = texts;
    this.root = document.querySelector('[data-region="chat"]');
    /** The newest line that is shown. */
    this.last = 0;
    this.people = "";
    const emotes = this.root instanceof HTMLElement ? this.root.dataset.emotes : "";
    this.emotes = new Set(emotes?.split(" "));
  }

  /** @param {TableState} state */
  render({ seats, you }) {
    if (!(this.root instanceof HTMLElement)) return;
    this.root.hidden = you.seat === null;
    const others = seats.filter(({ player, seat }) => player !== null && !player.bot && seat !== you.seat);
    const key = JSON.stringify(others.map(({ player }) => player));
    if (key === this.people) return;
    this.people = key;
    find(".chat__people", this.root).hidden = others.length === 0;
    region("people").replaceChildren(
      ...others.map(({ player }) => make("option", { value: player?.id }, player?.name ?? "")),
    );
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
    /** @type {{seat: number, words: string} | null} */
    let told = null;
    for (const line of fresh) {
      this.last = line.id;
      const own = state.seats[state.you.seat ?? -1]?.player?.id === line.player;
      const chair = state.seats.find(({ player }) => player?.id === line.player);
      const name = chair?.player?.name ?? "…";
      const words = line.phrase === "" ? line.text : say(this.texts, `chat_${line.phrase}`);
      list.append(make("li", { class: own ? "chat__own" : null }, make("strong", {}, name), " ", words));
      told = own || chair === undefined || fresh.length > 1 ? null : { seat: chair.seat, words };
    }
    while (list.children.length > LINES_KEPT) list.firstElementChild?.remove();
    list.scrollTop = list.scrollHeight;
    return told;
  }

  /** @param {ChatLine} line */
  #isWanted({ phrase }) {
    const wanted = readPreference("talk");
    return wanted === "all" || (wanted === "words" && !this.emotes.has(phrase));
  }
}
