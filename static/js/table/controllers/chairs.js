// What can be done at any table: to sit down and leave, to talk, to open what is folded away.

import { find } from "../../lib/dom.js";
import { say } from "../core/tell.js";

/** @typedef {import("../core/game.js").TableGame} TableGame */
/** @typedef {import("../view/dialogs.js").Dialogs} Dialogs */
/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {import("./session.js").Session} Session */

export class Chairs {
  /**
   * @param {Session} session
   * @param {Screen} screen
   * @param {Dialogs} dialogs
   */
  constructor(session, screen, dialogs) {
    this.session = session;
    this.screen = screen;
    this.dialogs = dialogs;
    this.texts = screen.texts;
  }

  /**
   * @param {TableGame} game
   * @returns {Record<string, (element: HTMLElement) => void>}
   */
  actions(game) {
    const { session, dialogs } = this;
    return {
      "last-one": () => session.wish({ last_deal: !session.state.you.last_deal }),
      say: (element) => session.say({ phrase: element.dataset.phrase ?? "" }),
      leave: () => void this.leave(game),
      sit: (element) => void dialogs.sit(session.state.table, Number(element.dataset.seat), session.purse),
      settings: () => void dialogs.settings(),
      keys: () => void dialogs.keys(),
      drawer: (element) => this.drawer(element),
    };
  }

  /** @param {TableGame} game */
  async leave(game) {
    const confirmed = await this.dialogs.confirm({
      title: say(this.texts, "leave_title"),
      ...game.leaving(),
      confirm: say(this.texts, "leave_confirm"),
      isTimed: false,
    });
    const form = find('form[data-form="leave"]');
    if (confirmed && form instanceof HTMLFormElement) form.submit();
  }

  /** @param {HTMLElement} element */
  drawer(element) {
    const open = this.screen.root.classList.toggle("table--drawer");
    const opener = find(".bar [data-action='drawer']");
    opener.setAttribute("aria-expanded", String(open));
    if (open) find(".drawer [tabindex]").focus({ preventScroll: true });
    else if (element !== opener) opener.focus();
  }

  listenToTalk() {
    const talk = document.querySelector('[data-form="say"]');
    talk?.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = talk.querySelector("input");
      if (field === null || field.value.trim() === "") return;
      this.session.say({ text: field.value });
      field.value = "";
    });
  }
}
