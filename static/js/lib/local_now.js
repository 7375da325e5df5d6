/**
 * The local time in whole milliseconds, about that since 1970. It goes on evenly when the system's clock is set, which
 * `Date.now()` does not.
 */
export const localNow = () => Math.round(performance.timeOrigin + performance.now());
