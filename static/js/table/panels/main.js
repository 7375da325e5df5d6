// What lies beside a table: discards, chat and moves, settings, a player's card. Loaded when the
// table stands already, so that it waits for nothing of this.

import { make, submitForm } from "../../lib/dom.js";
import { wayOn } from "../core/stakes.js";
import { sessionMemory } from "../io/storage.js";
import { Chat } from "./chat.js";
import { Drawer } from "./drawer.js";
import { Moves } from "./moves.js";
import { showPlayer } from "./player.js";
import { Settings } from "./settings.js";
import { Sit } from "./sit.js";
import { Toast } from "./toast.js";

/** @typedef {import("../core/game.js").Shell} Shell */
/** @typedef {import("../core/game.js").TableGame} TableGame */
/** @typedef {import("../core/protocol.js").ChatLine} ChatLine */
/** @typedef {import("../core/sync.js").Received} Received */

/**
 * With their looks.
 *
 * @param {Shell} shell
 * @param {TableGame} game
 */
export async function openPanels(shell, game) {
  const link = make("link", { rel: "stylesheet", href: shell.root.dataset.panelsSheet });
  await new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    document.head.append(link);
  });
  return new Panels(shell, game);
}

export class Panels {
  /**
   * @param {Shell} shell
   * @param {TableGame} game
   */
  constructor(shell, game) {
    const { root, texts, session } = shell;
    this.session = session;
    this.chat = new Chat(texts, sessionMemory(`openrummy.read.${root.dataset.socket}`), session.now);
    this.moves = new Moves(shell, game);
    const drawer = new Drawer(root, () => this.chat.mark());
    this.settings = new Settings();
    this.toast = new Toast(root);
    const sit = new Sit(texts);
    /** Of buttons, by their `data-action`. @type {Record<string, (element: HTMLElement) => void>} */
    this.actions = {
      drawer: (element) => drawer.toggle(element),
      chat: (element) => drawer.chat(element),
      tab: (element) => drawer.tab(element),
      settings: () => this.settings.open(),
      sit: (element) => void sit.open(session.state.table, Number(element.dataset.seat), session.purse),
      "sit-again": () => this.#sitAgain(sit),
      say: (element) => session.say({ phrase: element.dataset.phrase ?? "" }),
      "close-toast": () => this.toast.close(),
      player: (element) => void showPlayer(shell, element),
    };
    listenToTalk(session);
    this.#welcome(sit);
    this.render();
    void this.moves.rebuild();
  }

  /**
   * Who comes by the link of a friend is asked for a name at once; who said no before is not asked again.
   *
   * @param {Sit} sit
   */
  #welcome(sit) {
    const { refused } = sit;
    if (refused === null) return;
    const { state, purse } = this.session;
    const asked = sessionMemory(`openrummy.welcomed.${state.table.id}`);
    const free = state.seats.find(({ player }) => player === null);
    if (state.you.seat !== null || free === undefined || (asked.read() !== null && !refused)) return;
    asked.write(true);
    void sit.open(state.table, free.seat, purse);
  }

  /** In one press, as its button says the price; the dialog is for whom it does not let in. @param {Sit} sit */
  #sitAgain(sit) {
    const { state, purse, lastSeat } = this.session;
    const { seat = 0, bring } = wayOn(state, purse, lastSeat);
    if (purse === null || bring === undefined) void sit.open(state.table, seat, purse);
    else submitForm("sit", { seat, amount: bring });
  }

  render() {
    this.chat.render(this.session.state);
  }

  /** @param {readonly ChatLine[]} lines */
  said(lines) {
    return this.chat.add(this.session.state, lines);
  }

  /**
   * A move has been told.
   *
   * @param {string} text
   * @param {boolean} own
   */
  told(text, own) {
    this.moves.add(text, own);
  }

  /** What has just come is in the state. @param {Received} received */
  received({ snapped, events }) {
    const last = events.findLast(({ kind }) => kind === "deal_over" || kind === "dealt");
    const { you, game } = this.session.state;
    if (last !== undefined && you.seat !== null) this.settings.offer(last.kind === "deal_over" && game?.phase === "over");
    // What was missed in between is not among the events.
    if (snapped) void this.moves.rebuild();
  }
}


/** @param {Shell["session"]} session */
function listenToTalk(session) {
  const talk = document.querySelector('[data-form="say"]');
  talk?.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = talk.querySelector("input");
    if (field === null || field.value.trim() === "") return;
    session.say({ text: field.value });
    field.value = "";
  });
}
