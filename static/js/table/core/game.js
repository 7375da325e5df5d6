// What the table's shell and the module of a game are to each other; static/js/games/README.md
// tells it in words. Types only.

/** @typedef {import("./protocol.js").CardId} CardId */
/** @typedef {import("./protocol.js").GameEvent} GameEvent */
/** @typedef {import("./protocol.js").TableState} TableState */
/** @typedef {import("./sync.js").Received} Received */
/** @typedef {import("./tell.js").Teller} Teller */

/**
 * @typedef {object} SeatLook What a game shows of a seat. It is compared as JSON: no elements in it.
 * @property {boolean} isPlaying The seat is in the deal.
 * @property {boolean} isOut Out of the deal before it has ended.
 * @property {boolean} isDealer
 * @property {boolean} isOver The match has ended: what it paid is shown.
 * @property {string | null} beaten Why the seat is out of the match.
 * @property {string | null} status How it stands in the deal.
 * @property {string | null} holding What it has, if that is not the stack.
 * @property {{card: CardId, title: string} | null} card A card beside the player.
 * @property {readonly (readonly CardId[])[]} [laid] What lies open before the player, in groups.
 * @property {number} held How many cards are held, face down for whoever looks.
 */

/**
 * @typedef {object} Journey A card, or a chip, that travels; places are selectors.
 * @property {CardId | null} [card] Null: its back.
 * @property {boolean} [chip]
 * @property {string} from
 * @property {string} to
 * @property {number} [delay] Milliseconds.
 * @property {boolean} [turns] Its back is seen first.
 * @property {string | null} [hides] What is not seen before it arrives, as a selector.
 */

/**
 * @typedef {object} Pieces What a game is played with, as it travels.
 * @property {number} ratio Height to width.
 * @property {(card: CardId) => HTMLElement} picture
 * @property {() => HTMLElement} back
 */

/**
 * @typedef {object} TableGame What the shell asks of a game.
 * @property {() => void} render Something to show is different.
 * @property {() => void} tick Several times a second: what has to do with time.
 * @property {(now: number) => void} followed The state is another one.
 * @property {(received: Received) => void} received Before anything is drawn.
 * @property {(received: Received, before: TableState) => void} told The events have been announced.
 * @property {(rev: number, draft?: unknown) => void} drafted What the player prepares is stored
 *   under this revision; `draft` is how their private view has it, where the game has that key.
 * @property {() => void} draftRefused
 * @property {() => void} reconnected
 * @property {(now: number) => void} beat Five times a second.
 * @property {() => void} hidden The page may be stopped.
 * @property {() => readonly number[]} order Everybody who began the match, in order of play.
 * @property {() => number[]} acting Whose clocks run.
 * @property {(state: TableState) => boolean} isOwnClock The clock that runs is this player's.
 * @property {(state: TableState) => number} lengthMs How long the running window is in all.
 * @property {() => boolean} plays This player is in a deal that goes on.
 * @property {() => number | null} wild The rank that is wild, for names of cards.
 * @property {(seat: number) => SeatLook} seat
 * @property {() => string | null} notice What goes on in the deal; null between matches.
 * @property {() => string | null} progress How far the match is.
 * @property {() => string} called Why the player is called.
 * @property {() => {text: string, isDanger: boolean}} leaving What leaving means now.
 * @property {Record<string, Teller>} tellers How its events are told.
 * @property {(events: readonly GameEvent[], state: TableState) => Journey[]} [journeys] What travels.
 * @property {() => Journey[]} [moved] What travels because it is about to be drawn elsewhere, without an event.
 * @property {Pieces} [pieces] Cards, if it does not say.
 * @property {Record<string, string | ((event: GameEvent) => string)>} [sounds] What is heard of its events.
 * @property {(event: GameEvent) => string | null} [moment] What everybody sees of it in large letters.
 * @property {Record<string, (element: HTMLElement) => void>} actions Of buttons, by `data-action`.
 * @property {(card: CardId) => void} tapped
 * @property {(card: CardId) => void} tappedTwice
 */

/**
 * @typedef {object} Shell What a game has of the table.
 * @property {HTMLElement} root
 * @property {import("./tell.js").Texts} texts
 * @property {import("../controllers/session.js").Session} session
 * @property {import("../view/card.js").CardPainter} painter
 * @property {import("../view/dialogs.js").Dialogs} dialogs
 * @property {import("../../lib/announce.js").Announcer} announcer
 * @property {(text: string) => void} warn
 * @property {(event: GameEvent) => {text: string, own: boolean} | null} tell An event in words.
 * @property {() => import("./clock.js").Remaining | null} left What is left of the running clock.
 * @property {() => void} closeDrawer
 * @property {<T>(part: () => Promise<T>) => Promise<T>} load Loads a part of the page, again and again until it comes.
 */
