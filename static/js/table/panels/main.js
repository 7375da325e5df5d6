// The panels beside a table: discards, chat and moves, settings, a player's card. Loaded after the table,
// so that it waits for none of them.

import { make, submitForm } from "../../lib/dom.js";
import { wayOn } from "../core/ways.js";
import { sessionMemory } from "../io/storage.js";
import { chairActions } from "./chairs.js";
import { Chat } from "./chat.js";
import { Drawer } from "./drawer.js";
import { Moves } from "./moves.js";
import { showPlayer } from "./player.js";
import { Settings } from "./settings.js";
import { Toast } from "./toast.js";
import { showWays } from "./ways.js";

/** @typedef {import("../core/game.js").Shell} Shell */
/** @typedef {import("../core/game.js").TableGame} TableGame */
/** @typedef {import("../core/protocol.js").ChatLine} ChatLine */
/** @typedef {import("../core/sync.js").Received} Received */

/**
 * Opens the panels once their stylesheet is loaded. Rejects if it does not load.
 *
 * @param {Shell} shell
 * @param {TableGame} game
 */
export async function openPanels(shell, game) {
  const link = make("link", { rel: "stylesheet", href: shell.root.dataset.panelsSheet });
  await new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("the panels' style sheet did not load"));
    });
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
    this.shell = shell;
    this.session = session;
    this.texts = texts;
    this.chat = new Chat(texts, sessionMemory(`openrummy.read.${root.dataset.socket}`), session.now);
    this.moves = new Moves(shell);
    const drawer = new Drawer(root, () => this.chat.mark());
    this.settings = new Settings();
    this.toast = new Toast(root);
    /** Of buttons, by their `data-action`. @type {Record<string, (element: HTMLElement) => void>} */
    this.actions = {
      ...chairActions(shell, game),
      back: () => void import("./away.js").then(({ comeBack }) => comeBack(shell)),
      drawer: (element) => drawer.toggle(element),
      chat: (element) => drawer.chat(element),
      tab: (element) => drawer.tab(element),
      settings: () => this.settings.open(),
      sit: (element) => void this.#sit(Number(element.dataset.seat)),
      "sit-again": () => this.#sitAgain(),
      "close-toast": () => this.toast.close(),
      player: (element) => void showPlayer(shell, element),
    };
    listenToTalk(session);
    this.#welcome();
    this.render();
    void this.moves.rebuild();
  }

  /**
   * A person who comes by a friend's link is asked for a name at once, but not again after cancelling,
   * unless the table has refused the name.
   */
  #welcome() {
    const form = document.querySelector("form[data-refused]");
    if (!(form instanceof HTMLFormElement)) return;
    const { state } = this.session;
    const asked = sessionMemory(`openrummy.welcomed.${state.table.id}`);
    const free = state.seats.find(({ player }) => player === null);
    const isAsked = asked.read() !== null && form.dataset.refused !== "yes";
    if (state.you.seat !== null || free === undefined || isAsked) return;
    asked.write(true);
    void this.#sit(free.seat);
  }

  /** Most people on this page sit already, so the dialog's script is loaded on demand. @param {number} seat */
  async #sit(seat) {
    const { askForSeat } = await import("./sit.js");
    await askForSeat(this.texts, this.session.state.table, seat, this.session.purse);
  }

  /** In one press, because its button shows the price; others get the dialog. */
  #sitAgain() {
    const { state, purse, lastSeat } = this.session;
    const { seat = 0, bring } = wayOn(state, purse, lastSeat);
    if (purse === null || bring === undefined) void this.#sit(seat);
    else submitForm("sit", { seat, amount: bring });
  }

  /** The table continues in another tab or on another device. */
  takenOver() {
    void import("./away.js").then(({ offerToPlayHere }) => offerToPlayHere(this.shell));
  }

  /** Moves made while the player was away. @param {readonly string[]} moves */
  away(moves) {
    void import("./away.js").then(({ showAway }) => showAway(moves));
  }

  render() {
    this.chat.render(this.session.state);
    showWays(this.texts, this.session);
  }

  /** @param {readonly ChatLine[]} lines */
  said(lines) {
    return this.chat.add(this.session.state, lines);
  }

  /**
   * A move has been announced.
   *
   * @param {string} text
   * @param {boolean} own
   */
  told(text, own) {
    this.moves.add(text, own);
  }

  /** Received changes are in the state. @param {Received} received */
  received({ snapped }) {
    // Changes missed in between are not among the events.
    if (snapped) void this.moves.rebuild();
  }
}


/** @param {Shell["session"]} session */
function listenToTalk(session) {
  const talk = document.querySelector('[data-form="say"]');
  talk?.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = talk.querySelector("input");
    if (!field?.value.trim()) return;
    session.say({ text: field.value });
    field.value = "";
  });
}
