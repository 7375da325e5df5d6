export function isGame(state, game) {
  return state.table.game === game;
}

export function applyChange(state, change) {
  const next = { ...state };
  const patch = { you: change.you ?? {}, ...change.patch };
  for (const [key, part] of Object.entries(patch)) {
    const both = [part, state[key]].every((one) => one !== null && typeof one === "object" && !Array.isArray(one));
    next[key] = both ? { ...state[key], ...part } : part;
  }
  return next;
}
