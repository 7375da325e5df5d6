// Rummikub on the table page (the interface: static/js/table/core/game.js).

import { find, region, setText } from "../../lib/dom.js";
import { clockText } from "../../table/core/clock.js";
import { isMatchTable, legalMove } from "../../table/core/stakes.js";
import { say } from "../../table/core/say.js";
import { seatName } from "../../table/core/tell.js";
import { listenToKeys } from "../../table/input/keys.js";
import { showButton } from "../../table/view/buttons.js";
import { Build } from "./controllers/build.js";
import { Dragging } from "./controllers/dragging.js";
import { lookOf, noticeFor, progressText } from "./core/looks.js";
import { journeys, moved, SOUNDS } from "./core/journeys.js";
import { tileName, tileNames } from "./core/names.js";
import { acting, gameOf, isOwnClock, isPlaying, ownOf, windowMs } from "./core/seen.js";
import { TELLERS } from "./core/tellers.js";
import { BoardView } from "./view/board.js";
import { ResultView, sheet } from "./view/result.js";
import { tileBack, tilePicture } from "./view/tile.js";

/** @typedef {import("../../table/core/game.js").Shell} Shell */
/** @typedef {import("../../table/core/game.js").TableGame} TableGame */
/** @typedef {typeof import("./controllers/coach.js")} CoachModule */

/**
 * @param {Shell} shell
 * @param {() => Promise<CoachModule>} loadCoach Called in lessons.
 * @returns {TableGame}
 */
export function createRummikub(shell, loadCoach) {
  const { root, texts, session, announcer, painter } = shell;
  const build = new Build(session);
  const view = new BoardView(texts, build);
  const result = new ResultView(painter, texts);
  const dragging = new Dragging(root, build);
  /** Set in lessons only. @type {ReturnType<CoachModule["createCoach"]> | null} */
  let coach = null;
  build.follow();
  if (root.dataset.learns === "yes") {
    void shell.load(loadCoach).then(({ createCoach }) => {
      coach = createCoach(texts, build.state.table.id);
      coach.follow(build);
    });
  }

  const sort = () => {
    view.order = view.order === "colour" ? "number" : "colour";
    session.changed();
  };
  const toNew = () => build.move([...build.selection], { onto: "new" });
  const toRack = () => build.move([...build.selection], { onto: "rack" });
  const advise = async () => {
    const answer = /** @type {any} */ (await session.ask({ kind: "lay" }));
    const table = answer?.answer?.table ?? null;
    if (answer?.type !== "answer") shell.warn(answer?.message ?? say(texts, "no_advice"));
    else if (table === null) shell.warn(say(texts, "nothing_to_lay"));
    else build.replace(table);
  };
  const read = () => announcer.say(tableInWords(shell, build));

  listenToKeys({
    groups: () => view.groups,
    focusedCard: () => view.focusedCard,
    focusCard: (card) => view.focusCard(card),
    shift: () => {},
    letters: {
      n: toNew,
      b: toRack,
      l: () => build.lay(),
      d: () => build.act("draw"),
      p: () => build.act("pass"),
      u: () => build.undo(),
      x: () => build.reset(),
      s: sort,
      r: read,
      "?": () => void shell.dialogs.keys(),
    },
    undo: () => build.undo(),
    escape: () => {
      dragging.cancel();
      build.clear();
    },
  });

  function render() {
    const { state } = build;
    const game = gameOf(state);
    view.render();
    setText(region("pool"), game === null ? "" : say(texts, "pool", { count: game.pool_count }));
    const points = ownOf(state).points ?? null;
    setText(region("hand-count"), isPlaying(state) && points !== null ? say(texts, "rack_counts", { points }) : "");
    buttons();
    result.follow(state);
    const scores = region("scores");
    scores.hidden = game === null;
    if (!scores.hidden) scores.replaceChildren(sheet(texts, state));
    coach?.follow(build);
  }

  function buttons() {
    const { state } = build;
    const isOver = !isPlaying(state);
    const isEmpty = gameOf(state)?.pool_count === 0;
    const hasBuilt = build.board !== null;
    showButton(root, "sort", { enabled: true, hidden: isOver });
    setText(find('[data-action="sort"]', root), say(texts, view.order === "colour" ? "by_number" : "by_colour"));
    showButton(root, "back", { enabled: build.mayMove([...build.selection], { onto: "rack" }), hidden: isOver });
    showButton(root, "undo", { enabled: build.mayBuild && build.before.length > 0, hidden: isOver });
    showButton(root, "reset", { enabled: build.mayBuild && hasBuilt, hidden: isOver });
    showButton(root, "best", { enabled: build.mayBuild, hidden: isOver || state.table.help?.arrangement !== true });
    showButton(root, "draw", { enabled: build.may("draw"), hidden: isOver || isEmpty });
    showButton(root, "pass", { enabled: build.may("pass"), hidden: isOver || !isEmpty });
    showButton(root, "lay", { enabled: build.mayLay, hidden: isOver });
    showButton(root, "last-deal", { enabled: true, hidden: result.last === null });
  }

  return {
    render,
    tick() {
      const { state, now } = session;
      result.tick(state, now);
    },
    followed: () => build.follow(),
    received: () => {},
    told(received, before) {
      if (received.snapped) return;
      const { drawn = [] } = ownOf(build.state);
      const known = new Set(before.you.hand ?? []);
      const fresh = drawn.filter((card) => !known.has(card));
      if (fresh.length > 0) announcer.say(say(texts, "you_drew", { tiles: tileNames(texts, fresh) }));
    },
    drafted: (rev, draft) => build.drafted(rev, draft),
    draftRefused: () => {},
    reconnected: () => build.again(),
    beat: (now) => build.save(now),
    hidden: () => build.save(Infinity),
    order: () => Object.keys(gameOf(build.state)?.players ?? {}).map(Number),
    acting: () => acting(build.state),
    isOwnClock,
    lengthMs: windowMs,
    plays: () => isPlaying(build.state),
    wild: () => null,
    seat: (seat) => lookOf(texts, build.state, seat),
    notice: () => noticeFor(texts, build.state, session.now),
    progress: () => progressText(texts, build.state),
    called: () => noticeFor(texts, build.state, session.now) ?? say(texts, "your_turn"),
    leaving: () => leavingText(shell),
    tellers: TELLERS,
    journeys,
    // A dropped tile lies where it was dragged.
    moved: () => (dragging.isDragging ? [] : moved(view.lies, build.shown, ownOf(build.state).hand ?? [])),
    pieces: {
      ratio: 1.36,
      picture: (card) => tilePicture(texts, card, { isSmall: false }),
      back: tileBack,
    },
    sounds: SOUNDS,
    actions: {
      sort,
      back: toRack,
      undo: () => build.undo(),
      reset: () => build.reset(),
      best: () => void advise(),
      lay: () => build.lay(),
      draw: () => build.act("draw"),
      pass: () => build.act("pass"),
      "new-meld": toNew,
      add: (element) => build.move([...build.selection], { onto: "meld", meld: Number(element.dataset.meld) }),
      reread: (element) => build.reread(Number(element.dataset.meld)),
      coach: () => coach?.toggle(build),
      "last-deal": () => result.open(),
      "close-result": () => result.close(),
    },
    tapped: (card) => build.toggle(card),
    tappedTwice: (card) => build.toggle(card),
  };
}

/**
 * The consequences of leaving now.
 *
 * @param {Shell} shell
 */
function leavingText({ texts, session: { state } }) {
  const may = legalMove(state, "leave") !== null;
  if (!may) return { text: say(texts, "leave_text"), isDanger: false };
  return { text: say(texts, isMatchTable(state.table) ? "leave_text_session" : "leave_text_playing"), isDanger: true };
}

/**
 * The table in words: the current state, the time, every meld, the pool and each player's number of tiles.
 *
 * @param {Shell} shell
 * @param {Build} build
 */
function tableInWords({ texts, session, left }, build) {
  const { state, now } = session;
  const game = gameOf(state);
  if (game === null) return "";
  const time = left();
  const melds = build.shown.map(({ cards, as }) => cards.map((card, at) => tileName(texts, card, as?.[at] ?? null)).join(", "));
  const parts = [
    noticeFor(texts, state, now) ?? "",
    time === null ? "" : say(texts, "read_time", { time: clockText(time.ms) }),
    ...(melds.length === 0 ? [say(texts, "table_empty")] : melds),
    say(texts, "pool", { count: game.pool_count }),
    ...game.order.map((seat) => `${seatName(state, seat)}: ${say(texts, "tiles", { count: game.players[String(seat)]?.tiles ?? 0 })}`),
  ];
  return parts.filter((part) => part !== "").join(". ");
}
