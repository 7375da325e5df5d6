// The drawn face of a player.

import { region, sprite } from "../../lib/dom.js";

/** @param {import("../core/protocol.js").Player} player */
export const faceOfPlayer = ({ face }) => sprite(`${region("table").dataset.faces}#${face}`, "face");
