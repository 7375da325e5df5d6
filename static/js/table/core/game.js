// The interface between the table's shell and a game's module; static/js/games/README.md describes it.
// Types only.

/** @typedef {import("./protocol.js").CardId} CardId */
/** @typedef {import("./protocol.js").GameEvent} GameEvent */
/** @typedef {import("./protocol.js").TableState} TableState */
/** @typedef {import("./sync.js").Received} Received */
/** @typedef {import("./tell.js").Teller} Teller */

/**
 * @typedef {object} SeatLook A game's view of a seat. It is compared as JSON: no elements in it.
 * @property {boolean} isPlaying The seat is in the deal.
 * @property {boolean} isOut Out of the deal before it has ended.
 * @property {boolean} isDealer
 * @property {boolean} isOver The match has ended: its payment is shown.
 * @property {string | null} beaten Why the seat is out of the match.
 * @property {string | null} status Its status in the deal.
 * @property {string | null} holding Its holdings, if they are not the stack.
 * @property {{card: CardId, title: string} | null} card A card beside the player.
 * @property {readonly (readonly CardId[])[]} [laid] Open cards in front of the player, in groups.
 * @property {number} held The number of cards held, face down for the viewer.
 */

/**
 * @typedef {object} Journey A card or chip that moves; places are selectors.
 * @property {CardId | null} [card] Null for its back.
 * @property {boolean} [chip]
 * @property {string} from
 * @property {string} to
 * @property {number} [delay] Milliseconds.
 * @property {boolean} [turns] It turns from its back to its face.
 * @property {string | null} [hides] An element hidden until it arrives, as a selector.
 */

/**
 * @typedef {object} Pieces The game's pieces, as they move.
 * @property {number} ratio Height to width.
 * @property {(card: CardId) => HTMLElement} picture
 * @property {() => HTMLElement} back
 */

/**
 * @typedef {object} TableGame The interface that the shell requires of a game.
 * @property {() => void} render Something to show has changed.
 * @property {() => void} tick Several times a second: update everything that depends on time.
 * @property {(now: number) => void} followed There is a new state.
 * @property {(received: Received) => void} received Before anything is drawn.
 * @property {(received: Received, before: TableState) => void} told The events have been announced.
 * @property {(rev: number, draft?: unknown) => void} drafted The player's draft is stored
 * under this revision; `draft` is their private view of it, if the game has that key.
 * @property {() => void} draftRefused
 * @property {() => void} reconnected
 * @property {(now: number) => void} beat Five times a second.
 * @property {() => void} hidden The page may be suspended.
 * @property {() => readonly number[]} order All players of the match, in order of play.
 * @property {() => number[]} acting The seats whose clocks run.
 * @property {(state: TableState) => boolean} isOwnClock Whether the running clock is this player's.
 * @property {(state: TableState) => number} lengthMs The full length of the running turn.
 * @property {() => boolean} plays Whether this player is in the running deal.
 * @property {() => number | null} wild The rank that is wild, for names of cards.
 * @property {(seat: number) => SeatLook} seat
 * @property {() => string | null} notice A sentence about the deal; null between matches.
 * @property {() => string | null} progress The progress of the match.
 * @property {() => string} called Why the player is called.
 * @property {() => {text: string, isDanger: boolean}} leaving The consequences of leaving now.
 * @property {Record<string, Teller>} tellers The sentences for its events.
 * @property {(events: readonly GameEvent[], state: TableState) => Journey[]} [journeys] The movements of
 * events.
 * @property {() => Journey[]} [moved] Movements without an event, of pieces about to be drawn elsewhere.
 * @property {Pieces} [pieces] Cards by default.
 * @property {Record<string, string | ((event: GameEvent) => string)>} [sounds] The sounds of its events.
 * @property {(event: GameEvent) => string | null} [moment] Large letters that everybody sees.
 * @property {Record<string, (element: HTMLElement) => void>} actions Of buttons, by `data-action`.
 * @property {(card: CardId) => void} tapped
 * @property {(card: CardId) => void} tappedTwice
 */

/**
 * @typedef {object} Shell The table's interface to a game.
 * @property {HTMLElement} root
 * @property {import("./tell.js").Texts} texts
 * @property {import("../controllers/session.js").Session} session
 * @property {import("../view/card.js").CardPainter} painter
 * @property {import("../view/dialogs.js").Dialogs} dialogs
 * @property {import("../../lib/announce.js").Announcer} announcer
 * @property {(text: string) => void} warn
 * @property {(event: GameEvent) => {text: string, own: boolean} | null} tell An event in words.
 * @property {() => import("./clock.js").Remaining | null} left The time left on the running clock.
 * @property {() => void} closeDrawer
 * @property {<T>(part: () => Promise<T>) => Promise<T>} load Loads a part of the page, with retries until
 * it arrives.
 */
