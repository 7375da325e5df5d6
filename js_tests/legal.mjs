// `you.legal` as the server tells it: an entry for each kind of move.

export const DRAWING = [
  { kind: "draw", source: ["closed", "open"] },
  { kind: "drop", points: 20 },
  { kind: "arrange", rev: null, groups: null },
  { kind: "leave" },
];

/** @param {string[]} cards @param {string} [kept] The card that may not go back. */
export const discarding = (cards, kept = "") => [
  { kind: "discard", card: cards.filter((card) => card !== kept) },
  { kind: "finish", card: cards },
  { kind: "arrange", rev: null, groups: null },
  { kind: "leave" },
];

export const laying = (kind) => [
  { kind, groups: null },
  { kind: "arrange", rev: null, groups: null },
  { kind: "leave" },
];
