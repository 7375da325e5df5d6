// Finds a place where something covers nothing: from rectangles to a place.

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

const STEP = 4;

/**
 * The free place nearest to the middle of `bounds`; null if there is none.
 *
 * @param {{width: number, height: number}} size
 * @param {Box} bounds
 * @param {readonly Box[]} taken
 * @returns {{left: number, top: number} | null}
 */
export function freePlace({ width, height }, bounds, taken) {
  const right = bounds.right - width;
  const lefts = [(bounds.left + right) / 2, bounds.left, right];
  // Nothing that is wider than the bounds has a place there.
  const last = right < bounds.left ? -1 : bounds.bottom - height;
  const middle = (bounds.top + bounds.bottom - height) / 2;
  const tops = [];
  for (let top = bounds.top; top <= last; top += STEP) tops.push(top);
  tops.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle));
  for (const left of lefts) {
    const top = tops.find((each) =>
      taken.every(
        (box) =>
          box.right <= left || box.left >= left + width || box.bottom <= each || box.top >= each + height,
      ),
    );
    if (top !== undefined) return { left, top };
  }
  return null;
}
