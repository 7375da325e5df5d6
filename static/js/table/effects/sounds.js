// Short synthesized sounds: a few partials or a burst of noise each, without files.

import { readPreference, VOLUMES } from "../../lib/prefs.js";

/** @typedef {import("../io/sound.js").Player} Player */

/**
 * @typedef {object} Note
 * @property {number} [hertz] Of a tone; without it a burst of noise.
 * @property {number} [to] The frequency to which a tone glides.
 * @property {number} at Seconds from the beginning.
 * @property {number} lasts Seconds.
 * @property {number} [loud] 0 to 1.
 * @property {number} [bright] The centre frequency of the noise, in hertz.
 * @property {OscillatorType} [shape]
 */

/** @param {number} at @param {number} bright @param {number} [loud] */
const rustle = (at, bright, loud = 0.5) => ({ at, lasts: 0.07, bright, loud });

/** @type {Record<string, readonly Note[]>} */
export const SOUNDS = {
  cards: [0, 0.06, 0.12, 0.18, 0.24, 0.3].map((at) => rustle(at, 3200, 0.35)),
  card: [{ at: 0, lasts: 0.12, bright: 2600, loud: 0.4 }],
  thud: [rustle(0, 1500, 0.6), { hertz: 170, to: 90, at: 0, lasts: 0.08, loud: 0.5 }],
  fall: [{ hertz: 330, to: 160, at: 0, lasts: 0.3, loud: 0.35, shape: "triangle" }],
  knocks: [
    { hertz: 220, to: 110, at: 0, lasts: 0.1, loud: 0.8 },
    { hertz: 220, to: 110, at: 0.14, lasts: 0.1, loud: 0.8 },
  ],
  chime: [
    { hertz: 523, at: 0, lasts: 0.2, loud: 0.4 },
    { hertz: 784, at: 0.12, lasts: 0.3, loud: 0.4 },
  ],
  call: [
    { hertz: 660, at: 0, lasts: 0.35, loud: 0.5 },
    { hertz: 880, at: 0.14, lasts: 0.4, loud: 0.5 },
  ],
  fanfare: [659, 880, 1109, 1319].map((hertz, index) => ({ hertz, at: 0.1 + index * 0.07, lasts: 0.45, loud: 0.4 })),
  tick: [{ hertz: 1200, at: 0, lasts: 0.05, loud: 0.35, shape: "triangle" }],
  win: [523, 659, 784, 1047].map((hertz, index) => ({ hertz, at: index * 0.11, lasts: 0.4, loud: 0.45 })),
  lose: [392, 330, 262].map((hertz, index) => ({ hertz, at: index * 0.16, lasts: 0.35, loud: 0.3 })),
  chat: [{ hertz: 990, at: 0, lasts: 0.09, loud: 0.25 }],
  refused: [{ hertz: 150, at: 0, lasts: 0.16, loud: 0.4, shape: "square" }],
};

const LOUDEST = 0.24;
const FADES_TO = 0.001;

/** Vibrations on a phone. @type {Record<string, number[]>} */
const HAPTICS = { call: [60], knocks: [30, 40, 30], fanfare: [30, 40, 60], win: [40, 60, 40, 60, 80], refused: [20], tick: [15] };

/**
 * @param {Player} player
 * @param {string} name A key of `SOUNDS`.
 */
export function play({ context, mayVibrate }, name) {
  const vibration = HAPTICS[name];
  if (vibration !== undefined && mayVibrate()) navigator.vibrate(vibration);
  if (readPreference("sound") === "off") return;
  const running = context();
  if (running?.state !== "running") return;
  const volume = VOLUMES[readPreference("volume")] ?? 1;
  for (const note of SOUNDS[name] ?? []) sound(running, note, volume * LOUDEST);
}

/**
 * @param {AudioContext} context
 * @param {Note} note
 * @param {number} volume
 */
function sound(context, { hertz, to, at, lasts, loud = 1, bright, shape = "sine" }, volume) {
  const start = context.currentTime + at;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud * volume, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(FADES_TO, start + lasts);
  gain.connect(context.destination);
  const source = hertz === undefined ? noise(context, lasts) : new OscillatorNode(context, { frequency: hertz, type: shape });
  if (source instanceof OscillatorNode && to !== undefined) source.frequency.exponentialRampToValueAtTime(to, start + lasts);
  if (bright === undefined) source.connect(gain);
  else source.connect(new BiquadFilterNode(context, { type: "bandpass", frequency: bright, Q: 0.8 })).connect(gain);
  source.start(start);
  source.stop(start + lasts + 0.02);
}

/**
 * @param {AudioContext} context
 * @param {number} lasts
 */
function noise(context, lasts) {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * lasts), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  return new AudioBufferSourceNode(context, { buffer });
}
