// The points of each deal of the match, for the score sheet. The server's view holds the totals; the page
// remembers deals as they end, and a list from the server overrides its memory.

/** @typedef {import("../../../table/core/protocol.js").DealRecord} DealRecord */
/** @typedef {import("../../../table/core/protocol.js").GameEvent} GameEvent */
/** @typedef {import("../../../table/core/protocol.js").TableState} TableState */

/** @typedef {import("../../../table/io/storage.js").Memory} Memory */

export class DealHistory {
  /** @param {Memory} memory */
  constructor(memory) {
    this.memory = memory;
    /** @type {number | null} */
    this.match = null;
    /** @type {Map<number, DealRecord>} */
    this.deals = new Map();
    this.#remember(memory.read());
  }

  /**
   * @param {TableState} state
   * @param {readonly GameEvent[]} [events]
   */
  follow(state, events = []) {
    const { game, table } = state;
    if (game === null) return;
    if (table.match !== this.match) {
      this.match = table.match;
      this.deals.clear();
    }
    const before = this.deals.size;
    for (const event of events) {
      if (event.kind !== "deal_over" || event.match !== table.match) continue;
      this.#add({ deal: event.deal, points: event.points, winners: event.winners });
    }
    if (game.result !== null) {
      const points = Object.fromEntries(game.result.hands.map((hand) => [String(hand.seat), hand.points]));
      this.#add({ deal: game.deal, points, winners: game.result.winners });
    }
    for (const record of game.match?.history ?? []) this.#add(record);
    if (this.deals.size > before) this.memory.write({ match: this.match, deals: this.records });
  }

  /** Finished deals, the first one first. */
  get records() {
    return [...this.deals.values()].toSorted((a, b) => a.deal - b.deal);
  }

  /** @param {DealRecord} record */
  #add(record) {
    this.deals.set(record.deal, record);
  }

  /** @param {any} stored */
  #remember(stored) {
    if (typeof stored?.match !== "number" || !Array.isArray(stored.deals)) return;
    this.match = stored.match;
    for (const record of stored.deals) if (Number.isInteger(record?.deal)) this.#add(record);
  }
}
